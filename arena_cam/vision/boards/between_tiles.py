"""Which of a set's boards lies under its tiles, by what shows between them: where each tile lies is known to a tenth of
a millimetre once it is named, so a full board's lines are seen in the gaps.

Between tiles lies their shadow, which looks like a black line; and of a coloured line as thin as a pixel a photograph
keeps the brightness but half of the colour. So a board of colourless ink is never told here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.cells.cell_evidence import CellEvidence
from arena_cam.vision.boards.straight import print_alignment
from arena_cam.vision.boards.straight.board_colour import Pixels, TilePixels, WhichBoard, least_veil, which_board
from arena_cam.vision.boards.straight.board_hue import HUE_PX, second_opinion
from arena_cam.vision.boards.straight.print_alignment import LumaPart
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints, linear_light
from arena_cam.vision.boards.straight.straight_board import StraightBoard
from arena_cam.vision.boards.straight.tile_cover import covered, hexagon
from arena_cam.vision.boards.straight.tile_cover import moved as moved_by
from arena_cam.vision.printed.print_light import LUMA

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

GROWN_MM, GROWN_PX = 0.3, 0.5  # round each tile; its place is good to the first, a pixel mixes half of its own size
RIM_MM = 1.5  # of a board that is not compared: the table may show there
EVERY = 2  # one pixel in so many, along x and y, is compared
PAPER_MM = 7.5  # lines and small marks are thinner; the median over so much is the paper without them
COLOURED = 0.15  # share of a print's contrast that is colour: of printing inks 0.2 to 0.6, of black and white 0.05


@dataclass(frozen=True, eq=False)
class Told:
    """A board that is told by what shows between its tiles: `moved` (3, 3) takes its print's millimetres to those of
    the tiles' plane; `alike`: the correlation of its lines there."""

    moved: Floats
    alike: float
    colour: WhichBoard


def outlines_of(prints: SetPrints, cells: Sequence[CellEvidence]) -> Floats:
    """The corners (F, 6, 2) of the faces of all tiles that lie there, in mm of the tiles' plane."""
    size = (prints.set.width_mm, prints.set.height_mm)
    out = [
        hexagon(size, at + cell.best.placed.shift_mm, cell.best.placed.turn_rad)
        for at, cell in zip(prints.cells_mm, cells, strict=True)
        if cell.best.tile is not None
    ]
    return np.array(out).reshape(-1, 6, 2)


