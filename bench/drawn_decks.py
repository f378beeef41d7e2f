"""Decks drawn as publishers draw them and as ours is not: dark faces, thin lines, nearly blank, full-bleed pictures.

Each is five colours of ten values, without markers, drawn at 6 px/mm. A style is a function from a colour and a value
to a picture of the face; `STYLES` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Card, Deck
from arena_cam.formats.deck_toml import save_deck
from arena_cam.simulation.rendering.textures import noise

Image8 = NDArray[np.uint8]
Bgr = tuple[int, int, int]

PX_MM = 6
COLOURS: dict[str, Bgr] = {
    "red": (48, 40, 190),
    "blue": (170, 90, 30),
    "green": (70, 130, 40),
    "yellow": (20, 165, 225),
    "violet": (140, 50, 110),
}
VALUES = range(1, 11)
PAPER, INK = (246, 249, 250), (40, 36, 34)


@dataclass(frozen=True)
class Style:
    """How a deck is drawn: its cards' size and corners, the pictures of a face and of the back, how much it shines."""

    width_mm: float
    height_mm: float
    face: Callable[[Image8, str, int], None]
    back: Callable[[Image8], None]
    gloss: float | None = None  # of the surface; None: the simulated table's own
    corner_mm: float = 3.0  # radius


def at_px(*mm: float) -> tuple[int, ...]:
    return tuple(round(value * PX_MM) for value in mm)


def disc(picture: Image8, x: float, y: float, radius: float, colour: Bgr, line_mm: float = 0.0) -> None:
    thick = -1 if line_mm == 0.0 else max(1, round(line_mm * PX_MM))
    cv2.circle(picture, at_px(x, y), round(radius * PX_MM), colour, thick, cv2.LINE_AA)


def figure(picture: Image8, text: str, x: float, y: float, high_mm: float, colour: Bgr, weight: float = 0.14) -> None:
    """A number with its middle at (x, y) mm."""
    font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, round(high_mm * weight * PX_MM))
    scale = high_mm * PX_MM / cv2.getTextSize("0", font, 1.0, 1)[0][1]
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    at = (round(x * PX_MM - wide / 2), round(y * PX_MM + high / 2))
    cv2.putText(picture, text, at, font, scale, colour, thick, cv2.LINE_AA)


def in_corners(picture: Image8, text: str, inset: tuple[float, float], high_mm: float, colour: Bgr) -> None:
    """A number in the top left corner, and upside down in the opposite one."""
    for _ in range(2):
        figure(picture, text, *inset, high_mm, colour)
        if text in ("6", "9"):
            x, y = inset[0], inset[1] + 0.85 * high_mm
            cv2.line(picture, at_px(x - high_mm / 3, y), at_px(x + high_mm / 3, y), colour, 3, cv2.LINE_AA)
        picture[:] = picture[::-1, ::-1].copy()


def mark(picture: Image8, colour: str, x: float, y: float, size: float, bgr: Bgr) -> None:
    """The colour's own shape: as many sides as its place among the colours tells, a disc for the first."""
    sides = list(COLOURS).index(colour) + 2
    if sides == 2:
        disc(picture, x, y, size / 2, bgr)
        return
    turn = 2.0 * np.pi * np.arange(sides) / sides - np.pi / 2
    corners = np.stack([x + size / 2 * np.cos(turn), y + size / 2 * np.sin(turn)], axis=1) * PX_MM
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), bgr, cv2.LINE_AA)


def size_of(picture: Image8) -> tuple[float, float]:
    return picture.shape[1] / PX_MM, picture.shape[0] / PX_MM


def even_back(colour: Bgr, frame: Bgr) -> Callable[[Image8], None]:
    def draw(picture: Image8) -> None:
        picture[:] = colour
        width, height = size_of(picture)
        cv2.rectangle(picture, at_px(4, 4), at_px(width - 4, height - 4), frame, 3, cv2.LINE_AA)

    return draw


def striped_back(first: Bgr, second: Bgr, pitch_mm: float) -> Callable[[Image8], None]:
    def draw(picture: Image8) -> None:
        rows, columns = np.indices(picture.shape[:2])
        wave = 0.5 + 0.5 * np.sin((rows + columns) * (2 * np.pi / (pitch_mm * PX_MM * 1.414)))
        picture[:] = np.array(first) + (np.array(second) - first) * wave[:, :, None]

    return draw


def _blank(picture: Image8, colour: str, value: int) -> None:
    picture[:] = PAPER
    in_corners(picture, str(value), (6.0, 7.0), 5.5, COLOURS[colour])


def _framed(picture: Image8, colour: str, value: int) -> None:
    picture[:] = (232, 240, 244)
    width, height = size_of(picture)
    cv2.rectangle(picture, at_px(5, 5), at_px(width - 5, height - 5), COLOURS[colour], 2, cv2.LINE_AA)
    figure(picture, str(value), width / 2, height / 2, 9.0, COLOURS[colour])
    if value in (6, 9):
        cv2.line(picture, at_px(width / 2 - 4, height / 2 + 7), at_px(width / 2 + 4, height / 2 + 7), INK, 3)


