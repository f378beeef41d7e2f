"""One frame over a small table, from picture to reading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Landing, Reading, Unreadable
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.table_reader import TableReader
from vision.small import blotches, camera_above, empty_table, frame, painted, small_deck, small_table, with_card

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
EMPTY = empty_table(TABLE, CAMERA, floor=70)
HERE, UPPER = CardPose.flat(-30.0, 0.0, 20.0, 0.3), CardPose.flat(-5.0, 10.0, 75.0, 0.6)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> TableReader:
    folder = tmp_path_factory.mktemp("table")
    cv2.imwrite(str(folder / "empty.png"), EMPTY)
    deck = small_deck(folder / "deck", [blotches(seed, cell=16) // 2 + 125 for seed in range(5)])
    return TableReader(replace(TABLE, empty=folder / "empty.png"), deck, hold_pose=False)


def read(reader: TableReader, *cards: tuple[str, CardPose], expected: tuple[str, ...] = ()) -> Reading:
    picture = EMPTY
    for card, pose in cards:
        picture = with_card(picture, reader.deck, card, CAMERA, pose)
    answer = reader.read(frame(picture), expected=expected)
    assert isinstance(answer, Reading)
    return answer


def test_an_empty_table_is_read_as_one(reader: TableReader) -> None:
    reading = read(reader)
    assert reading.sure
    assert reading.lies == ()
    assert reading.pose is not None


def test_a_pile_is_read_bottom_to_top(reader: TableReader) -> None:
    reading = read(reader, ("card-1", HERE), ("card-3", UPPER))
    assert [lie.key for lie in reading.lies] == ["card-1", "card-3"]
    assert reading.covers == (("card-3", "card-1"),)
    lower, upper = reading.lies
    assert (lower.rests_on, upper.rests_on) == ((), ("card-1",))
    assert lower.landing is upper.landing is Landing.FLAT
    assert lower.centre_mm == pytest.approx(tuple(HERE.centre_mm[:2]), abs=0.3)
    assert reading.sure, reading.doubts


def test_what_is_read_does_not_hang_on_what_was_read_before(reader: TableReader) -> None:
    first = read(reader, ("card-1", HERE))
    read(reader, ("card-4", UPPER))
    assert read(reader, ("card-1", HERE)) == first


def test_something_unknown_is_told_with_its_place(reader: TableReader) -> None:
    corners = np.array([[50.0, 40.0, 0.0], [80.0, 40.0, 0.0], [80.0, 20.0, 0.0], [50.0, 20.0, 0.0]])
    picture = painted(EMPTY, np.full((8, 8, 3), (40, 200, 60), np.uint8), CAMERA, corners)
    reading = reader.read(frame(picture))
    assert isinstance(reading, Reading)
    (thing,) = reading.unknown
    assert thing.centre_mm == pytest.approx((65.0, 30.0), abs=2.0)
    assert not reading.sure
    assert reading.doubts[-1] == thing.doubt


@pytest.mark.parametrize(("right_mm", "may_be_card"), [(40.0, True), (500.0, False)], ids=["alone", "an arm"])
def test_something_large_may_be_a_card_unless_an_arm_reaches_in(
    reader: TableReader, right_mm: float, may_be_card: bool
) -> None:
    """A strip of skin on the floor, ending there or leading over the wall and the picture's border."""
    strip = np.array([[-20.0, 20.0, 0.0], [right_mm, 20.0, 0.0], [right_mm, -40.0, 0.0], [-20.0, -40.0, 0.0]])
    reading = reader.read(frame(painted(EMPTY, np.full((8, 8, 3), (140, 170, 210), np.uint8), CAMERA, strip)))
    assert isinstance(reading, Reading)
    assert [thing.may_be_card for thing in reading.unknown] == [may_be_card]


