"""The project's own deck: 50 cards in five colours, with markers and QR codes, as a deck folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from arena_cam.domain.errors import CannotDo
from arena_cam.geometry.arrays import Array
from arena_cam.printing.shapes import SHAPES, numeral, placed

Image = NDArray[np.uint8]
Bgr = tuple[int, int, int]

NAME = "arena"
WIDTH_MM, HEIGHT_MM, RADIUS_MM = 63.0, 88.0, 3.0
PX_MM = 12  # 300 dpi
FINER = 2  # drawn so many times larger and reduced, for smooth edges
DICTIONARY = "DICT_4X4_50"  # 50 ids for 50 cards
MARKER_MM, MARKER_AT_MM = 11.0, 9.5
QR_MM, QR_AT_MM = 17.5, (31.5, 64.2)

PAPER: Bgr = (236, 246, 250)
INK: Bgr = (40, 30, 26)
# Print colours that stay apart for the colour-blind and under warm light; light tints for the medallions.
COLOURS: dict[str, tuple[Bgr, Bgr]] = {
    "red": ((44, 40, 196), (200, 206, 246)),
    "blue": ((168, 92, 20), (244, 222, 196)),
    "green": ((66, 122, 30), (204, 232, 206)),
    "yellow": ((14, 146, 226), (190, 232, 252)),
    "violet": ((134, 42, 104), (238, 208, 226)),
}


class Sheet:
    """A drawing of one card side, addressed in mm from its top left, y down."""

    def __init__(self, colour: Bgr) -> None:
        self._scale = PX_MM * FINER
        shape = (round(HEIGHT_MM * self._scale), round(WIDTH_MM * self._scale), 3)
        self._pixels = np.full(shape, colour, np.uint8)

    def _px(self, points: Array | Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        return np.round(np.asarray(points, np.float64) * self._scale).astype(np.int32)

    def fill(self, outline: Array, colour: Bgr) -> None:
        cv2.fillPoly(self._pixels, [self._px(outline)], colour, cv2.LINE_AA)

    def circle(self, centre: tuple[float, float], radius_mm: float, colour: Bgr, line_mm: float = 0.0) -> None:
        x, y = (round(v * self._scale) for v in centre)
        width = round(line_mm * self._scale) if line_mm else -1
        cv2.circle(self._pixels, (x, y), round(radius_mm * self._scale), colour, width, cv2.LINE_AA)

    def panel(self, margin_mm: float, radius_mm: float, colour: Bgr) -> None:
        """A rectangle with rounded corners, `margin_mm` inside the card."""
        a, r = margin_mm, radius_mm
        right, bottom = WIDTH_MM - a, HEIGHT_MM - a
        self.fill(np.array([(a + r, a), (right - r, a), (right - r, bottom), (a + r, bottom)]), colour)
        self.fill(np.array([(a, a + r), (right, a + r), (right, bottom - r), (a, bottom - r)]), colour)
        for x in (a + r, right - r):
            for y in (a + r, bottom - r):
                self.circle((x, y), r, colour)

    def number(self, text: str, centre: tuple[float, float], height_mm: float, colour: Bgr) -> None:
        strokes, width = numeral(text)
        unit = height_mm / 1.5
        # A ten is as tall as a nine but narrower, so that both fill the medallion alike.
        squeeze = 1.0 if len(text) == 1 else 0.78
        for stroke in strokes:
            points = [(centre[0] + (x - width / 2) * unit * squeeze, centre[1] + (y - 0.75) * unit) for x, y in stroke]
            thick = max(1, round(0.2 * unit * self._scale))
            cv2.polylines(self._pixels, [self._px(points)], False, colour, thick, cv2.LINE_AA)
        if text in ("6", "9"):  # thrown cards lie every way up
            half, y = 0.42 * unit, centre[1] + 0.98 * unit
            line = [(centre[0] - half, y), (centre[0] + half, y)]
            thick = max(1, round(0.12 * unit * self._scale))
            cv2.polylines(self._pixels, [self._px(line)], False, colour, thick, cv2.LINE_AA)

    def modules(self, code: NDArray[np.bool_], centre: tuple[float, float], size_mm: float) -> None:
        """A square code, black where `code` is set; its modules' edges are exact to a drawing's pixel."""
        n = len(code)
        edges = np.round(np.linspace(-size_mm / 2, size_mm / 2, n + 1) * self._scale).astype(int)
        x0, y0 = (round(v * self._scale) for v in centre)
        for row, column in zip(*np.nonzero(code), strict=True):
            self._pixels[y0 + edges[row] : y0 + edges[row + 1], x0 + edges[column] : x0 + edges[column + 1]] = 0

    def upside_down(self) -> None:
        self._pixels = np.ascontiguousarray(self._pixels[::-1, ::-1])

    def image(self) -> Image:
        size = (round(WIDTH_MM * PX_MM), round(HEIGHT_MM * PX_MM))
        return np.asarray(cv2.resize(self._pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def marker_id(colour: str, value: int) -> int:
    """The id in DICTIONARY of the card's markers."""
    return list(COLOURS).index(colour) * 10 + value - 1


def marker_places() -> list[tuple[float, float]]:
    """The centres of the four markers of every card, mm from its top left."""
    a, right, bottom = MARKER_AT_MM, WIDTH_MM - MARKER_AT_MM, HEIGHT_MM - MARKER_AT_MM
    return [(a, a), (right, a), (right, bottom), (a, bottom)]


