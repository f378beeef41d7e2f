"""Where a board's cells are: the lattice of hexagons whose outlines its print shows best.

Lines round cells and the edges of tinted cells are steps of colour. Outlines of 19 hexagons are slid over these, for
each distance between cells that a tile leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

PX_PER_MM = 2.0
COLUMNS = (3, 4, 5, 4, 3)
# Cells are as far from each other as tiles are high, and up to an eighth more; as wide as tiles to a tenth more.
PITCHES, PITCH_STEP_MM = (0.985, 1.13), 0.25
CELL_WIDTHS = (1.0, 1.03, 1.06)
MOST_ASIDE_MM = 25.0  # of the cells' middle from the board's
LEAST_CLEAR = 1.25  # of the outlines' steps, by how much they are above those of outlines elsewhere


@dataclass(frozen=True, eq=False)
class CellLattice:
    """Middles (19, 2) in mm from the picture's top-left corner, columns from the left, and how clearly they show."""

    cells_mm: Floats
    pitch_mm: float
    clear: float


def lattice(pitch_mm: float) -> Floats:
    """Middles (19, 2) of the cells about that of the middle one, columns from the left, each from the top."""
    across = pitch_mm * math.sqrt(3) / 2
    return np.array(
        [
            ((k - 2) * across, (row - (count - 1) / 2) * pitch_mm)
            for k, count in enumerate(COLUMNS)
            for row in range(count)
        ]
    )


def find_cells(board_bgr: Image, board_mm: tuple[float, float], tile_mm: tuple[float, float]) -> CellLattice | None:
    """The cells of a board's straightened picture (h, w, 3); None where no outlines show."""
    steps = _steps(board_bgr, board_mm)
    best: tuple[float, float, Floats, float] | None = None
    pitches = np.arange(tile_mm[1] * PITCHES[0], tile_mm[1] * PITCHES[1], PITCH_STEP_MM)
    for pitch in pitches:
        for wide in CELL_WIDTHS:
            score, at, clear = _best_place(steps, float(pitch), wide * tile_mm[0], board_mm)
            if best is None or score > best[0]:
                best = (score, float(pitch), at, clear)
    if best is None or best[3] < LEAST_CLEAR:
        return None
    return CellLattice(best[2] + lattice(best[1]), best[1], best[3])


def _steps(board_bgr: Image, board_mm: tuple[float, float]) -> NDArray[np.float32]:
    """How steeply colour changes at each pixel, bounded so that strong print counts little more than faint lines."""
    size = (round(board_mm[0] * PX_PER_MM), round(board_mm[1] * PX_PER_MM))
    small = cv2.GaussianBlur(cv2.resize(board_bgr, size, interpolation=cv2.INTER_AREA), (0, 0), 1.0).astype(np.float32)
    slope = np.zeros((size[1], size[0]), np.float32)
    for c in range(3):
        gy, gx = np.gradient(small[:, :, c])
        slope = np.maximum(slope, np.hypot(gx, gy))
    bound = max(2.0, float(np.quantile(slope, 0.9)))
    return np.asarray(np.minimum(slope, bound) / bound, np.float32)


def _best_place(
    steps: NDArray[np.float32], pitch: float, wide_mm: float, board_mm: tuple[float, float]
) -> tuple[float, Floats, float]:
    """Mean step along the outlines at their best place, that place's middle (2,) in mm, and how it stands out."""
    cells = lattice(pitch)
    half = np.abs(cells).max(axis=0) + wide_mm / 2 + 1.0
    size = np.ceil(2 * half * PX_PER_MM).astype(int) + 1
    if size[0] > steps.shape[1] or size[1] > steps.shape[0]:
        return 0.0, np.zeros(2), 0.0
    outlines = np.zeros((size[1], size[0]), np.float32)
    angles = np.arange(6) * math.pi / 3
    corner = np.column_stack([np.cos(angles), np.sin(angles)]) * wide_mm / 2
    for at in cells:
        points = np.round((at + corner + half) * PX_PER_MM * 16).astype(np.int32)
        cv2.polylines(outlines, [points], True, 1.0, 1, cv2.LINE_8, 4)
    score = cv2.matchTemplate(steps, outlines, cv2.TM_CCORR) / float(outlines.sum())
    first = half * PX_PER_MM
    y, x = np.mgrid[0 : score.shape[0], 0 : score.shape[1]]
    middle = np.asarray(board_mm) * PX_PER_MM / 2
    allowed = np.hypot(x + first[0] - middle[0], y + first[1] - middle[1]) < MOST_ASIDE_MM * PX_PER_MM
    inside = np.where(allowed, score, 0.0)
    row, column = np.unravel_index(int(inside.argmax()), inside.shape)
    usual = max(float(np.median(score)), 1e-3)
    at_mm = (np.array([column, row]) + first) / PX_PER_MM
    return float(inside.max()), at_mm, float(inside.max()) / usual
