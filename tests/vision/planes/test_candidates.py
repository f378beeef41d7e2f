"""Guesses that stand after alignment: the face that lies there, and how much of it is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.candidates import assess, better, candidates, corners_px, settle
from arena_cam.vision.planes.face_features import PlaceGuess
from arena_cam.vision.planes.picture import Picture, mm_from_cell
from arena_cam.vision.planes.plane_alignment import Templates, align
from vision.planes.photographed import homography, outline_px, photograph

HERE, BESIDE = CardPose.flat(-45.0, 5.0, 25.0), CardPose.flat(60.0, -10.0, -60.0)


def near(pose: CardPose, mm: float = 1.5) -> Array:
    return homography(pose.moved(np.array([mm, -mm, 0.0, 0.0, 0.0, 0.02])))


def test_the_right_faces_stand_and_are_brought_into_their_places(faces: DeckFaces, templates: Templates) -> None:
    picture = Picture(photograph(faces.deck, ("card-0", HERE), ("card-2", BESIDE)))
    guesses = [PlaceGuess(near(pose), face, 5.0, "features") for pose in (HERE, BESIDE) for face in range(3)]
    found = candidates(picture, guesses, templates)
    assert sorted(candidate.face for candidate in found[:2]) == [0, 2]
    for candidate in found[:2]:
        pose = HERE if candidate.face == 0 else BESIDE
        assert np.abs(corners_px(candidate.px_from_mm, templates) - outline_px(pose)).max() < 0.5
        assert candidate.visible_fraction > 0.9
    assert all(other.total < 0.3 * found[1].total for other in found[2:])


@pytest.mark.parametrize("half_turn", [False, True])
def test_an_outline_may_be_any_face_either_way_up(faces: DeckFaces, templates: Templates, half_turn: bool) -> None:
    picture = Picture(photograph(faces.deck, ("card-1", HERE)))
    place = near(HERE.half_turned if half_turn else HERE, 0.5)
    best = candidates(picture, [PlaceGuess(place, None, 0.0, "outline")], templates)[0]
    assert best.face == 1
    assert np.abs(corners_px(best.px_from_mm, templates) - outline_px(HERE)).max() < 0.5


def test_bare_cloth_and_no_guess_have_no_candidate(faces: DeckFaces, templates: Templates) -> None:
    picture = Picture(photograph(faces.deck))
    guesses = [PlaceGuess(homography(HERE), face, 5.0, "features") for face in (0, 1, 2, None)]
    assert candidates(picture, guesses, templates) == []
    assert candidates(picture, [], templates) == []


def test_what_another_card_covers_is_not_seen(faces: DeckFaces, templates: Templates) -> None:
    over = CardPose.flat(-5.0, 10.0, 25.0)
    picture = Picture(photograph(faces.deck, ("card-0", HERE), ("card-2", over)))
    found = settle(picture, near(HERE, 0.5), 0, templates, "test")
    assert found is not None
    assert 0.4 < found.visible_fraction < 0.75
    left, right = (found.visible[:, :25].mean(), found.visible[:, -10:].mean())
    assert left > 0.8 > 0.3 > right
    assert not found.evidence[~found.visible].any()


def test_print_much_fainter_than_the_deck_s_is_chance(faces: DeckFaces, templates: Templates) -> None:
    """A veil over print: under a third of its contrast in the same light."""
    clear = photograph(faces.deck, ("card-0", HERE)).astype(np.float32)
    for veil, stands in ((1.0, True), (0.25, False)):
        picture = Picture((veil * clear + (1 - veil) * 128.0).astype(np.uint8))
        fit = align(picture, homography(HERE), templates, 0, 0)
        found = None if fit is None else assess(picture, fit, 0, templates, "test")
        assert (found is not None) is stands


def test_a_finer_grid_says_the_same_more_exactly(faces: DeckFaces, templates: Templates) -> None:
    picture = Picture(photograph(faces.deck, ("card-0", HERE)))
    coarse = settle(picture, near(HERE), 0, templates, "outline")
    assert coarse is not None
    fine = better(picture, coarse, Templates(faces, 1.5))
    assert fine is not None
    assert fine.origin == "outline"
    assert fine.templates.grid.px_per_mm == 1.5
    assert np.abs(corners_px(fine.px_from_mm, templates) - outline_px(HERE)).max() < 0.4


def test_what_no_camera_could_see_so_is_no_card(faces: DeckFaces, templates: Templates) -> None:
    """A face stretched to three times its width is printed on something: not on a card."""
    place = homography(CardPose.flat(0.0, 0.0, 0.0)) @ np.diag([2.6, 1.0, 1.0])
    picture = photograph(faces.deck)
    face = np.clip(templates.grid.bgr_of(0), 0, 255).astype(np.uint8)
    cell, size = place @ mm_from_cell(templates.grid), picture.shape[1::-1]
    cv2.warpPerspective(face, cell, size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    fit = align(Picture(picture), place, templates, 0, 0)
    assert fit is not None
    assert fit.residual < 20.0
    assert assess(Picture(picture), fit, 0, templates, "test") is None
