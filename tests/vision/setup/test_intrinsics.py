"""Calibration finds the camera that took the pictures, and refuses pictures that do not determine it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.errors import CannotDo
from arena_cam.formats.board_json import Board
from arena_cam.vision.setup.board_corners import BoardView
from arena_cam.vision.setup.intrinsics import estimate_intrinsics
from vision.board_scenes import CAMERA, CHARUCO, CHESSBOARD, HEAD_ON, measured

BOARDS = [pytest.param(CHARUCO, id="charuco"), pytest.param(CHESSBOARD, id="chessboard")]


@pytest.mark.parametrize("board", BOARDS)
def test_the_true_camera_is_found(board: Board) -> None:
    found = estimate_intrinsics(measured(board), CAMERA.size)
    assert found.K[0, 0] == pytest.approx(CAMERA.K[0, 0], rel=0.003)
    assert found.K[1, 1] == pytest.approx(CAMERA.K[1, 1], rel=0.003)
    assert found.K[:2, 2] == pytest.approx(CAMERA.K[:2, 2], abs=3.0)
    assert found.rms_px < 0.1


def test_the_truth_lies_within_the_standard_deviations_given() -> None:
    found = estimate_intrinsics(measured(CHARUCO), CAMERA.size)
    off = {"fx": found.K[0, 0] - CAMERA.K[0, 0], "cx": found.K[0, 2] - CAMERA.K[0, 2], "k1": found.dist[0] + 0.12}
    assert all(abs(error) < 4 * found.sd[name] for name, error in off.items())
    assert 0 < found.sd["fx"] < 2.0


@pytest.mark.parametrize("count", [0, 1, 4])
def test_too_few_views_are_refused(count: int) -> None:
    with pytest.raises(CannotDo, match=rf"5 or more show the board in different places \({count} do\)"):
        estimate_intrinsics(measured(CHARUCO)[:count], CAMERA.size)


def test_the_same_view_again_and_again_is_one_view() -> None:
    with pytest.raises(CannotDo, match=r"different places \(1 do\)"):
        estimate_intrinsics(measured(CHARUCO)[:1] * 12, CAMERA.size)


def test_views_from_head_on_alone_are_refused() -> None:
    with pytest.raises(CannotDo, match="left or right side tilted.*upper or lower side tilted"):
        estimate_intrinsics(measured(CHARUCO, tuple(HEAD_ON)), CAMERA.size)


def test_views_tilted_one_way_alone_are_refused() -> None:
    tilts = tuple((float(x), 0.0) for x in (-30, 25, -20, 30, 0, 15, -25, 20, -15, 10))
    with pytest.raises(CannotDo, match="add views with the board's left or right side tilted") as refusal:
        estimate_intrinsics(measured(CHARUCO, tilts), CAMERA.size)
    assert "upper or lower" not in str(refusal.value)


def test_a_corner_of_the_picture_that_no_view_reaches_is_named() -> None:
    left = [
        BoardView(v.name, v.board_mm[keep], v.image_px[keep])
        for v in measured(CHARUCO)
        if (keep := v.image_px[:, 0] < 0.6 * CAMERA.size[0]).sum() >= 8
    ]
    with pytest.raises(CannotDo, match="the board in the top right and bottom right of the picture"):
        estimate_intrinsics(left, CAMERA.size)


def test_a_view_that_contradicts_the_others_is_left_out() -> None:
    good = measured(CHARUCO)
    bent = BoardView("bent.png", good[0].board_mm, good[0].image_px + 3.0 * np.sin(good[0].image_px[:, ::-1] / 20.0))
    found = estimate_intrinsics([*good, bent], CAMERA.size)
    assert found.left_out == ("bent.png",)
    assert found.rms_px < 0.1
