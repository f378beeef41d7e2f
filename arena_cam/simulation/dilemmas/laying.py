"""Random tables of dilemmas as people lay them: the places of cards, tokens and discs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import CardKind, DilemmaSet

Floats = NDArray[np.float64]
Place = tuple[float, float, float]  # x, y in mm, turn in degrees, anticlockwise seen from above, y away from the viewer

DISC_REACH_MM = (3.0, 22.0)  # between an owner's disc and its cards
STYLES = ("side", "below", "fan", "apart")
# Of a token: people guess what one of which less is seen is. What stands before it hides some more in a picture from
# aside.
LEAST_SEEN = 0.42
SPARE_MM, DISC_MM = (28.0, 75.0), 12.0  # between what lies for one dilemma and for the next; about a disc's middle


@dataclass(frozen=True)
class LaidPiece:
    """A card, token or disc: its `name` in the set, and where it lies."""

    name: str
    at_mm: Place


@dataclass(frozen=True)
class LaidDilemma:
    """A dilemma's cards and tokens, bottom to top, and its owner's disc."""

    cards: tuple[LaidPiece, ...]
    tokens: tuple[LaidPiece, ...]
    hidden_names: tuple[str, ...]  # tokens shown face down, in the order of `tokens`; "" where it lies face up
    owner: LaidPiece | None


def random_table(dilemma_set: DilemmaSet, rng: np.random.Generator, dilemmas: int) -> list[LaidDilemma]:
    """So many dilemmas that do not touch each other, in rows as players sit."""
    drawn = {
        kind: list(rng.permutation([card.id for card in dilemma_set.cards if card.kind is kind])) for kind in CardKind
    }
    colours = list(rng.permutation([owner.name for owner in dilemma_set.owners]))
    discs = len(colours) and rng.random() < 0.6
    table = []
    for _ in range(dilemmas):
        names = [str(drawn[kind].pop()) for kind in (CardKind.POSITIVE, CardKind.NEGATIVE)]
        if drawn[CardKind.NEUTRAL] and rng.random() < 0.2:
            names.append(str(drawn[CardKind.NEUTRAL].pop()))
        owner = str(colours.pop()) if discs and colours and rng.random() < 0.95 else None
        table.append(_dilemma(dilemma_set, names, owner, np.zeros(2), rng))
    return _in_rows(table, (dilemma_set.width_mm, dilemma_set.height_mm), rng)


def _in_rows(table: Sequence[LaidDilemma], size_mm: tuple[float, float], rng: np.random.Generator) -> list[LaidDilemma]:
    """The dilemmas in rows of three, each clear of its neighbours, the table's middle at 0."""
    boxes = [_box(each, size_mm) for each in table]
    shifts: list[Floats] = []
    top = 0.0
    for first in range(0, len(table), 3):
        row = boxes[first : first + 3]
        gaps = rng.uniform(*SPARE_MM, len(row))
        lefts = np.cumsum([0.0, *(float(high[0] - low[0] + gap) for (low, high), gap in zip(row, gaps, strict=True))])
        lefts -= lefts[-1] / 2
        tall = max(float(high[1] - low[1]) for low, high in row)
        for left, (low, high) in zip(lefts[:-1], row, strict=True):
            shifts.append(np.array([left - low[0], top - (tall + high[1] - low[1]) / 2 - low[1]]))
        top -= tall + float(rng.uniform(*SPARE_MM))
    return [_moved(each, shift - np.array([0.0, top / 2])) for each, shift in zip(table, shifts, strict=True)]


