"""What tiles hide of the board beside them: they stand above it, and their sides and shadows lie over its print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.straight.straight_board import StraightBoard

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

GROWN_MM = 0.8  # places are known to the nearest millimetre when this is asked, and a pixel mixes
SHADOW_MM = 6.0  # what a tile of 2.4 mm throws under a lamp 22 degrees high


def hexagon(size_mm: tuple[float, float], middle_mm: Floats, turn_rad: float = 0.0) -> Floats:
    """The corners (6, 2) of a tile of that width and height whose middle lies there."""
    half = np.array([size_mm[0] / 2, size_mm[1] / math.sqrt(3)])
    angles = np.arange(6) * np.pi / 3
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    corners = half * np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(middle_mm + corners @ np.array([[c, s], [-s, c]]))


def moved(homography: Floats, hexagons: Floats) -> Floats:
    """Hexagons (F, 6, 2) mapped by a homography (3, 3)."""
    return np.asarray(transformed(homography, hexagons.reshape(-1, 2))).reshape(-1, 6, 2)


def covered(board: StraightBoard, faces: Floats, feet: Floats, grown_mm: float) -> Mask:
    """Pixels of a straightened board that tiles cover: from their faces (F, 6, 2) to where they stand (F, 6, 2)."""
    out = np.zeros(board.pixels.shape[:2], np.uint8)
    for face, foot in zip(faces, feet, strict=True):
        _fill(out, board.at(np.vstack([face, foot])))
    return _grown(out, grown_mm * board.px_per_mm)


@dataclass(frozen=True, eq=False)
class TileCover:
    """The tiles that lie on a board, in millimetres of its print: by cell (F,) faces and feet (F, 6, 2) as seen."""

    cells: Sequence[int]
    faces: Floats
    feet: Floats

    def over(self, cell: int, middle_mm: Floats, shape: tuple[int, int], px_per_mm: float) -> tuple[Mask, Mask]:
        """Of the pixels (h, w) about a cell's middle those that tiles of other cells cover, and those beside these,
        where their shadow may lie."""
        spare = round(SHADOW_MM * px_per_mm) + 2  # what lies outside reaches in when it is grown
        out = np.zeros((shape[0] + 2 * spare, shape[1] + 2 * spare), np.uint8)
        reach = 1.5 * max(shape) / px_per_mm
        middle_px = (np.array([out.shape[1], out.shape[0]]) - 1) / 2
        for owner, face, foot in zip(self.cells, self.faces, self.feet, strict=True):
            if owner != cell and float(np.hypot(*(foot.mean(axis=0) - middle_mm))) < reach:
                _fill(out, (np.vstack([face, foot]) - middle_mm) * px_per_mm + middle_px)
        grown = (_grown(out, by_mm * px_per_mm) for by_mm in (GROWN_MM, SHADOW_MM))
        over, beside = (each[spare:-spare, spare:-spare] for each in grown)
        return over, beside


def _fill(mask: NDArray[np.uint8], points_px: Floats) -> None:
    """Fills the hull of points (N, 2)."""
    hull = cv2.convexHull(points_px.astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1, shift=4)


def _grown(mask: NDArray[np.uint8], by_px: float) -> Mask:
    size = 2 * max(1, round(by_px)) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))) > 0)
