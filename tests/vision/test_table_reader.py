"""The whole eye on single pictures: rendered tables with exact truth, and pictures that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing, Lie, Reading, Unreadable
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.reading.table_reader import TableReader

STILLS = 5
# What a card must show of itself to be looked for at all.
VISIBLE = 0.4


def _frame(image: np.ndarray) -> Frame:
    return Frame(image, 0.0, 0, "test", "still.jpg")


@pytest.fixture(scope="module")
def reader(still_table: StillTable, deck: Deck, empty_arena: Path) -> TableReader:
    return TableReader(replace(still_table.scene.table, empty=empty_arena), deck, hold_pose=False)


@pytest.fixture(scope="module")
def readings(still_table: StillTable, reader: TableReader) -> list[tuple[Reading, dict[str, Any]]]:
    out = []
    for number in range(STILLS):
        image, truth = still_table.still(number)
        reading = reader.read(_frame(image))
        assert isinstance(reading, Reading)
        out.append((reading, truth))
    return out


def _pairs(readings: list[tuple[Reading, dict[str, Any]]]) -> list[tuple[Any, dict[str, Any]]]:
    """(lie, truth) of every face-up card that shows enough of itself."""
    found = []
    for reading, truth in readings:
        lies = {lie.card: lie for lie in reading.lies}
        for card in truth["cards"]:
            if card["face"] == "up" and card["visible_fraction"] >= VISIBLE:
                found.append((lies.get(card["id"]), card))
    return found


def test_every_card_in_view_is_found_under_its_name(readings: list[tuple[Reading, dict[str, Any]]]) -> None:
    pairs = _pairs(readings)
    assert len(pairs) >= 10
    assert [card["id"] for lie, card in pairs if lie is None] == []


def test_no_card_is_named_surely_that_is_not_there(readings: list[tuple[Reading, dict[str, Any]]]) -> None:
    for reading, truth in readings:
        there = {card["id"] for card in truth["cards"]}
        assert [lie.card for lie in reading.lies if lie.sure and lie.card and lie.card not in there] == []


def test_landings_tilts_and_corners_are_those_of_the_table(readings: list[tuple[Reading, dict[str, Any]]]) -> None:
    for lie, card in _pairs(readings):
        if lie is None or card["ambiguous"]:
            continue
        assert lie.landing is Landing(card["landing"]), card
        assert lie.tilt_deg == pytest.approx(card["tilt_deg"], abs=2.5)
        assert np.abs(np.array(lie.corners_px) - np.array(card["corners_px"])).mean() < 2.0


def test_the_upper_card_of_a_pair_comes_later(readings: list[tuple[Reading, dict[str, Any]]]) -> None:
    seen = 0
    for reading, truth in readings:
        place = {lie.card: i for i, lie in enumerate(reading.lies)}
        for upper, lower in reading.covers:
            above = {c["id"]: c.get("above", []) for c in truth["cards"]}
            assert place.get(upper, 99) > place.get(lower, -1)
            if upper in above and lower in above:
                seen += 1
                assert lower in above[upper]
    assert seen >= 3


@pytest.fixture(scope="module")
def without_markers(still_table: StillTable, deck: Deck) -> TableReader:
    """A reader that sees the same cards, but has only their faces to tell them by."""
    cards = tuple(replace(card, markers=(), qr=None) for card in deck.cards)
    return TableReader(still_table.scene.table, replace(deck, cards=cards), hold_pose=False)


def test_covered_cards_are_named_by_what_shows_of_them(
    still_table: StillTable, deck: Deck, reader: TableReader
) -> None:
    """By their faces alone, with the empty arena's picture: a sixth to two fifths of each is in view."""
    cards = tuple(replace(card, markers=(), qr=None) for card in deck.cards)
    by_face = TableReader(reader.table, replace(deck, cards=cards), hold_pose=False)
    covered = 0
    for number in (2, 3, 4):
        image, truth = still_table.still(number)
        reading = by_face.read(_frame(image))
        assert isinstance(reading, Reading)
        there = {card["id"] for card in truth["cards"]}
        lies = {lie.card: lie for lie in reading.lies if lie.card is not None and lie.identity_probability > 0.9}
        assert lies.keys() <= there, "what is more than a guess is there"
        for card in truth["cards"]:
            if card["face"] == "up" and 0.15 < card["visible_fraction"] < VISIBLE:
                assert lies[card["id"]].landing == card["landing"]
                assert lies[card["id"]].centre_mm == pytest.approx(card["centre_mm"][:2], abs=1.0)
                covered += 1
    assert covered >= 5


