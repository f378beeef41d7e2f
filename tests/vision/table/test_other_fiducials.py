"""Another set's fiducials are told from covered ones."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Table
from arena_cam.vision.table.other_fiducials import other_fiducials
from vision.small import camera_above, empty_table, small_table

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
POSE = TablePose(
    (float(CAMERA.rvec[0]), float(CAMERA.rvec[1]), float(CAMERA.rvec[2])), (0.0, 0.0, 500.0), 0.1, (), True
)


def seen(table: Table) -> Image:
    return np.asarray(cv2.cvtColor(empty_table(table, CAMERA), cv2.COLOR_BGR2GRAY), np.uint8)


def with_fiducials(dictionary: str, numbers: tuple[int, ...]) -> Table:
    places = dict(zip(numbers, TABLE.fiducials.centres_mm.values(), strict=True))
    return replace(TABLE, fiducials=replace(TABLE.fiducials, dictionary=dictionary, centres_mm=places))


@pytest.mark.parametrize(
    ("dictionary", "numbers"),
    [("DICT_5X5_50", (11, 12, 13, 14)), ("DICT_5X5_250", (201, 202, 3, 4)), ("DICT_4X4_50", (1, 2, 3, 4)),
     ("DICT_6X6_250", (1, 2, 3, 4)), ("DICT_APRILTAG_36h11", (1, 2, 3, 4))],
)  # fmt: skip
def test_those_of_another_set_are_told(dictionary: str, numbers: tuple[int, ...]) -> None:
    assert other_fiducials(seen(with_fiducials(dictionary, numbers)), TABLE, POSE)


def test_its_own_are_not_nor_is_what_covers_them() -> None:
    own = seen(TABLE)
    assert not other_fiducials(own, TABLE, POSE)
    covered = own.copy()
    covered[:, :200] = 90
    assert not other_fiducials(covered, TABLE, POSE)


def test_one_alone_is_no_other_set() -> None:
    assert not other_fiducials(seen(with_fiducials("DICT_5X5_50", (1, 2, 3, 44))), TABLE, POSE)
