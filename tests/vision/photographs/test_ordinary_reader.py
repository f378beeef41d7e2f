"""Cards of any ordinary pack, which nobody has shown: by corner indices and outlines alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Side
from arena_cam.domain.lies import Face, Reading, Unreadable
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.things.ordinary_pack import draw_back, random_style
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs import ordinary_reader
from arena_cam.vision.photographs.indexed_cards import IndexedCard, IndexViews
from arena_cam.vision.photographs.ordinary_reader import (
    IndexPlace,
    OnPlane,
    OrdinaryReader,
    PlaneSearch,
    ShownPicture,
    camera_aside,
    lost_of,
    most_sensible,
    reading_of,
)
from arena_cam.vision.photographs.overlapping import Order
from arena_cam.vision.planes.card_plane import USUAL_FOCAL
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from vision.indices.cards import first_halves
from vision.small import camera_above, frame, painted, with_card

SIZE = (720, 560)
CAMERA = camera_above(2.6, SIZE, tilt_deg=12.0, height_mm=USUAL_FOCAL * SIZE[0] / 2.6)
LOW, OVER, APART = CardPose.flat(-70.0, 0.0, 10.0), CardPose.flat(-40.0, 20.0, 70.0), CardPose.flat(75.0, -20.0, -130.0)


def photograph(pack: DeckFaces, *cards: tuple[str, CardPose]) -> np.ndarray:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for card, pose in cards:
        picture = with_card(picture, pack.deck, card, CAMERA, pose)
    return picture


def shown(picture: np.ndarray) -> ShownPicture:
    return ShownPicture(frame(picture), find_corners(picture))


def read(picture: np.ndarray) -> Reading:
    reading = OrdinaryReader().read(frame(picture))
    assert isinstance(reading, Reading)
    return reading


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


def test_a_pack_printed_in_light_ink_on_black_is_read_too(black_pack: DeckFaces) -> None:
    reading = read(photograph(black_pack, ("AS", LOW), ("7S", OVER), ("KD", APART)))
    assert {lie.card for lie in reading.lies} == {"AS", "7S", "KD"}
    assert ("7S", "AS") in reading.covers
    true = CAMERA.project(APART.corners(63.0, 88.0)).mean(axis=0)
    assert np.abs(np.mean(reading.lie("KD").corners_px, axis=0) - true).max() < 12.0


def test_a_pack_whose_indices_are_on_plates_of_a_pale_colour_is_read_too(pack: DeckFaces) -> None:
    """No paper lies right round such an index: of 33 cards on eight pictures three were named."""
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


@pytest.mark.parametrize(("cards", "is_known"), [([("7S", LOW), ("KD", APART)], True), ([("KD", APART)], False)])
def test_plates_are_looked_for_on_the_plane_that_two_cards_tell(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch, cards: list[tuple[str, CardPose]], is_known: bool
) -> None:
    """A blank sheet beside them is asked about, whatever a plate may say: all planes were asked once more for that."""
    picture = photograph(pack, *cards)
    blank, there = np.full((88, 63, 3), 235, np.uint8), CardPose.flat(10.0, -62.0, 95.0)
    picture = painted(picture, blank, CAMERA, there.corners(63.0, 88.0))
    asked: list[bool] = []
    planes = OrdinaryReader.planes

    def noted(self: OrdinaryReader, shown: ShownPicture) -> Any:
        asked.append(shown.on_tint)
        return planes(self, shown)

    monkeypatch.setattr(OrdinaryReader, "planes", noted)
    reading = read(picture)
    assert {lie.card for lie in reading.lies} == {card for card, _ in cards}
    assert not reading.sure
    assert asked == ([False] if is_known else [False, True])


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


def test_a_cloth_has_no_cards(pack: DeckFaces) -> None:
    assert read(photograph(pack)).lies == ()


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


def test_a_photograph_of_a_few_pixels_is_unreadable() -> None:
    assert isinstance(OrdinaryReader().read(frame(np.zeros((39, 39, 3), np.uint8))), Unreadable)


def indexed(card: str, probability: float, pose: CardPose, *, cornered: bool, sides: float) -> IndexedCard:
    others = np.zeros(len(CARDS))
    others[CARDS.index(card)] = probability
    index = SeenIndex(card, probability, pose.centre_mm[:2], pose.centre_mm[:2] + 9.0, others)
    return IndexedCard(card, pose, (index,), others, cornered, halves=first_halves(sides))


# The halves of sides that lie on the right of a card.
RIGHT_HALVES = ((0, 1), (1, 0), (1, 1), (2, 0))


def at_corner(pose: CardPose) -> SeenIndex:
    """A king of hearts' index in the left upper corner of a card."""
    top, bottom = pose.points(np.array([-26.0, -26.0]), np.array([39.0, 24.0]))[:, :2]
    return SeenIndex("KH", 0.99, top, bottom, np.zeros(len(CARDS)))