def test_what_has_a_cards_shape_and_lies_apart_from_an_arm_may_be_a_card(reader: TableReader) -> None:
    skin, thing = np.full((8, 8, 3), (140, 170, 210), np.uint8), np.full((8, 8, 3), (60, 120, 220), np.uint8)
    arm = np.array([[15.0, 45.0, 0.0], [500.0, 45.0, 0.0], [500.0, -20.0, 0.0], [15.0, -20.0, 0.0]])
    card = np.array([[-70.0, 30.0, 0.0], [-10.0, 30.0, 0.0], [-10.0, -50.0, 0.0], [-70.0, -50.0, 0.0]])
    reading = reader.read(frame(painted(painted(EMPTY, skin, CAMERA, arm), thing, CAMERA, card)))
    assert isinstance(reading, Reading)
    assert [unknown.may_be_card for unknown in reading.unknown] == [False, True]
    assert reading.unknown[1].centre_mm == pytest.approx((-40.0, -10.0), abs=2.0)


@pytest.mark.parametrize(
    ("left_mm", "right_mm", "may_be_card"), [(84, 100, True), (70, 80, False)], ids=["wall", "free"]
)
def test_of_a_card_over_a_wall_the_strip_along_it_hides_a_part(
    reader: TableReader, left_mm: float, right_mm: float, may_be_card: bool
) -> None:
    """Of either thing about 12 by 34 mm are seen, less than a tenth of a card (554 mm2); the floor beyond x = 93 mm is
    not compared."""
    strip = np.array([[left_mm, 15.0, 0.0], [right_mm, 15.0, 0.0], [right_mm, -15.0, 0.0], [left_mm, -15.0, 0.0]])
    reading = reader.read(frame(painted(EMPTY, np.full((8, 8, 3), (140, 170, 210), np.uint8), CAMERA, strip)))
    assert isinstance(reading, Reading)
    assert [thing.may_be_card for thing in reading.unknown] == [may_be_card]


def test_what_is_longer_than_a_card_is_none(reader: TableReader) -> None:
    hand = np.array([[-60.0, 30.0, 0.0], [60.0, 30.0, 0.0], [60.0, -10.0, 0.0], [-60.0, -10.0, 0.0]])
    reading = reader.read(frame(painted(EMPTY, np.full((8, 8, 3), (140, 170, 210), np.uint8), CAMERA, hand)))
    assert isinstance(reading, Reading)
    assert [thing.may_be_card for thing in reading.unknown] == [False]


def test_without_the_empty_arenas_picture_a_card_of_another_deck_is_no_empty_table(reader: TableReader) -> None:
    """With the wrong deck, or a back that is not known, `judge` surely saw nothing where a card lay in plain sight."""
    bare = TableReader(TABLE, reader.deck, hold_pose=False)
    assert read(bare).sure
    assert read(bare, ("card-1", HERE)).sure
    stranger = np.array([[20.0, 45.0, 0.0], [80.0, 45.0, 0.0], [80.0, -40.0, 0.0], [20.0, -40.0, 0.0]])
    picture = painted(EMPTY, blotches(77, cell=16) // 2 + 125, CAMERA, stranger)
    reading = bare.read(frame(picture))
    assert isinstance(reading, Reading)
    assert not reading.sure
    (thing,) = reading.unknown
    assert thing.may_be_card
    assert thing.centre_mm == pytest.approx((50.0, 2.5), abs=2.0)
    assert reading.doubts == (thing.doubt,)


def test_a_picture_without_fiducials_is_unreadable(reader: TableReader) -> None:
    answer = reader.read(frame(np.full((480, 640, 3), 120, np.uint8)))
    assert isinstance(answer, Unreadable)
    assert answer.doubts == (Doubt.FEW_FIDUCIALS(),)


def test_faces_are_those_of_the_deck(reader: TableReader) -> None:
    assert isinstance(reader.faces, DeckFaces)
    assert Path(reader.deck.cards[0].image).is_file()
    assert reader.faces.names == tuple(card.id for card in reader.deck.cards)
