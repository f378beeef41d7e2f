"""Points of a face: where they lie, and how their print moves with the pose."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_points import (
    HALF_CARD_MM,
    FacePoints,
    PointTiles,
    choose_points,
    light_basis,
    mixture,
)
from vision.small import HEIGHT_MM, WIDTH_MM, camera_above, small_deck

CAMERA = camera_above(2.0, (320, 320), tilt_deg=12.0)


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck")))


def points(faces: DeckFaces, px_per_mm: float) -> FacePoints:
    grid = faces.grid(px_per_mm)
    return choose_points(grid.grey_of(0), PointTiles.of(grid.mask, 1500), grid.x_mm, grid.y_mm, px_per_mm)


def test_the_derivative_by_the_pose_is_that_of_finite_steps(faces: DeckFaces) -> None:
    """`mixture` against the printed grey value at fixed pixels while the pose moves, by central differences."""
    pose = CardPose.flat(8.0, -5.0, 31.0).moved(np.array([0.0, 0.0, 3.0, 0.1, -0.05, 0.0]))
    chosen = points(faces, 2.0)
    slopes = chosen.motion[:2].T
    by_step = chosen.motion.T @ mixture(CAMERA, pose)
    pixels = CAMERA.project_plane(pose.plane, chosen.places)
    for k, size in enumerate([1e-3] * 3 + [1e-5] * 3):
        step = np.zeros(6)
        step[k] = size
        places = [_card_places(pose.moved(sign * step), pixels) for sign in (1.0, -1.0)]
        moved = (places[0] - places[1]) / (2 * size)
        assert np.allclose(by_step[:, k], -(moved * slopes).sum(axis=1), rtol=1e-3, atol=1e-2 * np.abs(by_step).max())


def _card_places(pose: CardPose, pixels: Array) -> Array:
    """Where on the card (N, 2) the rays through pixels (2, N) meet its plane."""
    plane = CAMERA.R @ pose.plane + np.outer(CAMERA.tvec, [0.0, 0.0, 1.0])
    x, y, w = np.linalg.inv(CAMERA.K @ plane) @ np.vstack([pixels, np.ones(pixels.shape[1])])
    return np.stack([x / w, y / w], axis=1)


def test_points_lie_on_the_card_and_over_all_of_it(faces: DeckFaces) -> None:
    grid = faces.grid(2.0)
    chosen = points(faces, 2.0)
    x, y = chosen.places[:2]
    assert (np.abs(x) < WIDTH_MM / 2).all()
    assert (np.abs(y) < HEIGHT_MM / 2).all()
    counts, *_ = np.histogram2d(x, y, bins=(3, 4))
    assert counts.min() > 0.5 * counts.mean()
    assert len(np.unique(chosen.places, axis=1).T) == len(x)
    steep = np.hypot(*chosen.motion[:2]).mean()
    everywhere = np.hypot(
        cv2.Sobel(grid.grey_of(0), -1, 1, 0) / 8 * 2, cv2.Sobel(grid.grey_of(0), -1, 0, 1) / 8 * 2
    ).mean()
    assert steep > everywhere


def test_the_light_basis_is_gain_and_offset_with_their_slopes() -> None:
    places = np.array([[0.0, HALF_CARD_MM], [0.0, -HALF_CARD_MM], [1.0, 1.0]])
    expected = [[10.0, 20.0], [0.0, 20.0], [0.0, -20.0], [1.0, 1.0], [0.0, 1.0], [0.0, -1.0]]
    assert light_basis(np.array([10.0, 20.0]), places).tolist() == expected


def test_points_without_a_doubt_have_none_and_some_can_be_chosen() -> None:
    row = np.arange(5.0)
    all_of_them = FacePoints.of(row, row + 1, row + 2, row + 3, row + 4)
    assert not all_of_them.doubt.any()
    some = all_of_them.only(row > 2)
    assert some.value.tolist() == [5.0, 6.0]
    assert np.array_equal(some.motion, all_of_them.motion[:, 3:])


def test_where_the_print_is_steep_more_is_doubted(faces: DeckFaces) -> None:
    chosen = points(faces, 2.0)
    steepness = np.hypot(*chosen.motion[:2])
    steep = steepness > np.median(steepness)
    assert chosen.doubt[steep].mean() > 2 * chosen.doubt[~steep].mean()
