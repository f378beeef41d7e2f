"""Every place on every card where the deck prints a marker that was seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.cards import Deck, PrintedMarker
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.guess import Finder
from arena_cam.vision.reading.guesses.printed_markers import MarkerPrints
from vision.small import HEIGHT_MM, WIDTH_MM, camera_above, small_deck

CAMERA = camera_above(2.5, (800, 600))
POSE = CardPose.flat(20.0, -10.0, 35.0, GUESS_HEIGHT_MM)
TOP, BOTTOM = (15.0, 12.0), (48.0, 76.0)  # from the card's top-left corner, y down
SIDE = 10.0


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """card-0 bears marker 5 twice, card-1 marker 7 twice, card-2 none."""
    plain = small_deck(tmp_path_factory.mktemp("deck"))

    def marked(number: int) -> tuple[PrintedMarker, ...]:
        return tuple(PrintedMarker("DICT_4X4_50", number, SIDE, x, y) for x, y in (TOP, BOTTOM))

    cards = [
        replace(card, markers=marked(id_) if id_ else ()) for card, id_ in zip(plain.cards, (5, 7, 0), strict=True)
    ]
    return replace(plain, cards=tuple(cards))


@pytest.fixture(scope="module")
def prints(deck: Deck) -> MarkerPrints:
    return MarkerPrints(DeckFaces(deck))


def seen(number: int, at: tuple[float, float], pose: CardPose = POSE, turned: bool = False) -> SeenMarker:
    half = SIDE / 2 * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (-1 if turned else 1)
    x, y = at[0] - WIDTH_MM / 2, HEIGHT_MM / 2 - at[1]
    return SeenMarker(number, CAMERA.project(pose.points(x + half[:, 0], y + half[:, 1])))


def test_without_markers_nothing_is_guessed(prints: MarkerPrints) -> None:
    assert prints.guesses([], CAMERA) == []
    assert prints.guesses([seen(30, TOP)], CAMERA) == [], "no card of the deck bears it"
    assert prints.in_place([], CAMERA, POSE) == {}


def test_one_marker_may_be_any_of_its_prints(prints: MarkerPrints) -> None:
    guesses = prints.guesses([seen(5, TOP)], CAMERA)
    assert [(guess.face, guess.votes, guess.finder) for guess in guesses] == [(0, 1.0, Finder.MARKERS)] * 2
    off = [np.linalg.norm(guess.pose.centre_mm - POSE.centre_mm) for guess in guesses]
    assert min(off) < 0.1
    assert max(off) > 50.0


def test_two_markers_that_agree_leave_one_place(prints: MarkerPrints) -> None:
    (guess,) = prints.guesses([seen(7, TOP), seen(7, BOTTOM)], CAMERA)
    assert (guess.face, guess.votes) == (1, 2.0)
    assert guess.is_exact
    assert np.allclose(guess.pose.centre_mm, POSE.centre_mm, atol=0.1)
    assert guess.pose.angle_deg == pytest.approx(35.0, abs=0.2)


def test_markers_are_counted_where_a_face_would_print_them(prints: MarkerPrints) -> None:
    markers = [seen(5, TOP), seen(5, BOTTOM), seen(7, TOP), seen(30, TOP)]
    assert prints.in_place(markers, CAMERA, POSE) == {0: 2, 1: 1}
    aside = CardPose.flat(26.0, -10.0, 35.0, GUESS_HEIGHT_MM)
    assert prints.in_place(markers, CAMERA, aside) == {}
    assert [prints.of_face(markers, face) for face in range(3)] == [2, 1, 0]


def test_the_decks_dictionaries_are_named_once(prints: MarkerPrints) -> None:
    assert prints.dictionaries == ["DICT_4X4_50"]
