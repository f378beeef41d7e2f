"""A set drawn by the program, and a reader of it, once for all tests."""

from __future__ import annotations

import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.vision.boards.board_reader import BoardReader
from arena_cam.vision.boards.placing import PlacedBoard, Placer
from arena_cam.vision.boards.straight.prints import SetPrints
from vision.boards.straight_views import SOME, photograph, px_from_mm


@pytest.fixture(scope="session")
def reader(board_reader: BoardReader) -> BoardReader:
    return board_reader


@pytest.fixture(scope="session")
def prints(reader: BoardReader) -> SetPrints:
    return reader.prints


@pytest.fixture(scope="session")
def placer(prints: SetPrints) -> Placer:
    return Placer(prints)


@pytest.fixture(scope="session")
def plain(placer: Placer, tile_set: TileSet) -> PlacedBoard:
    """A board in plain view, seen from straight above, on which SOME lie."""
    placed = placer.place(photograph(tile_set, SOME), px_from_mm(placer.prints))
    assert placed is not None
    return placed


@pytest.fixture(scope="session")
def titled(tmp_path_factory: pytest.TempPathFactory) -> TileSet:
    """A set whose full boards differ in a small title alone, red on green that is as bright."""
    style = Style(
        cell_tint=False, cell_names=False, frame_mm=0.0, cell_line_mm=0.0, title="FRESH", board_paper=(46, 84, 80),
        colours=("red", "blue", "violet"),
    )  # fmt: skip
    return read_tile_set(write_set(tmp_path_factory.mktemp("titled"), style))
