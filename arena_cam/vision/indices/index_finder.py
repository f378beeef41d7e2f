"""Finds corner indices in a picture seen from straight above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.indices.classifier import RANKS, SUITS, IndexClassifier
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, Ink, Mark, find_ink, find_marks
from arena_cam.vision.indices.pairs import Pair, find_pairs

_LEAST = 0.5  # probability from which on a pair is reported: more likely an index than not
_READ_WELL = 0.9  # beside an index read so surely no other is looked for
_APART_MM = 8.0  # two readings of one index have their middles nearer
# Red ink is dark in blue and green, and black ink as dark in red, but for this share of it. Of 930 hearts read plainly
# all but one had at most 0.6, of 1975 spades and clubs, black or green, all had 0.79 and more: so seldom is one red.
_RED_INK, _RED_BLACK = 0.7, 1e-3
_IS_BLACK = np.array([suit in "SC" for suit in SUITS])
# So much as a suit looks like a black one, though its ink is red, it may be either red one: half of a diamond beneath
# another card was a spade by its shape, which had no doubt, and a red ten was surely the ten of spades. It is more than
# red print in black, and a tenth of what the shape of half a diamond has said of a diamond where it was one.
_SHAPE_HIDDEN = 0.0012


@dataclass(frozen=True, eq=False)
class SeenIndex:
    """An index: `card` as "TH", its `probability`; `top` and `bottom` (2,): its ends in mm on the plane, x right, y up.

    `others` (52,): the probability of each card, ranks before suits.
    """

    card: str
    probability: float
    top: Array
    bottom: Array
    others: Array

    @property
    def middle(self) -> Array:
        return np.asarray((self.top + self.bottom) / 2)

    def share_of(self, name: int) -> float:
        """The probability of card number `name`, if the marks are an index at all."""
        return float(self.others[name]) / max(float(self.others.sum()), 1e-9)

    @property
    def angle_deg(self) -> float:
        """By how much the card is turned, from upright counterclockwise."""
        up = self.top - self.bottom
        return math.degrees(math.atan2(-up[0], up[1]))


CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)


def find_indices(
    view_bgr: NDArray[np.uint8], left_top_mm: Array, classifier: IndexClassifier, least: float = _LEAST
) -> list[SeenIndex]:
    """All indices of a view of VIEW_PX_PER_MM whose first pixel shows `left_top_mm` (2,), the likeliest first; those of
    probability `least` and more."""
    return read_ink(find_ink(view_bgr), left_top_mm, classifier, least)


def read_ink(ink: Ink, left_top_mm: Array, classifier: IndexClassifier, least: float = _LEAST) -> list[SeenIndex]:
    """As `find_indices`, from the ink of a view."""
    marks = find_marks(ink)
    pairs = find_pairs(ink, marks)
    by_card = _by_card(pairs, classifier)
    well = np.flatnonzero(by_card.max(axis=1, initial=0.0) > _READ_WELL)
    read = [(pairs[n].top + pairs[n].bottom) / 2 for n in well.tolist()]
    left = _beside(marks, read)
    # A thin figure's pieces, and a suit that touches print when it is pale, are in no one picture together.
    more = find_pairs(ink, left, together=False)
    pairs, by_card = [*pairs, *more], np.concatenate([by_card, _by_card(more, classifier)])
    found: list[SeenIndex] = []
    for n in np.argsort(-by_card.max(axis=1)) if len(by_card) else []:
        best = int(by_card[n].argmax())
        if by_card[n, best] < least:
            break
        top, bottom = (_on_plane(end, left_top_mm) for end in (pairs[n].top, pairs[n].bottom))
        middle = (top + bottom) / 2
        if all(np.hypot(*(middle - other.middle)) > _APART_MM for other in found):
            found.append(SeenIndex(CARDS[best], float(by_card[n, best]), top, bottom, by_card[n]))
    return found


def _beside(marks: Sequence[Mark], read: Sequence[Array]) -> list[Mark]:
    """The marks that are far from all places (2,) where an index was read."""
    if not marks or not read:
        return list(marks)
    apart = np.array([mark.centre for mark in marks])[:, None] - np.array(read)
    far = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1) > _APART_MM * VIEW_PX_PER_MM
    return [mark for mark, is_far in zip(marks, far, strict=True) if is_far]


def _by_card(pairs: Sequence[Pair], classifier: IndexClassifier) -> Array:
    """The probability of each card (N, 52)."""
    by_suit = classifier.probabilities([pair.features for pair in pairs])
    return as_inked(by_suit, np.array([pair.suit.colour for pair in pairs]).reshape(-1, 3)).reshape(-1, len(CARDS))


def as_inked(by_suit: Array, colours: Array) -> Array:
    """The probabilities (N, 13, 4) of ranks and suits again, by the ink of each index, `colours` (N, 3): how much
    darker than paper it is in blue, green and red. No pack prints spades or clubs in red, whatever the shape of a suit
    of which a part is hidden: where it looks like one of these it is a heart or a diamond, whichever, if its shape says
    nothing of either. That the marks are an index, and which rank it is, is as likely as before."""
    is_red = colours[:, 2] < _RED_INK * colours.max(axis=1)
    shares = np.where(is_red[:, None] & _IS_BLACK, _RED_BLACK, 1.0)
    looks_black = (by_suit * _IS_BLACK).sum(axis=2, keepdims=True)
    hidden = np.where(is_red[:, None, None] & ~_IS_BLACK, _SHAPE_HIDDEN * looks_black, 0.0)
    weighed = by_suit * shares[:, None, :] + hidden
    before, after = (each.sum(axis=2, keepdims=True) for each in (by_suit, weighed))
    return np.asarray(weighed * before / np.maximum(after, 1e-300))


def _on_plane(pixel: Array, left_top_mm: Array) -> Array:
    return np.asarray(left_top_mm + pixel * np.array([1.0, -1.0]) / VIEW_PX_PER_MM)
