"""The straight sides and right-angled corners of what may be cards: blobs of several black-and-white pictures.

Where cards overlap, their blob is a union of rectangles. A corner of it that points outwards is always a corner of one
card; a side between two such corners is a whole side of a card. One that points inwards is where two cards cross, and
says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array

Mask = NDArray[np.uint8]

_LONGEST_SIDE_PX = 1280
_LEAST_SIDE_PX = 11.0  # a shorter straight piece has no direction that can be trusted
_STRAIGHT_PX = 0.9  # how far a side's points scatter about its line
_ROUNDED = 0.25  # of the shorter of two sides may be missing where they meet: cards' corners are rounded
_LEAST_AREA, _MOST_AREA = 0.0008, 0.7  # of the picture, of a blob that may be cards
# Of a blob's outline so much is straight, and it has no more corners: else it is no pile of cards but a pattern.
_LEAST_STRAIGHT, _MOST_CORNERS = 0.45, 48
_PATTERN = 60  # corners: that many are a checked cloth's
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
    usual = np.append(np.median(rim, axis=0).astype(np.uint8), 0.0)  # a scalar to OpenCV: four values
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
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    at: list[Array] = []
    before: list[Array] = []
    after: list[Array] = []
    whole: list[Array] = []
    sides: list[Array] = []
    for contour in contours:
        if len(contour) < 4 * _LEAST_SIDE_PX:
            continue
        if not _LEAST_AREA < cv2.contourArea(contour) / mask.size < _MOST_AREA:
            continue
        _add_blob(contour.reshape(-1, 2).astype(np.float64), mask.shape, at, before, after, whole, sides)
        if len(at) > _PATTERN:
            return None
    if len(at) < 2:
        return None

    def full(points: list[Array], shape: tuple[int, ...]) -> Array:
        stacked = np.array(points).reshape(-1, *shape) if points else np.empty((0, *shape))
        return (stacked + 0.5) / factor - 0.5

    return Corners(full(at, (2,)), full(before, (2,)), full(after, (2,)), full(whole, (2, 2)), full(sides, (2, 2)))


def _add_blob(
    contour: Array,
    shape: tuple[int, ...],
    at: list[Array],
    before: list[Array],
    after: list[Array],
    whole: list[Array],
    sides: list[Array],
) -> None:
    """Adds the corners and sides of one blob's outline (N, 2)."""
    outline = contour.astype(np.float32).reshape(-1, 1, 2)
    corner = np.asarray(cv2.approxPolyDP(outline, 1.6, True), np.float32).reshape(-1, 2)
    least = _LEAST_STRAIGHT * cv2.arcLength(outline, True)
    if len(corner) > _MOST_CORNERS or _most_straight(corner) < least:
        return
    pieces = _straight_pieces(contour, corner, shape)
    if sum(math.dist(*piece.tolist()) for piece in pieces) < least:
        return
    sides += pieces
    meetings = [_meeting(one, pieces[(n + 1) % len(pieces)]) for n, one in enumerate(pieces)] if len(pieces) > 1 else []
    turning = np.sign(_doubled_area(contour))
    good: list[Array | None] = []
    for n, meeting in enumerate(meetings):
        one, other = pieces[n], pieces[(n + 1) % len(pieces)]
        turn = _turn_deg(one[1] - one[0], other[1] - other[0]) * turning
        convex = meeting is not None and _LEAST_TURN_DEG < turn < _MOST_TURN_DEG
        good.append(meeting if convex else None)
        if meeting is not None and convex:
            at.append(meeting)
            before.append(one[0])
            after.append(other[1])
    for n, meeting in enumerate(good):
        previous = good[n - 1]
        if meeting is not None and previous is not None:
            whole.append(np.array([previous, meeting]))


def _most_straight(corner: NDArray[np.float32]) -> float:
    """How long the straight pieces of an outline with these corners (N, 2) are together, at most."""
    long = np.hypot(*(np.roll(corner, -1, axis=0) - corner).T.astype(np.float64))
    return float(long[long >= _LEAST_SIDE_PX].sum())


def _straight_pieces(contour: Array, corner: NDArray[np.float32], shape: tuple[int, ...]) -> list[Array]:
    """Both ends (2, 2) of the straight pieces of an outline (M, 2) with these corners (N, 2), in its order; not those
    along the picture's rim."""
    width = float(shape[1])
    pixels, first = np.unique(contour @ np.array([1.0, width]), return_index=True)
    where = sorted(first[np.searchsorted(pixels, corner.astype(np.float64) @ np.array([1.0, width]))].tolist())
    pieces = []
    for n, start in enumerate(where):
        end = where[(n + 1) % len(where)]
        run = contour[start : end + 1] if end > start else np.concatenate([contour[start:], contour[: end + 1]])
        if math.dist(run[0].tolist(), run[-1].tolist()) < _LEAST_SIDE_PX:
            continue
        cut = max(1, round(0.08 * len(run)))
        middle = run[cut:-cut]
        x, y, px, py = cv2.fitLine(middle.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        along, origin = np.array([x, y], np.float64), np.array([px, py], np.float64)
        if float((middle[-1] - middle[0]) @ along) < 0:
            along = -along
        off = (middle - origin) @ np.array([-along[1], along[0]])
        if float(off @ off) > _STRAIGHT_PX**2 * len(off) or _is_on_rim(middle, shape):
            continue
        pieces.append(np.array([origin + ((p - origin) @ along) * along for p in (run[0], run[-1])]))
    return pieces


def _is_on_rim(run: Array, shape: tuple[int, ...]) -> bool:
    """Whether a run (N, 2) of an outline is the picture's rim."""
    x0, y0, x1, y1 = (float(end) for end in (*run.min(axis=0), *run.max(axis=0)))
    return min(x1, y1) < 2 or x0 > shape[1] - 3 or y0 > shape[0] - 3


def _meeting(one: Array, other: Array) -> Array | None:
    """Where two pieces meet that follow each other; None where they are parallel or too much is between them."""
    ax, ay, bx, by = (float(end) for end in one.flat)
    cx, cy, dx, dy = (float(end) for end in other.flat)
    cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    lengths = math.dist((ax, ay), (bx, by)), math.dist((cx, cy), (dx, dy))
    if abs(cross) < 0.2 * lengths[0] * lengths[1]:
        return None
    share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross
    point = ax + (bx - ax) * share, ay + (by - ay) * share
    away = max(math.dist(point, (bx, by)), math.dist(point, (cx, cy)))
    return np.array(point) if away < max(3.0, _ROUNDED * min(lengths)) else None


def _turn_deg(d: Array, e: Array) -> float:
    (dx, dy), (ex, ey) = d.tolist(), e.tolist()
    return math.degrees(math.atan2(dx * ey - dy * ex, dx * ex + dy * ey))


def _doubled_area(contour: Array) -> float:
    after = np.roll(contour, -1, axis=0)
    return float((contour[:, 0] * after[:, 1] - contour[:, 1] * after[:, 0]).sum())