def test_a_faint_mark_beside_cards_that_fit_says_nothing_against_the_plane_but_a_plain_one_does() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    for probability, fits in ((0.6, True), (0.95, False)):
        mark = indexed("JD", probability, CardPose.flat(0.0, 90.0, 5.0), cornered=False, sides=1.5)
        found = OnPlane(CAMERA, (63.0, 88.0), [*cards, mark], IndexPlace())
        assert (found.is_settled, found.is_plain) == (fits, fits)


def test_sides_that_other_cards_hide_leave_nothing_open_and_sides_in_the_open_and_doubtful_names_do() -> None:
    whole = indexed("KD", 1.0, LOW, cornered=True, sides=4.0)
    ends = replace(whole, indices=whole.indices * 2)
    apart, beneath = (CardPose.flat(LOW.centre_mm[0] + x, LOW.centre_mm[1], LOW.angle_deg) for x in (150.0, 35.0))
    for place, probability, nothing in ((apart, 1.0, False), (beneath, 1.0, True), (beneath, 0.95, False)):
        low = replace(indexed("AS", probability, place, cornered=True, sides=2.0), halves=frozenset(RIGHT_HALVES))
        found = OnPlane(CAMERA, (63.0, 88.0), [ends, low], IndexPlace(), order=Order((), [(0, 1)], []))
        assert (found.leaves_nothing_open, found.is_plain) == (nothing, False)
    assert not replace(found, order=Order((), [], [(0, 1)])).leaves_nothing_open


def test_no_plane_is_asked_after_one_that_two_whole_cards_tell_and_all_cards_are_said_surely_on() -> None:
    """A seven whose sides a dim light hid kept a right plane from being plain: seven more came to the same one."""
    cards = [indexed(name, 1.0, at, cornered=True, sides=4.0) for name, at in (("AS", LOW), ("KD", APART))]
    ends = [replace(card, indices=card.indices * 2) for card in cards]
    dim = indexed("7H", 1.0, CardPose.flat(0.0, 90.0, 5.0), cornered=False, sides=2.0)
    found = OnPlane(CAMERA, (63.0, 88.0), [*ends, dim], IndexPlace(), order=Order((), [], []))
    assert (found.leaves_nothing_open, found.may_say_all) == (False, True)
    doubtful = indexed("7H", 0.95, dim.pose, cornered=False, sides=2.0)
    for other in (
        replace(found, cards=[*ends, doubtful]),
        replace(found, cards=[ends[0], cards[1], dim]),
        replace(found, bare=frozenset([2])),
        replace(found, order=Order((), [], [(0, 1)])),
        replace(found, lost=(at_corner(LOW),)),
    ):
        assert not other.may_say_all


def test_a_mark_with_a_bare_side_says_nothing_against_a_plane_on_which_cards_are_whole() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    mark = indexed("JD", 0.95, CardPose.flat(0.0, 60.0, 50.0), cornered=False, sides=2.5)
    for bare, whole in ((2, True), (0, False)):
        found = OnPlane(CAMERA, (63.0, 88.0), [*cards, mark], IndexPlace(), bare=frozenset([bare]))
        assert found.has_whole_cards == whole


def test_print_of_the_cards_read_is_no_card_that_another_plane_must_explain() -> None:
    king = indexed("KD", 1.0, LOW, cornered=True, sides=4.0)
    marks = (indexed(name, 0.99, at, cornered=True, sides=2.0) for name, at in (("KH", LOW), ("3S", APART)))
    print_, other = (replace(mark, indices=(at_corner(mark.pose),)) for mark in marks)
    read = OnPlane(CAMERA, (63.0, 88.0), [king], IndexPlace())
    for more, explained in (((), True), ((print_,), True), ((other,), False), ((print_, other), False)):
        assert read.explains(replace(read, cards=[king, *more])) == explained


