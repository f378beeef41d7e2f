"""From a cell's evidence to what is said of it, how probably it is right, and whether it is said surely."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.board_readings import BoardReading, CellReading
from arena_cam.domain.messages import Message
from arena_cam.vision.boards.cells import CellEvidence
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.prints import SetPrints
from arena_cam.vision.boards.seeds import transformed

SURE = 0.97  # a cell's confidence from which it is said surely
MOST_SLIP_MM = 4.2  # tiles slip by 1.5 mm, their place is fitted to 1.5 mm: beyond both a tile lies half out
MOST_TURN_DEG = 9.0
LEAST_EXPLAINED = 0.86
MOST_HIDDEN = 0.1  # share of a cell outside the picture
COLOUR_APART = 0.45  # of a board's pixels between its own print (1) and another's (-1)
TWICE = 0.6  # of two cells with one tile at least one is wrong


def features(evidence: CellEvidence) -> NDArray[np.float64]:
    """What the confidence depends on, (6,)."""
    return np.array(
        [
            1.0,
            min(evidence.margin, 1.0),
            math.log(max(evidence.contrast * math.sqrt(max(evidence.visible, 1e-3)), 1.0)),
            evidence.best.explained,
            evidence.visible,
            float(evidence.agreed),
        ]
    )


# Log odds, set by hand on cells of rendered photographs: those said wrongly have margins below 0.2, those said rightly
# of 0.3 and more, or of 0.15 and more where both looks agree.
WEIGHTS = np.array([-9.0, 15.0, 0.3, 4.0, 2.0, 2.7])


def confidence(evidence: CellEvidence) -> float:
    """Probability that the best contender is right."""
    z = float(WEIGHTS @ features(evidence))
    return float(np.clip(1.0 / (1.0 + math.exp(-z)), 0.02, 0.9995))


def board_reading(prints: SetPrints, placed: PlacedBoard) -> BoardReading:
    """What is said of a board."""
    corners = transformed(placed.px_from_mm, prints.corners_mm[placed.which])
    cells = _once(tuple(_cell(prints, placed, k) for k in range(len(prints.cell_names))))
    doubts = [cell.doubt for cell in cells if cell.doubt is not None]
    if placed.told_apart < COLOUR_APART:
        doubts.append(BoardDoubt.COLOUR())
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in corners)
    board = prints.set.boards[placed.which]
    return BoardReading(board.colour, cells, (a, b, c, d), not doubts, tuple(dict.fromkeys(doubts)))


def _cell(prints: SetPrints, placed: PlacedBoard, k: int) -> CellReading:
    evidence = placed.cells[k]
    tile = None if evidence.best.tile is None else prints.names[evidence.best.tile]
    sure = confidence(evidence)
    others = dict.fromkeys(None if r.tile is None else prints.names[r.tile] for r in evidence.rivals)
    likely = tuple(name for name in others if name != tile)
    return CellReading(
        prints.cell_names[k], tile, round(sure, 4), likely, _doubt(placed, k, prints.cell_names[k], tile, sure)
    )


def _doubt(placed: PlacedBoard, k: int, cell: str, tile: str | None, sure: float) -> Message | None:
    best = placed.cells[k].best
    if placed.hidden[k] > MOST_HIDDEN:
        return BoardDoubt.CELL_OUTSIDE(cell=cell)
    if best.turned_deg:
        return BoardDoubt.WRONG_WAY(cell=cell)
    if best.tile is not None and _slip_mm(placed, k) > MOST_SLIP_MM:
        return BoardDoubt.HALF_OUT(cell=cell)
    if best.tile is not None and abs(math.degrees(best.placed.turn_rad)) > MOST_TURN_DEG:
        return BoardDoubt.TURNED(cell=cell)
    if best.explained < LEAST_EXPLAINED:
        return BoardDoubt.COVERED(cell=cell)
    if sure < SURE:
        return BoardDoubt.UNCLEAR_EMPTY(cell=cell) if tile is None else BoardDoubt.UNCLEAR(cell=cell, tile=tile)
    return None


def _slip_mm(placed: PlacedBoard, k: int) -> float:
    return float(np.hypot(*(placed.cells[k].best.placed.shift_mm - placed.rest_mm)))


def _once(cells: tuple[CellReading, ...]) -> tuple[CellReading, ...]:
    """A board has each tile once: the cells of one that is seen twice are asked about."""
    where: dict[str, list[str]] = {}
    for cell in cells:
        if cell.tile is not None:
            where.setdefault(cell.tile, []).append(cell.cell)
    twice = {tile: BoardDoubt.TWICE(tile=tile, cells=tuple(names)) for tile, names in where.items() if len(names) > 1}
    return tuple(
        cell
        if cell.tile is None or cell.tile not in twice
        else replace(cell, confidence=round(cell.confidence * TWICE, 4), doubt=twice[cell.tile])
        for cell in cells
    )
