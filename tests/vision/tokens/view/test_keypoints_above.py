"""Keypoints of the table as it is seen from straight above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.printed.standing_out import StandingOut
from arena_cam.vision.tokens.view.keypoints_above import FEW_ABOVE, MANY_ABOVE, keypoints_above
from arena_cam.vision.tokens.view.table_view import TableView


def askew() -> TableView:
    """A camera that looks at the table's origin from 600 mm, tilted by 40 degrees."""
    rotation = np.asarray(cv2.Rodrigues(np.array([np.radians(40.0), 0.0, 0.0]))[0], np.float64)
    return TableView(700.0, np.array([399.5, 299.5]), 0.0, rotation, np.array([0.0, 0.0, 600.0]))


@pytest.mark.parametrize("effort", [FEW_ABOVE, MANY_ABOVE])
def test_a_print_askew_is_found_where_the_photograph_shows_it_in_its_own_size(
    effort: tuple[int, float, float],
) -> None:
    rng = np.random.default_rng(3)
    flat = cv2.GaussianBlur(rng.integers(0, 255, (300, 300, 3)).astype(np.uint8), (0, 0), 4.0)  # 120 mm, 2.5 px/mm
    flat = cv2.normalize(flat, None, 0, 255, cv2.NORM_MINMAX)  # type: ignore[call-overload]
    camera = askew()
    corners = np.array([[-60.0, -60.0], [60.0, -60.0], [60.0, 60.0], [-60.0, 60.0]])
    onto = cv2.getPerspectiveTransform(
        np.array([[-0.5, -0.5], [299.5, -0.5], [299.5, 299.5], [-0.5, 299.5]], np.float32),
        camera.to_px(corners).astype(np.float32),
    )
    photograph = np.asarray(cv2.warpPerspective(flat, onto, (800, 600)), np.uint8)
    found, sizes_mm = keypoints_above(photograph, camera, np.array([[-80.0, -80.0], [80.0, 80.0]]), effort)
    mm = camera.to_mm(found.xy)
    on_print = np.abs(mm).max(axis=1) < 55.0
    assert np.count_nonzero(on_print) > 20
    sizes = np.sqrt(np.abs(np.linalg.det(np.linalg.inv(camera.px_per_mm(mm)) @ found.frame)))
    assert np.allclose(sizes, sizes_mm, rtol=0.05)
    assert 2.0 < np.median(sizes[on_print]) < 12.0, (
        "a blob of 4 px of the print is some millimetres large, wherever it lies"
    )


def test_nothing_is_found_at_the_photographs_edge() -> None:
    photograph = np.full((600, 800, 3), 200, np.uint8)
    found, _ = keypoints_above(photograph, askew(), np.array([[-900.0, -900.0], [900.0, 900.0]]))
    assert len(found.xy) == 0


def test_of_what_stands_out_the_same_keypoints_are_found() -> None:
    camera, rng = askew(), np.random.default_rng(4)
    photograph = np.full((600, 800, 3), 90, np.uint8)
    print_ = cv2.GaussianBlur(rng.integers(0, 255, (140, 160, 3)).astype(np.uint8), (0, 0), 2.0)
    photograph[300:440, 500:660] = cv2.normalize(print_, None, 0, 255, cv2.NORM_MINMAX)  # type: ignore[call-overload]
    out, box = StandingOut.of(photograph), np.array([[-400.0, -250.0], [400.0, 250.0]])
    every, _ = keypoints_above(photograph, camera, box, FEW_ABOVE)
    some, _ = keypoints_above(photograph, camera, box, FEW_ABOVE, out)
    near = np.linalg.norm(every.xy[:, None] - some.xy, axis=2).min(axis=1)
    assert len(every.xy) > 20
    assert np.mean(near < 0.5) > 0.9
