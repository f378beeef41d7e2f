"""How much scoring a game record costs, as a multiple of parsing the same file with json.loads line by line.

Run: python bench/score_speed.py [--games N]. Both sides read the same files one after another, best of several rounds;
scoring includes the JSON result with its sentences. Bar: at most 3.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arena_cam.commands.score import score_line
from arena_cam.formats.game_record import write_line
from arena_cam.rules import games
from arena_cam.rules.random_play import random_events, random_header

BAR = 3.0


def parse(file: Path) -> None:
    """What the bar is measured by."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)


def best_seconds(work: Callable[[Path], object], files: list[Path], rounds: int) -> float:
    """CPU seconds that `work` takes for all files, the best of `rounds`."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        for file in files:
            work(file)
        times.append(time.process_time() - begin)
    return min(times)


def write_games(folder: Path, name: str, count: int, house_rules: bool) -> list[Path]:
    """Random games of one kind as files, the same every time."""
    game = games()[name]
    files = []
    for seed in range(count):
        choose = random.Random(seed).choice
        header = random_header(game, choose, house_rules=house_rules)
        events = random_events(game, header, choose, most=400)
        file = folder / f"{name}-{seed}.jsonl"
        file.write_text("".join(map(write_line, [header, *events])), encoding="utf-8")
        files.append(file)
    return files


def main() -> None:
    """Prints one line a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="files of each kind (default: 100)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of which the best counts (default: 7)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(games()):
            files = write_games(Path(folder), name, args.games, house_rules=False)
            lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
            parsing = best_seconds(parse, files, args.rounds)
            scoring = best_seconds(lambda file: score_line(str(file)), files, args.rounds)
            print(
                f"score {name}: {len(files)} files, {lines} lines, json.loads {parsing / lines * 1e6:.2f} us a line, "
                f"scoring {scoring / lines * 1e6:.2f} us a line, ratio {scoring / parsing:.2f} (bar {BAR:g})"
            )


if __name__ == "__main__":
    main()
