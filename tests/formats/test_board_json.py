"""board.json: what is read, and that what cannot be read is said in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena_cam.domain.errors import BadInput
from arena_cam.formats.board_json import Charuco, Chessboard, board_to_json, read_board

CHARUCO = {"type": "charuco", "squares": [7, 5], "square_mm": 30, "marker_mm": 22, "dictionary": "DICT_5X5_100"}
CHESSBOARD = {"type": "chessboard", "corners": [9, 6], "square_mm": 25}


def written(folder: Path, content: object) -> Path:
    file = folder / "board.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def test_both_kinds_are_read(tmp_path: Path) -> None:
    assert read_board(written(tmp_path, CHARUCO)) == Charuco((7, 5), 30.0, 22.0, "DICT_5X5_100")
    assert read_board(written(tmp_path, CHESSBOARD)) == Chessboard((9, 6), 25.0)


@pytest.mark.parametrize("board", [Charuco((5, 8), 20.0, 15.0, "DICT_4X4_50", True), Chessboard((7, 6), 12.5)])
def test_what_is_written_is_read_again(tmp_path: Path, board: Charuco | Chessboard) -> None:
    assert read_board(written(tmp_path, board_to_json(board))) == board


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "is not JSON"),
        ([], "docs/conventions.md"),
        ({}, "type is missing"),
        ({"type": "circles"}, 'type must be one of: "charuco", "chessboard"'),
        ({**CHESSBOARD, "corners": [9]}, "board.json"),
        ({**CHESSBOARD, "corners": [1, 6]}, "between 2 and 100"),
        ({**CHESSBOARD, "square_mm": 0}, "must lie between"),
        ({**CHESSBOARD, "square_mm": float("nan")}, "must lie between"),
        ({**CHARUCO, "marker_mm": 30}, "marker_mm must be less"),
        ({**CHARUCO, "squares": None}, "board.json"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, content: object, what: str) -> None:
    with pytest.raises(BadInput, match="board.json") as error:
        read_board(written(tmp_path, content))
    assert what in str(error.value)
    assert "\n" not in str(error.value)


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere.json: cannot be read"):
        read_board(tmp_path / "nowhere.json")