def _box(dilemma: LaidDilemma, size_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """The least and greatest x and y of what lies there."""
    points = np.concatenate([corners_mm(card.at_mm, size_mm) for card in dilemma.cards])
    if dilemma.owner is not None:
        points = np.concatenate([points, np.array(dilemma.owner.at_mm[:2]) + DISC_MM * np.array([[-1, -1], [1, 1]])])
    return points.min(axis=0), points.max(axis=0)


def _moved(dilemma: LaidDilemma, shift: Floats) -> LaidDilemma:
    def there(piece: LaidPiece) -> LaidPiece:
        x, y, turn = piece.at_mm
        return LaidPiece(piece.name, (x + float(shift[0]), y + float(shift[1]), turn))

    owner = there(dilemma.owner) if dilemma.owner is not None else None
    return LaidDilemma(tuple(map(there, dilemma.cards)), tuple(map(there, dilemma.tokens)), dilemma.hidden_names, owner)


def _dilemma(
    dilemma_set: DilemmaSet, names: Sequence[str], owner: str | None, middle: Floats, rng: np.random.Generator
) -> LaidDilemma:
    size = (dilemma_set.width_mm, dilemma_set.height_mm)
    cards = _cards(names, size, middle, rng)
    outlines = [corners_mm(card.at_mm, size) for card in cards]
    tokens, hidden = _tokens(dilemma_set, outlines, rng)
    disc = None
    if owner is not None:
        radius = next(each.diameter_mm for each in dilemma_set.owners if each.name == owner) / 2
        disc = LaidPiece(owner, (*_beside(outlines, middle, radius, rng), float(rng.uniform(0, 360))))
    return LaidDilemma(cards, tokens, hidden, disc)


def _cards(
    names: Sequence[str], size_mm: tuple[float, float], middle: Floats, rng: np.random.Generator
) -> tuple[LaidPiece, ...]:
    """Side by side, one over the other, fanned, or a little apart; in any order of laying."""
    width, height = size_mm
    style, turn = str(rng.choice(STYLES)), float(rng.uniform(-180, 180))
    step = {
        "side": (width + rng.uniform(-12, 4), rng.uniform(-10, 10), 0.0),
        "below": (rng.uniform(-8, 8), -rng.uniform(0.45, 0.9) * height, 0.0),
        "fan": (width * rng.uniform(0.5, 0.9), rng.uniform(-8, 8), rng.uniform(-25, 25)),
        "apart": (width + rng.uniform(2, 10), rng.uniform(-15, 15), 0.0),
    }[style]
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    pieces = []
    for k, name in enumerate(names):
        x, y = np.array([[c, -s], [s, c]]) @ ((k - (len(names) - 1) / 2) * np.array(step[:2])) + middle
        upside = 180.0 if rng.random() < 0.1 else 0.0
        pieces.append(LaidPiece(name, (float(x), float(y), turn + k * step[2] + float(rng.uniform(-4, 4)) + upside)))
    return tuple(pieces[k] for k in rng.permutation(len(pieces)))


def _tokens(
    dilemma_set: DilemmaSet, outlines: Sequence[Floats], rng: np.random.Generator
) -> tuple[tuple[LaidPiece, ...], tuple[str, ...]]:
    """Two to eight tokens, each wholly or mostly on the cards, every third askew on another; all can be told."""
    kinds = [disc.name for disc in dilemma_set.tokens if disc.name != "back"]
    weights = np.array([0.08 if kind.startswith("super") else 0.42 for kind in kinds])
    radius = dilemma_set.tokens[0].diameter_mm / 2
    low, high = np.concatenate(outlines).min(axis=0), np.concatenate(outlines).max(axis=0)
    pieces: list[LaidPiece] = []
    hidden = []
    for _ in range(int(rng.integers(2, 9))):
        for _ in range(200):
            at = rng.uniform(low, high)
            if pieces and rng.random() < 0.35:
                way = rng.uniform(0, 2 * np.pi)
                last = np.array(pieces[int(rng.integers(len(pieces)))].at_mm[:2])
                at = last + radius * rng.uniform(0.7, 1.5) * np.array([np.cos(way), np.sin(way)])
            if _share(at, radius, outlines) > 0.8 and all(
                share > LEAST_SEEN for share in _seen([*(np.array(p.at_mm[:2]) for p in pieces), at], radius)
            ):
                kind = str(rng.choice(kinds, p=weights / weights.sum()))
                pieces.append(LaidPiece(kind, (float(at[0]), float(at[1]), float(rng.uniform(0, 360)))))
                hidden.append("back" if rng.random() < 0.07 else "")
                break
    return tuple(pieces), tuple(hidden)


def _seen(middles: Sequence[Floats], radius: float) -> list[float]:
    """Of each disc of a stack, bottom to top, the share of its face that no later one covers."""
    grid = np.linspace(-radius, radius, 15)
    face = np.array([[x, y] for x in grid for y in grid if np.hypot(x, y) <= radius])
    above = [np.array(middles[k + 1 :]).reshape(-1, 1, 2) for k in range(len(middles))]
    return [
        float((np.linalg.norm(face + middle - others, axis=2) > radius).all(axis=0).mean())
        for middle, others in zip(middles, above, strict=True)
    ]


def _beside(
    outlines: Sequence[Floats], middle: Floats, radius_mm: float, rng: np.random.Generator
) -> tuple[float, float]:
    """A place for a disc that touches no card and is near them."""
    for _ in range(500):
        way, away = rng.uniform(0, 2 * np.pi), rng.uniform(30, 160)
        at = middle + away * np.array([np.cos(way), np.sin(way)])
        gap = min(outside_mm(at, outline) for outline in outlines) - radius_mm
        if DISC_REACH_MM[0] < gap < DISC_REACH_MM[1]:
            return float(at[0]), float(at[1])
    return float(middle[0]), float(middle[1] - 150.0)


def corners_mm(at_mm: Place, size_mm: tuple[float, float]) -> Floats:
    """A card's corners (4, 2): upper left, upper right, lower right, lower left of its print."""
    w, h = size_mm[0] / 2, size_mm[1] / 2
    c, s = np.cos(np.radians(at_mm[2])), np.sin(np.radians(at_mm[2]))
    corners = np.array([[-w, h], [w, h], [w, -h], [-w, -h]])
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + np.array(at_mm[:2]))


def outside_mm(at: Floats, outline: Floats) -> float:
    """The distance of a point from a convex outline (M, 2); negative inside."""
    return -cv2.pointPolygonTest(outline.astype(np.float32), (float(at[0]), float(at[1])), True)


def _share(at: Floats, radius_mm: float, outlines: Sequence[Floats]) -> float:
    """The share of a disc that lies on cards."""
    grid = np.linspace(-1, 1, 9)
    points = [at + radius_mm * np.array([x, y]) for x in grid for y in grid if x * x + y * y <= 1.0]
    return float(np.mean([any(outside_mm(p, outline) <= 0 for outline in outlines) for p in points]))
