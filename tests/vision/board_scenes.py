"""Pictures of calibration boards taken by a camera whose parameters are known: what the tests compare with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.formats.board_json import Board, Charuco, Chessboard
from arena_cam.vision.picture.markers import dictionary_named
from arena_cam.vision.picture.sampling import remap
from arena_cam.vision.setup.board_corners import BoardView, corners_mm, find_board

Array = NDArray[np.float64]

PX_PER_MM = 4  # of the drawn board, above that of the pictures, yet not so far that parts of it fall between samples
SUPERSAMPLED = 2  # each pixel is the mean of that many squared, as a sensor's is


@dataclass(frozen=True, eq=False)
class TrueCamera:
    """The camera that takes the pictures, `size` (w, h) pixels."""

    K: Array
    dist: Array
    size: tuple[int, int]


CAMERA = TrueCamera(
    K=np.array([[700.0, 0, 325.5], [0, 702.0, 236.25], [0, 0, 1]]),
    dist=np.array([-0.12, 0.06, 0.001, -0.0008, 0.0]),
    size=(640, 480),
)


@lru_cache(maxsize=2)
def drawn(board: Board) -> tuple[NDArray[np.uint8], float]:
    """The board as printed, with a white margin, and its first inner corner's distance from its border in mm."""
    across, down = board.corners[0] + 1, board.corners[1] + 1
    square = round(board.square_mm * PX_PER_MM)
    if isinstance(board, Charuco):
        pattern = cv2.aruco.CharucoBoard(
            board.squares, board.square_mm, board.marker_mm, dictionary_named(board.dictionary)
        )
        image = np.asarray(pattern.generateImage((across * square, down * square), marginSize=0), np.uint8)
    else:
        chequers = np.indices((down, across)).sum(axis=0) % 2 * 255
        image = np.kron(chequers, np.ones((square, square))).astype(np.uint8)
    margin = square
    return np.pad(image, margin, constant_values=255), 2 * board.square_mm


@lru_cache(maxsize=2)
def _rays(camera: TrueCamera) -> Array:
    """The direction (3, N), one along the axis, that each part of each pixel looks in."""
    rows, columns = np.mgrid[0 : camera.size[1] * SUPERSAMPLED, 0 : camera.size[0] * SUPERSAMPLED]
    pixels = (np.stack([columns, rows], axis=-1).reshape(-1, 1, 2) + 0.5) / SUPERSAMPLED - 0.5
    flat = cv2.undistortPoints(pixels.astype(np.float64), camera.K, camera.dist).reshape(-1, 2)
    return np.ascontiguousarray(np.column_stack([flat, np.ones(len(flat))]).T)


def photograph(board: Board, camera: TrueCamera, rvec: Array, tvec: Array, noise: float = 1.5) -> NDArray[np.uint8]:
    """A grey picture of `board` at a pose, through lens, pixels and noise (standard deviation in grey levels)."""
    image, corner_mm = drawn(board)
    rays = _rays(camera)
    rotation = cv2.Rodrigues(rvec)[0]
    to_picture = np.column_stack([rotation[:, :2], tvec])
    board_mm = np.linalg.inv(to_picture) @ rays
    # The drawing's pixel (0, 0) has its centre half a pixel inside its border.
    at = np.ascontiguousarray(((board_mm[:2] / board_mm[2] + corner_mm) * PX_PER_MM - 0.5).T)
    width, height = camera.size[0] * SUPERSAMPLED, camera.size[1] * SUPERSAMPLED
    taken = remap(image, at.reshape(height, width, 2).astype(np.float32), borderValue=96)
    taken = cv2.resize(cv2.GaussianBlur(taken, (0, 0), 0.6 * SUPERSAMPLED), camera.size, interpolation=cv2.INTER_AREA)
    noisy = 20 + 0.8 * taken + np.random.default_rng(int(taken.sum())).normal(0, noise, taken.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def poses(board: Board, camera: TrueCamera, tilts_deg: list[tuple[float, float]]) -> list[tuple[Array, Array]]:
    """A pose for each (about x, about y) tilt: the board walks through the corners of the picture and its middle."""
    size_mm = np.array(board.corners) * board.square_mm
    spots = [(0.0, 0.0), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    out = []
    for i, (about_x, about_y) in enumerate(tilts_deg):
        rvec = np.radians([about_x, about_y, 7.0 * i])
        distance = camera.K[0, 0] * size_mm[0] / (0.34 * camera.size[0])
        spot = np.array(spots[i % len(spots)]) * np.array(camera.size) * 0.44 / camera.K[0, 0] * distance
        centre = cv2.Rodrigues(rvec)[0] @ np.array([*(size_mm / 2 - board.square_mm), 0.0])
        out.append((rvec, np.array([*spot, distance]) - centre))
    return out


TILTED: list[tuple[float, float]] = [
    (25, 0),
    (-25, 10),
    (0, 28),
    (12, -28),
    (-20, -20),
    (20, 20),
    (-28, 0),
    (0, -25),
    (15, 15),
    (5, -20),
]
HEAD_ON = [(0.5 * i, -0.5 * i) for i in range(10)]

CHARUCO = Charuco(squares=(7, 5), square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")
CHESSBOARD = Chessboard(corners=(9, 6), square_mm=25.0)


def measured(board: Board, tilts: tuple[tuple[float, float], ...] = tuple(TILTED)) -> list[BoardView]:
    """Views without pictures: the corners where the camera sees them, with the finder's noise of 0.05 px."""
    noise = np.random.default_rng(3)
    corners = corners_mm(board)
    found = []
    for i, (rvec, tvec) in enumerate(poses(board, CAMERA, list(tilts))):
        flat = np.column_stack([corners, np.zeros(len(corners))])
        seen = np.asarray(cv2.projectPoints(flat, rvec, tvec, CAMERA.K, CAMERA.dist)[0], np.float64).reshape(-1, 2)
        inside = ((seen > 0.0) & (seen < np.array(CAMERA.size) - 1.0)).all(axis=1)
        found.append(BoardView(f"{i}.png", corners[inside], (seen + noise.normal(0.0, 0.05, seen.shape))[inside]))
    return found


@lru_cache(maxsize=8)
def views(board: Board, tilts: tuple[tuple[float, float], ...] = tuple(TILTED)) -> list[BoardView]:
    found = []
    for i, (rvec, tvec) in enumerate(poses(board, CAMERA, list(tilts))):
        view = find_board(photograph(board, CAMERA, rvec, tvec), board, f"{i}.png")
        assert view is not None
        found.append(view)
    return found
