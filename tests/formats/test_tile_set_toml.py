"""Set folders of boards and tiles: read back as written, refused in one line that names the place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena_cam.domain.errors import BadDeck
from arena_cam.formats.boards.tile_set_toml import CELLS, read_tile_set
from arena_cam.printing.hexes.art import cells_mm
from arena_cam.printing.hexes.set_folder import set_toml
from arena_cam.printing.hexes.style import Style

STYLE = Style(colours=("red", "blue"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deck.toml").write_text(set_toml(STYLE), encoding="utf-8")
    for name in re.findall(r'(?:image|back) = "([^"]+)"', set_toml(STYLE)):
        (tmp_path / name).write_bytes(b"a picture")
    return tmp_path


def test_a_set_reads_back_as_it_was_written(folder: Path) -> None:
    made = read_tile_set(folder)
    assert len(made.tiles) == 27
    assert [board.colour for board in made.boards] == ["red", "blue"]
    assert dict(made.boards[0].cells_mm) == cells_mm(STYLE)
    assert [name for name, _ in made.boards[1].cells_mm] == list(CELLS)
    assert {tile.mark for tile in made.tiles} == {"sun", "moon"}
    assert made.boards[1].back == folder / "back-blue.png"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "hexes"', 'game = "dilemmas"', "is no set of boards and tiles"),
        ('shape = "hexagon"', 'shape = "card"', 'shape must be one of: "hexagon"'),
        ("height_mm = 34.641", "height_mm = 60", "34.6 high"),
        ('colour = "blue"', 'colour = "red"', "[[board]] has 'red' twice"),
        ('id = "9-8-7"', 'id = "1-3-2"', "[[card]] has '1-3-2' twice"),
        ("C3 = [", "Z9 = [", "C3 is missing"),
        ('mark = "sun"', 'mark = "star"', 'mark must be one of: "sun", "moon"'),
        ('image = "board-red.png"', 'image = "lost.png"', "the picture lost.png is missing"),
        ('colour = "blue"\n', "", "has no colour"),
        ("C3 = [93, 103]", "C3 = [930, 103]", "cells_mm C3"),
        ("name =", "name", "is not TOML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder: Path, old: str, new: str, said: str) -> None:
    file = folder / "deck.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadDeck, match=re.escape(said)) as error:
        read_tile_set(folder)
    assert "\n" not in str(error.value)


def test_a_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeck, match="give the folder that holds"):
        read_tile_set(tmp_path)
