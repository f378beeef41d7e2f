"""A card ends where its paper ends; inside another card, or on an even table, nothing does."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.cards.card_rims import rim_points, rim_share
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import SIZE_MM, laid, view_of

RIM = rim_points(SIZE_MM, 3.0)
VIEW = view_of(laid([("p-1", (120.0, 110.0, 0.2))]))
FREE = np.ones((220, 300), bool)


def test_points_lie_on_the_outline_and_point_outwards() -> None:
    points, ways = RIM
    at_rim = np.isclose(np.abs(points), np.array(SIZE_MM) / 2).any(axis=1)
    assert at_rim.all()
    assert ((points * ways).sum(axis=1) > 0).all()


def test_a_card_ends_where_it_lies_and_nowhere_else() -> None:
    there, beside = (rigid_motion(np.array(at)) for at in ((120.0, 110.0, 0.2), (230.0, 110.0, 0.2)))
    assert rim_share(VIEW, there, RIM, FREE, np.zeros(2)) > 0.95
    assert rim_share(VIEW, beside, RIM, FREE, np.zeros(2)) < 0.1


def test_a_rim_that_is_covered_says_nothing() -> None:
    beside = rigid_motion(np.array([230.0, 110.0, 0.2]))
    assert rim_share(VIEW, beside, RIM, ~FREE, np.zeros(2)) == 1.0
