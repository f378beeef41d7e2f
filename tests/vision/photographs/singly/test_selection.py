"""Cards that explain a photograph together: each pixel once."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.singly.selection import area_mm2, choose, painted, sampled
from arena_cam.vision.planes.candidates import Candidate, settle
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from vision.planes.photographed import SIZE, homography, photograph

LEFT, RIGHT = CardPose.flat(-60.0, 5.0, 10.0), CardPose.flat(50.0, -10.0, -40.0)
OVER = CardPose.flat(-25.0, 15.0, 70.0)  # over LEFT


def candidate(picture: np.ndarray, face: int, pose: CardPose, templates: Templates) -> Candidate:
    found = settle(Picture(picture), homography(pose), face, templates, "test")
    assert found is not None
    return found


def test_of_one_card_guessed_twice_one_stays(faces: DeckFaces, templates: Templates) -> None:
    picture = photograph(faces.deck, ("card-0", LEFT))
    one = candidate(picture, 0, LEFT, templates)
    other = candidate(picture, 0, LEFT.moved(np.array([1.0, 0, 0, 0, 0, 0.01])), templates)
    assert len(choose([one, other], SIZE)) == 1


def test_cards_apart_all_stay_with_all_of_themselves(faces: DeckFaces, templates: Templates) -> None:
    picture = photograph(faces.deck, ("card-0", LEFT), ("card-1", RIGHT))
    chosen = choose([candidate(picture, face, pose, templates) for face, pose in ((0, LEFT), (1, RIGHT))], SIZE)
    assert sorted(each.candidate.face for each in chosen) == [0, 1]
    assert all(each.own.all() for each in chosen)
    evidence = [each.own_evidence for each in chosen]
    assert evidence == sorted(evidence, reverse=True)


def test_of_overlapping_cards_the_lower_keeps_what_is_its_own(faces: DeckFaces, templates: Templates) -> None:
    picture = photograph(faces.deck, ("card-0", LEFT), ("card-1", OVER))
    found = [candidate(picture, face, pose, templates) for face, pose in ((0, LEFT), (1, OVER))]
    chosen = {each.candidate.face: each for each in choose(found, SIZE)}
    assert set(chosen) == {0, 1}
    assert chosen[1].own.mean() > 0.9
    assert 0.3 < chosen[0].own.mean() < 0.95


def test_nothing_makes_nothing() -> None:
    assert choose([], SIZE) == []


@pytest.mark.parametrize("turn", [0.0, 33.0, 180.0])
def test_cells_painted_into_the_picture_are_found_again(templates: Templates, turn: float) -> None:
    grid = templates.grid
    place = homography(CardPose.flat(10.0, 5.0, turn))
    half = grid.x_mm > 0
    seen = sampled(painted(half, place, grid, SIZE), place, grid)
    inner = np.abs(grid.x_mm) > 2.0
    assert np.array_equal(seen[inner], half[inner])
    other = homography(CardPose.flat(-90.0, 5.0, turn))
    assert not sampled(painted(half, place, grid, SIZE), other, grid).any()


def test_beyond_the_picture_nothing_is_painted(templates: Templates) -> None:
    grid, away = templates.grid, homography(CardPose.flat(900.0, 0.0, 0.0))
    assert not painted(grid.mask, away, grid, SIZE).any()


def test_an_area_does_not_hang_on_the_grid(faces: DeckFaces) -> None:
    areas = [area_mm2(grid.x_mm > 0, grid) for grid in (faces.grid(1.0), faces.grid(2.0))]
    assert areas == pytest.approx([63 * 88 / 2] * 2, rel=0.03)
