"""Which parts of the table cards explain, and which tokens cover: there no other card's print is looked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import Cover
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CARD, ROUND = 1, 2  # values of the map
_CLOSED = np.ones((5, 5), np.uint8)  # pixels of a card: gaps so narrow are explained, too
HALO = 1.15  # of a round piece's radius: its side and its shadow


class Explained(Protocol):
    """A card on the table: `motion` (2, 3) from its mm to the table's, `explained` (h, w) at 1 px/mm."""

    @property
    def motion(self) -> Floats: ...

    @property
    def explained(self) -> Mask: ...


class Round(Protocol):
    """A round piece on the table: its middle (2,) and radius in mm."""

    @property
    def middle(self) -> Floats: ...

    @property
    def radius_mm(self) -> float: ...


_Claimed = tuple[tuple[slice, slice], NDArray[np.uint8]]  # rows and columns of a map, and what is claimed there
# What each card that is still in use claimed last, of what map: where that begins, its shape, the card's size.
_KEPT: WeakKeyDictionary[Explained, tuple[tuple[float, ...], _Claimed | None]] = WeakKeyDictionary()


class Claims:
    """Which parts of the table are explained by cards, at 1 px/mm."""

    def __init__(
        self,
        view: TopView,
        size_mm: tuple[float, float],
        cards: Sequence[Explained] = (),
        covered: Sequence[Round] = (),
    ) -> None:
        height, width = view.inside.shape
        self.size_mm = size_mm
        self.map = np.zeros((math.ceil(height / view.px_per_mm), math.ceil(width / view.px_per_mm)), np.uint8)
        self._origin = view.origin_mm
        self._free: tuple[NDArray[np.uint8], Mask] | None = None
        for card in cards:
            self.add(card)
        for piece in covered:
            at = piece.middle - self._origin - 0.5
            cv2.circle(self.map, (round(float(at[0])), round(float(at[1]))), round(HALO * piece.radius_mm), ROUND, -1)

    @property
    def free(self) -> Mask:
        """(h, w): where nothing is claimed; kept for the next time."""
        if self._free is None or self._free[0] is not self.map:
            self._free = self.map, self.map == 0
        return self._free[1]

    def _affine(self, motion: Floats) -> Floats:
        """(2, 3) from a card's pixels at 1 px/mm to the map's."""
        first = 0.5 - np.asarray(self.size_mm) / 2
        affine = np.array(motion, np.float64)
        affine[:, 2] = motion[:, :2] @ first + motion[:, 2] - self._origin - 0.5
        return affine

    def _at(self, motion: Floats) -> NDArray[np.uint8]:
        size = (round(self.size_mm[0]), round(self.size_mm[1]))
        flags = cv2.WARP_INVERSE_MAP | cv2.INTER_NEAREST
        return np.asarray(cv2.warpAffine(self.map, self._affine(motion), size, flags=flags), np.uint8)

    def on(self, motion: Floats) -> Mask:
        """(h, w) of a card's pixels: whether another card explains them, or a token covers them."""
        return np.asarray(self._at(motion) > 0)

    def at_scale(self, motion: Floats, px_per_mm: float) -> Mask:
        """As `on`, for pixels of that scale."""
        there = self.on(motion)
        if px_per_mm == 1.0:
            return there
        size = (round(self.size_mm[0] * px_per_mm), round(self.size_mm[1] * px_per_mm))
        return np.asarray(cv2.resize(there.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)

    @property
    def cover(self) -> Cover:
        """What is claimed, for whoever asks of any place."""
        return Cover(self.map, self._origin)

    def about(self, origin_mm: Floats, size: int, px_per_mm: float) -> Mask:
        """(size, size): whether anything is claimed, from `origin_mm` on at that scale."""
        step = 1.0 / px_per_mm
        first = origin_mm + 0.5 * step - self._origin - 0.5
        affine = np.array([[step, 0.0, first[0]], [0.0, step, first[1]]])
        flags = cv2.WARP_INVERSE_MAP | cv2.INTER_NEAREST
        return np.asarray(cv2.warpAffine(self.map, affine, (size, size), flags=flags) > 0)

    def share(self, motion: Floats) -> float:
        """Of a card's pixels, how many another card explains."""
        there = self._at(motion)
        return float(np.count_nonzero(there == CARD) / there.size)

    def add(self, card: Explained) -> None:
        """What a card explains is claimed from now on."""
        there = self._claimed(card)
        if there is None:
            return
        about, explained = there
        claimed = self.map.copy()  # what was asked before stays as it was
        np.maximum(claimed[about], explained, out=claimed[about])
        self.map = claimed

    def _claimed(self, card: Explained) -> _Claimed | None:
        """What of the map a card explains, None where it lies beyond. Kept for the next time: cards are asked about one
        after the other, each time with all others claimed."""
        asked = (*self._origin.tolist(), *self.map.shape, *self.size_mm)
        kept = _KEPT.get(card)
        if kept is None or kept[0] != asked:
            kept = _KEPT[card] = asked, self._laid(card)
        return kept[1]

    def _laid(self, card: Explained) -> _Claimed | None:
        mask = cv2.morphologyEx(card.explained.astype(np.uint8), cv2.MORPH_CLOSE, _CLOSED)
        affine = self._affine(card.motion)
        height, width = mask.shape
        corners = np.array([[x, y] for x in (-1.0, width) for y in (-1.0, height)]) @ affine[:, :2].T + affine[:, 2]
        size = np.array(self.map.shape[::-1])
        low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, size)
        high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, 0, size)
        if (high <= low).any():
            return None
        affine[:, 2] -= low  # only where the card may lie
        wide, tall = (int(each) for each in high - low)
        there = cv2.warpAffine(mask, affine, (wide, tall), flags=cv2.INTER_NEAREST)
        return (slice(low[1], high[1]), slice(low[0], high[0])), np.asarray(there, np.uint8)
