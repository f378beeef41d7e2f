"""A set drawn by the program, and a reader of it, once for all tests."""

from __future__ import annotations

import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.vision.boards.board_reader import BoardReader


@pytest.fixture(scope="session")
def tile_set(tmp_path_factory: pytest.TempPathFactory) -> TileSet:
    return read_tile_set(write_set(tmp_path_factory.mktemp("set"), Style(colours=("red", "blue"))))


@pytest.fixture(scope="session")
def reader(tile_set: TileSet) -> BoardReader:
    return BoardReader(tile_set)
