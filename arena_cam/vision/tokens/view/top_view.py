"""The table as seen from straight above: a photograph's pixels on a grid of millimetres of the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import FromAbove, steepest
from arena_cam.vision.kernels.view_calls import seen_from_above
from arena_cam.vision.picture.channels import where_greatest
from arena_cam.vision.picture.components import part_round
from arena_cam.vision.tokens.view.table_view import TableView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

MOST_MM = 1500.0  # players reach no farther
MOST_PX = 3_000_000
LEAST_PX_PER_MM = 1.0  # of a photograph: where a millimetre is seen as less, words of a card are none
REACH_MM = 250.0
MOST_KEPT = 16  # patches: a name is told from a card's own and, where others lie on it, from those of its neighbours
COARSE_MAP_PX = 16  # the lens is smooth: so far apart its rays are computed, between them interpolated


@dataclass(frozen=True, eq=False)
class TopView:
    """`pixels` (h, w, 3), 0..255, and `inside` (h, w), where the photograph reaches.

    Pixel (column, row) lies at `origin_mm` + (column + 0.5, row + 0.5) / `px_per_mm` in the table's frame.
    """

    pixels: Grey
    inside: NDArray[np.bool_]
    origin_mm: Floats
    px_per_mm: float
    _soft: dict[float, Grey] = field(default_factory=dict, init=False, repr=False)
    _patches: dict[tuple[bytes, tuple[float, float], float], tuple[Grey, Mask]] = field(
        default_factory=dict, init=False, repr=False
    )
    _steepest: list[tuple[Grey, Grey, Grey]] = field(default_factory=list, init=False, repr=False)

    @cached_property
    def as_compiled(self) -> FromAbove:
        """The same for what is compiled."""
        return FromAbove(self.pixels, self.inside, self.origin_mm, self.px_per_mm)

    def at(self, mm: Floats) -> Floats:
        """Where points (..., 2) of the table lie, in columns and rows."""
        return np.asarray((mm - self.origin_mm) * self.px_per_mm - 0.5)

    def softened(self, by: float) -> Grey:
        """The pixels blurred so that one in `by` may be read; kept for the next time."""
        if by not in self._soft:
            self._soft[by] = np.asarray(cv2.blur(self.pixels, (round(by), round(by))), np.float32)
        return self._soft[by]

    def steepest(self) -> tuple[Grey, Grey, Grey]:
        """Slopes along x and along y, and their size (h, w each), in grey levels a pixel, of the channel that is
        steepest there; kept for the next time."""
        if not self._steepest:
            soft = np.asarray(cv2.GaussianBlur(self.pixels, (0, 0), 0.9), np.float32)
            self._steepest.append(_steepest(soft))
        return self._steepest[0]

    def square_mm(self, corner_mm: Floats) -> Floats:
        """(2, 3) from the pixels of an upright square at 1 px/mm to this view's. Its upper left corner lies there."""
        first = self.at((corner_mm + 0.5)[None])[0]
        return np.array([[self.px_per_mm, 0.0, first[0]], [0.0, self.px_per_mm, first[1]]])

    def slopes_at_mm(self, corner_mm: Floats, size_mm: int) -> tuple[Grey, Grey]:
        """Slopes along x and along y (size_mm, size_mm each), in grey levels over 2 mm, of the channel that is
        steepest: of the square at 1 px/mm whose upper left corner lies there."""
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        soft, affine = self.softened(self.px_per_mm), self.square_mm(corner_mm)
        table = cv2.warpAffine(soft, affine, (size_mm, size_mm), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return _steepest(np.asarray(table, np.float32))[:2]

    def patch(self, place: Floats, size_mm: tuple[float, float], px_per_mm: float) -> tuple[Grey, NDArray[np.bool_]]:
        """The upright picture (h, w, 3) of a card of `size_mm` at `place` (x, y, turn), and what of it is seen; the
        last ones are kept for the next time, and not to be written to."""
        key = (place.tobytes(), size_mm, px_per_mm)
        kept = self._patches.get(key)
        if kept is None:
            if len(self._patches) >= MOST_KEPT:
                del self._patches[next(iter(self._patches))]
            kept = self._patches[key] = self._patch(place, size_mm, px_per_mm)
        return kept

    def _patch(self, place: Floats, size_mm: tuple[float, float], px_per_mm: float) -> tuple[Grey, NDArray[np.bool_]]:
        affine = self.from_card(place, size_mm, px_per_mm)
        size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        pixels = cv2.warpAffine(self.pixels, affine, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        inside = cv2.warpAffine(self.inside.view(np.uint8), affine, size, flags=cv2.WARP_INVERSE_MAP)
        seen, is_inside = np.asarray(pixels, np.float32), np.asarray(inside > 0)
        seen.flags.writeable = is_inside.flags.writeable = False
        return seen, is_inside

    def inside_card(self, place: Floats, size_mm: tuple[float, float], px_per_mm: float) -> NDArray[np.bool_]:
        """What of that picture (h, w) is seen, without its pixels."""
        affine = self.from_card(place, size_mm, px_per_mm)
        size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
        return np.asarray(cv2.warpAffine(self.inside.view(np.uint8), affine, size, flags=cv2.WARP_INVERSE_MAP) > 0)

    def from_card(self, place: Floats, size_mm: tuple[float, float], px_per_mm: float) -> Floats:
        """(2, 3) from a card picture's pixels to this view's. `place` (3,) rigid, or (2, 3) from the card's mm."""
        motion = place if place.shape == (2, 3) else rigid_motion(place)
        step = 1.0 / px_per_mm
        first = np.array([0.5 * step - size_mm[0] / 2, 0.5 * step - size_mm[1] / 2])
        affine = np.empty((2, 3))
        affine[:, :2] = motion[:, :2] * step * self.px_per_mm
        affine[:, 2] = self.at(motion[:, :2] @ first + motion[:, 2])
        return affine


def _steepest(pixels: Grey) -> tuple[Grey, Grey, Grey]:
    """Of a picture (h, w, 3) the slopes along x and down y, and their size (h, w each), in grey levels a pixel, of the
    channel that is steepest there."""
    compiled = steepest(pixels)
    if compiled is not None:
        return compiled
    dx = np.asarray(cv2.Sobel(pixels, cv2.CV_32F, 1, 0, scale=0.25), np.float32)
    dy = np.asarray(cv2.Sobel(pixels, cv2.CV_32F, 0, 1, scale=0.25), np.float32)
    size = dx * dx + dy * dy
    along, down, steep = where_greatest(size, dx, dy, size)
    return along, down, np.sqrt(steep)


def away_mm(view: TopView, outlines: Sequence[Floats], reach_mm: float) -> Grey:
    """(h, w): how many mm each pixel of a view lies from convex outlines (M, 2) in mm, 0 within; infinitely far where
    that may be more than `reach_mm`."""
    away, part = np.full(view.inside.shape, np.inf, np.float32), away_in_part(view, outlines, reach_mm)
    if part is not None:
        away[part[0]] = part[1]
    return away


def away_in_part(view: TopView, outlines: Sequence[Floats], reach_mm: float) -> tuple[tuple[slice, slice], Grey] | None:
    """The same in the part of a view, rows and columns, beyond which all is farther away; None where that is all."""
    on = np.zeros(view.inside.shape, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(on, np.round(view.at(outline)).astype(np.int32), 1)
    about = part_round(on, math.ceil(reach_mm * view.px_per_mm) + 1)
    if about is None:
        return None
    away = cv2.distanceTransform(1 - on[about], cv2.DIST_L2, 3) / view.px_per_mm
    return about, np.asarray(away, np.float32)


def held(mask: Mask | None, at: Floats | Grey, shape: tuple[int, ...] | None = None) -> tuple[Mask, NDArray[np.intp]]:
    """The values of a mask (h, w) at the pixels `at` (..., 2), false beyond it, and those pixels held within it.

    Without a mask all are true, and held within `shape`."""
    cell = np.round(at).astype(np.intp)
    height, width = mask.shape if mask is not None else (shape or (1, 1))
    within = np.clip(cell, 0, np.array([width, height]) - 1)
    if mask is None:
        return np.ones(at.shape[:-1], bool), within
    return np.asarray(mask[within[..., 1], within[..., 0]] & (within == cell).all(axis=-1)), within


def rigid_motion(place: Floats) -> Floats:
    """(2, 3) from mm of a card's frame to the table, for `place` (x, y, turn)."""
    c, s = np.cos(place[2]), np.sin(place[2])
    return np.array([[c, -s, place[0]], [s, c, place[1]]])


def top_view(image_bgr: NDArray[np.uint8], view: TableView, box_mm: Floats, px_per_mm: float) -> TopView:
    """The table between `box_mm` (2, 2), upper left and lower right; coarser where the box is too large."""
    pixels, inside, scale = _from_above(image_bgr, view, box_mm, px_per_mm, as_floats=True)
    return TopView(np.asarray(pixels, np.float32), inside, box_mm[0], scale)


def from_above(
    image_bgr: NDArray[np.uint8], view: TableView, box_mm: Floats, px_per_mm: float
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], float]:
    """The same in bytes: its pixels (h, w, 3), where the photograph reaches (h, w), and its pixels a mm."""
    pixels, inside, scale = _from_above(image_bgr, view, box_mm, px_per_mm, as_floats=False)
    return np.asarray(pixels, np.uint8), inside, scale


def _from_above(
    image_bgr: NDArray[np.uint8], view: TableView, box_mm: Floats, px_per_mm: float, *, as_floats: bool
) -> tuple[NDArray[np.uint8] | Grey, NDArray[np.bool_], float]:
    size_mm = np.minimum(box_mm[1] - box_mm[0], MOST_MM)
    scale = min(px_per_mm, float(np.sqrt(MOST_PX / (size_mm[0] * size_mm[1]))))
    width, height = (int(v) for v in np.ceil(size_mm * scale))
    columns = np.arange(0, width + COARSE_MAP_PX, COARSE_MAP_PX)
    rows = np.arange(0, height + COARSE_MAP_PX, COARSE_MAP_PX)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    px = view.to_px(box_mm[0] + (grid + 0.5) / scale).reshape(len(rows), len(columns), 2).astype(np.float32)
    step = float(np.linalg.norm(px[len(rows) // 2, len(columns) // 2] - px[len(rows) // 2, len(columns) // 2 - 1]))
    source, px = _halved(image_bgr, px, step / COARSE_MAP_PX)
    compiled = seen_from_above(source, px, (height, width), as_floats=as_floats)
    if compiled is not None:
        return *compiled, scale
    # Node k lies at pixel k * COARSE_MAP_PX; an affine map reads between the nodes.
    between = np.array([[1 / COARSE_MAP_PX, 0, 0], [0, 1 / COARSE_MAP_PX, 0]])
    maps: Any = cv2.warpAffine(px, between, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    pixels = cv2.remap(source, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    height, width = source.shape[:2]
    inside = np.asarray(cv2.inRange(maps, (0.0, 0.0), (width - 1.0, height - 1.0)) > 0)
    return np.asarray(pixels, np.uint8), inside, scale


def _halved(image: NDArray[np.uint8], maps: Grey, px_per_cell: float) -> tuple[NDArray[np.uint8], Grey]:
    """The picture as much smaller as its pixels are finer than the grid, so that none is skipped."""
    while px_per_cell > 1.6:
        image, maps, px_per_cell = np.asarray(cv2.pyrDown(image), np.uint8), maps * 0.5, px_per_cell * 0.5
    return image, maps


def seen_box(view: TableView, size_px: tuple[int, int], around_mm: Floats) -> Floats:
    """(2, 2) mm: what the photograph shows of the table, at most so far from points (N, 2) as a hand reaches."""
    width, height = size_px
    edge = np.linspace(0, 1, 9)
    frame = np.array([[x * (width - 1), y * (height - 1)] for x in edge for y in edge if x in (0, 1) or y in (0, 1)])
    mm = view.to_mm(frame)
    low = np.maximum(mm.min(axis=0), around_mm.min(axis=0) - REACH_MM)
    high = np.minimum(mm.max(axis=0), around_mm.max(axis=0) + REACH_MM)
    return np.stack([low, high])


def squared(view: TableView, size_px: tuple[int, int]) -> tuple[TableView, Floats]:
    """The view with its table turned so that the least box (2, 2) in mm holds all of it that can be read, and that box.

    A table that lies askew in its box costs up to twice the pixels, and what lies far from the cards that were found
    first may be the one that keypoints did not tell.
    """
    grid = np.linspace(0.0, 1.0, 17)
    px = np.stack(np.meshgrid(*[grid * (side - 1) for side in size_px]), axis=-1).reshape(-1, 2)
    mm = view.to_mm(px)
    ahead = mm @ view.rotation[2, :2] + view.place[2] > 0  # below the horizon
    scale = np.sqrt(np.abs(np.linalg.det(view.px_per_mm(mm))))
    read = ahead & (scale > min(LEAST_PX_PER_MM, 0.5 * float(scale[ahead].max(initial=0.0))))
    if not read.any():
        return view, np.zeros((2, 2))
    turn = math.radians(cv2.minAreaRect(mm[read].astype(np.float32))[2])
    view = view.shifted(np.zeros(2), turn)
    mm = view.to_mm(px[read])
    middle, half = (mm.min(axis=0) + mm.max(axis=0)) / 2, np.minimum(np.ptp(mm, axis=0), MOST_MM) / 2
    return view, np.stack([middle - half, middle + half])
