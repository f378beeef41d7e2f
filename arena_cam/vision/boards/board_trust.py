"""From a cell's evidence to its tile, the probability that it is right, and whether it is sure."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.board_readings import BoardReading, CellReading
from arena_cam.domain.messages import Message
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.cells.cell_evidence import CellEvidence, weighed
from arena_cam.vision.boards.cells.matching import CellMatch
from arena_cam.vision.boards.cells.tile_alignment import PX_PER_MM
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.straight.print_places import CLEAR_PRINT
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.way_up import tiles_turned, turn_in

Floats = NDArray[np.float64]

SURE = 0.95  # a cell's confidence from which it is said surely
# Two contenders that the pixels hardly part are asked about, whatever else speaks for one. Of 989 cells that were told
# rightly and surely none had less than 0.2 (thin lines, sets learned from photographs), of ten told wrongly nine had.
LEAST_MARGIN = 0.2
MOST_SLIP_MM = 4.2  # tiles slip by 1.5 mm, their place is fitted to 1.5 mm: beyond both a tile lies half out
MOST_TURN_DEG = 9.0
LEAST_EXPLAINED = 0.86
# Grey levels; of 237 empty cells the most was 4.1, of cells under a hand the least 15.8.
NO_PAPER = 8.0
# More where all of the board's empty cells are as far off, or half of those beside it: then that is its light, told by
# glossier tiles, and a lamp's, which changes over a board otherwise than a plane does (1 to 13 over one in lamplight).
LIGHT_OFF, MOST_PAPER = 1.6, 12.0
# Correlation of an empty cell's drawn outline: 0.95 and more under a lamp that changes over the board, 0.1 and less
# under hands and pencils (11 cells each). Then so many grey levels are a lamp's: more may be a plain tile, face down.
OUTLINE_SEEN, OPEN_PAPER = 0.7, 24.0
# A pixel this bright shows no print. Of a cell that is said to be empty half such pixels at most: where a lamp's
# reflection whitens more than that, a white tile's lines are lost, too. Of 71 boards no empty cell had more than 0.1;
# ten tiles that were taken for empty cells had 0.59 and more.
WHITE, MOST_WHITE = 250.0, 0.5
MOST_HIDDEN = 0.1  # share of a cell outside the picture
MOST_LEAD = 0.6  # logarithm of what two tiles leave unexplained; beyond this more does not tell more
UNLIKELY = 100.0  # odds against a tile that was not drawn: people take a wrong one at most once in some boards
TWICE = 0.6  # of two cells with one tile at least one is wrong
# Share of the cells' pixels that is explained. Of 75 boards read rightly all but a few explain 0.98, boards one cell or
# 4 mm aside 0.83 and 0.91. Of 46 boards cut off by the picture those that were put some cells aside explain 0.94 at
# most and have a print's correlation of 0.5 at most; the others 0.9 and more.
IN_PLACE = 0.95
MANY_TURNED = 2  # tiles that are turned alike, as many as lie upright: the board may lie the other way up
# Of an empty cell's worst spot, the share that is not as expected: 0.24 where half a white tile lay. Asking costs
# little: the cell beside it is asked about already. A neighbour's middle is a tile's width away or less.
ANY_STRANGE, NEXT = 0.1, 1.2
ODDLY = {doubt.value for doubt in (BoardDoubt.WRONG_WAY, BoardDoubt.HALF_OUT, BoardDoubt.TURNED, BoardDoubt.COVERED)}

FEATURES = (
    "one",
    "margin",
    "contrast",
    "explained",
    "strange",
    "agreed",
    "alike",
    "empty",
    "empty_margin",
    "lead",
    "empty_strange",
)


def features(evidence: CellEvidence) -> NDArray[np.float64]:
    """The values that the confidence depends on, in the order of `FEATURES`."""
    empty = evidence.best.tile is None
    margin = min(evidence.margin, 1.0)
    return np.array(
        [
            1.0,
            margin,
            math.log(max(evidence.contrast * math.sqrt(max(evidence.visible, 1e-3)), 1.0)) - 5.5,
            evidence.best.explained - 1.0,
            evidence.best.strange,
            float(evidence.agreed),
            max(evidence.alike, 0.0) if empty else 1.0 - max(evidence.best.alike, 0.0),
            float(empty),
            margin if empty else 0.0,
            0.0 if empty else min(evidence.lead, MOST_LEAD) * min(max(3.0 * margin, 0.0), 1.0),
            evidence.best.strange if empty else 0.0,
        ]
    )


# Log odds, fitted by bench.board_cells to 1332 cells of rendered boards in eight styles, 25 of them wrong. Left out
# table by table they had a calibration error of 0.007.
WEIGHTS = np.array([2.77, 6.75, 0.09, 4.71, -4.38, 1.00, -3.23, -1.05, 5.22, 3.93, -6.29])


def confidence(evidence: CellEvidence, paper: float = NO_PAPER) -> float:
    """Probability that the best contender is right; `paper`: see `paper_limits`."""
    z = float(WEIGHTS @ features(evidence))
    even = _is_no_paper(evidence, paper) or _is_white(evidence)
    return float(np.clip(1.0 / (1.0 + math.exp(-z)), 0.02, 0.5 if even else 0.9995))


def paper_limits(cells: Sequence[CellEvidence], cells_mm: Floats, width_mm: float) -> Floats:
    """How far from its print's colour in grey levels each cell (N,) may be where it is empty, by the nearest of the
    others and by those beside it; `cells_mm` (N, 2): the cells' middles, `width_mm`: a tile's."""
    off = np.array([each.best.not_paper for each in cells])
    empty = np.array([each.best.tile is None for each in cells])
    away = np.linalg.norm(cells_mm[:, None] - cells_mm, axis=2)
    out = np.full(len(cells), off[empty].min(initial=np.inf) if empty.any() else 0.0)
    for k, beside in enumerate((away > 0) & (away < NEXT * width_mm) & empty):
        if beside.any():
            out[k] = max(out[k], float(np.median(off[beside])))
    return np.asarray(np.clip(LIGHT_OFF * out, NO_PAPER, MOST_PAPER))


def _is_no_paper(evidence: CellEvidence, paper: float) -> bool:
    """Whether something other than paper is seen in a cell; where its outline is seen nothing reaches over that."""
    limit = OPEN_PAPER if evidence.best.outline > OUTLINE_SEEN else paper
    return evidence.best.tile is None and evidence.best.not_paper > limit


def _is_white(evidence: CellEvidence) -> bool:
    """Whether a cell that looks empty is too bright to show a tile's print."""
    return evidence.best.tile is None and float((evidence.best.seen.min(axis=1) >= WHITE).mean()) > MOST_WHITE


