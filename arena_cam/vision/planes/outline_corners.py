"""The straight sides and right-angled corners of what may be cards: blobs of several black-and-white pictures.

Where cards overlap, their blob is a union of rectangles. A corner of it that points outwards is always a corner of one
card; a side between two such corners is a whole side of a card. One that points inwards is where two cards cross, and
says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.robust import percentiles

Mask = NDArray[np.uint8]

_LONGEST_SIDE_PX = 1280
_LEAST_SIDE_PX = 11.0  # a shorter straight piece has no direction that can be trusted
_STRAIGHT_PX = 0.9  # how far a side's points scatter about its line
_ROUNDED_ENDS = 0.08  # of a side, at each end
# Huber's constant, for pixels' steps of about a pixel; of 3,400 sides the third line was within
# 0.002 px of the thirtieth.
_HUBER_PX, _REWEIGHTED = 1.345, 3
_OFF_CORNERS_PX = 1.6  # an outline's pixels are so far at most from the lines between its corners
# So much of the shorter of two sides, or so many pixels, may be missing where they meet: cards' corners are rounded.
_ROUNDED, _LEAST_ROUNDED_PX = 0.25, 3.0
_LEAST_STEEP = 0.2  # sine of the angle of two sides that meet
_LEAST_AREA, _MOST_AREA = 0.0008, 0.7  # of the picture, of a blob that may be cards
# Of a blob's outline so much is straight, and it has no more corners: else it is no pile of cards but a pattern.
_LEAST_STRAIGHT, _MOST_CORNERS = 0.45, 48
_PATTERN = 60  # corners: that many are a checked cloth's
_AT_ONCE = 40  # blobs that are looked at together: of one at a time, most of the time was calls
_LEAST_TURN_DEG, _MOST_TURN_DEG = 35.0, 145.0  # by which a right angle seen from the side may seem to turn


@dataclass(frozen=True, eq=False)
class Corners:
    """Corners found in one black-and-white picture, in pixels of the whole picture.

    `at` (N, 2), `before` and `after` (N, 2): points on the two sides that meet there. `whole` (M, 2, 2): both ends of
    whole sides. `sides` (K, 2, 2): both ends of all straight sides, whole or not.
    """

    at: Array
    before: Array
    after: Array
    whole: Array
    sides: Array

    def near(self, places_px: Array, reach_px: float) -> Corners:
        """Those corners, and those sides both of whose ends, are within `reach_px` of one of the places (P, 2)."""

        def is_near(points: Array) -> NDArray[np.bool_]:
            apart = np.linalg.norm(points[..., None, :] - places_px, axis=-1)
            return np.asarray(apart.min(axis=-1) < reach_px)

        at, whole, sides = is_near(self.at), is_near(self.whole).all(axis=1), is_near(self.sides).all(axis=1)
        return Corners(self.at[at], self.before[at], self.after[at], self.whole[whole], self.sides[sides])


def find_corners(image_bgr: NDArray[np.uint8]) -> list[Corners]:
    """The corners of each of several black-and-white pictures of `image_bgr`, those with most corners first."""
    factor = min(1.0, _LONGEST_SIDE_PX / max(image_bgr.shape[:2]))
    small = image_bgr
    if factor < 1.0:
        small = np.asarray(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    found = []
    for mask in _masks(small):
        corners = _of_mask(mask, factor)
        if corners is not None:
            found.append(corners)
    return sorted(found, key=lambda c: -len(c.at) - len(c.whole))


def _masks(image_bgr: NDArray[np.uint8]) -> Iterator[Mask]:
    """Black-and-white pictures in which overlapping cards are one blob: paper is lighter than cloth, or less coloured,
    or unlike what the picture's rim shows."""
    lab = np.asarray(cv2.cvtColor(cv2.medianBlur(image_bgr, 3), cv2.COLOR_BGR2LAB), np.uint8)
    light = np.ascontiguousarray(lab[:, :, 0])
    level, otsu = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    yield np.asarray(otsu, np.uint8)
    for other in (0.75 * level, 0.5 * (level + 255.0), 0.75 * level + 64.0):
        yield np.asarray(cv2.threshold(light, other, 255, cv2.THRESH_BINARY)[1], np.uint8)
    block = max(3, round(0.35 * max(light.shape)) | 1)
    near = cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -10)
    yield np.asarray(near, np.uint8)
    rim = np.concatenate([part.reshape(-1, 3) for part in (lab[:8], lab[-8:], lab[:, :8], lab[:, -8:])])
    usual = np.append(percentiles(rim, (50.0,))[0].astype(np.uint8), 0.0)  # a scalar to OpenCV: four values
    away = cv2.split(cv2.absdiff(lab, usual))
    unlike = cv2.add(cv2.add(away[0], away[1]), away[2])
    yield np.asarray(cv2.threshold(unlike, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1], np.uint8)
    slopes = [_slopes(light), _slopes(np.ascontiguousarray(lab[:, :, 2]))]
    for low, high in ((15, 45), (40, 110)):
        edges = cv2.max(*(cv2.Canny(across, down, low, high) for across, down in slopes))
        yield np.asarray(255 - cv2.dilate(edges, np.ones((2, 2), np.uint8)), np.uint8)


