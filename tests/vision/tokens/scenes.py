"""A small set of cards and tokens, and a table laid with them as seen from straight above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import CardKind, DilemmaCard, DilemmaSet, Disc
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.top_view import TopView

WORDS = {
    "p-1": "You sing well",
    "p-2": "Cats obey you",
    "n-1": "but only green",
    "n-2": "but it snows",
    "x-1": "and so on",
}
KINDS = {"p": CardKind.POSITIVE, "n": CardKind.NEGATIVE, "x": CardKind.NEUTRAL}
BANDS = {"p": (60, 150, 40), "n": (50, 50, 200), "x": (180, 100, 40)}
TOKENS = {"yes": (70, 160, 50), "no": (50, 50, 210), "back": (150, 145, 140)}
SIZE_MM, RADIUS_MM, PX_PER_MM = (60.0, 90.0), 12.0, 3.0
Place = tuple[float, float, float]


@cache
def small_set() -> DilemmaSet:
    """Five cards, three tokens and a red disc, drawn into a folder that goes with the process."""
    folder = Path(mkdtemp())
    for name, words in WORDS.items():
        cv2.imwrite(str(folder / f"{name}.png"), _face(name, words))
    for kind, colour in (*TOKENS.items(), ("red", (40, 40, 190))):
        cv2.imwrite(str(folder / f"{kind}.png"), _token(kind, colour))
    cards = tuple(DilemmaCard(name, KINDS[name[0]], folder / f"{name}.png") for name in WORDS)
    tokens = tuple(Disc(kind, 2 * RADIUS_MM, folder / f"{kind}.png") for kind in TOKENS)
    return DilemmaSet("small", *SIZE_MM, 3.0, cards, tokens, (Disc("red", 18.0, folder / "red.png"),))


@cache
def small_prints() -> SetPrints:
    return SetPrints(small_set())


def _face(name: str, words: str) -> NDArray[np.uint8]:
    face = np.full((900, 600, 3), 245, np.uint8)
    cv2.rectangle(face, (0, 0), (600, 170), BANDS[name[0]], -1)
    for k, word in enumerate([*words.split(), name]):
        cv2.putText(face, word, (60, 290 + 110 * k), cv2.FONT_HERSHEY_DUPLEX, 3.0, (30, 30, 30), 8)
    rng = np.random.default_rng(sum(map(ord, words)))
    for x, y, r in rng.integers([60, 640, 20], [540, 860, 60], (7, 3)):
        cv2.circle(face, (int(x), int(y)), int(r), BANDS[name[0]], 9)
    return face


def _token(kind: str, colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    token = np.full((240, 240, 4), 255, np.uint8)
    token[:, :, :3] = colour
    cv2.circle(token, (120, 120), 105, tuple(c // 2 for c in colour), 12)
    cv2.putText(token, kind[:3].upper(), (45, 145), cv2.FONT_HERSHEY_DUPLEX, 2.3, (250, 250, 250), 9)
    y, x = np.mgrid[:240, :240] - 119.5
    token[:, :, 3] = np.where(np.hypot(x, y) < 120, 255, 0)
    return token


def laid(
    cards: Sequence[tuple[str, Place]], tokens: Sequence[tuple[str, Place]] = (), size_mm: tuple[int, int] = (300, 220)
) -> NDArray[np.uint8]:
    """A picture at PX_PER_MM of a woven table with cards and tokens at (x mm, y mm, turn in rad), in that order."""
    rng = np.random.default_rng(5)
    picture = np.full((round(size_mm[1] * PX_PER_MM), round(size_mm[0] * PX_PER_MM), 3), (90, 110, 120), np.uint8)
    picture += rng.integers(0, 9, picture.shape, dtype=np.uint8)
    files = {card.id: card.image for card in small_set().cards}
    discs = {disc.name: disc for disc in (*small_set().tokens, *small_set().owners)}
    for name, place in cards:
        _paste(picture, np.asarray(cv2.imread(str(files[name])), np.uint8), SIZE_MM, place)
    for name, place in tokens:
        side = discs[name].diameter_mm
        _paste(picture, np.asarray(cv2.imread(str(discs[name].image), -1), np.uint8), (side, side), place)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def _paste(picture: NDArray[np.uint8], image: NDArray[np.uint8], size_mm: tuple[float, float], place: Place) -> None:
    small = cv2.resize(image, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    step = size_mm[0] / small.shape[1]
    c, s = math.cos(place[2]), math.sin(place[2])
    linear = np.array([[c, -s], [s, c]]) * step * PX_PER_MM
    middle = np.array(small.shape[1::-1]) / 2 - 0.5
    affine = np.column_stack([linear, np.array(place[:2]) * PX_PER_MM - linear @ middle])
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * small.shape[1::-1] @ linear.T + affine[:, 2]
    left, top = np.maximum(corners.min(axis=0).astype(int) - 2, 0)
    right, bottom = np.minimum(corners.max(axis=0).astype(int) + 3, picture.shape[1::-1])
    if left >= right or top >= bottom:
        return
    affine[:, 2] -= (left, top)
    part, size = picture[top:bottom, left:right], (int(right - left), int(bottom - top))
    there = cv2.warpAffine(np.ascontiguousarray(small[:, :, :3]), affine, size)
    opacity = small[:, :, 3] if small.shape[2] == 4 else np.full(small.shape[:2], 255, np.uint8)
    share = cv2.warpAffine(opacity, affine, size)[:, :, None] / 255.0
    part[:] = np.round(part * (1 - share) + there * share).astype(np.uint8)


def view_of(picture: NDArray[np.uint8]) -> TopView:
    """The picture as a top view whose origin is its upper left corner."""
    return TopView(picture.astype(np.float32), np.ones(picture.shape[:2], bool), np.zeros(2), PX_PER_MM)


def plain_light(mm: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.ones((len(mm), 3)), np.zeros((len(mm), 3))
