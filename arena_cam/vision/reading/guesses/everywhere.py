"""Searches a face that is known to be there, though most of it is covered: at every place and rotation.

The floor view and the face, both high-passed and scaled to unit variance, are correlated at every rotation and place,
counting only pixels that no known card claims. Over noise, the correlation divided by the root of the face's visible
energy has unit variance, so small visible parts can be compared with large ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.guess import Finder, Guess

Grid = NDArray[np.float32]

SEARCH_PX_PER_MM = 1.0
_TURN_DEG = 6.0  # half a step turns a card's corner by under 3 mm, which alignment mends
_DETAIL_MM = 5.0  # what varies more slowly than this is light, not print
_MOST_FLOOR = 0.15  # of the card's area may seem to be bare floor: white cards on light sand do, where they are pale
_LEAST_ENERGY = 0.05  # of the face's, in view: less would be found anywhere


@dataclass(frozen=True, eq=False)
class SearchedFloor:
    """A floor view at SEARCH_PX_PER_MM: `bgr` (H, W, 3); `free` (H, W) is 1 where no known card is seen, `bare` (H, W)
    where the floor is. Pixel (column, row) shows (left_mm + column, top_mm - row)."""

    bgr: NDArray[np.uint8]
    free: NDArray[np.uint8]
    bare: NDArray[np.uint8]
    left_mm: float
    top_mm: float


# How well a face fits, and where its middle and its direction are then: x, y (mm), degrees.
_Place = tuple[float, float, float, float]


def search_face(floor: SearchedFloor, faces: DeckFaces, face: int, most: int = 12) -> list[Guess]:
    """The best places (most, strongest first) of `face` on the floor."""
    detail = _detail(floor.bgr.astype(np.float32)) * floor.free[:, :, None]
    channels = [np.ascontiguousarray(detail[:, :, channel]) for channel in range(3)]
    seen = _Seen(channels, floor.free.astype(np.float32), floor.bare.astype(np.float32))
    grid = faces.grid(SEARCH_PX_PER_MM)
    template = _detail(grid.bgr_of(face)) * grid.mask[:, :, None]
    card = grid.mask.astype(np.float32)
    whole = float((template**2).sum()), float(card.sum())
    found: list[_Place] = []
    for angle in np.arange(0.0, 180.0, _TURN_DEG):
        # half a turn takes a card's outline to itself: where it lies off the bare floor is the same either way up
        covered = cv2.matchTemplate(seen.bare, _turned(card, float(angle)), cv2.TM_CCORR) < _MOST_FLOOR * whole[1]
        upright = _turned(template, float(angle))
        for turned, turn in ((upright, 0.0), (np.ascontiguousarray(upright[::-1, ::-1]), 180.0)):
            found += _peaks(_fair(seen, turned, covered, whole[0]), floor, turned.shape[:2], float(angle) + turn)
    found.sort(reverse=True)
    return _distinct(found, face, most)


@dataclass(frozen=True, eq=False)
class _Seen:
    """The floor's detail, a picture (H, W) for each channel, and where it is `free` and `bare` (H, W)."""

    detail: Sequence[Grid]
    free: Grid
    bare: Grid


def _fair(seen: _Seen, turned: Grid, covered: NDArray[np.bool_], whole: float) -> Grid:
    """The score at each place, over the root of the visible energy of the face; 0 if too little is visible or bare
    floor is visible where the card would be: all but where it is `covered`. `whole`: the face's whole energy.

    Where cards lie leaves few places: only round about these the costlier sums are made."""
    fair = np.zeros(covered.shape, np.float32)
    part = _round_about(covered)
    energy = _correlated(seen.free, np.asarray((turned**2).sum(axis=2)), part)
    likely = (energy > _LEAST_ENERGY * whole) & covered[part]
    inner = _round_about(likely)
    if likely.any():
        rows, columns = (
            slice(outer.start + by.start, outer.start + by.stop) for outer, by in zip(part, inner, strict=True)
        )
        score = sum(_correlated(seen.detail[c], turned[:, :, c], (rows, columns)) for c in range(3))
        scaled = np.asarray(score) / np.sqrt(np.maximum(energy[inner], 1.0))
        fair[rows, columns] = np.where(likely[inner], scaled, 0.0)
    return fair


def _round_about(where: NDArray[np.bool_]) -> tuple[slice, slice]:
    """The rows and the columns within which lies all that is true (H, W); one of each if nothing is."""
    column, row, wide, high = cv2.boundingRect(where.astype(np.uint8))
    return slice(row, row + max(high, 1)), slice(column, column + max(wide, 1))


def _correlated(picture: Grid, template: Grid, places: tuple[slice, slice]) -> Grid:
    """The correlation (rows, columns) of a picture with a template at some places of the template's corner."""
    (rows, columns), (height, width) = places, template.shape
    part = picture[rows.start : rows.stop + height - 1, columns.start : columns.stop + width - 1]
    return np.asarray(cv2.matchTemplate(part, template, cv2.TM_CCORR), dtype=np.float32)


def _peaks(fair: Grid, floor: SearchedFloor, size: tuple[int, int], angle: float) -> list[_Place]:
    """The two best places of a face turned by `angle`, in a picture of that `size` (H, W)."""
    found = []
    for _ in range(2):
        _, best, _, (column, row) = cv2.minMaxLoc(fair)
        x = floor.left_mm + (column + (size[1] - 1) / 2) / SEARCH_PX_PER_MM
        y = floor.top_mm - (row + (size[0] - 1) / 2) / SEARCH_PX_PER_MM
        found.append((float(best), x, y, angle))
        cv2.circle(fair, (column, row), 6, 0.0, -1)
    return found


def _detail(picture: Grid) -> Grid:
    """High-passed and scaled to unit variance locally, so that shade and light patches weigh alike."""
    sigma = _DETAIL_MM * SEARCH_PX_PER_MM
    fine = picture - cv2.GaussianBlur(picture, (0, 0), sigma)
    spread = cv2.GaussianBlur((fine**2).sum(axis=2), (0, 0), 2 * sigma)
    return np.asarray(fine / np.sqrt(spread + 15.0**2)[:, :, None], dtype=np.float32)


def _turned(template: Grid, angle_deg: float) -> Grid:
    """The template turned counterclockwise in a picture just large enough."""
    height, width = template.shape[:2]
    a = np.radians(angle_deg)
    c, s = abs(np.cos(a)), abs(np.sin(a))
    size = (int(np.ceil(width * c + height * s)), int(np.ceil(width * s + height * c)))
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle_deg, 1.0)
    turn[0, 2] += (size[0] - width) / 2
    turn[1, 2] += (size[1] - height) / 2
    return np.asarray(cv2.warpAffine(template, turn, size), dtype=np.float32)


def _distinct(found: list[_Place], face: int, most: int) -> list[Guess]:
    kept: list[_Place] = []
    for score, x, y, angle in found:
        near = any(np.hypot(x - k[1], y - k[2]) < 5.0 and abs((angle - k[3] + 180) % 360 - 180) < 10.0 for k in kept)
        if not near:
            kept.append((score, x, y, angle))
        if len(kept) >= most:
            break
    return [
        Guess(face, CardPose.flat(x, y, angle, GUESS_HEIGHT_MM / 4), score, Finder.SEARCH)
        for score, x, y, angle in kept
    ]