@pytest.mark.parametrize(("probability", "there"), [(0.999, True), (0.95, False)])
def test_two_certain_ends_of_one_card_are_a_card_though_no_side_is_seen(probability: float, there: bool) -> None:
    """As of black cards on a black one."""
    pose, ends = CardPose.flat(0.0, 0.0, 20.0), []
    others = np.zeros(len(CARDS))
    others[CARDS.index("AH")] = probability
    for sign in (1.0, -1.0):
        top, bottom = pose.points(np.array([-25.7, -25.7]) * sign, np.array([39.8, 27.0]) * sign)[:, :2]
        ends.append(SeenIndex("AH", probability, top, bottom, others))
    even = np.full((SIZE[1], SIZE[0], 3), 230, np.uint8)
    found = OrdinaryReader().on_plane(even, [], CAMERA, (63.0, 88.0), indices=ends)
    assert [card.card for card in found.cards] == (["AH"] if there else [])


def test_a_card_whose_ends_are_uneven_settles_no_plane() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    right = OnPlane(CAMERA, (63.0, 88.0), cards, IndexPlace())
    uneven = replace(right, uneven=1)
    assert (right.is_plain, right.is_settled, right.is_certain) == (True, True, True)
    assert (uneven.is_plain, uneven.is_settled, uneven.is_certain) == (False, False, False)
    assert uneven.worth < right.worth


def test_a_plane_on_which_two_cards_are_whole_is_read_before_others_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mark on one of the cards kept it from being plain: four planes were asked, and this one was the best."""
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    mark = indexed("JH", 0.95, CardPose.flat(0.0, 90.0, 5.0), cornered=False, sides=0.0)
    first, second = (OnPlane(CAMERA, (63.0, 88.0), each, IndexPlace()) for each in ([*cards, mark], cards[:1]))
    left = [first, second]
    monkeypatch.setattr(PlaneSearch, "_cameras", lambda _: [(CAMERA, (63.0, 88.0), False)] * 2)
    monkeypatch.setattr(PlaneSearch, "around", lambda *_: left.pop(0))
    image = np.zeros((40, 40, 3), np.uint8)
    planes = PlaneSearch(image, IndexViews(image), image[..., 0].astype(np.float32), []).planes()
    assert not first.is_plain
    assert next(planes) is first
    assert left == [second]


def test_a_plane_with_no_more_of_cards_than_chance_has_is_not_read_before_planes_by_scale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Marks of a chequered cloth were read closely and fitted four times more before the cards' plane was asked."""
    marks, cards = (
        OnPlane(CAMERA, (63.0, 88.0), [indexed("AS", 0.95, LOW, cornered=False, sides=sides)], IndexPlace())
        for sides in (2.0, 4.0)
    )
    for first, again in ((marks, 0), (cards, 1)):
        left, refitted = [first, marks], list[OnPlane]()
        monkeypatch.setattr(PlaneSearch, "_cameras", lambda _: [(CAMERA, (63.0, 88.0), n > 0) for n in range(2)])
        monkeypatch.setattr(PlaneSearch, "around", lambda *_, left=left: left.pop(0))
        monkeypatch.setattr(PlaneSearch, "settled", lambda _, best, kept=refitted: kept.append(best) or best)
        image = np.zeros((40, 40, 3), np.uint8)
        planes = PlaneSearch(image, IndexViews(image), image[..., 0].astype(np.float32), []).planes()
        assert next(planes) is first
        assert len(left) == 1 - (first is marks)
        assert len(list(planes)) == again
        assert len(refitted) == again + 1


def test_an_index_that_is_certain_is_lost_though_its_card_was_taken_for_a_mark() -> None:
    """On a plane a little off a queen lay where no paper is; three other cards were left, and the picture was sure."""
    seven, other = (
        indexed("7S", 1.0, LOW, cornered=True, sides=4.0),
        indexed("QC", 1.0, APART, cornered=True, sides=3.0),
    )
    corner = seven.pose.points(np.array([-25.0, -25.0]), np.array([39.0, 25.0]))[:, :2]
    own = replace(seven.indices[0], top=corner[0], bottom=corner[1])
    for probability, count in ((0.95, 0), (0.999, 1)):
        read = [own, replace(other.indices[0], probability=probability)]
        lost = lost_of(read, [seven], {"7S", "QC"}, (63.0, 88.0))
        assert len(lost) == count
    assert len(lost_of([own, replace(other.indices[0], probability=0.95)], [seven], {"7S"}, (63.0, 88.0))) == 1


