"""The project's own deck: 50 cards in five colours, as a deck folder, with as many codes as are wanted."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np
import segno

from arena_cam.domain.errors import CannotDo
from arena_cam.formats.messages import FileTrouble
from arena_cam.printing.card_canvas import Bgr, CardCanvas, Image
from arena_cam.printing.scenes import HEIGHT_MM, PAPER, WIDTH_MM, draw_face, marker_modules
from arena_cam.printing.shapes import SHAPES, placed

NAME = "arena"
OWN_DECK = "deck-of-lands"  # the folder where it is drawn; "deck" holds the older faces, which may have been printed
SUMS = "pictures.sha256"  # beside the pictures: a line each, as sha256sum writes it but for one blank
RADIUS_MM = 3.0
DICTIONARY = "DICT_4X4_50"  # 50 ids for 50 cards
MARKER_MM, MARKER_AT_MM = 11.0, 9.5
SMALL_MARKER_MM, SMALL_MARKER_AT_MM = 8.0, (9.2, 9.8)  # in from the sides, and from the top and the bottom
QR_MM, QR_AT_MM = 17.5, (31.5, 64.2)

NIGHT: Bgr = (70, 44, 34)
# Print colours that stay apart for the colour-blind and under warm light; light tints for the medallions.
COLOURS: dict[str, tuple[Bgr, Bgr]] = {
    "red": ((44, 40, 196), (200, 206, 246)),
    "blue": ((168, 92, 20), (244, 222, 196)),
    "green": ((66, 122, 30), (204, 232, 206)),
    "yellow": ((14, 146, 226), (190, 232, 252)),
    "violet": ((134, 42, 104), (238, 208, 226)),
}


class Faces(StrEnum):
    """How the faces look: a land of each colour with two small markers, the same without, or the older ones with codes
    to be read from afar (four markers and a QR code)."""

    LANDS = "lands"
    PLAIN = "plain"
    CODES = "codes"


def marker_id(colour: str, value: int) -> int:
    """The id in DICTIONARY of the card's markers."""
    return list(COLOURS).index(colour) * 10 + value - 1


def marker_places(faces: Faces = Faces.CODES) -> list[tuple[float, float]]:
    """The centres of the markers of every card, mm from its top left."""
    if faces is Faces.PLAIN:
        return []
    if faces is Faces.LANDS:
        x, y = SMALL_MARKER_AT_MM
        return [(WIDTH_MM - x, y), (x, HEIGHT_MM - y)]
    a, right, bottom = MARKER_AT_MM, WIDTH_MM - MARKER_AT_MM, HEIGHT_MM - MARKER_AT_MM
    return [(a, a), (right, a), (right, bottom), (a, bottom)]


def qr_text(colour: str, value: int) -> str:
    return f"AC:{colour}-{value}"


def face(colour: str, value: int, faces: Faces = Faces.LANDS) -> Image:
    """The face of one card, shape (1056, 756, 3), blue-green-red."""
    ink = COLOURS[colour][0]
    canvas = _card(ink)
    if faces is Faces.CODES:
        _face_with_codes(canvas, colour, value, ink)
    else:
        draw_face(canvas, colour, value, ink)
    modules = marker_modules(DICTIONARY, marker_id(colour, value))
    for place in marker_places(faces):
        canvas.modules(modules, place, _marker_mm(faces))
    return canvas.image()


def _card(colour: Bgr) -> CardCanvas:
    return CardCanvas((WIDTH_MM, HEIGHT_MM), colour)


def _marker_mm(faces: Faces) -> float:
    return SMALL_MARKER_MM if faces is Faces.LANDS else MARKER_MM


def _face_with_codes(canvas: CardCanvas, colour: str, value: int, ink: Bgr) -> None:
    canvas.panel(2.4, 2.6, PAPER)
    _medallion(canvas, colour, value)
    for _ in range(2):  # the small index at the top, and the same from the other side
        canvas.number(str(value), (24.0, 9.3), 6.4, ink)
        canvas.fill(placed(SHAPES[colour], (38.5, 9.3), 3.4), ink)
        canvas.upside_down()
    qr = np.array([list(row) for row in segno.make_qr(qr_text(colour, value), version=1, error="m").matrix], bool)
    canvas.modules(qr, QR_AT_MM, QR_MM)


