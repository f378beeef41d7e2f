"""Points of a face for alignment, with everything about them that does not depend on the pose.

The derivative by the pose needs no projection: a card moved in its own plane carries its print along, and one moved out
of it by dz looks as if its print had spread from the point under the camera's centre c by dz / c_z. So the derivative
is a mixture of ten columns that belong to the face (`FacePoints.motion`), mixed by the place of the camera in the
card's frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose

HALF_CARD_MM = 45.0  # places on any playing card, divided by this, are about -1..1
# What a pose may be off by (px), and how much sharper or softer a picture may be, before the points that say so are
# outliers: where a card is nearly blank, its few fine lines are.
_OFF_PX, _SHARPER = 0.25, 0.5
_ROWS, _COLUMNS = 8, 6  # of tiles, each of which gives its points


@dataclass(frozen=True, eq=False)
class FacePoints:
    """Points of one face chosen for alignment, and all of them that no pose changes.

    `places` (3, N): x, y (mm, card frame) and 1. `value` (N,): grey. `light` (6, N): what gain, its slopes, offset and
    its slopes multiply. `motion` (10, N): slopes tx and ty of the print (grey levels per mm), its spreading
    x tx + y ty, its turning x ty - y tx, then y and x times each of tx, ty and the spreading. `doubt` (N,): the
    variance (grey levels squared) by which what is seen may differ from what is printed.
    """

    places: Array
    value: Array
    light: Array
    motion: Array
    doubt: Array

    @staticmethod
    def of(
        x_mm: Array, y_mm: Array, value: Array, slope_x: Array, slope_y: Array, doubt: Array | None = None
    ) -> FacePoints:
        """From points (N,) of a face: place, grey value, slopes (grey levels per mm) and doubt: none if not given."""
        doubt = np.zeros_like(value) if doubt is None else doubt
        spread = x_mm * slope_x + y_mm * slope_y
        motion = [slope_x, slope_y, spread, x_mm * slope_y - y_mm * slope_x]
        motion += [y_mm * slope_x, y_mm * slope_y, y_mm * spread, x_mm * slope_x, x_mm * slope_y, x_mm * spread]
        places = np.stack([x_mm, y_mm, np.ones_like(x_mm)])
        return FacePoints(places, value, light_basis(value, places), np.stack(motion), doubt)

    def only(self, chosen: NDArray[np.bool_]) -> FacePoints:
        """Those of the points that are `chosen` (N,)."""
        return FacePoints(*(a[..., chosen] for a in (self.places, self.value, self.light, self.motion, self.doubt)))


def light_basis(value: Array, places: Array) -> Array:
    """What gain, its slopes, offset and its slopes multiply: (6, N) for grey values (N,) at `places` (3, N)."""
    x, y = places[:2] / HALF_CARD_MM
    return np.stack([value, value * x, value * y, np.ones_like(x), x, y])


def mixture(camera: Camera, pose: CardPose) -> Array:
    """(10, 6): how the rows of `FacePoints.motion` mix to the derivative by a step in world axes."""
    cx, cy, cz = pose.R.T @ (camera.centre_mm - pose.centre_mm)
    out_of_plane = np.array([-cx / cz, -cy / cz, 1.0 / cz])
    mix = np.zeros((10, 6))
    mix[0, 0] = mix[1, 1] = mix[3, 5] = 1.0
    mix[:3, 2] = out_of_plane
    mix[4:7, 3] = out_of_plane
    mix[7:10, 4] = -out_of_plane
    in_world = np.zeros((6, 6))
    in_world[:3, :3] = in_world[3:, 3:] = pose.R.T
    return np.asarray(mix @ in_world)


@dataclass(frozen=True, eq=False)
class PointTiles:
    """A face's grid of P points cut into T tiles, the same for every face of a deck.

    `members` (T, M) numbers the points on the card of each tile, filled up with P; `even` (E,) a few of each, evenly
    spread, `on_card` (N,) all of them, tile by tile; `steepest` (T,) says how many of each tile are chosen by slope.
    """

    members: NDArray[np.intp]
    even: NDArray[np.intp]
    on_card: NDArray[np.intp]
    steepest: NDArray[np.intp]

    @staticmethod
    def of(mask: NDArray[np.bool_], most: int) -> PointTiles:
        """Of a grid whose points on the card are those in `mask` (H, W), so that `most` points are chosen in all."""
        inside = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0).ravel() > 0
        height, width = mask.shape
        rows, columns = _ROWS, _COLUMNS
        per_tile = max(4, most // (rows * columns))
        number = np.arange(mask.size).reshape(mask.shape)
        tiles = []
        for r in range(rows):
            for c in range(columns):
                down = slice(r * height // rows, (r + 1) * height // rows)
                index = number[down, c * width // columns : (c + 1) * width // columns].ravel()
                index = index[inside[index]]
                if len(index):
                    tiles.append(index)
        even = [index[:: max(1, len(index) // max(1, per_tile // 4))] for index in tiles]
        members = np.full((len(tiles), max(map(len, tiles), default=0)), mask.size)
        for row, index in zip(members, tiles, strict=True):
            row[: len(index)] = index
        steepest = np.array([max(0, per_tile - len(each)) for each in even], np.intp)
        nothing = np.zeros(0, np.intp)
        return PointTiles(members, np.concatenate([nothing, *even]), np.concatenate([nothing, *tiles]), steepest)


def choose_points(grey: Grey, tiles: PointTiles, x_mm: Grey, y_mm: Grey, px_per_mm: float) -> FacePoints:
    """Points of a face for alignment: points with slope, spread over the whole card.

    Each tile gives its steepest points and a few even ones, so that no part of the face decides alone and a covered
    part leaves the others.
    """
    slope_x = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3) / 8.0 * px_per_mm
    slope_y = -cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3) / 8.0 * px_per_mm
    # One more than there are points: what fills up the tiles is the flattest there, and is not picked.
    flat = np.append(-np.hypot(slope_x, slope_y).ravel(), np.float32(np.inf))
    is_chosen = np.zeros(flat.size, np.bool_)
    by_slope = np.argsort(flat[tiles.members], axis=1, kind="stable")[:, : tiles.steepest.max(initial=0)]
    among = np.arange(by_slope.shape[1]) < tiles.steepest[:, None]
    is_chosen[np.take_along_axis(tiles.members, by_slope, 1)[among]] = is_chosen[tiles.even] = True
    pick = tiles.on_card[is_chosen[tiles.on_card]]
    detail = grey - cv2.GaussianBlur(grey, (0, 0), 1.0)
    doubt = (_OFF_PX / px_per_mm) ** 2 * (slope_x**2 + slope_y**2) + (_SHARPER * detail) ** 2
    of_points = (x_mm, y_mm, grey, slope_x, slope_y, doubt)
    return FacePoints.of(*(np.asarray(a.ravel()[pick], dtype=np.float64) for a in of_points))
