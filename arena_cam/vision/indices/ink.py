"""Marks of ink on paper, in a picture seen from straight above at VIEW_PX_PER_MM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.calls import bleached, marks_measured
from arena_cam.vision.picture.components import components

VIEW_PX_PER_MM = 3.0
# The figures of a ten: how far apart their middles are, how unlike their heights, and how high and wide both together
# are, each as a part of their height.
_TEN_APART, _TEN_ALIKE, _TEN_HIGH, _TEN_WIDE = (0.2, 0.75), 1.35, 0.85, 1.3
# A mark of an index is so large (mm): the suit of a small index has 3.5, the rank of a large one 16.
_LEAST_MM, _MOST_MM = 2.3, 20.0
_LEAST_MM2 = 1.2  # of ink: a hair has less
_PAPER_MM = 9.0  # within so far of a mark there is paper
_SMALLER = 3  # paper is looked for in a picture so many times smaller than the view
# Strokes and suits of an index on a plate are narrower, the plate is wider (mm). Of paper's light a pale plate has more
# than that share in each channel, ink and dark tables have less; what is left of it uneven by a tenth is paper, too. Of
# 22 cards of six tinted packs these read the indices of 15, without a plate's light divided out none are.
_PLATE_MM, _LEAST_PALE, _AS_PAPER = 8.0, 0.45, 0.9
# Thresholds: how much darker than the paper, in its darkest channel. Thin strokes are pale: with the least of these 129
# of 148 indices of drawn packs have both their marks, without it 122.
_INK = (0.16, 0.25, 0.42)
_JOINED_MM = 1.1  # the two figures of a ten lie as close
_MOST_MARKS = 300
_RING_PX, _PAPER_DARKNESS, _LEAST_AROUND = (2, 4), 0.15, 0.5  # what is just around print is paper
_LEAST_CONTRAST = 14.0  # grey levels: print in a dim corner of a room; noise has less
_BLACK = 255.0

_Box = tuple[int, int, int, int]  # first column and row, width, height
_LEAST_LEVEL = 20  # of paper, in any channel: what is darker is none


@dataclass(frozen=True, eq=False)
class Ink:
    """`darkness` (H, W): 0 paper to 1 black, of the darkest channel; `colour` (H, W, 3): how much darker each channel
    is than the paper, 0 to 255. `contrast` (H, W): by how many grey levels its darkest channel is darker."""

    darkness: NDArray[np.float32]
    colour: NDArray[np.uint8]
    contrast: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Mark:
    """A piece of ink: `points` (N, 2) of its hull, its `centre` (2,), all in view pixels; its `size` in mm; its mean
    `contrast` in grey levels, times the share of paper just around it.

    `masks`: in which of the black-and-white pictures it is such a piece, as bits. The marks of one index are of one ink
    and lie in one light: mostly there is a picture in which all of them are.
    """

    points: Array
    centre: Array
    size_mm: float
    colour: Array
    contrast: float
    masks: int = -1


def with_light_inverted(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture in which what is light is dark and the other way round, every colour of the hue it had: print on black
    paper as it would be on white. The middle between a pixel's strongest and weakest channel is mirrored at grey."""
    blue, green, red = cv2.split(image_bgr)
    strongest, weakest = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    shift = 255 - strongest.astype(np.int16) - weakest
    return np.asarray(image_bgr + shift[..., None], np.uint8)


