"""Round pieces laid side by side on a plain ground: found, put in reading order, straightened.

A disc seen askew is nearly an ellipse. The symmetric affine map that takes a circle to that ellipse straightens it and
adds no turn; a round piece may lie at any turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.board_learning.hexagons import (
    ALIKE,
    LEAST_SOLID,
    LONGEST_PX,
    THRESHOLDS,
    Floats,
    Image,
    from_ground,
)

LEAST_SHARE = 0.0004  # of the picture's area: three tokens in a photograph of a whole table have more
LEAST_ROUND = 0.55  # the shorter axis of the longer: seen from 57 degrees off the vertical
MOST_OFF = 0.04  # of the ellipse's area that the outline may differ in: a square differs by 0.2, a hexagon by 0.1
# Pieces of one photograph are of one size, but for perspective. One whose rim is of the ground's colour seems smaller.
RIM_LOST = 0.85  # of the usual area
SAME_ROW = 0.5  # middles nearer than this share of a piece's height lie in one row


@dataclass(frozen=True, eq=False)
class RoundPiece:
    """A disc in a photograph: its `middle` (2,) in pixels, and `axes` (2, 2): the unit circle's map to its rim."""

    middle: Floats
    axes: Floats

    @property
    def height_px(self) -> float:
        return 2.0 * float(np.linalg.norm(self.axes[1]))


def find_round_pieces(image_bgr: Image) -> list[RoundPiece]:
    """The round pieces of a photograph (h, w, 3) in reading order: rows from the top, each from the left."""
    factor = min(1.0, LONGEST_PX / max(image_bgr.shape[:2]))
    small = np.asarray(cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    away = from_ground(small)
    level, _ = cv2.threshold(away.astype(np.uint8), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    tried = [_of_mask(away > max(level * share, 6.0)) for share in THRESHOLDS]
    best = max(tried, key=len)
    best = _with_whole_rims(best)
    return _in_rows([RoundPiece((piece.middle + 0.5) / factor - 0.5, piece.axes / factor) for piece in best])


def straight_disc(image_bgr: Image, piece: RoundPiece, diameter_mm: float, px_per_mm: float) -> Image:
    """The piece's picture (h, w, 4): its bounding box, transparent outside the circle."""
    side = round(diameter_mm * px_per_mm)
    axes = piece.axes / (side / 2)
    shift = piece.middle - axes @ np.full(2, (side - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpAffine(image_bgr, np.column_stack([axes, shift]), (side, side), flags=flags)
    inside = np.zeros((side, side), np.uint8)
    middle = round((side - 1) / 2 * 16)
    cv2.circle(inside, (middle, middle), round(side / 2 * 16), 255, -1, cv2.LINE_AA, 4)
    return np.dstack([face, inside])


def _with_whole_rims(pieces: list[RoundPiece]) -> list[RoundPiece]:
    """The pieces, each that is smaller than most grown about its middle to the usual size."""
    areas = np.array([abs(float(np.linalg.det(piece.axes))) for piece in pieces])
    if len(pieces) < 3:
        return pieces
    usual = float(np.median(areas))
    grown = np.where(areas < RIM_LOST * usual, np.sqrt(usual / areas), 1.0)
    return [RoundPiece(piece.middle, piece.axes * by) for piece, by in zip(pieces, grown, strict=True)]


def _of_mask(mask: NDArray[np.bool_]) -> list[RoundPiece]:
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [p for each in outlines if (p := _round(np.asarray(each, np.int32), mask.size)) is not None]
    if not found:
        return []
    areas = [abs(float(np.linalg.det(piece.axes))) for piece in found]
    usual = float(np.median(areas))
    return [piece for piece, area in zip(found, areas, strict=True) if ALIKE[0] < area / usual < ALIKE[1]]


def _round(outline: NDArray[np.int32], picture: int) -> RoundPiece | None:
    """The disc whose rim an outline is; None if it is none."""
    hull = np.asarray(cv2.convexHull(outline), np.int32)
    area = cv2.contourArea(hull)
    if area < LEAST_SHARE * picture or cv2.contourArea(outline) < LEAST_SOLID * area or len(hull) < 8:
        return None
    (x, y), (first, second), angle_deg = cv2.fitEllipse(outline)
    # an outline runs through the middles of the outermost pixels, half a pixel inside the rim
    a, b = first / 2 + 0.5, second / 2 + 0.5
    grown = area + cv2.arcLength(hull, True) / 2
    off = abs(grown / (math.pi * a * b) - 1.0) if min(a, b) > LEAST_ROUND * max(a, b) else math.inf
    if off > MOST_OFF or not _along(hull, (x, y), (a, b), angle_deg):
        return None
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    turn = np.array([[c, -s], [s, c]])
    return RoundPiece(np.array([x, y]), turn @ np.diag([a, b]) @ turn.T)


def _along(hull: NDArray[np.int32], middle: tuple[float, float], axes: tuple[float, float], angle_deg: float) -> bool:
    """Whether the whole outline is on the ellipse: a square's corners are a fifth of a radius beyond it."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    off = (hull[:, 0] - np.array(middle)) @ np.array([[c, -s], [s, c]]) / np.array(axes)
    radii = np.linalg.norm(off, axis=1)
    return bool(np.abs(radii - 1.0).max() < 2 * MOST_OFF)


def _in_rows(pieces: list[RoundPiece]) -> list[RoundPiece]:
    left = sorted(pieces, key=lambda piece: float(piece.middle[1]))
    ordered: list[RoundPiece] = []
    while left:
        reach = left[0].middle[1] + SAME_ROW * left[0].height_px
        row = [piece for piece in left if piece.middle[1] < reach]
        ordered += sorted(row, key=lambda piece: float(piece.middle[0]))
        left = left[len(row) :]
    return ordered