def _gold_arcs(picture: Image8, colour: str, value: int) -> None:
    picture[:] = (22, 20, 20)
    width, height = size_of(picture)
    gold = (90, 165, 200)
    for radius in np.arange(12.0, 60.0, 6.0):
        disc(picture, 0.0, height, float(radius), gold, 0.35)
        disc(picture, width, 0.0, float(radius), gold, 0.35)
    disc(picture, width / 2, height / 2, 10.0, (22, 20, 20))
    disc(picture, width / 2, height / 2, 10.0, COLOURS[colour], 0.8)
    figure(picture, str(value), width / 2, height / 2, 8.0, COLOURS[colour])
    if value in (6, 9):
        cv2.line(
            picture, at_px(width / 2 - 3, height / 2 + 6), at_px(width / 2 + 3, height / 2 + 6), COLOURS[colour], 4
        )


def _full_bleed(picture: Image8, colour: str, value: int) -> None:
    rng = np.random.default_rng(list(COLOURS).index(colour) + 5)
    shape = picture.shape[:2]
    base, other = np.array(COLOURS[colour], float), rng.uniform(20, 235, 3)
    hills = noise(rng, shape, (160, 120), 5)[:, :, None]
    clouds = noise(rng, shape, (70, 30), 4)[:, :, None]
    tone = base + (other - base) * (0.5 + 0.5 * np.tanh(2.0 * hills)) + 26.0 * clouds
    picture[:] = np.clip(tone, 0, 255)
    for x, y in ((11.0, 12.0), (size_of(picture)[0] - 11.0, size_of(picture)[1] - 12.0)):
        disc(picture, x, y, 7.0, (240, 244, 246))
    in_corners(picture, str(value), (11.0, 12.0), 6.0, INK)


_PLACES = [(0.5, 0.5), (0.3, 0.25), (0.7, 0.75), (0.7, 0.25), (0.3, 0.75), (0.3, 0.5), (0.7, 0.5), (0.5, 0.375)]
_PLACES += [(0.5, 0.625), (0.5, 0.2)]


def _pips(picture: Image8, colour: str, value: int) -> None:
    picture[:] = (236, 242, 245)
    width, height = size_of(picture)
    for u, v in _PLACES[:value]:
        mark(picture, colour, u * width, v * height, 11.0, COLOURS[colour])


def _stripes(picture: Image8, colour: str, value: int) -> None:
    columns = np.arange(picture.shape[1])
    wave = 0.5 + 0.5 * np.sin(columns * (2 * np.pi / (1.4 * PX_MM)))
    ink = np.array(COLOURS[colour], float)
    picture[:] = (ink + (np.array(PAPER) - ink) * (0.35 + 0.4 * wave)[:, None])[None]
    width, height = size_of(picture)
    disc(picture, width / 2, height / 2, 12.0, PAPER)
    figure(picture, str(value), width / 2, height / 2, 11.0, COLOURS[colour])
    if value in (6, 9):
        cv2.line(picture, at_px(width / 2 - 4, height / 2 + 8), at_px(width / 2 + 4, height / 2 + 8), INK, 4)


def _line_art(picture: Image8, colour: str, value: int) -> None:
    picture[:] = PAPER
    width, height = size_of(picture)
    at = np.linspace(0.0, 2.0 * np.pi, 400)
    petals, turn = value + 2, 0.3 * list(COLOURS).index(colour)
    for ring in (1.0, 0.62):
        radius = 22.0 * ring * (0.72 + 0.28 * np.cos(petals * at + turn))
        curve = np.stack([width / 2 + radius * np.cos(at), height / 2 + radius * np.sin(at)], axis=1) * PX_MM
        cv2.polylines(picture, [np.round(curve).astype(np.int32)], True, COLOURS[colour], 2, cv2.LINE_AA)
    in_corners(picture, str(value), (6.5, 7.5), 4.5, COLOURS[colour])


def _all_alike(picture: Image8, colour: str, value: int) -> None:
    picture[:] = (150, 168, 176)
    width, height = size_of(picture)
    for inset in (3.0, 5.0, 7.0):
        cv2.rectangle(
            picture, at_px(inset, inset), at_px(width - inset, height - inset), (96, 108, 116), 3, cv2.LINE_AA
        )
    for x in np.arange(12.0, width - 10.0, 7.0):
        for y in (14.0, height - 14.0):
            disc(picture, float(x), y, 2.2, (96, 108, 116), 0.4)
    figure(picture, str(value), width / 2, height / 2, 9.0, COLOURS[colour])
    if value in (6, 9):
        cv2.line(
            picture, at_px(width / 2 - 4, height / 2 + 7), at_px(width / 2 + 4, height / 2 + 7), COLOURS[colour], 4
        )


