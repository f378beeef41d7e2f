"""Photographs of dilemmas with truth, of any set of cards and tokens, to look at what their reader cannot yet do.

Run: python -m bench.dilemma_pictures FOLDER [--deck SET | --style STYLE] [--seed N] [--pictures N]. Without either our
own set in English is printed to FOLDER/decks/dilemmas-en; a style of simulation/dilemmas/styles.py, or one drawn by
chance, to its own folder.
Writes FOLDER/table-NAME-SEED/photo-NN.jpg with photo-NN.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.printing.dilemmas.set_folder import write_set
from arena_cam.simulation.dilemmas.drawn_sets import write_style
from arena_cam.simulation.dilemmas.laying import random_table
from arena_cam.simulation.dilemmas.photographs import DilemmaPhotographer, random_shot
from arena_cam.simulation.dilemmas.random_styles import random_style, unusual_style
from arena_cam.simulation.dilemmas.styles import STYLES
from arena_cam.simulation.rendering.camera_picture import Renderer

BY_CHANCE = {"random-": random_style, "unusual-": unusual_style}


def the_set(folder: Path, deck: Path | None, style: str | None = None) -> tuple[DilemmaSet, str]:
    """The set to photograph, and the name of its folder."""
    if deck is not None:
        return read_dilemma_set(deck), deck.name
    if style is not None:
        drawn = folder / "decks" / f"dilemmas-{style}"
        kind, _, number = style.partition("-")
        by_chance = BY_CHANCE.get(f"{kind}-")
        drawing = by_chance(int(number)) if by_chance else STYLES[style]
        return write_style(drawn, drawing), drawn.name
    ours = folder / "decks" / "dilemmas-en"
    if not (ours / "deck.toml").is_file():
        write_set(ours, "en")
    return read_dilemma_set(ours), ours.name


def write_table(
    folder: Path, drawn: tuple[DilemmaSet, str], seed: int, pictures: int, rendered_by: type[Renderer] = Renderer
) -> None:
    """Writes some photographs of one set, with their truth."""
    dilemma_set, name = drawn
    photographer = DilemmaPhotographer(dilemma_set, rendered_by)
    table = folder / f"table-{name}-{seed}"
    table.mkdir(parents=True, exist_ok=True)
    for k in range(pictures):
        rng = np.random.default_rng([seed, k, 1701])
        count = int(rng.integers(1, 6))
        laid = random_table(dilemma_set, rng, count)
        shot = random_shot(rng, count, (dilemma_set.width_mm, dilemma_set.height_mm))
        number = seed * 100 + k
        image, truth = photographer.photograph(laid, photographer.nearer(laid, shot, number), number)
        cv2.imwrite(str(table / f"photo-{k:02d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        entry = {"image": f"photo-{k:02d}.jpg", "deck": name, "elsewhere": {}, "dilemmas": truth}
        (table / f"photo-{k:02d}.json").write_text(json.dumps(entry), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deck", type=Path, help="set folder; without it our own set")
    parser.add_argument(
        "--style", help=f"one of {', '.join(sorted(STYLES))}, or {'N, '.join(BY_CHANCE)}N for any number N"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=8)
    args = parser.parse_args()
    write_table(args.folder, the_set(args.folder, args.deck, args.style), args.seed, args.pictures)


if __name__ == "__main__":
    main()
