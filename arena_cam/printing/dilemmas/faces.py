"""The artwork of our own set of dilemmas: cards, tokens and owner discs as pictures of a true size.

A card is known by three things that carry over to any light: the band of its kind with its sign, its words, and an
emblem that no other card of its kind has, drawn twice, so that half a card still tells its name.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from arena_cam.printing.dilemmas.texts import CardText

Image = NDArray[np.uint8]
Rgb = tuple[int, int, int]
Point = tuple[float, float]

WIDTH_MM, HEIGHT_MM, RADIUS_MM = 63.0, 88.0, 3.0
TOKEN_MM, OWNER_MM = 25.0, 20.0
PX_MM = 12  # 300 dpi
_FINER = 2  # drawn so many times larger and reduced, for smooth edges
_SCALE = PX_MM * _FINER

PAPER: Rgb = (251, 248, 240)
INK: Rgb = (30, 28, 40)
# Colours that stay apart for the colour-blind: light green, dark red, blue; each kind has a sign of its own, too.
KIND_COLOURS: dict[str, Rgb] = {"positive": (46, 139, 87), "negative": (176, 40, 52), "neutral": (44, 92, 160)}
TOKEN_COLOURS: dict[str, Rgb] = {
    "yes": (46, 139, 87),
    "no": (176, 40, 52),
    "super_yes": (120, 190, 60),
    "super_no": (216, 110, 24),
    "back": (58, 54, 92),
}
OWNER_COLOURS: dict[str, Rgb] = {
    "red": (200, 44, 48),
    "blue": (30, 96, 176),
    "green": (34, 128, 72),
    "yellow": (240, 190, 30),
    "white": (246, 246, 242),
    "black": (36, 34, 40),
}
FONT_FILE = Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf"  # Bitstream Vera: has French and Icelandic letters
_LINE_MM, _MARGIN_MM = 6.2, 4.5


def card_face(card: CardText) -> Image:
    """The face of one card, (1056, 756, 3), blue-green-red."""
    colour = KIND_COLOURS[card.kind]
    sheet, draw = _sheet(WIDTH_MM, HEIGHT_MM, PAPER)
    _rectangle(draw, (0, 0), (WIDTH_MM, 17), colour)
    _rectangle(draw, (0, HEIGHT_MM - 5), (WIDTH_MM, HEIGHT_MM), colour)
    _sign(draw, card.kind, (WIDTH_MM / 2, 8.5), 5.0, PAPER)
    _words(draw, card.text, (WIDTH_MM / 2, 41.0))
    for at in ((9.5, 8.5), (WIDTH_MM - 12.5, HEIGHT_MM - 16.0)):
        _emblem(draw, card.number, at, 5.2 if at[1] < 17 else 8.0, PAPER if at[1] < 17 else colour)
    _text(draw, card.id.upper(), (WIDTH_MM - 9.0, 8.5), 4.6, PAPER)
    _text(draw, card.id.upper(), (10.5, HEIGHT_MM - 9.5), 4.6, colour)
    return _finished(sheet)


def empty_face(kind: str) -> Image:
    """A card of a kind without words, to write on; as `card_face`."""
    sheet, draw = _sheet(WIDTH_MM, HEIGHT_MM, PAPER)
    _rectangle(draw, (0, 0), (WIDTH_MM, 17), KIND_COLOURS[kind])
    _sign(draw, kind, (WIDTH_MM / 2, 8.5), 5.0, PAPER)
    for y in (38.0, 48.0, 58.0):
        _rectangle(draw, (8.0, y), (WIDTH_MM - 8.0, y + 0.25), (190, 186, 180))
    return _finished(sheet)


def card_back() -> Image:
    """The back that all cards share; as `card_face`."""
    sheet, draw = _sheet(WIDTH_MM, HEIGHT_MM, (52, 48, 84))
    _rectangle(draw, (3, 3), (WIDTH_MM - 3, HEIGHT_MM - 3), (236, 228, 208))
    _rectangle(draw, (4.2, 4.2), (WIDTH_MM - 4.2, HEIGHT_MM - 4.2), (52, 48, 84))
    middle = WIDTH_MM / 2
    for side, colour in ((-1, KIND_COLOURS["positive"]), (1, KIND_COLOURS["negative"])):
        centre = (middle + side * 11.0, HEIGHT_MM / 2)
        _disc(draw, centre, 12.0, (236, 228, 208))
        _disc(draw, centre, 10.8, colour)
        _sign(draw, "positive" if side < 0 else "negative", centre, 6.0, PAPER)
    for y in (18.0, HEIGHT_MM - 18.0):
        _text(draw, "?", (middle, y), 15.0, (236, 228, 208))
    return _finished(sheet)


def token_face(kind: str) -> Image:
    """A round token, (300, 300, 4), blue-green-red and opacity; `kind` is one of TOKEN_COLOURS."""
    sheet, draw = _sheet(TOKEN_MM, TOKEN_MM, TOKEN_COLOURS[kind])
    middle = (TOKEN_MM / 2, TOKEN_MM / 2)
    _disc(draw, middle, 10.6, PAPER)
    _disc(draw, middle, 9.9, TOKEN_COLOURS[kind])
    if kind == "back":
        for turn in range(8):
            x, y = (11.5 + 6.6 * f(turn * math.pi / 4) for f in (math.cos, math.sin))
            _disc(draw, (x + 1.0, y + 1.0), 1.1, PAPER)
        _text(draw, "?", middle, 9.0, PAPER)
    else:
        _token_sign(draw, kind, middle)
    return _round(_finished(sheet))


def owner_face(colour: str) -> Image:
    """An owner's disc, (240, 240, 4), blue-green-red and opacity; `colour` is one of OWNER_COLOURS."""
    sheet, draw = _sheet(OWNER_MM, OWNER_MM, OWNER_COLOURS[colour])
    contrast = INK if colour in ("white", "yellow") else PAPER
    _disc(draw, (OWNER_MM / 2, OWNER_MM / 2), 8.4, contrast)
    _disc(draw, (OWNER_MM / 2, OWNER_MM / 2), 7.6, OWNER_COLOURS[colour])
    _emblem(draw, list(OWNER_COLOURS).index(colour) + 3, (OWNER_MM / 2, OWNER_MM / 2), 5.4, contrast)
    return _round(_finished(sheet))


