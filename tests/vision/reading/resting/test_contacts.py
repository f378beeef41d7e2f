"""What can hold a card up, and how well its pose agrees with each."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.lies import Hypothesis
from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.reading.resting.contacts import Candidate, _all_residuals, _hypotheses, compared
from arena_cam.vision.reading.resting.overhang import CardSize

ARENA = Arena((280.0, 260.0), 15.0, 6.0)
CARD = CardSize(63.0, 88.0, 3.0)
INFORMATION = np.diag(np.array([0.1, 0.1, 0.3, 0.005, 0.005, 0.002]) ** -2.0)  # mm, rad


def held(x_mm: float, z_mm: float) -> dict[Hypothesis, Candidate]:
    """What a level card may be held by, its middle at that place right of the tray's and at that height."""
    aligned = Alignment(CardPose.flat(x_mm, 0.0, 0.0, z_mm), INFORMATION, 4.0, np.zeros(6))
    return {candidate.name: candidate for candidate in compared(aligned, ARENA, CARD)}


def test_in_the_middle_only_the_floor_can_hold_a_card() -> None:
    found = held(0.0, 0.8)
    assert set(found) == {Hypothesis.FLAT, Hypothesis.FREE}
    assert found[Hypothesis.FLAT].log_likelihood > found[Hypothesis.FREE].log_likelihood
    assert found[Hypothesis.FLAT].chi2 < 0.1


def test_by_a_wall_the_wall_can_too() -> None:
    found = held(112.0, 0.8)
    assert Hypothesis.EAST_WALL in found
    assert Hypothesis.WEST_WALL not in found
    assert found[Hypothesis.FLAT].log_likelihood > found[Hypothesis.EAST_WALL].log_likelihood


def test_outside_the_table_holds_it() -> None:
    found = held(220.0, ARENA.table_z_mm + 0.6)
    assert max(found.values(), key=lambda each: each.log_likelihood).name is Hypothesis.ON_TABLE


@pytest.mark.parametrize("z_mm", [5.0, 9.0])
def test_a_level_card_high_up_is_pulled_towards_what_holds_it(z_mm: float) -> None:
    flat = held(0.0, z_mm)[Hypothesis.FLAT]
    assert flat.pose.centre_mm[2] < z_mm
    assert flat.chi2 > 5.0
    assert flat.covariance.shape == (6, 6)


def hardly_known(pose: CardPose) -> dict[Hypothesis, Candidate]:
    """What may hold a card of whose pose the picture tells the place to a tenth of a millimetre and the tilt hardly."""
    information = np.diag(np.array([0.1, 0.1, 2.0, 0.08, 0.08, 0.002]) ** -2.0)
    return {each.name: each for each in compared(Alignment(pose, information, 4.0, np.zeros(6)), ARENA, CARD)}


def test_a_card_that_reaches_into_a_wall_does_not_lie_on_the_floor() -> None:
    inside, into = (hardly_known(CardPose.flat(x, 0.0, 90.0, 0.8)) for x in (92.5, 99.5))
    leads = [
        found[Hypothesis.FLAT].log_likelihood - found[Hypothesis.EAST_WALL].log_likelihood for found in (inside, into)
    ]
    assert leads[0] > 0.0
    assert leads[1] < leads[0] - 4.0
    assert into[Hypothesis.FLAT].chi2 > inside[Hypothesis.FLAT].chi2 + 8.0


def test_a_card_on_the_edge_of_a_wall_does_not_slope_along_it() -> None:
    leaning = CardPose.flat(99.0, 0.0, 90.0, 7.0).moved(np.array([0.0, 0.0, 0.0, 0.0, -0.17, 0.0]))
    askew = leaning.moved(np.array([0.0, 0.0, 0.0, 0.06, 0.0, 0.0]))
    found = hardly_known(askew)[Hypothesis.EAST_WALL].pose
    assert abs(found.R[1, 2]) < 0.3 * abs(askew.R[1, 2])
    assert found.tilt_deg > 6.0


@pytest.mark.parametrize("x_mm", [0.0, 62.0, 75.0, 230.0])
def test_contacts_are_the_same_where_their_slopes_are_not_asked_for(x_mm: float) -> None:
    pose = CardPose.flat(x_mm, 0.0, 10.0, 5.0)
    for physics in _hypotheses(pose, ARENA, CARD):
        (here, _, with_slopes), (same, _, without) = (_all_residuals(physics, pose, slopes) for slopes in (True, False))
        assert np.array_equal(here, same)
        assert with_slopes.shape == without.shape
        assert not without.any()
