"""Half-open connections and streams that nobody reads while a game is played: how soon a page is there, frames lost.

python -m bench.slow_clients [--half-open 200] [--streams 300] [--seconds 30]
Bars: a page within one second, no more frames lost than without them.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attacks.slow_clients import page_s, slow_clients
from bench.simulated_referee import simulated_referee
from bench.viewers import WARM_UP_S, Referee, Spent

PAGES = ("/", "/join", "/throws", "/api/state")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half-open", type=int, default=200)
    parser.add_argument("--streams", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30.0, help="with them, and as long without")
    args = parser.parse_args()
    with simulated_referee() as (pid, url):
        referee = Referee(pid, url)
        time.sleep(WARM_UP_S)
        alone, beside = Spent(), Spent()
        quick = _looked_at(referee, url, args.seconds, alone)
        with slow_clients(url, args.half_open, args.streams):
            time.sleep(3.0)
            slow = _looked_at(referee, url, args.seconds, beside)
    print(
        f"{args.half_open} half-open connections and {args.streams} streams: a page after {max(slow):.2f} s at most "
        f"(bar 1 s; {max(quick):.2f} without them), {beside}; without them {alone}"
    )
    return 0 if max(slow) <= 1.0 else 1


def _looked_at(referee: Referee, url: str, seconds: float, spent: Spent) -> list[float]:
    """How long each page took, asked for twice a second."""
    before, until = referee.now(), time.monotonic() + seconds
    took: list[float] = []
    while time.monotonic() < until:
        took.append(page_s(url, PAGES[len(took) % len(PAGES)]))
        time.sleep(0.5)
    spent.add(before, referee.now())
    return took


if __name__ == "__main__":
    sys.exit(main())
