"""Ten more decks, each drawn by another idea: kraft paper, Roman numerals, textures, tallies, dials, glowing tubes.

Nothing in the eye was made with them: they tell whether what it learned from the other drawn decks holds beside these.
"""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.simulation.rendering.textures import noise
from bench.drawn_decks import (
    COLOURS,
    INK,
    Image8,
    Style,
    at_px,
    disc,
    even_back,
    figure,
    in_corners,
    size_of,
    striped_back,
)

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def _seeded(colour: str, value: int, style: int) -> np.random.Generator:
    return np.random.default_rng([list(COLOURS).index(colour), value, style])


def _kraft(picture: Image8, colour: str, value: int) -> None:
    """Brown paper; a brush stroke of the colour near one end, the value in one corner only."""
    rng = _seeded(colour, 0, 41)
    picture[:] = (118, 158, 188)
    picture[:] = np.clip(picture + 5.0 * noise(rng, picture.shape[:2], (12, 40), 3)[:, :, None], 0, 255)
    width, height = size_of(picture)
    for line in range(9):
        y = 0.72 * height + 1.3 * line + float(rng.uniform(-0.4, 0.4))
        first, last = 8 + float(rng.uniform(-3, 3)), width - 8 + float(rng.uniform(-3, 3))
        cv2.line(picture, at_px(first, y), at_px(last, y - 3.0), COLOURS[colour], 6, cv2.LINE_AA)
    figure(picture, str(value), 12.0, 14.0, 10.0, INK)
    if value in (6, 9):
        cv2.line(picture, at_px(8, 22), at_px(16, 22), INK, 4, cv2.LINE_AA)


def _roman(picture: Image8, colour: str, value: int) -> None:
    """Cream, a double frame, the value as a Roman numeral."""
    picture[:] = (214, 236, 244)
    width, height = size_of(picture)
    for inset in (3.5, 5.0):
        cv2.rectangle(picture, at_px(inset, inset), at_px(width - inset, height - inset), INK, 2, cv2.LINE_AA)
    figure(picture, _ROMAN[value - 1], width / 2, 0.42 * height, 11.0, COLOURS[colour])
    cv2.line(picture, at_px(14, 0.58 * height), at_px(width - 14, 0.58 * height), INK, 2, cv2.LINE_AA)
    figure(picture, colour.upper(), width / 2, 0.66 * height, 3.4, INK)


def _texture(picture: Image8, colour: str, value: int) -> None:
    """A full-bleed texture in the colour's hue; the value in a small white disc."""
    rng = _seeded(colour, value, 43)
    grain = noise(rng, picture.shape[:2], (60, 60), 4) + 0.6 * noise(rng, picture.shape[:2], (14, 30), 3)
    picture[:] = np.clip(np.array(COLOURS[colour]) + 22.0 * grain[:, :, None] + 18.0, 0, 255)
    width, height = size_of(picture)
    disc(picture, width - 11, height - 11, 6.5, (250, 250, 250))
    figure(picture, str(value), width - 11, height - 11, 6.5, INK)
    if value in (6, 9):
        cv2.line(picture, at_px(width - 13, height - 6), at_px(width - 9, height - 6), INK, 3, cv2.LINE_AA)


def _poster(picture: Image8, colour: str, value: int) -> None:
    """A small card in one flat colour, the value as large as fits."""
    picture[:] = COLOURS[colour]
    width, height = size_of(picture)
    figure(picture, str(value), width / 2, height / 2, 24.0 if value < 10 else 16.0, (245, 248, 248), 0.2)
    if value in (6, 9):
        cv2.line(picture, at_px(10, height - 10), at_px(width - 10, height - 10), (245, 248, 248), 8, cv2.LINE_AA)


def _tally(picture: Image8, colour: str, value: int) -> None:
    """Strokes to be counted, the fifth across the four before it; a disc of the colour at one end."""
    picture[:] = (238, 242, 240)
    width, height = size_of(picture)
    for stroke in range(value):
        row, place = divmod(stroke, 5)
        x, y = 14.0 + 7.0 * place, 16.0 + 24.0 * row
        ends = ((x, y), (x, y + 16)) if place < 4 else ((10.0, y + 13), (40.0, y + 3))
        cv2.line(picture, at_px(*ends[0]), at_px(*ends[1]), INK, 7, cv2.LINE_AA)
    disc(picture, width / 2, height - 16, 8.0, COLOURS[colour])


def _dial(picture: Image8, colour: str, value: int) -> None:
    """A ring of ten dots, as many of them filled as the value says."""
    picture[:] = (252, 246, 240)
    width, height = size_of(picture)
    for dot in range(10):
        turn = 2 * np.pi * dot / 10 - np.pi / 2
        x, y = width / 2 + 21 * np.cos(turn), height / 2 + 21 * np.sin(turn)
        disc(picture, x, y, 4.2, COLOURS[colour], 0.0 if dot < value else 0.7)
    cv2.line(picture, at_px(width / 2, height / 2), at_px(width / 2, height / 2 - 13), INK, 5, cv2.LINE_AA)


