"""Blocks of pixels vote: many that lean to one side, or few that all say plainly the same."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.boards.straight.block_votes import standard_errors

ONES = np.ones(6)


def test_few_blocks_that_agree_say_more_than_the_root_of_their_number() -> None:
    assert standard_errors(0.9 * ONES, ONES) > np.sqrt(len(ONES)) + 0.3
    assert standard_errors(-0.9 * ONES, ONES) < -np.sqrt(len(ONES)) - 0.3


def test_few_blocks_that_do_not_agree_say_little() -> None:
    assert standard_errors(np.array([0.9, -0.4, 0.8, -0.1, 0.2, 0.9]), ONES) < 2.5


def test_many_blocks_of_which_some_say_nothing_count_as_those_that_do() -> None:
    told = np.where(np.arange(90) % 3 == 0, 0.5, 0.0)
    assert standard_errors(told, np.ones(90)) > 5.0


def test_one_block_is_one_vote_however_much_print_it_has() -> None:
    assert standard_errors(np.array([1000.0]), np.array([1000.0])) <= 1.0
    weights = np.array([1000.0, 1.0, 1.0])
    assert abs(standard_errors(np.array([1000.0, 0.0, 0.0]), weights)) <= 1.0


def test_a_large_block_does_not_outvote_many_small_ones() -> None:
    told, weights = np.array([-50.0, *[0.9] * 20]), np.array([50.0, *[1.0] * 20])
    assert standard_errors(told, weights) > 3.0


def test_blocks_without_anything_to_say_say_nothing() -> None:
    assert standard_errors(np.zeros(4), np.zeros(4)) == 0.0
    assert standard_errors(np.zeros(0), np.zeros(0)) == 0.0
    assert standard_errors(np.zeros(4), np.ones(4)) == 0.0
