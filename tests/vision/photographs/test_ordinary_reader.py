"""Cards of any ordinary pack, which nobody has shown: by corner indices and outlines alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.domain.lies import Face, Reading, Unreadable
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs import ordinary_reader
from arena_cam.vision.photographs.indexed.index_views import IndexViews
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard
from arena_cam.vision.photographs.on_plane import IndexPlace, OnPlane
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from arena_cam.vision.photographs.ordinary_reading import reading_of
from arena_cam.vision.photographs.plane_search import PlaneSearch, ShownPicture
from vision.photographs.ordinary_pictures import (
    APART,
    CAMERA,
    LOST,
    LOW,
    OVER,
    SIZE,
    at_corner,
    indexed,
    on_cloth,
    photograph,
    read,
    shown,
)
from vision.small import camera_above, frame, painted


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How the indices were taken to be printed in each search for a plane that was made."""
    seen: list[str] = []
    planes = OrdinaryReader.planes

    def noted(self: OrdinaryReader, shown: ShownPicture) -> Any:
        seen.append("plates" if shown.on_tint else "paper" if shown.frame.image_bgr.mean() < 128 else "black")
        return planes(self, shown)

    monkeypatch.setattr(OrdinaryReader, "planes", noted)
    return seen


@pytest.fixture(scope="module")
def three(pack: DeckFaces) -> Reading:
    """The seven over the ace, the king by itself."""
    return read(photograph(pack, ("AS", LOW), ("7S", OVER), ("KD", APART)))


def test_cards_are_named_where_they_lie(three: Reading) -> None:
    assert {lie.card for lie in three.lies} == {"AS", "7S", "KD"}
    for card, pose in (("AS", LOW), ("7S", OVER), ("KD", APART)):
        true = CAMERA.project(pose.corners(63.0, 88.0)).mean(axis=0)
        assert np.abs(np.mean(three.lie(card).corners_px, axis=0) - true).max() < 12.0
        assert three.lie(card).face is Face.UP
        assert [name for name, _ in three.lie(card).other_names if name == card] == []


def test_the_upper_card_s_edges_are_seen_in_the_lower(three: Reading) -> None:
    assert ("7S", "AS") in three.covers
    keys = [lie.key for lie in three.lies]
    assert keys.index("7S") > keys.index("AS")
    assert three.lie("7S").rests_on == ("AS",)


def test_a_pack_printed_in_light_ink_on_black_is_read_too(black_pack: DeckFaces, asked: list[str]) -> None:
    reading = read(photograph(black_pack, ("AS", LOW), ("7S", OVER), ("KD", APART)))
    assert {lie.card for lie in reading.lies} == {"AS", "7S", "KD"}
    assert ("7S", "AS") in reading.covers
    true = CAMERA.project(APART.corners(63.0, 88.0)).mean(axis=0)
    assert np.abs(np.mean(reading.lie("KD").corners_px, axis=0) - true).max() < 12.0
    assert asked == ["black"]


def test_a_pack_whose_indices_are_on_plates_of_a_pale_colour_is_read_too(pack: DeckFaces, asked: list[str]) -> None:
    """No paper lies right round such an index: of 33 cards on eight pictures three were named, and for seconds all
    planes were asked for indices of other packs first."""
    places = [("7S", LOW), ("KD", APART)]
    picture = photograph(pack, *places).astype(np.float64)
    for _, pose in places:
        for turned in (1.0, -1.0):
            x, y = turned * np.array([-31.5, -20.5, -20.5, -31.5]), turned * np.array([44.0, 44.0, 20.0, 20.0])
            plate = np.zeros(picture.shape[:2], np.uint8)
            cv2.fillPoly(plate, [np.round(CAMERA.project(pose.points(x, y))).astype(np.int32)], (1,))
            picture[plate > 0] *= np.array([150, 235, 250]) / 255.0
    reading = read(picture.astype(np.uint8))
    assert {lie.card: lie.sure for lie in reading.lies} == {"KD": True, "7S": True}
    assert reading.sure
    assert asked == ["plates"]