def _token_sign(draw: ImageDraw.ImageDraw, kind: str, middle: Point) -> None:
    x, y = middle
    if kind.endswith("yes"):
        _stroke(draw, [(x - 4.6, y + 0.2), (x - 1.4, y + 3.8), (x + 4.8, y - 4.0)], 2.4, PAPER)
    else:
        for side in (-1, 1):
            _stroke(draw, [(x - 4.0, y - 4.0 * side), (x + 4.0, y + 4.0 * side)], 2.4, PAPER)
    if kind.startswith("super"):
        for turn in range(5):
            angle = (turn / 5 - 0.25) * 2 * math.pi
            _disc(draw, (x + 8.2 * math.cos(angle), y + 8.2 * math.sin(angle)), 1.0, PAPER)


def _sign(draw: ImageDraw.ImageDraw, kind: str, at: Point, half_mm: float, colour: Rgb) -> None:
    x, y = at
    thick = half_mm * 0.3
    if kind == "neutral":
        _disc(draw, at, half_mm, colour)
        _disc(draw, at, half_mm - 1.6 * thick, KIND_COLOURS["neutral"])
        return
    _rectangle(draw, (x - half_mm, y - thick), (x + half_mm, y + thick), colour)
    if kind == "positive":
        _rectangle(draw, (x - thick, y - half_mm), (x + thick, y + half_mm), colour)


def _emblem(draw: ImageDraw.ImageDraw, number: int, at: Point, radius_mm: float, colour: Rgb) -> None:
    """A star that no other number below 72 has: its points, its depth, and the dots round it."""
    points, depth, dots = 3 + number % 6, 0.35 + 0.2 * (number // 6 % 3), number // 18 % 4
    outline = []
    for k in range(2 * points):
        angle, radius = math.pi * (k / points - 0.5), radius_mm * (0.78 if k % 2 == 0 else 0.78 * depth)
        outline.append((at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)))
    draw.polygon([_px(each) for each in outline], fill=colour)
    for k in range(dots):
        angle = 2 * math.pi * (k / max(dots, 1) + 0.125)
        _disc(
            draw, (at[0] + radius_mm * math.cos(angle), at[1] + radius_mm * math.sin(angle)), radius_mm * 0.14, colour
        )


def _words(draw: ImageDraw.ImageDraw, text: str, middle: Point) -> None:
    """The words in lines as large as the longest word allows."""
    room = WIDTH_MM - 2 * _MARGIN_MM
    longest = max(_font(_LINE_MM).getlength(word) for word in text.split()) / _SCALE
    size = _LINE_MM * min(1.0, room / longest)
    lines = _wrapped(text, _font(size), room)
    for k, line in enumerate(lines):
        _text(draw, line, (middle[0], middle[1] + (k - (len(lines) - 1) / 2) * size * 1.25), size, INK)


def _wrapped(text: str, font: ImageFont.FreeTypeFont, width_mm: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width_mm * _SCALE:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _text(draw: ImageDraw.ImageDraw, text: str, at: Point, height_mm: float, colour: Rgb) -> None:
    draw.text(_px(at), text, font=_font(height_mm), fill=colour, anchor="mm")


def _font(height_mm: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT_FILE), round(height_mm * _SCALE))


def _sheet(width_mm: float, height_mm: float, colour: Rgb) -> tuple[Pil.Image, ImageDraw.ImageDraw]:
    sheet = Pil.new("RGB", (round(width_mm * _SCALE), round(height_mm * _SCALE)), colour)
    return sheet, ImageDraw.Draw(sheet)


def _px(point_mm: Point) -> Point:
    return point_mm[0] * _SCALE, point_mm[1] * _SCALE


def _rectangle(draw: ImageDraw.ImageDraw, upper_left: Point, lower_right: Point, colour: Rgb) -> None:
    draw.rectangle([_px(upper_left), _px(lower_right)], fill=colour)


def _disc(draw: ImageDraw.ImageDraw, centre: Point, radius_mm: float, colour: Rgb) -> None:
    (x, y), r = _px(centre), radius_mm * _SCALE
    draw.ellipse([x - r, y - r, x + r, y + r], fill=colour)


def _stroke(draw: ImageDraw.ImageDraw, points: list[Point], width_mm: float, colour: Rgb) -> None:
    draw.line([_px(each) for each in points], fill=colour, width=round(width_mm * _SCALE), joint="curve")
    for end in points:
        _disc(draw, end, width_mm / 2, colour)


def _finished(sheet: Pil.Image) -> Image:
    small = sheet.resize((sheet.width // _FINER, sheet.height // _FINER), Pil.Resampling.BOX)
    return np.ascontiguousarray(np.asarray(small, np.uint8)[:, :, ::-1])


def _round(picture: Image) -> Image:
    """`picture` with everything outside its circle transparent."""
    side = picture.shape[0]
    at = np.arange(side) + 0.5 - side / 2
    distance = np.hypot(at[:, None], at[None])
    opacity = np.clip((side / 2 - distance) * 255, 0, 255).astype(np.uint8)
    return np.dstack([picture, opacity])
