"""Square fiducial markers in a picture: the one place that calls cv2.aruco's detector.

OpenCV 4.10 to 5.0 hand out ids and corners in different shapes; they are made one shape here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import BadInput
from arena_cam.formats.messages import TableTrouble


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
    found: list[SeenMarker] = []
    for outline in outlines_px:
        low, high = outline.min(axis=0), outline.max(axis=0)
        rim = 0.5 * (high - low)
        x0, y0 = np.maximum(np.floor(low - rim), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(high + rim), (width, height)).astype(int)
        if min(x1 - x0, y1 - y0) < 2 * smallest_px:
            continue
        corner = np.array([x0, y0])
        patch = np.ascontiguousarray(grey[y0:y1, x0:x1])
        found += [SeenMarker(m.id, m.corners_px + corner) for m in find_markers(patch, dictionary, smallest_px)]
    return found


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