@pytest.mark.parametrize("cards", [[("7S", LOW), ("KD", APART)], [("KD", APART)]])
def test_without_a_plate_beside_cards_that_were_read_no_plane_is_asked_for_plates(
    pack: DeckFaces, asked: list[str], cards: list[tuple[str, CardPose]]
) -> None:
    """A blank sheet beside them is asked about, whatever a plate may say: all planes were asked once more for that."""
    picture = photograph(pack, *cards)
    blank, there = np.full((88, 63, 3), 235, np.uint8), CardPose.flat(10.0, -62.0, 95.0)
    picture = painted(picture, blank, CAMERA, there.corners(63.0, 88.0))
    reading = read(picture)
    assert {lie.card for lie in reading.lies} == {card for card, _ in cards}
    assert not reading.sure
    assert asked == ["paper"]


def test_a_cloth_has_no_cards(pack: DeckFaces) -> None:
    assert read(photograph(pack)).lies == ()


def test_a_photograph_of_a_few_pixels_is_unreadable() -> None:
    assert isinstance(OrdinaryReader().read(frame(np.zeros((39, 39, 3), np.uint8))), Unreadable)


def test_a_card_whose_suit_is_half_covered_is_named_and_asked_about(pack: DeckFaces) -> None:
    """An eight's certain index was too low for the pack's: it was missed, and so all other cards were asked about."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    seen = [replace(index, probability=1.0) for index in IndexViews(picture).on(CAMERA)]
    high = float(np.median([np.hypot(*(index.top - index.bottom)) for index in seen]))
    low = [replace(i, bottom=i.top + 0.75 * (i.bottom - i.top)) if i.card == "7S" else i for i in seen]
    found = OrdinaryReader().on_plane(picture, [], CAMERA, (63.0, 88.0), IndexPlace(height_mm=1.08 * high), low)
    reading = reading_of(frame(picture), found, [])
    assert {lie.card for lie in reading.lies} == {"7S", "KD"}
    assert not reading.lie("7S").sure


@pytest.mark.whole
def test_a_torn_card_is_asked_about(pack: DeckFaces) -> None:
    """Half of the king is torn off: what is there bears its index, and beyond the tear is the cloth."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    beyond = APART.points(np.array([-45.0, 0.0, 45.0, 45.0, -45.0]), np.array([4.0, -3.0, 2.0, -60.0, -60.0]))
    outline = np.round(CAMERA.project(beyond)).astype(np.int32)
    torn = np.asarray(cv2.fillPoly(picture.copy(), [outline], (60.0, 90.0, 40.0)), np.uint8)
    assert read(picture).sure
    reading = read(torn)
    assert not reading.sure
    assert [lie.card for lie in reading.lies if lie.sure] in (["7S"], [])


@pytest.mark.whole
def test_a_torn_card_within_a_trick_is_asked_about(pack: DeckFaces) -> None:
    """Its torn half would lie over the ace: the ace is seen there instead, and beyond it the cloth."""
    whole = photograph(pack, ("AS", LOW), ("7S", OVER), ("KD", APART))
    beneath = photograph(pack, ("AS", LOW), ("KD", APART))
    beyond = OVER.points(np.array([-45.0, 0.0, 45.0, 45.0, -45.0]), np.array([2.0, -4.0, 1.0, -60.0, -60.0]))
    there = np.zeros(whole.shape[:2], np.uint8)
    cv2.fillPoly(there, [np.round(CAMERA.project(beyond)).astype(np.int32)], (1,))
    torn = np.asarray(np.where(there[..., None] > 0, beneath, whole), np.uint8)
    assert read(whole).sure
    reading = read(torn)
    assert not reading.sure
    assert "7S" not in [lie.card for lie in reading.lies if lie.sure]


