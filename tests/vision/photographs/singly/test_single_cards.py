"""A photograph read card by card, each on a plane of its own."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Reading, Unreadable
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.singly.single_cards import SingleCardReader
from vision.planes.photographed import ground, outline_px, photograph
from vision.small import frame

LOW, OVER, APART = CardPose.flat(-60.0, 0.0, 10.0), CardPose.flat(-35.0, 20.0, 60.0), CardPose.flat(65.0, -20.0, -130.0)


@pytest.fixture(scope="module")
def reader(faces: DeckFaces) -> SingleCardReader:
    return SingleCardReader(faces)


@pytest.fixture(scope="module")
def three(reader: SingleCardReader, faces: DeckFaces) -> Reading:
    """card-1 over card-0, and card-2 by itself."""
    picture = photograph(faces.deck, ("card-0", LOW), ("card-1", OVER), ("card-2", APART))
    reading = reader.read(frame(picture, 3.5))
    assert isinstance(reading, Reading)
    return reading


def test_each_card_is_named_in_its_place(three: Reading) -> None:
    assert {lie.card for lie in three.lies} == {"card-0", "card-1", "card-2"}
    for key, pose in (("card-0", LOW), ("card-1", OVER), ("card-2", APART)):
        lie = three.lie(key)
        assert np.abs(np.array(lie.corners_px) - outline_px(pose)).max() < 1.0
        assert lie.face is Face.UP
        assert lie.landing is None
        assert (lie.angle_deg - pose.angle_deg + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=4.0)
        assert lie.identity_probability > 0.9
    assert three.time_s == 3.5


def test_who_covers_whom_is_told_bottom_to_top(three: Reading) -> None:
    assert three.covers == (("card-1", "card-0"),)
    keys = [lie.key for lie in three.lies]
    assert keys.index("card-1") > keys.index("card-0")
    assert three.lie("card-1").rests_on == ("card-0",)
    assert three.lie("card-0").rests_on == ()
    assert three.lie("card-0").visible_fraction < 0.85 < three.lie("card-2").visible_fraction


def test_an_even_ground_has_no_card_and_that_is_sure(reader: SingleCardReader) -> None:
    reading = reader.read(frame(ground()))
    assert isinstance(reading, Reading)
    assert (reading.lies, reading.covers, reading.sure) == ((), (), True)


def test_a_photograph_of_a_few_pixels_is_unreadable(reader: SingleCardReader) -> None:
    trouble = reader.read(frame(np.zeros((30, 200, 3), np.uint8)))
    assert isinstance(trouble, Unreadable)
    assert trouble.doubts[0].sentence is Doubt.SMALL_PHOTOGRAPH
