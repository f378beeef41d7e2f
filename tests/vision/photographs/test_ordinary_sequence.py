"""Pictures in time of a pack that nobody has shown: the plane of the picture before serves as long as it holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.observations import CardRested
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.cloth_watcher import ClothWatcher
from arena_cam.vision.photographs.ordinary_sequence import OrdinarySequence, Printed
from vision.small import camera_above, frame, with_card

SIZE = (720, 560)
LEFT, RIGHT = CardPose.flat(-70.0, 0.0, 10.0), CardPose.flat(75.0, -20.0, -130.0)
FAR = CardPose.flat(0.0, 5.0, 40.0)


def photograph(pack: DeckFaces, *cards: tuple[str, CardPose], camera: Camera | None = None) -> np.ndarray:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    for card, pose in cards:
        picture = with_card(picture, pack.deck, card, camera or camera_above(2.6, SIZE, tilt_deg=12.0), pose)
    return picture


def test_a_later_picture_is_read_on_the_same_plane(pack: DeckFaces) -> None:
    reader = OrdinarySequence()
    before = reader.read_after(photograph(pack, ("7S", LEFT), ("KD", RIGHT)), None)
    assert before is not None
    middle = CardPose.flat(0.0, 5.0, 40.0)
    after = reader.read_after(photograph(pack, ("7S", LEFT), ("KD", RIGHT), ("AS", middle)), before)
    assert after is not None
    assert {lie.card for lie in after.lies} == {"7S", "KD", "AS"}
    assert after.found.camera is before.found.camera


def test_the_plane_is_found_anew_when_the_camera_was_knocked(pack: DeckFaces) -> None:
    reader = OrdinarySequence()
    before = reader.read_after(photograph(pack, ("7S", LEFT)), None)
    knocked = camera_above(3.4, SIZE, tilt_deg=-10.0)
    after = reader.read_after(photograph(pack, ("7S", CardPose.flat(0.0, 0.0, 30.0)), camera=knocked), before)
    assert after is not None
    (seven,) = after.lies
    assert seven.card == "7S"
    true = knocked.project(CardPose.flat(0.0, 0.0, 30.0).corners(63.0, 88.0)).mean(axis=0)
    assert np.abs(np.mean(seven.corners_px, axis=0) - true).max() < 12.0


def test_a_pack_printed_on_black_is_read_in_its_own_light(black_pack: DeckFaces) -> None:
    """Nothing of it was read in a video: print on black was only looked for in single pictures."""
    reader = OrdinarySequence()
    before = reader.read_after(photograph(black_pack, ("7S", LEFT), ("KD", RIGHT)), None)
    assert before is not None
    assert before.printed is Printed.ON_BLACK
    after = reader.read_after(photograph(black_pack, ("7S", LEFT), ("KD", RIGHT), ("5C", FAR)), before)
    assert after is not None
    assert after.printed is Printed.ON_BLACK
    assert {lie.card for lie in after.lies} == {"7S", "KD", "5C"}


def test_a_pack_with_indices_on_tinted_plates_is_read_as_such(tinted_pack: DeckFaces) -> None:
    """Only single pictures were read so: of eight cards that were laid in a video two were said."""
    reader = OrdinarySequence()
    before = reader.read_after(photograph(tinted_pack, ("7S", LEFT), ("KD", RIGHT)), None)
    assert before is not None
    after = reader.read_after(photograph(tinted_pack, ("7S", LEFT), ("KD", RIGHT), ("5C", FAR)), before)
    assert after is not None
    assert {(lie.card, lie.sure) for lie in after.lies} == {("7S", True), ("KD", True), ("5C", True)}


def test_doubtful_marks_do_not_settle_what_a_pack_is_printed_on(pack: DeckFaces, black_pack: DeckFaces) -> None:
    """The grain of wood, inverted, had the indices of two cards, before any lay there: of a white pack, all of whose
    cards were read surely in single pictures, the first eleven were not said."""
    reader = OrdinarySequence()
    marks = reader.read_after(photograph(black_pack, ("7S", LEFT)), None)
    assert marks is not None
    assert marks.printed is Printed.ON_BLACK
    doubtful = replace(marks, settled=False)
    found = reader.read_after(photograph(pack, ("KD", RIGHT), ("5C", FAR)), doubtful)
    assert found is not None
    assert {(lie.card, lie.sure) for lie in found.lies} == {("KD", True), ("5C", True)}
    assert (found.printed, found.settled) == (Printed.ON_WHITE, True)
    swept = reader.read_after(photograph(pack), found)
    assert swept is None or (swept.printed, swept.settled) == (Printed.ON_WHITE, True)


@pytest.mark.parametrize("size", [SIZE, (39, 39)])
def test_where_nothing_lies_nothing_is_found(size: tuple[int, int]) -> None:
    empty = np.full((size[1], size[0], 3), (60, 90, 40), np.uint8)
    assert OrdinarySequence().read_after(empty, None) is None


def test_a_watched_cloth_tells_sure_cards_of_any_pack(pack: DeckFaces) -> None:
    one, two = photograph(pack, ("7S", LEFT)), photograph(pack, ("7S", LEFT), ("KD", RIGHT))
    eye = ClothWatcher(OrdinarySequence())
    told = []
    for number, picture in enumerate([one] * 3 + [two] * 3):
        seen = eye.feed(frame(picture, number / 5, number))
        told += [(each.lie.card, each.lie.sure) for each in seen if isinstance(each, CardRested)]
    assert told == [("7S", True), ("KD", True)]
