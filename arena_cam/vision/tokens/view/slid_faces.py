"""Which face shows what is seen of a card, if each may lie a little beside the place that another one told.

Words of a wrong face draw a card to where the true ones are: in that place no face has its words, and whichever has the
fewest wins. So each face is slid over what is open and correlated in every place, without its mean and scale: for any
light (Lewis, "Fast normalized cross-correlation", Vision Interface 1995), only over the pixels in view.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
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
# Faces that are compared turned, too: those most alike as the card lies. A turn within reach moves no pixel by a
# millimetre, so that the faces' order hardly changes.
MOST_TURNED = 16
MM2_A_PROOF = 40.0  # square millimetres that count as one proof: neighbours are blurred together, and err together
# Nats by which a face leads that is there: of 198 cards in 36 photographs of 18 styles one led by more for 180, always
# the right one.
TOLD = 3.0
# Nats by which a face leads in the first turn, and its correlation, from which no other is compared turned.
WHATEVER_TURN, WELL_TURNED = 25.0, 0.8
# Its correlation as the card lies, from which none is slid at all. Of 141 cards of 20 photographs one led so for 114,
# always the one that leads where all are slid, less than a millimetre aside.
WELL_LAID = 0.9
# Open to view: the cards of that experiment had 740 and more, and a strip of one fits any face somewhere.
LEAST_MM2 = 200
LEAST_VARIANCE = 1.0  # grey levels squared a pixel: less is no print
_WAYS = np.arange(-REACH_MM, REACH_MM + 1.0)
_SHIFTS = np.stack(np.meshgrid(_WAYS, _WAYS), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class SlidFaces:
    """Of each face the best correlation with what is seen `alike` (F,), the card's motion there, `motions` (F, 2, 3),
    and of how many square millimetres that tells."""

    alike: Floats
    motions: Floats
    open_mm2: int

    @property
    def best(self) -> int:
        return int(self.alike.argmax())

    def lead(self, face: int) -> float:
        """By how many nats a face is likelier than any other; below 0 where another is, 0 where too little is open."""
        if self.open_mm2 < LEAST_MM2:
            return 0.0
        every = self._nats
        return float(every[face] - np.delete(every, face).max(initial=0.0))

    def nats(self, face: int) -> float:
        """By how many nats a face is likelier than that what is seen has nothing to do with any; 0 where too little is
        open. They compare one card in two places, too."""
        return float(self._nats[face]) if self.open_mm2 >= LEAST_MM2 else 0.0

    @cached_property
    def _nats(self) -> Floats:
        unlike = np.log(np.maximum(1.0 - np.square(np.maximum(self.alike, 0.0)), 1e-4))
        return np.asarray(-unlike * self.open_mm2 / (2.0 * MM2_A_PROOF))


class FaceSlider:
    """Slides the faces of one set over what is seen of a card."""

    def __init__(self, prints: SetPrints) -> None:
        self.size_mm = prints.size_mm
        grid = prints.cards(1.0)
        self._mask = grid.mask
        faces = np.asarray(grid.faces @ LUMA, np.float32)
        faces -= faces[:, grid.mask].mean(axis=1)[:, None, None]
        faces[:, ~grid.mask] = 0.0
        values = np.ascontiguousarray(faces.reshape(len(faces), -1).T)
        self._faces = _Pixels(values, np.square(values))
        self._on_card = grid.mask.ravel().astype(np.float32)  # (P,)

    def slid(self, view: TopView, motion: Floats, open_mask: Mask) -> SlidFaces:
        """All faces near `motion` (2, 3), compared where `open_mask` (h, w) at 1 px/mm has a card open to view.

        Only the faces most alike in one turn are compared in the others, too."""
        alike = np.full(self._faces.count, -1.0)
        turns, slides = np.zeros(len(alike), np.intp), np.zeros((len(alike), 2))
        free = np.pad(open_mask, REACH_MM, mode="edge")
        chosen, faces = np.arange(len(alike)), self._shown(free)
        turned = [np.column_stack([motion[:, :2] @ _rotation(turn), motion[:, 2]]) for turn in TURNS]
        many = int(np.count_nonzero(open_mask & self._mask))
        for k, each in enumerate(turned):
            there, shifts = self._correlated(view, each, free, chosen, faces)
            better = there > alike[chosen]
            alike[chosen[better]], slides[chosen[better]], turns[chosen[better]] = there[better], shifts[better], k
            most = 1 if _leads_whatever_its_turn(SlidFaces(alike, motion[None], many)) else MOST_TURNED
            if len(chosen) > most:
                likeliest = np.sort(np.argsort(-alike, kind="stable")[:most])
                chosen, faces = likeliest, faces.only(np.searchsorted(chosen, likeliest))
        motions = np.array(turned)[turns]
        motions[:, :, 2] += (motions[:, :, :2] @ slides[:, :, None])[:, :, 0]
        return SlidFaces(alike, motions, many)

    def told(self, view: TopView, motion: Floats, open_mask: Mask) -> SlidFaces:
        """The same as the card lies, where one face leads there so that no slide would tell another; slid elsewhere: in
        a fifth of the time of most cards."""
        there = self.unmoved(view, motion, open_mask)
        laid = _leads_whatever_its_turn(there) and float(there.alike.max()) > WELL_LAID
        return there if laid else self.slid(view, motion, open_mask)

    def unmoved(self, view: TopView, motion: Floats, open_mask: Mask) -> SlidFaces:
        """The same of all faces in one place alone: in a fiftieth of the time."""
        patch, inside = view.patch(motion, self.size_mm, 1.0)
        usable = open_mask & inside
        seen = (np.asarray(patch @ LUMA, np.float32) - np.float32(128.0)) * usable
        nothing = np.zeros(0, np.intp), np.zeros((1, 0), np.float32)
        faces = self._faces.shown(usable.ravel() & (self._on_card > 0), *nothing)
        alike = self._alike(seen.reshape(1, -1), faces)[0].astype(np.float64)
        motions = np.repeat(motion[None], len(alike), axis=0)
        return SlidFaces(alike, motions, int(np.count_nonzero(open_mask & self._mask)))

    def _windows(self, around: Grey) -> Grey:
        """(S, P): the pixels of the card's box in each of S shifts, of a picture (h, w) that reaches REACH_MM beyond
        it: copied row by row, in a third of the time that picking out those of the card takes."""
        windows = np.lib.stride_tricks.sliding_window_view(around, self._mask.shape)
        return windows.reshape(-1, self._mask.size)

    def _shown(self, usable: Mask) -> _ShownFaces:
        """The faces where a picture (h, w) that reaches REACH_MM beyond the card is `usable`."""
        there, kernel = usable.astype(np.uint8), np.ones((2 * REACH_MM + 1,) * 2, np.uint8)
        within = (slice(REACH_MM, -REACH_MM),) * 2
        always, ever = (each(there, kernel)[within].ravel() > 0 for each in (cv2.erode, cv2.dilate))
        on_card = self._on_card > 0
        some = np.flatnonzero(ever & ~always & on_card)
        rows, columns = np.divmod(some, self._mask.shape[1])
        shifts = (_SHIFTS + REACH_MM).astype(np.intp) @ np.array([1, there.shape[1]])
        seen = there.take(rows * there.shape[1] + columns + shifts[:, None]).astype(np.float32)
        return self._faces.shown(always & on_card, some, seen)

    def _correlated(
        self, view: TopView, motion: Floats, free: Mask, chosen: NDArray[np.intp], faces: _ShownFaces
    ) -> tuple[Floats, Floats]:
        """The best correlation (F,) of each of the `chosen` faces among all shifts within reach, and those shifts
        (F, 2) in the card's mm; `free` (h, w): what is open of a card and REACH_MM about it."""
        height, width = self._mask.shape
        size_mm = (width + 2.0 * REACH_MM, height + 2.0 * REACH_MM)
        patch, inside = view.patch(motion, size_mm, 1.0)
        usable = free & inside
        seen = (np.asarray(patch @ LUMA, np.float32) - np.float32(128.0)) * usable
        if not inside.all():
            faces = self._shown(usable).only(chosen)
        alike = self._alike(self._windows(seen), faces)  # 0 where nothing is open
        best = alike.argmax(axis=0)
        return np.asarray(alike.max(axis=0), np.float64), _SHIFTS[best]

    def _alike(self, shown: Grey, faces: _ShownFaces) -> Grey:
        """(S, F): how the pixels (S, P) that a card's box shows in each of S shifts correlate with each face."""
        count, total = faces.open_pixels, (shown @ self._on_card)[:, None]
        common = shown @ faces.values - faces.sums * total / count
        own = faces.squares - faces.sums * faces.sums / count
        theirs = (np.square(shown) @ self._on_card)[:, None] - total * total / count
        least = LEAST_VARIANCE * count
        return np.asarray(common / np.sqrt(np.maximum(own, least) * np.maximum(theirs, least)), np.float32)


