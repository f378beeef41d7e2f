"""How a tile lies in its cell to a tenth of a millimetre: shift and turn by Gauss-Newton on luma."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.straight.prints import TileGrid
from arena_cam.vision.boards.straight.straight_board import StraightBoard
from arena_cam.vision.printed.print_light import LUMA

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

PX_PER_MM = 2.0
STEPS = 6
MOST_LOST_MM, MOST_TURN = 3.0, 0.3  # further from the first look's place an alignment has lost its way
# Held by 1 mm and 3 degrees where a print has no structure; grey levels of a luma that fits.
HELD, NOISE = (1.0, 1.0, 400.0), 2.0
GOOD = 25.0  # grey levels off at which a pixel counts half


@dataclass(frozen=True, eq=False)
class Placed:
    """Where a tile lies: shift (2,) in mm from its cell's middle, turned clockwise by `turn_rad`."""

    shift_mm: Floats
    turn_rad: float


@dataclass(frozen=True, eq=False)
class _Slopes:
    """Of a print: luma less its mean (P,), how it changes with x, y and turn (P, 3), and the inverse normal matrix."""

    luma: Floats
    columns: Floats
    inverse: Floats
    spread: float


def patch(board: StraightBoard, centre_mm: Floats, placed: Placed, shape: tuple[int, ...]) -> Grey:
    """The straightened pixels (h, w, 3) of a tile that lies so."""
    middle = board.at((centre_mm + placed.shift_mm)[None])[0]
    return _cut_out(board.pixels, middle, placed.turn_rad, shape)


