"""A photograph read without a table: the plane is found, then its cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Landing, Reading, Unreadable
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs import plane_search
from arena_cam.vision.photographs.index_check import (
    IndexCheck,
    IndexNames,
    against_deck,
    as_indexed,
    by_index_only,
)
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard, pose_on_floor
from arena_cam.vision.photographs.on_plane import IndexPlace, OnPlane
from arena_cam.vision.photographs.ordinary_reading import reading_of
from arena_cam.vision.photographs.plane_scene import PlaneReading, PlaneSceneReader
from arena_cam.vision.photographs.reader import PhotographReader, doubting_seconds, white_of, without_world
from vision.indices.cards import first_halves
from vision.planes.photographed import CAMERA, SIZE, ground, outline_px, photograph
from vision.small import camera_above, frame, lie

LEFT, RIGHT = CardPose.flat(-60.0, 5.0, 10.0), CardPose.flat(60.0, -15.0, -130.0)


@pytest.fixture(scope="module")
def reader(pack: DeckFaces) -> PhotographReader:
    return PhotographReader(pack)


def test_cards_are_found_in_a_plane_that_nobody_told(reader: PhotographReader, pack: DeckFaces) -> None:
    reading = reader.read(frame(photograph(pack.deck, ("AS", LEFT), ("KD", RIGHT)), 2.0))
    assert isinstance(reading, Reading)
    assert {lie.card for lie in reading.lies} == {"AS", "KD"}
    for card, pose in (("AS", LEFT), ("KD", RIGHT)):
        corners = np.array(reading.lie(card).corners_px)
        assert np.abs(corners.mean(axis=0) - outline_px(pose).mean(axis=0)).max() < 4.0
    assert all(lie.landing is None and lie.corners_mm is None for lie in reading.lies)
    assert reading.time_s == 2.0


def test_cards_printed_on_black_are_sure_by_their_indices_and_faces(black_pack: DeckFaces) -> None:
    """Their indices are light: read as they are they say nothing, and faces alone leave every card in doubt."""
    reading = PhotographReader(black_pack).read(frame(photograph(black_pack.deck, ("AS", LEFT), ("7S", RIGHT))))
    assert isinstance(reading, Reading)
    assert {lie.card for lie in reading.lies if lie.sure} == {"AS", "7S"}
    assert reading.sure


def test_a_later_picture_of_the_same_camera_is_read_in_the_same_plane(
    reader: PhotographReader, pack: DeckFaces
) -> None:
    before = reader.read_after(photograph(pack.deck, ("AS", LEFT)), None)
    assert before is not None
    after = reader.read_after(photograph(pack.deck, ("AS", LEFT), ("KD", RIGHT)), before)
    assert after is not None
    assert after.scene.camera is before.scene.camera
    assert {lie.card for lie in after.lies} == {"AS", "KD"}


def test_a_photograph_without_cards_says_so_surely(reader: PhotographReader) -> None:
    reading = reader.read(frame(ground()))
    assert isinstance(reading, Reading)
    assert (reading.lies, reading.sure) == ((), True)
    assert reader.read_after(ground(), None) is None


CUT_OFF = CardPose.flat(-90.0, 5.0, 0.0)


@pytest.mark.parametrize(("with_indices", "at"), [(True, LEFT), (False, LEFT), (True, CUT_OFF)])
def test_a_lone_card_that_the_deck_lacks_is_asked_about(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch, with_indices: bool, at: CardPose
) -> None:
    """No face is found; its indices, or its outline and paper, say that a card lies there, and the picture was sure."""
    lacking = replace(pack.deck, cards=tuple(card for card in pack.deck.cards if card.id != "7S"))
    reader = PhotographReader(DeckFaces(lacking))
    monkeypatch.setattr(reader, "read_plane", lambda *_: None)
    monkeypatch.setattr(reader, "_one_by_one", lambda of: Reading(of.name, of.time_s, ()))
    if not with_indices:
        monkeypatch.setattr("arena_cam.vision.photographs.reader.has_indices", lambda _: False)
    reading = reader.read(frame(photograph(pack.deck, ("7S", at))))
    assert isinstance(reading, Reading)
    assert (reading.lies, reading.sure) == ((), False)
    assert [(thing.doubt.sentence, thing.area_mm2) for thing in reading.unknown] == [(Doubt.STRANGER, 63.0 * 88.0)]
    assert reading.doubts == (reading.unknown[0].doubt,)


def test_a_photograph_of_a_few_pixels_is_unreadable(reader: PhotographReader) -> None:
    assert isinstance(reader.read(frame(np.zeros((20, 300, 3), np.uint8))), Unreadable)


@pytest.mark.parametrize("tint", [(1.0, 1.0, 1.0), (0.8, 1.0, 1.15)])
def test_white_is_the_colour_of_the_paper_in_this_light(tint: tuple[float, float, float]) -> None:
    picture = ground()
    picture[150:250, 150:300] = np.array([210, 210, 210])
    lit = np.clip(picture * np.array(tint), 0, 255).astype(np.uint8)
    assert white_of(lit, np.array([220.0, 200.0])) == pytest.approx(tint, abs=0.03)


def test_what_is_too_coloured_to_be_paper_is_no_white() -> None:
    red = np.full((200, 300, 3), (30, 30, 220), np.uint8)
    assert white_of(red, np.array([150.0, 100.0])).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("middle", [(-500.0, -500.0), (0.0, 0.0), (5000.0, 120.0)])
def test_white_at_the_picture_s_rim_or_beyond_is_taken_from_what_is_there(middle: tuple[float, float]) -> None:
    assert white_of(np.full((200, 300, 3), 200, np.uint8), np.array(middle)) == pytest.approx(np.ones(3))


def test_without_a_table_nothing_is_said_that_only_a_table_tells() -> None:
    told = without_world(replace(lie("AS"), identity_probability=0.8))
    assert lie("AS").landing is Landing.FLAT
    assert (told.landing, told.tilt_deg, told.centre_mm, told.corners_mm) == (None, None, None, None)
    assert told.confidence == 0.8
    assert told.corners_px == lie("AS").corners_px


def test_a_deck_is_another_s_where_more_indices_speak_against_its_faces_than_for_them(
    reader: PhotographReader, pack: DeckFaces
) -> None:
    """An index that agrees with a face unlike that of the deck, and one that says another name, speak against it."""
    alone = reader.read_after(photograph(pack.deck, ("AS", LEFT)), None)
    assert alone is not None

    def against(agreed: set[str], unlike: set[str], wrong: dict[str, str]) -> int:
        return against_deck(IndexCheck(wrong, {}, frozenset(agreed), ()), unlike)

    assert against({"AS"}, set(), {}) == 0
    assert against({"AS"}, set(), {"QD": "KD"}) == 0
    assert against(set(), {"AS"}, {}) == 0, "no index is seen"
    assert against({"AS"}, {"AS"}, {}) == 1
    assert against(set(), set(), {"AH": "AS", "AC": "AS"}) == 2
    assert against({"AS", "5H", "QD"}, {"AS"}, {"KD": "JD"}) == 0, "as many speak for it"
    assert [each.sure for each in alone.lies] == [True]
    borne_out, not_borne_out = (
        by_index_only(alone, IndexCheck({}, {}, agreed, ())) for agreed in (frozenset({"AS"}), frozenset[str]())
    )
    assert [each.sure for each in borne_out.lies] == [True]
    assert [each.sure for each in not_borne_out.lies] == [False]


def test_a_card_under_an_index_of_no_card_found_is_not_sure(reader: PhotographReader, pack: DeckFaces) -> None:
    alone = reader.read_after(photograph(pack.deck, ("AS", LEFT)), None)
    assert alone is not None
    names = IndexNames(pack)
    asked = as_indexed(alone, IndexCheck({}, {}, frozenset(), (), beneath=frozenset({"AS"})), names)
    assert [doubt.sentence for doubt in asked.lies[0].doubts] == [Doubt.STRANGER_ON_IT]
    assert not asked.lies[0].sure
    assert as_indexed(alone, IndexCheck({}, {}, frozenset(), ()), names).lies[0].sure


@pytest.mark.thorough
@pytest.mark.whole
def test_a_second_card_of_a_name_is_seen_beside_the_first(reader: PhotographReader, pack: DeckFaces) -> None:
    both = photograph(pack.deck, ("AS", LEFT), ("AS", RIGHT))
    still = reader.read(frame(both))
    assert isinstance(still, Reading)
    before = reader.read_after(photograph(pack.deck, ("AS", LEFT)), None)
    after = reader.read_after(both, before)
    assert after is not None
    for lies, doubts in ((still.lies, still.doubts), (after.lies, after.doubts)):
        assert {each.key: each.sure for each in lies} == {"AS": True, "AS'": False}
        assert Doubt.SEEN_TWICE(card="AS") in doubts
    assert not still.sure
    assert {each.key for each in (reader.read_after(both, after) or after).lies} == {"AS", "AS'"}


def test_a_second_card_of_a_name_is_asked_about_though_its_face_is_plainly_seen(
    reader: PhotographReader, pack: DeckFaces
) -> None:
    """Two packs mixed: the second ace of spades lay over the first, looked like one, and the picture was sure."""
    alone = reader.read_after(photograph(pack.deck, ("AS", LEFT)), None)
    assert alone is not None
    once, none = doubting_seconds(alone)
    assert (once.lies, none) == (alone.lies, [])
    ace = alone.lies[0]
    both = replace(alone, lies=(ace, replace(ace, key="AS'"), replace(ace, key="?1", card=None)))
    reading, doubts = doubting_seconds(both)
    assert doubts == [Doubt.SEEN_TWICE(card="AS")]
    assert [each.sure for each in reading.lies] == [True, False, True]


@pytest.mark.whole
def test_a_torn_card_is_asked_about(reader: PhotographReader, pack: DeckFaces) -> None:
    """Less than half of the king is torn off, and the ground is seen there."""
    picture = photograph(pack.deck, ("AS", LEFT), ("KD", RIGHT))
    bare = photograph(pack.deck)
    beyond = RIGHT.points(np.array([-45.0, 0.0, 45.0, 45.0, -45.0]), np.array([-6.0, -12.0, -8.0, -60.0, -60.0]))
    there = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(there, [np.round(CAMERA.project(beyond)).astype(np.int32)], (1,))
    torn = np.asarray(np.where(there[:, :, None] > 0, bare, picture), np.uint8)
    whole, asked = reader.read(frame(picture)), reader.read(frame(torn))
    assert isinstance(whole, Reading)
    assert isinstance(asked, Reading)
    assert {lie.card: lie.sure for lie in whole.lies} == {"AS": True, "KD": True}
    assert not asked.sure
    assert [lie.card for lie in asked.lies if lie.sure] == ["AS"]


def test_names_that_indices_and_faces_say_alike_need_no_search(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the card's own face is not seen at its place, what lies there is searched for among all faces."""
    reader, searched = PhotographReader(pack), list[int]()
    monkeypatch.setattr(reader, "read_plane", lambda *_: searched.append(1))
    picture = photograph(pack.deck, ("AS", LEFT), ("KD", RIGHT))
    reading = reader.read(frame(picture))
    assert isinstance(reading, Reading)
    assert (reading.sure, {each.card for each in reading.lies}, searched) == (True, {"AS", "KD"}, [])
    other = np.array(outline_px(RIGHT, CAMERA)).mean(axis=0)
    x, y = (round(float(each)) for each in other)
    picture[y - 50 : y + 50, x - 45 : x + 45] = (200, 30, 30)  # another art between the indices
    reader.read(frame(picture))
    assert searched


