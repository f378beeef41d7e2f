"""Photographs of boards read whole, in many ways that boards, tiles and cameras lie."""

from __future__ import annotations

import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.board_reader import BoardReader
from vision.boards.scenes import PX_MM, Lying, flat_board, lay, photographed, picture_of, table_picture
from vision.boards.straight_views import MIDDLE, SOME, full


@pytest.mark.parametrize("turn_deg", [0.0, 180.0, 251.0])
def test_every_cell_is_named_whichever_way_the_board_lies(
    board_reader: BoardReader, tile_set: TileSet, turn_deg: float
) -> None:
    board = flat_board(tile_set, 1, SOME)
    seen = photographed(table_picture(), board, MIDDLE, turn_deg=turn_deg, px_per_mm=3.0, tilt=0.15)
    reading = board_reader.read(seen, "p.jpg")
    assert len(reading.boards) == 1
    (found,) = reading.boards
    assert found.colour == "blue"
    assert {cell.cell: cell.tile for cell in found.cells if cell.tile} == SOME
    assert reading.sure, [str(doubt) for doubt in reading.doubts]


def test_tiles_that_slipped_are_read_where_they_lie(board_reader: BoardReader, tile_set: TileSet) -> None:
    slipped = {"A1": Lying((1.2, -0.7), 4.0), "C3": Lying((-1.0, 1.0), -3.5), "E3": Lying((0.3, 1.4), 2.0)}
    board = flat_board(tile_set, 0, SOME, slipped)
    reading = board_reader.read(photographed(table_picture(), board, MIDDLE, turn_deg=10.0, px_per_mm=3.0), "p.jpg")
    assert {cell.cell: cell.tile for cell in reading.boards[0].cells if cell.tile} == SOME
    assert reading.sure, [str(doubt) for doubt in reading.doubts]


@pytest.mark.parametrize(
    ("lying", "cells"),
    [
        (Lying(turn_deg=180.0), {"C3"}),
        (Lying(turn_deg=60.0), {"C3"}),
        (Lying((11.0, 6.0), 12.0), {"C3", "D3", "D2", "C2", "C4"}),
        (Lying((0.0, 18.5)), {"C3", "C4", "B3", "D3"}),  # its corners reach 10 mm into the two beside
    ],
    ids=["upside down", "turned by 60", "half out", "across two cells"],
)
def test_what_people_would_argue_about_is_asked(
    board_reader: BoardReader, tile_set: TileSet, lying: Lying, cells: set[str]
) -> None:
    board = flat_board(tile_set, 0, SOME, {"C3": lying})
    reading = board_reader.read(photographed(table_picture(), board, MIDDLE, turn_deg=0.0, px_per_mm=3.0), "p.jpg")
    assert not reading.sure
    asked = {cell.cell for cell in reading.boards[0].cells if cell.doubt is not None}
    assert asked
    assert asked <= cells


def test_two_equal_tiles_on_one_board_are_asked_about_and_never_said_surely(
    board_reader: BoardReader, tile_set: TileSet
) -> None:
    board = flat_board(tile_set, 0, SOME | {"A3": "5-8-6"})
    reading = board_reader.read(photographed(table_picture(), board, MIDDLE, turn_deg=0.0, px_per_mm=3.0), "p.jpg")
    assert not reading.sure
    assert [doubt.code for doubt in reading.doubts] == ["twice"]
    assert reading.doubts[0].param("cells") == ("A3", "C3")


def test_a_tile_lying_beside_is_none_of_the_boards(board_reader: BoardReader, tile_set: TileSet) -> None:
    scene = table_picture()
    lay(scene, picture_of(tile_set.tiles[3].image), tile_set.width_mm * 3.0 / PX_MM, (40.0, 60.0), Lying(turn_deg=25.0))
    seen = photographed(scene, flat_board(tile_set, 0, SOME), MIDDLE, turn_deg=0.0, px_per_mm=3.0)
    reading = board_reader.read(seen, "p.jpg")
    assert {cell.cell: cell.tile for cell in reading.boards[0].cells if cell.tile} == SOME
    alone = board_reader.read(scene, "p.jpg")
    assert alone.boards == ()
    assert [doubt.code for doubt in alone.doubts] == ["no_board"]


def test_cells_outside_the_picture_are_asked_for(board_reader: BoardReader, tile_set: TileSet) -> None:
    board = flat_board(tile_set, 0, full(tile_set))
    seen = photographed(table_picture(), board, (120.0, 450.0), turn_deg=0.0, px_per_mm=3.0)
    reading = board_reader.read(seen, "p.jpg")
    assert not reading.sure
    asked = {cell.cell for board in reading.boards for cell in board.cells if cell.doubt is not None}
    assert not reading.boards or {"A1", "A2", "A3"} <= asked


def test_two_boards_are_two(board_reader: BoardReader, tile_set: TileSet) -> None:
    scene = table_picture((1500, 900))
    scene = photographed(scene, flat_board(tile_set, 0, SOME), (380.0, 450.0), turn_deg=20.0, px_per_mm=2.6)
    scene = photographed(scene, flat_board(tile_set, 1, full(tile_set)), (1100.0, 450.0), turn_deg=200.0, px_per_mm=2.6)
    reading = board_reader.read(scene, "p.jpg")
    named = {board.colour: {cell.cell: cell.tile for cell in board.cells if cell.tile} for board in reading.boards}
    assert named == {"red": SOME, "blue": full(tile_set)}
