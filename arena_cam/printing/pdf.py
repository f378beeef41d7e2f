"""Sheets to print, at true scale: cards with their backs, pieces to cut out, the calibration board.

Every page has a ruler of 100 mm: printers scale what they print unless told not to, and a deck printed at 97 % does not
fit its deck.toml.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadDeck, CannotDo
from arena_cam.formats.whole_file import write_whole
from arena_cam.printing.sheets import Image, Piece

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the disk is full, or what this user or file may take of it

MARK_GAP_MM, MARK_MM = 1.0, 3.0  # a cut mark begins that far from what is cut, and is so long
RULER_MM = 100
RULER_FROM_EDGE_MM = 4.0  # most printers reach to 4 mm
LABEL_PT = 6.5
PIECE_GAP_MM = 8.0
SAFE_MM = 12.0  # margin of pages whose layout leaves the choice: room for marks and ruler


class Sheets:
    """A PDF in the making; `save` writes it."""

    def __init__(self, paper: str) -> None:
        self._width, self._height = PAPERS_MM[paper]
        self._buffer = BytesIO()
        self._canvas = Canvas(self._buffer, pagesize=(self._width * mm, self._height * mm), pageCompression=1)
        self._canvas.setTitle("Cards, blocks, fiducials and calibration board")

    def cards(self, deck: Deck) -> None:
        """Pages of faces, each followed by its backs, mirrored so that they meet when the sheet is turned over."""
        columns = int((self._width - 2 * RULER_FROM_EDGE_MM) // deck.width_mm)
        rows = int((self._height - 2 * RULER_FROM_EDGE_MM) // deck.height_mm)
        if columns == 0 or rows == 0:
            raise BadDeck(f"{deck.name}: its cards are larger than the paper; choose another --paper")
        back = None if deck.back is None else _file(deck.back)
        faces = [_file(card.image) for card in deck.cards]
        for start in range(0, len(faces), columns * rows):
            page = faces[start : start + columns * rows]
            self._grid(page, deck, columns, rows, mirrored=False)
            if back is not None:
                self._grid([back] * len(page), deck, columns, rows, mirrored=True)

    def _grid(self, pictures: Sequence[ImageReader], deck: Deck, columns: int, rows: int, *, mirrored: bool) -> None:
        width, height = deck.width_mm, deck.height_mm
        left, top = (self._width - columns * width) / 2, (self._height - rows * height) / 2
        for i, picture in enumerate(pictures):
            row, column = divmod(i, columns)
            column = columns - 1 - column if mirrored else column
            self._picture(picture, left + column * width, top + row * height, width, height)
        for column in range(columns + 1):
            self._mark(left + column * width, top, 0, -1)
            self._mark(left + column * width, top + rows * height, 0, 1)
        for row in range(rows + 1):
            self._mark(left, top + row * height, -1, 0)
            self._mark(left + columns * width, top + row * height, 1, 0)
        self._end_page()

    def pieces(self, pieces: Sequence[Piece]) -> None:
        """Pages of pieces of one size, each with its own cut marks and its label above."""
        first = pieces[0]
        columns = int((self._width - 2 * SAFE_MM + PIECE_GAP_MM) // (first.width_mm + PIECE_GAP_MM))
        rows = int((self._height - 2 * SAFE_MM + PIECE_GAP_MM) // (first.height_mm + PIECE_GAP_MM))
        for start in range(0, len(pieces), columns * rows):
            for i, piece in enumerate(pieces[start : start + columns * rows]):
                row, column = divmod(i, columns)
                x = SAFE_MM + column * (first.width_mm + PIECE_GAP_MM)
                y = SAFE_MM + row * (first.height_mm + PIECE_GAP_MM)
                self._piece(piece, x, y)
            self._end_page()

    def board(self, piece: Piece) -> None:
        """The calibration board on a page of its own, turned where it is wider than the paper."""
        turned = piece.width_mm > self._width - 2 * RULER_FROM_EDGE_MM
        image = np.ascontiguousarray(np.rot90(piece.image)) if turned else piece.image
        width, height = (piece.height_mm, piece.width_mm) if turned else (piece.width_mm, piece.height_mm)
        x, y = (self._width - width) / 2, (self._height - height) / 2
        self._picture(_image(image), x, y, width, height)
        self._label(f"{piece.label}: glue it flat onto something stiff", x, y - 4)
        self._end_page()

    def save(self, file: Path) -> None:
        """Writes the PDF whole, or leaves what was there. Raises CannotDo if it cannot be written."""
        self._canvas.save()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, self._buffer.getbuffer())
        except OSError as error:
            raise CannotDo(f"{file}: cannot be written ({error.strerror}); {_remedy(error)}") from None

    def _piece(self, piece: Piece, x_mm: float, y_mm: float) -> None:
        self._picture(_image(piece.image), x_mm, y_mm, piece.width_mm, piece.height_mm)
        for x, y, right, down in _corners(x_mm, y_mm, piece.width_mm, piece.height_mm):
            self._mark(x, y, right, 0)
            self._mark(x, y, 0, down)
        self._label(piece.label, x_mm, y_mm - 1.2)

    def _picture(self, picture: ImageReader, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> None:
        bottom = self._height - y_mm - height_mm  # a PDF's y runs up, ours down
        self._canvas.drawImage(picture, x_mm * mm, bottom * mm, width_mm * mm, height_mm * mm)

    def _mark(self, x_mm: float, y_mm: float, right: int, down: int) -> None:
        start, end = MARK_GAP_MM, MARK_GAP_MM + MARK_MM
        self._line(x_mm + right * start, y_mm + down * start, x_mm + right * end, y_mm + down * end)

    def _line(self, x1_mm: float, y1_mm: float, x2_mm: float, y2_mm: float) -> None:
        self._canvas.setLineWidth(0.1 * mm)
        self._canvas.line(x1_mm * mm, (self._height - y1_mm) * mm, x2_mm * mm, (self._height - y2_mm) * mm)

    def _label(self, text: str, x_mm: float, y_mm: float) -> None:
        self._canvas.setFont("Helvetica", LABEL_PT)
        self._canvas.drawString(x_mm * mm, (self._height - y_mm) * mm, text)

    def _end_page(self) -> None:
        left, y = (self._width - RULER_MM) / 2, self._height - RULER_FROM_EDGE_MM + 1
        self._line(left, y, left + RULER_MM, y)
        for x in range(0, RULER_MM + 1, 5):
            self._line(left + x, y, left + x, y - (2.0 if x % 10 == 0 else 1.2))
        self._label("100 mm", left + RULER_MM + 1.5, y)
        self._label("print at 100 %", left - 16.0, y)
        self._canvas.showPage()


def _write(file: Path, content: memoryview) -> None:
    """A disk that is full leaves neither half a file nor an empty one. Raises OSError."""
    if file.exists() and not file.is_file():  # /dev/stdout, a pipe: nothing to be put in its place
        file.write_bytes(content)
        return
    write_whole(file.resolve(), content)


def _remedy(error: OSError) -> str:
    if error.errno in NO_ROOM:
        return "make room there, or choose another place with --out"
    return "choose another place with --out"


def _corners(x: float, y: float, width: float, height: float) -> Iterator[tuple[float, float, int, int]]:
    yield from ((x, y, -1, -1), (x + width, y, 1, -1), (x, y + height, -1, 1), (x + width, y + height, 1, 1))


def _file(file: Path) -> ImageReader:
    try:
        return ImageReader(BytesIO(file.read_bytes()))
    except OSError as error:
        raise BadDeck(f"{file}: cannot be read as a picture ({error}); put it right in the deck's folder") from None


def _image(image: Image) -> ImageReader:
    return ImageReader(BytesIO(cv2.imencode(".png", image)[1].tobytes()))