def test_cards_are_searched_for_where_faces_say_otherwise_who_lies_over_whom(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the sides of two cards say of their order is held against their faces, which then have the say."""
    picture = photograph(pack.deck, ("AS", LEFT), ("KD", CardPose.flat(-30.0, 20.0, 60.0)))
    reader, searched = PhotographReader(pack), list[int]()

    def reading_reversed(*args: Any) -> Reading:
        found = reading_of(*args)
        pairs = tuple((lower, upper) for upper, lower in found.covers)
        return replace(found, lies=found.lies[::-1], covers=pairs)

    whole = reader.read(frame(picture))
    monkeypatch.setattr(plane_search, "reading_of", reading_reversed)
    read_plane = reader.read_plane

    def search(*args: Any) -> PlaneReading | None:
        searched.append(1)
        return read_plane(*args)

    monkeypatch.setattr(reader, "read_plane", search)
    again = reader.read(frame(picture))
    assert isinstance(whole, Reading)
    assert isinstance(again, Reading)
    assert (whole.covers, again.covers, searched) == ((("KD", "AS"),), (("KD", "AS"),), [1])


def test_faces_seen_where_indices_say_tell_the_plane_and_where_they_lie(
    reader: PhotographReader, pack: DeckFaces
) -> None:
    """On a plane some degrees off, on which a mark of the cloth stands, too; not on one of another width of cards, nor
    where other cards lie."""
    picture = photograph(pack.deck, ("AS", LEFT), ("KD", RIGHT))
    askew = camera_above(2.04, SIZE, tilt_deg=17.0)
    places = [(name, pose_on_floor(askew, outline_px(pose))) for name, pose in (("AS", LEFT), ("KD", RIGHT))]
    cards = [read(name, pose) for name, pose in [*places, ("5C", CardPose.flat(0.0, 60.0, 0.0))]]
    found = OnPlane(askew, (63.0, 88.0), cards, IndexPlace())
    told = reader.told_by_faces(picture, found)
    assert told is not None
    assert set(told.placed) == {"AS", "KD"}
    for name, pose in (("AS", LEFT), ("KD", RIGHT)):
        seen = told.camera.project(told.placed[name].corners(63.0, 88.0))
        assert min(np.abs(seen - np.roll(outline_px(pose), turn, axis=0)).max() for turn in (0, 2)) < 1.5
    assert reader.told_by_faces(picture, replace(found, size_mm=(57.5, 88.0))) is None
    other = [read(name, pose) for name, (_, pose) in zip(("7S", "TH"), places, strict=True)]
    assert reader.told_by_faces(picture, replace(found, cards=other)) is None


def read(card: str, pose: CardPose) -> IndexedCard:
    others = np.zeros(len(CARDS))
    others[CARDS.index(card)] = 1.0
    index = SeenIndex(card, 1.0, pose.centre_mm[:2], pose.centre_mm[:2] + 9.0, others)
    return IndexedCard(card, pose, (index,), others, True, halves=first_halves(2.0))


def test_the_plane_of_cards_known_by_their_indices_is_asked_first(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks on a cloth may look like faces on another plane; print in corners says which plane is the cards'."""
    reader = PhotographReader(pack)
    monkeypatch.setattr(reader, "_cameras", lambda *_: [])
    reading = reader.read(frame(photograph(pack.deck, ("AS", LEFT), ("KD", RIGHT))))
    assert isinstance(reading, Reading)
    assert {lie.card for lie in reading.lies if lie.sure} == {"AS", "KD"}


def test_the_first_picture_of_a_sequence_is_read_on_the_plane_of_its_indices_too(
    pack: DeckFaces, black_pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All likely planes of a chequered cloth's corners are its chequers'; the lone card on it was not seen."""
    for faces in (pack, black_pack):
        reader = PhotographReader(faces)
        monkeypatch.setattr(reader, "_cameras", lambda *_: [])
        reading = reader.read_after(photograph(faces.deck, ("7S", LEFT)), None)
        assert reading is not None
        assert [(lie.card, lie.sure) for lie in reading.lies] == [("7S", True)]


def test_a_plane_is_asked_for_anew_once_more_cards_tell_it(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plane of one card alone was some degrees off, and one of three that lay on each other was not seen. That of
    a pack face down was worse: black cards were not seen on it, and nothing was in doubt."""
    reader = PhotographReader(pack)
    two = photograph(pack.deck, ("7S", LEFT), ("KD", RIGHT))
    first = reader.read_after(photograph(pack.deck, ("7S", LEFT)), None)
    assert first is not None
    assert first.plane_of == 1
    sure, asked = first.lies[0], list[bool]()
    sees_both = replace(first, lies=(sure, replace(sure, key="KD", card="KD")))
    doubtful = replace(first, lies=(sure, replace(sure, key="KD", card="KD", sure=False)))
    face_down = replace(first, lies=(replace(sure, key="?1", card=None),), plane_of=0)
    monkeypatch.setattr(reader, "_explained", lambda _image, reading, _corners: reading)

    def in_new_plane(*args: Any) -> PlaneReading:
        asked.append(args[2] is first.scene.camera)
        return sees_both

    monkeypatch.setattr(reader, "_in_new_plane", in_new_plane)

    def after(before: PlaneReading, on_its_plane: PlaneReading) -> tuple[list[bool], int]:
        monkeypatch.setattr(PlaneSceneReader, "read", lambda *_: on_its_plane)
        found = reader.read_after(two, replace(before, lies=()))
        assert found is not None
        return [lie.sure for lie in found.lies], found.plane_of

    assert after(first, doubtful) == ([True, True], 2)
    assert after(face_down, face_down) == ([True, True], 2)
    assert asked == [True, False], "where faces told the plane, only indices may tell it better, from there on"
    assert after(first, sees_both) == ([True, True], 1)
    assert after(replace(first, plane_of=2), doubtful) == ([True, False], 2)
    assert len(asked) == 2
    assert after(first, face_down) == ([True, True], 2), "of its cards none is seen any more: the camera was knocked"
