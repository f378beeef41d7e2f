"""Which face's words are seen on a card, told by the pixels alone on which two faces differ.

What faces share, a frame and its colours, is most of what is seen of a card under tokens. Half a millimetre astray its
edges leave more unexplained than few words have: over all that is open the true face leads by next to nothing though a
person reads it. So faces are compared two by two, where they differ, in noise that these pixels themselves tell: the
concentrated likelihood of two Gaussian errors. Shade changes slowly: each pixel counts less the mean of those about it
that are open.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import LUMA
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.intp]

FINE = 2.0  # px/mm: strokes of letters are half a millimetre wide
REACH_PX = 4  # how far a card may be astray along each of its sides: 2 mm
SHADE_PX = 19  # 9.5 mm: letters and gaps are narrower, a token's shadow is wider but for its edge
# Faces that are laid in each place, of those most alike in every second one. The true face of 165 cards whose name was
# not plain was among the first eight but for five, of which hardly a letter was open.
CONTENDERS = 12
DIFFERENT = 15.0  # grey levels, without the mean about them, by which a pixel tells two faces apart
LEAST_PX = 8  # pixels that tell two faces apart, below which nothing does
PX_A_PROOF = 8.0  # pixels that count as one proof: two square millimetres, a letter's part, err together
QUIET = 4.0  # grey levels squared, what noise a pixel has at least
LEAST_GAIN = 0.05  # of a print's own contrast in the photograph, the least that is print
# By how many nats words lead that tell a face, and how alike they are. Of 165 cards of 28 sets whose name was not plain
# the true face led by more for all but two of those that had any words open; where it did not lead, or no card lay, one
# led by at most 2 nats or was alike by at most 0.41.
TOLD, ALIKE = 6.0, 0.5
_SHIFTS = np.stack(np.meshgrid(*[np.arange(2 * REACH_PX + 1)] * 2), axis=-1).reshape(-1, 2)  # (S, 2): x, y
_SHIFTS = _SHIFTS[np.argsort(np.hypot(*(_SHIFTS - REACH_PX).T), kind="stable")]  # none where none is better
_EVERY_SECOND = np.flatnonzero((_SHIFTS % 2 == 0).all(axis=1))


@dataclass(frozen=True, eq=False)
class ReadWords:
    """The face whose words are seen; how it correlates with what is seen; and by how many nats it leads each of the
    `faces` (K,) that are next like it, `leads` (K,)."""

    face: int
    alike: float
    faces: Numbers
    leads: Floats

    @property
    def lead(self) -> float:
        """By how many nats the face is likelier than any other."""
        return float(self.leads.min(initial=np.inf)) if len(self.leads) else 0.0

    @property
    def is_alike(self) -> bool:
        """Whether what is seen is that face's print, rightly named or not."""
        return self.alike > ALIKE

    @property
    def is_told(self) -> bool:
        """Whether its words are seen, and are no other face's."""
        return self.is_alike and self.lead > TOLD


