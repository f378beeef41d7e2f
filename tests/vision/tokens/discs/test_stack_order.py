"""Of two pieces that overlap the upper one's rim goes on across the lower one, in one colour, too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.stack_order import PLAINLY, StackOrder, quantile
from arena_cam.vision.tokens.view.top_view import TopView

RADIUS_MM, PX_PER_MM = 10.0, 2.0
GREEN, DARKER = (110, 160, 50), (80, 120, 30)
LOWER, UPPER, THIRD = np.array([50.0, 60.0]), np.array([60.0, 64.0]), np.array([66.0, 56.0])


def stack(*middles: NDArray[np.float64]) -> TopView:
    """Pieces of one colour with words on them, bottom to top, whose sides are seen as thin darker rims."""
    picture = np.full((240, 240, 3), 200, np.uint8)
    for x, y in middles:
        at, size = (round(x * PX_PER_MM), round(y * PX_PER_MM)), round(RADIUS_MM * PX_PER_MM)
        cv2.circle(picture, at, size, GREEN, -1, cv2.LINE_AA)
        cv2.circle(picture, at, size, DARKER, 1, cv2.LINE_AA)
        cv2.putText(picture, "NO", (at[0] - 14, at[1] + 6), cv2.FONT_HERSHEY_DUPLEX, 0.7, (240, 240, 240), 2)
    grain = np.random.default_rng(5).normal(0.0, 2.0, picture.shape)
    return TopView(np.asarray(picture + grain, np.float32), np.ones((240, 240), bool), np.zeros(2), PX_PER_MM)


@pytest.mark.parametrize("turned", [False, True])
def test_the_rim_of_the_upper_piece_goes_on(turned: bool) -> None:
    order = StackOrder(stack(UPPER, LOWER) if turned else stack(LOWER, UPPER), RADIUS_MM)
    lead = order.lead(UPPER, LOWER)
    assert (lead < -PLAINLY) if turned else (lead > PLAINLY)
    assert order.lead(LOWER, UPPER) == pytest.approx(-lead)


def test_pieces_that_do_not_overlap_or_lie_beneath_a_third_tell_nothing() -> None:
    order = StackOrder(stack(LOWER, UPPER, (LOWER + UPPER) / 2), RADIUS_MM)
    assert order.lead(LOWER, LOWER + np.array([25.0, 0.0])) == 0.0
    assert order.lead(UPPER, LOWER, [(LOWER + UPPER) / 2]) == 0.0


def test_what_lies_above_both_does_not_count() -> None:
    order = StackOrder(stack(LOWER, UPPER, THIRD), RADIUS_MM)
    assert order.lead(UPPER, LOWER, [THIRD]) > PLAINLY
    assert order.lead(THIRD, UPPER) > PLAINLY


@pytest.mark.parametrize("count", [1, 2, 8, 31])
def test_a_quantile_is_numpy_s(count: int) -> None:
    values = np.random.default_rng(count).uniform(0.0, 90.0, count)
    for share in (0.0, 0.2, 0.5, 1.0):
        assert quantile(values, share) == pytest.approx(float(np.quantile(values, share)))
