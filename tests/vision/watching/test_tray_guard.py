"""A tray that was pushed is no longer judged by, until it is back in its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt, Way
from arena_cam.domain.lies import Lie, Reading, TablePose, Unreadable
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.watching.tray_guard import TrayGuard
from vision.small import camera_above, empty_table, frame, marker, painted, small_table

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
POSE = TablePose((float(CAMERA.rvec[0]), float(CAMERA.rvec[1]), float(CAMERA.rvec[2])), (0.0, 0.0, 500.0), 0.1, (1, 2))


class ReadsAll:
    """A reader that finds an empty table in every picture, and counts them."""

    def __init__(self) -> None:
        self.count = 0
        self.pose: TablePose | None = POSE

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),  # noqa: ARG002 the protocol's own names
        changed: NDArray[np.bool_] | None = None,  # noqa: ARG002
        before: Image | None = None,  # noqa: ARG002
    ) -> Reading | Unreadable:
        self.count += 1
        return Reading(frame.name, frame.time_s, (), pose=self.pose)


def tray(x_mm: float = 0.0, y_mm: float = 0.0, turn_deg: float = 0.0) -> Image:
    """The table with its fiducials, and the tray pushed and turned among them."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    shift = turn.T @ np.array([x_mm, y_mm, 0.0])
    moved = Camera(CAMERA.K, CAMERA.dist, CAMERA.rvec, CAMERA.tvec)
    picture = np.full((480, 640, 3), 160, np.uint8)
    for beyond, grey in ((TABLE.arena.wall_thickness_mm, 70), (0.0, 120)):
        x, y = (inner / 2 + beyond for inner in TABLE.arena.inner_mm)
        corners = np.array([[-x, y, 15.0], [x, y, 15.0], [x, -y, 15.0], [-x, -y, 15.0]])
        picture = painted(picture, np.full((8, 8, 3), grey, np.uint8), moved, (corners + shift) @ turn.T)
    for number, (x, y) in TABLE.fiducials.centres_mm.items():
        h = TABLE.fiducials.size_mm / 2 * 9 / 7
        at = np.array([[x - h, y + h, 0.0], [x + h, y + h, 0.0], [x + h, y - h, 0.0], [x - h, y - h, 0.0]])
        picture = painted(picture, marker("DICT_5X5_50", number), CAMERA, at)
    return picture


@pytest.fixture
def reader() -> ReadsAll:
    return ReadsAll()


@pytest.fixture
def guard(reader: ReadsAll) -> TrayGuard:
    begun = TrayGuard(reader, TABLE)
    assert isinstance(begun.read(frame(tray())), Reading), "the first picture says where the tray belongs"
    return begun


def test_an_untouched_tray_is_read(guard: TrayGuard) -> None:
    assert isinstance(guard.read(frame(tray())), Reading)
    assert isinstance(guard.read(frame(tray(1.0))), Reading), "as well as it is measured"


@pytest.mark.parametrize(
    ("pushed", "doubt"),
    [
        ((6.0, 0.0, 0.0), Doubt.TRAY_PUSHED(distance_mm=6, way=Way.RIGHT)),
        ((0.0, 8.0, 0.0), Doubt.TRAY_PUSHED(distance_mm=8, way=Way.UP)),
        ((-5.0, -5.0, 0.0), Doubt.TRAY_PUSHED(distance_mm=7, way=Way.LOWER_LEFT)),
        ((0.0, 0.0, 2.0), Doubt.TRAY_TURNED(turn_deg=2)),
    ],
)
def test_a_push_is_told_with_its_way(guard: TrayGuard, pushed: tuple[float, float, float], doubt: object) -> None:
    answer = guard.read(frame(tray(*pushed)))
    assert isinstance(answer, Unreadable)
    assert answer.doubts == (doubt,)
    assert answer.remedy == Doubt.PUSH_BACK()


def test_while_it_is_away_nothing_is_read_and_then_all_is(guard: TrayGuard, reader: ReadsAll) -> None:
    guard.read(frame(tray(6.0)))
    before = reader.count
    assert isinstance(guard.read(frame(tray(6.0))), Unreadable)
    assert reader.count == before
    assert isinstance(guard.read(frame(tray())), Reading)


def test_where_the_camera_stands_is_not_known_nothing_is_told(reader: ReadsAll) -> None:
    reader.pose = None
    guard = TrayGuard(reader, TABLE)
    for picture in (tray(), tray(6.0)):
        assert isinstance(guard.read(frame(picture)), Reading)


def test_the_small_table_is_what_it_says() -> None:
    assert empty_table(TABLE, CAMERA).shape == (480, 640, 3)
