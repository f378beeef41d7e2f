"""A photograph's pyramid, and patches of it that are straightened onto a card's grid."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.geometry.homography import transformed
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.picture import Picture, mm_from_cell, scale_px_per_mm
from vision.planes.photographed import CAMERA, CARD_MM, homography, outline_px, photograph
from vision.small import camera_above

HERE = CardPose.flat(10.0, -5.0, 25.0)


def test_points_go_through_a_homography_as_through_the_camera() -> None:
    corners = HERE.corners(*CARD_MM)
    on_card = np.array([[-31.5, 44.0], [31.5, 44.0], [31.5, -44.0], [-31.5, -44.0]])
    assert transformed(homography(HERE), on_card) == pytest.approx(CAMERA.project(corners))


@pytest.mark.parametrize("px_per_mm", [0.5, 2.0, 3.5])
@pytest.mark.parametrize("turn", [0.0, 70.0, 200.0])
def test_the_scale_is_that_of_the_camera(px_per_mm: float, turn: float) -> None:
    place = homography(CardPose.flat(0.0, 0.0, turn), camera_above(px_per_mm))
    assert scale_px_per_mm(place) == pytest.approx(px_per_mm, rel=1e-6)
    assert scale_px_per_mm(place * -3.0) == pytest.approx(px_per_mm, rel=1e-6)  # the same homography


def test_a_mirrored_card_has_no_scale() -> None:
    assert scale_px_per_mm(homography(HERE) @ np.diag([-1.0, 1.0, 1.0])) == 0.0


def test_cells_of_a_grid_are_where_the_grid_says(faces: DeckFaces) -> None:
    grid = faces.grid(1.5)
    rows, columns = np.array([0, 17, 131]), np.array([0, 40, 93])
    cells = np.stack([columns, rows], axis=1).astype(np.float64)
    expected = np.stack([grid.x_mm[rows, columns], grid.y_mm[rows, columns]], axis=1)
    assert transformed(mm_from_cell(grid), cells) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("turn", [0.0, 25.0, 180.0])
def test_a_patch_of_a_card_is_its_face(faces: DeckFaces, turn: float) -> None:
    pose = CardPose.flat(10.0, -5.0, turn)
    patch, inside = Picture(photograph(faces.deck, ("card-1", pose))).patch(homography(pose), faces.grid(1.0))
    assert inside.all()
    off = [
        np.abs(patch - faces.grid(1.0).bgr_of(face))[faces.grid(1.0).inner].mean() for face in range(len(faces.names))
    ]
    assert np.argmin(off) == 1
    assert off[1] < 2.0 < 20.0 < min(off[0], off[2])


def test_a_large_photograph_is_shrunk_before_it_is_sampled(faces: DeckFaces) -> None:
    """Of stripes a pixel wide, a coarse grid sees their mean: not one of the two greys."""
    stripes = np.zeros((600, 800, 3), np.uint8)
    stripes[:, ::2] = 200
    place = homography(CardPose.flat(0.0, 0.0, 0.0), camera_above(4.0, (800, 600)))
    patch, _ = Picture(stripes).patch(place, faces.grid(1.0))
    assert patch == pytest.approx(np.full_like(patch, 100.0), abs=2.0)


def test_what_is_beyond_the_photograph_is_not_inside(faces: DeckFaces) -> None:
    pose = CardPose.flat(-120.0, 0.0, 0.0)  # the picture's left rim runs through it
    picture, grid = Picture(photograph(faces.deck)), faces.grid(1.0)
    _, inside = picture.patch(homography(pose), grid)
    corners = outline_px(pose)
    assert corners[:, 0].min() < 0.0 < corners[:, 0].max()
    assert not inside[:, 0].any()
    assert inside[:, -1].all()
    _, none = picture.patch(homography(CardPose.flat(-500.0, 0.0, 0.0)), grid)
    assert not none.any()