def _slopes(light: Mask) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """How steeply the levels rise across and down: what cv2.Canny begins with, once for several thresholds."""
    across, down = (cv2.Sobel(light, cv2.CV_16S, *way, borderType=cv2.BORDER_REPLICATE) for way in ((1, 0), (0, 1)))
    return np.asarray(across, np.int16), np.asarray(down, np.int16)


def _of_mask(mask: Mask, factor: float) -> Corners | None:
    """What the blobs of a mask show; None for a pattern, and where nothing is a card's."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    found: list[Corners] = []
    for blobs in _blobs(mask):
        found.append(_corners_of(blobs, (mask.shape[1], mask.shape[0])))
        if sum(len(each.at) for each in found) > _PATTERN:
            return None
    if sum(len(each.at) for each in found) < 2:
        return None

    def full(name: str) -> Array:
        return np.asarray((np.concatenate([getattr(each, name) for each in found]) + 0.5) / factor - 0.5)

    return Corners(*(full(each.name) for each in fields(Corners)))


def _corners_of(blobs: _Blobs, size_px: tuple[int, int]) -> Corners:
    """The corners and sides of blobs, but those that are too crooked; `size_px`: of the picture (width, height)."""
    pieces, blob = _straight_pieces(blobs, size_px)
    length = np.bincount(blob, np.hypot(*(pieces[:, 1] - pieces[:, 0]).T), len(blobs.least))
    kept = (length >= blobs.least)[blob]
    pieces, blob = pieces[kept], blob[kept]
    after, before = _neighbours(blob)
    meeting, good = _corners_between(pieces, pieces[after], blobs.turning[blob])
    whole = np.stack([meeting[before], meeting], axis=1)[good & good[before]]
    return Corners(meeting[good], pieces[good, 0], pieces[after][good, 1], whole, pieces)


@dataclass(frozen=True, eq=False)
class _Blobs:
    """Outlines of what may be piles of cards, one after the other: `pixels` (M, 2), x and y. Of blob n they begin with
    number `first[n]` and are `count[n]`; `least[n]` (px) of it must be straight, and it runs round clockwise where
    `turning[n]` is 1, the other way where it is -1.

    `corner` (C,): the numbers of the pixels that are its corners, in their order; `blob` (C,): whose corners.
    """

    pixels: Array
    first: NDArray[np.intp]
    count: NDArray[np.intp]
    least: Array
    turning: Array
    corner: NDArray[np.intp]
    blob: NDArray[np.intp]


def _blobs(mask: Mask) -> Iterator[_Blobs]:
    """The blobs of a mask (H, W) that have so few corners and so long straight pieces as piles of cards, some at a
    time: a pattern has hundreds, and the first ones show it."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    at_pixel, way = np.empty(mask.size, np.int32), np.array([1, mask.shape[1]])
    found: list[tuple[NDArray[np.int32], NDArray[np.int32], float, float]] = []
    for contour in contours:
        if len(contour) < 4 * _LEAST_SIDE_PX:
            continue
        area = cv2.contourArea(contour, True)
        if not _LEAST_AREA < abs(area) / mask.size < _MOST_AREA:
            continue
        corner = np.asarray(cv2.approxPolyDP(contour, _OFF_CORNERS_PX, True), np.int32).reshape(-1, 2)
        least = _LEAST_STRAIGHT * cv2.arcLength(contour, True)
        if len(corner) > _MOST_CORNERS or _most_straight(corner) < least:
            continue
        outline = np.asarray(contour, np.int32).reshape(-1, 2)
        at_pixel[(outline @ way)[::-1]] = np.arange(len(outline))[::-1]  # of a pixel met twice the first number
        found.append((outline, np.sort(at_pixel[corner @ way]), least, float(np.sign(area))))
        if len(found) == _AT_ONCE:
            yield _joined(found)
            found = []
    if found:
        yield _joined(found)


def _joined(found: Sequence[tuple[NDArray[np.int32], NDArray[np.int32], float, float]]) -> _Blobs:
    """Blobs of which each is known by its pixels, the numbers of its corners, how much of it must be straight, and
    which way it runs round."""
    outlines, corners, least, turning = zip(*found, strict=True)
    count = np.array([len(outline) for outline in outlines])
    first = np.cumsum(count) - count
    blob = np.repeat(np.arange(len(corners)), [len(corner) for corner in corners])
    corner = np.concatenate(corners) + first[blob]
    pixels = np.concatenate(outlines).astype(np.float64)
    return _Blobs(pixels, first, count, np.array(least), np.array(turning), corner, blob)


def _most_straight(corner: NDArray[np.int32]) -> float:
    """How long the straight pieces of an outline with these corners (N, 2) are together, at most."""
    after = np.concatenate([corner[1:], corner[:1]])
    long = np.hypot(*(after - corner).T)
    return float(long[long >= _LEAST_SIDE_PX].sum())


