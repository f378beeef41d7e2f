"""The things on the arena's floor that were not there when it was empty, seen from straight above."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.linear_light import linear_light
from arena_cam.vision.picture.robust import MAD_TO_SD

Image = NDArray[np.uint8]

VIEW_PX_PER_MM = 1.5
_BEYOND_MM = 12.0  # a card laid across the wall is to be seen, and refused
# Logarithms of ratios to the empty floor's light: what is neither noise nor shadow. Shadows are grey.
_LEAST_COLOUR, _LEAST_LIGHT = 0.12, 0.35
_NOISES = 6.0  # standard deviations of the floor's own change
_CLOSED_MM, _OPENED_MM = 7.0, 4.0  # gaps in a face that looks like the floor; walls that moved by a pixel
_SMALLEST_MM2 = 250.0


@dataclass(frozen=True, eq=False)
class Thing:
    """Something on the floor: its area, and the smallest rectangle round it in the world frame: middle, sides (mm), and
    the angle in degrees of the first side from world x, counterclockwise."""

    area_mm2: float
    centre_mm: tuple[float, float]
    sides_mm: tuple[float, float]
    angle_deg: float


class EmptyFloor:
    """The floor of the empty arena."""

    def __init__(self, image_bgr: Image, camera: Camera, arena: Arena) -> None:
        self._half_mm = (arena.inner_mm[0] / 2 + _BEYOND_MM, arena.inner_mm[1] / 2 + _BEYOND_MM)
        self._empty = self._from_above(image_bgr, camera)

    def things(self, image_bgr: Image, camera: Camera) -> list[Thing]:
        """The things in a picture (H, W, 3) that the empty floor does not have, largest first."""
        ratio = np.log((self._from_above(image_bgr, camera) + 0.01) / (self._empty + 0.01))
        ratio -= np.median(ratio[::3, ::3].reshape(-1, 3), axis=0)
        light = ratio.mean(axis=2)
        colour = np.abs(ratio - light[:, :, None]).max(axis=2)
        colour_limit = max(_LEAST_COLOUR, _NOISES * MAD_TO_SD * float(np.median(colour)))
        light_limit = max(_LEAST_LIGHT, _NOISES * MAD_TO_SD * float(np.median(np.abs(light))))
        odd = ((colour > colour_limit) | (np.abs(light) > light_limit)).astype(np.uint8)
        odd = cv2.morphologyEx(odd, cv2.MORPH_CLOSE, _disc(_CLOSED_MM))
        odd = cv2.morphologyEx(odd, cv2.MORPH_OPEN, _disc(_OPENED_MM))
        contours, _ = cv2.findContours(odd, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        found = [self._thing(np.asarray(contour, np.int32)) for contour in contours]
        found = [thing for thing in found if thing.area_mm2 >= _SMALLEST_MM2]
        return sorted(found, key=lambda thing: -thing.area_mm2)

    def _thing(self, contour: NDArray[np.int32]) -> Thing:
        (column, row), (across, along), turn = cv2.minAreaRect(contour)
        x, y = column / VIEW_PX_PER_MM - self._half_mm[0], self._half_mm[1] - row / VIEW_PX_PER_MM
        area = float(cv2.contourArea(contour)) / VIEW_PX_PER_MM**2
        sides = (float(across) / VIEW_PX_PER_MM, float(along) / VIEW_PX_PER_MM)
        return Thing(area, (float(x), float(y)), sides, -float(turn))  # OpenCV turns clockwise, rows run down

    def _from_above(self, image_bgr: Image, camera: Camera) -> NDArray[np.float32]:
        width, height = (round(2 * half * VIEW_PX_PER_MM) for half in self._half_mm)
        x = (np.arange(width) + 0.5) / VIEW_PX_PER_MM - self._half_mm[0]
        y = self._half_mm[1] - (np.arange(height) + 0.5) / VIEW_PX_PER_MM
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        at = camera.project(np.column_stack([grid, np.zeros(len(grid))])).astype(np.float32)
        at = at.reshape(height, width, 2)
        seen = cv2.remap(linear_light(image_bgr), at[..., 0], at[..., 1], cv2.INTER_LINEAR)
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.0), np.float32)


def _disc(diameter_mm: float) -> NDArray[np.uint8]:
    side = round(diameter_mm * VIEW_PX_PER_MM) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
