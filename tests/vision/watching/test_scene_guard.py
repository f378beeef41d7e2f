"""A picture that is not this table's is refused, and says what it is: mirrored, out of focus, another table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.lies import Lie, Reading, TablePose, Unreadable
from arena_cam.domain.table import Arena, Fiducials, Table
from arena_cam.vision.watching.scene_guard import SceneGuard

WIDTH, HEIGHT = 480, 272
K = ((480.0, 0.0, 240.0), (0.0, 480.0, 136.0), (0.0, 0.0, 1.0))
TABLE = Table((WIDTH, HEIGHT), K, (), Arena((280.0, 280.0), 15.0, 6.0), Fiducials("DICT_5X5_50", 28.0, {}))
ABOVE = TablePose((np.pi, 0.0, 0.0), (0.0, 0.0, 600.0), 0.1, (0, 1))


def scene(seed: int, level: float = 120.0) -> Image:
    """A table with print as fine as two pixels."""
    grain = np.random.default_rng(seed).normal(0, 60, (HEIGHT // 2, WIDTH // 2)).astype(np.float32)
    smooth = cv2.GaussianBlur(cv2.resize(grain, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR), (0, 0), 0.8)
    return np.repeat(np.clip(level + smooth, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def shifted(picture: Image, x_px: int) -> Image:
    return np.roll(picture, x_px, axis=1)


class ReadsAll:
    """A reader that finds an empty table at `pose` in every picture."""

    def __init__(self) -> None:
        self.pose: TablePose | None = ABOVE

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),  # noqa: ARG002 the protocol's own names
        changed: NDArray[np.bool_] | None = None,  # noqa: ARG002
        before: Image | None = None,  # noqa: ARG002
    ) -> Reading | Unreadable:
        return Reading(frame.name, frame.time_s, (), pose=self.pose)


def read(guard: SceneGuard, picture: Image) -> str:
    """Why the picture was refused; "" if it was accepted."""
    answer = guard.read(Frame(picture, 0.0, 0, "test", "f"))
    return str(answer.doubts[0]) if isinstance(answer, Unreadable) else ""


@pytest.fixture
def guard() -> SceneGuard:
    guard = SceneGuard(ReadsAll(), TABLE)
    assert read(guard, scene(1)) == ""  # whatever comes first is this table
    return guard


def covered(share: float) -> Image:
    picture = scene(1)
    picture[:, : int(WIDTH * share)] = 90
    return picture


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (scene(1), ""),
        ((scene(1) * 0.4 + 10).astype(np.uint8), ""),  # the lamp is dimmed
        (covered(0.6), ""),  # somebody leans over the table
        (cv2.GaussianBlur(scene(1), (0, 0), 0.8), ""),  # a little soft
        (cv2.GaussianBlur(scene(1), (0, 0), 3.0), "the picture is out of focus"),
        (np.ascontiguousarray(scene(1)[:, ::-1]), "the picture is mirrored"),
        (scene(2), "the picture does not show this table"),
    ],
    ids=["same", "dimmed", "covered", "soft", "blurred", "mirrored", "another"],
)
def test_each_kind_of_picture_is_told(guard: SceneGuard, picture: Image, reason: str) -> None:
    assert read(guard, picture) == reason


def test_the_table_is_read_again_when_it_is_back(guard: SceneGuard) -> None:
    assert read(guard, scene(2))
    assert read(guard, scene(1)) == ""


def test_a_table_without_print_is_compared_with_nothing() -> None:
    guard = SceneGuard(ReadsAll(), TABLE)
    plain = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    assert [read(guard, plain), read(guard, scene(2))] == ["", ""]


def test_a_bumped_camera_sees_the_same_table_elsewhere() -> None:
    reader = ReadsAll()
    guard = SceneGuard(reader, TABLE)
    assert read(guard, scene(1)) == ""
    # 30 px to the right at 480 px per radian and 600 mm: the camera moved by 37.5 mm
    reader.pose = TablePose(ABOVE.rvec, (37.5, 0.0, 600.0), 0.1, (0, 1))
    assert read(guard, shifted(scene(1), 30)) == ""
    reader.pose = ABOVE
    assert read(guard, scene(1)) == ""


@pytest.mark.parametrize(
    ("turn_deg", "reason"),
    [(20.0, ""), (90.0, "the picture is turned by 90 degrees"), (180.0, "the picture is turned by 180 degrees")],
)
def test_a_camera_that_lies_on_its_side_is_not_gone_on_with(turn_deg: float, reason: str) -> None:
    """Fiducials would tell where it is; a picture that a driver turns is none to go on with without a word."""
    reader = ReadsAll()
    guard = SceneGuard(reader, TABLE)
    assert read(guard, scene(1)) == ""
    about_the_axis = cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), turn_deg, 1.0)
    turned = np.asarray(cv2.warpAffine(scene(1), about_the_axis, (WIDTH, HEIGHT)), np.uint8)
    turn, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(-turn_deg)]))
    rotation, _ = cv2.Rodrigues(np.array(ABOVE.rvec))
    rvec = cv2.Rodrigues(turn @ rotation)[0].ravel()
    reader.pose = TablePose((float(rvec[0]), float(rvec[1]), float(rvec[2])), ABOVE.tvec, 0.1, (0, 1))
    assert read(guard, turned) == reason
    reader.pose = ABOVE
    assert read(guard, scene(1)) == ""


def test_the_same_shift_without_a_moved_camera_is_another_scene(guard: SceneGuard) -> None:
    assert read(guard, shifted(scene(1), 30)) == "the picture does not show this table"
