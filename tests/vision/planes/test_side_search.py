"""Sides of cards found near where they are thought, half a side at a time."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.side_search import HALVES, find_sides
from vision.small import camera_above

CARD_MM = (63.0, 88.0)
CAMERA = camera_above(2.0, (480, 480))
TRUE = CardPose.flat(10.0, -6.0, 27.0)


def grey(*poses: CardPose) -> np.ndarray:
    """White cards on a cloth with a weave."""
    cloth = np.random.default_rng(4).normal(90, 12, (480, 480)).astype(np.float32)
    for pose in poses:
        corners = np.round(CAMERA.project(pose.corners(*CARD_MM)) * 16).astype(np.int32)
        cv2.fillConvexPoly(cloth, corners, (240.0,), lineType=cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.7), np.float32)


def test_all_sides_of_a_card_are_found_where_it_lies() -> None:
    sides = find_sides(grey(TRUE), CAMERA, [TRUE], CARD_MM, 2.5)
    assert len(sides) == HALVES
    assert max(abs(side.off_mm) for side in sides) < 0.5


def test_a_side_farther_out_says_how_far() -> None:
    shifted = CardPose(TRUE.R, TRUE.centre_mm - 2.0 * TRUE.R[:, 0])
    sides = find_sides(grey(TRUE), CAMERA, [shifted], CARD_MM, 4.0)
    by_side = {n: np.mean([side.off_mm for side in sides if side.side == n]) for n in range(4)}
    assert abs(by_side[1] - 2.0) < 0.4, "the right side lies farther out"
    assert abs(by_side[3] + 2.0) < 0.4, "the left side farther in"


def test_a_covered_half_is_none() -> None:
    over = CardPose(TRUE.R, TRUE.centre_mm + 44.0 * TRUE.R[:, 1])
    halves = {(side.side, side.half) for side in find_sides(grey(TRUE, over), CAMERA, [TRUE], CARD_MM, 1.5)}
    assert not {(0, 0), (0, 1)} & halves, "white on white"
    assert {(2, 0), (2, 1)} <= halves


def test_the_weave_of_a_cloth_and_what_is_out_of_view_are_no_sides() -> None:
    elsewhere = [CardPose.flat(-60.0, -60.0, 15.0), CardPose.flat(900.0, 0.0, 0.0)]
    assert find_sides(grey(CardPose.flat(80.0, 80.0, 0.0)), CAMERA, elsewhere, CARD_MM, 2.5) == []