def test_an_index_in_a_corner_of_a_card_that_is_turned_otherwise_and_of_another_rank_is_lost() -> None:
    """An eight lay on a seven's corner, beneath a jack: it was taken for the seven's index, and the rest was sure."""
    seven = indexed("7S", 1.0, LOW, cornered=True, sides=4.0)
    corner = seven.pose.points(np.array([25.0]), np.array([37.0]))[0, :2]
    for card, turn, count in (("8D", 20.0, 1), ("8D", 3.0, 0), ("7C", 20.0, 0)):
        angle = np.radians(LOW.angle_deg + turn)
        up = np.array([-np.sin(angle), np.cos(angle)])
        mark = replace(seven.indices[0], card=card, probability=0.95, top=corner + 2.0 * up, bottom=corner - 6.0 * up)
        assert len(lost_of([mark], [seven], {"7S"}, (63.0, 88.0))) == count


def test_a_mark_where_only_the_cloth_is_seen_is_no_card_though_the_cloth_has_the_tint_of_paper(pack: DeckFaces) -> None:
    """Threads of a beige linen had the look of an index, 0.98, and of the sides of its card."""
    paper = with_card(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), pack.deck, "7S", CAMERA, LOW)
    linen = np.percentile(paper[paper.max(axis=2) > 0], 80.0, axis=0) * 0.62
    picture = np.full((SIZE[1], SIZE[0], 3), linen, np.uint8)
    threads = np.round(CAMERA.project(APART.corners(63.0, 88.0))).astype(np.int32)
    cv2.polylines(picture, [threads], True, (linen * 0.7).tolist(), 2)
    picture = with_card(picture, pack.deck, "7S", CAMERA, LOW)
    seven = IndexViews(picture).on(CAMERA)
    top, bottom = APART.points(np.array([-26.0, -26.0]), np.array([39.0, 25.0]))[:, :2]
    for probability in (0.98, 0.995):
        others = np.zeros(len(CARDS))
        others[CARDS.index("4D")] = probability
        mark = SeenIndex("4D", probability, top, bottom, others)
        found = OrdinaryReader().on_plane(picture, [], CAMERA, (63.0, 88.0), indices=[*seven, mark])
        assert {card.card for card in found.cards} == {"7S"}
        assert not found.lost


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


def on_cloth(pack: DeckFaces, cloth: np.ndarray) -> np.ndarray:
    picture = cloth
    for name, pose in (("AS", LOW), ("7S", OVER), ("KD", APART)):
        picture = with_card(picture, pack.deck, name, CAMERA, pose)
    return picture


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


def test_cards_far_from_the_middle_are_looked_at_from_above_them() -> None:
    """The heap aside: what lies beside it, farther out, would be out of what is looked at."""
    near = indexed("AS", 1.0, CardPose.flat(90.0, 40.0, 10.0), cornered=True, sides=4.0)
    far = indexed("KD", 1.0, CardPose.flat(190.0, 60.0, 5.0), cornered=True, sides=4.0)
    assert camera_aside(OnPlane(CAMERA, (63.0, 88.0), [near], IndexPlace())) is None
    aside = camera_aside(OnPlane(CAMERA, (63.0, 88.0), [near, far], IndexPlace()))
    assert aside is not None
    for point in (near.pose.centre_mm, far.pose.centre_mm):
        moved = point - np.array([140.0, 50.0, 0.0])
        assert aside.project(moved[None] * [1, 1, 0]) == pytest.approx(
            CAMERA.project(point[None] * [1, 1, 0]), abs=1e-6
        )


def test_a_plane_on_which_a_side_is_bare_is_not_plain() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    found = OnPlane(CAMERA, (63.0, 88.0), cards, IndexPlace())
    bare = replace(found, bare=frozenset({0}))
    assert found.is_plain
    assert not bare.is_plain
    assert bare.worth < found.worth


