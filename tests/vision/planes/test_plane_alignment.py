"""A face aligned with a photograph in the eight parameters of a homography ends where it was painted."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.geometry.homography import transformed
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates, align
from vision.planes.photographed import CAMERA, CARD_MM, homography, outline_px, photograph
from vision.small import camera_above

HERE = CardPose.flat(10.0, -5.0, 25.0)
HALF = np.array(CARD_MM) / 2
CORNERS_MM = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * HALF


def off_px(px_from_mm: Array, pose: CardPose) -> float:
    """By how much the farthest corner is off."""
    return float(np.linalg.norm(transformed(px_from_mm, CORNERS_MM) - outline_px(pose), axis=1).max())


def near(pose: CardPose, *, x_mm: float = 2.0, turn_deg: float = 2.0, tilt: float = 0.03) -> Array:
    """A place some pixels off: moved, turned, and tilted as no card on the table is."""
    return homography(pose.moved(np.array([x_mm, -1.5, 0.0, tilt, -tilt, np.radians(turn_deg)])))


@pytest.mark.parametrize("turn", [25.0, 160.0, 270.0])
def test_a_face_is_found_to_less_than_half_a_pixel(faces: DeckFaces, templates: Templates, turn: float) -> None:
    pose = CardPose.flat(10.0, -5.0, turn)
    start = near(pose)
    found = align(Picture(photograph(faces.deck, ("card-0", pose))), start, templates, 0, 12)
    assert found is not None
    assert off_px(start, pose) > 5.0
    assert off_px(found.px_from_mm, pose) < 0.4
    assert found.gain == pytest.approx(1.0, abs=0.1)
    assert found.residual < 5.0


def test_without_a_step_it_stays(faces: DeckFaces, templates: Templates) -> None:
    start = near(HERE)
    found = align(Picture(photograph(faces.deck, ("card-0", HERE))), start, templates, 0, 0)
    assert found is not None
    assert np.array_equal(found.px_from_mm, start)


def test_dimmer_light_that_falls_off_is_light_and_no_motion(faces: DeckFaces, templates: Templates) -> None:
    picture = photograph(faces.deck, ("card-0", HERE))
    fall = np.linspace(0.5, 0.8, picture.shape[1])[None, :, None]
    found = align(Picture((picture * fall).astype(np.uint8)), near(HERE), templates, 0, 12)
    assert found is not None
    assert off_px(found.px_from_mm, HERE) < 0.6
    assert 0.5 < found.gain < 0.8


def test_another_card_over_a_third_of_it_weighs_nothing(faces: DeckFaces, templates: Templates) -> None:
    over = CardPose.flat(48.0, 10.0, 25.0)
    picture = Picture(photograph(faces.deck, ("card-0", HERE), ("card-2", over)))
    found = align(picture, near(HERE, x_mm=1.0, turn_deg=1.0), templates, 0, 14)
    assert found is not None
    in_view = transformed(found.px_from_mm, CORNERS_MM[[0, 3]]) - outline_px(HERE)[[0, 3]]
    assert np.abs(in_view).max() < 0.5
    grid = templates.grid
    world = HERE.points(grid.x_mm.ravel().astype(np.float64), grid.y_mm.ravel().astype(np.float64))
    on_other = (world - over.centre_mm) @ over.R
    covered = ((np.abs(on_other[:, 0]) < HALF[0] - 3) & (np.abs(on_other[:, 1]) < HALF[1] - 3)).reshape(grid.mask.shape)
    assert 0.1 < covered.mean() < 0.5
    assert found.weights[covered].mean() < 0.5 * found.weights[grid.inner & ~covered].mean()


def test_where_it_is_known_to_be_seen_it_is_looked_at_first(faces: DeckFaces, templates: Templates) -> None:
    """Two thirds are covered by a copy that lies 3 mm off: the part in view decides, if it is said which that is."""
    copy = CardPose.flat(13.0, -5.0, 25.0)
    picture = photograph(faces.deck, ("card-0", HERE))
    moved = photograph(faces.deck, ("card-0", copy))
    columns = np.arange(picture.shape[1])[None, :, None]
    both = np.where(columns < CAMERA.project(HERE.centre_mm[None])[0, 0] - 20.0, picture, moved).astype(np.uint8)
    seen = transformed(homography(HERE), np.stack([templates.grid.x_mm.ravel(), templates.grid.y_mm.ravel()], axis=1))
    left = (seen[:, 0] < CAMERA.project(HERE.centre_mm[None])[0, 0] - 24.0).reshape(templates.grid.mask.shape)
    start = near(HERE, x_mm=1.5, turn_deg=0.5, tilt=0.0)
    told = align(Picture(both), start, templates, 0, 3, left.astype(np.float32))
    untold = align(Picture(both), start, templates, 0, 3)
    assert told is not None
    assert untold is not None
    of_told, of_untold = (transformed(found.px_from_mm, CORNERS_MM[[0, 3]]) for found in (told, untold))
    true = outline_px(HERE)[[0, 3]]
    assert np.abs(of_told - true).max() < np.abs(of_untold - true).max()


def test_where_only_cloth_is_there_is_no_face(faces: DeckFaces, templates: Templates) -> None:
    found = align(Picture(photograph(faces.deck)), near(HERE), templates, 0, 8)
    assert found is None


@pytest.mark.parametrize("px_per_mm", [0.2, 80.0])
def test_a_place_outside_the_picture_or_of_no_card_s_size_is_none(
    faces: DeckFaces, templates: Templates, px_per_mm: float
) -> None:
    picture = Picture(photograph(faces.deck, ("card-0", HERE)))
    assert align(picture, homography(CardPose.flat(400.0, 0.0, 0.0)), templates, 0, 3) is None
    assert align(picture, homography(HERE, camera_above(px_per_mm, (480, 400))), templates, 0, 3) is None


def test_blur_grows_as_the_card_shrinks_and_no_further_than_a_limit(templates: Templates) -> None:
    blurs = [templates.blur_for(homography(HERE, camera_above(scale))) for scale in (4.0, 1.0, 0.5, 0.25, 0.01)]
    assert blurs == sorted(blurs)
    assert blurs[0] < blurs[2] < blurs[-1] == 4.8


def test_what_is_made_is_kept_but_not_for_ever(faces: DeckFaces) -> None:
    templates = Templates(faces, 0.5)
    first = templates.stack(0.6)
    assert templates.stack(0.6) is first
    assert first.shape == (3, 44, 32, 3)
    assert templates.template(1, 0.6) is templates.template(1, 0.6)
    for blur in range(1, 10):
        templates.stack(float(blur))
    again = templates.stack(0.6)
    assert again is not first
    assert np.array_equal(again, first)
