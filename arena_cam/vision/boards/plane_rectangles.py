"""Rectangles of a board's size on a table whose plane is known: where the frame of one more board may be seen.

A rectangle on a known plane has three unknowns. For each turn, pixels of edges that run along its sides vote for lines,
and each middle of a rectangle has the votes of its four sides (a Hough transform of rectangles: Jung and Schramm,
"Rectangle detection based on a windowed Hough transform", SIBGRAPI 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.straight.straight_board import Halvings, StraightBoard
from arena_cam.vision.boards.table_plane import TablePlane

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

PX_PER_MM = 0.33
MOST_MM = 900.0  # of the table, each way from the known board
TURN_STEP = 4.0  # degrees; at half of it a side of 200 mm is 3.5 mm aside at its ends
ALONG_DEG = 6.0  # by which an edge may run askew to a side
ASIDE_PX = 1  # by which edges may lie aside of a side
STEP = 6.0  # grey levels a pixel that make an edge
NEAR_PX = 4.0  # of a side on which its edges lie, while it is known to `TURN_STEP`
LEAST_SEEN = 0.62  # of each side but one, which a hand or another board may hide
# ... of which one that is then read as a board needs less: a dim frame on granite was seen to 0.35 to 0.4, where edges
# that lie so by chance are 0.03.
LEAST_GUESSED = 0.3
MOST_FOUND = 3


@dataclass(frozen=True, eq=False)
class Rectangle:
    """Its outline (4, 2) in pixels, clockwise; `plain`: so much of it is seen that something rectangular is there."""

    outline: Floats
    plain: bool


def rectangles(
    photograph: Halvings, plane: TablePlane, known: Sequence[Floats], sizes_mm: Floats, least_px_per_mm: float
) -> list[Rectangle]:
    """Rectangles of one of some sizes (B, 2), width and height; best first, and where none is plain the best guess.

    `known`: outlines (N, 2) of boards, in which none is looked for; nor where the plane is seen smaller than
    `least_px_per_mm`.
    """
    box = _box(photograph, plane, least_px_per_mm)
    if box is None:
        return []
    view = photograph.straight(plane.px_from_mm, box, PX_PER_MM)
    free = _free(view, [plane.on_plane(outline) for outline in known])
    if np.count_nonzero(free) < sizes_mm.prod(axis=1).min() * PX_PER_MM**2:
        return []
    at, way = _edges(view, free)
    scored: list[tuple[float, Floats]] = []
    for size in np.unique(np.round(sizes_mm, 1), axis=0):
        scored += _of_size(at, way, size * PX_PER_MM)
    scored.sort(key=lambda each: -each[0])
    plain = [corners for seen, corners in scored if seen >= LEAST_SEEN]
    out: list[Floats] = []
    for corners in plain or [corners for _, corners in scored[:1]]:
        if all(_apart(corners, other) for other in out) and len(out) < MOST_FOUND:
            out.append(corners)
    outlines = [transformed(plane.px_from_mm, view.origin_mm + (corners + 0.5) / PX_PER_MM) for corners in out]
    return [Rectangle(outline, bool(plain)) for outline in outlines]


def _box(photograph: Halvings, plane: TablePlane, least_px_per_mm: float) -> Floats | None:
    """The corners (2, 2) in mm of the part of the plane that is seen large enough."""
    width, height = photograph.size
    seen = plane.nearer_than(least_px_per_mm, (int(width), int(height)))
    if not len(seen):
        return None
    at = np.clip(plane.on_plane(seen), -MOST_MM, MOST_MM)
    return np.array([at.min(axis=0), at.max(axis=0)])


def _free(view: StraightBoard, known_mm: Sequence[Floats]) -> NDArray[np.uint8]:
    """1 at pixels (h, w) that the photograph shows and on which no known board lies."""
    free = cv2.erode(view.inside.astype(np.uint8), np.ones((5, 5), np.uint8))
    for outline in known_mm:
        cv2.fillPoly(free, [np.round(view.at(outline)).astype(np.int32)], 0)
    return np.asarray(free, np.uint8)


def _edges(view: StraightBoard, free: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Pixels (N, 2) of edges, and the direction (N,) across each in degrees from 0 to 180."""
    soft = cv2.GaussianBlur(view.pixels, (0, 0), 0.8)
    slopes = [cv2.Scharr(soft, cv2.CV_32F, dx, 1 - dx) / np.float32(32.0) for dx in (1, 0)]
    strength = np.abs(slopes[0]) + np.abs(slopes[1])
    channel = strength.argmax(axis=2)[..., None]
    dx, dy = (np.take_along_axis(each, channel, axis=2)[..., 0] for each in slopes)
    size = np.hypot(dx, dy)
    thin = size >= cv2.dilate(size, np.ones((3, 3), np.uint8)) * 0.75
    rows, columns = np.nonzero((size > STEP) & thin & (free > 0))
    way = np.degrees(np.arctan2(dy[rows, columns], dx[rows, columns])) % 180.0
    return np.column_stack([columns, rows]).astype(np.float64), way


