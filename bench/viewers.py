"""Many open scoreboards while a game runs: how long after the first the last one hears a ruling, and frames lost.

Run: python -m bench.viewers [--viewers 200] [--seconds 60]. It plays on the simulated table, in turns with nobody
looking and with all of them, so that whatever else the machine does falls on both. Frames lost and computing time are
counted in both, so that the difference is the viewers'. Computing time says what other programs' load cannot falsify:
how much of one processor core the process takes; far below 1, nothing need be lost.
Changes that come faster than a stream sends are shown together, and who was still being served when the next one came
hears that one: a ruling is at a viewer who has heard it or a later one.
Bars: every ruling at everybody within 1 s of the first; no more frames lost than without viewers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import socket
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.simulated_referee import simulated_referee

WARM_UP_S = 15.0
TURNS = 4
OPENING_S = 3.0  # until everybody has the first event
EVENT = re.compile(rb"id: \d+\nevent: regions\ndata: (.*?)\n\n", re.S)
RULING = re.compile(rb'"ruling": ("(?:[^"\\]|\\.)*")')
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass
class Spent:
    """What passed in all turns of one kind."""

    seconds: float = 0.0
    cpu_s: float = 0.0
    lost: int = 0
    seen: int = 0

    def add(self, before: tuple[float, float, int, int], after: tuple[float, float, int, int]) -> None:
        self.seconds += after[0] - before[0]
        self.cpu_s += after[1] - before[1]
        self.lost += after[2] - before[2]
        self.seen += after[3] - before[3]

    def __str__(self) -> str:
        return f"{self.lost} of {self.lost + self.seen} frames lost, {self.cpu_s / self.seconds:.2f} of a core"


class Referee:
    """The process that is looked at."""

    def __init__(self, pid: int, url: str) -> None:
        self.url, self._pid = url, pid

    def now(self) -> tuple[float, float, int, int]:
        """Seconds by the clock, seconds of computing, frames lost, frames seen."""
        fields = Path(f"/proc/{self._pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        cpu_s = (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND
        with urllib.request.urlopen(f"{self.url}/api/state", timeout=30) as answer:
            camera: dict[str, Any] = json.load(answer)["camera"]
        return time.monotonic(), cpu_s, camera["dropped"], camera["frames"]


class Viewers:
    """Open scoreboards, all read by this one thread."""

    def __init__(self, url: str, number: int) -> None:
        host, port = url.removeprefix("http://").split(":")
        self._selector = selectors.DefaultSelector()
        for each in range(number):
            opened = socket.create_connection((host, int(port)), timeout=30)
            opened.sendall(f"GET /api/stream/scoreboard HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            opened.setblocking(False)
            self._selector.register(opened, selectors.EVENT_READ, (each, bytearray()))
        self.heard: dict[bytes, dict[int, float]] = {}  # ruling -> viewer -> when

    def listen(self, seconds: float) -> None:
        """Notes when each viewer heard each ruling."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for key, _ in self._selector.select(0.2):
                each, buffer = key.data
                buffer += key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                end = 0
                for event in EVENT.finditer(buffer):
                    end = event.end()
                    ruling = RULING.search(event[1])
                    if ruling is not None:
                        self.heard.setdefault(ruling[1], {}).setdefault(each, time.monotonic())
                del buffer[:end]

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()


def delays(heard: Mapping[bytes, Mapping[int, float]], number: int, since: float, until: float) -> list[float | None]:
    """For each ruling first heard from `since` to `until`, in order, how long after the first of `number` viewers the
    last one heard it or a later one, in seconds; None where somebody did not."""
    in_order = sorted((times for times in heard.values() if times), key=lambda times: min(times.values()))
    latest: list[float | None] = []
    for place, times in enumerate(in_order):
        first = min(times.values())
        if since <= first < until:
            reached: dict[int, float] = {}
            for later in in_order[place:]:
                for viewer, at in later.items():
                    reached[viewer] = min(at, reached.get(viewer, at))
            latest.append(max(reached.values()) - first if len(reached) == number else None)
    return latest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0, help="with them, and as long without")
    args = parser.parse_args()
    with simulated_referee() as (pid, url):
        measure(Referee(pid, url), args.viewers, args.seconds)


def measure(referee: Referee, number: int, seconds: float) -> None:
    """Prints one line."""
    time.sleep(WARM_UP_S)
    alone, watched = Spent(), Spent()
    spreads: list[float | None] = []
    for _ in range(TURNS):
        before = referee.now()
        time.sleep(seconds / TURNS)
        alone.add(before, referee.now())
        viewers = Viewers(referee.url, number)
        viewers.listen(OPENING_S)
        since = time.monotonic()
        before = referee.now()
        viewers.listen(seconds / TURNS)
        watched.add(before, referee.now())
        until = time.monotonic()
        viewers.listen(1.5)  # a ruling of the last moment is at everybody
        viewers.close()
        spreads += delays(viewers.heard, number, since, until)
    everywhere = [spread for spread in spreads if spread is not None]
    last = max(everywhere, default=0.0)
    print(
        f"viewers {number}: {len(everywhere)} of {len(spreads)} rulings at everybody, "
        f"the last {last:.3f} s after the first (bar 1 s); {watched}; without viewers {alone}"
    )


if __name__ == "__main__":
    main()
