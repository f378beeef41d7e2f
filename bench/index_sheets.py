"""Draws sheets of card corners, each with an index of a pack of its own: what an index reader learns from.

A sheet holds twenty corners of cards at all angles, on one ground, seen by one camera. Figures come from fonts, made
narrow, heavy and slanted, or are drawn with strokes as engravers of cards draw them; suits as `ordinary_pack` has them,
bent a little. Beside the index stand what faces have there: a frame with art, pips, the card's edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from arena_cam.simulation.things.ordinary_pack import (
    RANKS,
    SUITS,
    PackStyle,
    fonts_with_suits,
    random_style,
    suit_outline,
)
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM
from bench.figure_strokes import stroked_figure

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]
_CELL_MM, _COLUMNS, _ROWS = 36.0, 5, 4
_SIDE_MM = 46.0  # of the drawing of one corner: some cloth, and the corner with its index
_PX_PER_MM = 6.0  # of the drawing
_STROKED, _RINGED_TEN, _LARGE, _FOUR_COLOURS = 0.25, 0.35, 0.25, 0.25  # shares of corners


@dataclass(frozen=True, eq=False)
class Label:
    """Where a rank and a suit are printed (view pixels), and which."""

    rank_at: Array
    suit_at: Array
    card: str


@dataclass(frozen=True)
class FontFamilies:
    """Font files by family: one that has twenty weights counts as much as one that has two."""

    families: tuple[tuple[Path, ...], ...]

    @staticmethod
    def of(fonts: Sequence[Path]) -> FontFamilies:
        by_name: dict[str, list[Path]] = {}
        for font in fonts:
            by_name.setdefault(font.stem.split("-")[0].lower(), []).append(font)
        return FontFamilies(tuple(tuple(by_name[name]) for name in sorted(by_name)))

    def any(self, rng: np.random.Generator) -> Path:
        family = self.families[int(rng.integers(len(self.families)))]
        return family[int(rng.integers(len(family)))]

    def part(self, every: int, kept: bool) -> FontFamilies:
        """Every n-th family, or all others."""
        return FontFamilies(tuple(f for n, f in enumerate(self.families) if (n % every == 0) == kept))

    @property
    def fonts(self) -> tuple[Path, ...]:
        return tuple(font for family in self.families for font in family)


def draw_sheet(rng: np.random.Generator, families: FontFamilies) -> tuple[NDArray[np.float32], list[Label]]:
    """A sheet at the view's scale, and its labels."""
    height, width = (round(n * _CELL_MM * VIEW_PX_PER_MM) for n in (_ROWS, _COLUMNS))
    ground = rng.uniform(8, 235, 3) if rng.random() < 0.8 else np.full(3, rng.uniform(200, 250))
    sheet = np.tile(ground.astype(np.float32), (height, width, 1))
    cells = []
    for number in range(_COLUMNS * _ROWS):
        place = np.array([number % _COLUMNS + 0.5, number // _COLUMNS + 0.5]) * _CELL_MM * VIEW_PX_PER_MM
        cells.append(_lay_corner(rng, families, sheet, ground, place))
    texture = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), float(rng.uniform(1, 9)))
    sheet *= 1 + texture[..., None] * float(rng.uniform(0, 0.06)) / max(float(texture.std()), 1e-6)
    return sheet, cells