def board_reading(prints: SetPrints, placed: PlacedBoard, drawn: Collection[str] | None = None) -> BoardReading:
    """The reading of one board; `drawn`: the tiles of this round, if known."""
    corners = transformed(placed.px_from_mm, prints.corners_mm[placed.which])
    cells = _once(tuple(_cell(prints, placed, k, each) for k, each in enumerate(_told(prints, placed, drawn))))
    cells = _reached_over(prints, placed, tuple(_drawn(cell, drawn) for cell in cells))
    astray = is_astray(placed)
    if astray:
        cells = tuple(_perhaps_another(cell) for cell in cells)
    elif is_unseen(placed):
        cells = tuple(_perhaps_another(cell) if cell.tile is None else cell for cell in cells)
    doubts = [cell.doubt for cell in cells if cell.doubt is not None]
    if astray or not colour_is_sure(placed):
        doubts.append(BoardDoubt.COLOUR())
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in corners)
    board = prints.set.boards[placed.which]
    return BoardReading(board.colour, cells, (a, b, c, d), not doubts, tuple(dict.fromkeys(doubts)))


def colour_is_sure(placed: PlacedBoard) -> bool:
    """Whether it is clear which of the set's boards it is."""
    return placed.colour.is_told(placed.print_alike)


def is_unseen(placed: PlacedBoard) -> bool:
    """Whether hardly any of the board's print is seen, and nothing of it speaks for one of the boards: then what is
    white where the sun shines may be a tile as well as an empty cell."""
    return placed.print_alike < CLEAR_PRINT and placed.colour.margin <= 0.0 and not colour_is_sure(placed)


def is_astray(placed: PlacedBoard) -> bool:
    """Whether the board may lie elsewhere, so that its cells are others: some of them are not explained and its print
    is not seen there, as where half of a board is in the picture; or its tiles lie the wrong way round."""
    if placed.explained <= IN_PLACE and placed.print_alike < CLEAR_PRINT:
        return True
    turned = sum(bool(turn_in(placed, k)) for k in range(len(placed.cells)))
    return turned >= MANY_TURNED and tiles_turned(placed) != 0


def _told(prints: SetPrints, placed: PlacedBoard, drawn: Collection[str] | None) -> list[tuple[CellEvidence, float]]:
    """Of each cell the evidence and the confidence, by what else is known of the round and of the board.

    A tile that was not drawn, or that lies surely in another cell, hardly lies here. Bayes: the odds against it are
    those of the pixels times those beforehand; and the next contender is then as near as it is.
    """
    papers = _papers(prints, placed)
    plain = [confidence(evidence, paper) for evidence, paper in zip(placed.cells, papers, strict=True)]
    undrawn = {k for k, name in enumerate(prints.names) if drawn is not None and name not in drawn}
    surely = [e.best.tile for e, sure in zip(placed.cells, plain, strict=True) if sure >= SURE]
    unlikely = undrawn | {tile for tile in surely if tile is not None and surely.count(tile) == 1}
    out = []
    for k, (evidence, sure) in enumerate(zip(placed.cells, plain, strict=True)):
        if sure < SURE and evidence.best.tile in unlikely - undrawn:
            out.append(_instead(evidence, placed.matches[k], sure, unlikely))
            continue
        without = evidence if evidence.best.tile in undrawn else evidence.but(unlikely - {evidence.best.tile})
        if without is not evidence:
            sure = min(confidence(without, float(papers[k])), sure * UNLIKELY / (sure * UNLIKELY + 1.0 - sure))
        out.append((without, sure))
    return out


