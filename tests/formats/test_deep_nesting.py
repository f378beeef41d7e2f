"""What is nested deeper than Python reads, and a camera of nonsense: one line, for every file that is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_cam.domain.errors import BadInput
from arena_cam.formats.board_json import read_board
from arena_cam.formats.set_file import read_set_file
from arena_cam.formats.table_json import read_camera, read_table, table_to_json
from referee.builders import TABLE


@pytest.mark.parametrize("read", [read_board, read_table, read_camera, read_set_file])
def test_endless_nesting_is_no_traceback(read: Callable[[Path], object], tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_text(("x = " if read is read_set_file else "") + "[" * 100_000, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read(file)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        {"K": [[1e999, 0, 1], [0, 1, 1], [0, 0, 1]]},
        {"K": [["1", 0, 1], [0, 1, 1], [0, 0, 1]]},
        {"K": 7},
        {"dist": [None] * 5},
        {"image_size": [{}, "x"]},
        {"image_size": [-5, 10**9]},
        {"calibration": [1]},
    ],
)
def test_a_camera_of_nonsense_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    """Half of these were handed on, to fail as a traceback where the camera was used."""
    good = {key: value for key, value in table_to_json(TABLE).items() if key in ("image_size", "K", "dist")}
    (tmp_path / "camera.json").write_text(json.dumps(good | change), encoding="utf-8")
    with pytest.raises(BadInput, match="holds no camera"):
        read_camera(tmp_path / "camera.json")
    (tmp_path / "camera.json").write_text(json.dumps(good), encoding="utf-8")
    assert read_camera(tmp_path / "camera.json")["K"] == good["K"]


def test_a_board_of_endless_squares_is_refused(tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text('{"type": "chessboard", "corners": [1e999, 6], "square_mm": 25}')
    with pytest.raises(BadInput, match="board.json"):
        read_board(tmp_path / "board.json")
