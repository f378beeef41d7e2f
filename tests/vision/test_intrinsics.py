"""Calibration finds the camera that took the pictures, and refuses pictures that do not determine it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import CannotDo
from arena_cam.formats.board_json import Board, Charuco, Chessboard
from arena_cam.vision.setup.board_corners import BoardView, find_board
from arena_cam.vision.setup.board_views import ViewCollector
from arena_cam.vision.setup.intrinsics import estimate_intrinsics
from vision.board_scenes import CAMERA, HEAD_ON, TILTED, photograph, poses

CHARUCO = Charuco(squares=(7, 5), square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")
CHESSBOARD = Chessboard(corners=(9, 6), square_mm=25.0)
BOARDS = [pytest.param(CHARUCO, id="charuco"), pytest.param(CHESSBOARD, id="chessboard")]


@lru_cache(maxsize=8)
def views(board: Board, tilts: tuple[tuple[float, float], ...] = tuple(TILTED)) -> list[BoardView]:
    found = []
    for i, (rvec, tvec) in enumerate(poses(board, CAMERA, list(tilts))):
        view = find_board(photograph(board, CAMERA, rvec, tvec), board, f"{i}.png")
        assert view is not None
        found.append(view)
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_corners_are_found_to_a_tenth_of_a_pixel(board: Board) -> None:
    """And without bias: OpenCV 4.10's own ChArUco corners are half a pixel off."""
    errors = []
    for view, (rvec, tvec) in zip(views(board), poses(board, CAMERA, TILTED), strict=True):
        board_mm = np.column_stack([view.board_mm, np.zeros(len(view.board_mm))])
        truth = cv2.projectPoints(board_mm, rvec, tvec, CAMERA.K, CAMERA.dist)[0].reshape(-1, 2)
        errors.append(view.image_px - truth)
    all_errors = np.concatenate(errors)
    assert np.abs(all_errors.mean(axis=0)).max() < 0.02
    assert np.linalg.norm(all_errors, axis=1).max() < 0.3
    assert np.sqrt((all_errors**2).sum(axis=1).mean()) < 0.1


@pytest.mark.parametrize("board", BOARDS)
def test_the_true_camera_is_found(board: Board) -> None:
    found = estimate_intrinsics(views(board), CAMERA.size)
    assert found.K[0, 0] == pytest.approx(CAMERA.K[0, 0], rel=0.003)
    assert found.K[1, 1] == pytest.approx(CAMERA.K[1, 1], rel=0.003)
    assert found.K[:2, 2] == pytest.approx(CAMERA.K[:2, 2], abs=3.0)
    assert found.rms_px < 0.1


def test_the_truth_lies_within_the_standard_deviations_given() -> None:
    found = estimate_intrinsics(views(CHARUCO), CAMERA.size)
    off = {"fx": found.K[0, 0] - CAMERA.K[0, 0], "cx": found.K[0, 2] - CAMERA.K[0, 2], "k1": found.dist[0] + 0.12}
    assert all(abs(error) < 4 * found.sd[name] for name, error in off.items())
    assert 0 < found.sd["fx"] < 2.0


@pytest.mark.parametrize("count", [0, 1, 4])
def test_too_few_views_are_refused(count: int) -> None:
    with pytest.raises(CannotDo, match=rf"5 or more show the board in different places \({count} do\)"):
        estimate_intrinsics(views(CHARUCO)[:count], CAMERA.size)


def test_the_same_view_again_and_again_is_one_view() -> None:
    with pytest.raises(CannotDo, match=r"different places \(1 do\)"):
        estimate_intrinsics(views(CHARUCO)[:1] * 12, CAMERA.size)


def test_views_from_head_on_alone_are_refused() -> None:
    with pytest.raises(CannotDo, match="left or right side tilted.*upper or lower side tilted"):
        estimate_intrinsics(views(CHARUCO, tuple(HEAD_ON)), CAMERA.size)


def test_views_tilted_one_way_alone_are_refused() -> None:
    tilts = tuple((float(x), 0.0) for x in (-30, 25, -20, 30, 0, 15, -25, 20, -15, 10))
    with pytest.raises(CannotDo, match="add views with the board's left or right side tilted") as refusal:
        estimate_intrinsics(views(CHARUCO, tilts), CAMERA.size)
    assert "upper or lower" not in str(refusal.value)


def test_a_corner_of_the_picture_that_no_view_reaches_is_named() -> None:
    left = [
        BoardView(v.name, v.board_mm[keep], v.image_px[keep])
        for v in views(CHARUCO)
        if (keep := v.image_px[:, 0] < 0.6 * CAMERA.size[0]).sum() >= 8
    ]
    with pytest.raises(CannotDo, match="the board in the top right and bottom right of the picture"):
        estimate_intrinsics(left, CAMERA.size)


def test_a_view_that_contradicts_the_others_is_left_out() -> None:
    good = views(CHARUCO)
    bent = BoardView("bent.png", good[0].board_mm, good[0].image_px + 3.0 * np.sin(good[0].image_px[:, ::-1] / 20.0))
    found = estimate_intrinsics([*good, bent], CAMERA.size)
    assert found.left_out == ("bent.png",)
    assert found.rms_px < 0.1


@pytest.mark.parametrize("board", BOARDS)
def test_a_picture_without_the_board_shows_none(board: Board) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640), dtype=np.uint8)
    assert find_board(noise, board, "noise.png") is None
    assert find_board(np.zeros((480, 640), np.uint8), board, "black.png") is None


def test_a_collector_keeps_a_board_that_is_held_still_somewhere_new() -> None:
    collector = ViewCollector(CHARUCO, CAMERA.size)
    (here_r, here_t), (there_r, there_t), *_ = poses(CHARUCO, CAMERA, TILTED)
    here = np.repeat(photograph(CHARUCO, CAMERA, here_r, here_t)[:, :, None], 3, axis=2)
    there = np.repeat(photograph(CHARUCO, CAMERA, there_r, there_t)[:, :, None], 3, axis=2)
    kept = [collector.offer(image, str(i)) for i, image in enumerate([here, here, here, there, here, there, there])]
    assert kept == [False, True, False, False, False, False, True]
    intrinsics, missing = collector.result()
    assert intrinsics is None
    assert "different places (2 do)" in missing
