"""A card's outline fitted at all sides at once, where its rim has an inner side, too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.rectangle_fit import fit_rectangle
from arena_cam.vision.planes.side_search import HALVES, find_sides
from vision.small import camera_above

CARD_MM = (63.0, 88.0)
CAMERA = camera_above(2.0, (480, 480))
TRUE = CardPose.flat(10.0, -6.0, 27.0)


def back(pose: CardPose, rim_mm: float = 4.0) -> np.ndarray:
    """A dark print with a white rim on a cloth with a weave; the inner step is the stronger one."""
    cloth = np.random.default_rng(4).normal(150, 8, (480, 480)).astype(np.float32)
    for inset, light in ((0.0, 200.0), (rim_mm, 40.0)):
        corners = CAMERA.project(pose.corners(CARD_MM[0] - 2 * inset, CARD_MM[1] - 2 * inset))
        cv2.fillConvexPoly(cloth, np.round(corners * 16).astype(np.int32), (light,), lineType=cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.7), np.float32)


def moved(x_mm: float, y_mm: float, turn_deg: float) -> CardPose:
    x, y = (TRUE.centre_mm + TRUE.R @ np.array([x_mm, y_mm, 0.0]))[:2]
    return CardPose.flat(float(x), float(y), TRUE.angle_deg + turn_deg)


@pytest.mark.parametrize("off", [(0.0, 0.0, 0.0), (3.0, -2.0, 0.0), (-4.0, 3.5, 2.0), (1.5, 4.0, -3.0)])
def test_the_outer_side_of_a_rim_is_the_card_s(off: tuple[float, float, float]) -> None:
    fit = fit_rectangle(back(TRUE), CAMERA, moved(*off), CARD_MM)
    assert np.abs(fit.pose.corners(*fit.size_mm) - TRUE.corners(*CARD_MM)).max() < 1.6
    assert fit.halves == HALVES


def test_side_by_side_the_inner_side_would_be_taken() -> None:
    """What the fit is for: each half by itself is no plain step, or the wrong one."""
    seen = find_sides(back(TRUE), CAMERA, [moved(-4.0, 3.5, 2.0)], CARD_MM, 6.0)
    ends = [
        np.abs((CAMERA.to_plane(side.seen_px) - TRUE.centre_mm) @ TRUE.R)[:, :2] - np.array(CARD_MM) / 2
        for side in seen
    ]
    assert sum(float(end.max()) > -1.0 for end in ends) < HALVES / 2


def test_a_cloth_shows_no_rectangle() -> None:
    assert fit_rectangle(back(TRUE), CAMERA, CardPose.flat(-70.0, 75.0, 10.0), CARD_MM).halves <= 2
