"""Which of a set's boards lies there, by the direction of its print's colour steps: for prints of thin lines.

Within a small block the mean is taken off, so that shadow, veil and the colour of lamps do not matter, and the print
may be as faint as it likes: a line that is blurred or a little aside loses contrast, but not its hue. It is light that
is compared: a lens mixes the light of a thin line with its paper's, which takes more of its colour than its contrast.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.straight.block_votes import standard_errors
from arena_cam.vision.boards.straight.board_colour import BLOCK_MM, Pixels, WhichBoard
from arena_cam.vision.boards.straight.prints import GAMMA

Floats = NDArray[np.float64]

# How much stronger than printed a step may be: beside a dark table a frame's softened edge is three times as dark.
# With 1.3 a yellow frame on black cloth was taken for green. Of 74 boards in ten styles 56 are sure with 1.3 and 58
# with 3, none of them wrong.
MOST_GAIN = 3.0
NOISE = 2.0  # grey levels (standard deviation) that a block's steps may be by chance
HUE_PX = 1.5  # photographs keep colour at half their resolution: both sides are softened by so many pixels


@dataclass(frozen=True, eq=False)
class _Steps:
    """Products summed over each block of N: of what is seen and each print (B, N), of prints (B, B, N), and pixels."""

    seen: Floats
    prints: Floats
    count: Floats

    def gain(self, own: int, other: int) -> Floats:
        """How strongly the print `other` shows in `own`, block by block."""
        return self._limited(self.prints[own, other], other)

    def gain_seen(self, which: int) -> Floats:
        return self._limited(self.seen[which], which)

    def _limited(self, product: Floats, which: int) -> Floats:
        length = self.prints[which, which] + self.count * NOISE**2
        return np.asarray(np.clip(product / np.maximum(length, 1e-6), 0.0, MOST_GAIN))


def second_opinion(softened: Pixels, first: WhichBoard) -> WhichBoard:
    """`first`, or the board whose colour steps are those seen: sure only where both say the same.

    `softened`: pixels and prints as shares of light, softened by `HUE_PX` pixels of the photograph.
    """
    steps = _steps(softened, first)
    boards = range(len(steps.prints))
    best = 0
    for other in boards[1:]:
        if _told(steps, best, other)[0] < 0:
            best = other
    told = [_told(steps, best, other) for other in boards if other != best]
    margin, blocks_for = min(told, key=lambda both: both[1], default=(1.0, math.inf))
    if best == first.which:  # Stouffer's sum of two tests
        both = (first.blocks_for + blocks_for) / math.sqrt(2.0)
        return replace(first, margin=(first.margin + margin) / 2, blocks_for=both, agreed=True)
    which = best if margin * blocks_for > first.margin * first.blocks_for else first.which
    return WhichBoard(which, first.light, 0.0, 0.0)


def _steps(pixels: Pixels, first: WhichBoard) -> _Steps:
    use = np.flatnonzero(pixels.there.all(axis=0))
    at = pixels.at_mm[use]
    gain = first.light.gain_at(at[:, 0], at[:, 1]) ** np.float32(GAMMA)
    usual = np.float32(gain.mean())
    cells = np.floor(at / BLOCK_MM).astype(int)
    cells = cells - cells.min(axis=0, initial=0)
    block = np.unique(cells[:, 0] * 1000 + cells[:, 1], return_inverse=True)[1]
    count = np.bincount(block).astype(np.float64)

    def steps_of(values: NDArray[np.float32]) -> Floats:
        sums = np.stack([np.bincount(block, values[:, c], len(count)) for c in range(3)], axis=1)
        return np.asarray(values - (sums / count[:, None])[block])

    def summed(a: Floats, b: Floats) -> Floats:
        return np.asarray(np.bincount(block, np.einsum("nc,nc->n", a, b), len(count)), np.float64)

    seen = steps_of(pixels.seen[use] / gain * usual)
    prints = [steps_of(each[use] * usual) for each in pixels.prints]
    both = np.stack([np.stack([summed(a, b) for b in prints]) for a in prints])
    return _Steps(np.stack([summed(seen, each) for each in prints]), both, count)


def _told(steps: _Steps, own: int, other: int) -> tuple[float, float]:
    """Where the steps lie between two boards' prints, -1 to 1, and by how many standard errors blocks say so."""
    left = []
    for which in (own, other):
        gain = steps.gain_seen(which)
        left.append(gain * (gain * steps.prints[which, which] - 2.0 * steps.seen[which]))
    apart = np.zeros_like(steps.count)
    for a, b in ((own, other), (other, own)):
        shared = steps.gain(a, b)
        bare = steps.prints[a, a] - shared * (2.0 * steps.prints[a, b] - shared * steps.prints[b, b])
        apart += 0.5 * steps.gain_seen(a) ** 2 * np.maximum(bare, 0.0)
    difference = np.clip(left[1] - left[0], -apart, apart)
    margin = float(difference.sum()) / max(float(apart.sum()), NOISE**2 * float(steps.count.sum()) * 1e-3)
    return margin, standard_errors(difference, apart)
