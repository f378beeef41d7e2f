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


def _small_board(folder: Path) -> cv2.typing.MatLike:
    board = np.asarray(cv2.imread(str(folder / "board-green.png")), np.uint8)
    return cv2.resize(board, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)


def _empty_board(folder: Path) -> cv2.typing.MatLike:
    """An empty board whose top-left corner lies at (120, 100)."""
    small = _small_board(folder)
    scene = np.full((900, 900, 3), 90, np.uint8)
    scene[100 : 100 + small.shape[0], 120 : 120 + small.shape[1]] = small
    return scene


def test_a_line_a_photograph_as_the_contract_has_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    height, width = _small_board(folder).shape[:2]
    cv2.imwrite(str(tmp_path / "empty.png"), _empty_board(folder))
    assert main(["judge", "--game", "hexes", "--deck", str(folder), "--json", str(tmp_path / "empty.png")]) == 0
    answer = json.loads(capsys.readouterr().out)
    (found,) = answer["boards"]
    assert answer["frame"] == "empty.png"
    assert found["colour"] == "green"
    assert len(found["cells"]) == len(found["confidence"]) == 19
    assert set(found["cells"].values()) == {None}
    assert found["corners_px"][0] == pytest.approx([120, 100], abs=3)
    assert found["corners_px"][2] == pytest.approx([120 + width, 100 + height], abs=3)


def test_people_are_told_of_one_board(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "empty.png"), _empty_board(folder))
    for language, board, tiles in (("en", "1 board", "green: 0 tiles"), ("fr", "1 plateau", "vert: 0 tuiles")):
        asked = ["judge", "--game", "hexes", "--deck", str(folder), "--lang", language, str(tmp_path / "empty.png")]
        assert main(asked) == 0
        said = capsys.readouterr().out
        assert said.splitlines()[0].partition(" - ")[0] == f"empty.png: {board}"
        assert tiles in said


def test_a_file_that_is_no_picture_is_said_and_the_next_one_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "strip.png"), np.full((2, 4000, 3), 128, np.uint8))
    cv2.imwrite(str(tmp_path / "b.jpg"), np.full((300, 400, 3), 128, np.uint8))
    files = [str(tmp_path / name) for name in ("a.jpg", "strip.png", "b.jpg")]
    assert main(["judge", "--game", "hexes", "--deck", str(folder), "--json", *files]) == 2
    first, strip, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "error" in first
    assert "a strip" in strip["error"], "made smaller as all pictures are it had no pixel left"
    assert second["boards"] == []
    assert second["doubts"][0]["code"] == "no_board"


def test_a_deck_of_cards_is_no_set_of_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deck.toml").write_text('name = "cards"\n', encoding="utf-8")
    assert main(["judge", "--game", "hexes", "--deck", str(tmp_path), "p.jpg"]) == 2
    assert "is no set of boards and tiles" in capsys.readouterr().err


def test_a_photograph_of_an_iphone_in_its_own_format_is_refused_with_the_remedy(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.heic").write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(64))
    assert main(["judge", "--game", "hexes", "--deck", str(folder), "--json", str(tmp_path / "a.heic")]) == 2
    told = json.loads(capsys.readouterr().out)["error"]
    assert "HEIC" in told
    assert "save it as JPEG" in told


@pytest.mark.parametrize(("orientation", "turn"), [(3, cv2.ROTATE_180), (6, cv2.ROTATE_90_COUNTERCLOCKWISE)])
def test_a_photograph_is_judged_as_its_exif_says_it_was_held(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], orientation: int, turn: int
) -> None:
    """The corners are those of the upright picture, as every page shows it."""
    scene = _empty_board(folder)
    data = cv2.imencode(".jpg", cv2.rotate(scene, turn), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"
    exif += bytes([0, orientation, 0, 0, 0, 0, 0, 0])
    (tmp_path / "held.jpg").write_bytes(data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:])
    assert main(["judge", "--game", "hexes", "--deck", str(folder), "--json", str(tmp_path / "held.jpg")]) == 0
    (found,) = json.loads(capsys.readouterr().out)["boards"]
    assert found["corners_px"][0] == pytest.approx([120, 100], abs=4)
