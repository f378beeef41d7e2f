"""A simulated table, photographed empty, and a set of boards, for the tests of what is seen in single pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from arena_cam.domain.cards import Deck
from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.boards.board_reader import BoardReader
from shared_decks import deck_in


@pytest.fixture(scope="session")
def deck(deck_folder: Path) -> Deck:
    return deck_in(deck_folder)


# One for each file of tests: what it draws next hangs on what was drawn before.
@pytest.fixture(scope="module")
def still_table(deck: Deck) -> StillTable:
    return StillTable(4, deck)


@pytest.fixture(scope="module")
def empty_arena(still_table: StillTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("table") / "empty.png"
    cv2.imwrite(str(file), still_table.empty())
    return file


@pytest.fixture(scope="session")
def tile_set(tmp_path_factory: pytest.TempPathFactory) -> TileSet:
    return read_tile_set(write_set(tmp_path_factory.mktemp("set"), Style(colours=("red", "blue"))))


@pytest.fixture(scope="session")
def board_reader(tile_set: TileSet) -> BoardReader:
    return BoardReader(tile_set)