def _neighbours(blob: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The number of what follows each and of what is before it, round and round among those of one blob; `blob` (P,):
    whose each is, in order."""
    first, last = np.searchsorted(blob, blob), np.searchsorted(blob, blob, side="right") - 1
    here = np.arange(len(blob))
    return np.where(here < last, here + 1, first), np.where(here > first, here - 1, last)


def _straight_pieces(blobs: _Blobs, size_px: tuple[int, int]) -> tuple[Array, NDArray[np.intp]]:
    """Both ends (P, 2, 2) of the straight pieces of outlines between their corners, and whose each is (P,); not those
    along the rim of the picture, which is `size_px` (width, height)."""
    start, end, blob = blobs.corner, blobs.corner[_neighbours(blobs.blob)[0]], blobs.blob
    ends = np.stack([blobs.pixels[start], blobs.pixels[end]], axis=1)
    long = np.hypot(*(ends[:, 1] - ends[:, 0]).T) >= _LEAST_SIDE_PX
    start, end, blob, ends = start[long], end[long], blob[long], ends[long]
    if not len(start):
        return ends, blob
    lines = _lines(blobs, start, (end - start) % blobs.count[blob] + 1, blob)
    x0, y0, x1, y1 = lines.box.T
    on_rim = (np.minimum(x1, y1) < 2) | (x0 > size_px[0] - 3) | (y0 > size_px[1] - 3)
    straight = (lines.scatter2 <= _STRAIGHT_PX**2) & ~on_rim
    along = ((ends - lines.origin[:, None]) * lines.along[:, None]).sum(axis=2, keepdims=True)
    return np.asarray((lines.origin[:, None] + along * lines.along[:, None])[straight]), blob[straight]


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines (K) through runs of an outline: a point `origin` (K, 2), a unit vector `along` (K, 2), the mean square
    distance `scatter2` (K,) of its pixels, and the `box` (K, 4) of these: least x and y, greatest x and y."""

    origin: Array
    along: Array
    scatter2: Array
    box: Array


def _lines(blobs: _Blobs, start: NDArray[np.intp], length: NDArray[np.intp], blob: NDArray[np.intp]) -> _Lines:
    """The lines through the runs of outlines that `start` (K,) at these pixels of a `blob` (K,) and have so many, but
    for both ends of each, which are rounded.

    Least squares of the distances, reweighted as Huber has it: what sticks out by more than _HUBER_PX pulls no more
    than that.
    """
    cut = np.maximum(1, np.rint(_ROUNDED_ENDS * length).astype(np.intp))
    start, length = start + cut - blobs.first[blob], length - 2 * cut
    first = np.cumsum(length) - length
    of = np.repeat(np.arange(len(length)), length)
    within = (np.arange(len(of)) + (start - first)[of]) % blobs.count[blob][of]
    x, y = blobs.pixels[within + blobs.first[blob][of]].T.copy()
    box = np.column_stack([low.reduceat(each, first) for low in (np.minimum, np.maximum) for each in (x, y)])
    weight = np.ones(len(of))
    for _ in range(_REWEIGHTED):
        total = np.add.reduceat(weight, first)
        middle_x, middle_y = np.add.reduceat(weight * x, first) / total, np.add.reduceat(weight * y, first) / total
        dx, dy = x - middle_x[of], y - middle_y[of]
        xx, xy, yy = (np.add.reduceat(weight * each, first) for each in (dx * dx, dx * dy, dy * dy))
        angle = 0.5 * np.arctan2(2.0 * xy, xx - yy)
        cos, sin = np.cos(angle), np.sin(angle)
        off = np.abs(cos[of] * dy - sin[of] * dx)
        weight = _HUBER_PX / np.maximum(off, _HUBER_PX)
    scatter2 = np.add.reduceat(off * off, first) / length
    return _Lines(np.column_stack([middle_x, middle_y]), np.column_stack([cos, sin]), scatter2, box)


def _corners_between(pieces: Array, following: Array, turning: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Where pieces (P, 2, 2) meet those that follow them (P, 2), and whether a corner is there that points outwards
    (P,), of outlines that run round as `turning` (P,) says: not where they are parallel or too much is between them."""
    one, other = pieces[:, 1] - pieces[:, 0], following[:, 1] - following[:, 0]
    lengths = np.hypot(*one.T), np.hypot(*other.T)
    cross, apart = _cross(one, other), following[:, 0] - pieces[:, 0]
    steep = np.abs(cross) >= _LEAST_STEEP * lengths[0] * lengths[1]
    share = _cross(apart, other) / np.where(steep, cross, 1.0)
    point = pieces[:, 0] + one * share[:, None]
    away = np.maximum(np.hypot(*(point - pieces[:, 1]).T), np.hypot(*(point - following[:, 0]).T))
    meet = steep & (away < np.maximum(_LEAST_ROUNDED_PX, _ROUNDED * np.minimum(*lengths)))
    turn = np.degrees(np.arctan2(cross, (one * other).sum(axis=1))) * turning
    return point, meet & (turn > _LEAST_TURN_DEG) & (turn < _MOST_TURN_DEG)


def _cross(d: Array, e: Array) -> Array:
    return np.asarray(d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0])
