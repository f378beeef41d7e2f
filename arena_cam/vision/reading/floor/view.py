"""The arena seen from straight above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.kernels.view_calls import VIEW_STEP, view_map
from arena_cam.vision.picture.sampling import fixed_map

# Guesses are made for this height of a card above the floor: between the floor and the usual walls.
GUESS_HEIGHT_MM = 2.0


@dataclass(frozen=True, eq=False)
class FloorView:
    """The arena seen from straight above: a grey picture (H, W) of the plane at GUESS_HEIGHT_MM, `px_per_mm` fine.

    Pixel (column, row) shows the world point (left_mm + column / px_per_mm, top_mm - row / px_per_mm). It may be no
    more than the `part` of a view of that `whole` shape (H, W).
    """

    grey: NDArray[np.uint8]
    px_per_mm: float
    left_mm: float
    top_mm: float
    part: ViewPart | None = None

    def world(self, columns: Array, rows: Array) -> tuple[Array, Array]:
        return self.left_mm + columns / self.px_per_mm, self.top_mm - rows / self.px_per_mm

    def masked(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A mask of the whole view, of any size, as this view's pixels have it."""
        if self.part is None:
            return np.asarray(cv2.resize(mask, self.grey.shape[::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
        return self.part.of(mask)


@dataclass(frozen=True)
class ViewPart:
    """A part of a view of that `whole` shape (H, W): its first `row` and `column`, how `high` and how `wide` it is."""

    whole: tuple[int, int]
    row: int
    column: int
    high: int
    wide: int

    @staticmethod
    def round_about(mask: NDArray[np.uint8], whole: tuple[int, int], margin: int, period: int) -> ViewPart:
        """The part of a `whole` view that holds what a `mask` of any size marks, a `margin` (pixels) round about it
        included. It begins, and ends, a whole number of times so many pixels, the `period`, from the view's corner."""
        left, top, wide, high = cv2.boundingRect(mask)
        begun, sizes = [], []
        for first, length, of, all_ in ((top, high, mask.shape[0], whole[0]), (left, wide, mask.shape[1], whole[1])):
            begin = max(math.floor(first * all_ / of) - margin, 0) // period * period
            end = min(math.ceil((first + length) * all_ / of) + margin, all_)
            begun.append(begin)
            sizes.append(max(min(-(-(end - begin) // period), (all_ - begin) // period) * period, 0))
        return ViewPart(whole, *begun, *sizes)

    @property
    def slices(self) -> tuple[slice, slice]:
        return slice(self.row, self.row + self.high), slice(self.column, self.column + self.wide)

    def of(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A mask of the whole view, of any size, in the pixels of the part: the nearest of each."""
        rows, columns = (
            ((np.arange(length) + begin) * (of / all_)).astype(np.intp)
            for length, begin, of, all_ in zip(
                (self.high, self.wide), (self.row, self.column), mask.shape, self.whole, strict=True
            )
        )
        return np.asarray(mask.take(columns, axis=1).take(rows, axis=0))


# As far from the arena's middle as cards roll off a table.
_FARTHEST_MM = 520.0


def reach_of_view(camera: Camera, image_size: tuple[int, int], inner_mm: tuple[float, float]) -> tuple[float, float]:
    """How far a floor view must reach from the arena's middle, half its width and height (mm), to hold the whole
    visible table."""
    shown = _reach_of_picture(camera, image_size)
    x, y = (float(np.clip(shown[i], inner_mm[i] / 2 + 30.0, _FARTHEST_MM)) for i in (0, 1))
    return x, y


def shows_whole_picture(camera: Camera, image_size: tuple[int, int], half_mm: tuple[float, float]) -> bool:
    """Whether a view that reaches `half_mm` from the arena's middle holds all of the picture."""
    return bool((_reach_of_picture(camera, image_size) <= np.array(half_mm) + 1.0).all())


def _reach_of_picture(camera: Camera, image_size: tuple[int, int]) -> Array:
    """How far from the arena's middle the picture shows the table, to the side and upwards (2,), in mm."""
    width, height = image_size
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64)
    return np.asarray(np.abs(camera.to_plane(corners)[:, :2]).max(axis=0))


def floor_view_map(camera: Camera, half_size_mm: tuple[float, float], px_per_mm: float) -> NDArray[np.float32]:
    """Where each pixel of the floor view comes from in the picture: (H, W, 2), for cv2.remap.

    Computed on a coarse grid and interpolated: projection is smooth, and exactness is not needed for guesses.
    """
    coarse, (height, width) = _coarse(camera, half_size_mm, px_per_mm)
    # INTER_LINEAR resampling that keeps grid nodes at their places: an affine map with scale 1 / VIEW_STEP
    fine = cv2.warpAffine(
        coarse,
        np.array([[1 / VIEW_STEP, 0, 0], [0, 1 / VIEW_STEP, 0]], np.float64),
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(fine, dtype=np.float32)


def fixed_view_map(
    camera: Camera, half_size_mm: tuple[float, float], px_per_mm: float, scale: float
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """`floor_view_map` of a picture made smaller by `scale`, as cv2.remap takes it quickest: whole pixels (H, W, 2) and
    32nds of them (H, W)."""
    found = view_map(*_coarse(camera, half_size_mm, px_per_mm), scale, nearest=False)
    if found is None or found[1] is None:
        return fixed_map(floor_view_map(camera, half_size_mm, px_per_mm) * np.float32(scale))
    return found[0], found[1]


def nearest_view_map(
    camera: Camera, half_size_mm: tuple[float, float], px_per_mm: float, scale: float
) -> NDArray[np.int16]:
    """`floor_view_map` of a picture made smaller by `scale`, to the nearest pixel (H, W, 2)."""
    found = view_map(*_coarse(camera, half_size_mm, px_per_mm), scale, nearest=True)
    if found is None:
        return np.asarray(np.rint(floor_view_map(camera, half_size_mm, px_per_mm) * np.float32(scale)), np.int16)
    return found[0]


def _coarse(
    camera: Camera, half_size_mm: tuple[float, float], px_per_mm: float
) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """Where every VIEW_STEP-th pixel of the floor view, and one beyond the last, comes from (rows, columns, 2); and the
    view's shape (H, W)."""
    width, height = int(2 * half_size_mm[0] * px_per_mm), int(2 * half_size_mm[1] * px_per_mm)
    columns, rows = np.meshgrid(np.arange(0, width + VIEW_STEP, VIEW_STEP), np.arange(0, height + VIEW_STEP, VIEW_STEP))
    x = columns / px_per_mm - half_size_mm[0]
    y = half_size_mm[1] - rows / px_per_mm
    world = np.stack([x.ravel(), y.ravel(), np.full(x.size, GUESS_HEIGHT_MM)], axis=1)
    return camera.project(world).astype(np.float32).reshape(*x.shape, 2), (height, width)


def drawn_from_above(
    outlines_px: Sequence[Array],
    camera: Camera,
    half_mm: tuple[float, float],
    px_per_mm: float,
    shape: tuple[int, ...],
    wider_mm: float,
) -> NDArray[np.uint8]:
    """1 at the pixels (H, W), of a `shape` of that, inside outlines (4, 2) given in the picture, in a view that reaches
    `half_mm` from the middle; widened on every side by whole pixels: the rim may be half of one wider."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_above(outlines_px, camera, half_mm, px_per_mm, wider_mm):
        cv2.fillConvexPoly(mask, outline, (1,))
    return mask


def outlines_above(
    outlines_px: Sequence[Array], camera: Camera, half_mm: tuple[float, float], px_per_mm: float, wider_mm: float
) -> NDArray[np.int32]:
    """The corners (N, 4, 2), column and row, in such a view of outlines (4, 2) given in the picture, as wide."""
    if not len(outlines_px):
        return np.empty((0, 4, 2), np.int32)
    wide = _grown(camera.to_plane(np.concatenate(outlines_px), 0.0)[:, :2].reshape(-1, 4, 2), wider_mm)
    pixels = (wide * (1.0, -1.0) + half_mm) * px_per_mm
    return np.asarray(np.round(pixels), np.int32)


def widened(mask: NDArray[np.uint8], by_mm: float, px_per_mm: float) -> NDArray[np.uint8]:
    """A mask (H, W) of a view so fine, widened on every side."""
    size = 2 * round(by_mm * px_per_mm) + 1
    if size > _WIDE_PX:
        near = cv2.boxFilter(mask, cv2.CV_32F, (size, size), normalize=False, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(near > 0, dtype=np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)


_WIDE_PX = 64  # from here on counting what lies near takes less time, which is the same however far that reaches


def _grown(corners_mm: Array, by_mm: float) -> Array:
    """Parallelograms (N, 4, 2), nearly, with their sides moved outward."""
    along, across = (corners_mm[:, n] - corners_mm[:, 0] for n in (1, 3))
    along, across = (by_mm * way / np.hypot(way[:, :1], way[:, 1:]) for way in (along, across))
    outward = np.stack([-along - across, along - across, along + across, across - along], axis=1)
    return np.asarray(corners_mm + outward)