def test_cards_on_a_white_table_are_named_and_a_blank_one_is_asked_about(pack: DeckFaces) -> None:
    """The table is of the paper's colour and hardly darker: only near paper is it told from a card."""
    table = np.full((SIZE[1], SIZE[0], 3), (205, 208, 210), np.uint8)
    reading = read(on_cloth(pack, table))
    assert {lie.card for lie in reading.lies} == {"AS", "7S", "KD"}
    blank = np.full((88, 63, 3), 245, np.uint8)
    more = read(painted(on_cloth(pack, table), blank, CAMERA, CardPose.flat(10.0, 70.0, 80.0).corners(63.0, 88.0)))
    assert not more.sure
    (thing,) = more.unknown
    assert thing.doubt in more.doubts
    (middle,) = CAMERA.project(np.array([[10.0, 70.0, 0.0]]))
    assert np.mean(thing.ring_px, axis=0) == pytest.approx(middle, abs=15.0)


@pytest.mark.whole
def test_cards_on_a_chequered_cloth_are_named_and_its_squares_are_none(pack: DeckFaces) -> None:
    rows, columns = np.indices((SIZE[1], SIZE[0]))
    dark = ((rows + 0.2 * columns) // 34 + (columns - 0.2 * rows) // 34) % 2 == 0
    cloth = np.where(dark[..., None], (50, 40, 150), (215, 222, 226)).astype(np.uint8)
    reading = read(on_cloth(pack, cloth))
    assert {lie.card for lie in reading.lies} == {"AS", "7S", "KD"}


@pytest.mark.whole
def test_a_mark_that_is_no_card_does_not_make_a_picture_sure(pack: DeckFaces) -> None:
    """A slip with an index, beside whole outlines of cards without one: nothing is named, and that is not sure."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for pose in (LOW, APART):
        picture = painted(picture, np.full((88, 63, 3), 240, np.uint8), CAMERA, pose.corners(63.0, 88.0))
    corner = np.asarray(cv2.imread(str(pack.deck.by_id["KD"].image)), np.uint8)[:200, :90]
    picture = painted(picture, corner, CAMERA, CardPose.flat(0.0, 80.0, 0.0).corners(14.0, 30.0))
    assert not read(picture).sure


class _Doubting(OrdinaryReader):
    """Does not find what the first plane promised."""

    asked = 0

    def on_plane(self, *args: Any, **kwargs: Any) -> OnPlane:
        self.asked += 1
        found = super().on_plane(*args, **kwargs)
        return replace(found, lost=(LOST,)) if self.asked == 1 else found


def test_a_plane_on_which_cards_are_not_read_as_it_promised_gives_way_to_another(pack: DeckFaces) -> None:
    reader = _Doubting()
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    found = reader.best_plane(shown(picture))
    assert found is not None
    assert reader.asked > 1
    assert found.is_plain


def test_planes_are_read_one_by_one_as_they_are_asked_for(pack: DeckFaces) -> None:
    """Whoever sees a plane borne out asks for no other."""
    reader = _Doubting()
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    found = next(reader.planes(shown(picture)))
    assert reader.asked == 1
    assert not found.is_plain


class _WithPrint(PlaneSearch):
    """Only the plane of the cards is asked, and a part of the king's print is a card there, so that it is not plain."""

    def around(self, *places: Any) -> OnPlane:
        print_ = replace(indexed("KH", 0.99, APART, cornered=True, sides=1.0), indices=(at_corner(APART),))
        found = super().around(CAMERA, places[1])
        return replace(found, cards=[*found.cards, print_])


def test_no_plane_is_asked_after_a_plain_one_on_which_print_of_its_cards_is_no_card(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A half covered nine was a five on the first plane: eight more were asked for that."""
    monkeypatch.setattr(ordinary_reader, "PlaneSearch", _WithPrint)
    monkeypatch.setattr(OnPlane, "may_say_all", False)
    monkeypatch.setattr(OnPlane, "is_told", False)
    (found,) = OrdinaryReader().planes(shown(photograph(pack, ("7S", LOW), ("KD", APART))))
    assert found.is_plain
    assert {card.card for card in found.cards} == {"7S", "KD"}


class _Inverting(OrdinaryReader):
    """Reads one set of cards in a picture, and another where its light is inverted."""

    def __init__(self, picture: np.ndarray, seen: list[IndexedCard], inverted: list[IndexedCard]) -> None:
        super().__init__()
        self.picture, self.seen, self.inverted, self.asked = picture, seen, inverted, 0

    def best_plane(self, shown: ShownPicture) -> OnPlane | None:
        as_it_is = bool((shown.frame.image_bgr == self.picture).all())
        self.asked += not as_it_is
        return OnPlane(CAMERA, (63.0, 88.0), self.seen if as_it_is else self.inverted, IndexPlace())


def test_a_lone_mark_of_a_cloth_does_not_keep_black_cards_from_being_read(pack: DeckFaces) -> None:
    """A jack read with 0.94 in marble did. One more in the inverted light may be a mark, too; two are not."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    mark = indexed("JS", 0.94, OVER, cornered=True, sides=3.0)
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("7S", LOW), ("KD", APART))]
    for inverted, names in ((cards, {"7S", "KD"}), (cards[:1], {"JS"})):
        reading = _Inverting(picture, [mark], inverted).read(frame(picture))
        assert isinstance(reading, Reading)
        assert {lie.card for lie in reading.lies if lie.card} == names
    for seen in (cards, [indexed("JS", 0.999, OVER, cornered=True, sides=3.0)]):
        reader = _Inverting(picture, seen, cards)
        reader.read(frame(picture))
        assert reader.asked == 0, "what is certain is no mark"


