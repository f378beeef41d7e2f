"""Six decks as publishers print them: words in flat colours, a white figure, pale layers, a cropped numeral, metal.

Nothing in the eye was made with them when they were drawn. Sizes, proportions and corners are unlike the others', too.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from arena_cam.simulation.rendering.textures import noise
from bench.drawn_decks import (
    COLOURS,
    INK,
    PX_MM,
    Bgr,
    Image8,
    Style,
    at_px,
    disc,
    figure,
    in_corners,
    size_of,
)

_WORDS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")
_CREAM: Bgr = (206, 230, 242)


def _polygon(picture: Image8, corners_mm: list[tuple[float, float]], colour: Bgr) -> None:
    cv2.fillPoly(picture, [np.round(np.array(corners_mm) * PX_MM).astype(np.int32)], colour, cv2.LINE_AA)


def _retro(picture: Image8, colour: str, value: int) -> None:
    """Rays of two flat colours from a sun at the edge; the value as a big word across a cream band."""
    ink = COLOURS[colour]
    picture[:] = ink
    width, height = size_of(picture)
    other: Bgr = (ink[0] // 2 + 40, ink[1] // 2 + 60, ink[2] // 2 + 70)
    for ray in range(9):
        first, last = np.pi * (ray + 0.0) / 9, np.pi * (ray + 0.5) / 9
        ends = [(width / 2 + 120 * float(np.cos(a)), 0.72 * height - 120 * float(np.sin(a))) for a in (first, last)]
        _polygon(picture, [(width / 2, 0.72 * height), *ends], other)
    disc(picture, width / 2, 0.72 * height, 13.0, (70, 180, 240))
    cv2.rectangle(picture, at_px(0, 0.66 * height), at_px(width, 0.9 * height), _CREAM, -1)
    word = _WORDS[value - 1]
    figure(picture, word, width / 2, 0.78 * height, min(13.0, 58.0 / len(word)), ink, 0.2)


def _silhouette(picture: Image8, colour: str, value: int) -> None:
    """A tall card: a gradient of the colour, a white figure that holds up a lantern, the value at its feet."""
    width, height = size_of(picture)
    rows = np.linspace(0.0, 1.0, picture.shape[0])[:, None, None]
    ink = np.array(COLOURS[colour], float)
    picture[:] = np.clip(0.35 * ink + rows * (0.75 * ink + 70.0), 0, 255)
    white: Bgr = (244, 246, 246)
    x, feet = width / 2, 0.8 * height
    disc(picture, x, feet - 52, 7.0, white)
    _polygon(picture, [(x - 5, feet - 45), (x + 5, feet - 45), (x + 14, feet), (x - 14, feet)], white)
    cv2.line(picture, at_px(x + 4, feet - 40), at_px(x + 20, feet - 58), white, round(3.2 * PX_MM), cv2.LINE_AA)
    disc(picture, x + 21, feet - 63, 4.5, (120, 220, 250))
    figure(picture, str(value), x, 0.9 * height, 9.0, white)
    if value in (6, 9):
        cv2.line(picture, at_px(x - 4, 0.955 * height), at_px(x + 4, 0.955 * height), white, 4, cv2.LINE_AA)


def _pastel(picture: Image8, colour: str, value: int) -> None:
    """White with three pale sheets of colour that shine through each other; the value a shade darker than they."""
    rng = np.random.default_rng([list(COLOURS).index(colour), 71])
    width, height = size_of(picture)
    seen = np.full(picture.shape, 1.0)
    tint = 0.72 + 0.28 * np.array(COLOURS[colour]) / 255.0
    for _ in range(3):
        at, size = rng.uniform(0.05, 0.45, 2) * (width, height), rng.uniform(0.4, 0.55, 2) * (width, height)
        (left, top), (right, low) = at_px(*at), at_px(*(at + size))
        seen[top:low, left:right] *= tint * rng.uniform(0.97, 1.03, 3)
    picture[:] = np.clip(250.0 * seen, 0, 252)
    pale = tuple(int(0.55 * part + 0.45 * 235) for part in COLOURS[colour])
    figure(picture, str(value), 0.7 * width, 0.76 * height, 14.0, (pale[0], pale[1], pale[2]), 0.1)
    if value in (6, 9):
        ends = at_px(0.7 * width - 5, 0.76 * height + 11), at_px(0.7 * width + 5, 0.76 * height + 11)
        cv2.line(picture, *ends, (pale[0], pale[1], pale[2]), 5, cv2.LINE_AA)


def _cropped(picture: Image8, colour: str, value: int) -> None:
    """A small card; one huge numeral that runs out of it to the right and below, its word in small type."""
    picture[:] = (238, 240, 234)
    width, height = size_of(picture)
    if value == 10:
        figure(picture, "1", 0.2 * width, 0.64 * height, 44.0, COLOURS[colour], 0.2)
        figure(picture, "0", 0.86 * width, 0.64 * height, 44.0, COLOURS[colour], 0.2)
    else:
        figure(picture, str(value), 0.66 * width, 0.66 * height, 50.0, COLOURS[colour], 0.2)
    figure(picture, _WORDS[value - 1].lower(), 0.3 * width, 5.5, 3.2, INK)


def _lace(picture: Image8, colour: str, value: int) -> None:
    """A landscape card: a frame of close rings in the colour, cream within, a tiny index in two corners."""
    picture[:] = _CREAM
    width, height = size_of(picture)
    for x in np.arange(2.0, width, 4.0):
        for y in np.arange(2.0, height, 4.0):
            if min(x, width - x, y, height - y) < 11.0:
                disc(picture, float(x), float(y), 2.4, COLOURS[colour], 0.5)
    cv2.rectangle(picture, at_px(12.5, 12.5), at_px(width - 12.5, height - 12.5), INK, 2, cv2.LINE_AA)
    in_corners(picture, str(value), (17.0, 17.5), 4.4, INK)


def _metal(picture: Image8, colour: str, value: int) -> None:
    """A bevelled frame of brushed metal, a field of the colour, rivets, the value stamped on a plate."""
    rng = np.random.default_rng([list(COLOURS).index(colour), value, 75])
    width, height = size_of(picture)
    grain = noise(rng, picture.shape[:2], (2, 160), 3)[:, :, None]
    shine = 24.0 * np.sin(np.linspace(0.0, 9.0, picture.shape[1]))[None, :, None]
    picture[:] = np.clip(150.0 + shine + 9.0 * grain, 0, 255)
    cv2.rectangle(picture, at_px(7, 7), at_px(width - 7, height - 7), (70, 74, 78), 8, cv2.LINE_AA)
    cv2.rectangle(picture, at_px(8, 8), at_px(width - 8, height - 8), COLOURS[colour], -1)
    for x in (4.0, width - 4.0):
        for y in (4.0, height - 4.0):
            disc(picture, x, y, 1.6, (60, 64, 68))
    cv2.rectangle(picture, at_px(14, 0.6 * height), at_px(width - 14, 0.84 * height), (176, 184, 188), -1)
    figure(picture, str(value), width / 2, 0.72 * height, 12.0, (54, 56, 60))
    if value in (6, 9):
        ends = at_px(width / 2 - 5, 0.72 * height + 8), at_px(width / 2 + 5, 0.72 * height + 8)
        cv2.line(picture, *ends, (54, 56, 60), 4, cv2.LINE_AA)


def _chequered_back(first: Bgr, second: Bgr, pitch_mm: float) -> Callable[[Image8], None]:
    def draw(picture: Image8) -> None:
        rows, columns = (place // round(pitch_mm * PX_MM) for place in np.indices(picture.shape[:2]))
        picture[:] = np.where(((rows + columns) % 2 == 0)[:, :, None], np.array(first), np.array(second))

    return draw


def _back_like_a_face(face: Callable[[Image8, str, int], None], word: str) -> Callable[[Image8], None]:
    """A back that is drawn as a face of the deck is, in grey, with a word where the value stands."""

    def draw(picture: Image8) -> None:
        face(picture, "blue", 1)
        picture[:] = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        width, height = size_of(picture)
        cv2.rectangle(picture, at_px(14, 0.6 * height), at_px(width - 14, 0.84 * height), (176, 184, 188), -1)
        figure(picture, word, width / 2, 0.72 * height, 6.0, (54, 56, 60))

    return draw


def _plain_back(colour: Bgr, stripe: Bgr) -> Callable[[Image8], None]:
    def draw(picture: Image8) -> None:
        picture[:] = colour
        width, height = size_of(picture)
        _polygon(picture, [(0, 0.7 * height), (width, 0.2 * height), (width, 0.4 * height), (0, 0.9 * height)], stripe)

    return draw


PUBLISHED_STYLES: dict[str, Style] = {
    "retro": Style(57, 89, _retro, _plain_back((60, 60, 160), _CREAM)),
    "silhouette": Style(70, 120, _silhouette, _plain_back((70, 50, 40), (110, 84, 70)), corner_mm=8.0),
    "pastel": Style(63, 88, _pastel, _plain_back((226, 236, 230), (206, 222, 214))),
    "cropped": Style(41, 63, _cropped, _chequered_back((70, 60, 50), (238, 240, 234), 3.5), corner_mm=2.0),
    "lace": Style(88, 63, _lace, _chequered_back((110, 130, 90), (190, 210, 180), 6.0), corner_mm=5.0),
    "metal": Style(63, 88, _metal, _back_like_a_face(_metal, "ARENA"), gloss=0.22),
}
