"""What every command does alike: an example in its help, and one line where the system refuses a name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena_cam.commands.main import COMMANDS, main
from arena_cam.formats.table_json import table_to_json
from arena_cam.simulation.arena.table import SimulatedTable
from shared_decks import deck_in

TOO_LONG = "n" * 5000  # no file system takes it, whoever asks; a folder that may not be read is refused the same way


@pytest.fixture(scope="module")
def about(tmp_path_factory: pytest.TempPathFactory, deck_folder: Path) -> list[str]:
    file = tmp_path_factory.mktemp("about") / "table.json"
    table = SimulatedTable(deck_in(deck_folder), seed=2).table()
    file.write_text(json.dumps(table_to_json(table)), encoding="utf-8")
    return ["--table", str(file), "--deck", str(deck_folder)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"example: arena-cam {command}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "line",
    [
        ["watch", TOO_LONG],
        ["check", TOO_LONG],
        ["replay", TOO_LONG],
        ["restore", TOO_LONG, "--data", "games"],
        ["judge", "--json", TOO_LONG],
        ["deck", "learn", "--photos", TOO_LONG, "--card-size", "63x88", "--out", "mine"],
        ["deck", "check", TOO_LONG],
        ["calibrate", TOO_LONG, "--out", "camera.json"],
        ["score", TOO_LONG],
    ],
)
def test_a_name_that_the_system_refuses_is_told_in_one_line(
    line: list[str],
    about: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if line[0] in ("watch", "check", "judge"):
        line = [*line, *about]
    assert main(line) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "Traceback" not in error


def _records(folder: Path) -> Path:
    file = folder / "game.jsonl"
    with file.open("w", encoding="utf-8") as out:
        subprocess.run([sys.executable, "-m", "arena_cam", "random-game", "tricks"], stdout=out, check=True)
    return file


@pytest.mark.parametrize("explain", [False, True], ids=["a line", "more than is held back"])
def test_output_that_a_full_disk_does_not_take_is_told_in_one_line(tmp_path: Path, explain: bool) -> None:
    line = [sys.executable, "-m", "arena_cam", "score", str(_records(tmp_path)), *(["--explain"] if explain else [])]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("arena-cam score: the output cannot be written (No space left on device)")
    assert ended.stderr.count("\n") == 1


def test_who_closes_our_output_gets_the_answer_by_the_status(tmp_path: Path) -> None:
    line = f"exec {sys.executable} -m arena_cam random-game arena >&-"
    ended = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("line", [["watch"], ["check"], ["calibrate", "--out", "camera.json"]])
def test_a_telephone_is_no_source_where_there_are_no_pages(
    line: list[str], about: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """`watch phone` waited for ever, and said to open a page that nothing served."""
    assert main([line[0], "phone", *line[1:], *(about if line[0] != "calibrate" else [])]) == 2
    assert "which only arena-cam referee serves" in capsys.readouterr().err
