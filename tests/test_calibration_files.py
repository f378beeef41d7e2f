"""Every camera that is shipped can be given to `arena-cam calibrate --intrinsics`."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.formats.table_json import read_camera

FILES = sorted((Path(__file__).parent.parent / "calibration").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_shipped_camera_is_read_and_named_after_its_resolution(file: Path) -> None:
    camera = read_camera(file)
    width, height = camera["image_size"]
    assert file.stem.endswith(f"{width}x{height}")
    assert 0.5 * width < camera["K"][0][0] < 2 * width


def test_some_are_shipped() -> None:
    assert len(FILES) >= 5
