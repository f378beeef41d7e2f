"""Views of a board are collected live, until they determine the camera."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.setup.board_views import ViewCollector
from arena_cam.vision.setup.messages import ViewsLack
from vision.board_scenes import CAMERA, CHARUCO, TILTED, photograph, poses


def test_at_first_nothing_is_kept_and_an_even_picture_adds_nothing() -> None:
    collector = ViewCollector(CHARUCO, CAMERA.size)
    assert not collector.offer(np.full((CAMERA.size[1], CAMERA.size[0], 3), 120, np.uint8), "0")
    intrinsics, missing = collector.result()
    assert intrinsics is None
    assert missing


def test_a_collector_keeps_a_board_that_is_held_still_somewhere_new() -> None:
    collector = ViewCollector(CHARUCO, CAMERA.size)
    (here_r, here_t), (there_r, there_t), *_ = poses(CHARUCO, CAMERA, TILTED)
    here = np.repeat(photograph(CHARUCO, CAMERA, here_r, here_t)[:, :, None], 3, axis=2)
    there = np.repeat(photograph(CHARUCO, CAMERA, there_r, there_t)[:, :, None], 3, axis=2)
    kept = [collector.offer(image, str(i)) for i, image in enumerate([here, here, here, there, here, there, there])]
    assert kept == [False, True, False, False, False, False, True]
    intrinsics, missing = collector.result()
    assert intrinsics is None
    assert missing[0] == ViewsLack.DIFFERENT(least=5, count=2)
