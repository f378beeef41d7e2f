"""Which face shows what is seen of a card, if each may lie a little beside the place that another one told.

Words of a wrong face draw a card to where the true ones are: in that place no face has its words, and whichever has the
fewest wins. So each face is slid over what is open and correlated in every place, without its mean and scale: for any
light (Lewis, "Fast normalized cross-correlation", Vision Interface 1995), only over the pixels in view.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import LUMA
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# A card wrongly named lay astray by up to 2.4 mm and 1.1 degrees: words are a line's height apart.
REACH_MM, TURNS = 3, (0.0, math.radians(-1.2), math.radians(1.2))
MM2_A_PROOF = 40.0  # square millimetres that count as one proof: neighbours are blurred together, and err together
# Nats by which a face leads that is there: of 198 cards in 36 photographs of 18 styles one led by more for 180, always
# the right one.
TOLD = 3.0
# Open to view: the cards of that experiment had 740 and more, and a strip of one fits any face somewhere.
LEAST_MM2 = 200
LEAST_VARIANCE = 1.0  # grey levels squared a pixel: less is no print


@dataclass(frozen=True, eq=False)
class SlidFaces:
    """Of each face the best correlation with what is seen `alike` (F,), the card's motion (2, 3) there, and of how
    many square millimetres that tells."""

    alike: Floats
    motions: list[Floats]
    open_mm2: int

    @property
    def best(self) -> int:
        return int(self.alike.argmax())

    def lead(self, face: int) -> float:
        """By how many nats a face is likelier than any other; below 0 where another is, 0 where too little is open."""
        if self.open_mm2 < LEAST_MM2:
            return 0.0
        every = self._nats()
        return float(every[face] - np.delete(every, face).max(initial=0.0))

    def nats(self, face: int) -> float:
        """By how many nats a face is likelier than that what is seen has nothing to do with any; 0 where too little is
        open. They compare one card in two places, too."""
        return float(self._nats()[face]) if self.open_mm2 >= LEAST_MM2 else 0.0

    def _nats(self) -> Floats:
        unlike = np.log(np.maximum(1.0 - np.square(np.maximum(self.alike, 0.0)), 1e-4))
        return np.asarray(-unlike * self.open_mm2 / (2.0 * MM2_A_PROOF))


class FaceSlider:
    """Slides the faces of one set over what is seen of a card."""

    def __init__(self, prints: SetPrints) -> None:
        self.size_mm = prints.size_mm
        grid = prints.cards(1.0)
        self._mask = grid.mask
        self._faces = np.asarray((grid.faces @ LUMA)[:, grid.mask], np.float32)
        self._faces -= self._faces.mean(axis=1, keepdims=True)
        self._squares = np.square(self._faces)

    def slid(self, view: TopView, motion: Floats, open_mask: Mask) -> SlidFaces:
        """All faces near `motion` (2, 3), compared where `open_mask` (h, w) at 1 px/mm has a card open to view."""
        alike = np.full(len(self._faces), -1.0)
        motions = [motion] * len(alike)
        free = np.pad(open_mask, REACH_MM, mode="edge")
        for turn in TURNS:
            c, s = math.cos(turn), math.sin(turn)
            turned = np.column_stack([motion[:, :2] @ np.array([[c, -s], [s, c]]), motion[:, 2]])
            there, shifts = self._correlated(view, turned, free)
            for face in np.flatnonzero(there > alike):
                alike[face] = there[face]
                moved = turned[:, :2] @ shifts[face] + turned[:, 2]
                motions[face] = np.column_stack([turned[:, :2], moved])
        return SlidFaces(alike, motions, int(np.count_nonzero(open_mask & self._mask)))

    def _correlated(self, view: TopView, motion: Floats, free: Mask) -> tuple[Floats, Floats]:
        """The best correlation (F,) of each face among all shifts within reach, and those shifts (F, 2) in the card's
        mm; `free` (h, w): what is open of a card and REACH_MM about it."""
        height, width = self._mask.shape
        size_mm = (width + 2.0 * REACH_MM, height + 2.0 * REACH_MM)
        patch, inside = view.patch(motion, size_mm, 1.0)
        seen, usable = np.asarray(patch @ LUMA, np.float32) - np.float32(128.0), free & inside
        ways = [(y, x) for y in range(2 * REACH_MM + 1) for x in range(2 * REACH_MM + 1)]
        windows = [(slice(y, y + height), slice(x, x + width)) for y, x in ways]
        there = np.array([usable[window][self._mask] for window in windows], np.float32).T  # (P, S)
        shown = np.array([seen[window][self._mask] for window in windows], np.float32).T * there
        count, total = np.maximum(there.sum(axis=0), 1.0), shown.sum(axis=0)
        faces = self._faces @ there
        common = self._faces @ shown - faces * total / count
        own = self._squares @ there - faces * faces / count
        theirs = np.square(shown).sum(axis=0) - total * total / count
        least = LEAST_VARIANCE * count
        alike = common / np.sqrt(np.maximum(own, least) * np.maximum(theirs, least))
        best = alike.argmax(axis=1)
        shifts = np.array([(x - REACH_MM, y - REACH_MM) for y, x in ways], np.float64)
        return np.asarray(alike.max(axis=1), np.float64), shifts[best]
