"""Guesses by what one frame shows of the floor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.finding import floor_guesses
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses, likeliest
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import MOST_GUESSES, Finder, Guess, near, one_for_each_place, place_at
from arena_cam.vision.reading.guesses.line_segments import ColourView, straight_segments
from vision.reading.finding.blank_cards import known_of
from vision.scenes import HERE, SIZE, fit_at, moved, scene_of
from vision.small import camera_above

UPPER = moved(HERE, 20.0, 25.0, 30.0)


@pytest.fixture
def piled(detailed: DeckFaces) -> Known:
    """A card mostly in view under another, which is known, on a table whose empty picture is known."""
    scene = scene_of(detailed, ("card-1", HERE), ("card-2", UPPER), with_empty=True)
    known = Known.nothing_of(scene)
    return known.plus(fit_at(known, 2, UPPER), 2)


def guesses(known: Known) -> FloorGuesses:
    return FloorGuesses(known.scene, KeptMaps(None))


def is_at(pose: CardPose, true: CardPose, mm: float = 5.0) -> bool:
    return any(near(place_at(way), place_at(true), mm, 6.0) for way in (pose, pose.half_turned))


def test_an_empty_table_gives_nothing(detailed: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(detailed, with_empty=True))
    assert guesses(known).from_pieces(known) == []
    assert guesses(known).from_sides(known) == []
    assert guesses(known).turned_both_ways(known, []) == []


def test_without_the_empty_picture_pieces_are_not_known(detailed: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    assert guesses(known).from_pieces(known) == []
    assert guesses(known).from_sides(known) == []


def test_a_piece_is_guessed_under_its_likeliest_name(piled: Known) -> None:
    found = [guess for guess in guesses(piled).from_pieces(piled) if is_at(guess.pose, HERE)]
    assert found
    assert {guess.finder for guess in found} == {Finder.PIECES}
    assert found[0].face == likeliest(piled, found[0].pose, 1.0, Finder.PIECES).face
    assert likeliest(piled, HERE, 1.0, Finder.PIECES).face == 1


def test_while_nothing_more_is_known_pieces_are_guessed_once(piled: Known) -> None:
    asked = guesses(piled)
    assert [id(guess) for guess in asked.from_pieces(piled)] == [id(guess) for guess in asked.from_pieces(piled)]
    assert asked.from_pieces(piled.plus(fit_at(piled, 1, HERE), 1)) == []


def test_pieces_that_features_outvote_are_not_named(piled: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried in the end is the same as if they had been."""
    pieces = guesses(piled).from_pieces(piled)
    here = next(guess.pose for guess in pieces if is_at(guess.pose, HERE))
    ways = [Guess(3, pose, 9.0, Finder.FEATURES) for pose in (here, here.half_turned)]
    left = guesses(piled).from_pieces(piled, ways)
    assert len(left) < len(pieces)
    tried, expected = (one_for_each_place([*ways, *each]) for each in (left, pieces))
    assert [place_at(guess.pose).tolist() for guess in tried] == [place_at(guess.pose).tolist() for guess in expected]
    for beside in (ways[:1], [replace(guess, votes=0.2) for guess in ways]):
        assert len(guesses(piled).from_pieces(piled, beside)) == len(pieces)
    apart = [Guess(1, moved(HERE, 20.0 * number, 0.0), 2.0, Finder.FEATURES) for number in range(MOST_GUESSES)]
    monkeypatch.setattr(floor_guesses, "likeliest", None)  # nobody is named
    assert guesses(piled).from_pieces(piled, apart) == []


def test_a_place_by_its_piece_is_tried_either_way_up(piled: Known) -> None:
    places = guesses(piled).turned_both_ways(piled, [Guess(3, HERE, 4.0, Finder.FEATURES)])
    assert any(near(place_at(pose), place_at(HERE), 5.0, 6.0) for pose in places)
    assert any(near(place_at(pose), place_at(HERE.half_turned), 5.0, 6.0) for pose in places)


def test_the_sides_of_cards_found_long_ago_are_not_looked_for(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, far = CardPose.flat(-140.0, -20.0, 10.0), CardPose.flat(140.0, 20.0, 40.0)
    camera = camera_above(1.2, SIZE)
    scene = scene_of(detailed, ("card-1", found), ("card-2", far), camera=camera, with_empty=True)
    known = Known.nothing_of(scene).beneath(found, 1)
    areas: list[int] = []

    def counted(view: ColourView, where: NDArray[np.uint8], most: int | None) -> Array:
        areas.append(int(where.sum()))
        return straight_segments(view, where, most)

    monkeypatch.setattr("arena_cam.vision.reading.guesses.rectangles.straight_segments", counted)
    asked = guesses(known)
    for nearby in (True, True, False):
        assert any(is_at(guess.pose, far) for guess in asked.from_sides(known, nearby=nearby))
    assert len(areas) == 2
    assert areas[0] < 0.7 * areas[1]


def test_a_face_is_searched_everywhere(piled: Known) -> None:
    found = guesses(piled).everywhere(piled, 1)
    assert any(is_at(guess.pose, HERE) for guess in found[:3])
    assert {guess.face for guess in found} == {1}


def test_the_view_is_as_fine_as_asked_for(detailed: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(detailed))
    usual, finer = (guesses(known).view(times) for times in (1.0, 2.0))
    assert usual.px_per_mm == FeatureFinder.PX_PER_MM
    assert np.array(finer.grey.shape) == pytest.approx(2 * np.array(usual.grey.shape), abs=2)


def test_a_card_over_a_wall_is_guessed_as_it_leans_until_it_is_known(blank: DeckFaces, tmp_path: Path) -> None:
    """It rests on the rim 100 mm from the middle and 15 mm high, and with one side on the floor."""
    rise = np.radians(24.0)
    turn = np.array([[np.cos(rise), 0.0, np.sin(rise)], [0.0, 1.0, 0.0], [-np.sin(rise), 0.0, np.cos(rise)]])
    true = CardPose(turn.T, np.array([95.1, 4.0, 31.5 * np.sin(rise)]))  # its right side is raised
    known = known_of(blank, tmp_path, ("card-1", true))
    places = guesses(known).leaning(known)
    assert any(np.linalg.norm(pose.centre_mm - true.centre_mm) < 4.0 for pose in places)
    assert guesses(known.plus(fit_at(known, 1, true), 1)).leaning(known.plus(fit_at(known, 1, true), 1)) == []
