"""How deep two outlines reach into each other, against distances that can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from arena_cam.domain.lies import Point2
from arena_cam.geometry.outlines import contact_probability, depth, from_above


def box(x: float, y: float, width: float = 60.0, height: float = 90.0, angle_deg: float = 0.0) -> tuple[Point2, ...]:
    """An upright rectangle with its middle at (x, y), turned about it."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    corners = [(-width / 2, height / 2), (width / 2, height / 2), (width / 2, -height / 2), (-width / 2, -height / 2)]
    return tuple((x + c * u - s * v, y + s * u + c * v) for u, v in corners)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (box(100, 0), -40.0),  # beside each other
        (box(60, 0), 0.0),  # edge to edge
        (box(58, 0), 2.0),  # side into side
        (box(0, 89), 1.0),  # along the longer way
        (box(0, 0), 60.0),  # the same place: out by the shorter side
        (box(0, 0, 10, 10), 35.0),  # one within the other
        (box(30 + 10 * math.sqrt(0.5) - 1, 0, 10, 10, 45), 1.0),  # a corner into a side
    ],
)
def test_depth_is_by_how_much_one_must_be_moved(other: tuple[Point2, ...], expected: float) -> None:
    assert depth(box(0, 0), other) == pytest.approx(expected, abs=1e-9)
    assert depth(other, box(0, 0)) == pytest.approx(expected, abs=1e-9)


def test_round_corners_that_face_each_other_are_farther_apart() -> None:
    diagonal = box(61.0, 91.0)  # 1 mm to the right and 1 mm above
    assert depth(box(0, 0), diagonal) == pytest.approx(-1.0)
    gap = math.hypot(1.0 + 2 * 3.0, 1.0 + 2 * 3.0) - 2 * 3.0  # between the middles of two quarter circles of 3 mm
    assert depth(box(0, 0), diagonal, 3.0) == pytest.approx(-gap)


def test_sides_are_as_deep_with_round_corners_as_with_sharp_ones() -> None:
    assert depth(box(0, 0), box(58, 0), 3.0) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("deep_mm", "least", "most"), [(-1.0, 0.0, 1e-6), (0.0, 0.5, 0.5), (0.08, 0.83, 0.85), (1.0, 1 - 1e-6, 1.0)]
)
def test_a_contact_is_as_likely_as_the_measurement_allows(deep_mm: float, least: float, most: float) -> None:
    likely = contact_probability(box(0, 0), box(60 - deep_mm, 0), 0.0, plain=True)
    assert least - 1e-12 <= likely <= most + 1e-12


def test_what_was_measured_vaguely_is_doubted_longer() -> None:
    plain, vague = (contact_probability(box(0, 0), box(60.15, 0), 0.0, plain=each) for each in (True, False))
    assert plain < vague < 0.5


def test_from_above_heights_do_not_matter() -> None:
    assert from_above([(1, 2, 3), (4.5, 5, -6)]) == ((1.0, 2.0), (4.5, 5.0))


@pytest.mark.parametrize("other", [box(100, 0), box(60.5, 0), box(58, 0, angle_deg=20.0), box(61.0, 91.0)])
def test_whoever_asks_for_no_less_is_told_no_more(other: tuple[Point2, ...]) -> None:
    """Most pairs of cards lie far apart, and one line between them tells it."""
    exactly = depth(box(0, 0), other, 3.0)
    for least in (-20.0, -1.0, 0.0, 5.0):
        told = depth(box(0, 0), other, 3.0, least=least)
        assert told == exactly if exactly >= least else exactly <= told < least
