"""Kills a playing referee many times over (SIGKILL) and counts what was lost: must be nothing.

python -m bench.kills [KILLS] [FIRST]      1,000 by default; FIRST: the first seed

Evenings of all games in turn. Every tenth is a program of its own, the others are copies of this process. Every fifth
is followed by two kills of a start, which are not counted.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from bench.how_many import how_many
from referee.killing import faults, kill_forked, kill_forked_starting, kill_once
from referee.playing_games import GAMES

KILLED = ("arena", *GAMES)


def main(kills: int, first: int) -> int:
    began, told_lines, found, starts = time.monotonic(), 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="arena-cam-kills-") as folder:
        for seed in range(first, first + kills):
            game = KILLED[seed % len(KILLED)]
            data = Path(folder) / f"{game}-{seed // 50}"  # a fresh folder now and then: a start is killed, too
            if seed % 10 == 9:
                told = kill_once(data, seed, longest_s=0.8, game=game)
            else:
                told = kill_forked(data, seed, game=game)
            if seed % 5 == 4:
                kill_forked_starting(data, seed, game=game)
                starts += 2
            told_lines += len(told)
            for fault in faults(data, told):
                found += 1
                print(f"kill {seed}, {game}: {fault}", flush=True)
    print(
        f"{kills} kills and {starts} of starts, {told_lines} states told, {found} faults, "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if found else 0


if __name__ == "__main__":
    asked = how_many("KILLS", 1000).parse_args()
    sys.exit(main(asked.count, asked.first))
