"""A rigid card's pose: where its corners are, how it leans, how it turns, and small steps of it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose


def test_a_card_that_is_not_turned_has_its_first_corner_at_the_top_left() -> None:
    corners = CardPose.flat(10.0, 20.0, 0.0, 3.0).corners(60.0, 80.0)
    assert np.allclose(corners, [[-20, 60, 3], [40, 60, 3], [40, -20, 3], [-20, -20, 3]])


@pytest.mark.parametrize("angle_deg", [-179.0, -90.0, 0.0, 30.0, 90.0, 180.0])
def test_the_angle_is_counted_from_world_y_counterclockwise(angle_deg: float) -> None:
    pose = CardPose.flat(0.0, 0.0, angle_deg)
    assert pose.angle_deg == pytest.approx(angle_deg)
    up = pose.points(np.zeros(1), np.ones(1))[0]
    a = np.radians(angle_deg)
    assert np.allclose(up, [-np.sin(a), np.cos(a), 0.0])


@pytest.mark.parametrize(
    ("about", "tilt_deg"), [((0.0, 0.0, 0.5), 0.0), ((0.3, 0.0, 0.0), 17.19), ((0.0, 0.1, 0.0), 5.73)]
)
def test_tilt_is_the_angle_to_the_floor_and_no_turn_changes_it(
    about: tuple[float, float, float], tilt_deg: float
) -> None:
    for turned_deg in (0.0, 75.0):
        pose = CardPose.flat(0.0, 0.0, turned_deg).moved(np.array([0.0, 0.0, 0.0, *about]))
        assert pose.tilt_deg == pytest.approx(tilt_deg, abs=0.01)


def test_a_card_face_down_is_as_flat_as_one_face_up() -> None:
    assert CardPose(np.diag([-1.0, 1.0, -1.0]), np.zeros(3)).tilt_deg == pytest.approx(0.0)


def test_half_a_turn_swaps_opposite_corners_and_two_of_them_nothing() -> None:
    pose = CardPose.flat(5.0, -3.0, 20.0, 1.0).moved(np.array([0, 0, 0, 0.1, 0.05, 0]))
    assert np.allclose(pose.half_turned.corners(63, 88), np.roll(pose.corners(63, 88), 2, axis=0))
    assert np.allclose(pose.half_turned.half_turned.R, pose.R)


def test_a_step_shifts_and_turns_about_the_middle_in_world_axes() -> None:
    pose = CardPose.flat(10.0, 0.0, 90.0)
    moved = pose.moved(np.array([1.0, 2.0, 3.0, 0.0, 0.0, np.pi / 2]))
    assert np.allclose(moved.centre_mm, [11.0, 2.0, 3.0])
    assert moved.angle_deg == pytest.approx(180.0)


def test_the_plane_holds_what_points_are_made_of() -> None:
    pose = CardPose.flat(4.0, 5.0, 40.0, 6.0).moved(np.array([0, 0, 0, 0.2, 0, 0]))
    assert np.allclose(pose.plane @ [7.0, -2.0, 1.0], pose.points(np.array([7.0]), np.array([-2.0]))[0])
