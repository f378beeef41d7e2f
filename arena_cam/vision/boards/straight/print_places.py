"""Where a set's print lies about a place: by its correlation, or by an outline of the board that was seen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.straight import print_alignment
from arena_cam.vision.boards.straight.print_alignment import LumaPart
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings, StraightBoard

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

LEAST_TILES = 3  # tiles that lie as cells do, from which a place needs no print to be looked at
MANY_TILES = 12  # their places tell the tiles' plane, so that a print may lie in few ways beneath it
PRINT_AT_ALL = 0.15  # of a place that keypoints of print alone speak for, before it is aligned
CLEAR_PRINT = 0.7  # below it the print is looked for once more
RIM_MM = 14.0  # of a board; frames are up to 10 mm wide, and their border draws 4 mm along (`HIGH_PASS_MM`)
# Of a board told by its colours, correlation of its own print within the rim, and pixels of it that must be in view. Of
# 42 boards told rightly with so many in view the least had 0.76, in glare that left a fifth of the contrast; a black
# board on black paper whose rim showed the wooden table was told as yellow, with -0.04.
LEAST_SHOWN, SHOWN_PIXELS = 0.3, 1000
BETTER_PRINT = 0.1  # correlation by which a print must be met better to be believed elsewhere
LEAST_ALIGNED = 0.25  # a print that is hardly seen says less of its place than the tiles do


class PrintPlaces:
    """Looks for the prints of one set; `box_mm` (2, 2): the corners of what is straightened, in the board frame."""

    def __init__(self, prints: SetPrints, box_mm: Floats) -> None:
        self.prints = prints
        self.lumas = [luma for luma, _ in print_alignment.print_lumas(prints)]
        self._box = box_mm
        self._of_one: dict[int, tuple[LumaPart, Grey]] = {}
        self._of_evened: dict[int, tuple[LumaPart, Grey]] = {}

    def of_any(
        self, photograph: Halvings, tiles_px: Floats, filled: Mask, outline: Floats | None
    ) -> tuple[Floats, float]:
        """The homography from the print's millimetres to the tiles' plane, and the print's correlation there.

        `outline`: the same homography by the board's outline, if that is seen.
        """
        if np.count_nonzero(filled) < MANY_TILES:
            return self._freely(photograph, tiles_px, filled, outline)
        beneath = self._beneath(photograph, tiles_px, filled)
        if beneath[1] > CLEAR_PRINT:
            return beneath
        freely = self._freely(photograph, tiles_px, filled, outline)
        return freely if freely[1] > beneath[1] + BETTER_PRINT else beneath

    def _freely(
        self, photograph: Halvings, tiles_px: Floats, filled: Mask, outline: Floats | None
    ) -> tuple[Floats, float]:
        """As `of_any`, if the tiles may lie some millimetres from where they were put."""
        if outline is not None:
            held = print_alignment.HELD_BY_OUTLINE
            tried: list[tuple[Floats, float]] = []
            for within in (outline, None):  # an outline that is a little off cuts away the print's own border
                seen = self._bare(photograph, tiles_px, filled, within)
                tried += [print_alignment.aligned(luma, seen, outline, held) for luma in self.lumas]
                moved, alike = max(tried, key=lambda each: each[1])
                if alike > CLEAR_PRINT:
                    break
            return (moved, alike) if alike > LEAST_ALIGNED else (outline, max(alike, 0.0))
        seen, shifted = self._shifts(photograph, tiles_px, filled)
        best = max(range(len(shifted)), key=lambda k: shifted[k][1])
        if shifted[best][1] < PRINT_AT_ALL and np.count_nonzero(filled) < LEAST_TILES:
            return np.eye(3), 0.0
        moved, alike = print_alignment.aligned(self.lumas[best], seen, print_alignment.shifted(shifted[best][0]))
        return (moved, alike) if alike > LEAST_ALIGNED else (np.eye(3), 0.0)

    def _beneath(self, photograph: Halvings, tiles_px: Floats, filled: Mask) -> tuple[Floats, float]:
        """As `of_any`, beneath tiles that are many enough to say how their board lies, to some millimetres: the table
        beyond that is left out, as a bright one draws a frame onto itself."""
        seen = self._bare(photograph, tiles_px, filled, np.eye(3))
        moved, alike = max((self._held(luma, seen) for luma in self.lumas), key=lambda each: each[1])
        return (moved, alike) if alike > LEAST_ALIGNED else (np.eye(3), max(alike, 0.0))

    def _held(self, luma: LumaPart, seen: LumaPart) -> tuple[Floats, float]:
        """A print held by many tiles, begun where they say and at its best shift."""
        shift = print_alignment.shifted(print_alignment.best_shift(luma, seen)[0])
        held = print_alignment.HELD_BY_TILES
        tried = (print_alignment.aligned(luma, seen, start, held) for start in (np.eye(3), shift))
        return max(tried, key=lambda each: each[1])

    def of_one(
        self, photograph: Halvings, tiles_px: Floats, filled: Mask, which: int, outline: Floats | None
    ) -> tuple[Floats, float]:
        """As `of_any`, by the print of one board alone."""
        luma, weights = self._own(which)
        many = outline is None and np.count_nonzero(filled) >= MANY_TILES
        px = print_alignment.PX_PER_MM
        board = photograph.straight(tiles_px, self._box, px)
        free = board.inside & ~self.tile_area(board, filled)
        if outline is not None or many:
            free &= self.within(board, np.eye(3) if outline is None else outline)
        mixed = print_alignment.high_passed(board.pixels, free, weights)
        seen = LumaPart(mixed, free, board.origin_mm + 0.5 / px)
        if outline is not None:
            return print_alignment.aligned(luma, seen, outline, print_alignment.HELD_BY_OUTLINE)
        if many:
            return self._held(luma, seen)
        return print_alignment.aligned(luma, seen, print_alignment.shifted(print_alignment.best_shift(luma, seen)[0]))

    def of_evened(self, photograph: Halvings, tiles_px: Floats, filled: Mask, which: int) -> tuple[Floats, float]:
        """As `of_one` beneath many tiles, with each part of the print as weighty as any other."""
        if which not in self._of_evened:
            self._of_evened[which] = print_alignment.own_even_print(self.prints, which)
        even, even_weights = self._of_evened[which]
        luma, weights = self._own(which)
        board = photograph.straight(tiles_px, self._box, print_alignment.PX_PER_MM)
        free = board.inside & ~self.tile_area(board, filled) & self.within(board, np.eye(3))
        origin = board.origin_mm + 0.5 / board.px_per_mm
        mixed = print_alignment.evened(print_alignment.high_passed(board.pixels, free, even_weights), free)
        seen = LumaPart(mixed, free, origin)
        held, blurs = print_alignment.HELD_BY_TILES, print_alignment.WIDE_BLURS_PX
        moved, _ = print_alignment.aligned(even, seen, np.eye(3), held, blurs)
        own = LumaPart(print_alignment.high_passed(board.pixels, free, weights), free, origin)
        return moved, print_alignment.alike_at(luma, own, moved)

    def _own(self, which: int) -> tuple[LumaPart, Grey]:
        """A board's print alone in the mixture of channels in which it stands out most, and that mixture."""
        if which not in self._of_one:
            self._of_one[which] = print_alignment.own_print(self.prints, which)
        return self._of_one[which]

    def is_absent(self, photograph: Halvings, px_from_mm: Floats, filled: Mask, which: int) -> bool:
        """Whether a board's own lines would be in view where it lies exactly so, and are not seen there: a shadow or a
        veil leaves little of their contrast, but that little correlates."""
        luma, weights = self._own(which)
        board = photograph.straight(px_from_mm, self._box, print_alignment.PX_PER_MM)
        free = board.inside & ~self.tile_area(board, filled) & self.within(board, np.eye(3))
        mixed = print_alignment.high_passed(board.pixels, free, weights)
        seen = LumaPart(mixed, free, board.origin_mm + 0.5 / board.px_per_mm)
        shown = print_alignment.alike_within(luma, seen, RIM_MM, SHOWN_PIXELS)
        return shown is not None and shown < LEAST_SHOWN

    def is_there(self, photograph: Halvings, px_from_mm: Floats) -> bool:
        """Whether a board's print correlates at all where its keypoints put it: the whole look costs ten times that."""
        free = np.zeros(len(self.prints.cells_mm), bool)
        return max(alike for _, alike in self._shifts(photograph, px_from_mm, free)[1]) > PRINT_AT_ALL

    def within_rim(self, photograph: Halvings, px_from_mm: Floats, filled: Mask) -> float | None:
        """The correlation of a board's print without its rim, where it lies exactly so: a frame alone is no board's.

        None where no more than the rim is printed.
        """
        seen = self._bare(photograph, px_from_mm, filled)
        told = [print_alignment.alike_within(luma, seen, RIM_MM) for luma in self.lumas]
        return max((each for each in told if each is not None), default=None)

    def _shifts(
        self, photograph: Halvings, px_from_mm: Floats, filled: Mask
    ) -> tuple[LumaPart, list[tuple[Floats, float]]]:
        """The photograph where no tile lies, and the best shift of each of the set's prints in it."""
        seen = self._bare(photograph, px_from_mm, filled)
        return seen, [print_alignment.best_shift(luma, seen) for luma in self.lumas]

    def _bare(self, photograph: Halvings, px_from_mm: Floats, filled: Mask, outline: Floats | None = None) -> LumaPart:
        """The photograph's luma where no tile lies; within the outline only, if there is one."""
        px = print_alignment.PX_PER_MM
        board = photograph.straight(px_from_mm, self._box, px)
        free = board.inside & ~self.tile_area(board, filled)
        if outline is not None:
            free &= self.within(board, outline)
        return LumaPart(print_alignment.high_passed(board.pixels, free), free, board.origin_mm + 0.5 / px)

    def within(self, board: StraightBoard, outline: Floats) -> Mask:
        """Pixels of the board as its outline says; the table beside it would draw a bright frame onto itself."""
        out = np.zeros(board.pixels.shape[:2], np.uint8)
        for corners in self.prints.corners_mm:
            where = board.at(transformed(outline, corners))
            cv2.fillConvexPoly(out, np.asarray(np.round(where), np.int32), 1)
        return out > 0

    def tile_area(self, board: StraightBoard, filled: Mask) -> Mask:
        """Pixels that tiles in the filled cells may cover, their sides seen askew and their shadow included."""
        out = np.zeros(board.pixels.shape[:2], np.uint8)
        radius = 0.56 * self.prints.set.width_mm * board.px_per_mm
        for x, y in board.at(self.prints.cells_mm[filled]):
            cv2.circle(out, (round(float(x)), round(float(y))), round(radius), 1, -1)
        return out > 0
