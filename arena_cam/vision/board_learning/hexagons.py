"""Hexagonal tiles laid side by side: found, put in reading order, straightened.

What differs from the ground is a tile if six straight sides bound it; a line is fitted to each side, and the corners
are where neighbouring lines meet. A tile that is as light as the ground beside it is found by its sides.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.board_learning.hexagon_edges import by_edges, refined, side_steps
from arena_cam.vision.board_learning.hexagon_plane import fitted_together
from arena_cam.vision.board_learning.tile_rows import completed
from arena_cam.vision.boards.board_outlines import outlines

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]

LONGEST_PX = 2000  # sides are straight over a hundred pixels there: lines are fitted to a third of one
RIM_SHARE = 0.04  # of the picture, all round, where the ground is seen
THRESHOLDS = (1.0, 0.6, 1.5)  # of Otsu's; half of the step from ground to tile lies at it
LEAST_SHARE = 0.0008  # of the picture's area; 27 tiles fill a third of it
LEAST_BOARD_SHARE = 0.08
LEAST_SOLID = 0.93
MOST_BENT = 0.03  # of the width: corners that a flat hexagon seen askew does not have
SIDE_USED = (0.12, 0.88)
MOST_UNLIKE = 0.12  # of the root of a tile's area: corners beside the usual tile's; 4 degrees of turn are 0.04
LEAST_STEP = 0.3  # of the usual step in colour from a tile to the ground
OUTLINE_REACH = 0.01  # of a board's diagonal: 3 mm, its frame's inner border is further away
ALIKE = (0.45, 2.2)  # of the usual area: perspective makes the nearest tile larger


@dataclass(frozen=True, eq=False)
class Hexagon:
    """A tile in a photograph: `corners` (6, 2) in pixels, from the right one clockwise."""

    corners: Floats

    @property
    def middle(self) -> Floats:
        return np.asarray(self.corners.mean(axis=0))


def unit_hexagon() -> Floats:
    """Corners (6, 2) of a hexagon flat at top and bottom, 1 wide, about the origin, from the right one clockwise."""
    angles = np.arange(6) * math.pi / 3
    return np.column_stack([np.cos(angles), np.sin(angles)]) / 2


def find_hexagons(image_bgr: Image) -> list[Hexagon]:
    """The tiles of a photograph (h, w, 3) in reading order: rows from the top, each from the left."""
    factor = min(1.0, LONGEST_PX / max(image_bgr.shape[:2]))
    small = np.asarray(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    away = from_ground(small)
    tried = [_of_mask(away, share) for share in THRESHOLDS]
    best = [Hexagon((h.corners + 0.5) / factor - 0.5) for h in max(tried, key=len)]
    more = [_by_edges(image_bgr, each) for each in by_edges(image_bgr, unit_hexagon())]
    tiles = [each.corners for each in _tiles_only(image_bgr, best + _beside(best, more))]
    rows = completed(image_bgr, tiles, unit_hexagon())
    together = fitted_together(image_bgr, np.array(rows).reshape(-1, 6, 2), unit_hexagon())
    return in_reading_order([Hexagon(corners) for corners in together])


def _by_edges(image_bgr: Image, corners: Floats) -> Hexagon | None:
    """A hexagon seen by its sides alone, each fitted; None where they bound no flat one."""
    fitted = refined(image_bgr, corners)
    return None if fitted is None else _turned_upright(fitted)


def _tiles_only(image_bgr: Image, found: list[Hexagon]) -> list[Hexagon]:
    """Those that differ from the ground at four sides and more, and have the shape, as the usual one: veins do not."""
    if not found:
        return []
    steps = [float(np.sort(side_steps(image_bgr, each.corners))[2]) for each in found]
    shapes = np.array([(each.corners - each.middle) / math.sqrt(_area(each)) for each in found])
    unlike = np.linalg.norm(shapes - np.median(shapes, axis=0), axis=2).max(axis=1)
    least = LEAST_STEP * float(np.median(steps))
    return [h for h, step, far in zip(found, steps, unlike, strict=True) if step > least and far < MOST_UNLIKE]


def _beside(known: list[Hexagon], more: list[Hexagon | None]) -> list[Hexagon]:
    """Those of `more` that are as large as all others are and lie on none of the known or of each other."""
    found: list[Hexagon] = []
    usual = float(np.median([_area(h) for h in known or more if h is not None] or [1.0]))
    for one in more:
        if one is None or not ALIKE[0] < _area(one) / usual < ALIKE[1]:
            continue
        room = 0.7 * float(np.linalg.norm(one.corners[0] - one.corners[3]))
        if all(np.linalg.norm(one.middle - other.middle) > room for other in [*known, *found]):
            found.append(one)
    return found


def _area(hexagon: Hexagon) -> float:
    return float(cv2.contourArea(hexagon.corners.astype(np.float32)))


def ground_colour(image_bgr: Image) -> Floats:
    """The median colour (3,) of a picture's rim."""
    return np.asarray(np.median(_rim(image_bgr), axis=0), np.float64)


