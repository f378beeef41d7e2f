"""A calibration board in a picture: which of its corners are seen, and where, to a fraction of a pixel.

The one place that calls OpenCV's finders of chessboards and ChArUco boards. From 4.10 to 5.0 they hand out corners in
different shapes, and 4.10 half a pixel too far right and low; the fit of each corner that follows mends both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.formats.board_json import Board, Charuco, Chessboard
from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.markers import dictionary_named
from arena_cam.vision.setup.corner_fit import fit_corner

FEWEST_CORNERS = 8  # a view gives two equations a corner and costs six for its pose: fewer say next to nothing
CHESSBOARD_REACH = 0.35  # of a square: nearly to the next edges, which must stay outside
FITS = 2  # the second time the windows are centred on the corners, wherever the finder had put them
EDGE_BLUR_PX = 0.5  # the window keeps this far from the next edge, which reaches out by its blur


@dataclass(frozen=True, eq=False)
class BoardView:
    """What the picture `name` shows of a board: corners `board_mm` (N, 2) and where they are, `image_px` (N, 2)."""

    name: str
    board_mm: Array
    image_px: Array


def find_board(grey: Image, board: Board, name: str) -> BoardView | None:
    """The corners of `board` in a grey picture (H, W); None where fewer than FEWEST_CORNERS are seen."""
    found = _find_charuco(grey, board) if isinstance(board, Charuco) else _find_chessboard(grey, board)
    if found is None or len(found[0]) < FEWEST_CORNERS:
        return None
    board_mm, rough_px = found
    fitted: list[Array | None] = list(rough_px)
    for _ in range(FITS):
        fitted = _fit_all(grey, board, board_mm, fitted)
    seen = [i for i, corner in enumerate(fitted) if corner is not None]
    if len(seen) < FEWEST_CORNERS:
        return None
    return BoardView(name, board_mm[seen], np.array([fitted[i] for i in seen]))


def _fit_all(grey: Image, board: Board, board_mm: Array, starts_px: list[Array | None]) -> list[Array | None]:
    seen = [i for i, start in enumerate(starts_px) if start is not None]
    if len(seen) < FEWEST_CORNERS:
        return [None] * len(starts_px)
    # Any: OpenCV's stubs deny that it hands out None where it finds nothing.
    homography: Any = cv2.findHomography(board_mm[seen], np.array([starts_px[i] for i in seen]))[0]
    if homography is None:
        return [None] * len(starts_px)
    fitted: list[Array | None] = [None] * len(starts_px)
    for i in seen:
        px_per_mm, reach_mm = _window_on_board(np.asarray(homography, np.float64), board_mm[i], _reach_mm(board))
        fitted[i] = fit_corner(grey, np.asarray(starts_px[i]), px_per_mm, reach_mm)
    return fitted


def corners_mm(board: Board) -> Array:
    """All inner corners (N, 2) of `board` in its own frame, row by row."""
    across, down = board.corners
    grid = np.stack(np.meshgrid(np.arange(across), np.arange(down)), axis=-1).reshape(-1, 2)
    return np.asarray(grid * board.square_mm, np.float64)


def _reach_mm(board: Board) -> float:
    if isinstance(board, Charuco):
        return (board.square_mm - board.marker_mm) / 2.0  # to the corners of the markers round it
    return CHESSBOARD_REACH * board.square_mm


def _window_on_board(homography: Array, place_mm: Array, reach_mm: float) -> tuple[Array, float]:
    """How a step on the board moves in the picture at `place_mm` (px/mm, (2, 2)), and the window's reach in mm."""
    x, y, w = homography @ np.array([*place_mm, 1.0])
    px_per_mm = (homography[:2, :2] - np.outer([x / w, y / w], homography[2, :2])) / w
    narrowest = float(np.linalg.svd(px_per_mm, compute_uv=False)[-1])
    return px_per_mm, max(reach_mm - EDGE_BLUR_PX / narrowest, reach_mm / 2.0)


def _find_charuco(grey: Image, board: Charuco) -> tuple[Array, Array] | None:
    pattern = cv2.aruco.CharucoBoard(
        board.squares, board.square_mm, board.marker_mm, dictionary_named(board.dictionary)
    )
    if board.legacy_pattern:
        pattern.setLegacyPattern(True)
    found: Any = cv2.aruco.CharucoDetector(pattern).detectBoard(grey)
    corners, ids = found[:2]
    if ids is None:
        return None
    return corners_mm(board)[np.asarray(ids).reshape(-1)], np.asarray(corners, np.float64).reshape(-1, 2)


def _find_chessboard(grey: Image, board: Chessboard) -> tuple[Array, Array] | None:
    """By the classic finder, which misses fewer small boards; then by the sector-based one, which bears more blur."""
    ok, corners = cv2.findChessboardCorners(
        grey, board.corners, flags=cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE
    )
    if not ok:
        ok, corners = cv2.findChessboardCornersSB(grey, board.corners)
    if not ok:
        return None
    return corners_mm(board), np.asarray(corners, np.float64).reshape(-1, 2)
