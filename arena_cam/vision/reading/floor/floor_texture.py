"""Where the floor's own texture is no longer seen, whatever colour and brightness has come in its place.

Light and shade multiply what the floor shows by something that varies slowly: its grain stays where it was. A card
hides the grain and brings a print of its own, though it may be no brighter and no more coloured than a shadow: dark
cards on a dark floor, pale ones on marble.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.calls import medians
from arena_cam.vision.picture.robust import MAD_TO_SD

Grid = NDArray[np.float32]
Mask = NDArray[np.uint8]

_DETAIL_MM = 11  # what varies over less than this is grain, or print
_STEPS = 256.0  # of a natural logarithm, to which it is kept while its detail is found
# A log ratio so far from its surroundings is detail: in noise of the bare floor (robust standard deviations), and at
# least.
_NOISES, _LEAST = 4.0, 0.015
_SOFTER = 0.35  # of the floor's grain may be lost or gained in shade, where black level and tone curve bend it
# The share of detail within this distance from which on the grain is said to be gone.
_ROUND_MM, _SHARE = 13, 0.4
_GAP_MM, _FLOOR_MM = 11, 5  # between parts of a card that are plain, unless so much of it is floor
_RIM_MM = 9  # the share is taken beyond a card's edge, too
_STRIP_MM = 13  # the edge of a shadow is no wider, a card is


@dataclass(frozen=True, eq=False)
class FloorGrain:
    """The empty floor (H, W): its log brightness `level`, how strong its grain is round about each point (root mean
    square), and which of it is the arena's (`inside`): that and the table are of two materials, seen in noise of their
    own."""

    level: Grid
    grain: Grid
    inside: NDArray[np.bool_]
    px_per_mm: float

    @staticmethod
    def of(level: Grid, inside: Mask, px_per_mm: float) -> FloorGrain:
        detail = _detail(level - np.float32(np.median(level)), px_per_mm)
        grain = np.sqrt(cv2.blur(detail * detail, _square(_ROUND_MM * px_per_mm)))
        return FloorGrain(level, np.asarray(grain, np.float32), inside > 0, px_per_mm)

    def hidden(self, ratio: Grid, bare: NDArray[np.bool_], in_both: NDArray[np.bool_]) -> Mask:
        """1 (H, W) where something lies on the floor, by the log `ratio` (H, W) of its brightness to the empty floor's.
        `bare` is where the floor is seen as it was, `in_both` what lies in both pictures."""
        px_per_mm = self.px_per_mm
        detail = _detail(ratio, px_per_mm)
        found = ((detail > self._least) & (detail > self._noise(ratio, detail, bare))).astype(np.float32)
        inside = _mask(cv2.erode(_mask(in_both), _kernel((_DETAIL_MM + _ROUND_MM) * px_per_mm)))
        dense = _mask(cv2.blur(found, _square(_ROUND_MM * px_per_mm)) > _SHARE) & inside
        floor = _mask(cv2.morphologyEx(_mask(bare & (dense == 0)), cv2.MORPH_OPEN, _kernel(_FLOOR_MM * px_per_mm)))
        whole = _mask(cv2.morphologyEx(dense, cv2.MORPH_CLOSE, _kernel(_GAP_MM * px_per_mm))) & (1 - floor)
        inner = cv2.erode(whole, _kernel(_RIM_MM * px_per_mm))
        return _mask(cv2.morphologyEx(inner, cv2.MORPH_OPEN, _kernel(_STRIP_MM * px_per_mm)))

    @cached_property
    def _least(self) -> Grid:
        """What (H, W) the floor's own grain makes at most, lost or gained in shade."""
        return np.asarray(np.maximum(_SOFTER * self.grain, _LEAST), dtype=np.float32)

    def _noise(self, ratio: Grid, detail: Grid, bare: NDArray[np.bool_]) -> Grid:
        """The most detail (H, W) that noise makes: so many standard deviations of it. They are of grey levels: of a log
        brightness they are the greater the darker the place is."""
        darkness = np.asarray(cv2.exp(-(self.level + ratio)), dtype=np.float32)
        few = (slice(None, None, 4),) * 2
        levels = detail[few] / darkness[few]
        noise = [
            MAD_TO_SD * float(np.median(levels[seen])) if seen.sum() > _ENOUGH else _UNKNOWN
            for seen in (bare[few] & self.inside[few], bare[few] & ~self.inside[few])
        ]
        within, beyond = (np.float32(_NOISES * each) for each in noise)
        darkness *= np.where(self.inside, within, beyond)
        return darkness


_ENOUGH, _UNKNOWN = 100, 1e3  # points of bare floor, to know its noise by; grey levels


def _detail(values: Grid, px_per_mm: float) -> Grid:
    """By how much values (H, W) differ from most round about them. Beside an edge most lie on the same side of it."""
    few = np.clip(values * np.float32(_STEPS) + 128.5, 0, 255).astype(np.uint8)
    size = _square(_DETAIL_MM * px_per_mm)[0]
    found = medians(few, size)
    round_about = cv2.medianBlur(few, size) if found is None else found
    return np.asarray(cv2.absdiff(few, round_about) * np.float32(1 / _STEPS), dtype=np.float32)


def _square(size: float) -> tuple[int, int]:
    """The odd number of pixels nearest to `size`, across and down."""
    odd = 2 * int(size / 2) + 1
    return odd, odd


def _kernel(size: float) -> Mask:
    return np.ones(_square(size), np.uint8)


def _mask(values: NDArray[Any]) -> Mask:
    return np.asarray(values, dtype=np.uint8)