def _leads_whatever_its_turn(slid: SlidFaces) -> bool:
    """Whether one face is so much likelier than all others, and so like what is seen, that no turn within reach of a
    wrong one makes that likelier."""
    return slid.lead(slid.best) > WHATEVER_TURN and float(slid.alike.max()) > WELL_TURNED


def _rotation(turn: float) -> Floats:
    c, s = math.cos(turn), math.sin(turn)
    return np.array([[c, -s], [s, c]])


@dataclass(frozen=True, eq=False)
class _Pixels:
    """The P pixels of F faces' boxes, without their mean, 0 beside the cards: `values` and `squares` (P, F)."""

    values: Grey
    squares: Grey

    @property
    def count(self) -> int:
        return int(self.values.shape[1])

    def shown(self, always: Mask, some: NDArray[np.intp], seen: Grey) -> _ShownFaces:
        """The faces where the pixels `always` (P,) are seen in each of S shifts, and of those with numbers `some` (N,)
        what `seen` (S, N) has of each shift, 1 or 0. Shifts differ about the rims of what is open alone."""
        shown = always.astype(np.float32)
        sums, squares = (shown @ each + seen @ each[some] for each in (self.values, self.squares))
        count = np.float32(np.count_nonzero(always)) + seen.sum(axis=1)
        return _ShownFaces(self.values, sums, squares, np.maximum(count, np.float32(1.0))[:, None])


@dataclass(frozen=True, eq=False)
class _ShownFaces:
    """F faces as S shifts show them: their `values` (P, F), and of each shift the `sums` and `squares` (S, F) of what
    is seen of each face, and of how many pixels that is (S, 1)."""

    values: Grey
    sums: Grey
    squares: Grey
    open_pixels: Grey

    def only(self, chosen: NDArray[np.intp]) -> _ShownFaces:
        """Some of the faces."""
        values = np.ascontiguousarray(self.values[:, chosen])
        return _ShownFaces(values, self.sums[:, chosen], self.squares[:, chosen], self.open_pixels)