def _rim(image: Image | NDArray[np.float32]) -> NDArray[np.float32]:
    edge = max(4, round(RIM_SHARE * min(image.shape[:2])))
    parts = (image[:edge], image[-edge:], image[:, :edge], image[:, -edge:])
    return np.concatenate([part.reshape(-1, image.shape[2]).astype(np.float32) for part in parts])


def from_ground(image_bgr: Image) -> NDArray[np.float32]:
    """How far each pixel's colour is from the ground's (h, w), 0 to 255, the ground's own scatter taken as nothing."""
    lab = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2LAB), (0, 0), 1.2).astype(np.float32)
    rim = _rim(lab)
    middle = np.median(rim, axis=0)
    scatter = 1.4826 * np.median(np.abs(rim - middle), axis=0)
    beyond = np.maximum(np.abs(lab - middle) - 2.0 * scatter, 0.0)
    beyond[:, :, 0] *= 0.7  # the light changes over a table more than the colour does
    return np.asarray(np.minimum(np.linalg.norm(beyond, axis=2) * 1.5, 255.0), np.float32)


def _of_mask(away: NDArray[np.float32], share: float) -> list[Hexagon]:
    level, _ = cv2.threshold(away.astype(np.uint8), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    mask = (away > max(level * share, 6.0)).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [h for outline in outlines if (h := _hexagon(np.asarray(outline, np.int32), mask.size)) is not None]
    if not found:
        return []
    areas = [cv2.contourArea(h.corners.astype(np.float32)) for h in found]
    usual = float(np.median(areas))
    return [h for h, area in zip(found, areas, strict=True) if ALIKE[0] < area / usual < ALIKE[1]]


def _hexagon(outline: NDArray[np.int32], picture: int) -> Hexagon | None:
    """The hexagon that a blob's outline is; None if it is none."""
    hull = np.asarray(cv2.convexHull(outline), np.int32)
    area = cv2.contourArea(hull)
    if area < LEAST_SHARE * picture or cv2.contourArea(outline) < LEAST_SOLID * area:
        return None
    rough = next((p for share in np.arange(0.02, 0.1, 0.005) if len(p := _polygon(hull, share)) <= 6), None)
    if rough is None or len(rough) != 6:
        return None
    corners = _lines_met(outline[:, 0].astype(np.float64), rough)
    return None if corners is None else _turned_upright(corners)


def _polygon(hull: NDArray[np.int32], share: float) -> Floats:
    near = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)
    return np.asarray(near[:, 0], np.float64)


def _lines_met(points: Floats, rough: Floats) -> Floats | None:
    """Corners where lines meet that are fitted to the outline's points along each side of a rough polygon."""
    lines = []
    for k in range(len(rough)):
        a, b = rough[k], rough[(k + 1) % len(rough)]
        along = b - a
        length = float(np.linalg.norm(along))
        share = (points - a) @ along / length**2
        off = np.abs((points[:, 0] - a[0]) * along[1] - (points[:, 1] - a[1]) * along[0]) / length
        near = points[(share > SIDE_USED[0]) & (share < SIDE_USED[1]) & (off < 0.08 * length)]
        if len(near) < 8:
            return None
        fitted = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        dx, dy, x, y = (float(v) for v in fitted)
        lines.append(np.array([-dy, dx, dy * x - dx * y]))
    met = [np.cross(lines[k - 1], lines[k]) for k in range(len(rough))]
    if any(abs(p[2]) < 1e-6 for p in met):
        return None
    return np.array([p[:2] / p[2] for p in met])


def _turned_upright(corners: Floats) -> Hexagon | None:
    """The corners from the right one clockwise, if a flat hexagon is seen so."""
    if cv2.contourArea(corners.astype(np.float32), True) < 0:
        corners = corners[::-1]
    away = corners - corners.mean(axis=0)
    first = int(np.argmax(away[:, 0]))
    corners = np.roll(corners, -first, axis=0)
    found: Any = cv2.findHomography(unit_hexagon(), corners)[0]
    if found is None:
        return None
    fitted = np.asarray(found, np.float64)
    back = cv2.perspectiveTransform(unit_hexagon().reshape(-1, 1, 2), fitted)[:, 0]
    width = float(np.linalg.norm(corners[0] - corners[3]))
    return Hexagon(corners) if np.linalg.norm(back - corners, axis=1).max() < MOST_BENT * width else None


