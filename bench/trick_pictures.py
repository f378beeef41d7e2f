"""Draws pictures of tricks: a few cards of one pack partly over each other on a cloth, seen by any camera.

Run: python -m bench.trick_pictures OUT [--deck DECK] [--packs N] [--stills N] [--seed N] [--kind KIND]. Without --deck
every table has a pack of its own, drawn from the fonts of this machine; KIND: one of `bench.pack_kinds`. Each card
shows at least one corner index in full. Beside each picture stands its truth; a drawn pack's deck folder is written,
too, so that it can be given as --deck.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.formats.deck_toml import read_deck
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.photographs import Image8, Sheet, render_photograph
from arena_cam.simulation.things.ordinary_pack import (
    RANKS,
    SUITS,
    draw_back,
    fonts_of_this_machine,
)
from bench.pack_kinds import KINDS

SIZES = ((1536, 864), (1536, 864), (1280, 720), (960, 540), (1080, 1440))
STOCK_SHARE = 0.3  # of pictures with face-down cards lying about
# What a corner index takes of a card, from its corner (mm): a point of it covered, and it is not in full view.
INDEX_MM = (12.0, 24.0)


@dataclass(frozen=True)
class Pack:
    """Pictures of a pack by card; `back` may be missing."""

    name: str
    faces: dict[str, Image8]
    back: Image8 | None
    width_mm: float
    height_mm: float
    radius_mm: float


def pack_of_folder(folder: Path) -> Pack:
    """The pack in a deck folder."""
    deck = read_deck(folder)
    faces = {card.id: np.asarray(cv2.imread(str(card.image)), np.uint8) for card in deck.cards}
    back = np.asarray(cv2.imread(str(deck.back)), np.uint8) if deck.back else None
    return Pack(deck.name, faces, back, deck.width_mm, deck.height_mm, deck.corner_radius_mm)


def drawn_pack(seed: int, kind: str = "usual") -> Pack:
    """A pack of a kind drawn from a seed."""
    style, drawn = KINDS[kind](seed, fonts_of_this_machine())
    faces = {rank + suit: drawn(style, rank + suit) for rank in RANKS for suit in SUITS}
    return Pack(f"drawn-{seed}", faces, draw_back(style), style.width_mm, style.height_mm, 3.5)


def write_pack(pack: Pack, folder: Path) -> None:
    """`pack` as a deck folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f'name = "{pack.name}"', f"width_mm = {pack.width_mm}", f"height_mm = {pack.height_mm}"]
    lines += [f"corner_radius_mm = {pack.radius_mm}"]
    if pack.back is not None:
        cv2.imwrite(str(folder / "back.png"), pack.back)
        lines.append('back = "back.png"')
    for card, face in pack.faces.items():
        cv2.imwrite(str(folder / f"{card}.png"), face)
        value = "A23456789TJQK".index(card[0]) + 1
        lines.append(
            f'[[card]]\nid = "{card}"\nrank = "{card[0]}"\nsuit = "{card[1]}"\nvalue = {value}\nimage = "{card}.png"'
        )
    (folder / "deck.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def lay_trick(pack: Pack, rng: np.random.Generator, count: int) -> list[tuple[float, float, float]]:
    """Places (x, y, angle) of `count` cards, each over a part of those before, with an index of each in full view."""
    while True:
        places = [(0.0, 0.0, float(rng.uniform(-180, 180)))]
        heading = rng.uniform(0.0, 2 * np.pi)
        for _ in range(count - 1):
            x, y, angle = places[-1]
            step = rng.uniform(22.0, 60.0)
            heading += rng.normal(0.0, 0.8)
            turn = rng.normal(0.0, 14.0) if rng.random() < 0.75 else rng.uniform(-180, 180)
            places.append((x + step * np.cos(heading), y + step * np.sin(heading), float(angle + turn)))
        middle = np.mean([p[:2] for p in places], axis=0) + rng.normal(0.0, 15.0, 2)
        places = [(float(x - middle[0]), float(y - middle[1]), a) for x, y, a in places]
        poses = [CardPose.flat(*place) for place in places]
        if all(_index_shows(pack, pose, poses[n + 1 :]) for n, pose in enumerate(poses)):
            return places


def _index_shows(pack: Pack, pose: CardPose, above: list[CardPose]) -> bool:
    w, h = pack.width_mm / 2, pack.height_mm / 2
    x, y = np.meshgrid(np.linspace(-w + 1, -w + INDEX_MM[0], 5), np.linspace(h - INDEX_MM[1], h - 1, 8))
    for sign in (1.0, -1.0):
        points = pose.points(sign * x.ravel(), sign * y.ravel())
        if all(not _covered(pack, other, points).any() for other in above):
            return True
    return False


def _covered(pack: Pack, pose: CardPose, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    local = (points - pose.centre_mm) @ pose.R
    return (np.abs(local[:, 0]) < pack.width_mm / 2) & (np.abs(local[:, 1]) < pack.height_mm / 2)


def trick_picture(pack: Pack, seed: int) -> tuple[Image8, dict[str, Any]]:
    """A picture of a trick of 1 to 5 cards, mostly 4, and its truth."""
    rng = np.random.default_rng([seed, 977])
    size = SIZES[int(rng.integers(len(SIZES)))]
    count = int(rng.choice([1, 2, 3, 4, 4, 4, 4, 5]))
    names = [str(n) for n in rng.permutation(sorted(pack.faces))[:count]]
    sheets = [
        Sheet(name, pack.faces[name], pack.width_mm, pack.height_mm, pack.radius_mm, place)
        for name, place in zip(names, lay_trick(pack, rng, count), strict=True)
    ]
    if pack.back is not None and rng.random() < STOCK_SHARE:
        way = rng.uniform(0.0, 2 * np.pi)
        far = 150.0 + 10.0 * count
        place = (float(far * np.cos(way)), float(far * np.sin(way)), float(rng.uniform(-180, 180)))
        sheets.insert(0, Sheet("?", pack.back, pack.width_mm, pack.height_mm, pack.radius_mm, place))
    px_per_mm = rng.uniform(1.45, 2.1)
    height_mm = size[0] * 0.85 / px_per_mm
    tilt = 8.0 if rng.random() < 0.5 else 38.0
    picture, truth, camera = render_photograph(sheets, seed, size, height_mm=float(height_mm), tilt_deg=tilt)
    poses = [CardPose.flat(*(sheet.at_mm or (0.0, 0.0, 0.0))) for sheet in sheets]
    covers = []
    for upper in range(len(sheets)):
        for lower in range(upper):
            if _shared_mm2(pack, poses[upper], poses[lower]) > 25.0:
                covers.append([sheets[upper].name, sheets[lower].name])
    truth |= {"deck": pack.name, "covers": covers, "px_per_mm": camera.px_per_mm(np.zeros(3))}
    truth["camera"] = {name: np.asarray(getattr(camera, name)).tolist() for name in ("K", "dist", "rvec", "tvec")}
    return picture, truth


def _shared_mm2(pack: Pack, a: CardPose, b: CardPose) -> float:
    one, other = (p.corners(pack.width_mm, pack.height_mm)[:, :2].astype(np.float32) for p in (a, b))
    return float(cv2.intersectConvexConvex(one.reshape(-1, 1, 2), other.reshape(-1, 1, 2))[0])


def main() -> None:
    """Writes the set: a folder of pictures for each pack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--deck", type=Path)
    parser.add_argument("--packs", type=int, default=6)
    parser.add_argument("--stills", type=int, default=4, help="of each pack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS), default="usual")
    args = parser.parse_args()
    for number in range(1 if args.deck else args.packs):
        pack = pack_of_folder(args.deck) if args.deck else drawn_pack(args.seed * 1000 + number, args.kind)
        folder = args.out / pack.name
        write_pack(pack, folder / "deck")
        for still in range(args.stills):
            seed = (args.seed * 1000 + number) * 100 + still
            picture, truth = trick_picture(pack, seed)
            name = folder / f"trick-{still:02d}"
            cv2.imwrite(str(name.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
            name.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")


if __name__ == "__main__":
    main()
