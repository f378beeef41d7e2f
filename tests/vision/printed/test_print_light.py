"""How print looks in a photograph: the light of a board, and that of a cell."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.printed.print_light import PLAIN, PrintLight, fit_print_light, fit_print_lights, in_own_light

RANDOM = np.random.default_rng(4)
PLACES = RANDOM.uniform(-100, 100, (1500, 2))
PRINTS = RANDOM.uniform(10, 240, (1500, 3)).astype(np.float32)
GAIN = np.array([0.7, 0.8, 0.75]) + PLACES[:, :1] * np.array([0.001, 0.001, 0.0]) - PLACES[:, 1:] * 0.0005
SEEN = np.asarray(PRINTS * GAIN + np.array([8.0, 4.0, 12.0]), np.float32)  # in a light that falls off


def off(light: PrintLight) -> float:
    """Grey levels by which print in a light differs from what is seen, on average over the board."""
    return float(np.abs(light.on(PRINTS, *PLACES.T) - SEEN).mean())


def test_plain_light_leaves_print_as_it_is() -> None:
    assert PLAIN.on(PRINTS, *PLACES.T) == pytest.approx(PRINTS)


def test_light_that_falls_off_over_the_board_is_found() -> None:
    noisy = np.asarray(SEEN + RANDOM.normal(0, 1.5, SEEN.shape), np.float32)
    assert off(fit_print_light(PRINTS, noisy, PLACES)) < 3.0


def test_a_third_of_strangers_is_left_out() -> None:
    seen = SEEN.copy()
    seen[::3] = 255.0
    assert off(fit_print_light(PRINTS, seen, PLACES)) < 6.0


def test_from_a_few_pixels_no_light_is_made() -> None:
    assert fit_print_light(PRINTS[:59], SEEN[:59], PLACES[:59]) is PLAIN
    nothing = np.zeros((0, 3), np.float32)
    assert fit_print_light(nothing, nothing, np.zeros((0, 2))) is PLAIN


def test_a_print_of_one_colour_makes_no_wild_light() -> None:
    """It says nothing of gain and offset apart; both must stay such as lamps make."""
    grey = np.full_like(PRINTS, 120.0)
    light = fit_print_light(grey, np.full_like(PRINTS, 90.0), PLACES)
    assert light.on(grey, *PLACES.T) == pytest.approx(np.full_like(PRINTS, 90.0), abs=5.0)
    assert (light.gain[:, 0] > 0.2).all()
    assert (light.gain[:, 0] < 1.6).all()


def test_dark_print_does_not_say_that_a_lamp_is_blue() -> None:
    """A veil over dark print is bluer where the print is: what is bright must not be expected twice as blue."""
    dark = (PRINTS / 12.0).astype(np.float32)
    seen = np.asarray(dark * np.array([1.5, 0.7, 0.7]) + 20.0, np.float32)
    free, held = (light.gain[:, 0] for light in fit_print_lights(dark, seen, PLACES))
    assert free.max() / free.min() > 1.6
    assert held.max() / held.min() < 1.35


def test_bright_print_tells_the_colour_of_a_lamp() -> None:
    assert off(fit_print_lights(PRINTS, SEEN, PLACES)[1]) < 3.0


def test_each_cell_is_lit_by_its_own_light_and_none_by_its_neighbours() -> None:
    """One lies in half the light, one under a blue veil, one as it is printed: together as if each were alone."""
    prints = np.repeat(np.random.default_rng(3).uniform(20, 235, (1, 60, 50, 3)), 3, axis=0).astype(np.float32)
    seen = np.stack([prints[0] * 0.55, prints[1] + np.array([25, 5, 5]), prints[2]]).astype(np.float32)
    mask = np.zeros((60, 50), bool)
    mask[5:-5, 5:-5] = True
    own = in_own_light(prints, seen, mask, 2.0)
    assert np.abs(own.lit - seen)[:, mask].mean(axis=1).max() < 4.0
    assert own.cost[0][mask].min() > 10.0 * own.cost[2][mask].max()
    for n in range(3):
        alone = in_own_light(prints[n : n + 1], seen[n : n + 1], mask, 2.0)
        assert np.array_equal(alone.lit[0], own.lit[n])
        assert np.array_equal(alone.cost[0], own.cost[n])


def test_what_lies_outside_the_mask_lights_nothing() -> None:
    prints = np.random.default_rng(4).uniform(20, 235, (1, 60, 50, 3)).astype(np.float32)
    mask = np.zeros((60, 50), bool)
    mask[8:-8, 8:-8] = True
    other = np.where(mask[..., None], prints[0] * np.float32(0.7), np.float32(255.0))
    lit = in_own_light(prints, prints * np.float32(0.7), mask, 2.0).lit
    beside = in_own_light(prints, other[None], mask, 2.0).lit
    assert lit[0][mask] == pytest.approx(beside[0][mask], abs=1e-3)
