"""From a cell's evidence to what is said of it, how probably it is right, and whether it is said surely."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.board_readings import BoardReading, CellReading
from arena_cam.vision.boards.cells import CellEvidence
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.prints import SetPrints
from arena_cam.vision.boards.seeds import transformed

SURE = 0.97  # a cell's confidence from which it is said surely
MOST_SLIP_MM = 3.2  # twice what tiles slip in their cells: beyond it a tile lies half out
MOST_TURN_DEG = 9.0
LEAST_EXPLAINED = 0.72


def features(evidence: CellEvidence, alike: float) -> NDArray[np.float64]:
    """What the confidence depends on, (5,)."""
    return np.array(
        [
            1.0,
            min(evidence.margin, 1.0),
            math.log(max(evidence.contrast * math.sqrt(max(evidence.visible, 1e-3)), 1.0)),
            evidence.best.explained,
            evidence.visible,
        ]
    )


# Logistic regression on cells of rendered photographs.
WEIGHTS = np.array([-6.0, 4.0, 1.0, 4.0, 2.0])


def confidence(evidence: CellEvidence, alike: float) -> float:
    """Probability that the best contender is right."""
    z = float(WEIGHTS @ features(evidence, alike))
    return float(np.clip(1.0 / (1.0 + math.exp(-z)), 0.02, 0.9995))


def board_reading(prints: SetPrints, placed: PlacedBoard) -> BoardReading:
    """What is said of a board."""
    corners = transformed(placed.px_from_mm, prints.corners_mm[placed.which])
    cells = tuple(_cell(prints, placed, k) for k in range(len(prints.cell_names)))
    why = [f"{cell.cell}: {cell.why_unsure}" for cell in cells if cell.why_unsure]
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in corners)
    board = prints.set.boards[placed.which]
    return BoardReading(board.colour, cells, (a, b, c, d), not why, tuple(why))


def _cell(prints: SetPrints, placed: PlacedBoard, k: int) -> CellReading:
    evidence, match = placed.cells[k], placed.matches[k]
    best = evidence.best
    tile = None if best.tile is None else prints.names[best.tile]
    sure = confidence(evidence, float(match.alike.max()))
    return CellReading(prints.cell_names[k], tile, round(sure, 4), (), _doubt(placed, k, sure))


def _doubt(placed: PlacedBoard, k: int, sure: float) -> str | None:
    evidence = placed.cells[k]
    best = evidence.best
    if placed.hidden[k] > 0.1:
        return "the cell is not wholly in the picture"
    if best.turned_deg:
        return "the tile lies the wrong way round"
    if best.tile is not None:
        if float(np.hypot(*(best.placed.shift_mm - placed.rest_mm))) > MOST_SLIP_MM:
            return "the tile lies half out of its cell"
        if abs(math.degrees(best.placed.turn_rad)) > MOST_TURN_DEG:
            return "the tile is turned in its cell"
    if best.explained < LEAST_EXPLAINED:
        return "something covers the cell, or it does not look like any tile"
    if sure < SURE:
        return "it is not clear which tile lies there"
    return None
