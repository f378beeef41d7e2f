"""How well decks are read that are unlike ours: nearly blank, all alike, striped, black and gold, full-bleed, foil.

The decks of `bench.drawn_decks` are drawn, thrown by the simulation on tables of all sorts, and judged by `arena-cam
judge`. One line a deck. Bars: named 99 %, answered sure 75 %, nothing sure and wrong or sure and invented.

Run: python -m bench.decks_unlike [DECK...] [--seed S]. Another seed is tables and throws that nothing was chosen on.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import cv2

from arena_cam.simulation.arena.stills import write_set
from bench.drawn_decks import draw_deck
from bench.drawn_decks_pictured import STYLES_ALL
from bench.drawn_decks_published import PUBLISHED_STYLES
from bench.drawn_decks_varied import VARIED_STYLES
from bench.learned_deck import grade

ALL_STYLES = STYLES_ALL | VARIED_STYLES | PUBLISHED_STYLES


def main() -> int:
    """1 where something was said surely and was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("decks", nargs="*", metavar="DECK", help=f"{', '.join(ALL_STYLES)}; all if none is given")
    parser.add_argument("--seed", type=int, default=5000, help="of the first table (default 5000)")
    parser.add_argument("--tables", type=int, default=2, help="tables a deck (default 2)")
    parser.add_argument("--stills", type=int, default=5, help="pictures a table (default 5)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        for number, name in enumerate(args.decks or ALL_STYLES):
            deck = draw_deck(name, ALL_STYLES[name], Path(made) / name)
            tables = [Path(made) / f"{name}-{table}" for table in range(args.tables)]
            for table, folder in enumerate(tables, args.seed + 100 * number):
                write_set(folder, table, deck, args.stills, gloss=ALL_STYLES[name].gloss)
            grades = grade(tables, Path(made) / name)
            wrong += grades.sure_and_wrong + grades.invented_sure
            print(f"{name}: {grades}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
