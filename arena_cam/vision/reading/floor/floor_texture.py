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

from arena_cam.vision.kernels.calls import details
from arena_cam.vision.kernels.view_calls import plain_detail
from arena_cam.vision.picture.components import part_round
from arena_cam.vision.picture.robust import MAD_TO_SD, median

Grid = NDArray[np.float32]
Mask = NDArray[np.uint8]

_DETAIL_MM = 11  # what varies over less than this is grain, or print
_STEPS = 256.0  # of a natural logarithm, to which it is kept while its detail is found
# A log ratio so far from its surroundings is detail beyond doubt: in noise of the bare floor (robust standard
# deviations), and at least.
_NOISES, _LEAST = 4.0, 0.015
# And so far it may be: one point in eight of bare floor is, and most are where another grain has come, however faint.
# On 200 pictures half of the points being so far off told all of nine cards that nearly equal the grey floor they lie
# on, of which points beyond doubt told none, and took no more bare floor for a card (124 mm2 instead of 112).
_MAYBE_NOISES, _MAYBE_LEAST = 1.5, 0.008
# Of grey levels at least: a camera's steps and JPEG's blocks leave most of a black floor without any noise, and some of
# it with much. Half of that was detail here and there, and something unknown lay on it.
_LEAST_NOISE = 0.5
# Detail beyond doubt is held against the noise of rounding to whole grey levels at least (a standard deviation): most
# of a black floor may show none at all, and a level here and there was as much as four of that. On two pictures of a
# black tray 115 and 186 cm2 were detail, and something unknown where nothing lay.
_ROUNDING = 12.0**-0.5
# What each counts: two fifths of the points beyond doubt, or half of them perhaps, are as much.
_BEYOND_DOUBT, _MAYBE, _ENOUGH_OF_BOTH = 5, 4, 2
_PLAIN_RULES = (
    *(_ROUNDING, _LEAST_NOISE, _NOISES * _STEPS, _MAYBE_NOISES * _STEPS, int(_LEAST * _STEPS)),
    *(_BEYOND_DOUBT, _MAYBE),
)  # as the compiled twin has them, after the noise
_SOFTER = 0.35  # of the floor's grain may be lost or gained in shade, where black level and tone curve bend it
_ROUND_MM = 13  # detail within this distance says whether the grain is gone
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
        detail = _detail(level - np.float32(median(level)), px_per_mm) * np.float32(1 / _STEPS)
        grain = np.sqrt(cv2.blur(detail * detail, _square(_ROUND_MM * px_per_mm)))
        return FloorGrain(level, np.asarray(grain, np.float32), inside > 0, px_per_mm)

    def hidden(self, ratio: Grid, bare: NDArray[np.bool_], in_both: NDArray[np.bool_]) -> Mask:
        """1 (H, W) where something lies on the floor, by the log `ratio` (H, W) of its brightness to the empty floor's.
        `bare` is where the floor is seen as it was, `in_both` what lies in both pictures."""
        px_per_mm = self.px_per_mm
        detail = _detail(ratio, px_per_mm, in_both)
        found = self.plain(ratio, detail, self._noise(ratio, detail, bare))
        inside = _mask(cv2.erode(_mask(in_both), _kernel((_DETAIL_MM + _ROUND_MM) * px_per_mm)))
        size = _square(_ROUND_MM * px_per_mm)
        count = cv2.boxFilter(found, cv2.CV_16U, size, normalize=False)
        dense = _mask(count > np.uint16(_ENOUGH_OF_BOTH * size[0] * size[1])) & inside
        return self.whole(dense, bare)

    def whole(self, dense: Mask, bare: NDArray[np.bool_]) -> Mask:
        """1 (H, W) where something lies on the floor that is `dense` (H, W) with detail beyond doubt, without what is
        seen as `bare` (H, W) floor. Only what lies round about anything dense is looked at."""
        found, px_per_mm = np.zeros_like(dense), self.px_per_mm
        here = part_round(dense, round((_GAP_MM + _RIM_MM + _STRIP_MM) * px_per_mm) + _ROUNDED_PX)
        if here is None:
            return found
        dense = dense[here]
        floor = _mask(
            cv2.morphologyEx(_mask(bare[here] & (dense == 0)), cv2.MORPH_OPEN, _kernel(_FLOOR_MM * px_per_mm))
        )
        whole = _mask(cv2.morphologyEx(dense, cv2.MORPH_CLOSE, _kernel(_GAP_MM * px_per_mm))) & (1 - floor)
        inner = cv2.erode(whole, _kernel(_RIM_MM * px_per_mm))
        found[here] = cv2.morphologyEx(inner, cv2.MORPH_OPEN, _kernel(_STRIP_MM * px_per_mm))
        return found

    @cached_property
    def _least(self) -> Mask:
        """What (H, W) the floor's own grain makes at most, lost or gained in shade, in whole steps."""
        most = np.maximum(_SOFTER * self.grain, np.float32(_MAYBE_LEAST)) * np.float32(_STEPS)
        return np.asarray(np.minimum(most, np.float32(255)), dtype=np.uint8)

    def plain(self, ratio: Grid, detail: Mask, noise: tuple[float, float]) -> Mask:
        """What (H, W) the `detail` counts where it is more than the floor's own, and than so many standard deviations
        of `noise`, in the arena and beyond it. These are of grey levels: of a log brightness the greater the darker the
        place."""
        rules = np.array([*noise, *_PLAIN_RULES], np.float32)
        compiled = plain_detail(detail, self._least, ratio, self.level, self.inside, rules)
        return self._plain_in_numpy(ratio, detail, noise) if compiled is None else compiled

    def _plain_in_numpy(self, ratio: Grid, detail: Mask, noise: tuple[float, float]) -> Mask:
        found = np.zeros(detail.shape, np.uint8)
        more = np.flatnonzero(detail > self._least)
        if len(more):
            steps, dark = detail.take(more), _darkness(self.level.take(more) + ratio.take(more))
            of_noise = np.where(self.inside.take(more), *(np.float32(each) for each in noise))
            surely = steps > dark * np.maximum(of_noise, np.float32(_ROUNDING)) * np.float32(_NOISES * _STEPS)
            maybe = steps > dark * np.maximum(of_noise, _LEAST_NOISE) * np.float32(_MAYBE_NOISES * _STEPS)
            surely &= steps > np.uint8(_LEAST * _STEPS)
            found.ravel()[more] = np.where(surely, np.uint8(_BEYOND_DOUBT), np.uint8(_MAYBE) * maybe)
        return found

    def _noise(self, ratio: Grid, detail: Mask, bare: NDArray[np.bool_]) -> tuple[float, float]:
        """The noise of bare floor (grey levels, a standard deviation) in the arena and beyond it."""
        few = (slice(None, None, 4),) * 2
        levels = detail[few] / _darkness(self.level[few] + ratio[few]) * np.float32(1 / _STEPS)
        within, beyond = (
            MAD_TO_SD * median(levels[seen]) if seen.sum() > _ENOUGH else _UNKNOWN
            for seen in (bare[few] & self.inside[few], bare[few] & ~self.inside[few])
        )
        return within, beyond