def test_cards_whose_outlines_fit_are_read_where_they_lie() -> None:
    """Beside an index was a corner of marble, too: on a view a little unlike the card was laid there."""
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    hidden = indexed("7S", 1.0, OVER, cornered=True, sides=2.5)
    found = OnPlane(CAMERA, (63.0, 88.0), [*cards, hidden], IndexPlace())
    assert found.is_plain
    assert found.places == {"AS": LOW, "KD": APART}
    assert not replace(found, bare=frozenset([0])).places
    assert replace(found, placed={"AS": APART}).places == {"AS": APART}


def test_cards_are_placed_as_the_plane_has_them(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    placed, on_plane = list[dict[str, CardPose]](), OrdinaryReader.on_plane

    def noted(self: OrdinaryReader, *args: Any) -> OnPlane:
        placed.append(args[-1])
        return on_plane(self, *args)

    monkeypatch.setattr(OrdinaryReader, "on_plane", noted)
    next(OrdinaryReader().planes(shown(photograph(pack, ("7S", LOW), ("KD", APART)))))
    assert set(placed[0]) == {"7S", "KD"}


def test_what_lies_on_a_plane_lies_on_the_floor_of_another_camera_where_the_picture_shows_it() -> None:
    other = camera_above(2.0, SIZE, tilt_deg=12.0)
    found = OnPlane(CAMERA, (63.0, 88.0), [indexed("AS", 1.0, LOW, cornered=True, sides=4.0)], IndexPlace())
    (card,) = found.over(other).cards
    seen, before = (c.project(p.corners(63.0, 88.0)) for c, p in ((other, card.pose), (CAMERA, LOW)))
    assert seen.mean(axis=0) == pytest.approx(before.mean(axis=0), abs=2.0)
    ends = (np.append(of.indices[0].top, 0.0) for of in (card, found.cards[0]))
    assert other.project(next(ends)[None]) == pytest.approx(CAMERA.project(next(ends)[None]), abs=1e-6)


def test_a_lone_mark_is_not_missed_where_it_is_not_read_again_but_a_card_with_a_corner_is() -> None:
    lone = indexed("JD", 0.98, APART, cornered=False, sides=2.5)
    card = indexed("AS", 0.98, LOW, cornered=True, sides=2.5)
    assert OnPlane(CAMERA, (63.0, 88.0), [lone, card], IndexPlace()).well_read == {"AS"}
