"""Which parts of a photograph stand out from the table: cards and tokens among them, in half of the picture or less.

A table looks alike all over: its grain, weave or veins spread grey levels about as much here as there. Print and the
sides of cards spread them more, against the table's own spread or, in a shadow, against how bright it is there. Where
the table is as lively as print, as a check cloth is, all of it stands out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.keypoints import COARSER, NEAR_BUSY_PX, Keypoints, joined, keypoints, reduced

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

LONGEST_PX = 896  # of the photograph in which parts are told: there a card of 90 mm is 40 px long or more
BORDER = 0.1  # of the photograph's sides
APART = 10  # cells, of 4 px of that photograph: a card is that long
SPREAD_PX, BRIGHT_PX, BLACK = 5, 25, 10.0  # squares in which grey levels are compared; below it all is dark
# Cells beside a card in which its side and its shadow spread grey levels; what is thinner than so many is such a line.
# And the square of cells about what is left, so much larger: of a card between two known ones a strip is left.
BESIDE, THIN, NEAR_LEFT = 2, 3, 17
# How much more than half of the picture does a part spread its grey levels, and how much is enough on any table: grey
# levels, and shares of the brightness. In 60 photographs of 17 styles parts so told held 97 % and more of each card, in
# 47 % of the picture; with three times as much as the half it was 76 % of one card.
USUAL, ENOUGH, ENOUGH_SHARE, LEAST, LEAST_SHARE = 2.0, 10.0, 0.1, 2.0, 0.03


@dataclass(frozen=True, eq=False)
class Reduced:
    """A photograph in grey (h, w), reduced by `factor`."""

    grey: NDArray[np.uint8]
    factor: float


@dataclass(frozen=True, eq=False)
class StandingOut:
    """What of a photograph stands out: a `mask` (h, w), smaller than the photograph by `factor`, of the boxes round
    what is `lively` (h, w), 1 where grey levels spread and 0 elsewhere; and the photograph as `small` as that was told
    in."""

    mask: Mask
    factor: float
    lively: NDArray[np.uint8]
    small: Reduced

    @staticmethod
    def of(image_bgr: NDArray[np.uint8]) -> StandingOut:
        """Of a photograph (h, w, 3)."""
        colours, factor = reduced(image_bgr, LONGEST_PX)
        small = Reduced(np.asarray(cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY), np.uint8), factor)
        grey: Any = small.grey
        grey = cv2.resize(grey, None, fx=1 / COARSER, fy=1 / COARSER, interpolation=cv2.INTER_AREA).astype(np.float32)
        window = (SPREAD_PX, SPREAD_PX)
        spread = np.sqrt(np.maximum(cv2.blur(grey * grey, window) - cv2.blur(grey, window) ** 2, 0.0))
        share = spread / (cv2.blur(grey, (BRIGHT_PX, BRIGHT_PX)) + BLACK)
        bar = min(max(LEAST, USUAL * float(np.median(spread))), ENOUGH)
        bar_share = min(max(LEAST_SHARE, USUAL * float(np.median(share))), ENOUGH_SHARE)
        lively = ((spread > bar) | (share > bar_share)).astype(np.uint8)
        return StandingOut._about(lively, factor / COARSER, NEAR_BUSY_PX, small)

    @staticmethod
    def _about(lively: Any, factor: float, near: int, small: Reduced) -> StandingOut:
        return StandingOut(_boxed(cv2.dilate(lively, np.ones((near, near), np.uint8))), factor, lively, small)

    def beside(self, outlines: Sequence[Floats]) -> StandingOut:
        """What else stands out, beside cards with these outlines (M, 2) in the photograph's pixels."""
        known = np.zeros(self.lively.shape, np.uint8)
        for outline in outlines:
            cv2.fillConvexPoly(known, np.round((outline + 0.5) * self.factor - 0.5).astype(np.int32), 1)
        known = np.asarray(cv2.dilate(known, np.ones((2 * BESIDE + 1, 2 * BESIDE + 1), np.uint8)), np.uint8)
        left = cv2.morphologyEx(self.lively * (1 - known), cv2.MORPH_OPEN, np.ones((THIN, THIN), np.uint8))
        return StandingOut._about(left, self.factor, NEAR_LEFT, self.small)

    def but_for_short(self, least_mm: float, to_mm: Callable[[Floats], Floats]) -> StandingOut:
        """Without what stands alone and is nowhere so long: parts that lie within the photograph, with nothing else
        near them. `to_mm` takes pixels (N, 2) of the photograph to the table."""
        near = cv2.dilate(self.lively, np.ones((NEAR_LEFT, NEAR_LEFT), np.uint8))
        count, parts = cv2.connectedComponents(near)
        rows, columns = np.nonzero(self.lively)  # in the order of `lively_px`
        part = parts[rows, columns]
        mm = to_mm(self.lively_px).astype(np.float32)
        last = np.array(self.lively.shape) - 1 - BESIDE
        at_border = (rows < BESIDE) | (columns < BESIDE) | (rows > last[0]) | (columns > last[1])
        lively = self.lively.copy()
        for k in range(1, count):
            mine = part == k
            if not at_border[mine].any() and max(cv2.minAreaRect(mm[mine])[1]) < least_mm:
                lively[rows[mine], columns[mine]] = 0
        return StandingOut._about(lively, self.factor, NEAR_LEFT, self.small)

    def at(self, px: Floats) -> Mask:
        """(N,): whether what stands out lies at pixels (N, 2) of the photograph; false beyond it."""
        cell = np.floor((px + 0.5) * self.factor).astype(np.intp)
        height, width = self.mask.shape
        held = np.clip(cell, 0, (width - 1, height - 1))
        return np.asarray(self.mask[held[:, 1], held[:, 0]] & (np.abs(cell - held) <= 1).all(axis=1))

    @property
    def lively_px(self) -> Floats:
        """Pixels (N, 2) of the photograph: the middles of the lively cells."""
        rows, columns = np.nonzero(self.lively)
        return np.asarray((np.column_stack([columns, rows]) + 0.5) / self.factor - 0.5, np.float64)

    @property
    def corners(self) -> Floats:
        """Pixels (4, 2) of the photograph: the corners of the box round all of it."""
        x, y, wide, high = cv2.boundingRect(self.mask.astype(np.uint8))
        cells = np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])
        return np.asarray(cells / self.factor - 0.5, np.float64)

    @property
    def px(self) -> Floats:
        """Pixels (N, 2) of the photograph, some ten cells apart, all over what stands out but at the border of it,
        where a lens bends most and views differ without end."""
        height, width = self.mask.shape
        rows, columns = np.nonzero(self.mask[APART // 2 :: APART, APART // 2 :: APART])
        cells = APART * np.column_stack([columns, rows]) + (APART // 2 + 0.5)
        within = (np.abs(cells / (width, height) - 0.5) < 0.5 - BORDER).all(axis=1)
        return np.asarray(cells[within] / self.factor - 0.5, np.float64)


def keypoints_standing_out(out: StandingOut, most: int, contrast: float) -> Keypoints:
    """The strongest keypoints of what stands out of a photograph, in its own pixels."""
    found, factor = keypoints_in(out.small.grey, out.mask, most, contrast), out.small.factor
    return Keypoints((found.xy + 0.5) / factor - 0.5, found.frame / factor, found.descriptor)


def keypoints_in(
    grey: NDArray[np.uint8], out: Mask, most: int, contrast: float, inside: NDArray[np.uint8] | None = None
) -> Keypoints:
    """The strongest keypoints of a grey picture (h, w) in the boxes round what stands `out` of it (`COARSER` times
    smaller), and where `inside` (h, w) is not 0: half a picture takes half the time."""
    height, width = grey.shape
    left = np.full(grey.shape, 255, np.uint8) if inside is None else inside.copy()
    parts = [Keypoints(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros((0, 128), np.float32), np.zeros(0))]
    for x, y, wide, high in cv2.connectedComponentsWithStats(out.astype(np.uint8))[2][1:, :4].tolist():
        box = (
            slice(COARSER * y, min(COARSER * (y + high), height)),
            slice(COARSER * x, min(COARSER * (x + wide), width)),
        )
        if left[box].any():
            found = keypoints(np.ascontiguousarray(grey[box]), most, contrast, np.ascontiguousarray(left[box]))
            parts.append(
                Keypoints(found.xy + COARSER * np.array([x, y]), found.frame, found.descriptor, found.strength)
            )
        left[box] = 0  # what another box reaches into is not found twice
    return joined(parts).strongest(most)


def _boxed(mask: Any) -> Mask:
    """The boxes round the parts of a mask: the plain paper of a card lies within its sides."""
    boxes = np.zeros(mask.shape, bool)
    for x, y, wide, high in cv2.connectedComponentsWithStats(mask)[2][1:, :4].tolist():
        boxes[y : y + high, x : x + wide] = True
    return boxes
