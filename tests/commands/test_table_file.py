"""A table.json that names a picture of the empty arena which is gone: told, and no hindrance."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.commands.main import main
from arena_cam.formats.table_json import table_to_json
from arena_cam.simulation.arena.table import SimulatedTable
from shared_decks import deck_in


@pytest.fixture
def table_file(tmp_path: Path, deck_folder: Path) -> Path:
    """A table.json that names empty.png, which is not there, beside frames/ with the simulated table's picture."""
    table = SimulatedTable(deck_in(deck_folder), seed=2, supersample=1)
    described = table_to_json(table.table()) | {"empty": "empty.png"}
    (tmp_path / "table.json").write_text(json.dumps(described), encoding="utf-8")
    (tmp_path / "frames").mkdir()
    for number in range(3):
        cv2.imwrite(str(tmp_path / "frames" / f"{number}.png"), table.picture())
    return tmp_path / "table.json"


def told(line: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    main(line)
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return said.err + said.out


@pytest.mark.parametrize("command", ["judge", "watch", "check"])
def test_a_picture_of_the_empty_arena_that_is_gone_is_told(
    command: str, table_file: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = table_file.parent / "frames"
    line = [command, "--table", str(table_file), "--deck", str(deck_folder)]
    line.append(str(frames / "0.png" if command == "judge" else frames))
    said = told(line, capsys)
    assert f"{table_file.parent / 'empty.png'}" in said
    assert "is not there" in said
    assert "calibrate the arena anew" in said
    cv2.imwrite(str(table_file.parent / "empty.png"), np.zeros((9, 16, 3), np.uint8))
    assert "empty.png" not in told(line, capsys)
    assert main(line) == 0


def test_a_picture_is_judged_without_it(
    table_file: Path, deck_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["judge", "--json", "--table", str(table_file), "--deck", str(deck_folder)]
    assert main([*line, str(table_file.parent / "frames" / "0.png")]) == 0
    said = capsys.readouterr()
    assert "arena-cam judge: warning" in said.err
    assert json.loads(said.out)["cards"] == []