class WordReader:
    """Reads the words of one set's faces."""

    def __init__(self, prints: SetPrints) -> None:
        self.size_mm = prints.size_mm
        grid = prints.cards(FINE)
        self._on_card = grid.mask
        self._faces = np.asarray(grid.faces @ LUMA, np.float32)
        on = grid.mask.astype(np.float32)
        near = np.maximum(_sums(on), 1.0)
        words = np.stack([(face - _sums(face * on) / near) * on for face in self._faces])
        self._told = np.flatnonzero((words.std(axis=0) > LEAST_GAIN * DIFFERENT * 10).ravel())
        self._words = np.ascontiguousarray(words.reshape(len(words), -1)[:, self._told].T)  # (P, F)
        self._squares = np.square(self._words)

    def read(
        self,
        view: TopView,
        motion: Floats,
        open_mask: Mask,
        taken: Collection[int] = (),
        guessed: Collection[int] = (),
    ) -> ReadWords:
        """The face, none of those `taken`, whose words are seen near `motion` (2, 3) where `open_mask` (h, w) at
        1 px/mm has a card open to view. Those `guessed` are among the faces that are compared."""
        height, width = self._on_card.shape
        margin_mm = 2 * REACH_PX / FINE
        patch, inside = view.patch(motion, (self.size_mm[0] + margin_mm, self.size_mm[1] + margin_mm), FINE)
        finely = cv2.resize(open_mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
        shown = (np.pad(finely & self._on_card, REACH_PX) & inside).astype(np.float32)
        near = np.asarray(np.maximum(_sums(shown), 1.0), np.float32)
        grey = np.asarray(patch @ LUMA, np.float32)
        seen = (grey - _sums(grey * shown) / near) * shown
        free = np.setdiff1d(np.arange(len(self._faces)), [*taken])
        alike, _ = self._alike(seen, shown, _EVERY_SECOND, free)
        likeliest = free[np.argsort(-alike, kind="stable")[:CONTENDERS]]
        chosen = np.union1d(likeliest, [face for face in guessed if face in free]).astype(np.intp)
        _, places = self._alike(seen, shown, np.arange(len(_SHIFTS)), chosen)
        laid = np.zeros((*seen.shape, len(chosen)), np.float32)
        for k, (face, (x, y)) in enumerate(zip(chosen, _SHIFTS[places], strict=True)):
            laid[y : y + height, x : x + width, k] = self._faces[face]
        laid *= shown[..., None]
        laid -= _sums(laid) * (shown / near)[..., None]
        return _most_like(seen[shown > 0.0], laid[shown > 0.0], chosen)

    def _alike(self, seen: Grey, shown: Grey, shifts: Numbers, faces: Numbers) -> tuple[Floats, Numbers]:
        """How what is `seen` (h, w) correlates where it is `shown` with each of the `faces` in the best of those shifts
        (F,), over what tells faces apart, and the numbers (F,) of these shifts."""
        rows, columns = np.divmod(self._told, self._on_card.shape[1])
        offsets = _SHIFTS[shifts] @ np.array([1, seen.shape[1]])
        at = (rows * seen.shape[1] + columns)[None] + offsets[:, None]
        theirs, there = seen.take(at), shown.take(at)
        words, squares = self._words.take(faces, axis=1), self._squares.take(faces, axis=1)
        power = np.maximum(there @ squares, QUIET) * np.maximum(np.square(theirs).sum(axis=1), QUIET)[:, None]
        alike = (theirs @ words) / np.sqrt(power)  # (S, F)
        best = alike.argmax(axis=0)
        return np.asarray(alike.max(axis=0), np.float64), np.asarray(shifts[best], np.intp)


def _most_like(seen: Grey, laid: Grey, faces: Numbers) -> ReadWords:
    """Which of the `faces` laid (P, K) is likelier than each other one, of what is seen of P pixels (P,)."""
    if not len(seen):
        return ReadWords(int(faces[0]), 0.0, faces[1:], np.zeros(len(faces) - 1))
    power = np.square(laid).sum(axis=0) + QUIET
    common = seen @ laid
    best = int(np.argmax(common / np.sqrt(power)))
    gains = np.maximum(common / power, LEAST_GAIN)
    for _ in range(len(faces)):
        leads = _leads(seen, laid, best, gains)
        if leads.min() >= 0.0:
            break
        best = int(leads.argmin())
    others = np.arange(len(faces)) != best
    alike = float(common[best] / np.sqrt(power[best] * (float(seen @ seen) + QUIET)))
    return ReadWords(int(faces[best]), alike, faces[others], leads[others])


def _leads(seen: Grey, laid: Grey, best: int, gains: Grey) -> Floats:
    """By how many nats one of the faces is likelier than each, (K,), each pair where the two differ; `gains` (K,): in
    what contrast each would be seen."""
    tells = (np.abs(laid - laid[:, best : best + 1]) > DIFFERENT).astype(np.float32)
    count = tells.sum(axis=0)
    off = np.square(seen[:, None] - gains * laid) * tells
    own = np.square(seen - gains[best] * laid[:, best]) @ tells
    least = QUIET * count + 1e-6
    nats = count / (2.0 * PX_A_PROOF) * np.log((off.sum(axis=0) + least) / (own + least))
    return np.where(count < LEAST_PX, 0.0, nats).astype(np.float64)


def _sums(picture: Grey) -> Grey:
    """The sums of a picture (h, w) or (h, w, C) over SHADE_PX about each pixel."""
    side = (SHADE_PX, SHADE_PX)
    return np.asarray(cv2.boxFilter(picture, -1, side, normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32)