def _sideways(picture: Image8, colour: str, value: int) -> None:
    """Print that is read with the card on its side: a band of the colour, the value, three rules."""
    lying = np.ascontiguousarray(picture.transpose(1, 0, 2))
    lying[:] = (240, 244, 246)
    width, height = size_of(lying)
    cv2.rectangle(lying, (0, 0), at_px(0.28 * width, height), COLOURS[colour], -1)
    figure(lying, str(value), 0.14 * width, height / 2, 12.0, (248, 248, 248))
    if value in (6, 9):
        cv2.line(lying, at_px(0.09 * width, 0.68 * height), at_px(0.19 * width, 0.68 * height), (248, 248, 248), 4)
    for rule in (0.3, 0.5, 0.7):
        cv2.line(lying, at_px(0.36 * width, rule * height), at_px(0.92 * width, rule * height), INK, 2, cv2.LINE_AA)
    picture[:] = lying.transpose(1, 0, 2)


def _watercolour(picture: Image8, colour: str, value: int) -> None:
    """A soft wash of the colour on rough paper, a thin grey value in two corners."""
    rng = _seeded(colour, value, 48)
    picture[:] = (236, 242, 244)
    height, width = picture.shape[:2]
    wash = np.zeros((height, width), np.float32)
    for _ in range(6):
        middle = (int(rng.uniform(0.25, 0.75) * width), int(rng.uniform(0.25, 0.75) * height))
        cv2.circle(wash, middle, int(rng.uniform(0.12, 0.26) * width), 1.0, -1)
    wash = cv2.GaussianBlur(wash, (0, 0), 14) * (0.8 + 0.15 * noise(rng, (height, width), (40, 40), 3))
    wash = np.clip(wash, 0, 1)[:, :, None]
    picture[:] = np.clip((1 - wash) * picture + wash * np.array(COLOURS[colour]), 0, 255)
    in_corners(picture, str(value), (7.0, 8.0), 6.0, (120, 116, 112))


def _neon(picture: Image8, colour: str, value: int) -> None:
    """Dark blue; the value as a glowing tube in the colour."""
    picture[:] = (52, 26, 18)
    width, height = size_of(picture)
    glow = np.zeros_like(picture)
    bright = tuple(int(50 + 0.9 * part) for part in COLOURS[colour])
    figure(
        glow, str(value), width / 2, height / 2, 22.0 if value < 10 else 17.0, (bright[0], bright[1], bright[2]), 0.08
    )
    if value in (6, 9):
        cv2.line(glow, at_px(18, height - 20), at_px(width - 18, height - 20), bright, 6, cv2.LINE_AA)
    soft = cv2.GaussianBlur(glow, (0, 0), 10)
    picture[:] = np.clip(np.maximum(picture + 0.6 * soft.astype(np.float32), glow), 0, 255)


def _mosaic(picture: Image8, colour: str, value: int) -> None:
    """A mirrored pattern of squares of its own for each card in two inks; the value in a corner."""
    rng = _seeded(colour, value, 50)
    picture[:] = (244, 244, 238)
    side, columns, rows = 6.0, 7, 11
    half = rng.random((rows, columns // 2 + 1)) < 0.5
    for row in range(rows):
        for column in range(columns):
            if half[row, min(column, columns - 1 - column)]:
                x, y = 10.5 + side * column, 15.0 + side * row
                ink = COLOURS[colour] if (row + column) % 2 else tuple(int(0.6 * part) for part in COLOURS[colour])
                cv2.rectangle(picture, at_px(x, y), at_px(x + side, y + side), ink, -1)
    in_corners(picture, str(value), (6.0, 7.5), 5.5, INK)


VARIED_STYLES: dict[str, Style] = {
    "kraft": Style(63, 88, _kraft, even_back((110, 150, 180), (60, 80, 96))),
    "roman": Style(62, 94, _roman, striped_back((40, 60, 120), (170, 200, 226), 1.5)),
    "texture": Style(68, 68, _texture, even_back((40, 40, 44), (200, 200, 200))),
    "poster": Style(44, 67, _poster, even_back((90, 90, 96), (240, 240, 240))),
    "tally": Style(54, 86, _tally, striped_back((150, 120, 40), (230, 226, 200), 2.2)),
    "dial": Style(63, 88, _dial, even_back((60, 120, 60), (230, 240, 230))),
    "sideways": Style(59, 92, _sideways, even_back((170, 160, 150), (60, 60, 60))),
    "watercolour": Style(70, 110, _watercolour, even_back((190, 180, 160), (120, 100, 80))),
    "neon": Style(63, 88, _neon, striped_back((52, 26, 18), (120, 70, 50), 3.0), gloss=0.2),
    "mosaic": Style(63, 96, _mosaic, even_back((60, 30, 90), (220, 200, 230))),
}
