"""Square fiducial markers in a picture: the one place that calls cv2.aruco's detector.

OpenCV 4.10 to 5.0 hand out ids and corners in different shapes; they are made one shape here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import BadInput
from arena_cam.formats.messages import TableTrouble

Box = tuple[int, int, int, int]  # left, top, right, bottom; the last two beyond it

# Of a marker nearer to a box's border the detector's threshold, by what lies round about, would be another.
_RIM_PX = 24
_MOST = 0.7  # of a picture in boxes costs as much as all of it


@dataclass(frozen=True, eq=False)
class SeenMarker:
    """A marker in the picture: `corners_px` (4, 2), top-left, top-right, bottom-right, bottom-left of its print."""

    id: int
    corners_px: NDArray[np.float64]

    @cached_property
    def middle_px(self) -> NDArray[np.float64]:
        """The middle (2,) of its corners."""
        return np.asarray(self.corners_px.mean(axis=0))


def dictionary_named(name: str) -> cv2.aruco.Dictionary:
    """OpenCV's predefined dictionary `name`. Raises BadInput for one that OpenCV does not have."""
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BadInput(TableTrouble.NO_DICTIONARY(name=repr(name)))
    return cv2.aruco.getPredefinedDictionary(number)


@lru_cache(maxsize=16)
def _detector(name: str, smallest_px: int, longest_side_px: int) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # The floor of the size is given relative to the picture's longer side, as a perimeter.
    parameters.minMarkerPerimeterRate = 4.0 * smallest_px / longest_side_px
    # One threshold window finds what the three default ones find when markers are 12 px and larger, at a third of the
    # cost.
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 13
    return cv2.aruco.ArucoDetector(dictionary_named(name), parameters)


def find_markers_near(
    grey: Image, dictionary: str, outlines_px: Iterable[NDArray[np.float64]], smallest_px: int = 10
) -> list[SeenMarker]:
    """The markers in the neighbourhood of where they are thought to be, `outlines_px` (4, 2) each: half as far again
    as the outline reaches. Costs a small part of looking through the whole picture."""
    height, width = grey.shape
    boxes = []
    for outline in outlines_px:
        low, high = outline.min(axis=0), outline.max(axis=0)
        rim = 0.5 * (high - low)
        x0, y0 = np.maximum(np.floor(low - rim), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(high + rim), (width, height)).astype(int)
        boxes.append((int(x0), int(y0), int(x1), int(y1)))
    return find_markers_in(grey, dictionary, boxes, smallest_px)


def find_markers_in(grey: Image, dictionary: str, boxes: Iterable[Box], smallest_px: int = 10) -> list[SeenMarker]:
    """The markers that lie wholly in one of the boxes; in two, they are found twice."""
    found: list[SeenMarker] = []
    for left, top, right, bottom in boxes:
        if min(right - left, bottom - top) < 2 * smallest_px:
            continue
        corner, patch = np.array([left, top]), np.ascontiguousarray(grey[top:bottom, left:right])
        found += [SeenMarker(m.id, m.corners_px + corner) for m in find_markers(patch, dictionary, smallest_px)]
    return found


def boxes_round(outlines_px: Sequence[NDArray[np.float64]], shape: tuple[int, int], rim_px: int = _RIM_PX) -> list[Box]:
    """Boxes of a picture (height, width) that hold the outlines (N, 2) with a rim, none of them over another: what
    would overlap is one. The whole picture where they hold most of it."""
    height, width = shape
    boxes: list[Box] = []
    for outline in outlines_px:
        low, high = (
            np.floor(outline.min(axis=0)).astype(int) - rim_px,
            np.ceil(outline.max(axis=0)).astype(int) + rim_px,
        )
        box = max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]) + 1, width), min(int(high[1]) + 1, height)
        while box[0] < box[2] and box[1] < box[3]:
            over = next((other for other in boxes if _overlap(box, other)), None)
            if over is None:
                boxes.append(box)
                break
            boxes.remove(over)
            box = min(box[0], over[0]), min(box[1], over[1]), max(box[2], over[2]), max(box[3], over[3])
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes)
    return boxes if area < _MOST * width * height else [(0, 0, width, height)]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def find_markers(grey: Image, dictionary: str, smallest_px: int = 10) -> list[SeenMarker]:
    """All markers of `dictionary` in a grey picture (H, W) whose side is at least `smallest_px` pixels."""
    detector = _detector(dictionary, smallest_px, max(grey.shape[:2]))
    corners, ids, _ = detector.detectMarkers(grey)
    if not len(corners):  # ids is None then, or empty, by version
        return []
    numbers = np.asarray(ids).reshape(-1)
    return [
        SeenMarker(int(number), np.asarray(quad, np.float64).reshape(4, 2))
        for number, quad in zip(numbers, corners, strict=True)
    ]