def _cut_out(pixels: Grey, middle: Floats, turn_rad: float, shape: tuple[int, ...]) -> Grey:
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    linear = np.array([[c, -s], [s, c]])
    height, width = shape[:2]
    shift = middle - linear @ np.array([(width - 1) / 2, (height - 1) / 2])
    return np.asarray(
        cv2.warpAffine(
            pixels,
            np.column_stack([linear, shift]),
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def correlations(faces: Grey, seen: Grey) -> Grey:
    """Correlation (N,) of prints (N, P, 3) with what is seen (P, 3), each channel without its mean."""
    seen = _without_means(seen)
    flat = _without_means(faces)
    length = max(float(np.linalg.norm(seen)), math.sqrt(len(seen)))  # less contrast than noise is none
    own = np.maximum(np.sqrt(np.einsum("np,np->n", flat, flat)), 1e-6)
    return np.asarray(flat @ seen / (own * length), np.float32)


def _without_means(pixels: Grey) -> Grey:
    """Pixels (..., P, 3) without each channel's mean, flat (..., P * 3).

    The means are a product of matrices, and all of a row is subtracted at once: five times as fast as by channel.
    """
    count = pixels.shape[-2]
    means = np.full(count, 1.0 / count, np.float32) @ pixels
    return np.asarray(pixels.reshape(*pixels.shape[:-2], -1) - np.tile(means, count), np.float32)


class TileAlignment:
    """Aligns the tiles of a set, at `PX_PER_MM`; what an alignment needs of a print is computed once."""

    def __init__(self, grid: TileGrid) -> None:
        self.faces, self.mask = grid.faces, grid.mask
        self.held = np.flatnonzero(grid.mask)  # many times as fast to pick by as the mask
        height, width = self.mask.shape
        self.x_mm = (np.arange(width) - (width - 1) / 2) / PX_PER_MM
        self.y_mm = (np.arange(height) - (height - 1) / 2) / PX_PER_MM
        self._slopes: dict[tuple[int, int], _Slopes] = {}
        self._flat: Grey | None = None

    def face(self, tile: int, turned_deg: int = 0) -> Grey:
        """A tile's print (h, w, 3), turned clockwise by a multiple of 60 degrees."""
        if not turned_deg:
            return np.asarray(self.faces[tile])
        height, width = self.mask.shape
        m = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -turned_deg, 1.0)
        turned = cv2.warpAffine(self.faces[tile], m, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(turned, np.float32)

    def aligned(self, board: StraightBoard, centre_mm: Floats, tile: int, start: Placed, turned_deg: int = 0) -> Placed:
        """Shift and turn that make the luma agree best but for gain and offset (inverse compositional: Baker and
        Matthews, "Lucas-Kanade 20 years on", IJCV 2004)."""
        slopes = self._of(tile, turned_deg)
        luma, corner = _luma_round(board, centre_mm + start.shift_mm, self.mask.shape)
        shift, turn = start.shift_mm.copy(), start.turn_rad
        for _ in range(STEPS if slopes.spread > 1.0 else 0):
            middle = board.at((centre_mm + shift)[None])[0] - corner
            p = _cut_out(luma, middle, turn, self.mask.shape).take(self.held)
            p = p - p.mean()
            gain = max(float(p @ slopes.luma) / slopes.spread, 0.2)
            residual = p / gain - slopes.luma
            step = slopes.inverse @ ((residual / (1.0 + (residual / GOOD) ** 2)) @ slopes.columns)
            step = np.clip(step, [-1.0, -1.0, -0.06], [1.0, 1.0, 0.06])
            c, s = math.cos(turn), math.sin(turn)
            shift = shift - np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
            turn -= float(step[2])
            if np.abs(step[:2]).max() < 0.03 and abs(step[2]) < 0.003:
                break
        lost = np.hypot(*(shift - start.shift_mm)) > MOST_LOST_MM or abs(turn) > MOST_TURN
        return start if lost else Placed(shift, turn)

    def alike(self, board: StraightBoard, centre_mm: Floats, placed: Placed) -> Grey:
        """Correlation (T,) of each tile that lies so with the pixels there, each channel without its mean."""
        seen = patch(board, centre_mm, placed, self.mask.shape).reshape(-1, 3).take(self.held, axis=0)
        seen = _without_means(seen)
        length = max(float(np.linalg.norm(seen)), math.sqrt(len(seen)))  # less contrast than noise is none
        return np.asarray(self._normalised() @ seen / length, np.float32)

    def larger(self, board: StraightBoard, centre_mm: Floats, tile: int, placed: Placed) -> tuple[float, float]:
        """How much larger than its print a tile looks that lies so, as a share, and how much its print says of it.

        In a set learned from photographs tiles may be cut out some tenths of a millimetre beside their edge, all alike.
        """
        luma = self.face(tile) @ LUMA
        gy, gx = np.gradient(luma)
        grows = ((gx * self.x_mm[None, :] + gy * self.y_mm[:, None]) * PX_PER_MM)[self.mask]
        t = luma[self.mask]
        t, grows = t - t.mean(), grows - grows.mean()
        p = patch(board, centre_mm, placed, self.mask.shape)[self.mask] @ LUMA
        p = p - p.mean()
        spread = max(float(t @ t), 1.0)
        residual = p / max(float(p @ t) / spread, 0.2) - t
        grows = grows - t * (float(grows @ t) / spread)
        weight = 1.0 / (1.0 + (residual / GOOD) ** 2)
        said = float((weight * grows) @ grows)
        return -float((weight * grows) @ residual) / max(said, 1.0), said

    def scaled(self, by: float) -> TileAlignment:
        """The same tiles with their prints larger by a factor, about their middles."""
        height, width = self.mask.shape
        m = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0.0, by)
        faces = [cv2.warpAffine(each, m, (width, height), borderMode=cv2.BORDER_REPLICATE) for each in self.faces]
        return TileAlignment(TileGrid(PX_PER_MM, np.asarray(faces, np.float32), self.mask))

    def _normalised(self) -> Grey:
        if self._flat is None:
            flat = self.faces[:, self.mask]
            flat = (flat - flat.mean(axis=1, keepdims=True)).reshape(len(flat), -1)
            self._flat = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
        return self._flat

    def _of(self, tile: int, turned_deg: int) -> _Slopes:
        key = (tile, turned_deg)
        if key not in self._slopes:
            t = self.face(tile, turned_deg) @ LUMA
            gy, gx = np.gradient(t)
            gx, gy = gx * PX_PER_MM, gy * PX_PER_MM
            about = gy * self.x_mm[None, :] - gx * self.y_mm[:, None]
            columns = np.stack([gx, gy, about], axis=2)[self.mask].astype(np.float32)
            luma = t[self.mask]
            luma = luma - luma.mean()
            columns = columns - columns.mean(axis=0)
            normal = columns.T.astype(np.float64) @ columns + np.diag(HELD) * len(luma) * NOISE**2
            self._slopes[key] = _Slopes(luma, columns, np.linalg.inv(normal), float(luma @ luma))
        return self._slopes[key]


def _luma_round(board: StraightBoard, middle_mm: Floats, shape: tuple[int, ...]) -> tuple[Grey, Floats]:
    """The luma about a place with some millimetres to spare, and its first pixel (column, row)."""
    spare = round((MOST_LOST_MM + 2.0) * PX_PER_MM)
    reach = np.array([shape[1], shape[0]]) // 2 + spare
    x, y = np.round(board.at(middle_mm[None])[0]).astype(int)
    high, wide = board.pixels.shape[:2]
    left, right = (int(np.clip(v, 0, wide - 1)) for v in (x - reach[0], x + reach[0]))
    top, low = (int(np.clip(v, 0, high - 1)) for v in (y - reach[1], y + reach[1]))
    return np.asarray(board.pixels[top : low + 1, left : right + 1] @ LUMA), np.array([left, top], np.float64)
