"""Ordinary packs of 52, drawn: corner indices from any font, suits of many shapes, pips, courts of some art, a back.

No two packs look alike, as no two in a drawer do. What all share is what an international pack has: rank over suit in
the top left corner, the same half a turn round in the bottom right one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Sequence

Image8 = NDArray[np.uint8]
Ink = tuple[float, float, float]
Place = tuple[float, float]

RANKS, SUITS = "A23456789TJQK", "SHDC"
PX_PER_MM = 6.0
_OVER = 2  # drawn that many times finer, then made small

# Pips by rank: column (-1, 0, 1) and height (-1 top to 1 bottom); those below the middle stand on their heads.
_SIDES = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)]
_MIDDLES = [(-1.0, 0.0), (1.0, 0.0)]
_THIRDS = [(-1.0, -1 / 3), (1.0, -1 / 3), (-1.0, 1 / 3), (1.0, 1 / 3)]
PIPS: dict[str, list[tuple[float, float]]] = {
    "2": [(0.0, -1.0), (0.0, 1.0)],
    "3": [(0.0, -1.0), (0.0, 0.0), (0.0, 1.0)],
    "4": _SIDES,
    "5": [*_SIDES, (0.0, 0.0)],
    "6": [*_SIDES, *_MIDDLES],
    "7": [*_SIDES, *_MIDDLES, (0.0, -0.5)],
    "8": [*_SIDES, *_MIDDLES, (0.0, -0.5), (0.0, 0.5)],
    "9": [*_SIDES, *_THIRDS, (0.0, 0.0)],
    "T": [*_SIDES, *_THIRDS, (0.0, -2 / 3), (0.0, 2 / 3)],
}


@dataclass(frozen=True)
class PackStyle:
    """The look of one pack. Lengths in mm, colours blue-green-red in 0..255; `font` None: strokes drawn here.

    `suit_font`: the font whose suit symbols it bears, None for those drawn here, `suit_wide` times as wide. `bar_ten`:
    its ten is a bar beside a narrow ring, as the commonest American packs have it.
    """

    seed: int
    font: Path | None
    width_mm: float
    height_mm: float
    inks: tuple[Ink, Ink, Ink, Ink]
    paper: Ink
    rank_mm: float
    suit_mm: float
    narrow: float
    ten: float
    index_x_mm: float
    index_top_mm: float
    gap_mm: float
    pip_mm: float
    heart: tuple[float, float]
    diamond: tuple[float, float]
    club: tuple[float, float]
    stem: float
    framed: bool
    four_indices: bool
    suit_font: Path | None = None
    suit_wide: float = 1.0
    bar_ten: bool = False


def random_style(seed: int, fonts: Sequence[Path] = ()) -> PackStyle:
    """A style drawn from a seed: standard or large index, two or four colours, poker or bridge size."""
    rng = np.random.default_rng([seed, 331])
    u = rng.uniform
    black, red = (u(15, 45), u(15, 40), u(15, 40)), (u(25, 70), u(15, 50), u(175, 225))
    inks = (black, red, red, black)
    if rng.random() < 0.2:
        blue, green = (u(150, 210), u(50, 110), u(10, 50)), (u(25, 70), u(95, 140), u(10, 50))
        inks = (black, red, blue if rng.random() < 0.7 else (u(10, 40), u(90, 130), u(225, 245)), green)
    large = rng.random() < 0.25
    rank_mm = float(u(11.0, 16.0) if large else u(6.0, 9.0))
    suit_mm = float(rank_mm * u(0.6, 0.9) if large else rank_mm * u(0.62, 0.85))
    wide = float(63.0 if rng.random() < 0.75 else 57.5)
    style = PackStyle(
        seed=seed,
        font=fonts[int(rng.integers(len(fonts)))] if len(fonts) else None,
        width_mm=wide,
        height_mm=88.0,
        inks=inks,
        paper=(float(u(236, 252)), float(u(240, 253)), float(u(244, 255))),
        rank_mm=rank_mm,
        suit_mm=suit_mm,
        narrow=float(u(0.72, 1.05)),
        ten=float(u(0.42, 0.8)),
        index_x_mm=float(u(4.6, 6.0) + (2.5 if large else 0.0)),
        index_top_mm=float(u(3.2, 5.5)),
        gap_mm=float(u(0.9, 2.0)),
        pip_mm=float(u(10.0, 14.0)),
        heart=(float(u(0.40, 0.55)), float(u(0.85, 1.1))),
        diamond=(float(u(0.62, 0.85)), float(u(-0.12, 0.14))),
        club=(float(u(0.40, 0.50)), float(u(0.36, 0.50))),
        stem=float(u(0.10, 0.24)),
        framed=bool(rng.random() < 0.7),
        four_indices=bool(rng.random() < 0.12),
    )
    return _with_suits_of_fonts(style, fonts, rng) if len(fonts) else style


def _with_suits_of_fonts(style: PackStyle, fonts: Sequence[Path], rng: np.random.Generator) -> PackStyle:
    """The style with suits, tens and widths as the fonts have them; some packs keep drawn suits."""
    u = rng.uniform
    symbols = fonts_with_suits(tuple(fonts))
    own_suits = not symbols or rng.random() < 0.35
    return replace(
        style,
        suit_font=None if own_suits else symbols[int(rng.integers(len(symbols)))],
        suit_wide=float(u(0.82, 1.12)),
        bar_ten=bool(rng.random() < 0.4),
        narrow=style.narrow * float(u(0.7, 1.05)),
    )


def draw_face(style: PackStyle, card: str) -> Image8:
    """The face of a card such as "TH": (H, W, 3), blue first, PX_PER_MM."""
    rank, suit = card[0], card[1]
    canvas = _Canvas(style)
    if rank == "A":
        _ace(canvas, style, suit)
    elif rank in PIPS:
        clear_mm = style.width_mm / 2 - style.index_x_mm - 0.5 * max(style.suit_mm, style.rank_mm * 0.8) - 1.0
        apart_mm = min(0.21 * style.width_mm, clear_mm - 0.45 * style.pip_mm)
        for column, row in PIPS[rank]:
            canvas.suit(suit, column * apart_mm, row * 0.30 * style.height_mm, style.pip_mm, row > 1e-6)
    else:
        _court(canvas, style, rank, suit)
    _indices(canvas, style, rank, suit)
    return canvas.picture()


def draw_back(style: PackStyle) -> Image8:
    """The pack's back: a white rim round a pattern that repeats."""
    rng = np.random.default_rng([style.seed, 332])
    canvas = _Canvas(style)
    ink = np.array([(60, 40, 170), (150, 70, 30), (70, 90, 40)][int(rng.integers(3))], np.float64)
    x, y = canvas.grid()
    rim = float(rng.uniform(2.5, 5.0))
    inside = (np.abs(x) < style.width_mm / 2 - rim) & (np.abs(y) < style.height_mm / 2 - rim)
    step = float(rng.uniform(2.5, 7.0))
    wave = np.sin((x + y) * 2 * math.pi / step) * np.sin((x - y) * 2 * math.pi / step)
    light = 0.25 + 0.5 * (wave > rng.uniform(0.0, 0.4))
    canvas.image[inside] = (ink * (1 - light[..., None]) + 245.0 * light[..., None])[inside]
    return canvas.picture()


