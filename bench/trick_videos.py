"""Draws videos of whole deals of tricks on many cloths, and counts what `watch --game tricks` says of them.

Run: python -m bench.trick_videos OUT [--videos N] [--tricks N] [--seed N] [--kind KIND] [--any-pack]. Each video has a
pack (KIND: one of `bench.pack_kinds`), a cloth, a light, a camera and players of its own, all drawn from the seed:
OUT/video-N/frames, truth.json and the pack's deck folder. The pack is given as --deck, or with --any-pack as
`ordinary`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.card_judge import ORDINARY
from arena_cam.referee.game.outfit import WatchOptions
from arena_cam.referee.games.tricks.watching import TricksWatch
from arena_cam.simulation.rendering.look import random_look
from arena_cam.simulation.things.ordinary_pack import RANKS, SUITS
from arena_cam.simulation.tricks.cloth import Clear, Cloth, LayCard, Setting, SweepTrick
from bench.pack_kinds import KINDS
from bench.trick_pictures import drawn_pack, write_pack

Json = dict[str, Any]

FPS, JPEG_QUALITY = 15.0, 90
SIZES = ((960, 540), (960, 540), (1280, 720))
EARLY_S, LATE_S = 1 / FPS, 2.5
LOOKED_AT_S = 1.6  # a trick, before it is swept away


@dataclass
class Scenes:
    """Frames of one video as they are drawn, and what truly happens in them."""

    cloth: Cloth
    folder: Path
    frames: int = 0
    plays: list[Json] = field(default_factory=list)

    def go_on(self, seconds: float = 0.0) -> None:
        """Draws frames until everything asked for is done, and for so many seconds more."""
        until = float("inf")
        while self.frames / FPS < until:
            before = len(self.cloth.trick)
            self.cloth.advance(self.frames / FPS)
            if len(self.cloth.trick) > before:
                self.plays.append({"card": self.cloth.trick[-1].card, "rest_frame": self.frames})
            name = str(self.folder / f"{self.frames:05d}.jpg")
            cv2.imwrite(name, self.cloth.picture(), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            self.frames += 1
            if self.cloth.idle and until == float("inf"):
                until = self.frames / FPS + seconds


def random_setting(rng: np.random.Generator, width_px: int) -> Setting:
    """A cloth and players at random. The camera hangs so that a card of 63 mm is some 80 to 110 px of 960 wide."""
    look = random_look(rng, width_px=width_px)
    return Setting(
        look=replace(look, exposure=max(look.exposure, 0.5)),
        height_mm=float(rng.uniform(470.0, 600.0)),
        tilt_deg=float(rng.uniform(-28.0, 28.0)),
        apart=float(rng.uniform(0.8, 1.25)),
        turn_deg=float(rng.uniform(3.0, 14.0)),
        pace=float(rng.uniform(0.7, 1.2)),
    )


def write_video(folder: Path, seed: int, tricks: int, kind: str = "usual") -> None:
    """A deal of so many tricks with everything drawn from `seed`: frames, truth.json and deck in `folder`."""
    rng = np.random.default_rng([seed, 4471])
    write_pack(drawn_pack(seed, kind), folder / "deck")
    deck = read_deck(folder / "deck")
    size = SIZES[int(rng.integers(len(SIZES)))]
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    scenes = Scenes(Cloth(deck, seed, size_px=size, setting=random_setting(rng, size[0])), folder / "frames")
    scenes.cloth.perform(Clear())
    scenes.go_on(0.5)
    cards = [str(card) for card in rng.permutation([rank + suit for rank in RANKS for suit in SUITS])]
    leader = int(rng.integers(2))
    for number in range(tricks):
        trick = cards[4 * number : 4 * number + 4]
        for slot, card in enumerate(trick):
            scenes.cloth.perform(LayCard(card, (leader + slot) % 2, slot))
            scenes.go_on(float(rng.uniform(0.0, 0.8)))
        scenes.go_on(LOOKED_AT_S)
        leader = int(rng.integers(2))
        scenes.cloth.perform(SweepTrick(leader, trick[3]))
        scenes.go_on(float(rng.uniform(0.0, 0.5)))
    truth = {"fps": int(FPS), "frames": scenes.frames, "image_size": list(size), "plays": scenes.plays}
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def watched(folder: Path, any_pack: bool) -> list[Json]:
    """The lines that `watch --game tricks` says of a video."""
    deck = Path(ORDINARY) if any_pack else folder / "deck"
    watch = TricksWatch(WatchOptions(str(folder / "frames"), folder, FPS, deck=deck))
    lines = list(watch.begin().lines)
    while (frame := watch.source.read()) is not None:
        lines += watch.feed(frame).lines
    return [*lines, *watch.finish().lines]


def graded(truth: Json, lines: list[Json]) -> tuple[Counter[str], list[str]]:
    """Counts, and what is wrong, in words."""
    said = [line for line in lines if line["type"] == "play"] if lines else []
    counts: Counter[str] = Counter(videos=1, plays=len(truth["plays"]), said=len(said))
    left, faults = list(said), []
    order = [line["card"] for line in said]
    for number, play in enumerate(truth["plays"]):
        own = [line for line in left if line["card"] == play["card"]]
        if not own:
            faults.append(f"{play['card']} not said")
            continue
        left.remove(own[0])
        late_s = own[0]["at"] - play["rest_frame"] / FPS
        later = {each["card"] for each in truth["plays"][number + 1 :]}
        in_order = not later & set(order[: order.index(play["card"])])
        counts += Counter(found=1, right=int(in_order), sure=int(own[0]["seen"]["sure"]))
        counts += Counter(early=int(late_s < -EARLY_S), late=int(late_s > LATE_S))
        if late_s < -EARLY_S or late_s > LATE_S or not in_order:
            faults.append(f"{play['card']} {late_s:+.1f} s{'' if in_order else ', not in order'}")
    counts += Counter(invented=len(left), invented_sure=sum(line["seen"]["sure"] for line in left))
    return counts, [*faults, *(f"{line['card']} invented at {line['at']:.1f} s" for line in left)]


def main() -> None:
    """Writes the videos that are not there yet; prints a line for each and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--videos", type=int, default=4)
    parser.add_argument("--tricks", type=int, default=5, help="of each video, at most 13")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS), default="usual", help="of the packs")
    parser.add_argument("--any-pack", action="store_true", help="read without the pack's deck folder")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sums: Counter[str] = Counter()
    for number in range(args.videos):
        folder = args.out / f"video-{args.seed * 100 + number}"
        if not (folder / "truth.json").exists():
            write_video(folder, args.seed * 100 + number, args.tricks, args.kind)
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        began = time.process_time()
        counts, faults = graded(truth, [line for line in watched(folder, args.any_pack) if "type" in line])
        took = time.process_time() - began
        sums += counts
        print(f"{folder.name}: {counts['found']} of {counts['plays']}, {took:.0f} s for {truth['frames']} frames; "
              f"{'; '.join(faults) or 'without a fault'}", flush=True)  # fmt: skip
    print(dict(sums))


if __name__ == "__main__":
    main()
