"""The table's plane by one board: keypoints on it, and where it is seen how large."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.seeds import Seed
from arena_cam.vision.boards.straight.straight_board import scale_px_per_mm
from arena_cam.vision.boards.table_plane import TablePlane, of_their_size
from arena_cam.vision.printed.keypoints import Keypoints, Matches
from vision.boards.test_seeds import SLANTED, jacobian

PLANE = TablePlane(SLANTED)
SIZE = (1500, 1000)


def test_keypoints_of_one_print_are_as_large_all_over_the_plane() -> None:
    mm = np.random.default_rng(0).uniform(-150, 300, (40, 2))
    frames = jacobian(SLANTED, mm) @ np.array([[0.0, -5.0], [5.0, 0.0]])
    there = PLANE.keypoints(Keypoints(transformed(SLANTED, mm), frames, np.zeros((40, 128), np.float32)))
    assert np.abs(there.xy - mm).max() < 1e-6
    assert np.abs(there.frame - np.array([[0.0, -5.0], [5.0, 0.0]])).max() < 1e-2


def test_what_lies_beyond_the_horizon_is_no_keypoint_of_the_plane() -> None:
    depth = np.linalg.inv(SLANTED)[2]
    beyond = -depth[:2] / (depth[:2] @ depth[:2]) * (depth[2] + 1.0)
    seen = Keypoints(np.array([beyond, [500.0, 400.0]]), np.tile(np.eye(2), (2, 1, 1)), np.zeros((2, 128), np.float32))
    assert np.allclose(PLANE.keypoints(seen).xy, [[0.0, 0.0]], atol=1e-6)


def test_only_matches_as_large_as_the_print_are_kept() -> None:
    affine = np.array([0.5, 0.9, 1.1, 2.0])[:, None, None] * np.eye(2)
    nothing = np.zeros((4, 2))
    matches = Matches.of(nothing, nothing, affine, np.arange(4), np.ones(4, np.float32))
    assert of_their_size(matches).seen.tolist() == [1, 2]


def test_a_place_on_the_plane_is_one_in_the_photograph() -> None:
    shift = np.array([[1.0, 0.0, 30.0], [0.0, 1.0, -20.0], [0.0, 0.0, 1.0]])
    seed = PLANE.photographed(Seed(shift, 7, (True,)))
    at = transformed(seed.px_from_mm, np.zeros((1, 2)))
    assert np.allclose(at, transformed(SLANTED, np.array([[30.0, -20.0]])))
    assert (seed.votes, seed.filled) == (7, (True,))


@pytest.mark.parametrize("further", [False, True])
def test_nearness_parts_the_picture_by_how_large_the_plane_is_seen(further: bool) -> None:
    part = PLANE.nearer_than(2.0, SIZE, further=further)
    scales = np.array([scale_px_per_mm(SLANTED, (x, y)) for x, y in PLANE.on_plane(part)])
    assert len(part) in (3, 4, 5)
    assert np.all(scales < 2.01) if further else np.all(scales > 1.99)
    assert len(PLANE.nearer_than(9.0, SIZE)) == 0
