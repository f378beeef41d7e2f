"""CPU time of judging a settled frame with five cards, in calls of a full-frame ArucoDetector.detectMarkers on it.

Run: python -m bench.judging [TABLE...], folders with table.json, deck folders found as --decks says, and pictures
still-*.jpg with their truth beside them; without any, the simulated table photographs five cards of the printed deck.
Two figures a picture: read with nothing known, and read again with what was read before, as `watch` does. The median
counts. Bars: 6 with markers, 20 without.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Reading
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_table
from arena_cam.printing.deck import default_deck
from arena_cam.simulation.arena.stills import write_set
from arena_cam.vision.reading.table_reader import TableReader

BAR, BAR_WITHOUT_MARKERS = 6.0, 20.0
CARDS = 5
ROUNDS = 3


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of `work`, the best of some."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def measure(table: Path, deck: Deck) -> list[tuple[float, float]]:
    """(cold, known) in calls of detectMarkers for each picture of five cards in a table's folder."""
    reader = TableReader(read_table(table / "table.json"), deck)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    found = []
    for truth in sorted(table.glob("still-*.json")):
        if len(json.loads(truth.read_text(encoding="utf-8"))["cards"]) != CARDS:
            continue
        picture = read_picture(truth.with_suffix(".jpg"))
        frame = Frame(picture, 0.0, 0, "bench", truth.name)
        reading = reader.read(frame)
        if not isinstance(reading, Reading):
            continue
        lies = reading.lies
        scan = seconds(lambda p=picture: detector.detectMarkers(p))  # type: ignore[misc]
        cold = seconds(lambda f=frame: reader.read(f))  # type: ignore[misc]
        known = seconds(lambda f=frame, k=lies: reader.read(f, known=k))  # type: ignore[misc]
        found.append((cold / scan, known / scan))
    return found


def main() -> None:
    """Prints one line a deck."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", type=Path)
    parser.add_argument("--decks", type=Path, help="folder of deck folders; table.json names its deck")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as made:
        ratios: dict[str, list[tuple[float, float]]] = {}
        if args.tables:
            for table in args.tables:
                name = json.loads((table / "table.json").read_text(encoding="utf-8"))["deck"]
                ratios.setdefault(name, []).extend(measure(table, read_deck(args.decks / name)))
        else:
            default_deck(Path(made) / "deck")
            printed = read_deck(Path(made) / "deck")
            unmarked = replace(printed, cards=tuple(replace(card, markers=(), qr=None) for card in printed.cards))
            for seed in range(1, 7):
                write_set(Path(made) / f"table-{seed}", seed, printed, 8)
                for name, deck in (("with markers", printed), ("without markers", unmarked)):
                    ratios.setdefault(name, []).extend(measure(Path(made) / f"table-{seed}", deck))
        for name, all_ in sorted(ratios.items()):
            cold, known = (statistics.median(r[i] for r in all_) for i in (0, 1))
            print(
                f"judging five cards, {name}: {len(all_)} pictures, {cold:.1f} detectMarkers with nothing known, "
                f"{known:.1f} with what was read before (bar {BAR:g} with markers, {BAR_WITHOUT_MARKERS:g} without)"
            )


if __name__ == "__main__":
    main()
