"""A drawing of one side of a card, addressed in millimetres, with smooth edges and no font but our own numerals."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.printing.shapes import numeral

Image = NDArray[np.uint8]
Bgr = tuple[int, int, int]

PX_MM = 12  # 300 dpi
FINER = 2  # drawn so many times larger and reduced, for smooth edges


class CardCanvas:
    """`width_mm` x `height_mm` of one colour to draw on, from its top left, y down."""

    def __init__(self, size_mm: tuple[float, float], colour: Bgr) -> None:
        self.size_mm = size_mm
        self._scale = PX_MM * FINER
        width, height = (round(v * self._scale) for v in size_mm)
        row = np.tile(np.array(colour, np.uint8), width)  # whole rows are copied many times faster than single pixels
        self._pixels = np.tile(row, (height, 1)).reshape(height, width, 3)

    def _px(self, points: Array | Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        return np.round(np.asarray(points, np.float64) * self._scale).astype(np.int32)

    def fill(self, outline: Array | Sequence[tuple[float, float]], colour: Bgr) -> None:
        cv2.fillPoly(self._pixels, [self._px(outline)], colour, cv2.LINE_AA)

    def line(self, points: Array | Sequence[tuple[float, float]], width_mm: float, colour: Bgr) -> None:
        thick = max(1, round(width_mm * self._scale))
        cv2.polylines(self._pixels, [self._px(points)], False, colour, thick, cv2.LINE_AA)

    def circle(self, centre: tuple[float, float], radius_mm: float, colour: Bgr, line_mm: float = 0.0) -> None:
        x, y = (round(v * self._scale) for v in centre)
        width = round(line_mm * self._scale) if line_mm else -1
        cv2.circle(self._pixels, (x, y), round(radius_mm * self._scale), colour, width, cv2.LINE_AA)

    def panel(self, margin_mm: float, radius_mm: float, colour: Bgr) -> None:
        """A rectangle with rounded corners, `margin_mm` inside the card."""
        a, r = margin_mm, radius_mm
        right, bottom = self.size_mm[0] - a, self.size_mm[1] - a
        self.fill([(a + r, a), (right - r, a), (right - r, bottom), (a + r, bottom)], colour)
        self.fill([(a, a + r), (right, a + r), (right, bottom - r), (a, bottom - r)], colour)
        for x in (a + r, right - r):
            for y in (a + r, bottom - r):
                self.circle((x, y), r, colour)

    def number(
        self, text: str, centre: tuple[float, float], height_mm: float, colour: Bgr, weight: float = 0.2
    ) -> None:
        """A card's value, `weight` the strokes' width in parts of two thirds of the height; 6 and 9 are underlined."""
        strokes, width = numeral(text)
        unit = height_mm / 1.5
        # A ten is as tall as a nine but narrower, so that both fill the same place.
        squeeze = 1.0 if len(text) == 1 else 0.78
        for stroke in strokes:
            points = [(centre[0] + (x - width / 2) * unit * squeeze, centre[1] + (y - 0.75) * unit) for x, y in stroke]
            self.line(points, weight * unit, colour)
        if text in ("6", "9"):  # thrown cards lie every way up
            half, y = 0.42 * unit, centre[1] + 0.98 * unit
            self.line([(centre[0] - half, y), (centre[0] + half, y)], weight * 0.6 * unit, colour)

    def modules(self, code: NDArray[np.bool_], centre: tuple[float, float], size_mm: float) -> None:
        """A square code, black where `code` is set; its modules' edges are exact to a drawing's pixel."""
        n = len(code)
        edges = np.round(np.linspace(-size_mm / 2, size_mm / 2, n + 1) * self._scale).astype(int)
        x0, y0 = (round(v * self._scale) for v in centre)
        for row, column in zip(*np.nonzero(code), strict=True):
            self._pixels[y0 + edges[row] : y0 + edges[row + 1], x0 + edges[column] : x0 + edges[column + 1]] = 0

    def inside_circle(self, drawn: CardCanvas, centre: tuple[float, float], radius_mm: float) -> None:
        """Takes over what `drawn` shows within a circle, at the same place."""
        self.show(drawn, centre, centre, radius_mm)

    def show(self, drawn: CardCanvas, centre: tuple[float, float], at: tuple[float, float], radius_mm: float) -> None:
        """Takes over what `drawn` shows within a circle round `centre`, with its middle `at` some place here."""
        half = round(radius_mm * self._scale) + 2
        mask = np.zeros((2 * half, 2 * half), np.uint8)
        cv2.circle(mask, (half, half), round(radius_mm * self._scale), 255, -1, cv2.LINE_AA)
        (x0, y0), (x1, y1) = ((round(v * self._scale) - half for v in place) for place in (centre, at))
        shown = drawn._pixels[y0 : y0 + 2 * half, x0 : x0 + 2 * half]
        here = self._pixels[y1 : y1 + 2 * half, x1 : x1 + 2 * half]
        rim = (mask > 0) & (mask < 255)
        part = (mask[rim] / np.float32(255))[:, None]
        blended = np.round(shown[rim] * part + here[rim] * (1 - part)).astype(np.uint8)
        cv2.copyTo(shown, (mask == 255).astype(np.uint8), here)
        here[rim] = blended

    def upside_down(self) -> None:
        self._pixels = np.asarray(cv2.rotate(self._pixels, cv2.ROTATE_180), np.uint8)

    def image(self) -> Image:
        """(height, width, 3), blue-green-red, 12 pixels a mm."""
        width, height = (round(v * PX_MM) for v in self.size_mm)
        return np.asarray(cv2.resize(self._pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
