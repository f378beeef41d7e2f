"""Where the corners of a card are seen: its sides are the longest straight edges about it, and meet in its corners.

Of a card with a few words the print tells where these lie. How large and how askew all of the card looks its sides
tell, two of which meet in a corner: near where the view has each side the line is looked for along which the picture
changes most (a Hough transform of lines that are nearly known: Duda and Hart, CACM 1972).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.view.top_view import TopView, held

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

REACH_MM, STEP_MM = 3.0, 0.25  # how far from where a view has it a side is looked for, in what steps
# Grey levels a mm, in the mean along a side, of what is printed along it: a frame's are 40 to 110, those of words and
# pictures that end there 25 at most, in eight drawn sets.
PRINTED_STEP = 30.0
# Of a side, how many of them must be open to view, and how much of the way across there: a side may lie anywhere on it.
POINTS, LEAST_POINTS, LEAST_OPEN = 25, 9, 0.7
ROUNDED_MM = 1.0  # of a side beside its rounded corners: blurred with these
# Grey levels a mm at which a step counts half: a blurred edge of paper on a table has more, a table's grain less.
HALF_STEP = 60.0
# Share of full steps along a line that is a side; and how much of it another line, farther off than an edge is blurred,
# may have: where a frame is printed beside the side, which of both is which nobody knows here.
LEAST_SIDE, MOST_RIVAL, BLUR_MM = 0.25, 0.85, 2.0
AS_STEEP = 0.7  # of the steepest line: so steep is the inner edge of a thin dark line about white paper on white
NEAR_MM, STRAY_MM = 0.8, 0.2  # about a line steps tell where it is seen; how far one may be off
# Sides as (axis along which they run, which way out), and the two that meet in each corner, with its signs.
_SIDES = ((0, -1.0), (1, 1.0), (0, 1.0), (1, -1.0))
_MEET = ((0, 3, (-1.0, -1.0)), (0, 1, (1.0, -1.0)), (2, 1, (1.0, 1.0)), (2, 3, (-1.0, 1.0)))
_OFFS = np.arange(-REACH_MM, REACH_MM + 1e-6, STEP_MM)


@dataclass(frozen=True, eq=False)
class Sides:
    """A card's `size_mm`, how round its corners are, and which of its sides (4,), upper, right, lower and left, are
    `bare`: along the others a line is printed, and which of both is seen nobody knows."""

    size_mm: tuple[float, float]
    corner_mm: float
    bare: Mask


def bare_sides(face: Grey, px_per_mm: float) -> Mask:
    """(4,): beside which sides of a face (h, w, 3), upper, right, lower and left, no line is printed along them."""
    seen = [face, face[:, ::-1].transpose(1, 0, 2), face[::-1], face.transpose(1, 0, 2)]
    deep = round((REACH_MM + 1.0) * px_per_mm)
    steps = [np.abs(np.diff(each[: deep + 1, _middle_of(each)], axis=0)).max(axis=2).mean(axis=1) for each in seen]
    return np.array([float(each.max()) * px_per_mm < PRINTED_STEP for each in steps])


def _middle_of(face: Grey) -> slice:
    """The columns of a face but for a fifth at each end."""
    return slice(face.shape[1] // 5, face.shape[1] - face.shape[1] // 5)


def seen_corners(view: TopView, motion: Floats, card: Sides, free: Mask, origin_mm: Floats) -> tuple[Floats, Floats]:
    """Corners (K, 2) in mm from the middle of a card that lies at `motion` (2, 3), and where they are seen, (K, 2) in
    the card's mm: only those in which two bare sides meet that are seen.

    `free` (h, w) at 1 px/mm from `origin_mm`: where neither another card nor a token is known to lie.
    """
    half, open_ = np.asarray(card.size_mm) / 2, (free, origin_mm)
    lines = [
        _line(view, motion, half, card.corner_mm, side, open_) if bare else None
        for side, bare in zip(_SIDES, card.bare, strict=True)
    ]
    true, seen = [], []
    for one, other, signs in _MEET:
        first, second = lines[one], lines[other]
        if first is not None and second is not None:
            true.append(np.array(signs) * half)
            seen.append(_crossing(first, second))
    return np.array(true).reshape(-1, 2), np.array(seen).reshape(-1, 2)


def _line(
    view: TopView,
    motion: Floats,
    half: Floats,
    corner_mm: float,
    side: tuple[int, float],
    open_: tuple[Mask, Floats],
) -> Floats | None:
    """Two points (2, 2) of the line along which a side of a card is seen, in its mm; None where none is."""
    axis, out = side
    length = float(half[axis]) - corner_mm - ROUNDED_MM
    along = np.linspace(-length, length, POINTS)
    points = np.empty((POINTS, len(_OFFS), 2))
    points[..., axis] = along[:, None]
    points[..., 1 - axis] = out * half[1 - axis] + out * _OFFS
    steps, usable = _steps(view, motion, points, motion[:, 1 - axis], open_)
    if np.count_nonzero(usable) < LEAST_POINTS:
        return None
    likeliest = _likeliest(steps[usable], usable)
    if likeliest is None:
        return None
    share = (along + length) / (2.0 * length)
    ends, near = _OFFS[likeliest[0]], min(NEAR_MM, 0.5 * STEP_MM * (likeliest[1] or np.inf))
    apart = _OFFS[None] - (ends[0] + (ends[1] - ends[0]) * share)[:, None]
    weight = np.square(np.square(steps)) * (np.abs(apart) < near)
    total = weight.sum(axis=1)
    good = usable & (total > 0)
    middle = (weight * apart).sum(axis=1)[good] / total[good]
    columns, trust = np.column_stack([1.0 - share, share])[good], np.ones(np.count_nonzero(good))
    change = np.zeros(2)
    for _ in range(3):
        change = np.linalg.lstsq(columns * trust[:, None], middle * trust, rcond=None)[0]
        trust = 1.0 / (1.0 + ((middle - columns @ change) / STRAY_MM) ** 2)
    line = np.empty((2, 2))
    line[:, axis] = -length, length
    line[:, 1 - axis] = out * (half[1 - axis] + ends + change)
    return line


def _steps(
    view: TopView, motion: Floats, points: Floats, way: Floats, open_: tuple[Mask, Floats]
) -> tuple[Floats, Mask]:
    """Steps (P, O) across a side, 0..1, at points (P, O, 2) of a card, and which points (P,) along it are open."""
    free, origin_mm = open_
    mm = points @ motion[:, :2].T + motion[:, 2]
    at = view.at(mm).astype(np.float32)
    slopes = [cv2.remap(each, at, None, cv2.INTER_LINEAR) for each in view.steepest()[:2]]  # type: ignore[call-overload]
    is_open = held(free, mm - origin_mm - 0.5)[0] & held(view.inside, at)[0]
    across = way / np.linalg.norm(way)
    size = np.abs(slopes[0] * across[0] + slopes[1] * across[1]).astype(np.float64) * view.px_per_mm
    return size / (size + HALF_STEP) * is_open, np.asarray(is_open.mean(axis=1) > LEAST_OPEN)


@lru_cache(maxsize=1)
def _tried() -> NDArray[np.intp]:
    """(P, O, O): which of the offsets is met at each point along a side by the line from one at its beginning to one at
    its end."""
    share, offs = np.linspace(0.0, 1.0, POINTS)[:, None, None], np.arange(len(_OFFS))
    return np.asarray(np.rint((1.0 - share) * offs[None, :, None] + share * offs[None, None, :]), np.intp)


def _likeliest(steps: Floats, usable: Mask) -> tuple[NDArray[np.intp], int] | None:
    """The offsets (2,) of the line, at its beginning and end, along which steps (P, O) are steepest, and how many steps
    farther out its twin lies (`_farther_in`), 0 without one; None where that is no side, or may be one of two."""
    tried = _tried()[usable]
    score = np.take_along_axis(steps, tried.reshape(len(steps), -1), axis=1).mean(axis=0).reshape(tried.shape[1:])
    first, last = np.unravel_index(int(score.argmax()), score.shape)
    offs, far = np.arange(len(_OFFS)), BLUR_MM / STEP_MM
    elsewhere = (np.abs(offs - first) > far)[:, None] & (np.abs(offs - last) > far)[None, :]
    best = float(score[first, last])
    if best < LEAST_SIDE or float((score * elsewhere).max()) > MOST_RIVAL * best:
        return None
    twin = _farther_in(np.diagonal(score, int(last) - int(first)), int(min(first, last)), best)
    return np.array([first, last]) - twin, twin


def _farther_in(score: Floats, at: int, best: float) -> int:
    """How many steps farther in than `at` another line as steep lies, of lines beside each other with these scores
    (N,), the outermost last: about white paper on white goes a thin dark line, and the card ends where that begins."""
    for inner in range(at - 1, max(at - round(BLUR_MM / STEP_MM), 0), -1):
        if score[inner] > AS_STEEP * best and score[inner] > score[inner + 1] and score[inner] >= score[inner - 1]:
            return at - inner
    return 0


def _crossing(first: Floats, second: Floats) -> Floats:
    """Where two lines (2, 2) cross."""
    a, b = first[1] - first[0], second[1] - second[0]
    there = np.linalg.solve(np.column_stack([a, -b]), second[0] - first[0])
    return np.asarray(first[0] + there[0] * a)
