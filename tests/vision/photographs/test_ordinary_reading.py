"""What is said of a picture whose plane is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Side
from arena_cam.domain.lies import Face, Reading
from arena_cam.simulation.things.ordinary_pack import draw_back, random_style
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs import plane_search
from arena_cam.vision.photographs.on_plane import OnPlane
from arena_cam.vision.photographs.ordinary_reading import reading_of
from arena_cam.vision.planes.outline_corners import Corners
from vision.photographs.ordinary_pictures import (
    APART,
    CAMERA,
    LOW,
    SIZE,
    photograph,
    read,
)
from vision.small import painted, with_card


def test_a_back_beside_a_card_lies_face_down(pack: DeckFaces) -> None:
    back = draw_back(random_style(12))
    picture = photograph(pack, ("5C", LOW))
    reading = read(painted(picture, back, CAMERA, APART.corners(pack.deck.width_mm, pack.deck.height_mm)))
    assert [lie.card for lie in reading.lies if lie.face is Face.UP] == ["5C"]
    (down,) = [lie for lie in reading.lies if lie.face is Face.DOWN]
    assert (down.key, down.card) == ("?1", None)
    true = CAMERA.project(APART.corners(pack.deck.width_mm, pack.deck.height_mm)).mean(axis=0)
    assert np.abs(np.mean(down.corners_px, axis=0) - true).max() < 5.0


def test_a_stock_whose_rim_is_as_light_as_the_table_lies_face_down(pack: DeckFaces) -> None:
    """Its print's side is plainer than its own: laid by one corner it was some millimetres off, and asked about."""
    table = np.full((SIZE[1], SIZE[0], 3), (150, 160, 165), np.uint8)
    picture = with_card(table, pack.deck, "5C", CAMERA, LOW)
    back = np.full((352, 252, 3), (200, 205, 210), np.uint8)
    back[16:-16, 16:-16] = (70, 90, 60)
    back[16:-16:6, 16:-16] = back[16:-16, 16:-16:6] = (150, 160, 150)
    reading = read(painted(picture, back, CAMERA, APART.corners(pack.deck.width_mm, pack.deck.height_mm)))
    assert reading.sure
    assert [lie.card for lie in reading.lies] == [None, "5C"]


def test_an_outline_without_an_index_is_asked_about() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for pose in (LOW, APART):
        picture = painted(picture, np.full((88, 63, 3), 240, np.uint8), CAMERA, pose.corners(63.0, 88.0))
    reading = read(picture)
    assert [lie for lie in reading.lies if lie.card is not None] == []
    assert not reading.sure
    assert "stranger" in [why.code for why in reading.doubts]


def test_what_has_an_outline_and_no_index_is_told_where_it_lies() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    reading = read(painted(picture, np.full((88, 63, 3), 240, np.uint8), CAMERA, APART.corners(63.0, 88.0)))
    (thing,) = reading.unknown
    assert thing.doubt.param("side") is Side.RIGHT
    (middle,) = CAMERA.project(np.array([[75.0, -20.0, 0.0]]))
    assert np.mean(thing.ring_px, axis=0) == pytest.approx(middle, abs=15.0)


def test_paper_that_no_card_explains_is_asked_about(pack: DeckFaces) -> None:
    """A piece of a card whose sides are lost on another's white is too small for an outline."""
    alone = photograph(pack, ("5C", LOW))
    strip = LOW.points(np.array([30.0, 52.0, 52.0, 30.0]), np.array([25.0, 30.0, -5.0, -15.0]))
    beside = painted(alone, np.full((40, 22, 3), 245, np.uint8), CAMERA, strip)
    assert "stranger" not in [why.code for why in read(alone).doubts]
    assert "stranger" in [why.code for why in read(beside).doubts]


def test_what_a_plane_leaves_open_and_what_is_said_at_last_come_of_one_reading(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plane that seemed plain by its cards, and not before they were read, was read a second time for the answer."""
    made: list[OnPlane] = []

    def counted(_frame: Frame, found: OnPlane, _corners: Sequence[Corners]) -> Reading:
        made.append(found)
        return reading_of(_frame, found, _corners)

    monkeypatch.setattr(plane_search, "reading_of", counted)
    monkeypatch.setattr(OnPlane, "is_plain", False)
    monkeypatch.setattr(OnPlane, "leaves_nothing_open", True)
    assert read(photograph(pack, ("7S", LOW), ("KD", APART))).sure
    assert len(made) == 1
