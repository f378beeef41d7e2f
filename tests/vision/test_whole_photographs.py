"""Cards in any photograph are found, named and ordered without knowing the camera or the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame
from arena_cam.domain.lies import Face, Lie, Reading, Unreadable
from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.reader import PhotographReader

PHOTOGRAPHS = Path(__file__).parents[1] / "fixtures" / "images" / "photographs"
Picture = NDArray[np.uint8]

# Where the middle of each card is in the photographs, in pixels, read off by eye.
FOUR_ON_WOOD = {"QC": (86, 102), "KS": (184, 130), "KD": (140, 302), "QD": (322, 243)}
FOUR_ON_CONCRETE = {"JD": (67, 253), "JH": (299, 319), "9C": (205, 194), "AS": (159, 371)}
TWO_ON_CARPET = {"QC": (242, 257), "9C": (135, 223)}


@pytest.fixture(scope="module")
def faces() -> DeckFaces:
    return DeckFaces(read_deck(PHOTOGRAPHS / "deck"))


def photograph(name: str) -> Picture:
    image = read_picture(PHOTOGRAPHS / f"{name}.jpg")
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.fixture(scope="module")
def reader(faces: DeckFaces) -> PhotographReader:
    return PhotographReader(faces)


@pytest.fixture(scope="module")
def carpet(reader: PhotographReader) -> Reading:
    return read(photograph("two_on_carpet"), reader, "frame")


def read(image: Picture, reader: PhotographReader, name: str) -> Reading:
    reading = reader.read(Frame(image, 0.0, 0, "test", name))
    assert isinstance(reading, Reading)
    return reading


def named(reading: Reading) -> dict[str, Lie]:
    return {lie.card: lie for lie in reading.lies if lie.card is not None}


def middle(lie: Lie) -> NDArray[np.float64]:
    return np.asarray(np.mean(lie.corners_px, axis=0))


def laid(picture: Picture, faces: DeckFaces, card: str, centre: tuple[float, float], turn_deg: float) -> Picture:
    """`picture` with a card drawn over it at 2 px/mm, turned anticlockwise."""
    face = read_picture(faces.deck.by_id[card].image)
    assert face is not None
    height, width = face.shape[:2]
    to = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), turn_deg, 126 / width)
    to[:, 2] += np.array(centre) - (width / 2 - 0.5, height / 2 - 0.5)
    size = (picture.shape[1], picture.shape[0])
    drawn = cv2.warpAffine(face, to, size, flags=cv2.INTER_AREA)
    there = cv2.warpAffine(np.full((height, width), 255, np.uint8), to, size, flags=cv2.INTER_NEAREST) > 0
    return np.asarray(np.where(there[:, :, None], drawn, picture), np.uint8)


def tablecloth(seed: int = 3) -> Picture:
    """A dim cloth (480, 640) with a weave and the camera's noise."""
    noise = np.random.default_rng(seed).normal(0, 12, (480, 640, 3))
    woven = cv2.GaussianBlur(noise * 4, (0, 0), 2) + np.array([70.0, 80.0, 60.0])
    return np.asarray(np.clip(woven, 0, 255), np.uint8)


def test_every_card_of_a_photograph_is_named_where_it_lies(carpet: Reading) -> None:
    assert _lies_where_it_is(carpet, TWO_ON_CARPET)


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        pytest.param("four_on_wood", FOUR_ON_WOOD, marks=pytest.mark.thorough),
        ("four_on_concrete", FOUR_ON_CONCRETE),
    ],
)
def test_four_cards_of_a_photograph_are_named_where_they_lie(
    reader: PhotographReader, name: str, truth: dict[str, tuple[float, float]]
) -> None:
    assert _lies_where_it_is(read(photograph(name), reader, name), truth)


