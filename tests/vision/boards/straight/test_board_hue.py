"""Whose board it is by the hue of thin lines, and what becomes of the first opinion."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena_cam.vision.boards.straight.board_colour import Pixels, WhichBoard
from arena_cam.vision.boards.straight.board_hue import second_opinion
from arena_cam.vision.printed.print_light import PLAIN

PAPER = (200.0, 200.0, 200.0)
INKS = {"red": (20.0, 20.0, 120.0), "blue": (110.0, 50.0, 20.0), "black": (20.0, 20.0, 20.0)}


def pixels(true: str, strength: float = 1.0, veil: float = 0.0) -> Pixels:
    """Shares of light of a board of paper with lines of ink, 200 mm wide; the lines' contrast times `strength`."""
    y, x = (v.ravel() for v in np.mgrid[0:100, 0:100])
    line = (x % 7 == 0) | (y % 9 == 0)
    prints = np.stack([np.where(line[:, None], ink, PAPER) for ink in INKS.values()]).astype(np.float32)
    seen = np.array(PAPER) + strength * (prints[list(INKS).index(true)] - np.array(PAPER)) + veil
    seen = seen * np.where(x < 50, 0.6, 1.0)[:, None] + np.random.default_rng(3).normal(0, 2, prints[0].shape)
    at = np.column_stack([x, y]) * 2.0 - 100.0
    return Pixels(seen.astype(np.float32), at, prints, np.ones((3, len(x)), bool))


def first(which: str, margin: float = 0.3, blocks_for: float = 4.0) -> WhichBoard:
    return WhichBoard(list(INKS).index(which), PLAIN, margin, blocks_for)


@pytest.mark.parametrize("true", list(INKS))
@pytest.mark.parametrize(("strength", "veil"), [(1.0, 0.0), (0.5, 0.0), (0.8, 40.0)])
def test_two_that_agree_are_surer_than_one(true: str, strength: float, veil: float) -> None:
    told = second_opinion(pixels(true, strength, veil), first(true))
    assert list(INKS)[told.which] == true
    assert told.agreed
    assert told.margin > 0.4
    assert told.blocks_for > 6.0


def test_where_they_disagree_the_clearer_one_is_named_and_nobody_is_sure() -> None:
    told = second_opinion(pixels("red"), first("blue", 0.05, 1.0))
    assert list(INKS)[told.which] == "red"
    assert not told.agreed
    assert told.margin == 0.0
    kept = second_opinion(pixels("red"), first("blue", 1.0, 1000.0))
    assert list(INKS)[kept.which] == "blue"
    assert kept.margin == 0.0


def test_paper_alone_says_nothing() -> None:
    told = second_opinion(pixels("red", strength=0.0), first("red", 0.0, 0.0))
    assert told.blocks_for < 5.0 or math.isclose(told.margin, 0.0, abs_tol=0.2)
