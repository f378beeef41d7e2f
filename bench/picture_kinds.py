"""Pictures of every kind, whole and damaged, given to `judge` of every game: each must have its answer in ten seconds.

Beside small pictures of all kinds these are photographs of a table, so that what is damaged comes as far as the reader.

python -m bench.picture_kinds [DAMAGED] [FIRST]      200 damaged pictures a game by default; FIRST: the first seed
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # as the commands do, before OpenCV is imported
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import cv2

from arena_cam.commands.main import main as command
from arena_cam.domain.lies import Landing
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import table_to_json
from arena_cam.printing.deck import default_deck
from arena_cam.printing.dilemmas.set_folder import write_set as write_dilemmas
from arena_cam.printing.hexes.set_folder import write_set as write_tiles
from arena_cam.printing.hexes.style import Style
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource
from attacks.mutated_files import HANGS_AFTER_S, damage
from attacks.picture_kinds import every_kind
from bench.how_many import how_many


def options_of_games(folder: Path) -> dict[str, list[str]]:
    """How `judge` is called for each game, with sets that are printed into `folder`."""
    deck = default_deck(folder / "deck")
    table = folder / "table.json"
    table.write_text(json.dumps(table_to_json(SimulatedTable(read_deck(deck)).table())), encoding="utf-8")
    tiles = write_tiles(folder / "tiles", Style(colours=("red", "blue")))
    write_dilemmas(folder / "dilemmas", "en")
    return {
        "arena": ["--table", str(table), "--deck", str(deck)],
        "hexes": ["--deck", str(tiles)],
        "dilemmas": ["--deck", str(folder / "dilemmas")],
        "tricks": ["--deck", "ordinary"],
    }


def photographs(deck: Path) -> dict[str, bytes]:
    """File name -> a picture of cards in the arena, in three file formats."""
    table = SimulatedTable(read_deck(deck), supersample=1)
    table.perform(act.LayChallenge("red-8"), act.Throw("blue-3", Landing.FLAT, aim_mm=(-90.0, 60.0)))
    source = SimulatedSource(table, fps=2.0, live=False)
    for _ in range(10):
        frame = source.read()
        assert frame is not None
    assert frame is not None
    seen = frame.image_bgr
    return {f"table{suffix}": cv2.imencode(suffix, seen)[1].tobytes() for suffix in (".jpg", ".png", ".webp")}


class Told(io.StringIO):
    """What was answered, and after how many seconds of the processor each answer was there."""

    def __init__(self) -> None:
        super().__init__()
        self.at_s = [time.process_time()]

    def write(self, text: str) -> int:
        if text.endswith("\n"):
            self.at_s.append(time.process_time())
        return super().write(text)

    @property
    def slowest_s(self) -> float:
        return max(later - earlier for earlier, later in pairwise(self.at_s))


def faults_of(game: str, options: list[str], files: list[Path], told: Told) -> list[str]:
    """What is wrong with the answers, which are kept in `told`."""
    try:
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(io.StringIO()):
            status = command(["judge", "--game", game, "--json", *options, *map(str, files)])
    except BaseException as error:
        at = len(told.getvalue().splitlines())
        return [f"{game}: {files[at].name}: {type(error).__name__}: {str(error)[:120]}"]
    answers = [json.loads(line)["frame"] for line in told.getvalue().splitlines()]
    wrong = [] if answers == [file.name for file in files] else [f"{game}: not every picture has its answer"]
    if told.slowest_s > HANGS_AFTER_S:
        wrong.append(f"{game}: an answer took {told.slowest_s:.1f} s")
    return wrong if status in (0, 2) else [*wrong, f"{game}: exit {status}"]


def main(damaged: int, first: int) -> int:
    began = time.monotonic()
    faults: list[str] = []
    slowest_s = 0.0
    with tempfile.TemporaryDirectory(prefix="arena-cam-pictures-") as folder:
        games = options_of_games(Path(folder))
        kinds = every_kind() | photographs(Path(folder) / "deck")
        names, chance = sorted(kinds), random.Random(first)
        for number in range(damaged):
            name = chance.choice(names)
            kinds[f"damaged-{number:04d}-{name}"] = damage(kinds[name], chance)
        files = [Path(folder) / name for name in kinds]
        for file in files:
            file.write_bytes(kinds[file.name])
        for game, options in games.items():
            told = Told()
            faults += faults_of(game, options, files, told)
            slowest_s = max(slowest_s, told.slowest_s)
    for fault in faults:
        print(fault)
    print(
        f"{len(files)} pictures to judge of {len(games)} games each, {len(faults)} faults, "
        f"slowest {slowest_s:.1f} s (bar {HANGS_AFTER_S}), {time.monotonic() - began:.0f} s"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    asked = how_many("DAMAGED", 200).parse_args()
    sys.exit(main(asked.count, asked.first))
