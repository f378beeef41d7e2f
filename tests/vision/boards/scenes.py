"""A board with tiles as a flat picture, seen by a homography: no renderer, a picture in milliseconds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
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
    warped = cv2.warpAffine(face, np.column_stack([linear, shift]), size, flags=cv2.INTER_AREA)
    share = warped[:, :, 3:] / 255.0
    picture[:] = np.round(picture * (1 - share) + warped[:, :, :3] * share).astype(np.uint8)


def table_picture(size: tuple[int, int] = (1200, 900), seed: int = 1) -> Image:
    """A table of some grain."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0.0, 40.0, (size[1], size[0])).astype(np.float32), (0, 0), 3.0)
    return np.clip(np.array(TABLE) + grain[:, :, None], 0, 255).astype(np.uint8)


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
    size = (scene.shape[1], scene.shape[0])
    soft = cv2.GaussianBlur(board, (0, 0), max(0.4 / scale, 0.3))
    warped = cv2.warpPerspective(soft, homography, size, flags=cv2.INTER_LINEAR)
    there = cv2.warpPerspective(np.full(board.shape[:2], 255, np.uint8), homography, size)[:, :, None] / 255.0
    dim = warped * 0.82 + 6.0  # a lamp, not the sun
    noise = np.random.default_rng(5).normal(0.0, 1.5, scene.shape)
    return np.clip(scene * (1 - there) + dim * there + noise, 0, 255).astype(np.uint8)