def qr_text(colour: str, value: int) -> str:
    return f"AC:{colour}-{value}"


def face(colour: str, value: int) -> Image:
    """The face of one card, shape (1056, 756, 3), blue-green-red."""
    ink = COLOURS[colour][0]
    sheet = Sheet(ink)
    sheet.panel(2.4, 2.6, PAPER)
    _medallion(sheet, colour, value)
    for _ in range(2):  # the small index at the top, and the same from the other side
        sheet.number(str(value), (24.0, 9.3), 6.4, ink)
        sheet.fill(placed(SHAPES[colour], (38.5, 9.3), 3.4), ink)
        sheet.upside_down()
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    modules = known.markerSize + 2
    code = cv2.aruco.generateImageMarker(known, marker_id(colour, value), modules) == 0
    for place in marker_places():
        sheet.modules(code, place, MARKER_MM)
    qr = np.array([list(row) for row in segno.make_qr(qr_text(colour, value), version=1, error="m").matrix], bool)
    sheet.modules(qr, QR_AT_MM, QR_MM)
    return sheet.image()


def _medallion(sheet: Sheet, colour: str, value: int) -> None:
    """The suit's shape, large and pale, a ring with as many beads as the card is worth, and the number."""
    ink, tint = COLOURS[colour]
    middle = (WIDTH_MM / 2, 33.8)
    sheet.circle(middle, 18.4, tint)
    sheet.circle(middle, 18.4, ink, 0.5)
    sheet.fill(placed(SHAPES[colour], middle, 16.6), PAPER)
    angles = np.pi * (0.5 + (np.arange(value) - (value - 1) / 2) * 0.19)
    for angle in -angles:
        bead = (middle[0] + 18.4 * float(np.cos(angle)), middle[1] + 18.4 * float(np.sin(angle)))
        sheet.circle(bead, 1.9, ink)
    sheet.number(str(value), middle, 18.5, ink)


def back() -> Image:
    """The back that all cards share."""
    night: Bgr = (70, 44, 34)
    sheet = Sheet(PAPER)
    sheet.panel(2.4, 2.6, night)
    suits = list(COLOURS)
    for row, y in enumerate(np.arange(8.0, HEIGHT_MM - 6.0, 9.0)):
        for column, x in enumerate(np.arange(8.0 + (row % 2) * 4.75, WIDTH_MM - 6.0, 9.5)):
            suit = suits[(row * 2 + column) % len(suits)]
            pale = tuple(int(0.55 * n + 0.45 * c) for n, c in zip(night, COLOURS[suit][0], strict=True))
            sheet.fill(placed(SHAPES[suit], (float(x), float(y)), 2.9), (pale[0], pale[1], pale[2]))
    middle = (WIDTH_MM / 2, HEIGHT_MM / 2)
    sheet.circle(middle, 14.0, PAPER)
    for k, suit in enumerate(suits):
        angle = 2.0 * np.pi * k / len(suits) - np.pi / 2
        at = (middle[0] + 8.2 * float(np.cos(angle)), middle[1] + 8.2 * float(np.sin(angle)))
        sheet.fill(placed(SHAPES[suit], at, 3.6), COLOURS[suit][0])
    return sheet.image()


def deck_toml() -> str:
    """The text of the deck's deck.toml."""
    lines = [f'name = "{NAME}"', f"width_mm = {WIDTH_MM}", f"height_mm = {HEIGHT_MM}"]
    lines += [f"corner_radius_mm = {RADIUS_MM}", 'back = "back.png"']
    for colour in COLOURS:
        for value in range(1, 11):
            card = f"{colour}-{value}"
            lines += ["", "[[card]]", f'id = "{card}"', f'colour = "{colour}"', f"value = {value}"]
            lines += [f'image = "{card}.png"', "[card.qr]", f'text = "{qr_text(colour, value)}"']
            lines += [f"size_mm = {QR_MM}", f"x_mm = {QR_AT_MM[0]}", f"y_mm = {QR_AT_MM[1]}"]
            for x, y in marker_places():
                lines += ["[[card.marker]]", f'dictionary = "{DICTIONARY}"', f"id = {marker_id(colour, value)}"]
                lines += [f"size_mm = {MARKER_MM}", f"x_mm = {x}", f"y_mm = {y}"]
    return "\n".join(lines) + "\n"


def write_deck(folder: Path) -> Path:
    """Writes the deck folder (deck.toml last, so that a folder with one is complete) and returns it.

    Raises CannotDo if the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for colour in COLOURS:
            for value in range(1, 11):
                _write_png(folder / f"{colour}-{value}.png", face(colour, value))
        _write_png(folder / "back.png", back())
        (folder / "deck.toml").write_text(deck_toml(), encoding="utf-8")
    except OSError as error:
        raise CannotDo(f"{folder}: cannot be written ({error.strerror}); name a folder where you may write") from None
    return folder


def default_deck(folder: Path) -> Path:
    """The deck folder, written first if it is not there or was made by another version of the deck."""
    file = folder / "deck.toml"
    if file.is_file() and file.read_text(encoding="utf-8") == deck_toml():
        return folder
    return write_deck(folder)


def _write_png(file: Path, image: Image) -> None:
    file.write_bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())
