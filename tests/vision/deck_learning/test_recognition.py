"""Which card was just taken: the very one in another light, one of a deck that looks alike, or its colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.deck_learning.recognition import KnownFaces, colour_name
from vision.small import HEIGHT_MM, WIDTH_MM, blotches

COLOURS = ("red", "yellow", "green", "blue", "violet")
BGR = {
    "red": (40, 40, 200),
    "yellow": (40, 200, 220),
    "green": (60, 160, 50),
    "blue": (200, 90, 40),
    "violet": (170, 50, 140),
}


@pytest.fixture
def known() -> KnownFaces:
    faces = KnownFaces(WIDTH_MM, HEIGHT_MM)
    for seed in range(3):
        faces.add(f"card-{seed}", blotches(seed))
    return faces


def figure(number: int) -> np.ndarray:
    """A face of one colour with a figure 11 mm high in two corners, as of a deck without pictures."""
    face = np.full((352, 252, 3), BGR["red"], np.uint8)
    for _ in range(2):
        cv2.putText(face, str(number), (16, 60), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (250, 250, 250), 8, cv2.LINE_AA)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return face


def photographed(face: np.ndarray, gain: float = 1.0, offset: float = 0.0, slope: float = 0.0) -> np.ndarray:
    across = np.linspace(1 - slope, 1 + slope, face.shape[1])[None, :, None]
    noise = np.random.default_rng(0).normal(0, 3.0, face.shape)
    return np.asarray(np.clip(gain * across * face + offset + noise, 0, 255), np.uint8)


def test_no_face_is_known_at_first() -> None:
    empty = KnownFaces(WIDTH_MM, HEIGHT_MM)
    assert empty.differences(blotches(0)) == {}
    assert empty.same_as(blotches(0)) is None
    assert empty.most_like(blotches(0), ["card-0"]) is None


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("gain", "offset", "slope"), [(1.0, 0.0, 0.0), (0.6, 10.0, 0.0), (0.8, 20.0, 0.15)])
def test_a_card_is_known_again_in_other_light_and_either_way_up(
    known: KnownFaces, gain: float, offset: float, slope: float, turned: bool
) -> None:
    seen = photographed(blotches(1), gain, offset, slope)
    assert known.same_as(np.ascontiguousarray(seen[::-1, ::-1]) if turned else seen) == "card-1"


@pytest.mark.parametrize("other", [blotches(7), 255 - blotches(1), np.full((352, 252, 3), 128, np.uint8)])
def test_another_card_is_none_of_the_known(known: KnownFaces, other: np.ndarray) -> None:
    assert known.same_as(other) is None


def test_cards_that_differ_by_a_figure_alone_are_two() -> None:
    faces = KnownFaces(WIDTH_MM, HEIGHT_MM)
    faces.add("3", figure(3))
    assert faces.same_as(photographed(figure(3), 0.9)) == "3"
    assert faces.same_as(photographed(figure(7), 0.9)) is None


def dark(number: int) -> np.ndarray:
    """A face nearly black, with a figure 11 mm high of a blue hardly paler."""
    face = np.full((352, 252, 3), (32, 28, 28), np.uint8)
    cv2.putText(face, str(number), (100, 200), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (72, 50, 40), 8, cv2.LINE_AA)
    return face


def test_a_dark_card_with_a_faint_figure_of_its_own_is_new() -> None:
    """It was said to be known, and could never be learned."""
    faces = KnownFaces(WIDTH_MM, HEIGHT_MM)
    for number in (3, 4, 9):
        faces.add(str(number), dark(number))
        assert faces.same_as(photographed(dark(7))) is None
    assert faces.same_as(photographed(dark(4))) == "4"


def test_a_name_added_again_shows_its_new_face(known: KnownFaces) -> None:
    known.add("card-1", blotches(8))
    assert known.same_as(blotches(8)) == "card-1"
    assert known.same_as(blotches(1)) is None


def test_only_the_cards_asked_about_can_be_most_like(known: KnownFaces) -> None:
    seen = photographed(blotches(1), 0.8)
    assert known.most_like(seen, ["card-0", "card-1", "card-2"]) == "card-1"
    assert known.most_like(seen, ["card-0"]) == "card-0"
    assert known.most_like(seen, []) is None


def test_of_two_about_as_like_neither_is_most_like(known: KnownFaces) -> None:
    known.add("twin", blotches(1))
    assert known.most_like(photographed(blotches(1)), ["card-1", "twin"]) is None


@pytest.mark.parametrize("name", COLOURS)
def test_a_face_is_called_by_the_colour_on_it(name: str) -> None:
    face = np.full((352, 252, 3), 240, np.uint8)
    face[:140] = BGR[name]
    assert colour_name(face, COLOURS) == name
    assert colour_name(face, [each for each in COLOURS if each != name]) is None


def test_orange_is_yellow_where_no_orange_is_played() -> None:
    assert colour_name(np.full((352, 252, 3), (30, 130, 230), np.uint8), COLOURS) == "yellow"


@pytest.mark.parametrize(
    "rows", [{}, {"red": 20}, {"red": 100, "green": 100}], ids=["no colour", "a spot of colour", "two colours"]
)
def test_no_colour_that_stands_out_is_none(rows: dict[str, int]) -> None:
    face = np.full((352, 252, 3), 200, np.uint8)
    top = 0
    for name, height in rows.items():
        face[top : top + height] = BGR[name]
        top += height
    assert colour_name(face, COLOURS) is None
