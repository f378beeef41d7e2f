"""Which way up a board lies within a straight-sided outline: by the tiles in its cells, or by its print."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.cells import matching
from arena_cam.vision.boards.cells.matching import Matcher
from arena_cam.vision.boards.seeds import Seed, plausible
from arena_cam.vision.boards.straight import print_alignment
from arena_cam.vision.boards.straight.print_alignment import LumaPart
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings, StraightBoard

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

LOOKED_AT = 5  # cells, those of most contrast: tiles have more of it than empty cells
LEAST_TILES_ALIKE, LEAST_PRINT_ALIKE = 0.5, 0.2  # below both no board of the set is there
FRAME_PX_PER_MM, MOST_FRAME_MM, LEAST_FRAME_MM = 2.0, 16.0, 2.5
FRAME_STEP = 20.0  # grey levels by which what lies within a frame differs from it
REACH_MM = 5  # the outline is seen to some two millimetres; tiles slip, and stand above it


class OutlineSeeds:
    """Turns outlines into places of boards of one set."""

    def __init__(self, prints: SetPrints, matcher: Matcher, lumas: list[LumaPart]) -> None:
        self.prints, self.matcher, self.lumas = prints, matcher, lumas
        corners = np.unique(np.round(prints.corners_mm, 1), axis=0)
        self._corners: list[Floats] = [np.asarray(each) for each in corners]
        self._within = _within_frame(prints)

    def as_inner_border(self, seed: Seed) -> Seed | None:
        """The place of a board if what was seen as its outline is its frame's inner border; None if it has no frame."""
        return None if self._within is None else Seed(np.asarray(seed.px_from_mm @ self._within), 0)

    def seeds(self, photograph: Halvings, outline_px: Floats) -> list[Seed]:
        """The board turned by quarters within an outline (4, 2), clockwise; likeliest first, unlikely ones left out."""
        scored: list[tuple[float, Seed]] = []
        for corners in self._corners:
            for quarter in range(4):
                target = np.roll(outline_px, quarter, axis=0)
                homography = np.asarray(
                    cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32)), np.float64
                )
                if plausible(homography, corners):
                    scored.append((self._tiles_alike(photograph, homography), Seed(homography, 0)))
        if not scored:
            return []
        if max(alike for alike, _ in scored) < LEAST_TILES_ALIKE:
            scored = [(self._print_alike(photograph, seed.px_from_mm), seed) for _, seed in scored]
            scored = [each for each in scored if each[0] > LEAST_PRINT_ALIKE]
        return [seed for _, seed in sorted(scored, key=lambda each: -each[0])]

    def _straight(self, photograph: Halvings, px_from_mm: Floats, px_per_mm: float) -> StraightBoard:
        corners = np.concatenate(self._corners)
        box = np.array([corners.min(axis=0) - REACH_MM, corners.max(axis=0) + REACH_MM])
        return photograph.straight(px_from_mm, box, px_per_mm)

    def _tiles_alike(self, photograph: Halvings, px_from_mm: Floats) -> float:
        """The mean correlation of the cells of most contrast with the tiles likeliest there."""
        board = self._straight(photograph, px_from_mm, matching.PX_PER_MM)
        half = round(0.3 * self.prints.set.width_mm * board.px_per_mm)
        spread = []
        for x, y in np.round(board.at(self.prints.cells_mm)).astype(int):
            cell = board.pixels[max(y - half, 0) : y + half, max(x - half, 0) : x + half]
            spread.append(float(cell.std(axis=(0, 1)).sum()))
        chosen = np.argsort(spread)[::-1][:LOOKED_AT]
        alike = [self.matcher.match(board, self.prints.cells_mm[k], REACH_MM).alike.max() for k in chosen]
        return float(np.median(alike))

    def _print_alike(self, photograph: Halvings, px_from_mm: Floats) -> float:
        """The best correlation of the set's prints with what is seen, as if the board were empty."""
        px = print_alignment.PX_PER_MM
        board = self._straight(photograph, px_from_mm, px)
        seen = LumaPart(
            print_alignment.high_passed(board.pixels, board.inside), board.inside, board.origin_mm + 0.5 / px
        )
        return max(print_alignment.best_shift(luma, seen)[1] for luma in self.lumas)


def _within_frame(prints: SetPrints) -> Floats | None:
    """The homography (3, 3) that takes the inner border of the boards' frame to their outline, in mm of the print."""
    widths = [frame_mm(prints.board(which, FRAME_PX_PER_MM), FRAME_PX_PER_MM) for which in range(len(prints.boards))]
    width = float(np.median([0.0 if each is None else each for each in widths]))
    if width < LEAST_FRAME_MM:
        return None
    outer = prints.corners_mm[0]
    inner = outer + width * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    return np.asarray(cv2.getPerspectiveTransform(inner.astype(np.float32), outer.astype(np.float32)), np.float64)


def frame_mm(image: Grey, px_per_mm: float) -> float | None:
    """How wide a frame is that has one colour all round a board's print (h, w, 3); None where there is none."""
    rim = round(px_per_mm)
    found = []
    for turned in range(4):
        side = np.rot90(image, turned)
        across = side.shape[1] // 6
        profile = np.median(side[:, across:-across], axis=1)
        away = np.abs(profile - profile[rim]).max(axis=1)
        deep = np.flatnonzero(away[rim : round(MOST_FRAME_MM * px_per_mm)] > FRAME_STEP)
        if not len(deep):
            return None
        found.append((float(deep[0]) + rim) / px_per_mm)
    return float(np.median(found)) if max(found) - min(found) < 2.0 else None