def _lay_corner(
    rng: np.random.Generator, families: FontFamilies, sheet: NDArray[np.float32], ground: Array, place: Array
) -> Label:
    """Draws one corner of a card into its cell of the sheet."""
    drawn, rank_at, suit_at, card = _draw_corner(rng, families, ground)
    turn = rng.uniform(-math.pi, math.pi)
    c, s = math.cos(turn), math.sin(turn)
    bent = np.eye(2) + rng.normal(0, 0.03, (2, 2))
    linear = np.array([[c, -s], [s, c]]) @ bent * (VIEW_PX_PER_MM / _PX_PER_MM * float(rng.uniform(0.9, 1.1)))
    middle = (rank_at + suit_at) / 2
    shift = place + rng.normal(0, 1.5, 2) - linear @ middle
    to_sheet = np.column_stack([linear, shift])
    half = round(_CELL_MM * VIEW_PX_PER_MM / 2)
    x0, y0 = (int(v) - half for v in place)
    to_cell = to_sheet.copy()
    to_cell[:, 2] -= (x0, y0)
    soft = cv2.GaussianBlur(drawn, (0, 0), 0.3 * _PX_PER_MM / VIEW_PX_PER_MM)
    cell = cv2.warpAffine(soft, to_cell, (2 * half, 2 * half), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    sheet[y0 : y0 + 2 * half, x0 : x0 + 2 * half] = cell * float(rng.uniform(0.85, 1.0))
    return Label(to_sheet[:, :2] @ rank_at + shift, to_sheet[:, :2] @ suit_at + shift, card)


def _draw_corner(
    rng: np.random.Generator, families: FontFamilies, ground: Array
) -> tuple[NDArray[np.uint8], Array, Array, str]:
    """The top left corner of a card, upright; where its rank and suit are (drawing's pixels), and which."""
    u = rng.uniform
    card = RANKS[int(rng.integers(13))] + SUITS[int(rng.integers(4))]
    style = _style(rng, families)
    large = rng.random() < _LARGE
    rank_mm = float(u(11.0, 16.0) if large else u(5.5, 9.5))
    rank = _figure(rng, families, card[0], rank_mm)
    size = round(_SIDE_MM * _PX_PER_MM)
    drawn = np.tile(ground.astype(np.uint8), (size, size, 1))
    left, top = (float(v) * size for v in u(0.2, 0.3, 2))
    paper = tuple(float(v) for v in u(225, 254) + u(-6, 6, 3))
    _paper(drawn, round(left), round(top), round(float(u(2.0, 4.5)) * _PX_PER_MM), paper)
    suit_mm = rank_mm * float(u(0.55, 0.95))
    x = left + max(float(u(4.0, 7.5)) * _PX_PER_MM, rank.shape[1] / 2 + 1.2 * _PX_PER_MM)
    y = top + float(u(2.5, 6.0)) * _PX_PER_MM + rank.shape[0] / 2
    rank_at = np.array([x, y])
    below = rank.shape[0] / 2 + (float(u(0.7, 2.2)) + suit_mm / 2) * _PX_PER_MM
    suit_at = rank_at + np.array([float(rng.normal(0, 0.25)) * _PX_PER_MM, below])
    ink = style.inks[SUITS.index(card[1])]
    _beside(rng, drawn, style, card, x + max(rank.shape[1], suit_mm * _PX_PER_MM) / 2, (top, y))
    strength = float(u(0.75, 1.0))
    _stamp(drawn, rank, rank_at, ink, strength)
    _suit(drawn, rng, style, card[1], suit_at, suit_mm, False)
    return drawn, rank_at, suit_at, card


def _style(rng: np.random.Generator, families: FontFamilies) -> PackStyle:
    """A style for one corner: only what suits and inks need is of use."""
    u = rng.uniform
    black, red = (u(10, 60), u(10, 55), u(10, 55)), (u(20, 95), u(10, 80), u(160, 235))
    inks = (black, red, red, black)
    if rng.random() < _FOUR_COLOURS:
        inks = (black, red, (u(140, 215), u(50, 120), u(5, 60)), (u(20, 80), u(90, 150), u(5, 60)))
    symbols = fonts_with_suits(families.fonts)
    own = not symbols or rng.random() < 0.5
    style = random_style(int(rng.integers(1 << 30)))
    return replace(
        style,
        inks=inks,
        heart=(float(u(0.38, 0.56)), float(u(0.7, 1.15))),
        diamond=(float(u(0.55, 0.95)), float(u(-0.15, 0.16))),
        club=(float(u(0.36, 0.52)), float(u(0.3, 0.6))),
        stem=float(u(0.06, 0.3)),
        suit_font=None if own else symbols[int(rng.integers(len(symbols)))],
        suit_wide=float(u(0.8, 1.15)),
    )


def _figure(rng: np.random.Generator, families: FontFamilies, rank: str, high_mm: float) -> Mask:
    """A rank's mask (h, w), 255 inked."""
    u = rng.uniform
    high = round(high_mm * _PX_PER_MM)
    if rng.random() < (_RINGED_TEN if rank == "T" else _STROKED):
        drawn, wide = stroked_figure(rng, rank), float(u(0.55, 1.0))
    else:
        drawn = _of_font(families.any(rng), "10" if rank == "T" else rank)
        wide = float(u(0.62, 1.1)) * (float(u(0.42, 0.95)) if rank == "T" else 1.0)
    h, w = drawn.shape
    size = (max(4, round(w * high / h * wide)), high)
    size = (min(size[0], round(13.0 * _PX_PER_MM)), high)
    figure = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    spread = round(float(u(-1.2, 1.9)))
    figure = cv2.copyMakeBorder(figure, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=0)
    if spread:
        round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(spread) + 1,) * 2)
        other = cv2.dilate(figure, round_brush) if spread > 0 else cv2.erode(figure, round_brush)
        figure = other if (other > 127).mean() > 0.12 else figure
    return np.asarray(figure, np.uint8)


