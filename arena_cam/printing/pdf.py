"""Sheets to print, at true scale: cards with their backs, pieces to cut out, the calibration board.

Every page has a ruler of 100 mm: printers scale what they print unless told not to, and a deck printed at 97 % does not
fit its deck.toml.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pil
from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadDeck, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.formats.messages import FileTrouble, SetTrouble
from arena_cam.formats.whole_file import write_whole
from arena_cam.printing.sheets import Image, Piece

# Pictures go into the file as bytes. As ASCII85, the library's default, which no reader of PDF needs today, they take a
# fifth more room, and a third of the time of printing a deck.
rl_config.useA85 = 0

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the disk is full, or what this user or file may take of it

MARK_GAP_MM, MARK_MM = 1.0, 3.0  # a cut mark begins that far from what is cut, and is so long
RULER_MM = 100
RULER_FROM_EDGE_MM = 4.0  # most printers reach to 4 mm
LABEL_PT = 6.5
RULER_HIGH_MM = 6.0  # from the paper's lower edge to the upper edge of the ruler and its words
PIECE_GAP_MM = 8.0
LABEL_DOWN_MM = 2.9  # from the upper edge of what is cut to the foot of its label
SAFE_MM = 12.0  # margin of pages whose layout leaves the choice: room for marks and ruler


@dataclass(frozen=True, slots=True)
class _Grid:
    """Pieces of one size on a page, in mm."""

    columns: int
    rows: int
    width: float
    height: float
    gap: float

    @property
    def wide(self) -> float:
        return self.columns * (self.width + self.gap) - self.gap

    @property
    def high(self) -> float:
        return self.rows * (self.height + self.gap) - self.gap


class Sheets:
    """A PDF in the making; `save` writes it."""

    def __init__(self, paper: str) -> None:
        self._width, self._height = PAPERS_MM[paper]
        self._buffer = BytesIO()
        self._canvas = Canvas(self._buffer, pagesize=(self._width * mm, self._height * mm), pageCompression=1)
        self._canvas.setTitle("Cards, blocks, fiducials and calibration board")

    def cards(self, deck: Deck) -> None:
        """Pages of faces, each followed by its backs, mirrored so that they meet when the sheet is turned over."""
        back = None if deck.back is None else _file(deck.back)
        faces = [_file(card.image) for card in deck.cards]
        try:
            self._sides(faces, [] if back is None else [back] * len(faces), deck.width_mm, deck.height_mm, 0.0)
        except ValueError:
            raise BadDeck(SetTrouble.LARGER_THAN_PAPER(), about=deck.name) from None

    def both_sides(
        self,
        fronts: Sequence[Image],
        back: Image,
        width_mm: float,
        height_mm: float,
        *,
        gap_mm: float = 0.0,
        backs: Sequence[Image] = (),
    ) -> None:
        """Pages of `fronts`, each (H, W, 3 or 4), followed by the same `back` for all or, if given, by `backs`."""
        behind = [_image(each) for each in backs] or [_image(back)] * len(fronts)
        known = {id(each): _image(each) for each in fronts}
        self._sides([known[id(each)] for each in fronts], behind, width_mm, height_mm, gap_mm)

    def _sides(
        self, fronts: Sequence[ImageReader], backs: Sequence[ImageReader], width: float, height: float, gap: float
    ) -> None:
        """Raises ValueError where not one piece of `width` x `height` mm, `gap` mm apart, fits on a page."""
        columns = int((self._width - 2 * RULER_FROM_EDGE_MM + gap) // (width + gap))
        edge = RULER_FROM_EDGE_MM if gap == 0 else RULER_HIGH_MM + MARK_GAP_MM + MARK_MM
        rows = int((self._height - 2 * edge + gap) // (height + gap))
        if columns == 0 or rows == 0:
            raise ValueError("larger than the paper")
        grid = _Grid(columns, rows, width, height, gap)
        for start in range(0, len(fronts), columns * rows):
            self._page(fronts[start : start + columns * rows], grid, mirrored=False)
            if backs:
                self._page(backs[start : start + columns * rows], grid, mirrored=True)

    def _page(self, pictures: Sequence[ImageReader], grid: _Grid, *, mirrored: bool) -> None:
        """One side of a sheet, mirrored where it is the other side, so that they meet when the sheet is turned over."""
        left, top = (self._width - grid.wide) / 2, (self._height - grid.high) / 2
        for i, picture in enumerate(pictures):
            row, column = divmod(i, grid.columns)
            column = grid.columns - 1 - column if mirrored else column
            x, y = left + column * (grid.width + grid.gap), top + row * (grid.height + grid.gap)
            self._picture(picture, x, y, grid.width, grid.height)
        for column in range(grid.columns):
            for x in {left + column * (grid.width + grid.gap), left + column * (grid.width + grid.gap) + grid.width}:
                self._mark(x, top, 0, -1)
                self._mark(x, top + grid.high, 0, 1, self._height - RULER_HIGH_MM - top - grid.high)
        for row in range(grid.rows):
            for y in {top + row * (grid.height + grid.gap), top + row * (grid.height + grid.gap) + grid.height}:
                self._mark(left, y, -1, 0)
                self._mark(left + grid.wide, y, 1, 0)
        self._end_page()

    def pieces(self, pieces: Sequence[Piece]) -> None:
        """Pages of pieces, each with its own cut marks: in rows from the left, a new page where one is full."""
        x, y, tallest = SAFE_MM, SAFE_MM, 0.0
        for piece in pieces:
            if x > SAFE_MM and x + piece.width_mm > self._width - SAFE_MM:
                x, y, tallest = SAFE_MM, y + tallest + PIECE_GAP_MM, 0.0
            if y > SAFE_MM and y + piece.height_mm > self._height - SAFE_MM:
                self._end_page()
                x, y, tallest = SAFE_MM, SAFE_MM, 0.0
            self._piece(piece, x, y)
            x, tallest = x + piece.width_mm + PIECE_GAP_MM, max(tallest, piece.height_mm)
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
            raise CannotDo(_not_written(error), about=file) from None

    def _piece(self, piece: Piece, x_mm: float, y_mm: float) -> None:
        self._picture(_image(piece.image), x_mm, y_mm, piece.width_mm, piece.height_mm)
        if piece.cut_marks:
            for x, y, right, down in _corners(x_mm, y_mm, piece.width_mm, piece.height_mm):
                self._mark(x, y, right, 0)
                self._mark(x, y, 0, down)
        if piece.label_inside:
            self._label(piece.label, x_mm + 1.2, y_mm + LABEL_DOWN_MM)
        else:  # clear of the mark at the corner
            self._label(piece.label, x_mm + MARK_GAP_MM, y_mm - 1.2)

    def _picture(self, picture: ImageReader, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> None:
        bottom = self._height - y_mm - height_mm  # a PDF's y runs up, ours down
        self._canvas.drawImage(picture, x_mm * mm, bottom * mm, width_mm * mm, height_mm * mm, mask="auto")

    def _mark(self, x_mm: float, y_mm: float, right: int, down: int, room_mm: float = MARK_GAP_MM + MARK_MM) -> None:
        """A mark beside the edge of what is cut, no longer than there is room: in the ruler it would be a tick."""
        start, end = MARK_GAP_MM, min(MARK_GAP_MM + MARK_MM, room_mm)
        if start >= end:
            return
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


def _not_written(error: OSError) -> Message:
    sentence = FileTrouble.NO_ROOM_OUT if error.errno in NO_ROOM else FileTrouble.NOT_WRITTEN_OUT
    return sentence(text=error.strerror)


def _corners(x: float, y: float, width: float, height: float) -> Iterator[tuple[float, float, int, int]]:
    yield from ((x, y, -1, -1), (x + width, y, 1, -1), (x, y + height, -1, 1), (x + width, y + height, 1, 1))


def _file(file: Path) -> ImageReader:
    try:
        return ImageReader(BytesIO(file.read_bytes()))
    except OSError as error:
        raise BadDeck(SetTrouble.NO_PICTURE_OF_CARD(text=str(error)), about=file) from None


def _image(image: Image) -> ImageReader:
    return ImageReader(Pil.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB)))
