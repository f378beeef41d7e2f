"""Tiles laid in rows: where rows and columns go on, a tile that was not found by its sides is found by its print.

Tiles of a set share most of their print: the drawing, and each number with eight others. So what lies where the next
tile of a row is due is a tile if it looks like one of those that were found, and what lies in no row and looks like
none of them is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Image = NDArray[np.uint8]
Place = tuple[int, int]

WIDTH_PX = 64  # of a tile as they are compared
SPARE = 0.22  # of a width: how far from where it is due a tile may lie, laid by hand
MOST_OFF = 0.3  # of the way from one tile to the next, by which the next one is off
NEIGHBOUR = (0.6, 1.9)  # of a width: from tile to tile, along a row and across
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
# Correlation with the likest tile found. On ten photographs of ten sets on granite, flowers, checks and the like a
# tile of the rows had 0.55 at least, in the median 0.86; the ground beside them had 0.48 at most.
ALIKE = 0.5
LEAST_IN_ROWS = 4


@dataclass(frozen=True, eq=False)
class _Rows:
    """Tiles by their column and row: `at` holds corners (6, 2); `unit` the hexagon 1 wide in the corners' order."""

    at: dict[Place, Floats]
    unit: Floats


def completed(image_bgr: Image, found: Sequence[Floats], unit: Floats) -> list[Floats]:
    """The corners (6, 2) of all tiles: those `found` that lie in rows or look like others, and those of the rows that
    were not found."""
    rows = _in_rows(found, unit)
    if len(rows.at) < LEAST_IN_ROWS:
        return list(found)
    lain = list(rows.at.values())
    faces = {place: face(image_bgr, corners, unit) for place, corners in rows.at.items()}
    _drop_strangers(image_bgr, rows, faces)
    if not faces:
        return list(found)
    others = [each for each in found if not any(each is corners for corners in lain)]
    kept = [each for each in others if _likest(face(image_bgr, each, unit, SPARE), list(faces.values()))[0] > ALIKE]
    _grow(image_bgr, rows, faces)
    taken = [each.mean(axis=0) for each in rows.at.values()]
    room = 0.5 * float(np.linalg.norm(found[0][0] - found[0][3]))
    free = [each for each in kept if all(np.linalg.norm(each.mean(axis=0) - at) > room for at in taken)]
    return [*rows.at.values(), *free]


def _drop_strangers(image_bgr: Image, rows: _Rows, faces: dict[Place, Grey]) -> None:
    """Takes out what lies in a row and looks like no other: a spot of the table that is bounded as a tile is."""
    strange = []
    for place, corners in rows.at.items():
        others = [each for there, each in faces.items() if there != place]
        if _likest(face(image_bgr, corners, rows.unit, SPARE), others)[0] <= ALIKE:
            strange.append(place)
    for place in strange:
        del rows.at[place], faces[place]


def _in_rows(found: Sequence[Floats], unit: Floats) -> _Rows:
    """The largest set of tiles of which each is the next of another, along a row or across."""
    best: dict[Place, Floats] = {}
    left = set(range(len(found)))
    middles = np.array([each.mean(axis=0) for each in found]).reshape(-1, 2)
    while left:
        start = left.pop()
        places: dict[Place, int] = {(0, 0): start}
        open_ = [(0, 0)]
        while open_:
            place = open_.pop()
            for step, which in _neighbours(found, middles, places[place]).items():
                there = (place[0] + step[0], place[1] + step[1])
                if there not in places and which in left:
                    left.discard(which)
                    places[there] = which
                    open_.append(there)
        if len(places) > len(best):
            best = {place: found[which] for place, which in places.items()}
    return _Rows(best, unit)


def _neighbours(found: Sequence[Floats], middles: Floats, which: int) -> dict[Place, int]:
    """The nearest tile in each of the four directions, as the tile itself lies."""
    corners = found[which]
    across, width = (corners[0] - corners[3]), float(np.linalg.norm(corners[0] - corners[3]))
    down = (corners[1] + corners[2] - corners[4] - corners[5]) / np.sqrt(3.0)
    local = np.linalg.solve(np.column_stack([across, down]), (middles - middles[which]).T).T
    out: dict[Place, int] = {}
    for x, y in STEPS:
        along, aside = local @ np.array([x, y]), np.abs(local @ np.array([y, x]))
        good = (along > NEIGHBOUR[0]) & (along < NEIGHBOUR[1]) & (aside < MOST_OFF)
        if width > 0 and good.any():
            out[(x, y)] = int(np.flatnonzero(good)[along[good].argmin()])
    return out


