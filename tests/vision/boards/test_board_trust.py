"""What is said of a board, and what is asked instead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.board_readings import BoardReading
from arena_cam.vision.boards.board_trust import MOST_PAPER, NO_PAPER, board_reading, confidence, paper_limits
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.straight.prints import SetPrints
from vision.boards.straight_views import SOME


def asked(reading: BoardReading) -> dict[str, str]:
    return {cell.cell: cell.doubt.code for cell in reading.cells if cell.doubt is not None}


def test_a_board_in_plain_view_is_said_surely(prints: SetPrints, plain: PlacedBoard) -> None:
    reading = board_reading(prints, plain)
    assert reading.colour == "red"
    assert reading.sure, [str(doubt) for doubt in reading.doubts]
    assert {cell.cell: cell.tile for cell in reading.cells if cell.tile} == SOME
    assert all(cell.confidence >= 0.97 for cell in reading.cells)
    assert all(cell.tile not in cell.others for cell in reading.cells)


def with_cell(plain: PlacedBoard, prints: SetPrints, cell: str, **changes: object) -> PlacedBoard:
    """The board with another best contender in a cell."""
    k = prints.cell_names.index(cell)
    cells = list(plain.cells)
    cells[k] = replace(cells[k], best=replace(cells[k].best, **changes))  # type: ignore[arg-type]
    return replace(plain, cells=tuple(cells))


def test_a_cell_outside_the_picture_is_asked_about(prints: SetPrints, plain: PlacedBoard) -> None:
    hidden = plain.hidden.copy()
    hidden[prints.cell_names.index("B2")] = 0.3
    reading = board_reading(prints, replace(plain, hidden=hidden))
    assert asked(reading) == {"B2": BoardDoubt.CELL_OUTSIDE.value}
    assert not reading.sure


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({"turned_deg": 120}, BoardDoubt.WRONG_WAY),
        ({"explained": 0.5}, BoardDoubt.COVERED),
    ],
)
def test_what_lies_oddly_or_covered_is_asked_about(
    prints: SetPrints, plain: PlacedBoard, changes: dict[str, object], doubt: BoardDoubt
) -> None:
    assert asked(board_reading(prints, with_cell(plain, prints, "C3", **changes))) == {"C3": doubt.value}


@pytest.mark.parametrize(("shift", "turn", "doubt"), [(6.0, 0.0, BoardDoubt.HALF_OUT), (0.0, 15.0, BoardDoubt.TURNED)])
def test_a_tile_that_lies_half_out_or_turned_is_asked_about(
    prints: SetPrints, plain: PlacedBoard, shift: float, turn: float, doubt: BoardDoubt
) -> None:
    best = plain.cells[prints.cell_names.index("C3")].best
    placed = replace(
        best.placed,
        shift_mm=best.placed.shift_mm + np.array([shift, 0.0]),
        turn_rad=best.placed.turn_rad + np.radians(turn),
    )
    assert asked(board_reading(prints, with_cell(plain, prints, "C3", placed=placed))) == {"C3": doubt.value}


@pytest.mark.parametrize(
    ("outline", "off", "sure"), [(0.95, 16.0, True), (0.1, 16.0, False), (0.95, 40.0, False)],
    ids=["a lamp", "a hand", "a plain tile face down"],
)  # fmt: skip
def test_an_empty_cell_whose_outline_is_seen_is_not_covered(
    prints: SetPrints, plain: PlacedBoard, outline: float, off: float, sure: bool
) -> None:
    k = next(k for k, cell in enumerate(plain.cells) if cell.best.tile is None)
    name = prints.cell_names[k]
    reading = board_reading(prints, with_cell(plain, prints, name, outline=outline, not_paper=off))
    assert asked(reading) == ({} if sure else {name: BoardDoubt.COVERED.value})


@pytest.mark.parametrize(("white", "sure"), [(0.3, True), (0.7, False)])
def test_a_cell_too_white_to_show_a_tile_is_not_surely_empty(
    prints: SetPrints, plain: PlacedBoard, white: float, sure: bool
) -> None:
    k = next(k for k, cell in enumerate(plain.cells) if cell.best.tile is None)
    seen = plain.cells[k].best.seen.copy()
    seen[: round(white * len(seen))] = 254.0
    reading = board_reading(prints, with_cell(plain, prints, prints.cell_names[k], seen=seen))
    told = {} if sure else {prints.cell_names[k]: BoardDoubt.UNCLEAR_EMPTY.value}
    assert asked(reading) == told
    assert (reading.cells[k].confidence <= 0.5) != sure


@pytest.mark.parametrize(
    ("off", "asked_about"), [((9.0, 9.5, 10.0), 0), ((2.0, 9.5, 16.0), 2), ((15.0, 16.0, 16.0), 3)]
)
def test_empty_cells_that_are_all_off_alike_lie_in_that_light_but_a_hand_is_no_paper(
    prints: SetPrints, plain: PlacedBoard, off: tuple[float, ...], asked_about: int
) -> None:
    cells = list(plain.cells)
    empty = [k for k, cell in enumerate(cells) if cell.best.tile is None]
    for n, k in enumerate(empty):
        cells[k] = replace(
            cells[k], best=replace(cells[k].best, not_paper=off[min(n, len(off) - 1)] if n < 3 else off[0])
        )
    placed = replace(plain, cells=tuple(cells))
    found = [doubt for doubt in asked(board_reading(prints, placed)).values() if doubt == BoardDoubt.COVERED.value]
    assert len(found) == (asked_about if off[0] < MOST_PAPER else len(empty))
    limits = paper_limits(cells, prints.cells_mm, prints.set.width_mm)
    assert NO_PAPER <= limits.min() <= limits.max() <= MOST_PAPER


def test_an_empty_cell_may_be_off_as_those_beside_it_are(prints: SetPrints, plain: PlacedBoard) -> None:
    """In a lamp's light that falls off over the board; one cell alone as far off is covered."""
    down = prints.cells_mm[:, 1]
    falling = np.interp(down, [down.min(), down.max()], [11.0, 1.0])
    bright = int(np.argmin(np.where([cell.best.tile is None for cell in plain.cells], down, np.inf)))
    alone = np.where(np.arange(len(down)) == bright, falling[bright], 1.0)
    for off, covered in ((falling, set()), (alone, {prints.cell_names[bright]})):
        cells = tuple(
            replace(cell, best=replace(cell.best, not_paper=float(each))) if cell.best.tile is None else cell
            for cell, each in zip(plain.cells, off, strict=True)
        )
        found = asked(board_reading(prints, replace(plain, cells=cells)))
        assert {cell for cell, code in found.items() if code == BoardDoubt.COVERED.value} == covered
    assert falling[bright] > NO_PAPER


