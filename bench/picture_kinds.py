"""Pictures of every kind, whole and damaged, given to `judge` of every game: each must have its answer.

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
from pathlib import Path

os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # as the commands do, before OpenCV is imported
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arena_cam.commands.main import main as command
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import table_to_json
from arena_cam.printing.deck import default_deck
from arena_cam.printing.dilemmas.set_folder import write_set as write_dilemmas
from arena_cam.printing.hexes.set_folder import write_set as write_tiles
from arena_cam.printing.hexes.style import Style
from arena_cam.simulation.arena.table import SimulatedTable
from attacks.mutated_files import damage
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


def faults_of(game: str, options: list[str], files: list[Path]) -> list[str]:
    """What is wrong with the answers."""
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(io.StringIO()):
            status = command(["judge", "--game", game, "--json", *options, *map(str, files)])
    except BaseException as error:
        at = len(told.getvalue().splitlines())
        return [f"{game}: {files[at].name}: {type(error).__name__}: {str(error)[:120]}"]
    answers = [json.loads(line)["frame"] for line in told.getvalue().splitlines()]
    wrong = [] if answers == [file.name for file in files] else [f"{game}: not every picture has its answer"]
    return wrong if status in (0, 2) else [*wrong, f"{game}: exit {status}"]


def main(damaged: int, first: int) -> int:
    began = time.monotonic()
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="arena-cam-pictures-") as folder:
        games = options_of_games(Path(folder))
        kinds = every_kind()
        chance = random.Random(first)
        for number in range(damaged):
            name = chance.choice(sorted(every_kind()))
            kinds[f"damaged-{number:04d}-{name}"] = damage(kinds[name], chance)
        files = [Path(folder) / name for name in kinds]
        for file in files:
            file.write_bytes(kinds[file.name])
        for game, options in games.items():
            faults += faults_of(game, options, files)
    for fault in faults:
        print(fault)
    print(
        f"{len(files)} pictures to judge of {len(games)} games each, {len(faults)} faults, "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    asked = how_many("DAMAGED", 200).parse_args()
    sys.exit(main(asked.count, asked.first))