@lru_cache(maxsize=4096)
def _of_font(font: Path, text: str) -> Mask:
    canvas = Image.new("L", (420, 280), 0)
    ImageDraw.Draw(canvas).text((60, 60), text, fill=255, font=ImageFont.truetype(str(font), 100))
    drawn = np.asarray(canvas, np.uint8)
    rows, columns = np.flatnonzero(drawn.max(axis=1) > 60), np.flatnonzero(drawn.max(axis=0) > 60)
    if not len(rows):
        return np.full((100, 60), 255, np.uint8)
    return np.ascontiguousarray(drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _paper(drawn: NDArray[np.uint8], left: int, top: int, radius: int, paper: tuple[float, ...]) -> None:
    size = drawn.shape[0]
    cv2.rectangle(drawn, (left + radius, top), (size, size), paper, -1)
    cv2.rectangle(drawn, (left, top + radius), (size, size), paper, -1)
    cv2.circle(drawn, (left + radius, top + radius), radius, paper, -1, cv2.LINE_AA)


def _stamp(drawn: NDArray[np.uint8], mask: Mask, at: Array, ink: Sequence[float], strength: float) -> None:
    h, w = mask.shape
    x0, y0 = round(at[0] - w / 2), round(at[1] - h / 2)
    part = drawn[max(y0, 0) : y0 + h, max(x0, 0) : x0 + w]
    alpha = mask[max(-y0, 0) :, max(-x0, 0) :][: part.shape[0], : part.shape[1], None] / np.float32(255 / strength)
    part[:] = (part * (1 - alpha) + np.asarray(ink, np.float32) * alpha).astype(np.uint8)


def _suit(
    drawn: NDArray[np.uint8],
    rng: np.random.Generator,
    style: PackStyle,
    suit: str,
    at: Array,
    size_mm: float,
    upside_down: bool,
) -> None:
    bent = np.eye(2) + rng.normal(0, 0.04, (2, 2))
    for part in suit_outline(style, suit):
        shape = part @ bent.T * (size_mm / 2 * _PX_PER_MM * (-1 if upside_down else 1)) + at
        cv2.fillPoly(drawn, [np.round(shape * 16).astype(np.int32)], style.inks[SUITS.index(suit)], cv2.LINE_AA, 4)


def _beside(
    rng: np.random.Generator,
    drawn: NDArray[np.uint8],
    style: PackStyle,
    card: str,
    right: float,
    tops: tuple[float, float],
) -> None:
    """What a face has to the right of its index: a frame round art, or pips, or nothing."""
    u = rng.uniform
    size = drawn.shape[0]
    x = right + float(u(0.3, 3.5)) * _PX_PER_MM
    kind = rng.random()
    if kind < 0.45:
        y = tops[0] + float(u(2.0, 8.0)) * _PX_PER_MM
        inks = [(30.0, 30.0, 30.0), (40.0, 40.0, 200.0), (170.0, 90.0, 30.0), (60.0, 200.0, 240.0)]
        for _ in range(int(rng.integers(4, 25))):
            angles = np.sort(u(0.0, 2 * math.pi, int(rng.integers(3, 8))))
            around = float(u(2.0, 9.0)) * np.stack([np.cos(angles), np.sin(angles)], 1)
            shape = (around * _PX_PER_MM + [u(x, size), u(y, size)]).clip([x, y], size)
            cv2.fillPoly(drawn, [shape.astype(np.int32)], inks[int(rng.integers(4))])
        if rng.random() < 0.8:
            thick = max(1, round(float(u(0.2, 0.6)) * _PX_PER_MM))
            grey = float(u(20, 160))
            cv2.rectangle(drawn, (round(x), round(y)), (2 * size, 2 * size), (grey, grey, grey), thick)
    elif kind < 0.9:
        pip_mm = float(u(8.0, 14.0))
        step = u(0.9, 2.2) * pip_mm * _PX_PER_MM
        for n in range(3):
            at = np.array([x + pip_mm / 2 * _PX_PER_MM, tops[1] + n * step])
            _suit(drawn, rng, style, card[1], at, pip_mm, bool(rng.random() < 0.3))


def as_a_camera_sees(rng: np.random.Generator, view: NDArray[np.floating]) -> NDArray[np.uint8]:
    """The picture as a camera of 1.2 to 3 px/mm shows it, foreshortened one way, brought back to the view's scale."""
    u = rng.uniform
    scales = np.full(2, float(np.exp(u(np.log(1.2), np.log(3.0)))) / VIEW_PX_PER_MM)
    scales[int(rng.integers(2))] *= float(u(0.7, 1.0))
    small = cv2.resize(
        view.astype(np.float32), None, fx=float(scales[0]), fy=float(scales[1]), interpolation=cv2.INTER_AREA
    )
    small = cv2.GaussianBlur(small, (0, 0), float(u(0.3, 0.85)))
    if rng.random() < 0.5:
        small = small * 1.4 - 0.4 * cv2.GaussianBlur(small, (0, 0), 1.0)
    small = small * u(0.3, 1.0) * u(0.85, 1.12, 3)
    small = small + rng.normal(0, u(0.5, 5.0), small.shape)
    small8 = np.clip(small, 0, 255).astype(np.uint8)
    _, code = cv2.imencode(".jpg", small8, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(65, 97))])
    back = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(back, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_LINEAR), np.uint8)