def test_no_cell_is_sure_where_most_tiles_lie_the_wrong_way_round(prints: SetPrints, plain: PlacedBoard) -> None:
    cells = [replace(c, best=replace(c.best, turned_deg=180)) if c.best.tile is not None else c for c in plain.cells]
    reading = board_reading(prints, replace(plain, cells=tuple(cells)))
    assert all(cell.doubt is not None and cell.confidence < 0.9 for cell in reading.cells if cell.tile is None)


def test_a_tile_that_is_seen_twice_is_asked_about_in_both_cells(prints: SetPrints, plain: PlacedBoard) -> None:
    tile = prints.names.index(SOME["A1"])
    reading = board_reading(prints, with_cell(plain, prints, "C3", tile=tile))
    assert asked(reading) == dict.fromkeys(("A1", "C3"), BoardDoubt.TWICE.value)
    (doubt,) = [each for each in reading.doubts if each.sentence is BoardDoubt.TWICE]
    assert doubt.param("cells") == ("A1", "C3")


def test_where_the_likeliest_tile_lies_surely_in_another_cell_the_next_is_said(
    prints: SetPrints, plain: PlacedBoard
) -> None:
    """A cell that is read badly, with the tile of A1 as its likeliest and its own as the rival."""
    a, k = (prints.cell_names.index(cell) for cell in ("A1", "C3"))
    cells = list(plain.cells)
    true = cells[k].best
    wrong = replace(true, tile=cells[a].best.tile, alike=true.alike + 0.01)
    rivals = (true, *cells[k].rivals)
    against = np.vstack([[0.05, 1.0, 50.0], cells[k].against])
    cells[k] = replace(cells[k], best=wrong, rivals=rivals, against=against, margin=0.05, lead=0.0, nearest=true)
    placed = replace(plain, cells=tuple(cells))
    assert confidence(cells[k]) < confidence(cells[a])
    cells[k] = replace(cells[k], alike=0.2, best=replace(wrong, explained=0.9, strange=0.8))
    placed = replace(plain, cells=tuple(cells))
    assert confidence(cells[k]) < 0.95 < confidence(cells[a])
    reading = board_reading(prints, placed)
    said = {cell.cell: cell.tile for cell in reading.cells}
    assert said["C3"] == SOME["C3"]
    assert said["A1"] == SOME["A1"]
    assert BoardDoubt.TWICE.value not in asked(reading).values()


def test_a_tile_that_was_not_drawn_contradicts_the_round_and_is_asked_about(
    prints: SetPrints, plain: PlacedBoard
) -> None:
    assert board_reading(prints, plain, list(SOME.values())).sure
    without = [tile for cell, tile in SOME.items() if cell != "C3"]
    reading = board_reading(prints, plain, without)
    assert asked(reading) == {"C3": BoardDoubt.NOT_DRAWN.value}
    assert not reading.sure
    (cell,) = [each for each in reading.cells if each.cell == "C3"]
    assert cell.tile == SOME["C3"], "what is plainly seen is said"
    assert cell.confidence < 0.7