def _grow(image_bgr: Image, rows: _Rows, faces: dict[Place, Grey]) -> None:
    """Adds tiles beside those that are known, as long as there are some."""
    tried: set[Place] = set()
    while True:
        due = {(i + x, j + y) for i, j in rows.at for x, y in STEPS} - set(rows.at) - tried
        if not due:
            return
        for place in sorted(due):
            tried.add(place)
            expected = _due(rows, place)
            alike, move = _likest(face(image_bgr, expected, rows.unit, SPARE), list(faces.values()))
            if alike > ALIKE:
                corners = expected + _moved_px(expected, rows.unit, move)
                rows.at[place] = corners
                faces[place] = face(image_bgr, corners, rows.unit)
                tried -= {(place[0] + x, place[1] + y) for x, y in STEPS}


def _due(rows: _Rows, place: Place) -> Floats:
    """Where a tile of that column and row is due: by a homography of the known middles, as large as the nearest."""
    known = np.array(list(rows.at), np.float64)
    middles = np.array([each.mean(axis=0) for each in rows.at.values()])
    nearest = min(rows.at, key=lambda each: (each[0] - place[0]) ** 2 + (each[1] - place[1]) ** 2)
    corners = rows.at[nearest]
    middle = _extrapolated(known, middles, np.array(place, np.float64))
    if middle is None:
        across = corners[0] - corners[3]
        down = np.array([-across[1], across[0]])
        middle = corners.mean(axis=0) + 1.2 * ((place[0] - nearest[0]) * across + (place[1] - nearest[1]) * down)
    return np.asarray(corners - corners.mean(axis=0) + middle)


def _extrapolated(known: Floats, middles: Floats, place: Floats) -> Floats | None:
    """An affinity of the nearest six tiles; None where they lie in one line."""
    order = np.argsort(np.linalg.norm(known - place, axis=1), kind="stable")[:6]
    columns = np.column_stack([known[order], np.ones(len(order))])
    if np.linalg.matrix_rank(columns) < 3:
        return None
    fitted = np.linalg.lstsq(columns, middles[order], rcond=None)[0]
    return np.asarray(np.append(place, 1.0) @ fitted)


def face(image_bgr: Image, corners: Floats, unit: Floats, spare: float = 0.0) -> Grey:
    """The straightened tile (h, w, 3), `WIDTH_PX` wide, with `spare` of a width round it."""
    size = np.ceil(np.ptp(unit, axis=0) * WIDTH_PX).astype(int) + 2 * round(spare * WIDTH_PX)
    flat = unit * WIDTH_PX + (size - 1) / 2
    found: Any = cv2.findHomography(flat, corners)[0]
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(image_bgr, found, tuple(size.tolist()), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), np.float32)


def _likest(seen: Grey, faces: Sequence[Grey]) -> tuple[float, Floats]:
    """The correlation of the tile likest to a place, and how far from its middle it lies there (2,) in px."""
    height, width = faces[0].shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    inside = (np.abs(y - (height - 1) / 2) * 0.5 + np.abs(x - (width - 1) / 2) * 0.866 < 0.42 * WIDTH_PX) & (
        np.abs(y - (height - 1) / 2) < 0.4 * WIDTH_PX
    )
    mask = np.repeat(inside.astype(np.float32)[:, :, None], 3, axis=2)
    best, where = -1.0, np.zeros(2)
    for each in faces:
        alike = np.nan_to_num(cv2.matchTemplate(seen, each, cv2.TM_CCOEFF_NORMED, mask=mask), posinf=-1.0)
        _, value, _, place = cv2.minMaxLoc(alike)
        if value > best:
            best, where = float(value), np.array(place, np.float64) - (np.array(alike.shape[::-1]) - 1) / 2
    return best, where


def _moved_px(corners: Floats, unit: Floats, move_px: Floats) -> Floats:
    """A move (2,) of the straightened picture's pixels as one of the photograph's."""
    linear = np.linalg.lstsq(unit * WIDTH_PX, corners - corners.mean(axis=0), rcond=None)[0]
    return np.asarray(move_px @ linear)