@pytest.mark.whole
def test_a_mark_that_is_no_card_does_not_make_a_picture_sure(pack: DeckFaces) -> None:
    """A slip with an index, beside whole outlines of cards without one: nothing is named, and that is not sure."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for pose in (LOW, APART):
        picture = painted(picture, np.full((88, 63, 3), 240, np.uint8), CAMERA, pose.corners(63.0, 88.0))
    corner = np.asarray(cv2.imread(str(pack.deck.by_id["KD"].image)), np.uint8)[:200, :90]
    picture = painted(picture, corner, CAMERA, CardPose.flat(0.0, 80.0, 0.0).corners(14.0, 30.0))
    assert not read(picture).sure


@pytest.mark.whole
def test_print_of_a_cloth_is_no_lost_card(pack: DeckFaces) -> None:
    """An index printed on a beige cloth has no paper round it; the same on paper is a card that is not seen."""
    cards = photograph(pack, ("7S", LOW), ("KD", APART))
    cloth = (110.0, 140.0, 165.0)
    beige = np.where((cards == (60, 90, 40)).all(axis=2, keepdims=True), np.array(cloth), cards).astype(np.uint8)
    index = np.asarray(cv2.imread(str(pack.deck.by_id["5C"].image)), np.float64)[:200, :90]
    there = CardPose.flat(0.0, 85.0, 0.0).corners(14.0, 30.0)
    printed = painted(beige, np.asarray(index * np.array(cloth) / 255.0, np.uint8), CAMERA, there)
    on_paper = painted(beige, np.asarray(index, np.uint8), CAMERA, there)
    assert read(printed).sure
    asked = read(on_paper)
    assert not asked.sure
    (place,) = CAMERA.project(np.array([[0.0, 85.0, 0.0]]))
    assert min(np.hypot(*(np.mean(thing.ring_px, axis=0) - place)) for thing in asked.unknown) < 15.0


LOST = SeenIndex("5C", 0.99, np.array([0.0, 5.0]), np.array([0.0, -5.0]), np.eye(52)[CARDS.index("5C")])


def test_what_a_plane_leaves_open_and_what_is_said_at_last_come_of_one_reading(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plane that seemed plain by its cards, and not before they were read, was read a second time for the answer."""
    made: list[OnPlane] = []

    def counted(_frame: Frame, found: OnPlane, _corners: Sequence[Corners]) -> Reading:
        made.append(found)
        return reading_of(_frame, found, _corners)

    monkeypatch.setattr(ordinary_reader, "reading_of", counted)
    monkeypatch.setattr(OnPlane, "is_plain", False)
    monkeypatch.setattr(OnPlane, "leaves_nothing_open", True)
    assert read(photograph(pack, ("7S", LOW), ("KD", APART))).sure
    assert len(made) == 1


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


class _HalfCovered(OrdinaryReader):
    """Sees a hand hide a side of the first card, and loses an index where told to."""

    lost: tuple[SeenIndex, ...] = ()

    def on_plane(self, *args: Any, **kwargs: Any) -> OnPlane:
        return replace(super().on_plane(*args, **kwargs), bare=frozenset([0]), lost=self.lost)


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


def test_an_index_read_with_certainty_that_no_card_bears_speaks_against_a_plane() -> None:
    """Three indices lost on a plane of another size did not, and the picture was asked about."""
    cards = [indexed(name, 1.0, pose, cornered=True, sides=3.0) for name, pose in (("AS", LOW), ("KD", APART))]
    found = OnPlane(CAMERA, (63.0, 88.0), cards, IndexPlace())
    wider = replace(found, cards=[replace(card, halves=first_halves(3.5)) for card in cards])
    certain = replace(at_corner(LOW), probability=0.999)
    assert most_sensible([wider, found]) is wider
    assert most_sensible([replace(wider, lost=(certain,)), found]) is found
    assert replace(wider, lost=(replace(certain, probability=0.95),)).worth == wider.worth


