"""Many open scoreboards while a game runs: how long after the first the last one hears a ruling, and frames lost.

Run: python -m bench.viewers [--viewers 200] [--seconds 60]. It plays on the simulated table, first with nobody looking,
then with all of them; frames lost are counted in both, so that the difference is the viewers'.
Bars: every ruling at everybody within 1 s of the first; no more frames lost than without viewers.
"""

from __future__ import annotations

import argparse
import json
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

WARM_UP_S = 15.0
EVENT = re.compile(rb"id: (\d+)\nevent: regions\ndata: (.*?)\n\n", re.S)


def state(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/api/state", timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def frames_lost(url: str, seconds: float) -> tuple[int, int]:
    """(lost, seen) within `seconds`."""
    before = state(url)["camera"]
    time.sleep(seconds)
    after = state(url)["camera"]
    return after["dropped"] - before["dropped"], after["frames"] - before["frames"]


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
        self.heard: dict[bytes, list[float]] = {}

    def listen(self, seconds: float) -> None:
        """Notes when each viewer heard each ruling."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for key, _ in self._selector.select(0.2):
                _each, buffer = key.data
                buffer += key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                end = 0
                for event in EVENT.finditer(buffer):
                    end = event.end()
                    if b'"ruling"' in event[2]:
                        self.heard.setdefault(event[2].split(b'"ruling"')[1], []).append(time.monotonic())
                del buffer[:end]

    def spreads_s(self, number: int) -> list[float]:
        """From the first to the last viewer, for each ruling that all heard."""
        return [max(times) - min(times) for times in self.heard.values() if len(times) >= number]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-cam-bench-") as data:
        command = [sys.executable, "-m", "arena_cam", "referee", "sim", "--port", "0", "--data", data, "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://localhost:(\d+)", process.stdout.readline())
                assert found is not None
                measure(f"http://127.0.0.1:{found[1]}", args.viewers, args.seconds)
            finally:
                process.terminate()


def measure(url: str, number: int, seconds: float) -> None:
    """Prints one line."""
    time.sleep(WARM_UP_S)
    alone_lost, alone_seen = frames_lost(url, seconds)
    viewers = Viewers(url, number)
    viewers.listen(3.0)  # everybody has the first event
    viewers.heard.clear()
    before = state(url)["camera"]
    viewers.listen(seconds)
    after = state(url)["camera"]
    spreads = viewers.spreads_s(number)
    lost, seen = after["dropped"] - before["dropped"], after["frames"] - before["frames"]
    print(
        f"viewers {number}: {len(spreads)} of {len(viewers.heard)} rulings at everybody, the last "
        f"{max(spreads, default=0.0):.3f} s after the first (bar 1 s); frames lost {lost} of {lost + seen}, "
        f"without viewers {alone_lost} of {alone_lost + alone_seen}"
    )


if __name__ == "__main__":
    main()
