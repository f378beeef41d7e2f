"""Boards and tiles of the hexagon game, drawn in a style."""

from __future__ import annotations

import math

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.printing.hexes.canvas import Bgr, Canvas, Image, Point, hexagon, moon, sun
from arena_cam.printing.hexes.style import Style
from arena_cam.printing.hexes.surfaces import engraved, faded, halftone, land, surface, wash, wood

PX_MM = 8.0  # 200 dpi: a telephone over the table sees about 6 px/mm
VERTICAL, FALLING, RISING = (1, 5, 9), (3, 4, 8), (2, 6, 7)
TILES = tuple(f"{a}-{b}-{c}" for a in VERTICAL for b in FALLING for c in RISING)
COLUMNS = dict(zip("ABCDE", (3, 4, 5, 4, 3), strict=True))
# The numbers stand at the top, the lower right and the lower left; a band runs from its number across the tile.
_TOWARDS = ((0.0, -1.0), (math.cos(math.pi / 6), 0.5), (-math.cos(math.pi / 6), 0.5))


def default_mark(tile: str) -> str:
    """A sun if the sum of the tile's numbers is even, as the rules assume where a set does not say."""
    return "sun" if sum(map(int, tile.split("-"))) % 2 == 0 else "moon"


def cells_mm(style: Style) -> dict[str, Point]:
    """Centres of the 19 cells, from the board's top-left corner."""
    across, width, height = style.pitch_mm * math.sqrt(3) / 2, *style.board_mm
    out = {}
    for k, (column, count) in enumerate(COLUMNS.items()):
        for row in range(count):
            y = height / 2 + (row - (count - 1) / 2) * style.pitch_mm
            out[f"{column}{row + 1}"] = (round(width / 2 + (k - 2) * across, 3), round(y, 3))
    return out


def tile_face(style: Style, tile: str, mark: str) -> Image:
    """The tile's picture (h, w, 4): its bounding box, transparent outside the hexagon."""
    canvas = _blank_tile(style, tile)
    middle = (style.tile_mm / 2, style.tile_mm * math.sqrt(3) / 4)
    numbers = [int(n) for n in tile.split("-")]
    blank = canvas.pixels.copy()
    for k in (2, 1, 0):
        before = canvas.pixels.copy()
        _band(canvas, style, middle, _TOWARDS[k], style.numbers[numbers[k]])
        if style.fade:
            canvas.pixels = faded(canvas.pixels, before, _TOWARDS[k], style.fade)
    _finish(canvas, style, blank, seed=sum(n * 10**k for k, n in enumerate(numbers)))
    canvas.keep_inside(hexagon(middle, style.tile_mm), blank)
    blank = canvas.pixels.copy()
    for k in range(3):
        _number(canvas, style, middle, _TOWARDS[k], numbers[k])
    if style.engraved_mm:
        canvas.pixels = engraved(canvas.pixels, blank, style.engraved_mm)
    if style.marks:
        at = (middle[0] - 0.37 * style.tile_mm, middle[1])
        shape = sun(at, 0.06 * style.tile_mm) if mark == "sun" else moon(at, 0.055 * style.tile_mm)
        canvas.fill(shape, (20, 160, 240) if mark == "sun" else (110, 50, 40))
    return _cut_out(canvas, style, style.ink)


def _finish(canvas: Canvas, style: Style, blank: Image, seed: int) -> None:
    """What is done to a tile's bands when they are drawn."""
    if style.land:
        canvas.pixels = land(canvas.pixels, style.land, seed)
    if style.wash:
        canvas.pixels = wash(canvas.pixels, style.wash, seed)
    if style.halftone:
        canvas.pixels = halftone(canvas.pixels, style.tile_paper)
    if style.engraved_mm:
        canvas.pixels = engraved(canvas.pixels, blank, style.engraved_mm)


def _number(canvas: Canvas, style: Style, middle: Point, towards: Point, number: int) -> None:
    """A number at its end of its band, or beside it."""
    reach = (0.433 * style.tile_mm - 0.68 * style.number_mm - 1.0) * style.number_reach
    aside = style.number_aside * style.tile_mm
    at = (
        middle[0] + reach * towards[0] - aside * towards[1],
        middle[1] + reach * towards[1] + aside * towards[0],
    )
    ink = style.numbers[number] if style.coloured_numbers else style.ink
    if style.disc is not None:
        canvas.disc(at, 0.68 * style.number_mm, style.disc)
    if style.font is None:
        canvas.number(str(number), at, style.number_mm, ink, style.number_weight)
    else:
        canvas.words(str(number), at, style.number_mm, ink, style.font)


def _blank_tile(style: Style, tile: str) -> Canvas:
    canvas = Canvas((style.tile_mm, style.tile_mm * math.sqrt(3) / 2), PX_MM, style.tile_paper)
    if style.surface:
        canvas.pixels = surface(style.surface, canvas.pixels, seed=TILES.index(tile))
    if style.grain:
        canvas.pixels = wood(canvas.pixels, style.grain)
    return canvas


def _cut_out(canvas: Canvas, style: Style, ink: Bgr) -> Image:
    outline = hexagon((style.tile_mm / 2, style.tile_mm * math.sqrt(3) / 4), style.tile_mm)
    if style.tile_line_mm:
        canvas.line(outline, 2 * style.tile_line_mm, ink, closed=True)
    return np.dstack([canvas.image(), canvas.alpha(outline)])


