"""Where a leaning card may start, and which poses no card can rest in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.leaning import (
    hangs,
    is_sunk,
    laid_flat,
    leaning_by_a_side,
    leaning_starts,
    lies_outside,
)
from vision.scenes import CAMERA, WIDE, scene_of
from vision.small import HEIGHT_MM, WIDTH_MM

HALF = WIDE.inner_mm[0] / 2


def test_in_the_middle_there_is_nothing_to_lean_on(faces: DeckFaces) -> None:
    assert leaning_starts(scene_of(faces), CardPose.flat(0.0, 0.0, 30.0)) == []


@pytest.mark.parametrize(("x", "y", "count"), [(HALF - 30.0, 0.0, 1), (HALF - 30.0, 60.0, 2), (HALF + 10.0, 0.0, 2)])
def test_each_wall_in_reach_gives_a_start(faces: DeckFaces, x: float, y: float, count: int) -> None:
    starts = leaning_starts(scene_of(faces), CardPose.flat(x, y, 0.0))
    leaning = [pose for pose in starts if pose.tilt_deg > 0.0]
    assert len(leaning) == count
    assert all(3.0 < pose.tilt_deg < 60.0 for pose in leaning)


@pytest.mark.parametrize(("x", "lies"), [(HALF - 25.0, False), (HALF + 5.0, True), (HALF + 40.0, False)])
def test_a_card_whose_middle_is_over_a_wall_may_lie_level_on_it(faces: DeckFaces, x: float, lies: bool) -> None:
    flat = CardPose.flat(x, 0.0, 10.0)
    level = [pose for pose in leaning_starts(scene_of(faces), flat) if pose.tilt_deg == 0.0]
    assert len(level) == lies
    for pose in level:
        assert pose.centre_mm[2] == pytest.approx(WIDE.wall_height_mm)
        at, was = CAMERA.project(np.array([pose.centre_mm, flat.centre_mm]))
        assert np.linalg.norm(at - was) < 0.1


def test_a_start_rises_towards_the_wall_and_is_seen_at_its_place(faces: DeckFaces) -> None:
    flat = CardPose.flat(HALF - 25.0, 0.0, 0.0)
    (pose,) = leaning_starts(scene_of(faces), flat)
    corners = pose.corners(WIDTH_MM, HEIGHT_MM)
    right, left = corners[corners[:, 0] > pose.centre_mm[0]], corners[corners[:, 0] < pose.centre_mm[0]]
    assert right[:, 2].min() > left[:, 2].max() + 5.0
    assert left[:, 2].min() == pytest.approx(0.0, abs=1.5)
    at, was = CAMERA.project(np.array([pose.centre_mm, flat.centre_mm]))
    assert np.linalg.norm(at - was) < 0.1


def test_one_side_may_stay_where_it_is_seen(faces: DeckFaces) -> None:
    flat = CardPose.flat(HALF - 25.0, 0.0, 0.0)
    (middle,) = leaning_starts(scene_of(faces), flat)
    starts = leaning_by_a_side(scene_of(faces), flat)
    assert len(starts) == 2
    for pose, x in zip(starts, (-WIDTH_MM / 2, WIDTH_MM / 2), strict=True):  # lower side, raised side
        assert np.allclose(pose.R, middle.R)
        sides = np.concatenate([way.points(np.array([x]), np.zeros(1)) for way in (pose, flat)])
        at, was = CAMERA.project(sides)
        assert np.linalg.norm(at - was) < 0.1
        lowest = pose.corners(WIDTH_MM, HEIGHT_MM)[:, 2].min()
        assert lowest == pytest.approx(0.0, abs=1.5)


def test_a_card_is_laid_flat_where_it_is_seen(faces: DeckFaces) -> None:
    tilted = CardPose.flat(20.0, 10.0, 30.0, 12.0).moved(np.array([0, 0, 0, 0.3, 0.1, 0]))
    flat = laid_flat(scene_of(faces), tilted)
    assert flat.tilt_deg == pytest.approx(0.0)
    assert flat.angle_deg == pytest.approx(tilted.angle_deg)
    at, was = CAMERA.project(np.array([flat.centre_mm, tilted.centre_mm]))
    assert np.linalg.norm(at - was) < 1e-6


@pytest.mark.parametrize(("x", "tilt_deg", "air"), [(0.0, 2.0, False), (0.0, 12.0, True), (HALF - 28.0, 12.0, False)])
def test_a_tilted_card_far_from_walls_hangs_in_the_air(faces: DeckFaces, x: float, tilt_deg: float, air: bool) -> None:
    pose = CardPose.flat(x, 0.0, 0.0, 6.0).moved(np.array([0, 0, 0, 0, np.radians(-tilt_deg), 0]))
    assert hangs(scene_of(faces), pose) is air


@pytest.mark.parametrize(
    ("x", "z", "sunk"), [(0.0, 0.5, False), (0.0, -40.0, True), (HALF + 90.0, -40.0, False), (HALF + 90.0, -90.0, True)]
)
def test_no_card_lies_under_the_floor_and_beside_the_arena_the_table_is_the_floor(
    faces: DeckFaces, x: float, z: float, sunk: bool
) -> None:
    deep = replace(WIDE, table_z_mm=-40.0)
    assert is_sunk(scene_of(faces, arena=deep), CardPose.flat(x, 0.0, 0.0, z)) is sunk


@pytest.mark.parametrize(
    ("beyond_mm", "outside"), [(-5.0, False), (WIDTH_MM / 2 - 1.0, False), (WIDTH_MM / 2 + 1.0, True)]
)
def test_a_card_lies_outside_where_no_part_of_it_is_over_the_floor(
    faces: DeckFaces, beyond_mm: float, outside: bool
) -> None:
    assert lies_outside(scene_of(faces), CardPose.flat(HALF + beyond_mm, 0.0, 0.0)) is outside
