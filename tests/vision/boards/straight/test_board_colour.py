"""Whose board it is: by hue where prints differ, whatever the light, never by darkness alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.vision.boards.straight.board_colour import Pixels, TilePixels, WhichBoard, which_board
from arena_cam.vision.printed.print_light import PLAIN

PAPER = (240, 240, 240)
INKS = {"red": (40, 40, 190), "blue": (170, 90, 30), "green": (50, 110, 40), "black": (50, 48, 46)}
NONE = TilePixels(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros((0, 2)))


def pixels(true: str, light: tuple[float, float, float], veil: float = 0.0, dim: float = 1.0) -> Pixels:
    """A board of paper with a line of ink every sixth pixel, 200 mm wide; `dim`: of the ink's pixels only."""
    y, x = (v.ravel() for v in np.mgrid[0:60, 0:60])
    line = (x % 6 == 0) | (y % 12 == 0)
    prints = np.stack([np.where(line[:, None], ink, PAPER) for ink in INKS.values()]).astype(np.float32)
    seen = prints[list(INKS).index(true)] * np.array(light) + veil
    seen[line] *= dim
    seen += np.random.default_rng(3).normal(0, 3, seen.shape)
    at = np.column_stack([x, y]) * 3.3 - 100.0
    return Pixels(seen.astype(np.float32), at, prints, np.ones((len(INKS), len(x)), bool))


@pytest.mark.parametrize("true", list(INKS))
@pytest.mark.parametrize(("light", "veil"), [((0.8, 0.8, 0.8), 0.0), ((0.55, 0.7, 0.85), 0.0), ((0.5, 0.5, 0.5), 60.0)])
def test_the_ink_is_told_in_warm_light_and_under_a_veil(
    true: str, light: tuple[float, float, float], veil: float
) -> None:
    told = which_board(pixels(true, light, veil), NONE)
    assert list(INKS)[told.which] == true
    assert told.margin > 0.2
    assert told.blocks_for > 4.0


@pytest.mark.parametrize("true", list(INKS))
def test_a_lamps_reflection_that_makes_all_pale_does_not_make_ink_black(true: str) -> None:
    """Light adds up: on dark ink a reflection is many grey levels, on paper few."""
    plain = pixels(true, (1.0, 1.0, 1.0))
    light = 0.8 * (plain.seen.clip(0, 255) / 255.0) ** 2.2 + 0.35
    pale = Pixels((255.0 * light.clip(0, 1) ** (1 / 2.2)).astype(np.float32), plain.at_mm, plain.prints, plain.there)
    told = which_board(pale, NONE)
    assert list(INKS)[told.which] == true
    assert told.margin > 0.2
    assert told.blocks_for > 4.0


@pytest.mark.parametrize("true", ["red", "blue"])
def test_a_shadow_on_the_ink_does_not_make_it_black(true: str) -> None:
    told = which_board(pixels(true, (0.8, 0.8, 0.8), dim=0.6), NONE)
    assert list(INKS)[told.which] == true


def test_equal_prints_are_not_told_apart() -> None:
    same = pixels("red", (0.8, 0.8, 0.8))
    equal = Pixels(same.seen, same.at_mm, np.repeat(same.prints[:1], 2, axis=0), same.there[:2])
    told = which_board(equal, NONE)
    assert told.margin < 0.1
    assert told.blocks_for < 1.0


def test_prints_that_hardly_differ_are_told_by_no_margin() -> None:
    """A share of what both leave unexplained: nothing is left where no pixel differs enough to be counted."""
    same = pixels("red", (0.8, 0.8, 0.8))
    nearly = Pixels(same.seen, same.at_mm, np.stack([same.prints[0], same.prints[0] + 6.0]), same.there[:2])
    assert abs(which_board(nearly, NONE).margin) <= 1.0


def test_a_title_in_a_boards_colour_tells_it_where_it_is_met_exactly() -> None:
    few = WhichBoard(0, PLAIN, 0.8, 2.6, agreed=True)
    assert few.is_told(0.95)
    assert not few.is_told(0.6)
    assert not replace(few, agreed=False).is_told(0.95)
    assert not replace(few, margin=0.4).is_told(0.95)
    assert replace(few, margin=0.58).is_told(0.82)
    assert not replace(few, blocks_for=2.0).is_told(0.95)


def test_one_spot_of_colour_is_one_vote() -> None:
    spot = pixels("red", (0.8, 0.8, 0.8))
    prints = np.broadcast_to(spot.prints[:, 61:62], spot.prints.shape).copy()  # paper everywhere
    prints[:, :4] = np.array(list(INKS.values()), np.float32)[:, None]
    seen = (prints[0] * 0.8).astype(np.float32)
    assert which_board(Pixels(seen, spot.at_mm, prints, spot.there), NONE).blocks_for < 2.0


def test_a_set_with_one_board_has_no_doubt() -> None:
    only = pixels("red", (0.8, 0.8, 0.8))
    told = which_board(Pixels(only.seen, only.at_mm, only.prints[:1], only.there[:1]), NONE)
    assert (told.which, told.margin) == (0, 1.0)
    assert told.blocks_for == float("inf")


def test_no_pixels_at_all_tell_nothing() -> None:
    empty = Pixels(
        np.zeros((0, 3), np.float32), np.zeros((0, 2)), np.zeros((2, 0, 3), np.float32), np.zeros((2, 0), bool)
    )
    assert which_board(empty, NONE).margin == 0.0


def test_a_black_line_is_wholly_black() -> None:
    """Coloured lines in shadow would be nearly black, too; that must not halve how clearly black is told."""
    told = which_board(pixels("black", (0.8, 0.8, 0.8)), NONE)
    assert told.margin > 0.5