def _lies_where_it_is(reading: Reading, truth: Mapping[str, tuple[float, float]]) -> bool:
    lies = named(reading)
    assert set(lies) == set(truth)
    return all(np.linalg.norm(middle(lies[card]) - where) < 12 for card, where in truth.items())


def test_landing_and_millimetres_are_not_guessed_without_a_table(carpet: Reading) -> None:
    assert carpet.frame == "frame"
    assert carpet.lies
    for lie in carpet.lies:
        assert (lie.landing, lie.tilt_deg, lie.centre_mm, lie.corners_mm) == (None, None, None, None)
        assert 0.5 <= lie.identity_probability <= 1.0


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("two_on_carpet", TWO_ON_CARPET),
        pytest.param("four_on_wood", FOUR_ON_WOOD, marks=pytest.mark.thorough),
        pytest.param("four_on_concrete", FOUR_ON_CONCRETE, marks=pytest.mark.thorough),
    ],
)
def test_a_card_that_the_deck_does_not_have_gets_no_sure_name(
    faces: DeckFaces, name: str, there: dict[str, tuple[float, float]]
) -> None:
    missing = {"KD", "9C", "JH"}
    deck = replace(faces.deck, cards=tuple(card for card in faces.deck.cards if card.id not in missing))
    reading = read(photograph(name), PhotographReader(DeckFaces(deck)), name)
    assert {lie.card for lie in reading.lies if lie.sure} <= set(there) - missing
    assert not reading.sure


def test_the_upper_card_of_two_is_told_from_the_overlap(faces: DeckFaces, reader: PhotographReader) -> None:
    below, above = ("KS", (280.0, 230.0), 20.0), ("JH", (350.0, 250.0), -35.0)
    for lower, upper in ((below, above), (above, below)):
        picture = laid(laid(tablecloth(), faces, *lower), faces, *upper)
        reading = read(picture, reader, "two")
        assert reading.covers == ((upper[0], lower[0]),)
        assert [lie.key for lie in reading.lies] == [lower[0], upper[0]]
        assert named(reading)[upper[0]].rests_on == (lower[0],)
        assert named(reading)[upper[0]].sure


def test_corners_and_turn_follow_the_card_to_a_pixel(faces: DeckFaces, reader: PhotographReader) -> None:
    lie = named(read(laid(tablecloth(), faces, "AS", (300.0, 220.0), 115.0), reader, "one"))["AS"]
    assert np.linalg.norm(middle(lie) - (300.0, 220.0)) < 1.0
    assert abs((lie.angle_deg - 115.0 + 180) % 360 - 180) < 1.0
    width = np.linalg.norm(np.subtract(lie.corners_px[1], lie.corners_px[0]))
    assert width == pytest.approx(126, abs=2)
    assert lie.face is Face.UP


def test_a_card_mostly_hidden_is_not_said_to_be_sure(faces: DeckFaces, reader: PhotographReader) -> None:
    picture = laid(tablecloth(), faces, "KD", (300.0, 220.0), 0.0)
    picture[:, 285:] = (40, 90, 140)  # something flat and brown lies over all but the left third
    lies = named(read(picture, reader, "hidden"))
    assert set(lies) <= {"KD"}
    assert not any(lie.sure for lie in lies.values())


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_an_empty_picture_has_no_cards(reader: PhotographReader, shade: int) -> None:
    reading = read(np.full((300, 400, 3), shade, np.uint8), reader, "empty")
    assert reading.lies == ()


def test_a_cloth_alone_has_no_cards(reader: PhotographReader) -> None:
    assert read(tablecloth(), reader, "cloth").lies == ()


def test_a_picture_too_small_to_tell_a_card_in_is_refused_with_a_remedy(reader: PhotographReader) -> None:
    answer = reader.read(Frame(np.zeros((30, 200, 3), np.uint8), 0.0, 0, "test", "strip"))
    assert isinstance(answer, Unreadable)
    assert "200 x 30" in str(answer.doubts[0])
    assert "40 pixels" in str(answer.remedy)
