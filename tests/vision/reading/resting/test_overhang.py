"""How far a card reaches over the tray's inner boundary."""

from __future__ import annotations

import pytest

from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.resting.overhang import CardSize, inside_mm, overhang_mm, round_outline

ARENA = Arena((280.0, 260.0), 15.0, 6.0)
CARD = CardSize(63.0, 88.0, 3.0)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "angle_deg", "overhang"),
    [
        (0.0, 0.0, 0.0, -86.0),  # the middle: 44 mm of a card up to a boundary 130 mm away
        (108.5, 0.0, 0.0, 0.0),  # its right side on the boundary
        (113.5, 0.0, 0.0, 5.0),
        (0.0, -90.0, 0.0, 4.0),
        (96.0, 0.0, 90.0, 0.0),  # turned a quarter: the long side is across
    ],
)
def test_the_overhang_is_that_of_the_farthest_point(
    x_mm: float, y_mm: float, angle_deg: float, overhang: float
) -> None:
    assert overhang_mm(CardPose.flat(x_mm, y_mm, angle_deg), ARENA, CARD) == pytest.approx(overhang, abs=0.01)


def test_round_corners_reach_less_far_than_sharp_ones() -> None:
    pose = CardPose.flat(0.0, 0.0, 45.0)
    sharp = CardSize(CARD.width_mm, CARD.height_mm, 0.0)
    less = overhang_mm(pose, ARENA, sharp) - overhang_mm(pose, ARENA, CARD)
    assert less == pytest.approx(CARD.radius_mm * (2**0.5 - 1), abs=0.05)
    assert round_outline(pose, CARD).shape[1] == 3


@pytest.mark.parametrize(("x_mm", "inside"), [(140.0, 31.5), (171.5, 0.0), (181.5, -10.0)])
def test_what_lies_inside_is_measured_from_the_innermost_point(x_mm: float, inside: float) -> None:
    assert inside_mm(CardPose.flat(x_mm, 0.0, 0.0), ARENA, CARD) == pytest.approx(inside, abs=0.01)
