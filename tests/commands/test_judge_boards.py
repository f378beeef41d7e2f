"""`arena-cam judge --game hexes` on the command line: a line a photograph, refusals in one line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.commands.main import main
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_set(tmp_path_factory.mktemp("set"), Style(colours=("green",)))


def test_a_line_a_photograph_as_the_contract_has_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = np.asarray(cv2.imread(str(folder / "board-green.png")), np.uint8)
    small = cv2.resize(board, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    scene = np.full((900, 900, 3), 90, np.uint8)
    scene[100 : 100 + small.shape[0], 120 : 120 + small.shape[1]] = small
    cv2.imwrite(str(tmp_path / "empty.png"), scene)
    assert main(["judge", "--game", "hexes", "--deck", str(folder), "--json", str(tmp_path / "empty.png")]) == 0
    answer = json.loads(capsys.readouterr().out)
    (found,) = answer["boards"]
    assert answer["frame"] == "empty.png"
    assert found["colour"] == "green"
    assert len(found["cells"]) == len(found["confidence"]) == 19
    assert set(found["cells"].values()) == {None}
    assert found["corners_px"][0] == pytest.approx([120, 100], abs=3)
    assert found["corners_px"][2] == pytest.approx([120 + small.shape[1], 100 + small.shape[0]], abs=3)


def test_a_file_that_is_no_picture_is_said_and_the_next_one_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "b.jpg"), np.full((300, 400, 3), 128, np.uint8))
    files = [str(tmp_path / "a.jpg"), str(tmp_path / "b.jpg")]
    assert main(["judge", "--game", "hexes", "--deck", str(folder), "--json", *files]) == 2
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "error" in first
    assert second["boards"] == []
    assert second["doubts"][0]["code"] == "no_board"


def test_a_deck_of_cards_is_no_set_of_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deck.toml").write_text('name = "cards"\n', encoding="utf-8")
    assert main(["judge", "--game", "hexes", "--deck", str(tmp_path), "p.jpg"]) == 2
    assert "is no set of boards and tiles" in capsys.readouterr().err