def _changed_at(lies: Sequence[Lie], image: np.ndarray) -> np.ndarray:
    """A mask an eighth as large as the picture: where `lies` are."""
    mask = np.zeros((image.shape[0] // 8, image.shape[1] // 8), np.uint8)
    for lie in lies:
        cv2.fillConvexPoly(mask, np.round(np.array(lie.corners_px) / 8).astype(np.int32), (1,))
    return cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0


def test_cards_that_came_are_looked_for_where_the_picture_changed(
    still_table: StillTable, without_markers: TableReader
) -> None:
    compared = 0
    for number in range(2):
        image, _ = still_table.still(number)
        whole = without_markers.read(_frame(image))
        assert isinstance(whole, Reading)
        nowhere = without_markers.read(_frame(image), changed=_changed_at([], image))
        assert isinstance(nowhere, Reading)
        assert nowhere.lies == ()
        for came in (lie for lie in whole.lies if lie.visible_fraction > 0.95 and lie.sure):
            others = tuple(lie for lie in whole.lies if lie.key != came.key)
            now = without_markers.read(_frame(image), known=others, changed=_changed_at([came], image))
            assert isinstance(now, Reading)
            assert {lie.card for lie in now.lies} == {lie.card for lie in whole.lies}
            (found,) = (lie for lie in now.lies if lie.card == came.card)
            assert found.landing is came.landing
            assert np.abs(np.array(found.corners_px) - np.array(came.corners_px)).max() < 0.5
            compared += 1
    assert compared >= 3


def test_a_card_known_before_is_found_again(still_table: StillTable, reader: TableReader) -> None:
    image, _ = still_table.still(0)
    first = reader.read(_frame(image))
    assert isinstance(first, Reading)
    again = reader.read(_frame(image), known=first.lies)
    assert isinstance(again, Reading)
    assert {lie.card for lie in again.lies} == {lie.card for lie in first.lies}


def test_something_that_is_no_card_makes_the_frame_unsure(still_table: StillTable, reader: TableReader) -> None:
    image = still_table.empty().copy()
    height, width = image.shape[:2]
    middle_y, middle_x = height // 2, width // 2
    image[middle_y - 30 : middle_y + 30, middle_x - 20 : middle_x + 20] = (30, 200, 240)
    reading = reader.read(_frame(image))
    assert isinstance(reading, Reading)
    assert reading.lies == ()
    assert not reading.sure
    assert any("something unknown" in why for why in reading.why_unsure)


def test_the_empty_arena_holds_no_cards_and_no_doubts(still_table: StillTable, reader: TableReader) -> None:
    reading = reader.read(_frame(still_table.empty()))
    assert isinstance(reading, Reading)
    assert (reading.lies, reading.sure) == ((), True)


@pytest.mark.parametrize(
    ("grey", "word"),
    [(0, "black"), (255, "white"), (120, "fiducials")],
)
def test_pictures_that_show_nothing_are_refused_with_a_remedy(
    still_table: StillTable, reader: TableReader, grey: int, word: str
) -> None:
    width, height = still_table.scene.table.image_size
    reading = reader.read(_frame(np.full((height, width, 3), grey, np.uint8)))
    assert isinstance(reading, Unreadable)
    assert word in str(reading)
    assert str(reading.remedy)


def test_a_picture_of_another_size_is_refused(reader: TableReader) -> None:
    reading = reader.read(_frame(np.full((240, 320, 3), 120, np.uint8)))
    assert isinstance(reading, Unreadable)
    assert "320x240" in str(reading)


def test_a_table_without_a_picture_of_its_empty_arena_will_do(still_table: StillTable, deck: Deck) -> None:
    image, truth = still_table.still(1)
    reading = TableReader(replace(still_table.scene.table, empty=None), deck).read(_frame(image))
    assert isinstance(reading, Reading)
    shown = {c["id"] for c in truth["cards"] if c["face"] == "up" and c["visible_fraction"] > 0.8}
    assert shown <= {lie.card for lie in reading.lies}


def test_a_table_of_another_description_is_refused(still_table: StillTable, deck: Deck) -> None:
    """Any two fiducials make a pose; where most of them contradict each other nothing may be read by it."""
    table = still_table.scene.table
    places = dict(table.fiducials.centres_mm)
    first, second, *_ = places
    (x1, y1), (x2, y2) = places[first], places[second]
    places |= {first: (x1 + 60.0, y1), second: (x2, y2 + 45.0)}
    wrong = replace(table, fiducials=replace(table.fiducials, centres_mm=places))
    reading = TableReader(wrong, deck, hold_pose=False).read(_frame(still_table.still(0)[0]))
    assert isinstance(reading, Unreadable)
    assert "description" in str(reading)
    assert "calibrate" in str(reading.remedy)