def fonts_of_this_machine(folder: Path = Path("/usr/share/fonts")) -> list[Path]:
    """Font files that draw all ranks legibly, in a fixed order; symbols', obscure scripts' and hairlines not."""
    wanted = []
    for file in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
        plain = file.stem.lower()
        if not any(
            word in plain
            for word in (
                "symbol",
                "dingbat",
                "math",
                "standardsymbols",
                "d050",
                "comfortaa-l",
                "thin",
                "hairline",
                "light",
                "_k",
            )
        ):
            wanted.append(file)
    return wanted


_SYMBOLS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
_GLYPH_PX = 160
_MIXED_UP = ("FreeSerifBold", "FreeSerifBoldItalic")  # their spade is drawn as a club, and their club as a spade


@lru_cache(maxsize=8)
def fonts_with_suits(fonts: tuple[Path, ...]) -> list[Path]:
    """Those of `fonts` that have all four suit symbols, each in its own place."""
    symbols = [font for font in fonts if all(_has_glyph(font, symbol) for symbol in _SYMBOLS.values())]
    return [font for font in symbols if font.stem not in _MIXED_UP]


def _has_glyph(font: Path, symbol: str) -> bool:
    face = ImageFont.truetype(str(font), 40)
    drawn, missing = (bytes(face.getmask(text)) for text in (symbol, "\uffff"))
    return drawn != missing and any(drawn)


