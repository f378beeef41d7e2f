"""Cards of a picture whose plane is known, or nearly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.lies import Face
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.plane_scene import (
    PlaneReading,
    PlaneSceneReader,
    Shown,
    on_floor,
)
from vision.planes.photographed import CAMERA, SIZE, ground, outline_px, photograph
from vision.small import blotches, camera_above, lie, small_deck

LOW, OVER, APART = CardPose.flat(-60.0, 0.0, 10.0), CardPose.flat(-35.0, 20.0, 60.0), CardPose.flat(65.0, -20.0, -130.0)
WHITE = np.ones(3)


@pytest.fixture(scope="module")
def reader(faces: DeckFaces) -> PlaneSceneReader:
    return PlaneSceneReader(faces)


@pytest.fixture(scope="module")
def three(reader: PlaneSceneReader, faces: DeckFaces) -> PlaneReading:
    picture = photograph(faces.deck, ("card-0", LOW), ("card-1", OVER), ("card-2", APART))
    return reader.read(picture, CAMERA, WHITE)


def test_cards_are_named_in_their_places_and_none_leans(three: PlaneReading) -> None:
    assert {lie.card for lie in three.lies} == {"card-0", "card-1", "card-2"}
    assert three.is_plain
    assert three.tilt_deg < 1.0
    for key, pose in (("card-0", LOW), ("card-1", OVER), ("card-2", APART)):
        (found,) = [lie for lie in three.lies if lie.key == key]
        assert np.abs(np.array(found.corners_px) - outline_px(pose)).max() < 1.0
        assert found.face is Face.UP
        assert found.sure, found.why_unsure


def test_the_upper_of_two_covers_the_lower(three: PlaneReading) -> None:
    assert three.covers == (("card-1", "card-0"),)
    assert [lie.key for lie in three.lies].index("card-1") > [lie.key for lie in three.lies].index("card-0")


def test_a_face_told_beforehand_is_shown_or_not(reader: PlaneSceneReader, faces: DeckFaces) -> None:
    """Each of two names is right, or not; a card lies the way it was said or half a turn round; none lies face down."""
    picture = photograph(faces.deck, ("card-0", LOW), ("card-1", OVER), ("card-2", APART))
    places: list[tuple[str | None, CardPose]] = [("card-1", OVER), ("card-0", LOW), ("card-2", APART.half_turned)]
    shown = reader.shown_at(picture, CAMERA, WHITE, places)
    assert min(each.likely for each in shown) > 0.99
    assert all(each.leads for each in shown)
    assert float(shown[2].pose.R[:, 0] @ APART.R[:, 0]) > 0.99
    assert np.abs(shown[0].pose.centre_mm - OVER.centre_mm)[:2].max() < 0.5
    others: list[tuple[str | None, CardPose]] = [("card-1", OVER), ("card-3", LOW), (None, APART)]
    assert [each.likely for each in reader.shown_at(picture, CAMERA, WHITE, others)] == [1.0, 0.0, 0.0]
    bare = reader.shown_at(ground(), CAMERA, WHITE, [("card-1", OVER), (None, APART)])
    assert [each.likely for each in bare] == [0.0, 1.0]


def test_a_face_is_absent_where_another_is_in_view_but_not_where_it_may_lie_beneath(
    reader: PlaneSceneReader, faces: DeckFaces
) -> None:
    picture = photograph(faces.deck, ("card-0", LOW), ("card-2", APART))
    above: list[tuple[str | None, CardPose]] = [("card-0", LOW)]
    doubtful: list[tuple[str | None, CardPose]] = [("card-1", APART), ("card-3", LOW)]
    assert reader.absent_beneath(picture, CAMERA, WHITE, above, doubtful) == {"card-1"}
    assert reader.absent_beneath(picture, CAMERA, WHITE, above, [("card-2", APART)]) == set()
    assert reader.absent_beneath(picture, CAMERA, WHITE, (), doubtful) == {"card-1", "card-3"}


@pytest.mark.parametrize("angle_deg", [-60.0, 10.0, 75.0])
@pytest.mark.parametrize("away_mm", [14.0, 24.0, 34.0, 44.0])
def test_an_ace_beneath_a_king_is_never_taken_for_a_mark(pack: DeckFaces, angle_deg: float, away_mm: float) -> None:
    """A doubtful index is a mark only where its card is plainly absent: however much of an ace a king covers, what is
    in view of it is not."""
    reader, way = PlaneSceneReader(pack), np.radians(2.0 * angle_deg + away_mm)
    king = CardPose.flat(-60.0 + away_mm * float(np.cos(way)), away_mm * float(np.sin(way)), angle_deg)
    above: list[tuple[str | None, CardPose]] = [("KD", king)]
    beneath = photograph(pack.deck, ("AS", LOW), ("KD", king))
    assert reader.absent_beneath(beneath, CAMERA, WHITE, above, [("AS", LOW)]) == set()


def test_of_two_faces_that_differ_little_the_one_that_lies_there_leads(tmp_path: Path) -> None:
    """Each is as the deck has it where the other lies, but for one pip."""
    one = blotches(5)
    other = one.copy()
    other[150:200, 100:150] = 255
    reader = PlaneSceneReader(DeckFaces(small_deck(tmp_path, [one, other, blotches(6)])))
    picture = photograph(reader.faces.deck, ("card-0", LOW))
    for name, leads in (("card-0", True), ("card-1", False)):
        (shown,) = reader.shown_at(picture, CAMERA, WHITE, [(name, LOW)])
        assert shown.leads == leads


def test_a_card_of_much_blank_paper_is_told_by_what_is_printed_on_it(tmp_path: Path) -> None:
    """Blank tiles say nothing for a face: an ace that is seen whole is no card of which next to nothing is seen."""
    aces = [np.full((352, 252, 3), 250, np.uint8) for _ in range(2)]
    for ace, seed in zip(aces, (1, 2), strict=True):
        ace[130:220, 90:165] = blotches(seed, 75, 90, 12)
    reader = PlaneSceneReader(DeckFaces(small_deck(tmp_path, [*aces, blotches(3)])))
    picture = photograph(reader.faces.deck, ("card-0", APART), ("card-2", LOW))
    reading = reader.read(picture, CAMERA, WHITE)
    assert {lie.card for lie in reading.lies} == {"card-0", "card-2"}
    assert reading.hardly == frozenset()


def test_little_print_in_view_leads_where_it_is_as_the_face_has_it(tmp_path: Path) -> None:
    """Of a face half covered its index and blank paper are in view: too little to say its name, enough to bear it."""
    thin = [np.full((352, 252, 3), 250, np.uint8) for _ in range(2)]
    for face, seed in zip(thin, (1, 2), strict=True):
        face[20:56, 12:36] = blotches(seed, 24, 36, 8)
        face[-56:-20, -36:-12] = face[20:56, 12:36][::-1, ::-1]
    reader = PlaneSceneReader(DeckFaces(small_deck(tmp_path, [*thin, blotches(3)])))
    above = CardPose.flat(-22.0, -28.0, 10.0)
    picture = photograph(reader.faces.deck, ("card-0", LOW), ("card-2", above))
    for name, leads in (("card-0", True), ("card-1", False)):
        _, shown = reader.shown_at(picture, CAMERA, WHITE, [("card-2", above), (name, LOW)])
        assert (shown.likely, shown.leads, shown.absent) == (0.0, leads, False)


def test_print_beneath_a_card_is_not_missed_where_that_card_is_soiled(
    reader: PlaneSceneReader, faces: DeckFaces
) -> None:
    """No light comes through paper: what a card covers is not in view where a stain hides its own print, either."""
    above = CardPose.flat(-45.0, 15.0, 40.0)
    picture = photograph(faces.deck, ("card-0", LOW), ("card-1", above))
    stain = CardPose.flat(-53.0, 8.0, 40.0).corners(44.0, 60.0)
    cv2.fillPoly(picture, [np.round(CAMERA.project(stain)).astype(np.int32)], (90, 95, 90))
    _, beneath = reader.shown_at(picture, CAMERA, WHITE, [("card-1", above), ("card-0", LOW)])
    assert beneath.likely > 0.99


def test_a_card_said_to_lie_beneath_another_is_seen_over_it(reader: PlaneSceneReader, faces: DeckFaces) -> None:
    picture = photograph(faces.deck, ("card-0", LOW), ("card-1", OVER), ("card-2", APART))
    right: list[tuple[str | None, CardPose]] = [("card-2", APART), ("card-1", OVER), ("card-0", LOW)]
    assert [shown.over for shown in reader.shown_at(picture, CAMERA, WHITE, right)] == [(), (), ()]
    wrong = [right[0], right[2], right[1]]
    assert [shown.over for shown in reader.shown_at(picture, CAMERA, WHITE, wrong)] == [(), (), (1,)]


def test_cards_are_placed_where_their_faces_are_seen_whoever_covers_whom(
    reader: PlaneSceneReader, faces: DeckFaces
) -> None:
    """A face that is not there has no place; of two cards said the wrong way round both have theirs."""
    picture = photograph(faces.deck, ("card-0", LOW), ("card-1", OVER), ("card-2", APART))
    beside = CardPose.flat(LOW.centre_mm[0] + 1.5, LOW.centre_mm[1] - 1.0, 11.0)
    names = [("card-0", (beside, APART)), ("card-1", (OVER, LOW)), ("card-3", (APART, LOW))]
    placed = reader.placed(picture, CAMERA, WHITE, names)
    assert set(placed) == {"card-0", "card-1"}
    (seen,), (true,) = (CAMERA.project(pose.centre_mm[None]) for pose in (placed["card-0"], LOW))
    assert seen == pytest.approx(true, abs=1.0)


def test_a_card_that_does_not_lie_where_it_is_said_to_is_placed_where_it_may_lie_instead(
    reader: PlaneSceneReader, faces: DeckFaces
) -> None:
    """Where nothing else shows that the plane is the cards', it is not sought elsewhere."""
    picture = photograph(faces.deck, ("card-0", LOW), ("card-2", APART))
    elsewhere = ("card-2", (CardPose.flat(0.0, 60.0, 0.0), APART))
    assert set(reader.placed(picture, CAMERA, WHITE, [("card-0", (LOW,)), elsewhere])) == {"card-0", "card-2"}
    assert reader.placed(picture, CAMERA, WHITE, [elsewhere]) == {}


