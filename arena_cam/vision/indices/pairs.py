"""Pairs of marks that may be an index: a rank, and below it a suit. What each looks like, brought upright."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, Ink, Mark

PATCH_WIDTH, PATCH_HEIGHT = 14, 26
# The suit and the rank are also shown each for itself, at a scale of its own: a small suit has few of the whole.
SUIT_PX, RANK_WIDTH, RANK_HEIGHT = 13, 12, 16
# Of each of these pictures: where its pixels begin among a pair's features, its height and its width.
PICTURES = (
    (0, PATCH_HEIGHT, PATCH_WIDTH),
    (PATCH_HEIGHT * PATCH_WIDTH, SUIT_PX, SUIT_PX),
    (PATCH_HEIGHT * PATCH_WIDTH + SUIT_PX**2, RANK_HEIGHT, RANK_WIDTH),
)
_MARGIN = 0.06  # of a pair's height, above and below
_ASPECT = PATCH_WIDTH / PATCH_HEIGHT
# Of an index the rank is from as high as the suit to 2.5 times; their middles are apart by their heights and a gap.
_LEAST_RATIO, _MOST_RATIO = 0.55, 3.0
_MOST_APART_MM, _NEAREST = 22.0, 10
_UNLIKE = 0.45  # of two marks' colours: one ink


@dataclass(frozen=True, eq=False)
class Pair:
    """Two marks, one over the other. `down` (2,): from rank to suit, a unit vector in view pixels; `top` and `bottom`
    (2,): the ends of the index along it; `features` (n,) what a classifier is given."""

    rank: Mark
    suit: Mark
    down: Array
    top: Array
    bottom: Array
    features: NDArray[np.float32]


def find_pairs(ink: Ink, marks: Sequence[Mark], *, together: bool = True) -> list[Pair]:
    """All pairs of marks near each other, of one ink and of sizes that go together, either of them on top: those that
    are pieces of one black-and-white picture, or, not `together`, the others."""
    if len(marks) < 2:
        return []
    centres = np.array([m.centre for m in marks])
    sizes = np.array([m.size_mm for m in marks])
    colours = np.array([m.colour for m in marks])
    masks = np.array([m.masks for m in marks])
    found = []
    for mark in marks:
        apart = np.hypot(*(centres - mark.centre).T) / VIEW_PX_PER_MM
        ratio = mark.size_mm / sizes
        least = 0.42 * (mark.size_mm + sizes)
        good = (apart < _MOST_APART_MM) & (apart > least) & (apart < 1.05 * (mark.size_mm + sizes))
        good &= (((masks & mark.masks) != 0) == together) & (ratio > _LEAST_RATIO) & (ratio < _MOST_RATIO)
        good &= np.abs(colours - mark.colour).max(axis=1) < _UNLIKE
        for other in np.flatnonzero(good)[np.argsort(apart[good])][:_NEAREST]:
            pair = _pair(ink, mark, marks[int(other)])
            if pair is not None:
                found.append(pair)
    return found


def _pair(ink: Ink, rank: Mark, suit: Mark) -> Pair | None:
    down = suit.centre - rank.centre
    down = down / np.hypot(*down)
    across = np.array([-down[1], down[0]])
    rank_along, suit_along = rank.points @ down, suit.points @ down
    top, bottom = float(rank_along.min()), float(suit_along.max())
    if rank_along.max() > suit_along.min() + 0.25 * (suit_along.max() - suit_along.min()):
        return None  # side by side
    height = (bottom - top) * (1 + 2 * _MARGIN)
    spread = np.concatenate([rank.points @ across, suit.points @ across])
    if np.ptp(spread) > 1.25 * _ASPECT * height:
        return None
    middle = (spread.max() + spread.min()) / 2
    centre = down * (top + bottom) / 2 + across * middle
    patch = _upright(ink, centre, down, height / PATCH_HEIGHT, (PATCH_WIDTH, PATCH_HEIGHT))
    strongest = max(_near_darkest(patch), 0.1)
    parts = [patch, _alone(ink, suit, down, (SUIT_PX, SUIT_PX)), _alone(ink, rank, down, (RANK_WIDTH, RANK_HEIGHT))]
    pixels = [np.minimum(part.ravel() / strongest, 1.3) for part in parts]
    colour = suit.colour / max(float(suit.colour.max()), 0.05)
    ratio = np.array([rank.size_mm / suit.size_mm - 1.0, strongest, (height / VIEW_PX_PER_MM - 15.0) / 10.0])
    features = np.concatenate([*pixels, colour, ratio]).astype(np.float32)
    return Pair(rank, suit, down, down * top + across * middle, down * bottom + across * middle, features)


def _near_darkest(patch: NDArray[np.float32]) -> float:
    """The darkness of a patch's ink: all but 5 % of it is paler, as in np.percentile(patch, 95), which takes longer."""
    at = 0.95 * (patch.size - 1)
    low, high = np.partition(patch, (int(at), int(at) + 1), axis=None)[int(at) : int(at) + 2]
    return float(low + (at - int(at)) * (high - low))


def _alone(ink: Ink, mark: Mark, down: Array, size: tuple[int, int]) -> NDArray[np.float32]:
    """A mark's own picture, (height, width) of `size` (width, height), as large as it fits."""
    across = np.array([-down[1], down[0]])
    along, beside = mark.points @ down, mark.points @ across
    centre = down * (along.max() + along.min()) / 2 + across * (beside.max() + beside.min()) / 2
    scale = max(np.ptp(along) / size[1], np.ptp(beside) / size[0]) * (1 + 2 * _MARGIN)
    return _upright(ink, centre, down, float(scale), size)


def _upright(ink: Ink, centre: Array, down: Array, scale: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """The ink round `centre`, turned so that `down` is: (height, width) of `size`, `scale` view pixels each."""
    right = np.array([down[1], -down[0]])
    to_view = np.column_stack([right * scale, down * scale, centre])
    to_view[:, 2] -= to_view[:, :2] @ ((np.array(size) - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(ink.darkness, to_view, size, flags=flags), np.float32)