def test_what_was_drawn_decides_between_two_that_the_pixels_hardly_part(prints: SetPrints, plain: PlacedBoard) -> None:
    """So does a tile's lying surely in another cell; but of two that were drawn both may lie there."""
    k = prints.cell_names.index("A1")
    cells = list(plain.cells)
    rivals, against = cells[k].rivals, cells[k].against.copy()
    other = next(n for n, rival in enumerate(rivals) if rival.tile is not None)
    against[other, 0] = 0.05
    cells[k] = replace(cells[k], margin=0.05, nearest=rivals[other], against=against)
    placed, like = replace(plain, cells=tuple(cells)), prints.names[rivals[other].tile or 0]
    drawn = list(SOME.values())
    assert like not in drawn
    assert asked(board_reading(prints, placed)) == {"A1": BoardDoubt.UNCLEAR.value}
    assert asked(board_reading(prints, placed, [*drawn, like])) == {"A1": BoardDoubt.UNCLEAR.value}
    assert board_reading(prints, placed, drawn).sure
    lain = with_cell(placed, prints, "C3", tile=rivals[other].tile)
    assert "A1" not in asked(board_reading(prints, lain, [*drawn, like]))


def test_a_turned_tile_in_a_cell_that_looks_empty_is_asked_about(prints: SetPrints, plain: PlacedBoard) -> None:
    k = prints.cell_names.index("B3")
    matches = list(plain.matches)
    matches[k] = replace(matches[k], turned_alike=0.8)
    reading = board_reading(prints, replace(plain, matches=tuple(matches)))
    assert asked(reading) == {"B3": BoardDoubt.WRONG_WAY.value}
    assert not reading.sure


def test_confidence_grows_with_the_margin_and_stays_a_probability(plain: PlacedBoard) -> None:
    told = [confidence(replace(plain.cells[0], margin=margin)) for margin in (-1.0, 0.0, 0.1, 0.3, 1.0)]
    assert told == sorted(told)
    assert 0.0 < told[0] < 0.5 < told[-1] < 1.0


def test_a_cell_told_by_little_is_asked_about(prints: SetPrints, plain: PlacedBoard) -> None:
    k = prints.cell_names.index("A1")
    cells = list(plain.cells)
    cells[k] = replace(cells[k], margin=0.05)
    reading = board_reading(prints, replace(plain, cells=tuple(cells)))
    assert asked(reading) == {"A1": BoardDoubt.UNCLEAR.value}
    assert not reading.sure


def test_plain_stuff_in_an_empty_cell_is_asked_about(prints: SetPrints, plain: PlacedBoard) -> None:
    covered = board_reading(prints, with_cell(plain, prints, "C2", not_paper=20.0))
    assert asked(covered) == {"C2": BoardDoubt.COVERED.value}
    assert {cell.cell: cell.confidence for cell in covered.cells}["C2"] <= 0.5


@pytest.mark.parametrize(("explained", "print_alike", "sure"), [(0.9, 0.3, False), (0.9, 0.9, True), (1.0, 0.3, True)])
def test_no_cell_is_sure_where_a_board_may_lie_some_cells_aside(
    prints: SetPrints, plain: PlacedBoard, explained: float, print_alike: float, sure: bool
) -> None:
    cells = tuple(replace(c, best=replace(c.best, explained=explained)) for c in plain.cells)
    reading = board_reading(prints, replace(plain, cells=cells, print_alike=print_alike))
    assert {cell.doubt is None for cell in reading.cells} == {sure}
    if not sure:
        assert max(cell.confidence for cell in reading.cells) < 0.9


def test_no_cell_is_surely_empty_where_the_boards_print_is_hardly_seen(prints: SetPrints, plain: PlacedBoard) -> None:
    untold = replace(plain.colour, margin=0.0, blocks_for=0.0, agreed=False)
    reading = board_reading(prints, replace(plain, print_alike=0.4, colour=untold))
    empty = {cell.cell for cell in reading.cells if cell.tile is None}
    assert asked(reading) == dict.fromkeys(empty, BoardDoubt.UNCLEAR_EMPTY.value)
    assert empty


@pytest.mark.parametrize(("strange", "asked_about"), [(0.24, {"C3", "C4"}), (0.0, {"C3"})])
def test_an_empty_cell_into_which_a_tile_may_reach_is_asked_about(
    prints: SetPrints, plain: PlacedBoard, strange: float, asked_about: set[str]
) -> None:
    """C4 lies beside C3, E2 does not."""
    turned = with_cell(plain, prints, "C3", turned_deg=120)
    both = with_cell(with_cell(turned, prints, "C4", strange=strange), prints, "E2", strange=strange)
    assert set(asked(board_reading(prints, both))) == asked_about