def _instead(
    evidence: CellEvidence, match: CellMatch, sure: float, unlikely: Collection[int]
) -> tuple[CellEvidence, float]:
    """What lies in a cell whose likeliest tile lies surely in another one: the likeliest of the others, as probable as
    it is among them, and as that is not here after all."""
    left = [each for each in (evidence.best, *evidence.rivals) if each.tile not in unlikely]
    if len(left) < 2 or all(each.tile is None or each.turned_deg for each in left):
        return evidence, sure
    other = weighed(left, match, PX_PER_MM)
    elsewhere = (1.0 - sure) * SURE / ((1.0 - sure) * SURE + sure * (1.0 - SURE))
    return other, confidence(other) * elsewhere


def _cell(prints: SetPrints, placed: PlacedBoard, k: int, told: tuple[CellEvidence, float]) -> CellReading:
    evidence, sure = told
    tile = None if evidence.best.tile is None else prints.names[evidence.best.tile]
    others = dict.fromkeys(None if r.tile is None else prints.names[r.tile] for r in evidence.rivals)
    likely = tuple(name for name in others if name != tile)
    name = prints.cell_names[k]
    doubt = lies_oddly(prints, placed, k)
    if doubt is None and (sure < SURE or evidence.margin < LEAST_MARGIN):
        doubt = _unclear(name, tile)
    return CellReading(name, tile, round(sure, 4), likely, doubt)


def _papers(prints: SetPrints, placed: PlacedBoard) -> Floats:
    return paper_limits(placed.cells, prints.cells_mm, prints.set.width_mm)


def lies_oddly(prints: SetPrints, placed: PlacedBoard, k: int) -> Message | None:
    """What is asked of the `k`th cell for how it lies or is covered, however like a tile it is; None if nothing is."""
    best, cell = placed.cells[k].best, prints.cell_names[k]
    if placed.hidden[k] > MOST_HIDDEN:
        return BoardDoubt.CELL_OUTSIDE(cell=cell)
    if turn_in(placed, k):
        return BoardDoubt.WRONG_WAY(cell=cell)
    if best.tile is not None and _slip_mm(placed, k) > MOST_SLIP_MM:
        return BoardDoubt.HALF_OUT(cell=cell)
    if best.tile is not None and abs(math.degrees(best.placed.turn_rad)) > MOST_TURN_DEG:
        return BoardDoubt.TURNED(cell=cell)
    if best.explained < LEAST_EXPLAINED or _is_no_paper(placed.cells[k], float(_papers(prints, placed)[k])):
        return BoardDoubt.COVERED(cell=cell)
    return None


def _slip_mm(placed: PlacedBoard, k: int) -> float:
    return float(np.hypot(*(placed.cells[k].best.placed.shift_mm - placed.rest_mm[k])))


def _drawn(cell: CellReading, drawn: Collection[str] | None) -> CellReading:
    """Adds a doubt to each tile that was not drawn in this round."""
    if drawn is None or cell.tile is None or cell.tile in drawn:
        return cell
    doubt = BoardDoubt.NOT_DRAWN(cell=cell.cell, tile=cell.tile)
    return replace(cell, confidence=round(cell.confidence * TWICE, 4), doubt=doubt)


def _reached_over(prints: SetPrints, placed: PlacedBoard, cells: tuple[CellReading, ...]) -> tuple[CellReading, ...]:
    """Adds a doubt to an empty cell with a strange spot beside one in which a tile lies oddly: it may lie across both,
    and a white half of it hides hardly a line of an empty cell."""
    odd = [k for k, cell in enumerate(cells) if cell.doubt is not None and cell.doubt.code in ODDLY]
    if not odd:
        return cells
    away = np.linalg.norm(prints.cells_mm[:, None] - prints.cells_mm[odd], axis=2).min(axis=1)
    beside = away < NEXT * prints.set.width_mm
    return tuple(
        _perhaps_another(cell) if cell.tile is None and near and evidence.best.strange > ANY_STRANGE else cell
        for cell, near, evidence in zip(cells, beside, placed.cells, strict=True)
    )


def _perhaps_another(cell: CellReading) -> CellReading:
    """Adds a doubt to a cell of a board that may lie elsewhere, be turned or hardly be seen: then this may be another
    cell, or another thing than an empty one."""
    if cell.doubt is not None:
        return cell
    return replace(cell, confidence=round(cell.confidence * TWICE, 4), doubt=_unclear(cell.cell, cell.tile))


def _unclear(cell: str, tile: str | None) -> Message:
    return BoardDoubt.UNCLEAR_EMPTY(cell=cell) if tile is None else BoardDoubt.UNCLEAR(cell=cell, tile=tile)


def _once(cells: tuple[CellReading, ...]) -> tuple[CellReading, ...]:
    """A board has each tile once: adds a doubt to the cells of a tile that is seen twice."""
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
