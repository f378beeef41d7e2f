"""The pose of a leaning card by its markers' corners; a flat card is left flat."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.reading.guesses.marker_pose import leaning_by_markers
from vision.small import camera_above

CAMERA = camera_above(2.5, (800, 600))
PLACES = [(-22.0, 34.0), (22.0, 34.0), (-22.0, -34.0), (22.0, -34.0)]
SIDE = 12.0
HALF = SIDE / 2 * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])


def seen(pose: CardPose, count: int = 4, noise_px: float = 0.0) -> list[tuple[SeenMarker, float, float, float]]:
    rng = np.random.default_rng(3)
    marked = []
    for number, (x, y) in enumerate(PLACES[:count]):
        corners = CAMERA.project(pose.points(x + HALF[:, 0], y + HALF[:, 1]))
        marked.append((SeenMarker(number, corners + rng.normal(0, noise_px, (4, 2))), x, y, SIDE))
    return marked


def leaning(tilt_deg: float) -> CardPose:
    return CardPose.flat(30.0, 20.0, 25.0, 12.0).moved(np.array([0, 0, 0, np.radians(tilt_deg), 0, 0]))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_two_markers_are_too_few(count: int) -> None:
    assert leaning_by_markers(seen(leaning(20.0), count), CAMERA, 2.0) is None


def test_a_flat_card_is_no_leaning_one() -> None:
    assert leaning_by_markers(seen(CardPose.flat(30.0, 20.0, 25.0, 2.0), noise_px=0.3), CAMERA, 2.0) is None


@pytest.mark.parametrize("tilt_deg", [-25.0, 15.0, 35.0])
def test_the_tilt_is_found_to_two_degrees(tilt_deg: float) -> None:
    pose = leaning_by_markers(seen(leaning(tilt_deg), noise_px=0.2), CAMERA, 2.0)
    assert pose is not None
    apart = np.degrees(np.arccos(np.clip(pose.R[:, 2] @ leaning(tilt_deg).R[:, 2], -1, 1)))
    assert apart < 3.0
    assert np.linalg.norm(pose.centre_mm - leaning(tilt_deg).centre_mm) < 5.0


def test_no_card_stands_on_its_edge() -> None:
    assert leaning_by_markers(seen(leaning(75.0)), CAMERA, 2.0) is None
