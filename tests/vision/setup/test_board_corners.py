"""A calibration board's corners, to a tenth of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.formats.board_json import Board
from arena_cam.vision.setup.board_corners import corners_mm, find_board
from vision.board_scenes import CAMERA, CHARUCO, CHESSBOARD, TILTED, poses, views

BOARDS = [pytest.param(CHARUCO, id="charuco"), pytest.param(CHESSBOARD, id="chessboard")]


@pytest.mark.parametrize("board", BOARDS)
def test_a_picture_without_the_board_shows_none(board: Board) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640), dtype=np.uint8)
    assert find_board(noise, board, "noise.png") is None
    assert find_board(np.zeros((480, 640), np.uint8), board, "black.png") is None


@pytest.mark.parametrize("board", BOARDS)
def test_corners_are_found_to_a_tenth_of_a_pixel(board: Board) -> None:
    """And without bias: OpenCV 4.10's own ChArUco corners are half a pixel off."""
    errors = []
    tilts = TILTED[:5]  # the middle of the picture and its four corners
    for view, (rvec, tvec) in zip(views(board, tuple(tilts)), poses(board, CAMERA, tilts), strict=True):
        board_mm = np.column_stack([view.board_mm, np.zeros(len(view.board_mm))])
        truth = cv2.projectPoints(board_mm, rvec, tvec, CAMERA.K, CAMERA.dist)[0].reshape(-1, 2)
        errors.append(view.image_px - truth)
    all_errors = np.concatenate(errors)
    assert np.abs(all_errors.mean(axis=0)).max() < 0.02
    assert np.linalg.norm(all_errors, axis=1).max() < 0.3
    assert np.sqrt((all_errors**2).sum(axis=1).mean()) < 0.1


@pytest.mark.parametrize("board", BOARDS)
def test_corners_stand_a_square_apart(board: Board) -> None:
    places = corners_mm(board)
    assert len(places) == board.corners[0] * board.corners[1]
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert np.sort(gaps, axis=1)[:, 1] == pytest.approx(board.square_mm)
