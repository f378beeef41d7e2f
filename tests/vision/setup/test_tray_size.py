"""The size of a tray by a card laid in it, on painted tables."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import CannotDo
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.setup.messages import SurveyRefusal
from arena_cam.vision.setup.tray_size import LaidCard, PrintedFiducials, TraySize, measure_tray
from vision.small import NO_DISTORTION, camera_above, empty_table, painted, small_table

TABLE = small_table(2.0, (640, 480))
CAMERA = camera_above(2.0, (640, 480), tilt_deg=4.0)
WALL = (TABLE.arena.wall_height_mm, TABLE.arena.wall_thickness_mm)
CARD = LaidCard((54.0, 85.6), 0.8)
LYING = CardPose.flat(5.0, -8.0, 20.0, 0.8)


@lru_cache
def empty_tray(floor: int = 120) -> Image:
    """The tray, its walls as high as they are."""
    picture = empty_table(TABLE, CAMERA, floor)
    for beyond, level, height in ((TABLE.arena.wall_thickness_mm, floor - 60, WALL[0]), (0.0, floor, 0.0)):
        x, y = (inner / 2 + beyond for inner in TABLE.arena.inner_mm)
        rim = np.array([[-x, y, height], [x, y, height], [x, -y, height], [-x, -y, height]])
        picture = painted(picture, np.full((8, 8, 3), level, np.uint8), CAMERA, rim)
    return picture


def table(card: LaidCard | None = CARD, pose: CardPose = LYING) -> Image:
    """The tray with a card laid in it."""
    if card is None:
        return empty_tray()
    return painted(empty_tray(), np.full((8, 8, 3), 225, np.uint8), CAMERA, pose.corners(*card.size_mm))


def measured(picture: Image, card: LaidCard = CARD, printed_mm: float = 24.0) -> TraySize:
    return measure_tray(picture, CAMERA.K, NO_DISTORTION, card, WALL, PrintedFiducials("DICT_5X5_50", printed_mm, 0.0))


def test_a_card_tells_the_tray_s_inner_size() -> None:
    pose = CardPose.flat(5.0, -8.0, 75.0, 0.8)
    found = measured(table(pose=pose))
    assert found.inner_mm == pytest.approx(TABLE.arena.inner_mm, abs=2.0)
    assert found.fiducial_mm == pytest.approx(24.0, rel=0.015)
    true = CAMERA.project(pose.corners(*CARD.size_mm))
    off = np.linalg.norm(found.card_px[:, None] - true[None], axis=2).min(axis=1)
    assert off.max() < 1.5


def test_a_sheet_that_the_printer_scaled_is_noticed() -> None:
    """The fiducials are believed to be `24 / printed` mm: the card says that they are 24."""
    printed = 0.95
    found = measured(table(), printed_mm=24.0 / printed)
    assert found.fiducial_mm == pytest.approx(24.0, rel=0.015)
    assert found.inner_mm == pytest.approx(TABLE.arena.inner_mm, abs=2.0)


def refused(picture: Image, card: LaidCard = CARD) -> SurveyRefusal:
    with pytest.raises(CannotDo) as refusal:
        measured(picture, card)
    return SurveyRefusal.of(refusal.value.said.code)


def test_without_the_card_or_with_one_of_another_size_it_is_refused() -> None:
    assert refused(table(card=None)) is SurveyRefusal.NO_CARD_SEEN
    assert refused(table(), LaidCard((40.0, 60.0), 0.8)) is SurveyRefusal.NO_CARD_SEEN


def test_too_few_fiducials_are_refused() -> None:
    half = table()
    half[:, :320] = 120
    assert refused(half) is SurveyRefusal.TOO_FEW_FIDUCIALS


def test_sides_that_nothing_shows_are_refused() -> None:
    """Walls, floor and table of one grey: the card and the fiducials are all that is seen."""
    picture = np.full((480, 640, 3), 160, np.uint8)
    seen = empty_table(TABLE, CAMERA)
    half = 30.0
    for x, y in TABLE.fiducials.centres_mm.values():
        corners = np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])
        mask = np.zeros(picture.shape[:2], np.uint8)
        at = CAMERA.project(np.column_stack([corners * [0.999, 1.0], np.zeros(4)]))
        cv2.fillConvexPoly(mask, np.round(at).astype(np.int32), (1,))
        marks = (mask > 0)[..., None] & ((seen < 30) | (seen > 230))
        picture = np.where(marks, seen, picture)
    picture = painted(picture, np.full((8, 8, 3), 225, np.uint8), CAMERA, LYING.corners(*CARD.size_mm))
    assert refused(picture) is SurveyRefusal.SIDES_UNSEEN
