"""Fiducials and tray measured from one picture of the empty table."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.errors import CannotDo
from arena_cam.vision.setup.survey import survey_arena, survey_fiducials
from vision.small import NO_DISTORTION, camera_above, empty_table, small_table

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size, tilt_deg=5.0)
PICTURE = empty_table(TABLE, CAMERA)


def test_without_fiducials_nothing_can_be_measured() -> None:
    with pytest.raises(CannotDo):
        survey_fiducials(np.full_like(PICTURE, 120), CAMERA.K, NO_DISTORTION, "DICT_5X5_50", 24.0, 0.0)


def test_fiducials_are_measured_against_each_other() -> None:
    found = survey_fiducials(PICTURE, CAMERA.K, NO_DISTORTION, "DICT_5X5_50", 24.0, 0.0).fiducials.centres_mm
    assert set(found) == {1, 2, 3, 4}
    for a in found:
        for b in found:
            true = np.subtract(TABLE.fiducials.centres_mm[a], TABLE.fiducials.centres_mm[b])
            assert np.linalg.norm(np.subtract(found[a], found[b])) == pytest.approx(np.linalg.norm(true), rel=0.025)


def test_a_sheet_without_a_tray_is_refused_with_what_to_check() -> None:
    alone = PICTURE.copy()
    x0, y0, x1, y1 = 105, 60, 535, 420  # the tray, painted over with what is round it
    alone[y0:y1, x0:x1] = PICTURE[5, 5]
    with pytest.raises(CannotDo, match="200 x 150 mm"):
        survey_arena(alone, CAMERA.K, NO_DISTORTION, TABLE.arena, "DICT_5X5_50", 24.0, 0.0)