def _band(canvas: Canvas, style: Style, middle: Point, towards: Point, colour: Bgr) -> None:
    """The coloured band of one number: along `towards` (a unit vector) through the middle, in the style's way."""
    along, across = np.array(towards), np.array((-towards[1], towards[0]))
    centre, reach, half = np.array(middle), 0.6 * style.tile_mm, style.band_mm / 2
    if style.bands == "bars":
        edge = half + (style.band_line_mm or 0.5)
        beside = style.ink if style.band_line_mm else style.tile_paper
        canvas.fill(_strip(centre, along, across, -reach, reach, edge), beside)
        canvas.fill(_strip(centre, along, across, -reach, reach, half), colour)
    elif style.bands == "wedges":
        turn = np.radians([-60.0, 0.0, 60.0])
        ends = [centre + reach * (math.cos(t) * along + math.sin(t) * across) for t in turn]
        canvas.fill(np.array([centre, *ends]), colour)
    elif style.bands == "edges":
        canvas.fill(_strip(centre, along, across, 0.36 * style.tile_mm, reach, half * 2.2), colour)
        canvas.fill(_strip(centre, along, across, -reach, -0.36 * style.tile_mm, half * 2.2), colour)
    elif style.bands == "dots":
        for off in np.arange(-reach, reach, 1.4 * style.band_mm):
            x, y = centre + off * along
            canvas.disc((float(x), float(y)), half, colour)
    elif style.bands in ("hatch", "tubes"):
        canvas.fill(_strip(centre, along, across, -reach, reach, half + 0.3), style.tile_paper)
        apart = style.band_mm if style.bands == "tubes" else 0.7 + 0.22 * (9 - _number_of(style, colour))
        for off in np.arange(-half, half + 0.01, apart):
            ends = [centre - reach * along + off * across, centre + reach * along + off * across]
            canvas.line(np.array(ends), 0.8 if style.bands == "tubes" else 0.35, colour)


def _number_of(style: Style, colour: Bgr) -> int:
    """The number that has this very colour."""
    return next(number for number, own in style.numbers.items() if own is colour)


def _strip(centre: Array, along: Array, across: Array, start: float, end: float, half: float) -> Array:
    ends = [(start, -half), (end, -half), (end, half), (start, half)]
    return np.array([centre + a * along + b * across for a, b in ends])


def tile_back(style: Style, colour: str) -> Image:
    """The back of a player's tiles (h, w, 4), in the colour of the board."""
    ink, tint = style.inks[colour]
    canvas = Canvas((style.tile_mm, style.tile_mm * math.sqrt(3) / 2), PX_MM, ink)
    middle = (style.tile_mm / 2, style.tile_mm * math.sqrt(3) / 4)
    canvas.fill(hexagon(middle, 0.86 * style.tile_mm), tint)
    canvas.fill(hexagon(middle, 0.76 * style.tile_mm), ink)
    canvas.fill(moon((middle[0] - 4.5, middle[1]), 6.0), tint)
    canvas.fill(sun((middle[0] + 5.0, middle[1]), 4.2), tint)
    return _cut_out(canvas, style, ink)


def board_face(style: Style, colour: str) -> Image:
    """The picture of a player's board (h, w, 3)."""
    ink, tint = style.inks[colour]
    width, height = style.board_mm
    canvas = Canvas((width, height), PX_MM, ink if style.frame_mm else style.board_paper)
    if style.frame_mm:
        a = style.frame_mm
        canvas.fill([(a, a), (width - a, a), (width - a, height - a), (a, height - a)], style.board_paper)
    if style.surface:
        canvas.pixels = surface(style.surface, canvas.pixels, seed=100 + len(colour))
    if style.grain:
        canvas.pixels = wood(canvas.pixels, style.grain)
    if style.land:
        canvas.pixels = land(canvas.pixels, style.land, seed=len(colour))
    if style.wash:
        canvas.pixels = wash(canvas.pixels, style.wash, seed=len(colour))
    for name, centre in cells_mm(style).items():
        outline = hexagon(centre, style.cell_mm)
        if style.cell_tint:
            canvas.fill(outline, tint)
        if style.cell_line_mm:
            canvas.line(outline, style.cell_line_mm, ink, closed=True)
        if style.cell_names:
            canvas.words(name, centre, 2.6, _between(ink, tint))
    _furniture(canvas, style, ink)
    return canvas.image()


def _furniture(canvas: Canvas, style: Style, ink: Bgr) -> None:
    """The marks in the corners, which tell the board's top; a set without a title has only an arrow."""
    width, height = style.board_mm
    edge = max(style.frame_mm, 3.0)
    canvas.fill([(width / 2, edge + 1), (width / 2 - 2.5, edge + 4.6), (width / 2 + 2.5, edge + 4.6)], ink)
    if style.title:
        canvas.words(style.title, (edge + 26.0, edge + 9.0), 5.2, ink)
        canvas.fill(sun((edge + 13.0, height - edge - 14.0), 8.0), (30, 150, 236))
        canvas.fill(moon((width - edge - 14.0, height - edge - 14.0), 7.5), (110, 50, 40))


def _between(a: Bgr, b: Bgr) -> Bgr:
    x, y, z = ((p + q) // 2 for p, q in zip(a, b, strict=True))
    return x, y, z
