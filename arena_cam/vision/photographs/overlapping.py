"""Which of two overlapping cards of any pack lies above: the upper one's edges and its index are seen in the lower."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed_cards import IndexedCard

_LEAST_OVERLAP_MM2, _TOLD = 25.0, 1.25
_OFF_MM = 1.5  # by which a card may lie beside where it is thought
_HALF_AN_INDEX_MM = 2.5  # ranks are 6 mm high and more, and most are as wide as that
_A_SIDE = 1.0  # and more: of a card much is seen, of print on another that has the look of an index little
_ASKED_MM2 = 60.0  # a smaller overlap is none worth a question
_EDGE_MM, _STEP_MM = 1.2, 1.0
_PERCENTILE = 30.0  # of the steps along the edges: print has as plain ones in places, an edge everywhere


def overlaps(
    image: NDArray[np.uint8], camera: Camera, cards: Sequence[IndexedCard], size: tuple[float, float]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs (upper, lower), and pairs of which it cannot be told. The upper card's edges are seen in the lower; a card
    lies over those that lie under one beneath it."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    told, untold = [], []
    for a in range(len(cards)):
        for b in range(a):
            one, other = (cards[n].pose.corners(*size)[:, :2].astype(np.float32) for n in (a, b))
            area, _ = cv2.intersectConvexConvex(one.reshape(-1, 1, 2), other.reshape(-1, 1, 2))
            if area < _LEAST_OVERLAP_MM2:
                continue
            mine, yours = _index_covers(cards[a], cards[b], size), _index_covers(cards[b], cards[a], size)
            first, second = (_edge(grey, camera, *pair) for pair in ((one, other), (other, one)))
            if _are_interleaved(cards[a], cards[b], size) or _are_interleaved(cards[b], cards[a], size):
                untold.append((a, b))
            elif mine != yours:
                told.append((a, b) if mine else (b, a))
            elif max(first, second) > _TOLD * min(first, second):
                told.append((a, b) if first > second else (b, a))
            elif area > _ASKED_MM2:
                untold.append((a, b))
    implied = [pair for pair in untold if _lies_over(told, *pair)]
    implied += [(b, a) for a, b in untold if _lies_over(told, b, a)]
    return [*told, *implied], [(a, b) for a, b in untold if not {(a, b), (b, a)} & set(implied)]


def without_interleaved(
    cards: Sequence[IndexedCard], size: tuple[float, float]
) -> tuple[list[IndexedCard], list[IndexedCard]]:
    """The cards, and those that are none. Sheets cannot lie each over the other: where a card's index is seen within
    another's outline, and that one's within its own, the first is a mark, made of the other's print, if less of its
    indices and sides is seen, by a side or more. Of two as good both are kept, to be asked about."""
    gone: set[int] = set()
    for a in sorted(range(len(cards)), key=lambda n: _seen_of(cards[n])):
        for b in range(len(cards)):
            if a == b or b in gone or _seen_of(cards[b]) - _seen_of(cards[a]) < _A_SIDE:
                continue
            if _are_interleaved(cards[a], cards[b], size):
                gone.add(a)
                break
    return [card for n, card in enumerate(cards) if n not in gone], [cards[n] for n in sorted(gone)]


def _seen_of(card: IndexedCard) -> float:
    """How much is seen of a card, in sides: a second index is at its place by chance as seldom as two sides are."""
    return card.sides + 2.0 * (len(card.indices) - 1)


def _lies_over(told: Sequence[tuple[int, int]], upper: int, lower: int) -> bool:
    """Whether cards between them, each over the next, say that `upper` lies over `lower`."""
    reached, left = {upper}, [upper]
    while left:
        one = left.pop()
        below = {low for up, low in told if up == one} - reached
        reached |= below
        left += sorted(below)
    return lower in reached


def _are_interleaved(card: IndexedCard, other: IndexedCard, size: tuple[float, float]) -> bool:
    """Whether each of two bears an index over the other, the first all of its own from end to end: a half covered index
    begins beside what covers it. The line of a border beneath it may be read as one, so half its width is enough."""
    beside = all(_reach(_points(index, 0.0), other, size) < _OFF_MM for index in card.indices)
    wide = _HALF_AN_INDEX_MM
    return beside and _index_covers(card, other, size, wide) and _index_covers(other, card, size, wide)


def _index_covers(card: IndexedCard, other: IndexedCard, size: tuple[float, float], wide_mm: float = 0.0) -> bool:
    """Whether an index of a card, `wide_mm` to either side of its line, is seen where the other one lies, too: then the
    card is the upper."""
    own = (index for index in card.indices if index.card == card.card)  # of a covered one a part reads otherwise
    return any(_reach(point[None], other, size) < -_OFF_MM for index in own for point in _points(index, wide_mm))


def _points(index: SeenIndex, wide_mm: float) -> Array:
    """Points (N, 2) of an index: its ends and its middle, and so far to either side of them."""
    down = index.bottom - index.top
    across = wide_mm / max(float(np.hypot(*down)), 1e-6) * np.array([-down[1], down[0]])
    line = (index.top, index.middle, index.bottom)
    return np.array([point + way * across for point in line for way in ((-1, 0, 1) if wide_mm else (0,))])


def _reach(points: Array, card: IndexedCard, size: tuple[float, float]) -> float:
    """How far (mm) the points (N, 2) reach out of a card at most; negative: how far they all lie within it."""
    local = (np.column_stack([points, np.zeros(len(points))]) - card.pose.centre_mm) @ card.pose.R
    return float((np.abs(local[:, :2]) - np.array(size) / 2).max())


def _edge(grey: NDArray[np.float32], camera: Camera, one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How plainly the sides of one outline (4, 2) are seen where they run inside another, in grey levels."""
    steps = []
    contour = other.reshape(-1, 1, 2)
    for p, q in zip(one, np.roll(one, -1, axis=0), strict=True):
        long = float(np.hypot(*(q - p)))
        along = (q - p) / long
        across = np.array([-along[1], along[0]])
        for t in np.arange(4.0, long - 4.0, _STEP_MM):
            at = p + along * t
            if cv2.pointPolygonTest(contour, (float(at[0]), float(at[1])), True) < 2.0:
                continue
            line = at + np.linspace(-_EDGE_MM, _EDGE_MM, 7)[:, None] * across
            pixels = camera.project(np.column_stack([line, np.zeros(7)])).astype(np.float32)
            seen = cv2.remap(grey, pixels[:, :1], pixels[:, 1:], cv2.INTER_LINEAR).ravel()
            steps.append(float(seen.max() - seen.min()))
    return float(np.percentile(steps, _PERCENTILE)) + 1.0 if steps else 1.0
