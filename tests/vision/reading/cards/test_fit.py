"""What a fit is worth, and when two poses are one card read twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.fit import Fit, Outline, same_place
from vision.scenes import HERE, exactly, moved


def fit(evidence: float = 80.0, explained: float = 0.9) -> Fit:
    return Fit(1, exactly(HERE), explained, evidence, np.zeros((11, 7)), np.ones((11, 7), bool), 1.0)


def test_a_fit_lies_where_it_was_aligned() -> None:
    assert fit().pose is HERE


def test_much_that_is_seen_and_little_that_is_amiss_make_its_worth() -> None:
    assert fit(80.0, 0.9).worth == pytest.approx(72.0)
    assert fit(80.0, 0.4).worth < fit(50.0, 0.9).worth


@pytest.mark.parametrize(
    ("pose", "same"),
    [
        (HERE, True),
        (moved(HERE, 4.0, 4.0, 7.0), True),
        (moved(HERE, 5.0, 5.0), False),
        (moved(HERE, 0.0, 0.0, 9.0), False),
        (HERE.half_turned, True),  # upside down is still one card
    ],
)
def test_rigid_cards_cannot_lie_in_one_another(pose: CardPose, same: bool) -> None:
    assert bool(same_place(pose.centre_mm, pose.R, fit())) is same


@pytest.mark.parametrize(("asked_mm", "least", "most"), [(0.4, 0.1, 0.3), (40.0, 0.0, 0.1)])
def test_print_that_asks_for_a_pose_far_from_where_it_was_aligned_has_little_say(
    asked_mm: float, least: float, most: float
) -> None:
    """Two figures in opposite corners hardly tell a tilt: linear as it is, their wish leads anywhere."""
    sides = Outline(HERE, np.diag([25.0] * 3 + [1e4] * 3), 40.0, 1.0)
    step = np.array([0.0, 0.0, asked_mm, 0.0, 0.0, 0.0])
    print_ = exactly(HERE)
    joined = sides.joined(replace(print_, pull=print_.information @ step))
    assert least <= np.linalg.solve(joined.information, joined.pull)[2] <= most
