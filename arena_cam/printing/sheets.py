"""Pictures of true size to print besides cards: duelling blocks, fiducials, calibration board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.blocks import (
    BLOCK_CHOICES,
    BLOCK_DICTIONARY,
    BLOCK_MARKER_AT_MM,
    BLOCK_MARKER_MM,
    BLOCK_MM,
    Block,
    block_id,
)
from arena_cam.formats.board_json import Charuco
from arena_cam.printing.deck import COLOURS
from arena_cam.printing.shapes import SHAPES, placed

Image = NDArray[np.uint8]

PX_MM = 12  # 300 dpi, as the cards

DICTIONARY = BLOCK_DICTIONARY  # of the fiducials, too
FIDUCIAL_MM = 28.0
FIDUCIAL_IDS = (0, 1, 2, 3, 4, 5, 6, 7)  # four for the corners of the arena, four to spare
LABEL_MM = 3.4  # room for a line of words above a marker
QUIET_MM = 4.0  # white round a marker: one of its modules, which the finder needs

CHOICES = BLOCK_CHOICES

BOARD = Charuco(squares=(7, 5), square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")


@dataclass(frozen=True, eq=False)
class Piece:
    """Something to cut out: `image` (H, W, 3) is `width_mm` x `height_mm` large; `label` is printed above it, or
    within its upper edge. A piece that shows its own outline needs no `cut_marks`."""

    image: Image
    width_mm: float
    height_mm: float
    label: str
    label_inside: bool = False
    cut_marks: bool = True


def fiducials() -> list[Piece]:
    """Markers to lay round the arena, with their quiet zone; the label stands above it, at the upper side."""
    size = FIDUCIAL_MM + 2 * QUIET_MM
    pieces = []
    for number in FIDUCIAL_IDS:
        sheet = _blank(size, size + LABEL_MM)
        _put_marker(sheet, number, (QUIET_MM, QUIET_MM + LABEL_MM), FIDUCIAL_MM)
        pieces.append(Piece(sheet, size, size + LABEL_MM, f"fiducial {number}, this side up", label_inside=True))
    return pieces


def blocks() -> list[Piece]:
    """Five pairs of duelling blocks: a dove's circle for peace, a crossed square for conflict, and a marker each."""
    return [_block(colour, choice) for colour in COLOURS for choice in CHOICES]


def block_faces() -> dict[Block, Image]:
    """The print of every block, for whoever lays them on a simulated table."""
    return {Block(colour, choice): _block(colour, choice).image for colour in COLOURS for choice in CHOICES}


def board() -> Piece:
    """The calibration board; its board.json is `BOARD`."""
    width, height = (count * BOARD.square_mm for count in BOARD.squares)
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, BOARD.dictionary))
    pattern = cv2.aruco.CharucoBoard(BOARD.squares, BOARD.square_mm, BOARD.marker_mm, known)
    grey = pattern.generateImage((round(width * PX_MM), round(height * PX_MM)), marginSize=0, borderBits=1)
    return Piece(np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8), width, height, "calibration board")


def _block(colour: str, choice: str) -> Piece:
    width, height = BLOCK_MM
    ink = COLOURS[colour][0]
    sheet = _blank(width, height)
    middle = (width / 2, 9.4)  # clear of the rim, by which the camera knows that no finger is on the block
    if choice == "peace":
        cv2.circle(sheet, _px(middle), round(6.0 * PX_MM), ink, round(1.0 * PX_MM), cv2.LINE_AA)
    else:
        for side in (-1, 1):
            start, end = (middle[0] - 5.6, middle[1] - side * 5.6), (middle[0] + 5.6, middle[1] + side * 5.6)
            cv2.line(sheet, _px(start), _px(end), ink, round(1.4 * PX_MM), cv2.LINE_AA)
    shape = np.round(placed(SHAPES[colour], middle, 3.2) * PX_MM).astype(np.int32)
    if choice == "conflict":  # the shape stands free of the crossing lines
        cv2.circle(sheet, _px(middle), round(4.0 * PX_MM), (255, 255, 255), -1, cv2.LINE_AA)
    cv2.fillPoly(sheet, [shape], ink, cv2.LINE_AA)
    x, y = (at - BLOCK_MARKER_MM / 2 for at in BLOCK_MARKER_AT_MM)
    _put_marker(sheet, block_id(colour, choice), (x, y), BLOCK_MARKER_MM)
    return Piece(sheet, width, height, f"{colour} {choice}", label_inside=True)


def _blank(width_mm: float, height_mm: float) -> Image:
    return np.full((round(height_mm * PX_MM), round(width_mm * PX_MM), 3), 255, np.uint8)


def _px(point_mm: tuple[float, float]) -> tuple[int, int]:
    return round(point_mm[0] * PX_MM), round(point_mm[1] * PX_MM)


def _put_marker(sheet: Image, number: int, corner_mm: tuple[float, float], size_mm: float) -> None:
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    side = round(size_mm * PX_MM)
    modules = cv2.aruco.generateImageMarker(known, number, known.markerSize + 2)
    marker = cv2.resize(modules, (side, side), interpolation=cv2.INTER_NEAREST)
    x, y = _px(corner_mm)
    sheet[y : y + side, x : x + side] = marker[:, :, None]
