"""How surely blocks of pixels vote for one of two boards, in standard errors: many that lean to it, or few that all say
plainly the same."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_SAY = 3.0  # a block of much print, a title for one, has no more say than so many usual ones
LEAST_WEIGHT = 0.01  # of the weightiest block's; a block with less has nothing to say
LEAST_SPREAD = 0.15  # of a vote (-1 to 1): a handful of blocks that agree more closely do so by chance


def standard_errors(told: Floats, weights: Floats) -> float:
    """By how many standard errors blocks say that it is the first of two boards rather than the second.

    `told` (N,): how much less the first one leaves unexplained; `weights` (N,): how much that would be if it were met
    exactly. The larger of two tests' answers. One sees signs and sizes only: a self-normalised sum, which is never more
    than the root of the number of blocks. The other sees that votes are alike, too; blocks that say little speak
    against it.
    """
    some = weights > LEAST_WEIGHT * weights.max(initial=0.0)
    if not some.any():
        return 0.0
    votes, say = told[some] / weights[some], weights[some]
    say = np.minimum(say, MOST_SAY * float(np.median(say)))
    signs = float(votes @ say) / max(math.sqrt(float(((votes * say) ** 2).sum())), 1e-6)
    return max(signs, _student(votes, say)) if signs > 0 else min(signs, _student(votes, say))


def _student(votes: Floats, say: Floats) -> float:
    """Student's test of the mean of votes (N,), -1 to 1, that have a say (N,) each, as a normal variable.

    As many blocks as equal ones would say as much (Kish, "Survey sampling", 1965); from t to a normal variable by
    Wallace ("Bounds on normal approximations to Student's and the chi-square distributions", Ann. Math. Stat. 1959).
    """
    freedom = float(say.sum() ** 2 / (say**2).sum()) - 1.0
    if freedom < 1e-6:
        return 0.0
    mean = float(say @ votes / say.sum())
    spread = float(say @ (votes - mean) ** 2 / say.sum()) + LEAST_SPREAD**2
    normal = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(mean**2 / spread))
    return math.copysign(normal, mean)
