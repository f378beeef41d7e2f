"""Matches that agree on where the print's middle is are tried before stray ones."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.printed.keypoints import Matches
from arena_cam.vision.printed.votes import worth_trying

PX_PER_MM = 2.0


def matches(mm: np.ndarray, px: np.ndarray, px_per_mm: float = PX_PER_MM) -> Matches:
    count = len(mm)
    affine = np.tile(np.eye(2) * px_per_mm, (count, 1, 1))
    alike = np.linspace(0.95, 0.9, count).astype(np.float32)
    return Matches.of(np.asarray(mm, np.float64), np.asarray(px, np.float64), affine, np.arange(count), alike)


@pytest.fixture
def crowd_and_strays() -> Matches:
    """Matches 0 to 2 put the print's middle elsewhere each, 3 to 7 all to (101, 101) px."""
    mm = np.array([[0.0, 0.0], [5.0, 5.0], [9.0, 1.0], [0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [-7.0, 3.0], [4.0, -9.0]])
    px = mm * PX_PER_MM + 101.0
    px[:3] += [[400.0, 0.0], [0.0, 400.0], [-600.0, 300.0]]
    return matches(mm, px)


def test_one_match_of_the_fullest_bin_comes_first(crowd_and_strays: Matches) -> None:
    tried = worth_trying(crowd_and_strays, np.ones(8, bool), 6.0, 40)
    assert tried[0] == 3  # of those that agree the one most alike
    assert sorted(tried) == [0, 1, 2, 3]


def test_what_a_match_says_may_outweigh_a_crowd(crowd_and_strays: Matches) -> None:
    weights = np.array([0.1, 9.0, 0.1, *[0.5] * 5])
    assert list(worth_trying(crowd_and_strays, np.ones(8, bool), 6.0, 2, weights)) == [1, 3]


def test_no_more_are_tried_than_allowed(crowd_and_strays: Matches) -> None:
    assert list(worth_trying(crowd_and_strays, np.ones(8, bool), 6.0, 1)) == [3]


def test_matches_used_up_do_not_count(crowd_and_strays: Matches) -> None:
    left = np.ones(8, bool)
    left[3:] = False
    assert list(worth_trying(crowd_and_strays, left, 6.0, 40)) == [0, 1, 2]
    assert not len(worth_trying(crowd_and_strays, np.zeros(8, bool), 6.0, 40))


def test_bins_grow_with_the_scale_of_the_print() -> None:
    """8 px apart: another place of a small print, the same place of a large one."""
    mm, px = np.zeros((2, 2)), np.array([[2.0, 2.0], [10.0, 2.0]])
    assert len(worth_trying(matches(mm, px, px_per_mm=1.0), np.ones(2, bool), 6.0, 40)) == 2
    assert len(worth_trying(matches(mm, px, px_per_mm=4.0), np.ones(2, bool), 6.0, 40)) == 1


@pytest.mark.parametrize("far", [1e3, 1e12])
def test_matches_of_one_bin_are_one_however_far_others_lie(far: float) -> None:
    mm, px = np.zeros((5, 2)), np.array([[2.0, 2.0], [far, 2.0], [3.0, 2.5], [2.0, -far], [1.0, 1.0]])
    tried = worth_trying(matches(mm, px), np.ones(5, bool), 6.0, 40)
    assert sorted(tried) == [0, 1, 3]
