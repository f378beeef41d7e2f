"""How well boards are read with a set learned from photographs, against the set as it was printed.

The tiles (nine or all a photograph) and the boards of a style are photographed by the simulation as by hand, on one
table under one light; `arena-cam deck learn --game hexes` makes a set of them. Then pictures as bench.board_pictures
writes them, on other tables under other lights, are read twice: with the set as it was printed, and as it was learned.

Run: python -m bench.learned_boards FOLDER [--styles NAME...] [--seed N]. FOLDER is as bench.board_pictures writes it;
learned sets are put into FOLDER/learned-N, and are used again if they are there. Bar: what is learned reads as well as
what is printed, and no cell is surely wrong.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.domain.board_readings import BoardReading
from arena_cam.domain.errors import ArenaCamError
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.art import TILES
from arena_cam.referee.game.outfit import LearnOptions
from arena_cam.referee.games.hexes.learned_set import learn
from arena_cam.simulation.boards.photographs import LaidBoard, Shot, render_boards, render_tiles
from arena_cam.simulation.rendering.look import random_look
from arena_cam.vision.boards.board_reader import BoardReader
from bench.board_pictures import ALL, printed_set

PHOTOGRAPH_PX = (2400, 1800)
MOST_TRIES = 6  # tables, until one shows all of the set
NEAR_PX = 80.0
LEAST_UNSEEN = 0.1  # of a cell, that something covers or that lies outside the picture: then it is counted apart, too


@dataclass
class Grades:
    """Counts over all pictures."""

    boards: int = 0
    found: int = 0
    coloured: int = 0
    colour_sure: int = 0
    sure: int = 0
    cells: int = 0
    right: int = 0
    wrong_and_sure: int = 0
    unseen: int = 0
    unseen_wrong: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"boards found {self.found} of {self.boards}, colour right {self.coloured}, sure {self.sure}; cells right "
            f"{self.right} of {self.cells}, sure and wrong {self.wrong_and_sure}; of {self.unseen} cells that are "
            f"partly covered or outside the picture {self.unseen_wrong} are wrong"
        )


def by_hand(rng: np.random.Generator, seed: int, try_: int, height_mm: float) -> Shot:
    """A telephone held over the table of that seed."""
    look = random_look(np.random.default_rng([seed, try_, 97]), width_px=PHOTOGRAPH_PX[0])
    tilt, roll = float(rng.uniform(0, 15)), float(rng.uniform(-4, 4))
    return Shot(PHOTOGRAPH_PX, height_mm, tilt, roll, gloss=float(rng.choice([0.02, 0.06])), loose=0, look=look)


def photographed(name: str, folder: Path, seed: int, try_: int) -> None:
    """Writes the photographs that people are asked for."""
    printed = printed_set(ALL[name])
    rng = np.random.default_rng([seed, try_, len(name)])
    folder.mkdir(parents=True, exist_ok=True)
    write = [cv2.IMWRITE_JPEG_QUALITY, 92]
    each, columns = (27, 7) if seed % 3 == 0 else (9, 3)  # all in one photograph, or in three
    for k in range(27 // each):
        shot = by_hand(rng, seed, try_, float(rng.uniform(2.0, 2.8)) * columns * printed.tile_mm[0])
        image = render_tiles(printed, list(TILES[each * k : each * (k + 1)]), columns, shot, seed * 10 + k)
        cv2.imwrite(str(folder / f"tiles-{k + 1}.jpg"), image, write)
    for k, colour in enumerate(printed.boards):
        shot = by_hand(rng, seed, try_, 1.9 * max(printed.board_mm))
        laid = LaidBoard(colour, (0.0, 0.0, float(rng.uniform(-3, 3))), dict.fromkeys(printed.cells_mm))
        image, _ = render_boards(printed, [laid], shot, seed * 10 + k)
        cv2.imwrite(str(folder / f"board-{colour}.jpg"), image, write)


def learned(name: str, folder: Path, seed: int) -> Path | None:
    """The folder of the set, learned on the first table on which all of it is found; None if there is none."""
    out = folder / f"learned-{seed}" / name
    if (out / "deck.toml").is_file():
        return out
    style = ALL[name]
    for try_ in range(MOST_TRIES):
        photos = folder / f"photographs-{seed}" / f"{name}-{try_}"
        if not photos.is_dir():
            photographed(name, photos, seed, try_)
        size = "x".join(f"{side:g}" for side in style.board_mm)
        try:
            learn(LearnOptions(photos, out, style.tile_mm, size, name))
            return out
        except ArenaCamError as error:
            print(f"{name}, table {try_}: {error}", flush=True)
    return None


def graded(reader: BoardReader, files: Sequence[Path]) -> Grades:
    grades = Grades()
    for file in files:
        truth = json.loads(file.read_text(encoding="utf-8"))
        said = list(reader.read(read_picture(file.parent / truth["image"]), file.stem).boards)
        for board in truth["boards"]:
            middle = np.mean(board["corners_px"], axis=0)
            near = [b for b in said if np.hypot(*(np.mean(b.corners_px, axis=0) - middle)) < NEAR_PX]
            grades.boards += 1
            grades.cells += len(board["cells"])
            if near:
                said.remove(near[0])
                count(grades, near[0], board, f"{file.parent.name}/{file.stem}")
    return grades


def count(grades: Grades, said: BoardReading, board: dict[str, Any], where: str) -> None:
    grades.found += 1
    grades.coloured += said.colour == board["colour"]
    grades.sure += said.sure
    wrong = [cell for cell in said.cells if cell.tile != board["cells"][cell.cell]]
    grades.right += len(said.cells) - len(wrong)
    hidden = board.get("covered_cells", {}) | board.get("outside_cells", {})
    unseen = {cell for cell, share in hidden.items() if share > LEAST_UNSEEN}
    grades.unseen += len(unseen)
    grades.unseen_wrong += sum(cell.cell in unseen for cell in wrong)
    surely = [cell for cell in wrong if cell.doubt is None]
    grades.wrong_and_sure += len(surely) + (said.sure and said.colour != board["colour"])
    if said.colour != board["colour"]:
        grades.faults.append(f"{where} is {board['colour']}, not {said.colour}")
    for cell in wrong:
        true = board["cells"][cell.cell]
        grades.faults.append(f"{where} {cell.cell}: {true}, not {cell.tile}, said with {cell.confidence}")
    if not said.sure:
        grades.faults.append(f"{where} asks: " + "; ".join(str(doubt) for doubt in said.doubts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--styles", nargs="*", default=[], choices=sorted(ALL), metavar="NAME")
    parser.add_argument("--seed", type=int, default=1, help="of the tables on which sets are photographed")
    parser.add_argument("--only-learned", action="store_true")
    args = parser.parse_args()
    for name in args.styles or sorted(each.name for each in (args.folder / "decks").iterdir()):
        files = sorted(args.folder.glob(f"table-{name}-*/photo-*.json"))
        mine = learned(name, args.folder, args.seed)
        sets = {} if args.only_learned else {"printed": args.folder / "decks" / name}
        for how, deck in (sets | ({} if mine is None else {"learned": mine})).items():
            grades = graded(BoardReader(read_tile_set(deck)), files)
            print(f"{name}, {how}: {grades}", *(f"  {fault}" for fault in grades.faults), sep="\n", flush=True)


if __name__ == "__main__":
    main()
