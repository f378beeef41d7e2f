"""Straight-sided regions of a photograph: where a board's own outline may be seen, whatever is printed on it."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.printed.keypoints import reduced

Floats = NDArray[np.float64]
Points = NDArray[np.int32]

LONGEST_SIDE_PX = 800
# Steps of brightness or colour, in grey levels: a board stands out much from some tables and little from others.
STEPS = (12, 30, 75)
LEAST_AREA, MOST_AREA = 0.012, 0.9  # of the photograph
FILLED = 0.93  # of the area of the region's hull that four sides must hold, and of them the hull
STRAIGHT = (0.012, 0.02, 0.035)  # of the perimeter; a hull's corners are thinned by more until four are left
LEAST_SIDE = 0.25  # of the longest side
SAME = 0.02  # of the longest side: corners of one outline found twice
ABOUT_AS_LONG = 0.2  # logarithm of the ratio of two lengths


def outlines(image_bgr: NDArray[np.uint8]) -> list[Floats]:
    """Convex quadrilaterals (4, 2) of regions, in pixels of the photograph (h, w, 3); clockwise, largest first."""
    return outlines_in(*reduced(image_bgr, LONGEST_SIDE_PX))


def outlines_in(small: NDArray[np.uint8], factor: float) -> list[Floats]:
    """The same of a photograph (h, w, 3) that was reduced by a factor."""
    found: list[Floats] = []
    for contour in _contours(small):
        corners = _four_sided(contour, small.shape[0] * small.shape[1])
        if corners is not None and not any(_same(corners, other) for other in found):
            found.append(corners)
    found.sort(key=lambda corners: -_area(corners))
    return [np.asarray((corners + 0.5) / factor - 0.5) for corners in found]


def as_large(outline_px: Floats, px_from_mm: Floats, sizes_mm: Floats) -> bool:
    """Whether an outline (4, 2) on the plane that `px_from_mm` (3, 3) maps has the sides of one of some rectangles.

    `sizes_mm` (B, 2): widths and heights. Sides may differ by `ABOUT_AS_LONG`, as a plane reaches beyond the board that
    it was fitted to; opposite sides by as much.
    """
    back = np.asarray(np.linalg.inv(px_from_mm))
    if (np.column_stack([outline_px, np.ones(4)]) @ back[2] / back[2, 2] <= 0).any():
        return False
    corners = transformed(back, outline_px)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    for width, height in sizes_mm:
        for long in (np.array([width, height] * 2), np.array([height, width] * 2)):
            if np.abs(np.log(np.maximum(sides, 1e-6) / long)).max() < ABOUT_AS_LONG:
                return True
    return False


def _contours(image: NDArray[np.uint8]) -> Iterator[Points]:
    """Borders of regions that edges enclose, at each step of brightness and of the two colour axes."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    least = 0.2 * float(np.sqrt(image.shape[0] * image.shape[1]))
    for channel in cv2.split(lab):
        slopes = [np.asarray(cv2.Sobel(channel, cv2.CV_16S, dx, 1 - dx)) for dx in (1, 0)]
        for step in STEPS:
            edges = cv2.Canny(slopes[0], slopes[1], 2.0 * step, 4.0 * step)
            closed = cv2.dilate(edges, np.ones((3, 3), np.uint8))
            for contour in cv2.findContours(closed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)[0]:
                box = cv2.boundingRect(contour)
                if max(box[2:]) > least:
                    yield np.asarray(contour, np.int32)


def _four_sided(contour: Points, picture_area: int) -> Floats | None:
    """The four corners of a region that has four straight sides."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if not LEAST_AREA * picture_area < area < MOST_AREA * picture_area:
        return None
    if abs(cv2.contourArea(contour)) < FILLED * area:
        return None
    for share in STRAIGHT:
        thin = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)
        if len(thin) <= 4:
            break
    if len(thin) != 4:
        return None
    corners = _clockwise(thin.reshape(4, 2).astype(np.float64))
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    both = min(area, _area(corners)) / max(area, _area(corners))
    return corners if both > FILLED and sides.min() > LEAST_SIDE * sides.max() else None


def _clockwise(corners: Floats) -> Floats:
    """In the order top-left, top-right, bottom-right, bottom-left as y points down."""
    after = np.roll(corners, -1, axis=0)
    turning = float((corners[:, 0] * after[:, 1] - after[:, 0] * corners[:, 1]).sum())
    return corners if turning > 0 else np.ascontiguousarray(corners[::-1])


def _area(corners: Floats) -> float:
    return float(abs(cv2.contourArea(corners.astype(np.float32))))


def _same(a: Floats, b: Floats) -> bool:
    near = SAME * float(np.linalg.norm(a - np.roll(a, -1, axis=0), axis=1).max())
    away = [float(np.linalg.norm(np.roll(a, k, axis=0) - b, axis=1).max()) for k in range(4)]
    return min(away) < max(near, 3.0)