_ENOUGH, _UNKNOWN = 100, 1e3  # points of bare floor, to know its noise by; grey levels


def _darkness(log_brightness: Grid) -> Grid:
    """By how much a log brightness changes with a grey level."""
    return np.asarray(cv2.exp(-log_brightness), dtype=np.float32).reshape(log_brightness.shape)


def _detail(values: Grid, px_per_mm: float, asked: NDArray[np.bool_] | None = None) -> Mask:
    """By how many steps values (H, W) differ from most round about them; 0, perhaps, where none are `asked` (H, W), as
    beyond the picture, which is even. Beside an edge most lie on the same side of it."""
    size = _square(_DETAIL_MM * px_per_mm)[0]
    found = details(values, size, _STEPS, asked)
    if found is not None:
        return found
    few = np.clip(values * np.float32(_STEPS) + np.float32(128.5), 0, 255).astype(np.uint8)
    return np.asarray(cv2.absdiff(few, cv2.medianBlur(few, size)), dtype=np.uint8)


_ROUNDED_PX = 3  # by which three kernels together are wider than they are asked to be, at most


def _square(size: float) -> tuple[int, int]:
    """The odd number of pixels nearest to `size`, across and down."""
    odd = 2 * int(size / 2) + 1
    return odd, odd


def _kernel(size: float) -> Mask:
    return np.ones(_square(size), np.uint8)


def _mask(values: NDArray[Any]) -> Mask:
    return np.asarray(values, dtype=np.uint8)
