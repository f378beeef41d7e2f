"""The middles of round things of one size."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.vision.tokens.discs.rims import Edges, closed_rim, sharpness
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, laid, view_of


def test_the_middle_of_a_token_has_most_of_its_rim() -> None:
    middles, shares = Edges(view_of(laid([], [("no", (100.0, 80.0, 0.3))]))).circles(RADIUS_MM)
    assert np.allclose(middles[0], [100.0, 80.0], atol=0.8)
    assert shares[0] > 0.5
    assert (shares[1:] < shares[0]).all()


def test_an_even_table_has_no_rims() -> None:
    middles, _ = Edges(view_of(np.full((300, 300, 3), 120, np.uint8))).circles(RADIUS_MM)
    assert len(middles) == 0


def test_a_rim_is_the_less_sharp_the_more_a_picture_is_blurred() -> None:
    middle, picture = np.array([100.0, 80.0]), np.full((480, 600, 3), 200, np.uint8)
    assert sharpness(view_of(picture), middle, RADIUS_MM) == 0.0
    cv2.circle(picture, (300, 240), round(RADIUS_MM * PX_PER_MM), (40, 40, 40), -1, cv2.LINE_AA)
    sharp, soft = (
        sharpness(view_of(np.asarray(cv2.GaussianBlur(picture, (0, 0), each), np.uint8)), middle, RADIUS_MM)
        for each in (0.5, 4.0)
    )
    assert sharp > 0.7
    assert soft < 0.4


def test_a_token_on_a_check_cloth_has_a_closed_rim_and_a_check_has_none() -> None:
    picture = np.full((660, 900, 3), 200, np.uint8)
    side = round(RADIUS_MM * 1.8 * PX_PER_MM)
    for row in range(0, 660, 2 * side):
        for column in range(0, 900, 2 * side):
            picture[row : row + side, column : column + side] = (50, 50, 210)
    check = (np.array([2.5 * side, 2.5 * side]) / PX_PER_MM,)
    assert closed_rim(view_of(picture), check[0], RADIUS_MM)[1] < 0.8
    token = view_of(laid([], [("no", (100.0, 80.0, 0.3))]))
    assert closed_rim(token, np.array([100.5, 80.0]), RADIUS_MM)[1] > 0.9
