"""Decks with pictures that publishers print: portraits in an oval, one large word, foil on deep blue, maps.

The same five colours of ten values as in `bench.drawn_decks`; each style is a function from a colour and a value to the
picture of a face.
"""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.simulation.rendering.textures import noise
from bench.drawn_decks import (
    COLOURS,
    INK,
    PAPER,
    PX_MM,
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
from bench.drawn_decks_more import ALL_STYLES

_WORDS = ("TRUST", "DOUBT", "SPLIT", "SHARE", "STEAL", "BLUFF", "YIELD", "CLAIM", "WAGER", "BREAK")


def _underlined(picture: Image8, value: int, x: float, y: float, half_mm: float, ink: Bgr) -> None:
    """A six and a nine are told by a line below."""
    if value in (6, 9):
        cv2.line(picture, at_px(x - half_mm, y), at_px(x + half_mm, y), ink, 3, cv2.LINE_AA)


def _portrait(picture: Image8, colour: str, value: int) -> None:
    """Parchment; a head and shoulders of their own for each card in an oval, and the value on a ribbon below."""
    rng = np.random.default_rng([list(COLOURS).index(colour), value, 31])
    picture[:] = (196, 218, 228)
    width, height = size_of(picture)
    picture[:] = np.clip(picture + 6.0 * noise(rng, picture.shape[:2], (90, 90), 4)[:, :, None], 0, 255)
    oval = np.zeros(picture.shape[:2], np.uint8)
    middle, axes = at_px(width / 2, 0.42 * height), at_px(0.36 * width, 0.34 * height)
    cv2.ellipse(oval, middle, axes, 0, 0, 360, 255, -1)
    scene = np.zeros_like(picture)
    scene[:] = rng.integers(60, 150, 3)
    skin = np.array((130, 165, 210)) * rng.uniform(0.45, 1.1)
    hair, coat = rng.integers(15, 110, 3), 0.75 * np.array(COLOURS[colour])
    head = (width / 2 + float(rng.uniform(-2, 2)), 0.36 * height)
    disc(scene, head[0], head[1] - 3.0, 10.5, (int(hair[0]), int(hair[1]), int(hair[2])))
    cv2.ellipse(scene, at_px(width / 2, 0.72 * height), at_px(18, 20), 0, 0, 360, tuple(map(float, coat)), -1)
    cv2.ellipse(scene, at_px(*head), at_px(8, 11), 0, 0, 360, tuple(map(float, skin)), -1)
    for side in (-3.2, 3.2):
        disc(scene, head[0] + side, head[1] - 1.5, 1.0, INK)
    cv2.line(scene, at_px(head[0] - 2.5, head[1] + 5), at_px(head[0] + 2.5, head[1] + 5), (70, 70, 130), 4)
    shade = scene + 12.0 * noise(rng, picture.shape[:2], (24, 24), 5)[:, :, None]
    picture[:] = np.where(oval[:, :, None] > 0, np.clip(shade, 0, 255), picture)
    cv2.ellipse(picture, middle, axes, 0, 0, 360, (60, 110, 140), 6, cv2.LINE_AA)
    cv2.rectangle(picture, at_px(8, 0.8 * height), at_px(width - 8, 0.92 * height), COLOURS[colour], -1)
    figure(picture, str(value), width / 2, 0.86 * height, 6.5, PAPER)
    _underlined(picture, value, width / 2, 0.86 * height + 4.4, 3.0, PAPER)


def _word(picture: Image8, colour: str, value: int) -> None:
    """White paper with one large word that each value has in all colours; a tiny figure in two corners."""
    picture[:] = PAPER
    width, height = size_of(picture)
    word = _WORDS[value - 1]
    for row, letter in enumerate(word):
        figure(picture, letter, width / 2, 13.0 + row * (height - 26.0) / (len(word) - 1), 11.0, COLOURS[colour])
    in_corners(picture, str(value), (5.0, 5.5), 3.4, INK)


def _deep_foil(picture: Image8, colour: str, value: int) -> None:
    """Deep blue to the edge with a silver ornament that all cards share; a small mark and figure in the middle."""
    picture[:] = (74, 38, 16)
    width, height = size_of(picture)
    silver = (172, 170, 160)
    at = np.linspace(0.0, 2.0 * np.pi, 600)
    for petals, size in ((5, 0.46), (8, 0.36), (3, 0.42)):
        radius = size * (0.7 + 0.3 * np.cos(petals * at))
        curve = np.stack([width * (0.5 + radius * np.cos(at)), height * (0.5 + radius * np.sin(at))], axis=1)
        cv2.polylines(picture, [np.round(curve * PX_MM).astype(np.int32)], True, silver, 3, cv2.LINE_AA)
    disc(picture, width / 2, height / 2, 9.5, (74, 38, 16))
    disc(picture, width / 2, height / 2, 9.5, silver, 0.6)
    mark(picture, colour, width / 2, height / 2 - 4.2, 6.0, COLOURS[colour])
    figure(picture, str(value), width / 2, height / 2 + 3.4, 5.2, silver)
    _underlined(picture, value, width / 2, height / 2 + 7.4, 2.4, silver)


def _map(picture: Image8, colour: str, value: int) -> None:
    """A map to the edge: land and sea, contours and a river, of its own for each colour; the value in a shield."""
    rng = np.random.default_rng([list(COLOURS).index(colour), 53])
    width, height = size_of(picture)
    relief = noise(rng, picture.shape[:2], (170, 140), 5)
    land, sea = np.array((150, 205, 205)), np.array((205, 180, 130))
    ground = np.where((relief > -0.2)[:, :, None], land + 16.0 * relief[:, :, None], sea)
    picture[:] = np.clip(ground, 0, 255)
    for level in np.arange(-0.2, 2.0, 0.3):
        lines, _ = cv2.findContours((relief > level).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        cv2.polylines(picture, lines, True, (90, 120, 130), 1, cv2.LINE_AA)
    shield = np.array([[-8, -9], [8, -9], [8, 2], [0, 11], [-8, 2]]) + np.array([0.72 * width, 0.24 * height])
    corners = np.round(shield * PX_MM).astype(np.int32)
    cv2.fillPoly(picture, [corners], COLOURS[colour], cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, PAPER, 4, cv2.LINE_AA)
    figure(picture, str(value), 0.72 * width, 0.24 * height - 2.0, 6.5, PAPER)
    _underlined(picture, value, 0.72 * width, 0.24 * height + 3.2, 3.0, PAPER)


PICTURED_STYLES: dict[str, Style] = {
    "portrait": Style(63, 88, _portrait, striped_back((70, 60, 120), (200, 205, 225), 1.8)),
    "word": Style(57, 87, _word, even_back((60, 60, 62), (220, 222, 224))),
    "deep-foil": Style(70, 120, _deep_foil, even_back((74, 38, 16), (172, 170, 160)), gloss=0.3),
    "map": Style(63, 88, _map, even_back((120, 150, 160), (70, 90, 100))),
}
STYLES_ALL = ALL_STYLES | PICTURED_STYLES
