"""Views from straight above for the tests of indices: marks of ink on paper, and cards of drawn packs."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM

RED, BLACK, PAPER, CLOTH = (40, 40, 190), (30, 30, 30), (235, 238, 240), (60, 90, 40)


def mm(*values: float) -> tuple[int, ...]:
    """Millimetres in pixels of a view."""
    return tuple(round(value * VIEW_PX_PER_MM) for value in values)


def paper(width_mm: float = 60.0, height_mm: float = 60.0, level: float = 1.0) -> Image:
    """An even paper."""
    height, width = mm(height_mm, width_mm)
    return np.full((height, width, 3), np.array(PAPER) * level, np.uint8)


def with_rectangle(
    view: Image, x_mm: float, y_mm: float, w_mm: float, h_mm: float, ink: tuple[int, int, int] = BLACK
) -> Image:
    """A view with a rectangle of ink whose first corner is at (x_mm, y_mm), y down."""
    view = view.copy()
    cv2.rectangle(view, mm(x_mm, y_mm)[:2], mm(x_mm + w_mm, y_mm + h_mm)[:2], ink, -1)
    return view


def first_halves(sides: float) -> frozenset[tuple[int, int]]:
    """So many of a card's sides, as halves (side, half), from the left end of the upper one on."""
    return frozenset((n // 2, n % 2) for n in range(round(2 * sides)))
