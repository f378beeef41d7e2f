"""CPU time of judging a settled frame: median, 90 % and worst, in calls of a full-frame ArucoDetector.detectMarkers on
it and in milliseconds.

Run: python -m bench.judging [TABLE...], folders with table.json, deck folders found as --decks says, and pictures
still-*.jpg; without any, on tables made for it: stills, a hand in view, open glossy cards, heaps of twelve, decks
unlike ours (`bench.drawn_decks`) with and without a hand, and a deck of 200 faces beside one of 50. "cold" is read with
nothing known, "known" again with what was read before, as `watch` does. The bar stands at the end of each line. How far
it has come is told on standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

# A second thread of BLAS waits more than it computes, on matrices as small as these. It is heeded at the first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame, Image
from arena_cam.commands.process.heap import keep_freed
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Reading
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_table
from arena_cam.printing.deck import Faces, default_deck
from arena_cam.vision.kernels.library import compiled
from arena_cam.vision.reading.table_reader import TableReader
from bench.drawn_decks import STYLES, draw_deck
from bench.tables import enlarged, scenes

BARS = {
    "with markers: stills": "4 / 10",
    "with markers: hand": "10 / - / 20",
    "with markers: open": "10 / 10 / 10",
    "with markers: heap": "20",
    "without markers: stills": "8 / 25",
    "without markers: hand": "15 / - / 30",
    "without markers: open": "15 / 15 / 15",
}
BARS_UNLIKE = {"stills": "14 / 40", "hand": "20 / - / 40"}
# One of each sort: nearly blank, shapes to be counted, dark, full-bleed.
UNLIKE = ("blank", "pips-too", "gold-arcs", "bubble")
ROUNDS = 2


@dataclass(frozen=True)
class Cost:
    """CPU seconds of one picture: a scan for markers, and its reading with nothing known and with all."""

    scan: float
    cold: float
    known: float


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of `work`, the best of some."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def measure(reader: TableReader, pictures: Iterable[Image]) -> list[Cost]:
    """The costs of the pictures that can be read, after one that is not counted: it makes what lasts."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    found = []
    for picture in pictures:
        frame = Frame(picture, 0.0, 0, "bench", "still.jpg")
        reading = reader.read(frame)
        if isinstance(reading, Reading):
            scan = seconds(lambda p=picture: detector.detectMarkers(p))  # type: ignore[misc]
            cold = seconds(lambda f=frame: reader.read(f))  # type: ignore[misc]
            known = seconds(lambda f=frame, k=reading.lies: reader.read(f, known=k))  # type: ignore[misc]
            found.append(Cost(scan, cold, known))
    return found


def line(name: str, costs: list[Cost]) -> str:
    """Median, 90 % and worst of what was measured."""

    def three(values: list[float], form: str) -> str:
        points = (statistics.median(values), float(np.percentile(values, 90)), max(values))
        return " / ".join(format(value, form) for value in points)

    parts = [f"judging, {name}: {len(costs)} pictures"]
    for which in ("cold", "known"):
        calls = three([getattr(cost, which) / cost.scan for cost in costs], ".1f")
        ms = three([1000 * getattr(cost, which) for cost in costs], ".0f")
        parts.append(f"{which} {calls} detectMarkers ({ms} ms)")
    return ", ".join(parts) + (f" (bar {BARS[name]})" if name in BARS else "")


def of_folders(tables: list[Path], decks: Path) -> dict[str, list[Cost]]:
    """The costs of pictures on disk, by deck."""
    costs: dict[str, list[Cost]] = {}
    for table in tables:
        name = json.loads((table / "table.json").read_text(encoding="utf-8"))["deck"]
        reader = TableReader(read_table(table / "table.json"), read_deck(decks / name))
        pictures = map(read_picture, sorted(table.glob("still-*.jpg")))
        costs.setdefault(name, []).extend(measure(reader, pictures))
    return costs


def of_kind(kind: str, deck: Deck, folder: Path, tables: int, each: int) -> list[Cost]:
    """The costs of pictures made now."""
    costs = []
    for number, scene in enumerate(scenes(kind, deck, folder, tables, each), 1):
        costs += measure(TableReader(scene.table, deck), scene.pictures)
        print(f"  {kind}: table {number} of {tables}", file=sys.stderr, flush=True)
    return costs


def of_decks_unlike(folder: Path, tables: int, each: int) -> Iterator[str]:
    """A line for each deck that is drawn unlike ours, of stills and of a hand in view."""
    for name in UNLIKE:
        deck = draw_deck(name, STYLES[name], folder / name)
        for kind, bar in BARS_UNLIKE.items():
            yield f"{line(f'{name}: {kind}', of_kind(kind, deck, folder, tables, each))} (bar {bar})"


def of_deck_sizes(deck: Deck, folder: Path, tables: int, each: int) -> str:
    """The same pictures read with the deck and with one of 200 faces."""
    large = enlarged(deck, folder / "large", 200)
    ratios = []
    for scene in scenes("stills", deck, folder, tables, each):
        small_, large_ = (measure(TableReader(scene.table, of), scene.pictures) for of in (deck, large))
        ratios += [b.cold / a.cold for a, b in zip(small_, large_, strict=True)]
    return f"judging, 200 faces instead of {len(deck.cards)}: {statistics.median(ratios):.2f} times (bar 1.3)"


def main() -> None:
    """Prints one line a kind and deck."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", type=Path)
    parser.add_argument("--decks", type=Path, help="folder of deck folders; table.json names its deck")
    parser.add_argument("--kinds", nargs="*", default=["stills", "hand", "open", "heap", "unlike", "deck"])
    parser.add_argument("--made", type=int, nargs=2, default=[6, 6], metavar=("TABLES", "EACH"))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    keep_freed()  # as `judge` does
    print("compiled kernels" if compiled() is not None else "no compiled kernels: numpy computes", flush=True)
    if args.tables:
        for name, costs in sorted(of_folders(args.tables, args.decks).items()):
            print(line(name, costs), flush=True)
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        default_deck(folder / "deck", Faces.CODES)
        printed = read_deck(folder / "deck")
        plain = replace(printed, cards=tuple(replace(card, markers=(), qr=None) for card in printed.cards))
        for kind in args.kinds:
            if kind == "deck":
                print(of_deck_sizes(plain, folder, *args.made), flush=True)
                continue
            if kind == "unlike":
                for told in of_decks_unlike(folder, max(1, args.made[0] // 2), args.made[1]):
                    print(told, flush=True)
                continue
            for name, deck in (("with markers", printed), ("without markers", plain)):
                print(line(f"{name}: {kind}", of_kind(kind, deck, folder, *args.made)), flush=True)


if __name__ == "__main__":
    main()