def _foil(picture: Image8, colour: str, value: int) -> None:
    width, height = size_of(picture)
    rows = np.linspace(-1.0, 1.0, picture.shape[0])[:, None]
    picture[:] = np.clip(np.array((120, 140, 148)) + 26.0 * np.cos(3.0 * rows)[:, :, None], 0, 255)
    for size in (34.0, 27.0, 20.0):
        mark(picture, colour, width / 2, height / 2, size, COLOURS[colour] if size in (34.0, 20.0) else (190, 205, 210))
    in_corners(picture, str(value), (7.0, 8.0), 6.0, INK)


def _night(picture: Image8, colour: str, value: int) -> None:
    """Black to the edge; hair-thin gold arcs about one corner and a small figure in two."""
    picture[:] = (16, 14, 14)
    gold = (70, 150, 190)
    for radius in np.arange(20.0, 100.0, 9.0):
        disc(picture, 0.0, 0.0, float(radius), gold, 0.25)
    in_corners(picture, str(value), (8.0, 9.0), 5.0, COLOURS[colour])
    width, height = size_of(picture)
    mark(picture, colour, width / 2, height / 2, 9.0, COLOURS[colour])


def _bubble(picture: Image8, colour: str, value: int) -> None:
    """One big picture a colour to the edge, and the figure once, in a speech bubble."""
    rng = np.random.default_rng(list(COLOURS).index(colour) + 40)
    shape, (width, height) = picture.shape[:2], size_of(picture)
    base, sky = np.array(COLOURS[colour], float), rng.uniform(120, 235, 3)
    hills = noise(rng, shape, (220, 90), 4)[:, :, None]
    rows = np.linspace(0.0, 1.0, shape[0])[:, None, None]
    picture[:] = np.clip(sky + (base - sky) * (0.5 + 0.5 * np.tanh(6.0 * (rows - 0.55) + 2.0 * hills)), 0, 255)
    for _ in range(6):
        x, y = rng.uniform(0.1, 0.9) * width, rng.uniform(0.45, 0.95) * height
        blue, green, red = (int(value) for value in rng.uniform(20, 220, 3))
        mark(picture, colour, x, y, float(rng.uniform(8.0, 20.0)), (blue, green, red))
    disc(picture, 0.66 * width, 0.22 * height, 9.0, (244, 247, 248))
    tail = np.array([[0.56, 0.29], [0.62, 0.31], [0.50, 0.42]]) * (width, height) * PX_MM
    cv2.fillConvexPoly(picture, np.round(tail).astype(np.int32), (244, 247, 248), cv2.LINE_AA)
    figure(picture, str(value), 0.66 * width, 0.22 * height, 8.0, INK)
    if value in (6, 9):
        cv2.line(
            picture, at_px(0.66 * width - 3, 0.22 * height + 6), at_px(0.66 * width + 3, 0.22 * height + 6), INK, 3
        )


STYLES: dict[str, Style] = {
    "blank": Style(63, 88, _blank, even_back((205, 190, 170), (205, 190, 170))),
    "framed": Style(59, 91, _framed, striped_back((150, 90, 60), (225, 205, 190), 1.6)),
    "gold-arcs": Style(63, 88, _gold_arcs, even_back((22, 20, 20), (90, 165, 200))),
    "full-bleed": Style(70, 70, _full_bleed, even_back((60, 60, 140), (200, 200, 230))),
    "pips-too": Style(57, 89, _pips, striped_back((60, 50, 150), (225, 225, 235), 1.1)),
    "stripes": Style(63, 88, _stripes, striped_back((70, 110, 40), (215, 230, 210), 2.0)),
    "line-art": Style(63, 100, _line_art, even_back((90, 120, 60), (190, 215, 170))),
    "all-alike": Style(63, 88, _all_alike, even_back((150, 168, 176), (96, 108, 116))),
    "night": Style(63, 88, _night, even_back((16, 14, 14), (70, 150, 190))),
    "bubble": Style(63, 88, _bubble, striped_back((120, 80, 30), (230, 215, 190), 2.4)),
    "foil": Style(63, 88, _foil, even_back((120, 120, 130), (200, 205, 210)), gloss=0.28),
}


def draw_deck(name: str, style: Style, folder: Path) -> Deck:
    """Draws the deck of a style into a new folder, deck.toml included."""
    folder.mkdir(parents=True)
    shape = (round(style.height_mm * PX_MM), round(style.width_mm * PX_MM), 3)
    cards = []
    for colour in COLOURS:
        for value in VALUES:
            picture = np.zeros(shape, np.uint8)
            style.face(picture, colour, value)
            file = folder / f"{colour}-{value}.png"
            cv2.imwrite(str(file), picture)
            cards.append(Card(file.stem, file, colour, value))
    picture = np.zeros(shape, np.uint8)
    style.back(picture)
    back = folder / "back.png"
    cv2.imwrite(str(back), picture)
    deck = Deck(name, style.width_mm, style.height_mm, style.corner_mm, tuple(cards), back)
    save_deck(folder, deck)
    return deck
