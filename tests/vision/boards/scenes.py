"""A board with tiles as a flat picture, seen by a homography: no renderer, a picture in milliseconds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.tile_sets import TileSet

Image = NDArray[np.uint8]
PX_MM = 4.0
TABLE = (92, 118, 140)


@dataclass(frozen=True)
class Lying:
    """How a tile lies in its cell: shifted in mm, turned clockwise."""

    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0


def flat_board(
    tile_set: TileSet, which: int, cells: Mapping[str, str], lying: Mapping[str, Lying] | None = None
) -> Image:
    """The board's picture with tiles on it, `PX_MM` pixels a millimetre."""
    board = tile_set.boards[which]
    size = (round(board.width_mm * PX_MM), round(board.height_mm * PX_MM))
    picture = np.asarray(cv2.resize(picture_of(board.image), size, interpolation=cv2.INTER_AREA), np.uint8)
    at = dict(board.cells_mm)
    images = {tile.id: tile.image for tile in tile_set.tiles}
    for cell, tile in cells.items():
        how = (lying or {}).get(cell, Lying())
        lay(picture, picture_of(images[tile]), tile_set.width_mm, at[cell], how)
    return picture


def picture_of(file: Path) -> Image:
    """A picture with its transparency."""
    return np.asarray(cv2.imread(str(file), cv2.IMREAD_UNCHANGED), np.uint8)


def lay(picture: NDArray[np.uint8], face: Image, width_mm: float, at_mm: tuple[float, float], how: Lying) -> None:
    """Lays a tile (h, w, 4) onto a picture of `PX_MM` pixels a millimetre, its middle at `at_mm`."""
    scale, turn = width_mm * PX_MM / face.shape[1], math.radians(how.turn_deg)
    linear = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    middle = (np.array(at_mm) + how.shift_mm) * PX_MM
    shift = middle - linear @ (np.array([face.shape[1], face.shape[0]]) / 2)
    size = (picture.shape[1], picture.shape[0])
    reach = math.hypot(*face.shape[:2]) * scale / 2 + 1
    left, top = (max(int(v - reach), 0) for v in middle)
    right, bottom = (min(int(v + reach) + 1, side) for v, side in zip(middle, size, strict=True))
    there = picture[top:bottom, left:right]
    moved = np.column_stack([linear, shift - (left, top)])
    warped = cv2.warpAffine(face, moved, (right - left, bottom - top), flags=cv2.INTER_AREA)
    share = warped[:, :, 3:] / 255.0
    there[:] = np.round(there * (1 - share) + warped[:, :, :3] * share).astype(np.uint8)


@lru_cache(maxsize=4)
def _grain(size: tuple[int, int], seed: int) -> NDArray[np.float32]:
    noise = np.random.default_rng(seed).standard_normal(size[::-1], np.float32)
    return np.asarray(40.0 * cv2.GaussianBlur(noise, (0, 0), 3.0), np.float32)


@lru_cache(maxsize=2)
def _sensor_noise(shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.asarray(1.5 * np.random.default_rng(5).standard_normal(shape, np.float32), np.float32)


def table_picture(size: tuple[int, int] = (1200, 900), seed: int = 1) -> Image:
    """A table of some grain."""
    return _table(size, seed).copy()


@lru_cache(maxsize=4)
def _table(size: tuple[int, int], seed: int) -> Image:
    grey = np.array(TABLE, np.float32) + _grain(size, seed)[:, :, None]
    return np.asarray(np.clip(grey, 0, 255), np.uint8)


def photographed(
    scene: Image, board: Image, middle_px: tuple[float, float], *, turn_deg: float, px_per_mm: float, tilt: float = 0.0
) -> Image:
    """`scene` with the board lying on it: turned clockwise, and by `tilt` smaller at its far end than in its middle."""
    height, width = board.shape[:2]
    scale, turn = px_per_mm / PX_MM, math.radians(turn_deg)
    turned = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]])
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    slant = np.array([[1, 0, 0], [0, 1 - tilt, 0], [0, -tilt / (height * scale / 2), 1.0]])
    put = np.array([[1, 0, middle_px[0]], [0, 1, middle_px[1]], [0, 0, 1.0]])
    homography = put @ slant @ turned @ np.diag([scale, scale, 1.0]) @ centred
    outline = cv2.perspectiveTransform(
        np.array([[[0, 0], [width, 0], [width, height], [0, height]]], float), homography
    )
    left, top = np.clip(outline[0].min(axis=0).astype(int) - 2, 0, scene.shape[1::-1])
    right, bottom = np.clip(outline[0].max(axis=0).astype(int) + 3, 0, scene.shape[1::-1])
    seen = scene.astype(np.float32)
    part, size = seen[top:bottom, left:right], (int(right - left), int(bottom - top))
    homography = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ homography
    soft = cv2.GaussianBlur(board, (0, 0), max(0.4 / scale, 0.3))
    warped = cv2.warpPerspective(soft, homography, size, flags=cv2.INTER_LINEAR)
    there = cv2.warpPerspective(np.full(board.shape[:2], 255, np.uint8), homography, size)[:, :, None] / np.float32(255)
    dim = warped * np.float32(0.82) + np.float32(6)  # a lamp, not the sun
    part[:] = part * (1 - there) + dim * there
    return np.asarray(np.clip(seen + _sensor_noise(scene.shape), 0, 255), np.uint8)
