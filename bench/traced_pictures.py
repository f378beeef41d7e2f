"""Path-traced pictures with truth, nearer to photographs than the simulation's own, to look at what is not read there.

Run: python -m bench.traced_pictures FOLDER arena [DECK | STYLE...] [--seed N] [--tables N] [--pictures N]
  or python -m bench.traced_pictures FOLDER dilemmas [SET | STYLE...] [--seed N] [--pictures N]
A deck and a set are folders, a style is one of `bench.decks_unlike` or of simulation/dilemmas/styles.py. A picture
takes some 15 s of CPU time. Writes FOLDER/decks and FOLDER/set/table-*, as `write_set` and `bench.dilemma_pictures` do.
`bench.path_tracer` says what must be installed.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import cv2

from arena_cam.domain.cards import Deck
from arena_cam.formats.deck_toml import read_deck
from arena_cam.simulation.arena.stills import StillTable, write_stills
from bench.decks_unlike import ALL_STYLES
from bench.dilemma_pictures import the_set, write_table
from bench.drawn_decks import draw_deck
from bench.path_tracer import TracedRenderer


def arena(folder: Path, decks: list[str], seed: int, tables: int, pictures: int) -> None:
    """Sets of stills of some decks, each on tables of its own."""
    for number, name in enumerate(decks or ALL_STYLES):
        deck = _deck(folder, name)
        for table in range(seed + 100 * number, seed + 100 * number + tables):
            still_table = StillTable(table, deck, rendered_by=TracedRenderer)
            write_stills(folder / "set" / f"table-{deck.name}-{table}", still_table, table, pictures, hand=False)
            print(f"{name} {table}", flush=True)


def _deck(folder: Path, name: str) -> Deck:
    """The deck in a folder of that name, else of the style, drawn where it is not yet."""
    if Path(name).is_dir():
        kept = folder / "decks" / Path(name).name
        if not kept.is_dir():
            shutil.copytree(name, kept)
        return read_deck(kept)
    drawn = folder / "decks" / name
    return read_deck(drawn) if drawn.is_dir() else draw_deck(name, ALL_STYLES[name], drawn)


def dilemmas(folder: Path, sets: list[str], seed: int, pictures: int) -> None:
    """Photographs of dilemmas of some sets."""
    for number, name in enumerate(sets):
        as_folder = Path(name)
        drawn = the_set(folder, as_folder) if as_folder.is_dir() else the_set(folder, None, name)
        write_table(folder / "set", drawn, seed + number, pictures, TracedRenderer)
        print(f"{name} {seed + number}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("game", choices=("arena", "dilemmas"))
    parser.add_argument("decks", nargs="*", help="arena: all drawn decks if none is given")
    parser.add_argument("--seed", type=int, default=6000)
    parser.add_argument("--tables", type=int, default=1, help="of each deck")
    parser.add_argument("--pictures", type=int, default=4, help="a table")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.game == "arena":
        arena(args.folder, args.decks, args.seed, args.tables, args.pictures)
    elif args.decks:
        dilemmas(args.folder, args.decks, args.seed, args.pictures)
    else:
        parser.error("name the set or the style to photograph")


if __name__ == "__main__":
    main()
