"""Guesses where straight edges form a rectangle of a card's size, for cards without usable print.

This works for any deck: for a back of fine stripes, or a face that is nearly blank. It is a Hough transform over place
and rotation, by sums along lines in the picture turned each way.
"""

from __future__ import annotations

import heapq

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.side_calls import outlined
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM, FloorView
from arena_cam.vision.reading.guesses.guess import near, place_at

Mask = NDArray[np.uint8]
Grid = NDArray[np.float32]

_TURN_DEG = 4.0  # a long side is then off by 3 mm at its ends at most, and blurred by as much
_ROUND_MM, _MOST = 40.0, 4.0  # a slope counts by how it exceeds those round it, and so many times as much at most
_FAINT = 2.0  # grey levels a pixel: less is no edge
_APART_MM, _APART_DEG = 10.0, 12.0
# So much steeper along the four sides than round about: of 144 cards in full view on five tables, of five decks, 94 %
# are, and 88 % are among the eight plainest of their picture.
_PLAIN = 1.45


def places_of_rectangles(view: FloorView, where: Mask, deck: Deck, most: int = 8) -> list[CardPose]:
    """Poses, flat, that a card may have whose outline is seen in a view of the floor, the plainest first.

    Their middles lie where `where` (a view of VIEW_PX_PER_MM) is set. Which way up is left open: each stands for its
    half turn too.
    """
    height, width = where.shape
    size = (width, height)
    grey = np.asarray(cv2.resize(view.grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    column, row, wide, high = cv2.boundingRect(where)
    rim = round(float(np.hypot(deck.width_mm, deck.height_mm)) / 2 * VIEW_PX_PER_MM)
    left, top = max(column - rim, 0), max(row - rim, 0)
    crop = grey[top : row + high + rim, left : column + wide + rim]
    inside = where[top : row + high + rim, left : column + wide + rim]
    found: list[_Seen] = []
    for degrees in np.arange(0.0, 180.0, _TURN_DEG):
        turn = _turn(crop, float(degrees))
        turned = np.asarray(cv2.warpAffine(inside, *turn, flags=cv2.INTER_NEAREST), np.uint8)
        score = _outlined(_turned(crop, *turn), deck, turned)
        peaks = score > _PLAIN
        if not peaks.any():
            continue
        peaks &= score >= cv2.dilate(score, np.ones((9, 9), np.uint8))
        back = cv2.invertAffineTransform(turn[0])
        for r, c in np.argwhere(peaks):
            x, y = back @ (c, r, 1.0)
            found.append((float(score[r, c]), float(x), float(y), float(degrees)))
    poses: list[CardPose] = []
    for seen in heapq.nlargest(40 * most, found):
        pose = _pose(view, left, top, seen)
        if any(_is_near(pose, other) for other in poses):
            continue
        poses.append(_pose(view, left, top, _closer(crop, seen, deck, rim)))
        if len(poses) == most:
            break
    return poses


# How plainly an outline is seen, the place (px) of its middle in a picture, and how far that has to be turned (deg) for
# it to be upright.
_Seen = tuple[float, float, float, float]


def _pose(view: FloorView, left: int, top: int, seen: _Seen) -> CardPose:
    _, c, r, degrees = seen
    x, y = view.left_mm + (left + c) / VIEW_PX_PER_MM, view.top_mm - (top + r) / VIEW_PX_PER_MM
    return CardPose.flat(x, y, -degrees, GUESS_HEIGHT_MM)


def _is_near(a: CardPose, b: CardPose) -> bool:
    return any(near(place_at(a), place_at(way), _APART_MM, _APART_DEG) for way in (b, b.half_turned))


def _closer(picture: Mask, seen: _Seen, deck: Deck, rim: int) -> _Seen:
    """The same outline to a degree and less: a fine pattern can be aligned only from so near."""
    _, c, r, degrees = seen
    left, top = max(round(c) - rim - _NEAR_PX, 0), max(round(r) - rim - _NEAR_PX, 0)
    crop = picture[top : round(r) + rim + _NEAR_PX, left : round(c) + rim + _NEAR_PX]
    best = seen
    for turned in degrees + np.arange(-_TURN_DEG + 1.0, _TURN_DEG):
        turn = _turn(crop, float(turned))
        score = _outlined(_turned(crop, *turn), deck)
        u, v = np.round(turn[0] @ (c - left, r - top, 1.0)).astype(int)
        low_u, low_v = max(u - _NEAR_PX, 0), max(v - _NEAR_PX, 0)
        near_by = score[low_v : v + _NEAR_PX + 1, low_u : u + _NEAR_PX + 1]
        if near_by.size and near_by.max() > best[0]:
            row, column = np.unravel_index(int(near_by.argmax()), near_by.shape)
            x, y = cv2.invertAffineTransform(turn[0]) @ (low_u + column, low_v + row, 1.0)
            best = (float(near_by.max()), left + float(x), top + float(y), float(turned))
    return best


_NEAR_PX = 5


def _turn(picture: Mask, degrees: float) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The affine map that turns a picture about its middle, and the size in which all of it is seen."""
    height, width = picture.shape
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    c, s = abs(turn[0, 0]), abs(turn[0, 1])
    size = (int(np.ceil(width * c + height * s)), int(np.ceil(width * s + height * c)))
    turn[:, 2] += ((size[0] - width) / 2, (size[1] - height) / 2)
    return np.asarray(turn, dtype=np.float64), size


def _turned(picture: Mask, turn: NDArray[np.float64], size: tuple[int, int]) -> Mask:
    return np.asarray(cv2.warpAffine(picture, turn, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def _outlined(grey: NDArray[np.uint8], deck: Deck, inside: Mask | None = None) -> Grid:
    """For each place (H, W) that is `inside`, None is all, the mean gradient along the outline of an upright card
    there, by how much it exceeds that of its surroundings; elsewhere 0."""
    width, height = (round(side * VIEW_PX_PER_MM) for side in (deck.width_mm, deck.height_mm))
    compiled = outlined(grey, inside, (width, height), (round(_ROUND_MM * VIEW_PX_PER_MM), _FAINT, _MOST))
    return _outlined_in_numpy(grey, width, height, inside) if compiled is None else compiled


def _outlined_in_numpy(grey: NDArray[np.uint8], width: int, height: int, inside: Mask | None) -> Grid:
    upright, across = _summed(_steep(grey, 1, 0), (3, height)), _summed(_steep(grey, 0, 1), (width, 3))
    x, y = width // 2, height // 2
    left, right = _moved(upright, x, 0), _moved(upright, -x, 0)
    over, under = _moved(across, 0, y), _moved(across, 0, -y)
    mean = (height * (left + right) + width * (over + under)) / (2.0 * (width + height))
    return np.asarray(mean if inside is None else mean * inside, dtype=np.float32)


def _steep(grey: NDArray[np.uint8], dx: int, dy: int) -> Grid:
    slope = np.abs(cv2.Sobel(grey, cv2.CV_32F, dx, dy, scale=0.125))
    size = round(_ROUND_MM * VIEW_PX_PER_MM)
    return np.asarray(np.minimum(slope / (cv2.blur(slope, (size, size)) + _FAINT), _MOST), dtype=np.float32)


def _summed(grid: Grid, size: tuple[int, int]) -> Grid:
    return np.asarray(cv2.boxFilter(grid, -1, size, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)


def _moved(grid: Grid, right: int, down: int) -> Grid:
    """A picture moved, with nothing where it came from."""
    moved = np.zeros_like(grid)
    h, w = grid.shape
    if abs(right) < w and abs(down) < h:
        moved[max(down, 0) : h + min(down, 0), max(right, 0) : w + min(right, 0)] = grid[
            max(-down, 0) : h + min(-down, 0), max(-right, 0) : w + min(-right, 0)
        ]
    return moved
