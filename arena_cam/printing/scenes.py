"""The faces of the project's own deck: a round window with a land of each colour under its sign, and the number.

Five lands, told apart without any colour: volcanoes, a sea, a forest, dunes, a city at night. From 1 to 10 the sign
rises over the land, its ridges differ from card to card, and as many small signs as the card is worth stand round the
window; so no two faces are alike anywhere, which is by what the camera tells them apart.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.printing.card_canvas import Bgr, CardCanvas
from arena_cam.printing.shapes import SHAPES, placed

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
MIDDLE, WINDOW_MM = (31.5, 44.0), 20.5
PIPS_AT_MM, PIP_MM = 24.6, 2.15
PAPER: Bgr = (236, 246, 250)
# Ink, the sky's upper and lower colour, blue-green-red: dark enough to stay apart under warm light and in print.
SKIES: dict[str, tuple[Bgr, Bgr]] = {
    "red": ((58, 44, 92), (112, 158, 246)),
    "blue": ((120, 66, 16), (240, 216, 150)),
    "green": ((92, 110, 22), (196, 236, 196)),
    "yellow": ((64, 132, 232), (176, 230, 252)),
    "violet": ((64, 22, 34), (176, 96, 150)),
}
LAYERS = 4


def draw_face(canvas: CardCanvas, colour: str, value: int, ink: Bgr) -> None:
    """Draws one face: the colour's rim, the window, the signs round it, and the index at two corners."""
    canvas.panel(2.4, 2.6, PAPER)
    scene = _scene(colour, value, ink)
    scene.number(str(value), (MIDDLE[0], MIDDLE[1] + 7.0), 17.0, ink, 0.42)
    scene.number(str(value), (MIDDLE[0], MIDDLE[1] + 7.0), 17.0, PAPER, 0.22)
    canvas.circle(MIDDLE, WINDOW_MM + 0.7, ink)
    canvas.inside_circle(scene, MIDDLE, WINDOW_MM)
    _pips(canvas, colour, value, ink)
    for _ in range(2):  # the index, and the same from the other side
        canvas.number(str(value), (9.6, 10.4), 7.6, ink)
        canvas.fill(placed(SHAPES[colour], (9.6, 21.2), 3.6), ink)
        canvas.upside_down()


def draw_window(canvas: CardCanvas, colour: str, value: int, at_mm: tuple[float, float]) -> None:
    """The window of a face alone, without its number, with its middle at `at_mm` of a larger drawing."""
    canvas.circle(at_mm, WINDOW_MM + 0.7, PAPER)
    canvas.show(_scene(colour, value, SKIES[colour][0]), MIDDLE, at_mm, WINDOW_MM)


def _scene(colour: str, value: int, ink: Bgr) -> CardCanvas:
    """The land with its sky, as large as a card."""
    scene = CardCanvas((WIDTH_MM, HEIGHT_MM), PAPER)
    _sky(scene, *SKIES[colour])
    _sign(scene, colour, value)
    _land(scene, colour, value, ink)
    return scene


def _pips(canvas: CardCanvas, colour: str, value: int, ink: Bgr) -> None:
    """As many signs as the card is worth, round the window from its top on."""
    angles = (np.arange(value) - (value - 1) / 2) * np.radians(19.0) - np.pi / 2
    for angle in angles:
        at = (MIDDLE[0] + PIPS_AT_MM * float(np.cos(angle)), MIDDLE[1] + PIPS_AT_MM * float(np.sin(angle)))
        canvas.fill(placed(SHAPES[colour], at, PIP_MM), ink)


def _sky(scene: CardCanvas, upper: Bgr, lower: Bgr) -> None:
    parts = np.linspace(0.0, 1.0, 60)
    tops = MIDDLE[1] - WINDOW_MM + 2 * WINDOW_MM * 0.8 * parts
    bottoms = [*(tops[1:] + 0.5), HEIGHT_MM]  # each strip reaches under the next, which covers its soft edge
    for part, top, bottom in zip(parts, tops, bottoms, strict=True):
        scene.fill([(0, top), (WIDTH_MM, top), (WIDTH_MM, bottom), (0, bottom)], _between(upper, lower, float(part)))


def _sign(scene: CardCanvas, colour: str, value: int) -> None:
    """The colour's sign in the sky, higher and farther to the right the more the card is worth."""
    part = (value - 1) / 9
    at = (MIDDLE[0] - 9.0 + 18.0 * part, MIDDLE[1] - 7.0 - 4.5 * float(np.sin(np.pi * part)))
    size = 6.0 + 1.4 * part
    glow = _between(*SKIES[colour], 0.55)
    for rays in (1.75, 1.35):
        scene.circle(at, size * rays, _between(glow, PAPER, 0.22 if rays > 1.5 else 0.45))
    scene.fill(placed(SHAPES[colour], at, size), PAPER)