def test_a_card_of_which_little_is_seen_is_as_the_deck_has_it_where_the_others_are() -> None:
    """Not where much of it is in view and says otherwise, nor where it lies alone."""

    def shown(*nats: float) -> Shown:
        return Shown(0.0, LOW, nats=np.array(nats))

    plain, little, unlike = shown(*[6.0] * 20), shown(5.0, 0.2, 0.3, 0.5), shown(*[0.5] * 20)
    assert PlaneSceneReader.alike([plain, little, plain]) == [True, True, True]
    assert PlaneSceneReader.alike([plain, unlike]) == [True, False]
    assert PlaneSceneReader.alike([little]) == [False]
    assert PlaneSceneReader.alike([unlike, little]) == [False, False]


def test_an_empty_plane_has_no_cards_and_is_worth_nothing(reader: PlaneSceneReader) -> None:
    reading = reader.read(ground(), CAMERA, WHITE)
    assert (reading.lies, reading.worth, reading.tilt_deg) == ((), 0.0, 0.0)
    assert not reading.is_plain
    assert reader.fitted_camera(reading) is None


def test_a_plane_that_is_some_degrees_off_is_fitted_to_the_cards(reader: PlaneSceneReader, faces: DeckFaces) -> None:
    picture = photograph(faces.deck, ("card-0", LOW), ("card-2", APART))
    askew = replace(CAMERA, rvec=camera_above(2.0, SIZE, tilt_deg=19.0).rvec)
    first = reader.read(picture, askew, WHITE)
    assert first.tilt_deg > 1.2
    fitted = reader.fitted(picture, first, ())
    assert fitted.tilt_deg < 1.2
    assert {lie.card for lie in fitted.lies} == {"card-0", "card-2"}


def test_a_lie_laid_on_another_camera_s_floor_looks_the_same() -> None:
    other = camera_above(1.5, SIZE, tilt_deg=5.0)
    moved = on_floor(lie("card-0", 100.0, 80.0), other)
    assert moved.corners_mm is not None
    assert other.project(np.array(moved.corners_mm) * [1, 1, 0]) == pytest.approx(np.array(moved.corners_px))
