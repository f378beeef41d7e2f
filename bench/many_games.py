"""How long the pages of games and players take after ten thousand games, as a ratio to what they take after a hundred.

Run: python -m bench.many_games [--games 10000]. Games of the arena are played at random and copied, with their lines,
results and times, until there are enough; the same eight people play them. Each page is asked for when nothing was
written since it was asked for last, and just after something was, as during a game. The quickest answer counts.
Bar: no page takes more than three times as long as with a hundred games. Returns 1 if one does.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.keeping.reports import summary_of
from arena_cam.referee.session.session import Session
from arena_cam.rules.header import read_header
from arena_cam.rules.random_play import random_event
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import Change, KeptGame, LoggedLine
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app

PEOPLE = ("Anna", "Bo", "Cleo", "Dan", "Eva", "Finn", "Guðrún", "Hal")
COLOURS = ("red", "blue", "green", "yellow")
PLAYED = 24  # games that the others are copies of
FEW = 100
ANSWERS = 15
AN_EVENING_S = 3600.0
MOST_RATIO = 3.0


class Kept:
    """A data folder with so many games, and its pages."""

    def __init__(self, folder: Path, games: int) -> None:
        self.data = DataFolder(folder, keep_free_bytes=0)
        fill(self.data, games)
        self.session = Session(self.data, unwatched_eye(), NoCamera(), version="bench")
        self._client = create_app(self.session, WebSettings("246810", "a secret of the bench", None)).test_client()
        self.pages = {
            "/games": "/games",
            "/games, the last full page": f"/games?page={games // 30 - 1}",
            "/games/ID": f"/games/g{PLAYED:06}",
            "/players": "/players",
            "/players/NAME": "/players/Anna",
            "/league": "/league?player=Anna&player=Bo&player=Cleo",
        }

    def answer_ms(self, page: str) -> float:
        """How long `page` takes, in milliseconds."""
        begin = time.perf_counter()
        if self._client.get(self.pages[page]).status_code != 200:
            raise SystemExit(f"{page}: no answer")
        return 1000 * (time.perf_counter() - begin)

    def write(self, number: int) -> None:
        """Something that happens in the game being played."""
        self.data.matches.commit("now", Change(summary={"throws": number}))


def main() -> int:
    """0 when no page takes more than three times as long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    many = parser.parse_args().games
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        kept = [Kept(Path(folder) / str(count), count) for count in (FEW, many)]
        for page in kept[0].pages:
            for writes in (False, True):
                few_ms, many_ms = _quickest(kept, page, writes)
                worst = max(worst, many_ms / few_ms)
                when = ", after a write" if writes else ""
                print(f"{page + when:44}{few_ms:6.1f} ms {many_ms:6.1f} ms {many_ms / few_ms:6.2f} times")
        for each in kept:
            each.session.stop()
    print(f"worst {worst:.2f} times with {many} games (bar {MOST_RATIO:.0f})")
    return int(worst > MOST_RATIO)


def _quickest(kept: list[Kept], page: str, writes: bool) -> list[float]:
    """The quickest answer of each, in turns, so that what else the machine does falls on all."""
    times: list[list[float]] = [[] for _ in kept]
    for number in range(ANSWERS):
        for each, found in zip(kept, times, strict=True):
            if writes:
                each.write(number)
            found.append(each.answer_ms(page))
    return [min(found[1:]) for found in times]


def fill(data: DataFolder, games: int) -> None:
    """Keeps so many games that are over, and one that is being played."""
    for number in range(PLAYED):
        _keep(data, f"seed{number}", _played(number), float(number))
    session = Session(data, unwatched_eye(), NoCamera(), version="bench")
    session.people("arena")  # the results of the games played
    data.database.write(lambda connection: _copy(connection, games))
    _keep(data, "now", Ledger.open(_header(random.Random(0))), AN_EVENING_S * (games + PLAYED))


def _copy(connection: sqlite3.Connection, games: int) -> None:
    for number in range(PLAYED, games):
        new, old, at = f"g{number:06}", f"seed{number % PLAYED}", AN_EVENING_S * number
        connection.execute(
            "INSERT INTO games (id, name, game, header, started, ended, summary, memory) "
            "SELECT ?, name, game, header, ?, ?, summary, memory FROM games WHERE id = ?",
            (new, at, at + AN_EVENING_S, old),
        )
        connection.execute(
            "INSERT INTO lines SELECT ?, line, ?, who, event, rulings, throw FROM lines WHERE game = ?", (new, at, old)
        )
        connection.execute(
            "INSERT INTO results SELECT ?, player, kind, ?, points, place, players, figures, lines FROM results "
            "WHERE game = ?",
            (new, at, old),
        )


def _keep(data: DataFolder, name: str, ledger: Ledger, started: float) -> None:
    header = dict(ledger.record.header.data)
    data.matches.begin(KeptGame(name, name, "arena", header, started, None, summary_of(Ledger.open(header)), {}), {})
    lines = tuple(LoggedLine(each.number, started, "bench", dict(each.data), (), None) for each in ledger.record.events)
    data.matches.commit(name, Change(lines=lines, summary=summary_of(ledger)))


def _header(chance: random.Random) -> dict[str, Any]:
    people = chance.sample(PEOPLE, 4)
    seats = [{"name": name, "colour": colour} for name, colour in zip(people, COLOURS, strict=True)]
    return {"game": "arena", "version": 1, "players": seats}


def _played(seed: int) -> Ledger:
    """A game of four, played to its end at random."""
    chance = random.Random(seed)
    header = _header(chance)
    game, _, state = read_header(header)
    events: list[dict[str, Any]] = []
    while not game.result(state)["over"]:
        event = random_event(game.legal(state), chance.choice)
        events.append(event)
        state, _ = game.apply(state, game.read(event, len(events) + 1))
    return Ledger.open(header, events)


if __name__ == "__main__":
    sys.exit(main())
