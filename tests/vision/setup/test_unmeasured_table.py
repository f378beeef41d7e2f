"""A table that was never measured can be looked at, with a camera as most are."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.setup.unmeasured_table import usual_camera


@pytest.mark.parametrize("size", [(640, 480), (1536, 864), (480, 640)])
def test_the_usual_camera_looks_through_the_middle_of_its_picture(size: tuple[int, int]) -> None:
    K = usual_camera(size)
    assert K[:2, 2] == pytest.approx([(size[0] - 1) / 2, (size[1] - 1) / 2], abs=0.51)
    assert K[0, 0] == K[1, 1]
    across_deg = 2 * np.degrees(np.arctan(max(size) / 2 / K[0, 0]))
    assert 50.0 < across_deg < 90.0
    assert (K[0, 1], K[1, 0], *K[2]) == (0.0, 0.0, 0.0, 0.0, 1.0)
