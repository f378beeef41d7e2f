"""Guesses where straight edges form a rectangle of a card's size, for cards without usable print.

This works for any deck: for a back of fine stripes, or a face that is nearly blank. It is a Hough transform over place
and rotation, by sums along lines in the picture turned each way.
"""

from __future__ import annotations

import heapq
import math

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
Places = NDArray[np.int32]
Numbers = NDArray[np.intp]

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
    grey = np.asarray(cv2.resize(view.grey, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found = [seen for part in _parts(where, _beyond(deck)) for seen in _seen_in(grey, part, deck)]
    poses: list[CardPose] = []
    for seen in heapq.nlargest(40 * most, found):
        pose = _pose(view, seen)
        if any(_is_near(pose, other) for other in poses):
            continue
        poses.append(_pose(view, _closer(grey, seen, deck)))
        if len(poses) == most:
            break
    return poses


# How plainly an outline is seen, the place (px) of its middle in a picture, and how far that has to be turned (deg) for
# it to be upright.
_Seen = tuple[float, float, float, float]


def _beyond(deck: Deck) -> tuple[int, int]:
    """How far beyond the middle of an upright card, to its sides and ends, a picture tells how plain its outline is."""
    wide, high = (math.ceil((side + _ROUND_MM) / 2 * VIEW_PX_PER_MM) + 2 for side in (deck.width_mm, deck.height_mm))
    return wide, high


def _parts(where: Mask, beyond: tuple[int, int]) -> list[Places]:
    """The places (N, 2), column and row, at which a mask (H, W) is set, in parts that lie apart: turned with their
    surroundings, one by one, these are a fraction of the whole where they lie far from each other. What is joined to a
    part is what makes that least."""
    places, least = _places(where), math.inf
    parts = [places] if len(places) else []
    for joined_px in _TOGETHER_PX:
        joined = cv2.dilate(where, np.ones((2 * joined_px + 1,) * 2, np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(joined, np.uint8))
        sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] - 2 * joined_px + 2 * np.array(beyond)
        area = float(sides.prod(axis=1).sum())
        if count > 1 and area < least:
            least, of_part = area, labels[places[:, 1], places[:, 0]]
            parts = [places[of_part == label] for label in range(1, count)]
    return parts


def _places(mask: Mask) -> Places:
    found = cv2.findNonZero(mask)
    return np.empty((0, 2), np.int32) if found is None else np.asarray(found.reshape(-1, 2), np.int32)


# Places so near each other are peaks of one outline; and so far from each other two parts are no more than one.
_TOGETHER_PX = 5, 20, 50


def _seen_in(grey: Mask, places: Places, deck: Deck) -> list[_Seen]:
    """The outlines of cards, however turned, that are seen in a picture `grey` (H, W), their middles at some of the
    places (N, 2), column and row."""
    found: list[_Seen] = []
    for degrees in np.arange(0.0, 180.0, _TURN_DEG):
        turn = _turn(float(degrees))
        at = np.round(places @ turn.T).astype(np.intp)
        first = at.min(axis=0)
        inside = np.zeros(np.ptp(at, axis=0)[::-1] + 1, np.uint8)
        inside[at[:, 1] - first[1], at[:, 0] - first[0]] = 1
        score = _scores(grey, turn, first, _closed(inside), deck)
        peaks = score > _PLAIN
        if not peaks.any():
            continue
        peaks &= score >= cv2.dilate(score, np.ones((9, 9), np.uint8))
        for r, c in np.argwhere(peaks):
            x, y = turn.T @ np.add(first, (c, r))
            found.append((float(score[r, c]), float(x), float(y), float(degrees)))
    return found


def _closed(mask: Mask) -> Mask:
    """A mask without the holes that single places leave between each other once they are turned."""
    padded = np.pad(mask, 1)
    return np.asarray(cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))[1:-1, 1:-1], np.uint8)


def _pose(view: FloorView, seen: _Seen) -> CardPose:
    _, c, r, degrees = seen
    x, y = view.left_mm + c / VIEW_PX_PER_MM, view.top_mm - r / VIEW_PX_PER_MM
    return CardPose.flat(x, y, -degrees, GUESS_HEIGHT_MM)


def _is_near(a: CardPose, b: CardPose) -> bool:
    return any(near(place_at(a), place_at(way), _APART_MM, _APART_DEG) for way in (b, b.half_turned))


def _closer(grey: Mask, seen: _Seen, deck: Deck) -> _Seen:
    """The same outline to a degree and less: a fine pattern can be aligned only from so near."""
    _, c, r, degrees = seen
    best = seen
    for turned in degrees + np.arange(-_TURN_DEG + 1.0, _TURN_DEG):
        turn = _turn(float(turned))
        first = np.round(turn @ (c, r)).astype(np.intp) - _NEAR_PX
        score = _scores(grey, turn, first, np.ones((2 * _NEAR_PX + 1,) * 2, np.uint8), deck)
        if score.max() > best[0]:
            row, column = np.unravel_index(int(score.argmax()), score.shape)
            x, y = turn.T @ np.add(first, (column, row))
            best = (float(score.max()), float(x), float(y), float(turned))
    return best


_NEAR_PX = 5


def _turn(degrees: float) -> NDArray[np.float64]:
    """The matrix (2, 2) that turns columns and rows; its transpose turns them back."""
    return np.asarray(cv2.getRotationMatrix2D((0.0, 0.0), degrees, 1.0)[:, :2], dtype=np.float64)


def _scores(grey: Mask, turn: NDArray[np.float64], first: Numbers, inside: Mask, deck: Deck) -> Grid:
    """How plainly an upright card's outline is seen in a picture `grey` once that is turned, at the places (h, w) from
    the `first` on, column and row, that are `inside` (h, w); elsewhere 0."""
    (wide, high), (height, width) = _beyond(deck), inside.shape
    move = np.column_stack([turn, (wide, high) - first])
    turned = cv2.warpAffine(grey, move, (width + 2 * wide, height + 2 * high), borderMode=cv2.BORDER_REPLICATE)
    asked = np.pad(inside, ((high, high), (wide, wide)))
    return _outlined(np.asarray(turned, np.uint8), deck, asked)[high : high + height, wide : wide + width]


def _outlined(grey: NDArray[np.uint8], deck: Deck, inside: Mask) -> Grid:
    """For each place (H, W) that is `inside`, the mean gradient along the outline of an upright card
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
