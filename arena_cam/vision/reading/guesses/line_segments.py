"""Straight line segments of the floor seen from above: sides of cards, among much else.

They are found in each colour channel by itself (R. Grompone von Gioi et al., "LSD: a line segment detector", IPOL 2,
2012), because a red edge on grey felt can be invisible in a grey picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.side_calls import lying_alone

Mask = NDArray[np.uint8]

_SHORTEST_MM = 7.0  # a shorter one shows no direction to a few degrees
# The channels find most edges alike: a segment that lies so near to a longer one, and not farther beyond its ends.
_SAME_MM, _BEYOND_MM = 0.8, 1.0


@dataclass(frozen=True, eq=False)
class ColourView:
    """The floor from above in colour, `bgr` (H, W, 3): pixel (column, row) shows (left_mm + column / px_per_mm,
    top_mm - row / px_per_mm)."""

    bgr: NDArray[np.uint8]
    px_per_mm: float
    left_mm: float
    top_mm: float

    def pixels(self, places_mm: Array) -> Array:
        """Columns and rows (..., 2) of places (..., 2) on the floor."""
        return np.asarray((places_mm - (self.left_mm, self.top_mm)) * (self.px_per_mm, -self.px_per_mm))

    def places(self, pixels: Array) -> Array:
        """Places (..., 2) on the floor, mm, of columns and rows (..., 2)."""
        return np.asarray(pixels * (1.0 / self.px_per_mm, -1.0 / self.px_per_mm) + (self.left_mm, self.top_mm))


def straight_segments(view: ColourView, where: Mask, most: int | None = None) -> Array:
    """Both ends (N, 2, 2), mm on the floor, of the straight segments whose middle lies where `where` (H, W) is set, the
    longest first; `most` of them, None is all."""
    pixels = np.concatenate([np.empty((0, 2, 2)), *_segments_by_parts(view.bgr, where)])
    long = np.hypot(*(pixels[:, 1] - pixels[:, 0]).T) >= _SHORTEST_MM * view.px_per_mm
    return _once(view.places(pixels[long]), most)


def _segments_by_parts(bgr: NDArray[np.uint8], where: Mask) -> Iterator[Array]:
    """The ends (N, 2, 2), column and row, of the straight segments of a picture (H, W, 3) whose middle lies where
    `where` (H, W) is set, of each part of that by itself: the floor between them takes as long as they do, and more
    where it has a grain."""
    left, top, wide, high = cv2.boundingRect(where)
    if not wide:
        return
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE)
    around, asked = bgr[top : top + high, left : left + wide], where[top : top + high, left : left + wide]
    coarse = cv2.dilate(asked, np.ones((_PERIOD_PX, _PERIOD_PX), np.uint8), anchor=(0, 0))[::_PERIOD_PX, ::_PERIOD_PX]
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(np.asarray(coarse, np.uint8))
    for label, (column, row, columns, rows) in enumerate(boxes[1:, :4], 1):
        first = np.maximum(np.array([column, row]) - _ROUND, 0) * _PERIOD_PX
        last = (np.array([column + columns, row + rows]) + _ROUND) * _PERIOD_PX
        part = around[first[1] : last[1], first[0] : last[0]]
        for channel in range(3):
            lines: Any = detector.detect(np.ascontiguousarray(part[:, :, channel]))[0]
            ends = np.empty((0, 2, 2)) if lines is None else np.asarray(lines, np.float64).reshape(-1, 2, 2) + first
            middle = np.round(ends.mean(axis=1)).astype(np.intp).clip(0, (wide - 1, high - 1))
            x, y = middle.T
            yield ends[(asked[y, x] > 0) & (labels[y // _PERIOD_PX, x // _PERIOD_PX] == label)] + (left, top)


# The detector looks at four fifths of the scale: parts that begin so many pixels apart show it the same pixels. And so
# many times as far, 10 mm, round about a part it looks, too: the line of a wall goes on beyond a card.
_PERIOD_PX, _ROUND = 5, 3


def _once(ends: Array, most: int | None) -> Array:
    """The segments (N, 2, 2) without those that lie on longer ones, the longest first, `most` of them."""
    ends = ends[np.argsort(-np.hypot(*(ends[:, 1] - ends[:, 0]).T), kind="stable")]
    most = len(ends) if most is None else min(most, len(ends))
    compiled = lying_alone(ends, most, _SAME_MM, _BEYOND_MM)
    return ends[_lying_alone(ends, most) if compiled is None else compiled]


def _lying_alone(ends: Array, most: int) -> NDArray[np.intp]:
    """The numbers of the segments (N, 2, 2), sorted by length, that lie on none taken before, `most` of them."""
    along = ends[:, 1] - ends[:, 0]
    length = np.hypot(*along.T)
    unit = along / length[:, None]
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    kept = np.empty(most, np.intp)
    # of those kept: where they begin, how long they are, along and across, one after another in memory
    begin, reach, ways = np.empty((most, 1, 2)), np.empty((most, 1)), np.empty((most, 2, 2))
    count = 0
    for number in range(len(ends)):
        if count == most:
            break
        # (kept, end, along or across)
        at = (ends[number] - begin[:count]) @ ways[:count]
        is_along = (at[:, :, 0] > -_BEYOND_MM) & (at[:, :, 0] < reach[:count] + _BEYOND_MM)
        on = is_along & (np.abs(at[:, :, 1]) < _SAME_MM)
        if on.all(axis=1).any():
            continue
        kept[count], begin[count], reach[count] = number, ends[number, 0], length[number]
        ways[count] = np.column_stack([unit[number], normal[number]])
        count += 1
    return kept[:count]
