"""How much scoring game records costs, as a multiple of parsing the same files with json.loads line by line.

Run: python -m bench.score_speed [--games N]. Two figures for each game, best of several rounds: processor time in one
process, reading the files and making the JSON results with their sentences; and time by the clock of the whole command
`arena-cam score --json` on all files against a process that parses them, start-up included in both. Both do a few files
in turn, so that a busy machine slows down both. Bar: at most 3.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from arena_cam.commands.score import score_line
from arena_cam.formats.game_record import write_line
from arena_cam.rules import all_games
from arena_cam.rules.random_play import random_events, random_header

BAR = 3.0
AT_A_TIME = 10  # files: a few milliseconds of work, against which reading the clock is nothing
PARSE = """
import json, sys
for file in sys.argv[1:]:
    for line in open(file, encoding="utf-8"):
        json.loads(line)
"""


def parse(file: Path) -> None:
    """What the bar is measured by."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)


def best_seconds(work: Callable[[], object], rounds: int, clock: Callable[[], float]) -> float:
    """Seconds on `clock` that `work` takes, the best of `rounds`."""
    times = []
    for _ in range(rounds):
        begin = clock()
        work()
        times.append(clock() - begin)
    return min(times)


def _parse_all(files: Sequence[Path]) -> None:
    for file in files:
        parse(file)


def _score_all(files: Sequence[Path]) -> None:
    for file in files:
        score_line(str(file))


def write_games(folder: Path, name: str, count: int, house_rules: bool) -> list[Path]:
    """Random games of one kind as files, the same every time."""
    game = all_games()[name]
    files = []
    for seed in range(count):
        choose = random.Random(seed).choice
        header = random_header(game, choose, house_rules=house_rules)
        events = random_events(game, header, choose, most=400)
        file = folder / f"{name}-{seed}.jsonl"
        file.write_text("".join(map(write_line, [header, *events])), encoding="utf-8")
        files.append(file)
    return files


def in_process(files: list[Path], rounds: int) -> tuple[float, float]:
    """(parsing, scoring) in seconds of processor time; a few files in turn, for each few the best of the rounds."""
    gc.disable()  # as the command does
    parsing = scoring = 0.0
    for i in range(0, len(files), AT_A_TIME):
        few = files[i : i + AT_A_TIME]
        parse_few, score_few = partial(_parse_all, few), partial(_score_all, few)
        parsed, scored = [], []
        for _ in range(rounds):
            parsed.append(best_seconds(parse_few, 1, time.process_time))
            scored.append(best_seconds(score_few, 1, time.process_time))
        parsing += min(parsed)
        scoring += min(scored)
    gc.enable()
    return parsing, scoring


def by_the_clock(files: list[Path], rounds: int) -> tuple[float, float]:
    """(parsing, scoring) in seconds by the clock, each a process of its own."""
    names = [str(file) for file in files]
    commands = [[sys.executable, "-c", PARSE, *names], [sys.executable, "-m", "arena_cam", "score", "--json", *names]]

    works = [partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True) for command in commands]
    times = [[best_seconds(work, 1, time.perf_counter) for work in works] for _ in range(rounds)]
    parsing, scoring = (min(taken) for taken in zip(*times, strict=True))
    return parsing, scoring


def main() -> None:
    """Prints one line a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="files of each kind (default: 1000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the best counts (default: 5)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(all_games()):
            files = write_games(Path(folder), name, args.games, house_rules=False)
            lines = sum(file.read_bytes().count(b"\n") for file in files)
            parsing, scoring = in_process(files, args.rounds)
            parsing_s, scoring_s = by_the_clock(files, args.rounds)
            print(
                f"score {name}: {len(files)} files, {lines} lines; json.loads {parsing / lines * 1e6:.2f} us a line, "
                f"scoring {scoring / lines * 1e6:.2f}: processor time x {scoring / parsing:.2f}, "
                f"by the clock x {scoring_s / parsing_s:.2f} ({parsing_s:.2f} s, {scoring_s:.2f} s) (bar x {BAR:g})"
            )


if __name__ == "__main__":
    main()
