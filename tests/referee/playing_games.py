"""Evenings of hexes, tricks and dilemmas that play on by themselves, one thing after another, until somebody stops."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Protocol

from arena_cam.camera.no_camera import NoCamera
from arena_cam.domain.errors import Refused
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.rules.games.hexes.board import CELLS
from arena_cam.store.data_folder import DataFolder
from referee import hexes_table, tricks_table


class PlayedOn(Protocol):
    """`play` does one thing that can be done now."""

    session: Any

    def play(self, chance: random.Random) -> None: ...


class Hexes:
    """Tiles are drawn, boards photographed, read and confirmed."""

    def __init__(self, folder: Path) -> None:
        self._table = hexes_table.Table(folder)
        self.session = self._table.session

    def play(self, chance: random.Random) -> None:
        game = self._table.game
        if game is None or game["ended"] or game["over"] or chance.random() < 0.005:
            self._table.start()
        elif len(game["drawn"]) < len(CELLS):
            self._table.act("draw_tile")
        else:
            cells = dict(zip(CELLS, chance.sample(game["drawn"], len(CELLS)), strict=True))
            name, colour = chance.choice((("Anna", "red"), ("Ben", "blue")))
            self._table.reader.sees(cells, colour)
            if not self._table.board(name)["confirmed"]:
                self._table.photo(name, chance.randrange(256))
                self._table.act("confirm_board", name, player=name)


class Tricks:
    """Cards come to rest and are swept away; some are asked about."""

    def __init__(self, folder: Path) -> None:
        self._table = tricks_table.Table(folder)
        self.session = self._table.session
        self._left: list[str] = []

    def play(self, chance: random.Random) -> None:
        game, question = self._table.game, self._table.question
        if not self._left or game is None or game["ended"] or game["over"]:
            for lie in self._table.eye.reading.lies:
                self._table.takes(lie.key)
            self._table.start()
            self._left = tricks_table.whole_deal()
        elif question is not None:
            self._table.answers(chance.choice([each["id"] for each in question["choices"] if not each["asks_card"]]))
        elif len(self._table.eye.reading.lies) == 4:
            for lie in self._table.eye.reading.lies:
                self._table.takes(lie.key)
        else:
            self._table.lays(self._left.pop(0), sure=chance.random() < 0.9)


class Dilemmas:
    """Everybody lays, everybody votes in secret, all is told."""

    def __init__(self, folder: Path) -> None:
        self.session = Session(DataFolder(folder, keep_free_bytes=0), unwatched_eye(), NoCamera())

    def play(self, chance: random.Random) -> None:
        game: Any = self.session.snapshot()["game"]
        names = ("Anna", "Ben", "Guðrún")
        if game is None or game["ended"] or game["over"]:
            players = [{"name": name} for name in names]
            self.session.act("start_game", {"game": "dilemmas", "players": players, "options": {}}, "referee")
        elif game["awaiting"] == "dilemmas":
            name = chance.choice([name for name in names if name not in game["laid"]])
            self.session.act("lay_dilemma", {"player": name, "positive": "it rains", "negative": "it snows"}, name)
        else:
            name = chance.choice(sorted(game["may_choose"]))
            self.session.act("vote_in_secret", {"player": name, "choice": chance.choice(("yny", "nyy", "ynn"))}, name)


GAMES: dict[str, type[Hexes] | type[Tricks] | type[Dilemmas]] = {"hexes": Hexes, "tricks": Tricks, "dilemmas": Dilemmas}


def play_one(evening: PlayedOn, chance: random.Random) -> None:
    """One thing; where the rules refuse it, as they may after a restart in the midst of it, the game is begun anew."""
    try:
        evening.play(chance)
    except Refused:
        evening.session.act("end_game", {}, "referee")
