"""How a card lies, from the pose that alignment found and what can hold a card up there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Hypothesis, Landing
from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.reading.resting.landing import Resting, judge_resting

ARENA = Arena((280.0, 260.0), 15.0, 6.0)
WIDTH_MM, HEIGHT_MM, RADIUS_MM = 63.0, 88.0, 3.0


def _aligned(x_mm: float, y_mm: float, z_mm: float, tilt_deg: float, along_mm: float = 0.1) -> Resting:
    """A card turned about its long axis, its right side up, measured to 0.1 mm, `along_mm` along it, and 0.3
    degrees."""
    turn = cv2.Rodrigues(np.array([0.0, -np.radians(tilt_deg), 0.0]))[0]
    information = np.diag(np.array([0.1, along_mm, 0.3, 0.005, 0.005, 0.002]) ** -2.0)
    pose = CardPose(np.asarray(turn, np.float64), np.array([x_mm, y_mm, z_mm]))
    return judge_resting(Alignment(pose, information, 4.0, np.zeros(6)), ARENA, WIDTH_MM, HEIGHT_MM, RADIUS_MM)


def test_a_card_that_leans_on_a_wall_is_said_so_surely() -> None:
    slope = np.degrees(np.arcsin(ARENA.wall_height_mm / WIDTH_MM))
    resting = _aligned(140.0 - WIDTH_MM / 2 * np.cos(np.radians(slope)), 10.0, ARENA.wall_height_mm / 2, slope)
    assert resting.landing is Landing.DIAGONAL
    assert resting.fits[0].name == Hypothesis.EAST_WALL
    assert resting.tilt_deg == pytest.approx(slope, abs=0.5)
    assert resting.borderline is None


def test_a_card_that_seems_to_lean_on_nothing_is_doubted() -> None:
    resting = _aligned(-8.0, 18.0, 7.0, 12.0)
    assert resting.borderline == Doubt.TILTED_WITHOUT_WALL(tilt_deg=11.9)
    shares = dict(resting.probabilities)
    assert shares[Landing.FLAT] == shares[Landing.DIAGONAL] == pytest.approx(0.5, abs=0.01)


def test_a_flat_card_in_the_middle_is_not_doubted() -> None:
    resting = _aligned(-8.0, 18.0, 0.8, 0.6)
    assert (resting.landing, resting.borderline, resting.arguable) == (Landing.FLAT, None, False)


def test_a_strip_that_says_nothing_of_the_way_along_itself_is_part_of_a_card_that_lies_there() -> None:
    resting = _aligned(-29.0, -10.0, 0.8, 0.0, along_mm=300.0)
    assert resting.landing is Landing.FLAT
    assert dict(resting.probabilities)[Landing.BESIDE] < 0.001
