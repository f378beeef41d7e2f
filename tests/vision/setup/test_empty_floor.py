"""An arena that is measured is looked at: whether anything lies in it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.vision.setup.empty_floor import things_on_the_floor
from vision.small import blotches, camera_above, empty_table, painted, small_table

TABLE = small_table(inner_mm=(240.0, 200.0))
CAMERA = camera_above(size=TABLE.image_size, tilt_deg=6.0)
PICTURE = empty_table(TABLE, CAMERA)


def with_rectangle(
    face: Image, x: float, y: float, angle_deg: float, size: tuple[float, float] = (63.0, 88.0)
) -> Image:
    """The empty table with `face` lying at (x, y) mm."""
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size) / 2
    corners = half @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
    return painted(PICTURE, face, CAMERA, np.column_stack([corners, np.full(4, 0.3)]))


def noisy(picture: Image, sd: float = 4.0) -> Image:
    noise = np.random.default_rng(1).normal(0.0, sd, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def grain(seed: int) -> Image:
    """The empty table on a floor of soft blotches, like a worn cloth, and light that falls off to one side."""
    height, width = PICTURE.shape[:2]
    soft = (blotches(seed, width, height, cell=60).astype(float) - 128.0) / 128.0 * 7.0
    light = np.linspace(0.75, 1.15, width)[None, :, None]
    return np.asarray(np.clip(PICTURE * light + soft, 0, 255), np.uint8)


@pytest.mark.parametrize(
    "picture", [PICTURE, noisy(PICTURE), grain(3), noisy(grain(4))], ids=["even", "noise", "cloth", "both"]
)
def test_a_bare_floor_is_empty(picture: Image) -> None:
    assert things_on_the_floor(picture, CAMERA, TABLE.arena) == []


@pytest.mark.parametrize("face", [np.full((88, 63, 3), 235, np.uint8), np.full((88, 63, 3), 20, np.uint8), blotches(5)])
@pytest.mark.parametrize(("x", "y", "angle"), [(0.0, 0.0, 0.0), (-60.0, 30.0, 25.0), (80.0, -40.0, 70.0)])
def test_a_card_is_seen_where_it_lies(face: Image, x: float, y: float, angle: float) -> None:
    found = things_on_the_floor(noisy(with_rectangle(face, x, y, angle)), CAMERA, TABLE.arena)
    assert len(found) >= 1
    largest = max(found, key=len)
    assert np.linalg.norm((largest.max(axis=0) + largest.min(axis=0)) / 2 - (x, y)) < 12.0


def test_a_card_under_the_rim_of_the_view_is_seen_by_what_shows() -> None:
    found = things_on_the_floor(
        with_rectangle(np.full((88, 63, 3), 240, np.uint8), 110.0, 0.0, 15.0), CAMERA, TABLE.arena
    )
    assert len(found) == 1


def test_a_soft_shadow_is_no_thing() -> None:
    y, x = np.mgrid[: PICTURE.shape[0], : PICTURE.shape[1]]
    shadow = 1.0 - 0.35 * np.exp(-(((x - 300) / 90.0) ** 2 + ((y - 220) / 60.0) ** 2))
    assert things_on_the_floor(np.asarray(PICTURE * shadow[..., None], np.uint8), CAMERA, TABLE.arena) == []