def test_a_plane_that_cards_told_before_is_asked_first_and_no_other_if_it_is_theirs(
    pack: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand over a card that came kept all planes of a chequered cloth being asked, 3 s a time, though none moves."""
    reader, asked = _HalfCovered(), list[Camera]()
    around = PlaneSearch.around

    def counted(search: PlaneSearch, camera: Camera, size: tuple[float, float]) -> OnPlane:
        asked.append(camera)
        return around(search, camera, size)

    monkeypatch.setattr(PlaneSearch, "around", counted)
    picture = shown(photograph(pack, ("7S", LOW), ("KD", APART)))
    (found,) = reader.planes(picture, nearly=CAMERA)
    assert (found.is_certain, found.is_plain, asked) == (True, False, [CAMERA])
    reader.lost = (LOST,)
    planes = reader.planes(picture, nearly=CAMERA)
    assert not next(planes).is_certain
    assert next(planes) is not None


def test_of_a_pack_whose_size_is_known_no_other_size_is_asked(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    narrow = (57.5, 88.0)
    planes = list(OrdinaryReader([narrow]).planes(shown(picture)))
    assert {plane.size_mm for plane in planes} == {narrow}


class _Unsettled(PlaneSearch):
    """Only the plane fitted again explains what is seen."""

    def around(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        return OnPlane(camera, size, [indexed("AS", 1.0, LOW, cornered=True, sides=2.0)], IndexPlace())

    def settled(self, best: OnPlane) -> OnPlane:
        return replace(best, cards=[indexed(name, 1.0, LOW, cornered=True, sides=4.0) for name in ("AS", "KD")])


def test_the_best_plane_is_read_before_it_is_fitted_again_and_before_any_is_guessed(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    grey = picture[:, :, 1].astype(np.float32)
    search = _Unsettled(picture, IndexViews(picture), grey, find_corners(picture))
    first, again, *_ = search.planes()
    assert [card.sides for card in first.cards] == [2.0]
    assert [card.sides for card in again.cards] == [4.0, 4.0]


def test_no_plane_is_guessed_where_one_that_was_read_is_that_of_the_cards(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = _Unsettled(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    assert len(list(search.planes(lambda: True))) == 2
    assert len(list(search.planes(lambda: False))) > 2


def test_two_cards_both_ends_and_three_sides_tell_the_plane_but_one_of_them_or_one_end_does_not() -> None:
    ends = indexed("AS", 1.0, LOW, cornered=True, sides=3.0), indexed("KD", 1.0, APART, cornered=True, sides=3.0)
    first, second = (replace(card, indices=card.indices * 2) for card in ends)
    told = OnPlane(CAMERA, (63.0, 88.0), [first, second], IndexPlace())
    assert told.is_told
    assert not replace(told, cards=[first]).is_told
    assert not replace(told, cards=[first, ends[1]]).is_told
    assert not replace(told, lost=(LOST,)).is_told


class _Worthier(PlaneSearch):
    """The first plane seems worth most, and one after it is plain."""

    def around(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        is_first = not self.views.has(CAMERA)
        self.views.on(CAMERA)
        places = {"AS": LOW, "KD": APART, "7S": CardPose.flat(100.0, 100.0, 0.0)}
        names = ("AS", "KD", "7S") if is_first else ("AS", "KD")
        cards = [indexed(name, 1.0, places[name], cornered=True, sides=4.0) for name in names]
        return OnPlane(camera, size, cards, IndexPlace(), bare=frozenset({2} if is_first else ()))


def test_a_plain_plane_is_read_whatever_another_seems_worth(pack: DeckFaces) -> None:
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = _Worthier(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    assert any(found.is_plain for found in search.planes())


class _Rough(PlaneSearch):
    """Each plane is off, and no side is seen on it."""

    def on(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        return OnPlane(camera, size, [indexed("AS", 1.0, LOW, cornered=False, sides=1.0)], IndexPlace())


def test_a_plane_that_is_told_otherwise_is_read_before_any_other(pack: DeckFaces) -> None:
    """Where nobody tells, the best of all is sought."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    grey, corners, views = picture[:, :, 1].astype(np.float32), find_corners(picture), IndexViews(picture)
    asked = list[OnPlane]()

    def told(found: OnPlane) -> OnPlane | None:
        asked.append(found)
        return replace(found.over(CAMERA), placed={"AS": LOW}) if len(asked) == 1 else None

    first = next(_Rough(picture, views, grey, corners, told).planes())
    assert (len(asked), first.camera, set(first.placed)) == (1, CAMERA, {"AS"})
    others = list(_Rough(picture, views, grey, corners).planes())
    assert not any(found.placed for found in others)


def test_a_plane_whose_scale_a_card_s_ends_say_is_another_is_fitted_at_that_scale(pack: DeckFaces) -> None:
    """A whole side may be a card's width or its height: fitted at the wrong one, a plane was tilted otherwise, too."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = PlaneSearch(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    far = replace(CAMERA, tvec=1.4 * CAMERA.tvec)
    found = search.on(far, (63.0, 88.0))
    assert found.camera.tvec[2] == pytest.approx(CAMERA.tvec[2], rel=0.05)
    assert found.is_plain


def test_one_doubtful_mark_fits_no_plane(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its outline fits lines of a cloth on any plane, and fitting it took half of a slow picture's time."""
    picture, asked = photograph(pack, ("7S", LOW), ("KD", APART)), list[Camera]()
    search = PlaneSearch(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), [])
    cards = [indexed("AS", 0.6, LOW, cornered=True, sides=3.0)]

    def on(_: PlaneSearch, camera: Camera, size: tuple[float, float]) -> OnPlane:
        asked.append(camera)
        return OnPlane(OTHER, size, cards, IndexPlace())

    monkeypatch.setattr(PlaneSearch, "on", on)
    found = search.around(CAMERA, (63.0, 88.0))
    assert search.settled(found) is found
    assert asked == [CAMERA]
    cards.append(indexed("KD", 0.6, APART, cornered=True, sides=3.0))
    search.around(CAMERA, (63.0, 88.0))
    assert asked == [CAMERA, CAMERA, OTHER]


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