def _medallion(sheet: CardCanvas, colour: str, value: int) -> None:
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
    sheet = _card(PAPER)
    sheet.panel(2.4, 2.6, NIGHT)
    suits = list(COLOURS)
    for row, y in enumerate(np.arange(8.0, HEIGHT_MM - 6.0, 9.0)):
        for column, x in enumerate(np.arange(8.0 + (row % 2) * 4.75, WIDTH_MM - 6.0, 9.5)):
            suit = suits[(row * 2 + column) % len(suits)]
            pale = tuple(int(0.55 * n + 0.45 * c) for n, c in zip(NIGHT, COLOURS[suit][0], strict=True))
            sheet.fill(placed(SHAPES[suit], (float(x), float(y)), 2.9), (pale[0], pale[1], pale[2]))
    middle = (WIDTH_MM / 2, HEIGHT_MM / 2)
    sheet.circle(middle, 14.0, PAPER)
    for k, suit in enumerate(suits):
        angle = 2.0 * np.pi * k / len(suits) - np.pi / 2
        at = (middle[0] + 8.2 * float(np.cos(angle)), middle[1] + 8.2 * float(np.sin(angle)))
        sheet.fill(placed(SHAPES[suit], at, 3.6), COLOURS[suit][0])
    return sheet.image()


def deck_toml(faces: Faces = Faces.LANDS) -> str:
    """The text of the deck's deck.toml."""
    lines = [f'name = "{NAME}"', f"width_mm = {WIDTH_MM}", f"height_mm = {HEIGHT_MM}"]
    lines += [f"corner_radius_mm = {RADIUS_MM}", 'back = "back.png"']
    for colour in COLOURS:
        for value in range(1, 11):
            card = f"{colour}-{value}"
            lines += ["", "[[card]]", f'id = "{card}"', f'colour = "{colour}"', f"value = {value}"]
            lines += [f'image = "{card}.png"']
            if faces is Faces.CODES:
                lines += ["[card.qr]", f'text = "{qr_text(colour, value)}"']
                lines += [f"size_mm = {QR_MM}", f"x_mm = {QR_AT_MM[0]}", f"y_mm = {QR_AT_MM[1]}"]
            for x, y in marker_places(faces):
                lines += ["[[card.marker]]", f'dictionary = "{DICTIONARY}"', f"id = {marker_id(colour, value)}"]
                lines += [f"size_mm = {_marker_mm(faces)}", f"x_mm = {x}", f"y_mm = {y}"]
    return "\n".join(lines) + "\n"


def write_deck(folder: Path, faces: Faces = Faces.LANDS) -> Path:
    """Writes the deck folder (the pictures' checksums, then deck.toml last, so that a folder with one is complete) and
    returns it.

    Raises CannotDo if the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sums = [_write_png(folder / name, picture) for name, picture in _pictures(faces)]
        _write(folder / SUMS, "".join(sums).encode())
        _write(folder / "deck.toml", deck_toml(faces).encode())
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=folder) from None
    return folder


def _pictures(faces: Faces) -> Iterator[tuple[str, Image]]:
    for colour in COLOURS:
        for value in range(1, 11):
            yield f"{colour}-{value}.png", face(colour, value, faces)
    yield "back.png", back()


def default_deck(folder: Path, faces: Faces = Faces.LANDS) -> Path:
    """The deck folder, written first if it is not there, was made by another version of the deck, or is damaged."""
    file = folder / "deck.toml"
    if file.is_file() and file.read_text(encoding="utf-8") == deck_toml(faces) and _is_whole(folder):
        return folder
    return write_deck(folder, faces)


def drawing_version() -> str:
    """Names what draws the deck: another version of it may draw otherwise."""
    digest = hashlib.sha256(cv2.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _is_whole(folder: Path) -> bool:
    """Whether all pictures are as they were written. Of a folder without checksums, as they were made before, nobody
    knows: its pictures may have been printed, and stay."""
    if not (folder / SUMS).exists():
        return True
    try:
        lines = (folder / SUMS).read_text(encoding="ascii").splitlines()
        return all(_sum(name, (folder / name).read_bytes()) == f"{rest} {name}\n" for rest, name in map(_split, lines))
    except (OSError, ValueError):
        return False


def _split(line: str) -> tuple[str, str]:
    checksum, name = line.split()
    return checksum, name


def _sum(name: str, data: bytes) -> str:
    return f"{hashlib.sha256(data).hexdigest()} {name}\n"


def _write_png(file: Path, image: Image) -> str:
    """Writes a picture; its line among the checksums."""
    data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes()
    _write(file, data)
    return _sum(file.name, data)


def _write(file: Path, data: bytes) -> None:
    """Writes a file whole or not at all: others may draw and read the same deck."""
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=file.name, suffix=".part", delete=False) as part:
        part.write(data)
    Path(part.name).chmod(0o644)
    Path(part.name).replace(file)
