"""A camera that was moved is noticed, and what was believed is carried along."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.lies import Lie, TablePose
from arena_cam.vision.watching.camera_bump import bumped, carried_over
from vision.small import lie


def pose(tilt_deg: float = 0.0, x_mm: float = 0.0) -> TablePose:
    rvec = cv2.Rodrigues(cv2.Rodrigues(np.array([np.radians(tilt_deg), 0, 0]))[0] @ np.diag([1.0, -1, -1]))[0].ravel()
    return TablePose((float(rvec[0]), float(rvec[1]), float(rvec[2])), (x_mm, 0.0, 500.0), 0.1, (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("before", "now", "moved"),
    [
        (None, None, False),
        (None, pose(), False),
        (pose(), None, False),
        (pose(), pose(), False),
        (pose(), pose(x_mm=0.5), False),  # as poses scatter
        (pose(), pose(x_mm=2.0), True),
        (pose(), pose(tilt_deg=3.0), True),
    ],
)
def test_bumped(before: TablePose | None, now: TablePose | None, moved: bool) -> None:
    assert bumped(before, now) is moved


def shifted(card: Lie, by_px: float) -> Lie:
    (left, top), *_ = card.corners_px
    return lie(card.key, left + by_px, top)


RED, BLUE, HIDDEN = lie("red-1", 100, 100), lie("blue-2", 300, 220), lie("green-3", 200, 150)


def test_nothing_believed_is_nothing_carried() -> None:
    assert carried_over([], [RED]) == ()


def test_without_a_card_seen_before_and_after_outlines_stay() -> None:
    assert carried_over([HIDDEN], [RED]) == (HIDDEN,)
    assert carried_over([lie("?1", 10, 10)], [lie("?1", 50, 10)]) == (lie("?1", 10, 10),)


def test_a_hidden_card_moves_with_those_that_are_seen() -> None:
    carried = carried_over([RED, HIDDEN, BLUE], [shifted(RED, 25), shifted(BLUE, 25)])
    assert [card.key for card in carried] == ["red-1", "green-3", "blue-2"]
    assert np.allclose(carried[1].corners_px, shifted(HIDDEN, 25).corners_px, atol=0.01)


def test_a_card_that_was_moved_itself_does_not_mislead() -> None:
    yellow = lie("yellow-4", 350, 60)
    seen = [shifted(RED, 25), shifted(BLUE, 25), shifted(yellow, -90)]
    carried = carried_over([RED, BLUE, yellow, HIDDEN], seen)
    assert np.allclose(carried[3].corners_px, shifted(HIDDEN, 25).corners_px, atol=0.5)
