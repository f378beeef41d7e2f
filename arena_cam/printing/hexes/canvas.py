"""A drawing addressed in millimetres from its top-left corner, y down."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.printing.shapes import numeral

Image = NDArray[np.uint8]
Bgr = tuple[int, int, int]
Point = tuple[float, float]

FINER = 2  # drawn so many times larger and reduced, for smooth edges
_SHIFT = 4  # OpenCV draws at 16ths of a pixel


class Canvas:
    """A sheet of `size_mm` (width, height) in one colour, to draw on."""

    def __init__(self, size_mm: Point, px_per_mm: float, colour: Bgr) -> None:
        self.size_mm, self.px_per_mm = size_mm, px_per_mm
        self._scale = px_per_mm * FINER
        shape = (round(size_mm[1] * self._scale), round(size_mm[0] * self._scale), 3)
        self.pixels: Image = np.full(shape, colour, np.uint8)

    def _px(self, points: Array | Sequence[Point]) -> NDArray[np.int32]:
        return np.asarray(np.round((np.asarray(points, np.float64) * self._scale - 0.5) * 2**_SHIFT), np.int32)

    def fill(self, outline: Array | Sequence[Point], colour: Bgr) -> None:
        cv2.fillPoly(self.pixels, [self._px(outline)], colour, cv2.LINE_AA, _SHIFT)

    def line(self, points: Array | Sequence[Point], width_mm: float, colour: Bgr, *, closed: bool = False) -> None:
        thick = max(1, round(width_mm * self._scale))
        cv2.polylines(self.pixels, [self._px(points)], closed, colour, thick, cv2.LINE_AA, _SHIFT)

    def disc(self, centre: Point, radius_mm: float, colour: Bgr) -> None:
        x, y = self._px([centre])[0]
        cv2.circle(self.pixels, (int(x), int(y)), round(radius_mm * self._scale * 2**_SHIFT), colour, -1, 16, _SHIFT)

    def number(self, text: str, centre: Point, height_mm: float, colour: Bgr, weight: float = 0.24) -> None:
        """A number, `height_mm` high, its middle at `centre`; strokes are `weight` of a figure's width."""
        strokes, width = numeral(text)
        unit = height_mm / 1.5
        for stroke in strokes:
            points = [(centre[0] + (x - width / 2) * unit, centre[1] + (y - 0.75) * unit) for x, y in stroke]
            self.line(points, weight * unit, colour)

    def words(
        self, text: str, centre: Point, height_mm: float, colour: Bgr, font: int = cv2.FONT_HERSHEY_DUPLEX
    ) -> None:
        """A line of letters and figures, capitals `height_mm` high, its middle at `centre`."""
        thick = max(1, round(0.16 * height_mm * self._scale))
        (width, height), _ = cv2.getTextSize(text, font, 1.0, thick)
        scale = height_mm * self._scale / height
        x = centre[0] * self._scale - width * scale / 2
        y = centre[1] * self._scale + height * scale / 2
        cv2.putText(self.pixels, text, (round(x), round(y)), font, scale, colour, thick, cv2.LINE_AA)

    def keep_inside(self, outline: Array | Sequence[Point], before: Image) -> None:
        """Undoes, outside `outline`, what was drawn since the pixels were `before`."""
        inside = np.zeros(self.pixels.shape[:2], np.uint8)
        cv2.fillPoly(inside, [self._px(outline)], 255, cv2.LINE_AA, _SHIFT)
        share = (inside / np.float32(255.0))[:, :, None]
        self.pixels = np.round(self.pixels * share + before * (1 - share)).astype(np.uint8)

    def image(self) -> Image:
        """The drawing (h, w, 3), blue-green-red."""
        size = (round(self.size_mm[0] * self.px_per_mm), round(self.size_mm[1] * self.px_per_mm))
        return np.asarray(cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)

    def alpha(self, outline: Array | Sequence[Point]) -> Image:
        """The share of each pixel of `image` that lies in `outline`: (h, w), 0 to 255."""
        inside = np.zeros(self.pixels.shape[:2], np.uint8)
        cv2.fillPoly(inside, [self._px(outline)], 255, cv2.LINE_AA, _SHIFT)
        size = (round(self.size_mm[0] * self.px_per_mm), round(self.size_mm[1] * self.px_per_mm))
        return np.asarray(cv2.resize(inside, size, interpolation=cv2.INTER_AREA), np.uint8)


def hexagon(centre: Point, width_mm: float) -> list[Point]:
    """Corners of a hexagon flat at top and bottom, `width_mm` from corner to corner."""
    angles = [math.pi / 3 * k for k in range(6)]
    return [(centre[0] + width_mm / 2 * math.cos(a), centre[1] + width_mm / 2 * math.sin(a)) for a in angles]


def sun(centre: Point, radius_mm: float) -> list[Point]:
    """A star of twelve rays."""
    out = []
    for k in range(24):
        r = radius_mm * (1.0 if k % 2 == 0 else 0.62)
        out.append((centre[0] + r * math.sin(math.pi * k / 12), centre[1] - r * math.cos(math.pi * k / 12)))
    return out


def moon(centre: Point, radius_mm: float) -> list[Point]:
    """A crescent, open to the right."""
    outer = [math.radians(50 + 260 * k / 40) for k in range(41)]
    inner = [math.radians(292 - 224 * k / 40) for k in range(41)]
    points = [(math.cos(a), math.sin(a)) for a in outer]
    points += [(0.42 + 0.80 * math.cos(a), 0.80 * math.sin(a)) for a in inner]
    return [(centre[0] + radius_mm * x, centre[1] + radius_mm * y) for x, y in points]