def _of_size(at: Floats, way: Floats, size_px: Floats) -> list[tuple[float, Floats]]:
    """The best rectangle of each turn whose sides are seen at all, and how much of them is, the least but one."""
    out: list[tuple[float, Floats]] = []
    for turn in np.arange(0.0, 180.0, TURN_STEP):
        angle = np.radians(turn)
        axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        sides = [_near(way, turn + quarter) for quarter in (0.0, 90.0)]
        if min(np.count_nonzero(side) for side in sides) < LEAST_GUESSED * size_px.min():
            continue
        places = [at[side] @ axes.T for side in sides]
        best = _best_place(places, size_px)
        if best is not None:
            seen, middle = best
            out.append((seen, _fitted(places, middle, size_px) @ axes))
    return out


def _fitted(places: Sequence[Floats], middle: Floats, size_px: Floats) -> Floats:
    """The corners (4, 2) of the rectangle shifted and turned so that its sides lie on their edges, by least squares."""
    half, turn = size_px / 2, 0.0
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    for reach in (NEAR_PX, NEAR_PX / 2, NEAR_PX / 2):
        c, s = np.cos(turn), np.sin(turn)
        rows, off = [np.zeros((0, 3))], [np.zeros(0)]
        for across, points in enumerate(places):
            own = (points - middle) @ np.array([[c, -s], [s, c]])
            aside = np.abs(own[:, across]) - half[across]
            side = (np.abs(aside) < reach) & (np.abs(own[:, 1 - across]) < half[1 - across])
            sign = np.sign(own[side, across])
            columns = np.zeros((len(sign), 3))
            columns[:, across] = sign
            columns[:, 2] = (1.0 if across else -1.0) * sign * own[side, 1 - across]
            rows.append(columns)
            off.append(aside[side])
        step = np.linalg.lstsq(np.concatenate(rows), np.concatenate(off), rcond=None)[0]
        middle = middle + step[:2] @ np.array([[c, s], [-s, c]])
        turn += float(step[2])
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(middle + corners @ np.array([[c, s], [-s, c]]))


def _near(way: Floats, turn: float) -> NDArray[np.bool_]:
    return np.asarray(np.abs((way - turn + 90.0) % 180.0 - 90.0) < ALONG_DEG)


def _best_place(places: Sequence[Floats], size_px: Floats) -> tuple[float, Floats] | None:
    """Where a rectangle that stands straight lies best, by pixels (N, 2) of edges across x and of edges across y."""
    low = np.floor(np.minimum(places[0].min(axis=0), places[1].min(axis=0)))
    shape = np.ceil(np.maximum(places[0].max(axis=0), places[1].max(axis=0)) - low).astype(int)[::-1] + 1
    wide, high = np.round(size_px).astype(int)
    if shape[0] <= high + 2 or shape[1] <= wide + 2:
        return None
    across_x = _votes(places[0] - low, shape, (1, int(high)))
    across_y = _votes(places[1] - low, shape, (int(wide), 1))
    rows, columns = (slice(n // 2, n // 2 + whole - n) for n, whole in zip((high, wide), shape, strict=True))
    left, right = across_x[rows, :-wide], across_x[rows, wide:]
    top, bottom = across_y[:-high, columns], across_y[high:, columns]
    # The least but one of four.
    least = cv2.max(cv2.min(left, right), cv2.min(top, bottom))
    second = cv2.min(least, cv2.min(cv2.max(left, right), cv2.max(top, bottom)))
    _, most, _, (column, row) = cv2.minMaxLoc(second)
    if most < LEAST_GUESSED * 255:
        return None
    return float(most) / 255, low + np.array([column + wide / 2, row + high / 2])


def _votes(at: Floats, shape: NDArray[np.intp], side_px: tuple[int, int]) -> NDArray[np.uint8]:
    """Of each pixel the share, 0 to 255, of a side (width, height) round it on which edges (N, 2) lie."""
    cells = np.zeros(shape, np.uint8)
    columns, rows = np.round(at).astype(int).T
    cells[np.minimum(rows, shape[0] - 1), np.minimum(columns, shape[1] - 1)] = 255
    thick = 2 * ASIDE_PX + 1
    near = cv2.dilate(cells, np.ones((1, thick) if side_px[0] == 1 else (thick, 1), np.uint8))
    return np.asarray(cv2.blur(near, side_px, borderType=cv2.BORDER_CONSTANT), np.uint8)


def _apart(corners: Floats, other: Floats) -> bool:
    size = min(np.linalg.norm(other[1] - other[0]), np.linalg.norm(other[2] - other[1]))
    return float(np.linalg.norm(corners.mean(axis=0) - other.mean(axis=0))) > float(size) / 2
