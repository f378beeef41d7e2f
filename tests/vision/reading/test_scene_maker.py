"""A frame is made ready to be read, or refused with what is wrong and what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Unreadable
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import in_view
from arena_cam.vision.reading.scene_maker import SceneMaker, TableScene
from vision.small import camera_above, empty_table, frame, painted, small_table, with_card

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
EMPTY = empty_table(TABLE, CAMERA)
HERE = CardPose.flat(10.0, 5.0, 20.0)


def made(faces: DeckFaces, picture: np.ndarray, table: Table = TABLE) -> TableScene | Unreadable:
    return SceneMaker(table, faces, hold_pose=False).make(frame(picture), (), None, None)


@pytest.mark.parametrize(
    ("picture", "doubt"),
    [
        (np.full((480, 640, 3), 3, np.uint8), Doubt.PICTURE_BLACK()),
        (np.full((480, 640, 3), 250, np.uint8), Doubt.PICTURE_WHITE()),
        (np.full((480, 640, 3), 120, np.uint8), Doubt.FEW_FIDUCIALS()),
        (np.full((240, 320, 3), 120, np.uint8), Doubt.OTHER_SIZE(size="320x240", size_wanted="640x480")),
    ],
    ids=["black", "white", "no fiducials", "another size"],
)
def test_what_cannot_be_read_is_refused(faces: DeckFaces, picture: np.ndarray, doubt: Message) -> None:
    answer = made(faces, picture)
    assert isinstance(answer, Unreadable)
    assert answer.doubts == (doubt,)


def test_fiducials_of_another_table_are_refused(faces: DeckFaces) -> None:
    wrong = {1: (-90.0, 20.0), 2: (60.0, 95.0), 3: (-10.0, -70.0), 4: (130.0, -20.0)}
    answer = made(faces, EMPTY, replace(TABLE, fiducials=replace(TABLE.fiducials, centres_mm=wrong)))
    assert isinstance(answer, Unreadable)
    assert answer.doubts == (Doubt.FIDUCIALS_DISAGREE(),)


def test_a_frame_is_made_ready_at_the_scale_of_fine_fits(faces: DeckFaces) -> None:
    ready = made(faces, EMPTY)
    assert isinstance(ready, TableScene)
    assert ready.scene.fine_level == 0
    assert ready.scene.change is None, "no picture of the empty table is known"
    assert ready.scene.fresh is None
    assert ready.seen.pose.fiducials == (1, 2, 3, 4)
    assert ready.scene.white_ratio == pytest.approx([1.0, 1.0, 1.0], abs=0.02)


def test_a_picture_twice_as_fine_is_fitted_in_its_half(faces: DeckFaces) -> None:
    table = small_table(4.0, (1280, 960))
    ready = made(faces, empty_table(table, camera_above(4.0, (1280, 960))), table)
    assert isinstance(ready, TableScene)
    assert ready.scene.fine_level == 1
    assert ready.scene.bgr.shape[:2] == (480, 640)
    assert ready.scene.image_size == (1280, 960)


def test_against_the_empty_table_a_card_is_odd(faces: DeckFaces, tmp_path: Path) -> None:
    file = tmp_path / "empty.png"
    cv2.imwrite(str(file), EMPTY)
    picture = with_card(EMPTY, faces.deck, "card-1", CAMERA, HERE)
    ready = made(faces, picture, replace(TABLE, empty=file))
    assert isinstance(ready, TableScene)
    assert ready.scene.change is not None
    odd = ready.scene.change.within(ready.scene.change.odd, np.array([10.0, -60.0]), np.array([30.0, 0.0]))
    assert not odd[1]
    assert ready.scene.change.odd.sum() == pytest.approx(63 * 88, rel=0.25)


def test_the_last_pose_serves_only_where_it_may_be_held(faces: DeckFaces) -> None:
    hidden = EMPTY.copy()
    hidden[:, 500:] = 90
    hidden[:, :140] = 90
    for hold in (True, False):
        maker = SceneMaker(TABLE, faces, hold_pose=hold)
        first = maker.make(frame(EMPTY), (), None, None)
        second = maker.make(frame(hidden), (), None, None)
        assert isinstance(first, TableScene)
        assert isinstance(second, TableScene) is hold
        if isinstance(second, TableScene):
            assert second.seen.pose.held
            assert not first.seen.pose.held


def test_what_changed_since_is_known_where_it_is_told(faces: DeckFaces) -> None:
    maker = SceneMaker(TABLE, faces, hold_pose=False)
    changed = np.zeros((12, 16), bool)
    changed[:, 8:] = True
    ready = maker.make(frame(EMPTY), (), changed, EMPTY)
    assert isinstance(ready, TableScene)
    assert ready.scene.fresh is not None
    assert ready.scene.fresh.at(np.array([[100.0, 600.0], [200.0, 200.0]])).tolist() == [False, True]
    assert ready.scene.fresh.all_explained(np.zeros((121, 161), np.uint8), 4), "nothing looks otherwise than before"


def test_what_an_arm_covers_of_a_card_is_not_in_view(faces: DeckFaces, tmp_path: Path) -> None:
    file, skin = tmp_path / "empty.png", np.full((8, 8, 3), (112, 146, 198), np.uint8)
    cv2.imwrite(str(file), EMPTY)
    arm = np.array([[-45.0, 300.0, 0.0], [5.0, 300.0, 0.0], [5.0, -10.0, 0.0], [-45.0, -10.0, 0.0]])
    picture = painted(with_card(EMPTY, faces.deck, "card-1", CAMERA, HERE), skin, CAMERA, arm)
    ready = made(faces, picture, replace(TABLE, empty=file))
    assert isinstance(ready, TableScene)
    assert ready.scene.arm is not None
    known = Known.nothing_of(ready.scene)
    assert 0.3 < in_view(known, HERE)[0] < 0.8
    assert in_view(known, CardPose.flat(55.0, -30.0, 0.0))[0] == 1.0