class BetweenTiles:
    """Tells the boards of one set by what shows between their tiles."""

    def __init__(self, prints: SetPrints, places: PrintPlaces) -> None:
        self.prints, self._places = prints, places
        own = [print_alignment.own_print(prints, which) for which in range(len(prints.boards))]
        self._lumas = [*((luma, LUMA) for luma in places.lumas), *own]

    def aligned(self, board: StraightBoard, start: Floats, faces: Floats, rest_mm: Floats) -> tuple[Floats, float]:
        """The homography from the print's millimetres to the tiles' plane, begun at `start` (3, 3), and the print's
        correlation there. `rest_mm` (F, 1, 2): how each of the faces (F, 6, 2) lies from where its tile stands. `board`
        is straight in the tiles' plane, at the resolution of `print_alignment`."""
        feet = moved_by(start, faces - rest_mm)
        free = board.inside & ~covered(board, faces, feet, self._grown(board)) & self._places.within(board, start)
        tried = []
        for luma, weights in self._lumas:
            mixed = print_alignment.high_passed(board.pixels, free, weights)
            seen = LumaPart(mixed, free, board.origin_mm + 0.5 / board.px_per_mm)
            tried.append(print_alignment.aligned(luma, seen, start, print_alignment.HELD_BY_OUTLINE))
        return max(tried, key=lambda each: each[1])

    def told(
        self,
        bare: StraightBoard,
        place: tuple[Floats, float],
        tiles: tuple[Floats, Floats, TilePixels],
        px_per_mm: float,
        blur_mm: float,
    ) -> Told | None:
        """The board that lies there; None if that is not plain.

        `bare` is straight in the print's plane, `place` is that plane's as `aligned` says it. `tiles`: their faces, the
        rest and their pixels, which tell the light. `px_per_mm` and `blur_mm` are the photograph's.
        """
        moved, alike = place
        faces, rest_mm, tile_pixels = tiles
        feet, seen_faces = faces - rest_mm, moved_by(np.asarray(np.linalg.inv(moved)), faces)
        grown = GROWN_MM + GROWN_PX / max(px_per_mm, 0.5)
        free = bare.inside & ~covered(bare, seen_faces, feet, grown)
        printed = [self._printed(bare, which, blur_mm) for which in range(len(self.prints.boards))]
        pixels = self._chosen(bare, bare.pixels, printed, free)
        first = which_board(pixels, tile_pixels)
        softer = HUE_PX / max(px_per_mm, 0.5)
        colour = second_opinion(self._soft(bare, free, softer, blur_mm), first)
        plain = colour.agreed and colour.is_told(alike)
        paper = self._chosen(bare, bare.pixels, [_paper(printed, bare.px_per_mm)], free).prints[0]
        return Told(moved, alike, colour) if plain and coloured(pixels.prints[colour.which], paper) else None

    def _grown(self, board: StraightBoard) -> float:
        return GROWN_MM + GROWN_PX / board.px_per_mm

    def _soft(self, bare: StraightBoard, free: Mask, softer_mm: float, blur_mm: float) -> Pixels:
        """The same as shares of light and softened, without what tiles cover."""
        weight, spread = free.astype(np.float32), softer_mm * bare.px_per_mm
        total = np.maximum(cv2.GaussianBlur(weight, (0, 0), spread), np.float32(1e-3))[:, :, None]

        def soft(pixels: Grey) -> Grey:
            return np.asarray(cv2.GaussianBlur(pixels * weight[:, :, None], (0, 0), spread) / total, np.float32)

        boards = range(len(self.prints.boards))
        printed = [soft(self._printed(bare, which, blur_mm, linear=True)) for which in boards]
        return self._chosen(bare, soft(linear_light(bare.pixels)), printed, free)

    def _printed(self, bare: StraightBoard, which: int, blur_mm: float, *, linear: bool = False) -> Grey:
        """A board's print (h, w, 3) on the pixels of the straightened photograph."""
        image = self.prints.board(which, bare.px_per_mm, blur_mm, linear=linear)
        first = bare.at(self.prints.corners_mm[which][:1] + 0.5 / bare.px_per_mm)[0]
        size = (bare.pixels.shape[1], bare.pixels.shape[0])
        move = np.column_stack([np.eye(2), first])
        return np.asarray(cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REPLICATE), np.float32)

    def _chosen(self, bare: StraightBoard, seen: Grey, printed: Sequence[Grey], free: Mask) -> Pixels:
        y, x = (v * EVERY for v in np.nonzero(free[::EVERY, ::EVERY]))
        at = bare.origin_mm + (np.column_stack([x, y]) + 0.5) / bare.px_per_mm
        corners = self.prints.corners_mm
        there = np.stack([((at > c[0] + RIM_MM) & (at < c[2] - RIM_MM)).all(axis=1) for c in corners])
        veil = least_veil(self.prints.set.photographed)
        return Pixels(seen[y, x], at, np.stack([each[y, x] for each in printed]), there, veil)


def coloured(printed: Grey, paper: Grey) -> bool:
    """Whether a print (N, 3) differs from its paper (N, 3) by more than brightness."""
    contrast = printed - paper
    colour = contrast - contrast.mean(axis=1, keepdims=True)
    return float(np.linalg.norm(colour)) > COLOURED * float(np.linalg.norm(contrast))


def _paper(printed: Sequence[Grey], px_per_mm: float) -> Grey:
    """The paper of all boards together, without lines."""
    mean = np.asarray(np.clip(np.mean(printed, axis=0), 0, 255), np.uint8)
    return np.asarray(cv2.medianBlur(mean, 2 * round(PAPER_MM * px_per_mm / 2) + 1), np.float32)
