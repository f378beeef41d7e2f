"""Evenings of every game, in the middle of something: what an attack on the pages and the API meets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.rules.games.hexes.board import CELLS, TILES
from arena_cam.store.data_folder import DataFolder
from referee import hexes_table, tricks_table
from referee.builders import Evening
from referee.setup_scenes import SettingUp


@dataclass(frozen=True)
class Playing:
    """A session with Anna among its players; `begin` begins another game, and takes it into the middle of things."""

    session: Any
    begin: Callable[[], None]
    stop: Callable[[], None]
    setup: Any = None

    def go_on(self) -> None:
        """What was ended, or paused, is begun again."""
        snapshot = self.session.snapshot()
        game = snapshot["game"]
        if self.setup is None and (game is None or game["ended"] or game["over"] or snapshot["paused"]):
            self.begin()


def arena(folder: Path) -> Playing:
    """A throw that was kept, and a question that is open."""
    table = Evening(folder)

    def begin() -> None:
        table.start()
        table.rests("red-8")
        table.rests("blue-3", on=["red-8"])
        table.rests("green-3", on=["red-8"], sure=False)

    return Playing(table.session, begin, table.session.stop)


def hexes(folder: Path) -> Playing:
    """Tiles were drawn, and a photograph of a board was taken that shows one place wrong."""
    table = hexes_table.Table(folder)

    def begin() -> None:
        table.start()
        table.draws(TILES[:3])
        table.reader.sees(dict(zip(CELLS[:3], (*TILES[:2], None), strict=True)))
        table.photo("Anna")

    return Playing(table.session, begin, table.session.stop)


def tricks(folder: Path) -> Playing:
    """A trick is half played, and a card is asked about."""
    table = tricks_table.Table(folder)

    def begin() -> None:
        table.start()
        table.lays("5S")
        table.lays("KS", others=("KC", "QS"), sure=False)

    return Playing(table.session, begin, table.session.stop)


def dilemmas(folder: Path) -> Playing:
    """All have laid, and two have voted."""
    session = Session(DataFolder(folder, keep_free_bytes=0), unwatched_eye(), NoCamera())
    names = ("Anna", "Ben", "Guðrún")

    def begin() -> None:
        players = [{"name": name} for name in names]
        session.act("start_game", {"game": "dilemmas", "players": players, "options": {}}, "referee")
        for name in names:
            sides = {"positive": f"{name} flies", "negative": f"{name} snores"}
            session.act("lay_dilemma", {"player": name, **sides}, name)
        for name in names[1:]:
            session.act("vote_in_secret", {"player": name, "choice": "yny"}, name)

    return Playing(session, begin, session.stop)


def setup(folder: Path) -> Playing:
    """No table is known yet: its camera shows an empty one."""
    folder.mkdir(parents=True, exist_ok=True)
    table = SettingUp(folder, folder / "no-deck-of-its-own")
    return Playing(table.session, lambda: None, table.stop, table.desk)


EVENINGS: dict[str, Callable[[Path], Playing]] = {
    "arena": arena,
    "hexes": hexes,
    "tricks": tricks,
    "dilemmas": dilemmas,
    "setup": setup,
}


@contextmanager
def evening_of(game: str, folder: Path) -> Iterator[Playing]:
    """One that is on."""
    playing = EVENINGS[game](folder)
    try:
        playing.begin()
        yield playing
    finally:
        playing.stop()