def with_tints_bleached(view_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A view (H, W, 3) in which plates of a pale colour, which some packs have beneath indices, are as light as paper.

    Print is narrower than a plate: a grey closing (dilation, then erosion, of each channel; Serra, Image Analysis and
    Mathematical Morphology, 1982) takes it away and leaves the plate, whose share of the paper's light is divided out.
    """
    small, size = _smaller(view_bgr), view_bgr.shape[1::-1]
    level = _paper_level(small, size)
    reach = round(_PLATE_MM * VIEW_PX_PER_MM / _SMALLER) | 1
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    plates = np.asarray(cv2.resize(closed, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    found = bleached(view_bgr, plates, level, np.array([_LEAST_PALE, _AS_PAPER], np.float32))
    if found is not None:
        return found
    share = plates / level.astype(np.float32)
    is_pale = share.min(axis=2, keepdims=True) > _LEAST_PALE
    light = view_bgr / (_AS_PAPER * np.where(is_pale, np.minimum(share, 1.0), 1.0))
    return np.minimum(light, level).astype(np.uint8)


def _smaller(view_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    size = cv2.resize(view_bgr, None, fx=1 / _SMALLER, fy=1 / _SMALLER, interpolation=cv2.INTER_AREA)
    return np.asarray(size, np.uint8)


def _paper_level(small_bgr: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The colour of the paper near each pixel of a view of so many columns and rows, from its picture made smaller."""
    reach = round(_PAPER_MM * VIEW_PX_PER_MM / _SMALLER) | 1
    paper = cv2.blur(cv2.dilate(small_bgr, np.ones((reach, reach), np.uint8)), (reach, reach))
    paper = np.maximum(paper, np.uint8(_LEAST_LEVEL))
    return np.asarray(cv2.resize(paper, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def find_ink(view_bgr: NDArray[np.uint8]) -> Ink:
    """How much darker each pixel is than the paper near it."""
    picture = cv2.GaussianBlur(view_bgr, (0, 0), 0.15 * VIEW_PX_PER_MM)
    level = _paper_level(_smaller(np.asarray(picture, np.uint8)), view_bgr.shape[1::-1])
    colour = np.asarray(cv2.bitwise_not(cv2.divide(picture, level, scale=_BLACK)), np.uint8)
    blue, green, red = cv2.split(colour)
    darkness = np.divide(cv2.max(cv2.max(blue, green), red), np.float32(_BLACK), dtype=np.float32)
    blue, green, red = cv2.split(cv2.subtract(level, picture))
    contrast = cv2.max(cv2.max(blue, green), red)
    return Ink(darkness, colour, np.asarray(contrast, np.uint8))


@dataclass(frozen=True, eq=False)
class _Piece:
    """A piece of ink as large as a mark: its first pixel, its `box`, which pixels (h, w) are its own, and what a Mark
    says."""

    x: int
    y: int
    box: _Box
    inside: NDArray[np.uint8]
    size_mm: float
    colour: Array
    contrast: float

    def mark(self, masks: int) -> Mark:
        outline = cv2.findContours(self.inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0][0]
        hull = cv2.convexHull(outline).reshape(-1, 2) + np.array([self.x, self.y])
        return Mark(hull.astype(np.float64), _middle(hull), self.size_mm, self.colour, self.contrast, masks)


def find_marks(ink: Ink) -> list[Mark]:
    """Pieces of ink as large as those of an index; the two figures of a ten also as one."""
    pieces: list[_Piece] = []
    seen: dict[_Box, int] = {}
    joined = np.ones((round(_JOINED_MM * VIEW_PX_PER_MM),) * 2, np.uint8)
    number = 0
    for least in _INK:
        black = cv2.threshold(ink.darkness, least, 1.0, cv2.THRESH_BINARY)[1].astype(np.uint8)
        for mask in (black, cv2.morphologyEx(black, cv2.MORPH_CLOSE, joined)):
            pieces += _pieces(np.asarray(mask, np.uint8), ink, seen, 1 << number)
            number += 1
    # a dark cloth's weave is full of marks, none of them as plain as print on paper
    plain = [piece.mark(seen[piece.box]) for piece in sorted(pieces, key=lambda piece: -piece.contrast)[:_MOST_MARKS]]
    return [*plain, *_tens(plain)]


def _pieces(mask: NDArray[np.uint8], ink: Ink, seen: dict[_Box, int], bit: int) -> list[_Piece]:
    """The pieces of a mask but those that were `seen` in another, where it adds them, and its `bit` to all."""
    of_mask = components(mask)
    labels, stats = of_mask.labels, of_mask.boxes
    longest = stats[:, 2:4].max(axis=1) / VIEW_PX_PER_MM
    area = stats[:, 4] / VIEW_PX_PER_MM**2
    as_large = (longest > _LEAST_MM) & (longest < _MOST_MM) & (area >= _LEAST_MM2)
    numbers, keys = [], []
    for n, box in zip(*_boxes(stats, as_large), strict=True):
        if box not in seen:
            numbers.append(n)
            keys.append(box)
        seen[box] = seen.get(box, 0) | bit
    boxes = np.column_stack([numbers, stats[numbers, :4]]).astype(np.int32).reshape(-1, 5)
    measured = measure(labels, boxes, ink)
    kept = np.flatnonzero((measured[:, 0] >= _LEAST_CONTRAST) & (measured[:, 1] >= _LEAST_AROUND))
    plainness = measured[:, 0] * measured[:, 1]
    found = []
    for k in np.sort(kept[np.argsort(-plainness[kept], kind="stable")[:_MOST_MARKS]]):
        n, x, y, w, h = boxes[k].tolist()
        inside = (labels[y : y + h, x : x + w] == n).astype(np.uint8)
        plain = float(plainness[k])
        found.append(_Piece(x, y, keys[k], inside, float(longest[n]), measured[k, 2:] / _BLACK, plain))
    return found


def _boxes(stats: NDArray[np.int32], wanted: NDArray[np.bool_]) -> tuple[list[int], list[_Box]]:
    """The numbers of the pieces that are `wanted` but the first, which is what is no ink, and the box of each, in steps
    of two pixels: pieces of different pictures in one box are one."""
    numbers = np.flatnonzero(wanted[1:]) + 1
    return numbers.tolist(), [(x, y, w, h) for x, y, w, h in np.round(stats[numbers, :4] / 2).astype(int).tolist()]


def measure(labels: NDArray[np.int32], boxes: NDArray[np.int32], ink: Ink) -> Array:
    """Of pieces of ink the mean contrast, which share of what is just around them is paper, and the mean colour:
    (N, 5); no paper is looked for around what has too little contrast.

    `labels` (H, W): the piece of each pixel; `boxes` (N, 5): number, first column and row, width, height.
    """
    rules = np.array([*_RING_PX, _PAPER_DARKNESS, _LEAST_CONTRAST])
    found = marks_measured(labels, boxes, (ink.darkness, ink.contrast, ink.colour), rules)
    if found is not None:
        return found
    rows = []
    for n, x, y, w, h in boxes.tolist():
        at = slice(y, y + h), slice(x, x + w)
        inside = labels[at] == n
        means = ink.contrast[at][inside].mean(), *ink.colour[at][inside].mean(axis=0)
        around = _paper_around(ink, inside, x, y) if means[0] >= _LEAST_CONTRAST else 0.0
        rows.append([means[0], around, *means[1:]])
    return np.array(rows, np.float64).reshape(-1, 5)


def _paper_around(ink: Ink, inside: NDArray[np.bool_], x: int, y: int) -> float:
    """Which share of what is just around a piece of ink, whose first pixel is at (x, y), is paper."""
    reach = _RING_PX[1]
    padded = np.asarray(
        cv2.copyMakeBorder(inside.astype(np.uint8), *(reach,) * 4, cv2.BORDER_CONSTANT, value=0), np.uint8
    )
    near, far = (cv2.dilate(padded, np.ones((2 * px + 1,) * 2, np.uint8)) for px in _RING_PX)
    top, left = max(y - reach, 0), max(x - reach, 0)
    dark = ink.darkness[top : y + inside.shape[0] + reach, left : x + inside.shape[1] + reach]
    rows, columns = reach - (y - top), reach - (x - left)
    ring = (far > near)[rows : rows + dark.shape[0], columns : columns + dark.shape[1]]
    return float((dark[ring] < np.float32(_PAPER_DARKNESS)).mean()) if ring.any() else 0.0


def _middle(hull: NDArray[np.generic]) -> Array:
    """The middle of what a hull spans: a seven's ink has its middle elsewhere."""
    return np.asarray(cv2.minEnclosingCircle(np.asarray(hull, np.float32))[0], np.float64)


def _tens(marks: Sequence[Mark]) -> list[Mark]:
    """Pairs of marks as one that may be the two figures of a ten: as high, side by side, a narrow gap between."""
    if not marks:
        return []
    tens = []
    centres, sizes = np.array([mark.centre for mark in marks]), np.array([mark.size_mm for mark in marks])
    apart = np.hypot(*(centres[:, None] - centres).transpose(2, 0, 1)) / VIEW_PX_PER_MM
    larger, smaller = np.maximum(sizes[:, None], sizes), np.minimum(sizes[:, None], sizes)
    near = (apart > _TEN_APART[0] * larger) & (apart < _TEN_APART[1] * larger) & (larger < _TEN_ALIKE * smaller)
    for a, b in np.argwhere(np.triu(near)):
        one, other = marks[a], marks[b]
        hull = cv2.convexHull(np.concatenate([one.points, other.points]).astype(np.float32)).reshape(-1, 2)
        across = (one.centre - other.centre) / (apart[a, b] * VIEW_PX_PER_MM)
        along = np.array([-across[1], across[0]])
        high, wide = (float(np.ptp(hull @ way)) / VIEW_PX_PER_MM for way in (along, across))
        if high > _TEN_HIGH * larger[a, b] and wide < _TEN_WIDE * high:
            colour, contrast = (one.colour + other.colour) / 2, (one.contrast + other.contrast) / 2
            masks = one.masks & other.masks
            tens.append(Mark(hull.astype(np.float64), _middle(hull), max(high, wide), colour, contrast, masks))
    return tens
