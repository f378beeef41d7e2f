"""A card ends where its paper ends; inside another card, or on an even table, nothing does."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.tokens.cards.card_rims import (
    FULL_STEP,
    SeenSlopes,
    TriedOutlines,
    rim_points,
    rim_share,
    tried_outlines,
)
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import SIZE_MM, laid, view_of

RIM = rim_points(SIZE_MM, 3.0)
VIEW = view_of(laid([("p-1", (120.0, 110.0, 0.2))]))
FREE = np.ones((220, 300), bool)
SHIFTS = np.array([[0.0, 0.0], [0.0, 15.0], [40.0, 0.0], [-300.0, 0.0]])


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


def slopes(size_px: tuple[int, int] = (160, 120), inside: np.ndarray | None = None) -> SeenSlopes:
    """Of a card of half a full step that lies upright about 60, 80 mm at 1 px/mm: its long sides alone."""
    along = np.zeros(size_px, np.float32)
    for column in (30, 29, 90, 89):
        along[35:125, column] = FULL_STEP / 2
    return SeenSlopes(along, np.zeros_like(along), np.zeros(2), 1.0, inside)


def tried(where: SeenSlopes, free: np.ndarray) -> TriedOutlines:
    return tried_outlines(where, (RIM[0] + np.array([60.0, 80.0]), RIM[1]), SHIFTS, free, np.zeros(2))


def test_where_it_lies_its_sides_are_edges() -> None:
    found = tried(slopes(), np.ones((160, 120), bool))
    of_long_sides = np.count_nonzero(RIM[1][:, 0]) / len(RIM[1])
    assert found.clear[0] == pytest.approx(0.5 * of_long_sides)
    assert found.steep[0] == pytest.approx(of_long_sides / 3)
    assert found.clear[1] < found.clear[0]
    assert found.clear[2] == 0.0
    assert found.count[0] == len(RIM[0])


def test_what_is_covered_or_out_of_the_photograph_does_not_count() -> None:
    free = np.ones((160, 120), bool)
    free[:, :60] = False
    covered = tried(slopes(), free)
    outside = tried(slopes(inside=free), np.ones((160, 120), bool))
    assert 0 < covered.count[0] < 0.6 * len(RIM[0])
    assert np.array_equal(covered.count, outside.count)
    assert covered.count[3] == 0
    assert covered.clear[3] == 0.0