def test_once_cards_are_read_their_corners_alone_tell_planes(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of marble 31 corners told four planes before the nine of four cards did. Two tell more than the first alone."""
    asked, shown_px = list[list[int]](), CAMERA.project(np.array([[-80.0, 0.0, 0.0], [80.0, 0.0, 0.0]]))
    at = np.concatenate([shown_px, shown_px + 60.0, shown_px + 900.0])
    corners = [Corners(at, at, at, np.empty((0, 2, 2)), np.empty((0, 2, 2)))]

    def in_turn(found: Sequence[Corners], *_: Any) -> list[Any]:
        asked.append([len(each.at) for each in found])
        return []

    monkeypatch.setattr(ordinary_reader, "planes_in_turn", in_turn)
    told = iter([np.stack([shown_px, shown_px + 14.0], axis=1)[:count] for count in (0, 1, 1, 2, 2)])
    monkeypatch.setattr(IndexViews, "told_px", lambda _: next(told))
    picture = photograph(pack, ("7S", LOW))
    search = _Rough(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), corners)
    list(search.planes())
    assert asked == [[6], [2], [4]]


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


OTHER = camera_above(2.2, SIZE, tilt_deg=10.0)


def end_of_ace(y_mm: float, up_mm: float) -> IndexedCard:
    """An ace by its index at that height, which stands upright where `up_mm` is positive."""
    ace = indexed("AS", 1.0, CardPose.flat(0.0, y_mm, 0.0), cornered=True, sides=2.0)
    ends = (np.array([0.0, y_mm + way * up_mm]) for way in (1.0, -1.0))
    return replace(ace, indices=(replace(ace.indices[0], top=next(ends), bottom=next(ends)),))


class _TooSmall(PlaneSearch):
    """A plane on which the two ends of a card are those of two, until it is made as large as they say."""

    def on(self, camera: Camera, size: tuple[float, float]) -> OnPlane:
        ends = [end_of_ace(20.0, 4.0), end_of_ace(-10.0, -4.0)]
        is_first = not self.views.has(CAMERA)
        self.views.on(CAMERA)
        return OnPlane(OTHER if is_first else camera, size, ends if is_first else ends[:1], IndexPlace())


def test_a_plane_is_made_as_large_as_a_card_s_two_ends_say_before_it_is_fitted(pack: DeckFaces) -> None:
    """Fitting each of the likeliest planes at a wrong scale first took a third of a slow picture's time."""
    picture = photograph(pack, ("7S", LOW), ("KD", APART))
    search = _TooSmall(picture, IndexViews(picture), picture[:, :, 1].astype(np.float32), find_corners(picture))
    found = search.around(CAMERA, (63.0, 88.0))
    assert len(found.cards) == 1
    assert found.camera.tvec == pytest.approx(OTHER.tvec * found.camera.tvec[2] / OTHER.tvec[2])
    assert found.camera.tvec[2] > 1.5 * OTHER.tvec[2]
