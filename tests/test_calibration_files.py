"""Every camera that is shipped can be given to `arena-cam calibrate --intrinsics`."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.camera.raspberry_pi import SENSOR_MODES
from arena_cam.formats.table_json import read_camera
from arena_cam.referee.setup.files import SetupPlaces, lenses

FILES = sorted((Path(__file__).parent.parent / "calibration").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_shipped_camera_is_read_and_named_after_its_resolution(file: Path) -> None:
    camera = read_camera(file)
    width, height = camera["image_size"]
    assert file.stem.endswith(f"{width}x{height}")
    assert 0.5 * width < camera["K"][0][0] < 2 * width


def test_some_are_shipped() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("imx219", "camera module 2"),
        ("imx708", "camera module 3"),
        ("imx477", "hq 6mm"),
        ("imx296", "global shutter 6mm"),
    ],
)
def test_every_pi_camera_has_values_for_the_mode_that_is_chosen_for_it(model: str, name: str, tmp_path: Path) -> None:
    size = SENSOR_MODES[model][2]
    places = SetupPlaces(tmp_path, FILES[0].parent, tmp_path, lambda: tmp_path)
    found = {lens.name: lens.camera for lens in lenses(places, size, None)}
    assert tuple(found[name]["image_size"]) == size
    assert found[name]["K"][0][2] == pytest.approx((size[0] - 1) / 2, abs=0.1)
