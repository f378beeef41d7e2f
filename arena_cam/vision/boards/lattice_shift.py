"""Which place of a lattice of tiles is a board's middle: by how many tiles then lie on the board, and by its print."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.cells import matching
from arena_cam.vision.boards.cells.matching import Matcher
from arena_cam.vision.boards.seeds import Seed
from arena_cam.vision.boards.straight import print_alignment
from arena_cam.vision.boards.straight.print_alignment import LumaPart
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings

Floats = NDArray[np.float64]

TILE_THERE = 0.55  # correlation from which a place's pixels are taken for a tile's
REACH_MM = 4
NEAR_MM = 5.0
SPARE_MM = 40.0


class LatticeShift:
    """Ranks the places that a lattice leaves open, for boards of one set."""

    def __init__(self, prints: SetPrints, matcher: Matcher, lumas: list[LumaPart]) -> None:
        self.prints, self.matcher, self.lumas = prints, matcher, lumas

    def ranked(self, photograph: Halvings, seeds: list[Seed]) -> list[Seed]:
        """Those with most tiles on the board, whose empty print fits best first.

        Keypoints miss tiles that glare or slant makes dim; the tiles' pictures find them.
        """
        places = {tuple(np.round(np.linalg.solve(seeds[0].px_from_mm, s.px_from_mm)[:2, 2], 1)) for s in seeds}
        shifts = [np.array(place) for place in sorted(places)]
        spots = np.unique(np.round(np.concatenate([self.prints.cells_mm + s for s in shifts]), 0), axis=0)
        box = np.array([spots.min(axis=0) - SPARE_MM, spots.max(axis=0) + SPARE_MM])
        board = photograph.straight(seeds[0].px_from_mm, box, matching.PX_PER_MM)
        tiles = spots[[self.matcher.match(board, spot, REACH_MM).alike.max() > TILE_THERE for spot in spots]]
        counted = [(shift, self._on_board(shift, tiles)) for shift in shifts]
        most = max(int(filled.sum()) for _, filled in counted)
        left = [(shift, filled) for shift, filled in counted if filled.sum() == most]
        if len(left) > 1:
            fits = self._fits(photograph, seeds[0].px_from_mm, [shift for shift, _ in left], tiles)
            left = [left[k] for k in np.argsort(fits)[::-1]]
        return [self._seed(seeds[0], shift, filled) for shift, filled in left]

    def _on_board(self, shift: Floats, tiles: Floats) -> NDArray[np.bool_]:
        if not len(tiles):
            return np.zeros(len(self.prints.cells_mm), bool)
        away = np.linalg.norm((self.prints.cells_mm + shift)[:, None] - tiles[None], axis=2)
        return np.asarray(away.min(axis=1) < NEAR_MM)

    @staticmethod
    def _seed(like: Seed, shift: Floats, filled: NDArray[np.bool_]) -> Seed:
        moved = np.eye(3)
        moved[:2, 2] = shift
        return Seed(like.px_from_mm @ moved, int(filled.sum()), tuple(bool(b) for b in filled))

    def _fits(self, photograph: Halvings, px_from_mm: Floats, shifts: list[Floats], tiles: Floats) -> list[float]:
        """The correlation of the print about each shift, tiles left out: the best of the set's boards."""
        px = print_alignment.PX_PER_MM
        corners = self.prints.corners_mm
        low = np.min(shifts, axis=0) + corners[:, 0].min(axis=0) - NEAR_MM
        high = np.max(shifts, axis=0) + corners[:, 2].max(axis=0) + NEAR_MM
        board = photograph.straight(px_from_mm, np.array([low, high]), px)
        covered = np.zeros(board.pixels.shape[:2], np.uint8)
        for x, y in board.at(tiles):
            cv2.circle(covered, (round(float(x)), round(float(y))), round(0.56 * self.prints.set.width_mm * px), 1, -1)
        free = board.inside & (covered == 0)
        seen = LumaPart(print_alignment.high_passed(board.pixels, free), free, board.origin_mm + 0.5 / px)
        reach = float(np.abs(shifts).max()) + NEAR_MM
        maps = [print_alignment.shifts(luma, seen, reach) for luma in self.lumas]
        return [max(_about(*each, shift) for each in maps) for shift in shifts]


def _about(alike: NDArray[np.float32], first_mm: Floats, shift_mm: Floats) -> float:
    """The best of a map of correlations, at most `REACH_MM` from a shift in x and y."""
    x, y = np.round((shift_mm - first_mm) * print_alignment.PX_PER_MM).astype(int)
    reach = round(REACH_MM * print_alignment.PX_PER_MM)
    return float(alike[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1].max(initial=-1.0))