@lru_cache(maxsize=64)
def _suit_of_font(font: Path, suit: str) -> tuple[NDArray[np.float64], ...]:
    """The outlines (N, 2) of a font's suit symbol, its longer side from -1 to 1, y down."""
    canvas = Image.new("L", (2 * _GLYPH_PX, 2 * _GLYPH_PX), 0)
    face = ImageFont.truetype(str(font), _GLYPH_PX)
    ImageDraw.Draw(canvas).text((_GLYPH_PX // 2, _GLYPH_PX // 4), _SYMBOLS[suit], fill=255, font=face)
    inked = (np.asarray(canvas, np.uint8) > 127).astype(np.uint8)
    found, _ = cv2.findContours(inked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not found:
        return ()
    points = np.concatenate([part.reshape(-1, 2) for part in found]).astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    half = float((high - low).max()) / 2
    return tuple((part.reshape(-1, 2) - (low + high) / 2) / half for part in found)


class _Canvas:
    """A card's picture while it is drawn; places are mm from its middle, x right, y down."""

    def __init__(self, style: PackStyle) -> None:
        self.style = style
        self.scale = PX_PER_MM * _OVER
        self.width, self.height = round(style.width_mm * self.scale), round(style.height_mm * self.scale)
        self.image = np.full((self.height, self.width, 3), style.paper, np.float64)

    def grid(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rows, columns = np.indices((self.height, self.width)).astype(np.float64)
        x = (columns + 0.5) / self.scale - self.style.width_mm / 2
        y = (rows + 0.5) / self.scale - self.style.height_mm / 2
        return np.asarray(x, np.float64), np.asarray(y, np.float64)

    def pixel(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        half = np.array([self.style.width_mm, self.style.height_mm]) / 2
        return np.round((points + half) * self.scale * 16).astype(np.int32)

    def fill(self, points: NDArray[np.float64], ink: Ink) -> None:
        cv2.fillPoly(self.image, [self.pixel(points)], ink, shift=4)

    def suit(self, suit: str, x: float, y: float, size: float, upside_down: bool = False) -> None:
        for part in suit_outline(self.style, suit):
            shape = part * size / 2 * (-1 if upside_down else 1)
            self.fill(shape + np.array([x, y]), self.style.inks[SUITS.index(suit)])

    def stamp(self, mask: NDArray[np.uint8], x: float, y: float, ink: Ink) -> None:
        """Inks `mask` (h, w) with its middle at a place."""
        h, w = mask.shape
        column, row = (
            round((v + half / 2) * self.scale) for v, half in ((x, self.style.width_mm), (y, self.style.height_mm))
        )
        top, left = row - h // 2, column - w // 2
        r0, c0, r1, c1 = max(top, 0), max(left, 0), min(top + h, self.height), min(left + w, self.width)
        part = mask[r0 - top : r1 - top, c0 - left : c1 - left, None] / 255.0
        self.image[r0:r1, c0:c1] = self.image[r0:r1, c0:c1] * (1 - part) + np.array(ink) * part

    def picture(self) -> Image8:
        size = (round(self.style.width_mm * PX_PER_MM), round(self.style.height_mm * PX_PER_MM))
        return np.asarray(cv2.resize(np.clip(self.image, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_AREA))


def suit_outline(style: PackStyle, suit: str) -> list[NDArray[np.float64]]:
    """Polygons (N, 2) of a suit within -1..1, y down."""
    wide = np.array([style.suit_wide, 1.0])
    if style.suit_font is not None:
        return [part * wide for part in _suit_of_font(style.suit_font, suit)]
    return [part * wide for part in _own_suit(style, suit)]


def _own_suit(style: PackStyle, suit: str) -> list[NDArray[np.float64]]:
    a = np.linspace(0.0, 2 * math.pi, 80)
    if suit == "D":
        wide, bulge = style.diamond
        t = np.linspace(0.0, 1.0, 12)[:-1, None]
        ends = np.array([[0.0, -1.0], [wide, 0.0], [0.0, 1.0], [-wide, 0.0]])
        sides = []
        for one, other in zip(ends, np.roll(ends, -1, axis=0), strict=True):
            middle = (one + other) / 2 * (1 + 2 * bulge)
            sides.append((1 - t) ** 2 * one + 2 * t * (1 - t) * middle + t**2 * other)
        return [np.concatenate(sides)]
    if suit == "C":
        radius, apart = style.club
        lobes = [
            np.stack([x + radius * np.cos(a), y + radius * np.sin(a)], 1)
            for x, y in ((0, -1 + radius), (-1 + radius, 0.22), (1 - radius, 0.22))
        ]
        return [*lobes, np.array([[0.0, -0.4], [apart * 0.6, 0.35], [-apart * 0.6, 0.35]]), _stem(style)]
    radius, deep = style.heart
    lobe = np.linspace(math.pi, 2 * math.pi, 30)
    left = np.stack([-1 + radius + radius * np.cos(lobe), -1 + deep * 0.5 + deep * 0.5 * np.sin(lobe)], 1)
    right = np.stack([1 - radius + radius * np.cos(lobe), left[:, 1]], 1)
    shoulder = -1 + deep * 0.5
    t = np.linspace(0.0, 1.0, 20)[:, None]
    down = (
        (1 - t) ** 2 * np.array([1.0, shoulder]) + 2 * t * (1 - t) * np.array([0.95, 0.2]) + t**2 * np.array([0.0, 1.0])
    )
    outline = np.concatenate([left, right, down, down[::-1] * [-1, 1]])
    if suit == "H":
        return [outline]
    spade = outline * [1, -0.86] + [0, -0.14]
    return [spade, _stem(style)]


def _stem(style: PackStyle) -> NDArray[np.float64]:
    s = style.stem
    return np.array([[-s * 0.5, 0.0], [s * 0.5, 0.0], [s * 0.6, 0.6], [0.2 + s, 1.0], [-0.2 - s, 1.0], [-s * 0.6, 0.6]])


@lru_cache(maxsize=512)
def rank_mask(style: PackStyle, rank: str) -> NDArray[np.uint8]:
    """The rank's figure (h, w), 255 inked, `rank_mm` high."""
    text = "10" if rank == "T" else rank
    high = round(style.rank_mm * PX_PER_MM * _OVER)
    if rank == "T" and style.bar_ten:
        return _bar_ten(style, high)
    if style.font is None:
        drawn = np.zeros((120, 70 * len(text) + 40), np.uint8)
        cv2.putText(drawn, text, (20, 95), cv2.FONT_HERSHEY_TRIPLEX, 3.0, 255, 6, cv2.LINE_AA)
    else:
        font = ImageFont.truetype(str(style.font), 100)
        canvas = Image.new("L", (400, 260), 0)
        ImageDraw.Draw(canvas).text((60, 60), text, fill=255, font=font)
        drawn = np.asarray(canvas, np.uint8)
    rows, columns = np.flatnonzero(drawn.max(axis=1) > 60), np.flatnonzero(drawn.max(axis=0) > 60)
    if not len(rows):
        return np.zeros((high, high), np.uint8)
    cut = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = max(2, round(cut.shape[1] * high / cut.shape[0] * style.narrow * (style.ten if len(text) > 1 else 1.0)))
    most = round(0.2 * style.width_mm * PX_PER_MM * _OVER)
    return np.asarray(cv2.resize(cut, (min(wide, max(most, high)), high), interpolation=cv2.INTER_AREA), np.uint8)


def _bar_ten(style: PackStyle, high: int) -> NDArray[np.uint8]:
    """A ten of a plain bar and a narrow ring, `high` pixels."""
    rng = np.random.default_rng([style.seed, 335])
    stroke = max(2, round(high * rng.uniform(0.09, 0.16)))
    ring, gap = round(high * rng.uniform(0.36, 0.52)), round(high * rng.uniform(0.06, 0.14))
    mask: NDArray[np.uint8] = np.zeros((high, stroke + gap + ring), np.uint8)
    mask[:, :stroke] = 255
    half = ring / 2 - stroke / 2
    round_mm = float(rng.uniform(0.5, 1.0))  # of the ring's ends: 1 is half a circle
    t = np.linspace(0.0, 2 * math.pi, 90)
    straight = max(0.0, high / 2 - stroke / 2 - half * round_mm)
    x = stroke + gap + ring / 2 + half * np.cos(t)
    y = high / 2 + half * round_mm * np.sin(t) + straight * np.sign(np.round(np.sin(t), 6))
    points = np.round(np.stack([x, y], axis=1) * 16).astype(np.int32)
    cv2.polylines(mask, [points], True, 255, stroke, cv2.LINE_AA, 4)
    return mask


def index_places(style: PackStyle, rank: str) -> tuple[Place, Place]:
    """The middles of the top left index's rank and suit, mm from the card's middle, y down."""
    wide = rank_mask(style, rank).shape[1] / (PX_PER_MM * _OVER)
    x = float(-style.width_mm / 2 + max(style.index_x_mm, wide / 2 + 1.5))
    y = float(-style.height_mm / 2 + style.index_top_mm + style.rank_mm / 2)
    below = y + style.rank_mm / 2 + style.gap_mm + style.suit_mm / 2
    return (x, y), (x, below)


def _indices(canvas: _Canvas, style: PackStyle, rank: str, suit: str) -> None:
    mask = rank_mask(style, rank)
    ink = style.inks[SUITS.index(suit)]
    (x, y), (_, below) = index_places(style, rank)
    for side in (1, -1) if style.four_indices else (1,):
        canvas.stamp(mask, side * x, y, ink)
        canvas.suit(suit, side * x, below, style.suit_mm)
        canvas.stamp(np.ascontiguousarray(mask[::-1, ::-1]), -side * x, -y, ink)
        canvas.suit(suit, -side * x, -below, style.suit_mm, True)


def _ace(canvas: _Canvas, style: PackStyle, suit: str) -> None:
    rng = np.random.default_rng([style.seed, 333])
    size = float(rng.uniform(16.0, 24.0))
    if suit == "S" and rng.random() < 0.6:
        size = float(rng.uniform(32.0, 44.0))
        canvas.suit(suit, 0.0, 0.0, size)
        for part in suit_outline(style, suit):
            canvas.fill(part * size * 0.25, style.paper)
        canvas.suit(suit, 0.0, 0.0, size * 0.3)
        return
    canvas.suit(suit, 0.0, 0.0, size)


def _court(canvas: _Canvas, style: PackStyle, rank: str, suit: str) -> None:
    """Coloured shapes in a frame, the same half a turn round, and the suit in the frame's corner."""
    rng = np.random.default_rng([style.seed, 334, RANKS.index(rank), SUITS.index(suit)])
    index_mm = style.index_x_mm + 0.45 * max(style.suit_mm, style.rank_mm)
    half_w = style.width_mm / 2 - max(float(rng.uniform(8.5, 11.5)), index_mm + 0.5)
    half_h = style.height_mm / 2 - float(rng.uniform(7.0, 9.5))
    inks: list[Ink] = [
        (30, 30, 30),
        (40, 40, 200),
        (170, 90, 30),
        (60, 200, 240),
        style.paper,
        style.inks[SUITS.index(suit)],
    ]
    for _ in range(int(rng.integers(25, 60))):
        centre = np.array([rng.uniform(-half_w, half_w), rng.uniform(-half_h, 0.0)])
        angles = np.sort(rng.uniform(0.0, 2 * math.pi, int(rng.integers(3, 8))))
        shape = centre + float(rng.uniform(2.0, 11.0)) * np.stack(
            [np.cos(angles), np.sin(angles) * rng.uniform(0.4, 1.6)], 1
        )
        shape = np.clip(shape, [-half_w, -half_h], [half_w, half_h])
        ink = inks[int(rng.integers(len(inks)))]
        canvas.fill(shape, ink)
        canvas.fill(-shape, ink)
    if style.framed:
        frame = canvas.pixel(np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]]))
        cv2.polylines(canvas.image, [frame], True, (40, 40, 40), max(1, round(0.35 * canvas.scale)), cv2.LINE_AA, 4)
    size = style.pip_mm * 0.9
    x, y = -half_w + size * 0.62, -half_h + size * 0.7
    for sign in (1, -1):
        box = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * size * 0.6 + [x, y]
        canvas.fill(sign * box, style.paper)
        canvas.suit(suit, sign * x, sign * y, size, sign < 0)
