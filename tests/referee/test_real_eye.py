"""The whole way with a real eye: cards fly onto a simulated table, and what is ruled is what really lies there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.commands.main import main
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CameraLost
from arena_cam.domain.lies import Landing
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.evidence import setup_files
from arena_cam.referee.session import Eye, Session
from arena_cam.simulation import actions as act
from arena_cam.simulation.source import SimulatedSource
from arena_cam.simulation.table import SimulatedTable
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.table_reader import TableReader
from arena_cam.vision.watching import Watcher
from referee.builders import PLAYERS

FPS = 15.0


class Room:
    """A simulated table with a session over it, as fast as the machine goes; no thread of its own."""

    def __init__(self, folder: Path, deck: Deck) -> None:
        self.table = SimulatedTable(deck, seed=3)
        self.source = SimulatedSource(self.table, fps=FPS, live=False)
        table = self.table.table()
        eye = Eye(
            table,
            deck,
            lambda fps: Watcher(TableReader(table, deck), fps=fps),
            setup=setup_files(table, deck),
        )
        self.session = Session(DataFolder(folder, keep_free_bytes=0), eye, self.source, version="test")

    def passes(self, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            try:
                frame = self.source.read()
            except CameraLost as error:
                self.session._lost(str(error))
                continue
            assert frame is not None
            self.session.take_frame(frame)

    def acts(self, *actions: act.Action, rest_s: float = 1.5) -> None:
        self.table.perform(*actions)
        for _ in range(40):
            self.passes(0.5)
            if self.table.idle:
                break
        self.passes(rest_s)


@pytest.fixture(scope="module")
def deck(deck_folder: Path) -> Deck:
    return read_deck(deck_folder)


@pytest.fixture
def room(tmp_path: Path, deck: Deck) -> Iterator[Room]:
    room = Room(tmp_path / "data", deck)
    room.passes(1.0)
    room.session.act("start_game", {"players": PLAYERS}, "referee")
    yield room
    room.session.stop()


def test_a_round_is_ruled_as_it_really_lay_and_can_be_judged_again(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room.acts(act.LayChallenge("red-8", at_mm=(0.0, 0.0)))
    room.acts(act.Throw("green-4", Landing.DIAGONAL))
    room.acts(act.Throw("blue-3", Landing.FLAT, aim_mm=(10.0, 10.0)))
    lay = {c["id"]: c["landing"] for c in room.table.truth()["cards"]}
    game = room.session.snapshot()["game"]
    assert game is not None
    codes = {r["card"]: r["code"] for r in game["rulings"]}
    assert lay == {"red-8": "flat", "green-4": "diagonal", "blue-3": "flat"}
    assert codes == {"green-4": "diagonal", "blue-3": "duelling"}
    throws = room.session.throws()
    assert [t["card"] for t in throws] == ["red-8", "green-4", "blue-3"]
    again = room.session.judge_again(throws[1]["id"])
    assert again["differences"] == []
    file = tmp_path / "throw.zip"
    file.write_bytes(room.session.export_throw(throws[1]["id"]))
    assert main(["replay", str(file)]) == 0
    said = capsys.readouterr().out
    assert "green-4 lies diagonal" in said
    assert "nothing differs" in said


def test_troubles_are_told_and_invent_no_throw(room: Room) -> None:
    room.acts(act.LayChallenge("red-8", at_mm=(0.0, 0.0)))
    lines = room.session.snapshot()["game"]["lines"]  # type: ignore[index]
    said: set[str] = set()
    for trouble in (act.Unplug(1.0), act.Spoil("black", 1.0), act.CoverFiducials(2.0), act.ReachIn(1.0)):
        room.table.perform(trouble)
        for _ in range(6):
            room.passes(0.5)
            said |= {w["code"] for w in room.session.snapshot()["warnings"]}
    assert {"camera_lost", "blind"} <= said
    room.passes(1.0)
    assert room.session.snapshot()["warnings"] == []
    game = room.session.snapshot()["game"]
    assert game is not None
    assert game["lines"] in (lines, lines + 1), "at most the clock has closed the challenge"
    room.session.act("set_quiet_time", {"seconds": 60}, "referee")
    assert [c["name"] for c in room.session.snapshot()["cards"]] == ["red-8"]
