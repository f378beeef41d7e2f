"""A long evening of simulated play in one process: does anything grow, and does the eye ever invent a throw?

Run: python -m bench.long_evening [--hours 8] [--rounds-an-hour 30]. Time is the table's own: while something moves
every frame is seen, while people talk a frame now and then. Everything else is as it is in a real evening: session,
real reader, evidence with a budget, database, web server with open pages. Hands reach in for nothing, and the light
goes off and on. What the camera wrote down is held against what really lay there.

Growth is what memory gains an hour after the first quarter, measured every few minutes. What fits need of a face is
made when it first lies there (0.8 MB, 41 MB for the deck, and then no more), which takes the first hours of an
evening: faces met and hours are told apart by a fit of both. Bars: no growth that eight hours would make 5 % of the
memory, none in threads and file handles, no throw invented, no round so long that play must have come to a stop.
Returns 1 if one is missed; growth is judged from two hours on.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.commands.process import heap
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import ArenaCamError
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import Faces, default_deck
from arena_cam.printing.sheets import block_faces
from arena_cam.referee.game.match import CAMERA
from arena_cam.referee.games.arena.stand_ins.simulated_players import SimulatedPlayers
from arena_cam.referee.pictures.evidence import setup_files
from arena_cam.referee.session.session import Eye, Session
from arena_cam.simulation.arena.actions import Lights, ReachIn, Wait
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.blocks.block_watcher import BlockWatcher
from arena_cam.vision.blocks.finder import BlockFinder
from arena_cam.vision.drawing.overlay import draw_layers
from arena_cam.vision.drawing.privacy import arena_only
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.watcher import Watcher
from arena_cam.web.access.shared import Web, WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.serving import Server, listen

FPS = 10.0
# While nothing moves: short enough that the session counts the time between two frames as watched.
QUIET_STEP_S = 0.9
# While people talk between two rounds nothing is lost by looking less often.
TALK_STEP_S = 6.0
CALM_S = 1.5  # of looking at every frame before the steps grow
SAMPLE_EVERY_S = 300.0
FIRST_SHARE = 0.25  # of the evening, in which things are still made for the first time
JUDGED_FROM_H = 2.0
MOST_GROWTH_SHARE = 0.05
EVIDENCE_BYTES = 48 * 1024**2  # a dozen throws: the rest of the evening's are removed again
VIEWERS = 5
PAGES = ("/", "/join", "/throws", "/games", "/health", "/api/live.jpg?layers=outlines,names,tilt,boundary,fiducials")
# Talk included a round lasts its share of the hour, two minutes; one that is asked about a minute or two longer.
LONGEST_ROUND_S = 600.0
REMEMBERED_S = 8.0  # a card swept away may still be written down this much later


class SteppedSource:
    """The simulated table as a source whose time goes on by `step_s` with every frame."""

    name, live, fps = "sim", False, FPS

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._count = 0
        self.time_s = 0.0
        self.step_s = 1 / FPS

    def read(self) -> Frame:
        self.time_s += self.step_s
        self._count += 1
        self._table.advance(self.time_s)
        return Frame(self._table.picture(), self.time_s, self._count, self.name, f"sim-{self._count:06d}")

    def close(self) -> None:
        """Nothing is held."""


class Onlookers:
    """Open scoreboards, whose events are read and forgotten, and pages that are fetched when asked."""

    def __init__(self, url: str) -> None:
        self._url = url
        host, port = url.removeprefix("http://").split(":")
        self._sockets = [socket.create_connection((host, int(port))) for _ in range(VIEWERS)]
        for each in self._sockets:
            each.sendall(f"GET /api/stream/scoreboard HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            threading.Thread(target=self._read, args=(each,), daemon=True).start()

    @staticmethod
    def _read(opened: socket.socket) -> None:
        while opened.recv(1 << 16):
            pass

    def look_round(self) -> None:
        for page in PAGES:
            with urllib.request.urlopen(self._url + page, timeout=60) as answer:
                answer.read()

    def leave(self) -> None:
        for each in self._sockets:
            each.shutdown(socket.SHUT_RDWR)
            each.close()


@dataclass
class Tally:
    """What really happened on the table, and what the camera wrote down of it."""

    rounds: int = 0
    games: int = 0
    landed: int = 0
    written: int = 0
    asked: int = 0
    longest_round_s: float = 0.0
    faces: set[str | None] = field(default_factory=set)
    invented: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Sample:
    hours: float
    faces: int  # different ones that have lain there so far
    resident_mb: float
    threads: int
    handles: int


class Evening:
    """One process of everything, driven frame by frame."""

    def __init__(self, folder: Path, rounds_an_hour: float) -> None:
        deck = read_deck(default_deck(folder / "deck", Faces.CODES))
        self._table = SimulatedTable(deck, seed=11, supersample=1, blocks=block_faces())
        self._source = SteppedSource(self._table)
        self._data = DataFolder(folder / "data", EVIDENCE_BYTES, keep_free_bytes=0)
        started = time.time()
        self._session = Session(
            self._data, _eye(self._table, deck), self._source, clock=lambda: started + self._source.time_s
        )
        listening = listen("127.0.0.1", 0)
        self._server = Server(create_app(self._session, WebSettings("246810", "bench", "http://bench")), listening)
        self._web: Web = self._server.app.extensions["arena_cam"]
        self._server.start()
        self._onlookers = Onlookers(f"http://127.0.0.1:{self._server.port}")
        self._players = SimulatedPlayers(self._session, self._table, seed=5)
        self._random = random.Random(3)
        self._round_s = 3600.0 / rounds_an_hour
        self._round_began_s = self._next_round_s = self._calm_since_s = self._talk_until_s = 0.0
        self._lights_s = 1800.0
        self._moment: tuple[Any, ...] = ()
        self._lying: Counter[str | None] = Counter()
        self._lay: dict[str | None, float] = {}
        self._to_write: Counter[str | None] = Counter()
        self._lines: tuple[str, int] = ("", 0)
        self._question = ""
        self.tally = Tally()

    def play_until(self, until_s: float) -> None:
        while self._source.time_s < until_s:
            self._session.take_frame(self._source.read())
            now_s = self._source.time_s
            snapshot = self._session.snapshot()
            self._compare(snapshot, now_s)
            self._new_round(snapshot["game"], now_s)
            calm = self._table.idle and snapshot["eye"]["state"] == "armed"
            self._calm_since_s = self._calm_since_s if calm else now_s
            at_ease = now_s - self._calm_since_s > CALM_S
            talking = now_s < self._talk_until_s
            self._source.step_s = 1 / FPS if not at_ease else TALK_STEP_S if talking else QUIET_STEP_S
            if not talking:
                try:
                    self._players.play(snapshot, now_s)
                except ArenaCamError:
                    continue  # what was legal a moment ago is not any more: they look again

    def look_round(self) -> None:
        self._onlookers.look_round()

    def close(self) -> None:
        self._onlookers.leave()
        self._session.stop()
        self._server.stop(self._web.streams.end)

    def _new_round(self, game: Any, now_s: float) -> None:
        """Between rounds people talk for as long as keeps the pace; hands reach in, now and then the light fails."""
        moment = (game["id"], game["round"]) if game else ()
        self.tally.longest_round_s = max(self.tally.longest_round_s, now_s - self._round_began_s)
        if moment == self._moment:
            return
        self._round_began_s = now_s
        self.tally.games += bool(moment and moment[:1] != self._moment[:1])
        self.tally.rounds += 1
        self._moment = moment
        self._next_round_s = max(self._next_round_s + self._round_s, now_s)
        self._talk_until_s = self._next_round_s
        if self._random.random() < 0.3:
            self._table.perform(Wait(3.0), ReachIn(1.0))
        if now_s > self._lights_s:
            self._lights_s += 3600.0
            self._table.perform(Wait(3.0), Lights(False), Wait(8.0), Lights(True))

    def _compare(self, snapshot: Any, now_s: float) -> None:
        """Every challenge and throw that the camera wrote down must have lain there, and each landing counts once."""
        lying = Counter(placed.card if placed.face.value == "up" else None for placed in self._table.pile.cards)
        landed = lying - self._lying  # a card may be swept and laid again by the next player within seconds
        self.tally.landed += landed.total()
        self.tally.faces |= set(lying)
        self._to_write |= landed
        self._lying = lying
        self._lay |= dict.fromkeys(lying, now_s)
        question, game = snapshot["question"], snapshot["game"]
        if question is not None and question["id"] != self._question:
            self._question = question["id"]
            self.tally.asked += 1
        if game is None or (game["id"], game["lines"]) == self._lines:
            return
        before = self._lines[1] if game["id"] == self._lines[0] else 1
        self._lines = (game["id"], game["lines"])
        for line in self._data.matches.lines(game["id"]):
            if line.line <= before or line.who != CAMERA or line.event["type"] not in ("challenge", "throw"):
                continue
            self.tally.written += 1
            card = line.event["card"]
            self._to_write[card] -= 1
            if self._to_write[card] < 0 or now_s - self._lay.get(card, -math.inf) > REMEMBERED_S:
                self._to_write[card] = 0
                self.tally.invented.append(f"{game['id']} line {line.line} at {now_s:.1f} s: {line.event}")


def _eye(table: SimulatedTable, deck: Deck) -> Eye:
    known = table.table()
    reader = TableReader(known, deck)
    return Eye(
        known,
        deck,
        lambda fps: Watcher(reader, fps=fps),
        lambda image, reading, pose, layers: draw_layers(image, known, reading, pose, layers),
        setup_files(known, deck),
        make_second_sight=lambda: BlockWatcher(BlockFinder(known)),
        hide=lambda image, pose: arena_only(image, known, pose),
    )


def sample(hours: float, faces: int) -> Sample:
    """The process now, freed memory given back first, as the referee does now and then."""
    heap.give_back()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    resident = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return Sample(hours, faces, resident, threading.active_count(), len(list(Path("/proc/self/fd").iterdir())))


def slope(hours: list[float], values: list[float]) -> tuple[float, float]:
    """(growth an hour, its standard error) of the straight line through the values."""
    line = statistics.linear_regression(hours, values)
    rest = [v - line.slope * h - line.intercept for h, v in zip(hours, values, strict=True)]
    spread = math.sqrt(sum(r * r for r in rest) / max(len(rest) - 2, 1))
    middle = statistics.fmean(hours)
    return line.slope, spread / math.sqrt(sum((h - middle) ** 2 for h in hours))


def growth(samples: list[Sample]) -> tuple[float, float]:
    """(MB gained an hour, its standard error), what faces cost that are met for the first time left out: the least
    squares of memory over hours and faces. (0, inf) where the two cannot be told apart."""
    columns = [np.ones(len(samples)), np.array([each.hours for each in samples])]
    faces = np.array([float(each.faces) for each in samples])
    columns += [faces] if np.ptp(faces) > 0 else []
    a, memory = np.stack(columns, axis=1), np.array([each.resident_mb for each in samples])
    if len(samples) <= a.shape[1] or np.linalg.matrix_rank(a) < a.shape[1]:
        return 0.0, math.inf
    gains = np.linalg.lstsq(a, memory, rcond=None)[0]
    variance = ((memory - a @ gains) ** 2).sum() / (len(samples) - a.shape[1])
    return float(gains[1]), math.sqrt(variance * np.linalg.inv(a.T @ a)[1, 1])


def report(samples: list[Sample], evening_h: float, tally: Tally, cpu_s: float) -> int:
    """Prints the figures; 0 if all bars are met."""
    late = [each for each in samples if each.hours >= FIRST_SHARE * evening_h]
    hours = [each.hours for each in late]
    gained, doubt = growth(late)
    peak = max(each.resident_mb for each in samples)
    bar = MOST_GROWTH_SHARE * peak / 8
    threads, _ = slope(hours, [float(each.threads) for each in late])
    handles, _ = slope(hours, [float(each.handles) for each in late])
    print(
        f"long evening of {evening_h:g} h: {tally.games} games, {tally.rounds} rounds, {cpu_s:.0f} s of computing; "
        f"{tally.landed} cards landed, {tally.written} written down by the camera, {len(tally.invented)} invented "
        f"(bar 0), {tally.asked} questions; longest round {tally.longest_round_s:.0f} s (bar {LONGEST_ROUND_S:.0f})"
    )
    judged = f"bar {bar:.1f}" if evening_h >= JUDGED_FROM_H else f"not judged before {JUDGED_FROM_H:g} h"
    print(
        f"memory {late[0].resident_mb:.0f} to {late[-1].resident_mb:.0f} MB, at most {peak:.0f}, growth "
        f"{gained:+.2f} +- {doubt:.2f} MB an hour beside {late[-1].faces - late[0].faces} faces met for the first time "
        f"({judged}); threads {late[0].threads} to {late[-1].threads} "
        f"({threads:+.2f} an hour), file handles {late[0].handles} to {late[-1].handles} ({handles:+.2f} an hour)"
    )
    for each in tally.invented:
        print(f"invented: {each}")
    # A slope that its own doubt explains is none.
    grows = gained - 2 * doubt > bar or threads > 0.5 or handles > 0.5
    stands_still = tally.longest_round_s > LONGEST_ROUND_S
    return 1 if (grows and evening_h >= JUDGED_FROM_H) or tally.invented or stands_still else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=0.4)
    parser.add_argument("--rounds-an-hour", type=float, default=30.0)
    parser.add_argument("--verbose", action="store_true", help="every sample as it is taken")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    heap.share_heaps()
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="arena-cam-evening-") as folder:
        evening = Evening(Path(folder), args.rounds_an_hour)
        every_s = min(SAMPLE_EVERY_S, args.hours * 3600 / 16)
        try:
            for number in range(1, round(args.hours * 3600 / every_s) + 1):
                evening.play_until(number * every_s)
                evening.look_round()
                samples.append(sample(number * every_s / 3600, len(evening.tally.faces)))
                if args.verbose:
                    print(samples[-1], evening.tally, f"{time.process_time():.0f} s", flush=True)
        finally:
            evening.close()
    return report(samples, args.hours, evening.tally, time.process_time())


if __name__ == "__main__":
    sys.exit(main())
