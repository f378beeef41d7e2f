"""Grades the reader of any ordinary pack on pictures of tricks that were drawn by bench.trick_pictures.

Run: python -m bench.any_pack FOLDER [PART OF] [--given]. FOLDER holds a folder of pictures with their truth for each
pack; with PART and OF every OF-th picture from PART on is read. With --given each is read with the deck of its folder.
For each picture one line: what is missed, what is said falsely, whether it is sure. A card counts as named where a card
of that name lies within 12 mm of its place. A picture answered surely is wrong, too, where a pair of cards is said in
the wrong order. The last line says what a picture costs at the median, of 90 % and at worst, in CPU time of calls of
ArucoDetector.detectMarkers on it: of each picture, and of those of four cards at 1536x864, for which the bar is 40.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from arena_cam.vision.photographs.reader import PhotographReader
from bench.judging import seconds

_WITHIN_MM = 12.0
_BAR, _CARDS, _WIDTH = 40, 4, 1536


def grade(reading: Reading | Unreadable, truth: dict[str, Any]) -> tuple[Counter[str], list[str]]:
    """Counts, and what is wrong, in words."""
    wanted = [card for card in truth["cards"] if card["id"] != "?"]
    counts: Counter[str] = Counter(pictures=1, cards=len(wanted))
    if isinstance(reading, Unreadable):
        return counts + Counter(unread=1), ["unreadable"]
    faults = []
    left = list(wanted)
    for lie in reading.lies:
        if lie.card is None:
            continue
        counts["said"] += 1
        counts["cards_sure"] += lie.sure
        own = [card for card in left if card["id"] == lie.card and _near(card, lie.corners_px, truth["px_per_mm"])]
        if own:
            left.remove(own[0])
            counts["named"] += 1
            continue
        counts["false"] += 1
        counts["false_sure"] += lie.sure
        faults.append(f"{lie.card} is not there ({lie.identity_probability:.3f}{', SURE' if lie.sure else ''})")
    pairs = {(a, b) for a, b in truth["covers"] if "?" not in (a, b)}
    told = {pair for pair in reading.covers if set(pair) <= {card["id"] for card in wanted}}
    reversed_ = {(b, a) for a, b in pairs} & told
    counts["pairs"] += len(pairs)
    counts["pairs_told"] += len(pairs & told)
    counts["pairs_wrong"] += len(reversed_)
    counts["pairs_wrong_sure"] += len(reversed_) if reading.sure else 0
    faults += [f"missed {card['id']}" for card in left]
    faults += [f"{upper} is said to lie over {lower}" for upper, lower in sorted(reversed_)]
    counts["sure"] += reading.sure
    counts["sure_wrong"] += reading.sure and bool(faults)
    return counts, [*faults, *(["PICTURE SURE"] if reading.sure and faults else [])]


def _near(card: dict[str, Any], corners_px: Any, px_per_mm: float) -> bool:
    off = np.mean(card["corners_px"], axis=0) - np.mean(corners_px, axis=0)
    return float(np.hypot(*off)) < _WITHIN_MM * px_per_mm


@lru_cache(maxsize=1)
def _reader_of(deck: Path) -> PhotographReader:
    return PhotographReader(DeckFaces(read_deck(deck)))


def cost_line(name: str, calls: list[float]) -> str:
    """Median, 90 % and worst of the calls that pictures took."""
    if not calls:
        return f"{name}: none"
    points = (float(np.median(calls)), float(np.percentile(calls, 90)), max(calls))
    return f"{name}: {len(calls)} pictures, {' / '.join(f'{value:.0f}' for value in points)} detectMarkers"


def main() -> None:
    """Prints a line for each picture and the sums."""
    words = [word for word in sys.argv[1:] if word != "--given"]
    folder, given = Path(words[0]), "--given" in sys.argv
    part, of = (int(text) for text in words[1:3]) if len(words) > 2 else (0, 1)
    cv2.setNumThreads(1)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    sums: Counter[str] = Counter()
    calls: dict[str, list[float]] = {"all": [], "barred": []}
    for path in sorted(folder.glob("*/trick-*.jpg"))[part::of]:
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        reader = _reader_of(path.parent / "deck") if given else OrdinaryReader()
        began = time.process_time()
        reading = reader.read(Frame(image, 0.0, 0, "file", path.name))
        took = time.process_time() - began
        per_call = seconds(lambda of=image: detector.detectMarkers(of))  # type: ignore[misc]
        calls["all"].append(took / per_call)
        if len(truth["cards"]) == _CARDS and image.shape[1] == _WIDTH:
            calls["barred"].append(took / per_call)
        counts, faults = grade(reading, truth)
        sums += counts + Counter(ms=round(1000 * took))
        doubts = [] if isinstance(reading, Unreadable) else sorted({d.code for d in reading.doubts})
        how = "sure" if counts["sure"] else f"asks {doubts}"
        names = " ".join(card["id"] for card in truth["cards"])
        told = f"{path.parent.name}/{path.stem} {took:.1f} s, {took / per_call:.0f} calls"
        print(f"{told}, {names}: {how}; {'; '.join(faults) or 'right'}", flush=True)
    print(dict(sums))
    print(cost_line("calls a picture", calls["all"]))
    print(f"{cost_line(f'of {_CARDS} cards, {_WIDTH} px wide', calls['barred'])} (bar {_BAR})")


if __name__ == "__main__":
    main()
