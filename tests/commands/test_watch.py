"""`arena-cam watch` from pictures in a folder to a record that `arena-cam score` takes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.open_source import open_source
from arena_cam.commands.main import main
from arena_cam.domain.lies import Landing
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_table, table_to_json
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Seen
from arena_cam.referee.games.arena.seeing import observe
from arena_cam.simulation.arena.actions import LayChallenge, ReachIn, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.watcher import Watcher


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory, deck_folder: Path) -> Path:
    """A folder with deck/, table.json and frames/: a challenge, a hand, a throw on it and a throw over the wall."""
    folder = tmp_path_factory.mktemp("video")
    deck = read_deck(Path(shutil.copytree(deck_folder, folder / "deck")))
    table = SimulatedTable(deck, seed=2)
    (folder / "table.json").write_text(json.dumps(table_to_json(table.table())), encoding="utf-8")
    (folder / "frames").mkdir()
    table.perform(
        Wait(0.5),
        LayChallenge("red-8", at_mm=(0.0, 0.0)),
        ReachIn(0.5),
        Throw("blue-3", Landing.FLAT, aim_mm=(25.0, 20.0)),
        Wait(0.5),
        Throw("green-5", Landing.EDGE),
        Wait(1.0),
    )
    source = SimulatedSource(table, fps=15.0, live=False)
    while not (table.idle and table.time_s > 1.0):
        frame = source.read()
        assert frame is not None
        cv2.imwrite(str(folder / "frames" / f"{frame.sequence:05d}.jpg"), frame.image_bgr)
    return folder


def watch(video: Path, *more: str) -> int:
    return main(
        ["watch", "--table", str(video / "table.json"), "--deck", str(video / "deck"), *more, str(video / "frames")]
    )


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_round_becomes_a_record_that_can_be_scored(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(video, "--json") == 0
    record = capsys.readouterr().out
    header, *events = lines(record)
    assert header["game"] == "arena"
    assert [(e["type"], e["card"], e.get("landing")) for e in events] == [
        ("challenge", "red-8", None),
        ("throw", "blue-3", "flat"),
        ("throw", "green-5", "edge"),
    ]
    assert events[1]["rests_on"] == ["red-8"]
    assert events[0]["at"] < events[1]["at"] < events[2]["at"]
    assert {card["id"] for card in events[2]["seen"]["cards"]} == {"red-8", "blue-3", "green-5"}
    file = tmp_path / "game.jsonl"
    file.write_text(record + '{"type":"close"}\n', encoding="utf-8")
    assert main(["score", str(file), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert any(ruling.get("card") == "blue-3" for ruling in result["rulings"])


def test_what_is_kept_between_starts_changes_no_byte(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = []
    for cache in ("off", str(tmp_path / "cache"), str(tmp_path / "cache")):
        monkeypatch.setenv("ARENA_CAM_CACHE", cache)
        assert watch(video, "--json") == 0
        records.append(capsys.readouterr().out)
    assert len(list((tmp_path / "cache").iterdir())) == 2  # its faces, and their features
    assert not Path("off").exists()
    assert records[0] == records[1] == records[2]


def test_a_torn_picture_is_told_and_the_rest_goes_on(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    for file in sorted((video / "frames").iterdir())[:40]:
        (frames / file.name).write_bytes(file.read_bytes())
    torn = frames / "00010.jpg"
    torn.write_bytes(torn.read_bytes()[:2000])
    (frames / "00020.jpg").write_bytes(b"")
    table, deck = str(video / "table.json"), str(video / "deck")
    assert main(["watch", "--table", table, "--deck", deck, "--json", str(frames)]) == 2
    said = capsys.readouterr()
    assert "00010.jpg" in said.err
    assert "00020.jpg" in said.err
    assert "Traceback" not in said.err
    assert [event["card"] for event in lines(said.out)[1:]] == ["red-8"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "a table and a deck are needed"),
        (["--table", "no.json", "--deck", "none", "nowhere"], "no.json"),
        (["--player", "Anna", "--table", "no.json", "--deck", "none", "nowhere"], "no.json"),
        (["sim", "--player", "Anna=red"], "--player: players must be a list of 3 to 5 players"),
        (["sim", "--player", "A=red", "--player", "B=red", "--player", "C=blue"], "give one --player NAME=COLOUR"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_player_needs_a_colour(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(video, "--player", "Anna=pink") == 2
    assert "red, blue, green" in capsys.readouterr().err


@pytest.mark.parametrize("rate", ["0", "-5", "nan", "inf", "fast"])
@pytest.mark.parametrize("command", ["watch", "referee"])
def test_a_rate_that_is_none_is_refused(command: str, rate: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, f"--fps={rate}", "sim"])
    assert ended.value.code == 2
    assert "give frames a second" in capsys.readouterr().err


def test_an_arena_that_was_never_seen_is_no_success(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(20):
        cv2.imwrite(str(tmp_path / f"{number:02d}.png"), np.zeros((540, 960, 3), np.uint8))
    table, deck = str(video / "table.json"), str(video / "deck")
    assert main(["watch", "--table", table, "--deck", deck, str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "take the cap off the lens" in error
    assert "never seen" in error
    assert main(["watch", "--lang", "fr", "--table", table, "--deck", deck, str(tmp_path)]) == 2
    assert "jamais été vue au repos" in capsys.readouterr().err


def test_an_absent_camera_and_a_broken_video_are_told_in_one_line_without_the_libraries_own(
    video: Path, tmp_path: Path
) -> None:
    (tmp_path / "cut.mp4").write_bytes(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 5000)
    program = [sys.executable, "-c", "import sys; from arena_cam.commands.main import main; sys.exit(main())"]
    about = ["watch", "--table", str(video / "table.json"), "--deck", str(video / "deck")]
    for source, status in (("usb:77", 1), (str(tmp_path / "cut.mp4"), 2)):
        ended = subprocess.run([*program, *about, source], capture_output=True, text=True, check=False, timeout=60)
        assert (ended.returncode, ended.stdout) == (status, "")
        assert ended.stderr.startswith("arena-cam watch: ")
        assert ended.stderr.count("\n") == 1


def test_the_referee_makes_the_same_of_one_video(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(video, "--json") == 0
    header, *watched = lines(capsys.readouterr().out)
    match = Match(Ledger.open(header), mode="automatic")
    source = open_source(str(video / "frames"), 15.0, None)
    reader = TableReader(read_table(video / "table.json"), read_deck(video / "deck"))
    watcher = Watcher(reader, fps=source.fps)
    while (frame := source.read()) is not None:
        match = observe(match, [Seen(each) for each in watcher.feed(frame)])
    match = observe(match, [Seen(each) for each in watcher.finish()])
    keys = ("type", "card", "landing", "face", "rests_on")
    refereed = [{key: line.data.get(key) for key in keys} for line in match.ledger.record.events]
    assert refereed == [{key: line.get(key) for key in keys} for line in watched]
    assert len(refereed) == 3


def test_what_only_a_session_needs_is_not_imported_to_watch_a_video() -> None:
    program = (
        "import sys; from arena_cam.referee.game.outfit import find_outfit; find_outfit('arena');"
        "import arena_cam.commands.watch, arena_cam.referee.games.arena.command_line.watching;"
        "print([name for name in sys.modules if name.startswith(('concurrent', 'arena_cam.store')) or"
        " name in ('arena_cam.referee.game.eye', 'arena_cam.referee.game.part', 'arena_cam.vision.eye')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
