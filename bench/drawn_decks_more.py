"""Decks drawn unlike ours and those of `bench.drawn_decks`: dark as photographs, in grey hairlines, of one colour.

The same five colours of ten values; each style is a function from a colour and a value to the picture of a face.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from arena_cam.simulation.rendering.textures import noise
from bench.drawn_decks import (
    COLOURS,
    INK,
    PAPER,
    PX_MM,
    STYLES,
    Bgr,
    Image8,
    Style,
    at_px,
    disc,
    even_back,
    figure,
    in_corners,
    mark,
    size_of,
    striped_back,
)


def _dusk(picture: Image8, colour: str, value: int) -> None:
    """A dark picture to the edge, of its own for each card; a tiny figure in two corners tells the value."""
    rng = np.random.default_rng([list(COLOURS).index(colour), value, 77])
    shape = picture.shape[:2]
    tint = 0.25 * np.array(COLOURS[colour], float)
    far = noise(rng, shape, (150, 200), 6)[:, :, None]
    fine = noise(rng, shape, (30, 30), 4)[:, :, None]
    rows = np.linspace(0.0, 1.0, shape[0])[:, None, None]
    picture[:] = np.clip(26.0 + tint * (1.2 - rows) + 22.0 * far + 9.0 * fine, 4, 160)
    in_corners(picture, str(value), (4.5, 5.5), 3.6, (190, 205, 210))


def _hairlines(picture: Image8, colour: str, value: int) -> None:
    """White paper ruled with pale grey hairlines; a small figure and its mark in two corners."""
    picture[:] = PAPER
    width, height = size_of(picture)
    for y in np.arange(16.0, height - 14.0, 5.0):
        cv2.line(picture, at_px(9, float(y)), at_px(width - 9, float(y)), (196, 200, 202), 1, cv2.LINE_AA)
    cv2.rectangle(picture, at_px(6, 13), at_px(width - 6, height - 13), (170, 174, 176), 1, cv2.LINE_AA)
    in_corners(picture, str(value), (6.0, 6.5), 4.6, COLOURS[colour])
    for x, y in ((width - 7.0, 6.5), (7.0, height - 6.5)):
        mark(picture, colour, x, y, 5.0, COLOURS[colour])


def _one_ink(picture: Image8, colour: str, value: int) -> None:
    """One saturated colour to the edge, alike in all its cards but for one large numeral in a paler shade."""
    ink = np.array(COLOURS[colour], float)
    picture[:] = ink
    width, height = size_of(picture)
    blue, green, red = (int(v) for v in ink + 0.55 * (255.0 - ink))
    pale: Bgr = (blue, green, red)
    figure(picture, str(value), width / 2, height / 2, 20.0, pale)
    if value in (6, 9):
        cv2.line(picture, at_px(width / 2 - 8, height / 2 + 14), at_px(width / 2 + 8, height / 2 + 14), pale, 8)


def _woven_back(first: Bgr, second: Bgr, pitch_mm: float) -> Callable[[Image8], None]:
    def draw(picture: Image8) -> None:
        rows, columns = (value // round(pitch_mm * PX_MM) for value in np.indices(picture.shape[:2]))
        over = ((rows + columns) % 2 == 0)[:, :, None]
        picture[:] = np.where(over, np.array(first), np.array(second))
        width, height = size_of(picture)
        cv2.rectangle(picture, at_px(0, 0), at_px(width, height), PAPER, round(6 * PX_MM))

    return draw


def _heraldry(picture: Image8, colour: str, value: int) -> None:
    """A cream field quartered in the colour in a border of even grey: symmetric but for a banner with the value."""
    picture[:] = (120, 124, 126)
    width, height = size_of(picture)
    ink = COLOURS[colour]
    cv2.rectangle(picture, at_px(4, 4), at_px(width - 4, height - 4), (205, 226, 236), -1)
    cv2.rectangle(picture, at_px(4, 4), at_px(width / 2, height / 2), ink, -1)
    cv2.rectangle(picture, at_px(width / 2, height / 2), at_px(width - 4, height - 4), ink, -1)
    cv2.rectangle(picture, at_px(14, height - 24), at_px(width - 14, height - 10), PAPER, -1)
    figure(picture, str(value), width / 2, height - 17.0, 8.0, INK)


def _quest(picture: Image8, colour: str, value: int) -> None:
    """As published games look: a coloured frame, a title bar, a picture, lines of text, the value in a disc."""
    rng = np.random.default_rng([list(COLOURS).index(colour), value, 99])
    width, height = size_of(picture)
    picture[:] = tuple(round(0.55 * v) for v in COLOURS[colour])
    top, low = round(11 * PX_MM), round(0.55 * height * PX_MM)
    left, right = round(5 * PX_MM), round((width - 5) * PX_MM)
    shape = (low - top, right - left)
    hue = rng.uniform(30, 210, 3)
    picture[top:low, left:right] = np.clip(hue + 45.0 * noise(rng, shape, (70, 70), 5)[:, :, None], 0, 255)
    cv2.rectangle(picture, at_px(5, 4), at_px(width - 5, 10), (190, 214, 226), -1)
    cv2.rectangle(picture, at_px(5, 0.57 * height), at_px(width - 5, height - 5), (214, 230, 238), -1)
    for y in np.arange(0.57 * height + 4.0, height - 8.0, 3.2):
        cv2.line(picture, at_px(8, float(y)), at_px(float(rng.uniform(0.6, 0.85)) * width, float(y)), (90, 90, 92), 3)
    disc(picture, 8.5, 8.5, 6.5, (236, 240, 242))
    figure(picture, str(value), 8.5, 8.5, 6.5, INK)
    if value in (6, 9):
        cv2.line(picture, at_px(6.0, 13.4), at_px(11.0, 13.4), INK, 3)


MORE_STYLES: dict[str, Style] = {
    "dusk": Style(63, 88, _dusk, even_back((30, 26, 24), (60, 52, 48))),
    "hairlines": Style(61, 94, _hairlines, striped_back((200, 204, 206), (246, 249, 250), 3.0)),
    "one-ink": Style(56, 87, _one_ink, even_back((90, 60, 40), (90, 60, 40))),
    "heraldry": Style(63, 88, _heraldry, _woven_back((60, 40, 130), (150, 190, 215), 1.2)),
    "quest": Style(63, 88, _quest, _woven_back((40, 70, 50), (90, 130, 100), 2.2)),
}
ALL_STYLES = STYLES | MORE_STYLES
