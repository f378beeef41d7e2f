"""Photographs of boards in many styles of art, with truth, to look at what a reader of boards cannot yet do.

Run: python -m bench.board_pictures FOLDER [--styles NAME...] [--seed N] [--pictures N] [--wrong] [--hard] [--covered].
Writes
FOLDER/decks/STYLE and FOLDER/table-STYLE-SEED/photo-NN.jpg with photo-NN.json. With --wrong, each picture has a
tile that people would ask about: half out of its cell, across two, or turned. With --hard they are taken under harder
conditions (arena_cam/simulation/boards/conditions.py) and half of them are JPEGs of little quality. With --covered a
pencil lies over cells of each, and in half of them a hand.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from arena_cam.printing.hexes.art import TILES, board_face, cells_mm, default_mark, tile_back, tile_face
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.simulation.boards.conditions import QUALITY, hard_shot
from arena_cam.simulation.boards.more_styles import MORE_STYLES
from arena_cam.simulation.boards.photographs import LaidBoard, PrintedSet, random_boards, random_shot, render_boards
from arena_cam.simulation.boards.styles import STYLES

WRONG = ("across", "half", "turned30", "turned-40", "turned60", "turned180")
ALL: dict[str, Style] = {"hexes": Style(), **STYLES, **MORE_STYLES}


def printed_set(style: Style) -> PrintedSet:
    """A style's pieces as they are laid."""
    height = style.tile_mm * float(np.sqrt(3)) / 2
    return PrintedSet(
        {tile: tile_face(style, tile, default_mark(tile)) for tile in TILES},
        {colour: board_face(style, colour) for colour in style.colours},
        {colour: tile_back(style, colour) for colour in style.colours},
        (style.tile_mm, height),
        style.board_mm,
        cells_mm(style),
    )


def spoiled(board: LaidBoard, rng: np.random.Generator) -> LaidBoard:
    """The board with one of its tiles lying wrongly, and a cell free beside it."""
    filled = [cell for cell, tile in board.cells.items() if tile is not None]
    cell = str(rng.choice(filled))
    how = str(rng.choice(WRONG))
    cells = dict(board.cells)
    if len(filled) == len(cells):
        cells[next(name for name in filled if name != cell)] = None
    return replace(board, cells=cells, wrong=((cell, how),))


@dataclass(frozen=True)
class Kind:
    """What is done to all pictures of a table: see the options."""

    wrong: bool = False
    hard: bool = False
    covered: bool = False


def picture(
    printed: PrintedSet, rng: np.random.Generator, seed: int, kind: Kind
) -> tuple[cv2.typing.MatLike, list[dict[str, object]], str]:
    """A photograph, the truth of its boards, and what is wrong in it."""
    boards = random_boards(printed, rng, two=0.0 if kind.wrong else 0.25)
    if len(boards) == 2 and rng.random() < 0.4:
        boards[1] = replace(boards[1], colour=boards[0].colour)
    if kind.wrong:
        boards[0] = spoiled(boards[0], rng)
    shot = hard_shot(rng, seed) if kind.hard else random_shot(rng)
    shot = replace(shot, pencil=False) if kind.wrong else shot
    if kind.covered:
        shot = replace(shot, pencil=True, hand=bool(seed % 2), over=True)
    image, truth = render_boards(printed, boards, shot, seed)
    return image, truth, boards[0].wrong[0][1] if kind.wrong else ""


def write_table(folder: Path, name: str, seed: int, pictures: int, kind: Kind) -> None:
    """Writes the set of a style and some photographs of it."""
    style = ALL[name]
    deck = folder / "decks" / name
    if not (deck / "deck.toml").is_file():
        write_set(deck, style)
    printed = printed_set(style)
    table = folder / f"table-{name}-{seed}"
    table.mkdir(parents=True, exist_ok=True)
    for k in range(pictures):
        own = sum(name.encode()) if kind.hard else 0  # styles whose names are as long have no table in common then
        rng = np.random.default_rng([seed, k, len(name) + own, 1601])
        image, truth, how = picture(printed, rng, (seed + own) * 100 + k, kind)
        quality = QUALITY if kind.hard and k % 2 else 90
        cv2.imwrite(str(table / f"photo-{k:02d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        entry = {"image": f"photo-{k:02d}.jpg", "deck": name, "borderline": kind.wrong, "how": how, "boards": truth}
        (table / f"photo-{k:02d}.json").write_text(json.dumps(entry), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--styles", nargs="*", default=sorted(ALL), choices=sorted(ALL), metavar="NAME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=4, help="of each style")
    parser.add_argument("--wrong", action="store_true", help="a tile lies wrongly in each")
    parser.add_argument("--hard", action="store_true", help="harder conditions")
    parser.add_argument("--covered", action="store_true", help="a pencil lies over cells, in half of them a hand")
    args = parser.parse_args()
    for name in args.styles:
        write_table(args.folder, name, args.seed, args.pictures, Kind(args.wrong, args.hard, args.covered))


if __name__ == "__main__":
    main()
