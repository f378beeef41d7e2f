"""What is compiled about how a card rests answers as its twin in numpy does."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from arena_cam.domain.lies import Hypothesis
from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.kernels import resting_calls
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.reading.resting.contacts import LEANS, compared
from arena_cam.vision.reading.resting.overhang import CardSize

ARENA = Arena((280.0, 260.0), 15.0, 6.0, -2.0)
CARD = CardSize(63.0, 88.0, 3.0)


def aligned(seed: int) -> Alignment:
    """A card anywhere in the tray, over its walls or beside it, tilted or not, as well known as pictures tell."""
    random = np.random.default_rng(seed)
    x, y = random.uniform(-190.0, 190.0, 2)
    pose = CardPose.flat(float(x), float(y), float(random.uniform(0.0, 360.0)), float(random.uniform(0.0, 20.0)))
    pose = pose.moved(np.array([0.0, 0.0, 0.0, *random.normal(0.0, 0.15, 2), 0.0]))
    root = random.normal(size=(6, 6)) + 3.0 * np.eye(6)
    scale = np.array([0.1, 0.1, 1.0, 0.03, 0.03, 0.005]) ** -1.0
    information = (root @ root.T) * scale * scale[:, None] / 9.0
    return Alignment(pose, information, 4.0, information @ random.normal(0.0, 0.002, 6))


@pytest.mark.parametrize("seed", range(40))
def test_each_hypothesis_ends_in_the_same_place_and_is_as_likely(library: ctypes.CDLL, seed: int) -> None:
    card = aligned(seed)
    answers = []
    for each in (library, None):
        with computing_with(each):
            answers.append(compared(card, ARENA, CARD))
    fast, exact = answers
    assert [each.name for each in fast] == [each.name for each in exact]
    for one, other in zip(fast, exact, strict=True):
        assert np.allclose(one.pose.centre_mm, other.pose.centre_mm, atol=1e-6)
        assert np.allclose(one.pose.R, other.pose.R, atol=1e-8)
        assert (one.chi2, one.log_likelihood) == pytest.approx((other.chi2, other.log_likelihood), rel=1e-6, abs=1e-6)
        assert np.allclose(one.covariance, other.covariance, rtol=1e-6, atol=1e-12)


def test_all_hypotheses_are_among_those_compared() -> None:
    names = {each.name for seed in range(40) for each in compared(aligned(seed), ARENA, CARD)}
    assert names >= {Hypothesis.FLAT, Hypothesis.ON_TABLE, Hypothesis.ACROSS_WALL, Hypothesis.FREE, *LEANS}


def test_without_a_library_numpy_does() -> None:
    with computing_with(None):
        card = aligned(0)
        outline = np.zeros(64), np.zeros(64)
        assert resting_calls.rested(card.pose, np.eye(6), np.zeros(6), [(0.0,) * 7], np.zeros(21), outline) is None
