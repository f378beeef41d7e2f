"""Is the arena that is being measured empty? What lies there has straight sides and another colour than the floor.

Nothing is known yet but the tray: neither the deck nor what the bare floor looks like. A floor is one material under
light that varies slowly, so its own median over a window larger than any card is what the bare floor looks like there.
What differs from it, has a card's area or more, and has straight sides, was laid there. Grain, felt and soft shadows
have no straight sides of that length.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Image
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.setup.survey import from_above

PX_PER_MM = 1.0
RIM_MM = 5.0  # along the wall its shadow and its reflection fall on the floor
WINDOW_MM = 201  # a card of 63 x 88 mm fills less than half of such a window, so the median is the floor's
LEAST_LEVELS = 18.0  # of 255, between a thing and the floor in any channel: four times the noise of a dim camera
LEAST_AREA_MM2 = 700.0  # an eighth of a card: what leans or is half covered shows as much
LEAST_SIDE_MM = 22.0  # of a straight side; two of them make a thing
OFF_LINE_MM = 1.2  # so far an outline may leave its straight side


def things_on_the_floor(image_bgr: Image, camera: Camera, arena: Arena) -> list[Array]:
    """Outlines (N, 2) in mm, in the world frame, of what lies in the arena; empty where the floor is bare."""
    half_x, half_y = (side / 2 - RIM_MM for side in arena.inner_mm)
    view = from_above(image_bgr, camera, half_x, half_y, PX_PER_MM, 0.0)
    view = np.asarray(cv2.GaussianBlur(view, (0, 0), 1.0 * PX_PER_MM), np.uint8)
    other = _differs(view)
    outlines, _ = cv2.findContours(other, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle = (np.array(view.shape[1::-1]) - 1) / 2.0
    return [
        (outline[:, 0, :] - middle) * (1.0, -1.0) / PX_PER_MM
        for outline in outlines
        if cv2.contourArea(outline) >= LEAST_AREA_MM2 * PX_PER_MM**2
        and len(_straight_sides(np.asarray(outline, np.int32), view)) >= 2
    ]


def _differs(view: Image) -> Image:
    """Where the view (H, W, 3) differs from the floor's own median: 255, else 0."""
    small = cv2.resize(view, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    window = min(int(WINDOW_MM * PX_PER_MM / 4) | 1, (min(small.shape[:2]) * 2 - 1) | 1)
    wide = cv2.copyMakeBorder(small, window // 2, window // 2, window // 2, window // 2, cv2.BORDER_REFLECT)
    median = cv2.medianBlur(wide, window)[window // 2 : -(window // 2), window // 2 : -(window // 2)]
    floor = cv2.resize(median, view.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    levels = cv2.absdiff(view, floor).max(axis=2)
    other = np.where(levels > LEAST_LEVELS, 255, 0).astype(np.uint8)
    kernel = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.morphologyEx(other, cv2.MORPH_CLOSE, kernel), np.uint8)


def _straight_sides(outline: NDArray[np.int32], view: Image) -> list[float]:
    """The lengths in mm of the outline's straight sides, those along the view's border left out."""
    corners = cv2.approxPolyDP(outline, OFF_LINE_MM * PX_PER_MM, True)[:, 0, :]
    ends = np.roll(corners, -1, axis=0)
    limits = np.array(view.shape[1::-1]) - 1
    at_border = np.any((np.minimum(corners, ends) <= 1) & (corners == ends), axis=1) | np.any(
        (np.maximum(corners, ends) >= limits - 1) & (corners == ends), axis=1
    )
    lengths = np.linalg.norm(ends - corners, axis=1) / PX_PER_MM
    return [
        float(length)
        for length, border in zip(lengths, at_border, strict=True)
        if length >= LEAST_SIDE_MM and not border
    ]