def _land(scene: CardCanvas, colour: str, value: int, ink: Bgr) -> None:
    """Ridge before ridge, the nearest in the colour's ink darkened."""
    chance = np.random.default_rng(zlib.crc32(f"{colour}-{value}".encode()))
    horizon = MIDDLE[1] + 1.0
    for layer in range(LAYERS):
        part = layer / (LAYERS - 1)
        far = _between(SKIES[colour][1], ink, 0.45 + 0.55 * part)
        tone = _between(far, (20, 16, 18), 0.30 * part)
        base = horizon + 13.5 * part
        ridge = _RIDGES[colour](chance, base, 6.5 - 3.0 * part)
        scene.fill([*[(float(x), float(y)) for x, y in ridge], (WIDTH_MM, HEIGHT_MM), (0.0, HEIGHT_MM)], tone)


def _volcanoes(chance: np.random.Generator, base: float, high: float) -> Array:
    xs = np.linspace(0.0, WIDTH_MM, 6) + chance.uniform(-3.5, 3.5, 6)
    points = [(0.0, base)]
    for left, right in itertools.pairwise(xs):
        peak = base - high * chance.uniform(0.5, 1.5)
        middle = (left + right) / 2
        points += [(left, base + 1.0), (middle - 1.0, peak), (middle + 1.0, peak + 0.5)]
    return np.array([*points, (xs[-1], base + 1.0), (WIDTH_MM, base)])


def _waves(chance: np.random.Generator, base: float, high: float) -> Array:
    x = np.linspace(0.0, WIDTH_MM, 240)
    length, start = chance.uniform(8.0, 13.0), chance.uniform(0.0, 10.0)
    crest = np.abs(np.sin(np.pi * (x + start) / length)) ** 0.7
    swell = 1.6 * np.sin(2 * np.pi * (x + 3 * start) / 47.0)
    return np.column_stack([x, base - 0.55 * high * crest + swell])


def _trees(chance: np.random.Generator, base: float, high: float) -> Array:
    points: list[tuple[float, float]] = []
    x = -chance.uniform(0.0, 3.0)
    while x < WIDTH_MM:
        width = chance.uniform(3.4, 6.4)
        top = high * chance.uniform(0.5, 1.5)
        for step in (0.0, 1 / 3, 2 / 3):  # a fir's three skirts
            points.append((x + width / 2 * (0.15 + step), base - top * step))
            points.append((x + width / 2 * (0.0 + step + 0.28), base - top * (step + 0.06)))
        points.append((x + width / 2, base - top))
        for step in (2 / 3, 1 / 3, 0.0):
            points.append((x + width - width / 2 * (0.0 + step + 0.28), base - top * (step + 0.06)))
            points.append((x + width - width / 2 * (0.15 + step), base - top * step))
        x += width * 0.92
    return np.array(points)


def _dunes(chance: np.random.Generator, base: float, high: float) -> Array:
    x = np.linspace(0.0, WIDTH_MM, 240)
    y = np.zeros_like(x)
    for _ in range(3):
        at, wide = chance.uniform(6.0, WIDTH_MM - 6.0), chance.uniform(9.0, 20.0)
        lee = np.where(x < at, np.exp(-(((x - at) / wide) ** 2)), np.exp(-(((x - at) / (wide * 0.35)) ** 2)))
        y = np.maximum(y, high * chance.uniform(0.6, 1.4) * lee)
    return np.column_stack([x, base - y])


def _roofs(chance: np.random.Generator, base: float, high: float) -> Array:
    points: list[tuple[float, float]] = []
    x = -chance.uniform(0.0, 3.0)
    while x < WIDTH_MM:
        width, top = chance.uniform(3.0, 6.5), base - high * chance.uniform(0.2, 1.6)
        gable = top - (width * 0.5 if chance.random() < 0.5 else 0.0)
        points += [(x, base), (x, top), (x + width / 2, gable), (x + width, top), (x + width, base)]
        x += width + chance.uniform(0.0, 1.2)
    return np.array(points)


_RIDGES: dict[str, Callable[[np.random.Generator, float, float], Array]] = {
    "red": _volcanoes,
    "blue": _waves,
    "green": _trees,
    "yellow": _dunes,
    "violet": _roofs,
}


def _between(one: Bgr, other: Bgr, part: float) -> Bgr:
    blue, green, red = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return blue, green, red


def marker_modules(dictionary: str, number: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """A marker with its black border, True where it is black."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return np.asarray(cv2.aruco.generateImageMarker(known, number, known.markerSize + 2) == 0, np.bool_)
