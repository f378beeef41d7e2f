"""Pictures of tables that nothing was tuned on, made when they are measured: by seeds that nobody else uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.table import Table
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable

FIRST_SEED = 7100
GAP_MM = 6.0


@dataclass(frozen=True)
class Scene:
    """Pictures of one table: `table`'s picture of the empty arena lies on disk."""

    table: Table
    pictures: tuple[Image, ...]


def scenes(kind: str, deck: Deck, folder: Path, tables: int, each: int) -> Iterator[Scene]:
    """Tables with pictures of a kind: "stills" (one to eight cards thrown), "hand" (as stills, a hand reaches in),
    "open" (four cards side by side, glossy) or "heap" (twelve, one over the other)."""
    for seed in range(FIRST_SEED, FIRST_SEED + tables):
        made = StillTable(seed, deck)
        if kind == "open":
            made.faces = type(made.faces)(deck, made.scene.camera.px_per_mm(np.zeros(3)), gloss=0.09)
        empty = folder / f"empty-{seed}.png"
        cv2.imwrite(str(empty), made.empty())
        pictures = tuple(_picture(made, kind, number) for number in range(each))
        yield Scene(replace(made.scene.table, empty=empty), pictures)


def _picture(made: StillTable, kind: str, number: int) -> Image:
    if kind in ("stills", "hand"):
        return made.still(number, hand=kind == "hand")[0]
    rng = np.random.default_rng([FIRST_SEED, number])
    names = rng.permutation([card.id for card in made.deck.cards])
    made.renderer.clear()
    for name, pose in zip(names, _side_by_side(made) if kind == "open" else _heap(rng), strict=False):
        made.renderer.lay(made.faces.face(str(name)), pose)
    made.renderer.settle()
    data = cv2.imencode(".jpg", made.renderer.picture(), [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _side_by_side(made: StillTable) -> list[CardPose]:
    step = made.deck.width_mm + GAP_MM
    fit = int(made.scene.table.arena.inner_mm[0] // step)
    return [CardPose.flat((i - (min(fit, 4) - 1) / 2) * step, 0.0, 0.0, 0.2) for i in range(min(fit, 4))]


def _heap(rng: np.random.Generator) -> list[CardPose]:
    places = rng.normal(0.0, 38.0, (12, 2)).clip(-75.0, 75.0)
    return [CardPose.flat(float(x), float(y), float(rng.uniform(0, 360)), 0.3 * i) for i, (x, y) in enumerate(places)]


def enlarged(deck: Deck, folder: Path, count: int) -> Deck:
    """The deck with faces mirrored and in other colours, so that it has `count` of them; no markers."""
    folder.mkdir(parents=True, exist_ok=True)
    cards: list[Card] = []
    for number in range(count):
        card, variant = deck.cards[number % len(deck.cards)], number // len(deck.cards)
        if variant == 0:
            cards.append(replace(card, markers=(), qr=None))
            continue
        face = cv2.imread(str(card.image))
        assert face is not None
        hsv = cv2.cvtColor(face[:, ::-1] if variant % 2 else face, cv2.COLOR_BGR2HSV)
        hsv[:, :, 0] = (hsv[:, :, 0].astype(int) + 47 * variant) % 180
        file = folder / f"{card.id}-{variant}.png"
        cv2.imwrite(str(file), cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))
        cards.append(replace(card, id=file.stem, image=file, markers=(), qr=None))
    return replace(deck, cards=tuple(cards))
