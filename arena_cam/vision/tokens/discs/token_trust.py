"""How far a token, a name and a count are to be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from arena_cam.vision.tokens.discs.token_search import SeenDisc

# Of discs that were there and of what only looked like one, in photographs that were rendered: those that were there
# have edges along 0.3 and more of their rims, what was none along 0.33 and less.
LEAST_RIM, SURE_RIM = 0.25, 0.36
SURE = 0.97  # confidence of a count from which it is said surely
_WEIGHTS = np.array([-5.0, 9.0, 7.0, 3.0, 1.5])  # log odds: 1, correlation, margin, rim, share seen; set by hand


def confidence(disc: SeenDisc) -> float:
    """Probability that a token lies there and is of that kind."""
    features = np.array([1.0, disc.alike, min(disc.margin, 0.4), min(disc.rim, 1.0), disc.visible])
    return float(np.clip(1.0 / (1.0 + math.exp(-float(_WEIGHTS @ features))), 0.02, 0.9995))


def is_token(disc: SeenDisc) -> bool:
    """Whether enough speaks for it to be counted."""
    whole = disc.visible > 0.85 and disc.explained > 0.8 and disc.alike > 0.8
    return whole or disc.rim > LEAST_RIM


def is_doubtful(disc: SeenDisc) -> bool:
    """Whether it may be none."""
    return not (disc.rim > SURE_RIM or (disc.visible > 0.85 and disc.alike > 0.85))


def of_all(discs: Sequence[SeenDisc], maybe: int) -> float:
    """Probability that exactly these lie there; `maybe` more may be hidden."""
    return round(float(np.clip(np.prod([confidence(disc) for disc in discs]) * 0.5**maybe, 0.01, 0.9995)), 4)