def find_rectangle(image_bgr: Image) -> Floats | None:
    """Corners (4, 2) in pixels of the largest board in a photograph (h, w, 3), from its top left clockwise as it is
    seen; None where none parts from the ground.

    Of what the ground's colour and of what closed edges bound, that counts which differs from the ground at each side:
    a square of a cloth that touches the board makes it larger, but has the cloth on both sides.
    """
    parted = _parted(image_bgr)
    least = LEAST_BOARD_SHARE * image_bgr.shape[0] * image_bgr.shape[1]
    bounded = [each for each in outlines(image_bgr) if cv2.contourArea(each.astype(np.float32)) >= least]
    fitted = [refined(image_bgr, each, OUTLINE_REACH) for each in bounded]
    found = [each for each in (*parted, *fitted) if each is not None and _differs(image_bgr, each)]
    corners = max(found or parted[:1], key=lambda each: cv2.contourArea(each.astype(np.float32)), default=None)
    return None if corners is None else np.asarray(np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0))


def _parted(image_bgr: Image) -> list[Floats]:
    """Corners (4, 2) of the largest region that is of another colour than the ground, at each threshold."""
    factor = min(1.0, LONGEST_PX / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    away = from_ground(np.asarray(small, np.uint8))
    level, _ = cv2.threshold(away.astype(np.uint8), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    masks = [(away > max(level * share, 6.0)).astype(np.uint8) for share in THRESHOLDS]
    seen = [_largest_rectangle(mask) for mask in masks]
    return [np.asarray((corners + 0.5) / factor - 0.5) for corners in seen if corners is not None]


def _differs(image_bgr: Image, corners: Floats) -> bool:
    """Whether there is a step in colour at each side of a polygon."""
    steps = side_steps(image_bgr, corners)
    return bool(steps.min() > LEAST_STEP * np.median(steps))


def _largest_rectangle(mask: Mask) -> Floats | None:
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea, default=None)
    if outline is None or cv2.contourArea(outline) < LEAST_BOARD_SHARE * mask.size:
        return None
    hull = np.asarray(cv2.convexHull(outline), np.int32)
    if cv2.contourArea(outline) < LEAST_SOLID * cv2.contourArea(hull):
        return None
    rough = next((p for share in np.arange(0.02, 0.1, 0.005) if len(p := _polygon(hull, share)) <= 4), None)
    if rough is None or len(rough) != 4:
        return None
    corners = _lines_met(outline[:, 0].astype(np.float64), rough)
    if corners is None:
        return None
    if cv2.contourArea(corners.astype(np.float32), True) < 0:
        corners = corners[::-1]
    return corners


def straight_rectangle(image_bgr: Image, corners: Floats, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """What lies between four corners, (h, w, 3), as it is printed."""
    width, height = (round(side * px_per_mm) for side in size_mm)
    flat = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32)
    homography = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image_bgr, homography, (width, height), flags=flags), np.uint8)


def in_reading_order(tiles: list[Hexagon]) -> list[Hexagon]:
    """Rows from the top, each from the left, along the direction in which the tiles themselves lie."""
    if not tiles:
        return []
    across = np.median([h.corners[0] - h.corners[3] for h in tiles], axis=0)
    turn = math.atan2(float(across[1]), float(across[0]))
    c, s = math.cos(turn), math.sin(turn)
    at = np.array([h.middle for h in tiles]) @ np.array([[c, -s], [s, c]])
    height = float(np.median([np.linalg.norm(h.corners[1] - h.corners[5]) for h in tiles]))
    order = np.argsort(at[:, 1], kind="stable")
    row = np.zeros(len(tiles), int)
    for before, after in itertools.pairwise(order):
        row[after] = row[before] + (at[after, 1] - at[before, 1] > 0.35 * height)
    return [tiles[k] for k in np.lexsort((at[:, 0], row))]


def moved(hexagon: Hexagon, move: Floats, width_mm: float) -> Hexagon:
    """The tile that lies in its straightened picture shifted by mm right and down and turned by radians (3,)."""
    homography = np.asarray(cv2.findHomography(unit_hexagon(), hexagon.corners)[0])
    c, s = math.cos(move[2]), math.sin(move[2])
    there = unit_hexagon() @ np.array([[c, s], [-s, c]]) + move[:2] / width_mm
    return Hexagon(np.asarray(cv2.perspectiveTransform(there.reshape(-1, 1, 2), homography)[:, 0], np.float64))


def straightened(image_bgr: Image, hexagon: Hexagon, width_mm: float, px_per_mm: float) -> Image:
    """The tile's picture (h, w, 4): its bounding box, transparent outside the hexagon."""
    size = (round(width_mm * px_per_mm), round(width_mm * math.sqrt(3) / 2 * px_per_mm))
    corners = unit_hexagon() * width_mm * px_per_mm + (np.array(size) - 1) / 2
    homography, _ = cv2.findHomography(corners, hexagon.corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpPerspective(image_bgr, homography, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inside = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return np.dstack([face, inside])
