"""Faces against the pixels at one place: the one that lies there costs least, and blank paper more."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.comparison import Comparison, compare, rank_faces
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from vision.planes.photographed import ground, homography, photograph

HERE = CardPose.flat(10.0, -5.0, 25.0)


def compared(templates: Templates, picture: np.ndarray, pose: CardPose = HERE) -> Comparison:
    place = homography(pose)
    weights = np.ones(templates.grid.mask.shape, np.float32)
    return compare(Picture(picture), place, templates, weights, [0, 1, 2], templates.blur_for(place))


@pytest.mark.parametrize("card", [0, 1, 2])
@pytest.mark.parametrize("light", [1.0, 0.5])
def test_the_face_that_lies_there_leads_in_any_light(
    faces: DeckFaces, templates: Templates, card: int, light: float
) -> None:
    picture = (photograph(faces.deck, (f"card-{card}", HERE)) * light).astype(np.uint8)
    found = compared(templates, picture)
    assert found.fits[0].face == card
    assert found.fits[0].gain == pytest.approx(1.0, abs=0.15)
    assert found.margin(0) == 0.0
    assert found.margin(2) >= found.margin(1) > 50.0
    assert found.evidence().sum() > 50.0


def test_white_balance_speaks_neither_for_a_face_nor_against_it(faces: DeckFaces, templates: Templates) -> None:
    picture = photograph(faces.deck, ("card-1", HERE))
    warm = np.clip(picture * np.array([0.7, 0.95, 1.1]), 0, 255).astype(np.uint8)
    assert compared(templates, warm).fits[0].face == 1


def test_where_no_face_lies_blank_paper_is_the_better_explanation(templates: Templates) -> None:
    paper = np.clip(ground(220).astype(np.float32), 0, 255).astype(np.uint8)
    found = compared(templates, paper)
    assert all(found.evidence(place).sum() < 0.0 for place in range(3))


def test_what_covers_a_part_costs_every_face_the_same(faces: DeckFaces, templates: Templates) -> None:
    """A hand over the card's left: its cells decide nothing, since each costs at most three standard deviations."""
    picture = photograph(faces.deck, ("card-2", HERE))
    hidden = picture.copy()
    hidden[:, :210] = (120, 150, 200)
    whole, covered = compared(templates, picture), compared(templates, hidden)
    assert covered.fits[0].face == 2
    assert covered.fits[0].cost.max() <= 4.5
    assert 0.0 < covered.margin(1) < whole.margin(1)


def test_a_smaller_photograph_says_less_a_cell(faces: DeckFaces, templates: Templates) -> None:
    half = np.diag([0.25, 0.25, 1.0]) @ homography(HERE)
    weights = np.ones(templates.grid.mask.shape, np.float32)
    picture = photograph(faces.deck, ("card-0", HERE))
    small = compare(Picture(picture[::4, ::4].copy()), half, templates, weights, [0], 1.2)
    assert small.nats_per_cell < compared(templates, picture).nats_per_cell


def test_without_weights_all_of_the_card_is_looked_at(faces: DeckFaces, templates: Templates) -> None:
    place, none = homography(HERE), np.zeros(templates.grid.mask.shape, np.float32)
    picture = Picture(photograph(faces.deck, ("card-1", HERE)))
    assert compare(picture, place, templates, none, [0, 1, 2], 0.6).fits[0].face == 1


def test_faces_are_ranked_by_their_correlation(faces: DeckFaces, templates: Templates) -> None:
    patch, inside = Picture(photograph(faces.deck, ("card-1", HERE))).patch(homography(HERE), templates.grid)
    alike = rank_faces(patch, inside.astype(np.float32), templates.stack(0.6))
    assert alike.argmax() == 1
    assert alike[1] > 0.95
    assert np.abs(alike).max() <= 1.0 + 1e-5
    again = rank_faces(
        patch * 0.5 + np.array([3.0, 20.0, 9.0], np.float32), inside.astype(np.float32), templates.stack(0.6)
    )
    assert again == pytest.approx(alike, abs=1e-3)


def test_an_even_patch_is_like_no_face(templates: Templates) -> None:
    even = np.full((*templates.grid.mask.shape, 3), 90.0, np.float32)
    alike = rank_faces(even, np.ones(templates.grid.mask.shape, np.float32), templates.stack(0.6))
    assert np.abs(alike).max() < 0.05
