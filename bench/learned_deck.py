"""How well a learned deck reads thrown cards, against the true pictures of the same deck.

Every card is photographed by the simulation as by hand (tilted by up to 25 degrees, 5 to 6 px/mm, one table), the deck
is learned from these photographs by `arena-cam deck learn`, what it refuses is photographed again, and then pictures of
simulated tables are judged twice by `arena-cam judge`: with the deck as it was drawn, and as it was learned.

Run: python -m bench.learned_deck [DECK...], deck folders nobody here has seen; without any, the project's own deck
and the same with its markers and codes painted over. Some six minutes a deck, so `make bench` leaves it out. The table
under the photographs is dark felt; --photographed-on 11 is coarse linen. Bar: the learned deck's figures are the true
deck's, and nothing is sure and wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Card, Deck, PrintedMarker, PrintedQr
from arena_cam.formats.deck_toml import read_deck, save_deck
from arena_cam.geometry.camera_model import Camera
from arena_cam.printing.deck import Faces, default_deck
from arena_cam.printing.scenes import PAPER
from arena_cam.simulation.arena.stills import write_set
from arena_cam.simulation.photographs import Sheet, render_photograph
from arena_cam.simulation.rendering.scene import looking_down

PHOTOGRAPH_PX = (1600, 1200)
FROM_MM, TILT_DEG = (180.0, 240.0), 25.0
MOST_TRIES = 4  # of a card whose photograph is refused
MIN_VISIBLE = 0.4  # cards of which less is seen need not be found
NEAR_PX = 60.0  # cards face down have no name to be matched by
MARK_RIM_MM = 0.6  # of white that belongs to a mark


@dataclass
class Grades:
    """Counts over all pictures. `want`: cards with MIN_VISIBLE in view; `invented`: not there, or wrongly named."""

    want: int = 0
    named: int = 0
    said: int = 0
    invented: int = 0
    invented_sure: int = 0
    landings: int = 0
    landings_right: int = 0
    frames: int = 0
    sure: int = 0
    sure_and_wrong: int = 0

    def __str__(self) -> str:
        return (
            f"named {self.named} of {self.want}, invented {self.invented} of {self.said} ({self.invented_sure} of them "
            f"sure), landing right {self.landings_right} of {self.landings}, frames answered sure {self.sure} of "
            f"{self.frames}, sure and wrong {self.sure_and_wrong}"
        )


def by_hand(rng: np.random.Generator) -> Camera:
    """A phone held over the table."""
    width, height = PHOTOGRAPH_PX
    focal = width * float(rng.uniform(0.74, 0.95))
    K = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    dist = np.array([rng.uniform(-0.05, 0.05), rng.uniform(-0.03, 0.03), 0.0, 0.0, 0.0])
    tilt, way = np.radians(rng.uniform(0.0, TILT_DEG)), rng.uniform(0.0, 2.0 * np.pi)
    aside = np.sin(tilt) * np.array([np.cos(way), np.sin(way)])
    centre = float(rng.uniform(*FROM_MM)) * np.array([*aside, np.cos(tilt)])
    return looking_down(K, dist, centre, np.zeros(3), float(rng.uniform(-20.0, 20.0)))


def photograph(deck: Deck, folder: Path, table: int, turn: int, names: Sequence[str] | None = None) -> None:
    """A photograph NAME.jpg of each card and the back (or of `names` only), all on the table of that seed."""
    folder.mkdir(exist_ok=True)
    files = {card.id: card.image for card in deck.cards} | ({"back": deck.back} if deck.back is not None else {})
    for number, (name, file) in enumerate(files.items()):
        if names is not None and name not in names:
            continue
        rng = np.random.default_rng([table, turn, number])
        at = (float(rng.uniform(-15, 15)), float(rng.uniform(-8, 8)), float(rng.uniform(-12, 12)))
        sheet = Sheet(name, read_picture(file), deck.width_mm, deck.height_mm, deck.corner_radius_mm, at)
        picture, _, _ = render_photograph([sheet], table, PHOTOGRAPH_PX, camera=by_hand(rng))
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])


def learned(deck: Deck, folder: Path, table: int) -> tuple[Path, int]:
    """The folder of the deck as learned from photographs on one table, and how many photographs were refused."""
    photos, out = folder / "photos", folder / "learned"
    photograph(deck, photos, table, 0)
    wanted = {card.id for card in deck.cards}
    size = f"{deck.width_mm:g}x{deck.height_mm:g}"
    refused = 0
    for turn in range(1, MOST_TRIES + 1):
        arena_cam("deck", "learn", "--photos", str(photos), "--card-size", size, "--out", str(out), may_fail=True)
        there = {path.stem for path in out.glob("*.png")}
        missing = sorted((wanted | ({"back"} if deck.back is not None else set())) - there)
        if not missing:
            return out, refused
        refused += len(missing)
        photograph(deck, photos, table, turn, missing)
    raise SystemExit(f"not learned after {MOST_TRIES} photographs of each: {', '.join(missing)}")


def unmarked(deck: Deck, folder: Path) -> Deck:
    """The deck with paper where its markers and codes are, as a published game has none."""
    folder.mkdir()
    cards = []
    for card in deck.cards:
        picture = np.array(read_picture(card.image))
        scale = picture.shape[1] / deck.width_mm
        marks: list[PrintedMarker | PrintedQr] = [*card.markers, *([card.qr] if card.qr is not None else [])]
        for mark in marks:
            half = mark.size_mm / 2 + MARK_RIM_MM
            x0, x1 = (round((mark.x_mm + s * half) * scale) for s in (-1, 1))
            y0, y1 = (round((mark.y_mm + s * half) * scale) for s in (-1, 1))
            picture[max(y0, 0) : y1, max(x0, 0) : x1] = PAPER
        file = folder / f"{card.id}.png"
        cv2.imwrite(str(file), picture)
        cards.append(Card(card.id, file, card.colour, card.value))
    back = None
    if deck.back is not None:
        back = folder / "back.png"
        cv2.imwrite(str(back), read_picture(deck.back))
    plain = replace(deck, name="unmarked", cards=tuple(cards), back=back)
    save_deck(folder, plain)
    return plain


def arena_cam(*words: str, may_fail: bool = False) -> str:
    """What a command of the program prints, in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "arena_cam", *words], capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise SystemExit(f"arena-cam {words[0]} ended with status {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def grade(tables: Sequence[Path], deck: Path) -> Grades:
    """Judges every picture of the tables with a deck folder and holds the answers against the truth beside them."""
    grades = Grades()
    for table in tables:
        truths = {}
        for file in sorted(table.glob("still-*.json")):
            truth = json.loads(file.read_text(encoding="utf-8"))
            truths[truth["image"]] = truth
        challenges = table / "challenges.json"
        known = {name: truth["challenge"] for name, truth in truths.items() if truth["challenge"]}
        challenges.write_text(json.dumps(known), encoding="utf-8")
        words = ["--table", str(table / "table.json"), "--deck", str(deck), "--challenge-file", str(challenges)]
        said = arena_cam("judge", *words, "--json", *(str(table / name) for name in truths))
        for line in said.splitlines():
            answer = json.loads(line)
            _add(grades, answer, truths[Path(answer["frame"]).name])
    return grades


def _add(grades: Grades, answer: dict[str, Any], truth: dict[str, Any]) -> None:
    """Counts one picture."""
    left = list(truth["cards"])
    grades.frames += 1
    grades.want += sum(card["visible_fraction"] >= MIN_VISIBLE for card in left)
    wrong = False
    for said in answer["cards"]:
        grades.said += 1
        true = _same(said, left)
        if true is None:
            grades.invented += 1
            grades.invented_sure += said["sure"]
            wrong |= said["sure"]
            continue
        left.remove(true)
        if true["visible_fraction"] < MIN_VISIBLE:
            continue
        grades.named += 1
        if true["ambiguous"]:
            continue
        grades.landings += 1
        grades.landings_right += said["landing"] == true["landing"]
        wrong |= said["sure"] and (said["landing"] == "flat") != (true["landing"] == "flat")
    if answer["sure"]:
        duelling_wrong = truth["duelling_unique"] and answer["duelling"] != truth["duelling"]
        grades.sure += 1
        grades.sure_and_wrong += wrong or duelling_wrong


def _same(said: dict[str, Any], left: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The true card that is said: by its name, or by its place where it lies face down."""
    if said["face"] == "up":
        return next((card for card in left if card["face"] == "up" and card["id"] == said["id"]), None)
    middle = np.mean(said["corners_px"], axis=0)
    gaps = [(float(np.hypot(*(np.mean(card["corners_px"], axis=0) - middle))), card) for card in left]
    near = [(gap, card) for gap, card in gaps if card["face"] == "down" and gap < NEAR_PX]
    return min(near, key=lambda entry: entry[0])[1] if near else None


def main() -> None:
    """Prints two lines a deck: true and learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("decks", nargs="*", type=Path, metavar="DECK")
    parser.add_argument("--tables", type=int, default=6, help="simulated tables that pictures are taken of (default 6)")
    parser.add_argument("--stills", type=int, default=8, help="pictures of each table (default 8)")
    parser.add_argument("--photographed-on", type=int, default=3, help="seed of the table under the photographs")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as made:
        scratch = Path(made)
        decks = [read_deck(folder) for folder in args.decks]
        if not decks:
            own = read_deck(default_deck(scratch / "own", Faces.CODES))
            decks = [own, unmarked(own, scratch / "unmarked")]
        for number, deck in enumerate(decks):
            folder = scratch / f"deck-{number}"
            folder.mkdir()
            out, refused = learned(deck, folder, args.photographed_on)
            tables = [folder / f"table-{seed}" for seed in range(101, 101 + args.tables)]
            for seed, table in enumerate(tables, 101):
                write_set(table, seed, deck, args.stills)
            print(f"{deck.name}, true deck:    {grade(tables, deck.cards[0].image.parent)}", flush=True)
            print(
                f"{deck.name}, learned deck: {grade(tables, out)}; {refused} photographs were refused and taken again",
                flush=True,
            )


if __name__ == "__main__":
    main()
