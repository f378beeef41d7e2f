"""One light for a deck: slopes of light, exposures and the white of paper, from what was put into the arrays."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.exposure import (
    PAPER,
    Background,
    background_round,
    evened,
    exposed,
    exposure_gains,
    paper_gain,
)
from arena_cam.vision.picture.linear_light import Linear, linear_light
from vision.small import HEIGHT_MM, WIDTH_MM, blotches

SIZE_PX = (340, 260)  # height, width
SCALE, LEFT, TOP = 2.5, 50.0, 60.0  # px/mm and the card's top-left corner
CLOTH = np.array([0.30, 0.22, 0.15])


def pixels(shares: Array) -> Array:
    return np.asarray(shares * (WIDTH_MM * SCALE, HEIGHT_MM * SCALE) + (LEFT, TOP))


def cloth(slope: tuple[float, float] = (0.0, 0.0), level: Array = CLOTH) -> Linear:
    """An even ground with a white card on it, in a light whose logarithm falls off by `slope` from the middle to the
    card's right and lower side."""
    y, x = np.mgrid[0 : SIZE_PX[0], 0 : SIZE_PX[1]].astype(float)
    u, v = 2 * (x - LEFT) / (WIDTH_MM * SCALE) - 1, 2 * (y - TOP) / (HEIGHT_MM * SCALE) - 1
    colour = np.where(((np.abs(u) < 1) & (np.abs(v) < 1))[..., None], 0.85, level)
    return np.asarray(colour * np.exp(slope[0] * u + slope[1] * v)[..., None], np.float32)


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.2, 0.0), (-0.1, 0.3), (0.0, -0.25)])
def test_the_slope_and_level_of_the_light_are_measured_beside_the_card(slope: tuple[float, float]) -> None:
    found = background_round(cloth(slope), pixels, WIDTH_MM, HEIGHT_MM)
    assert found is not None
    assert found.slope == pytest.approx(slope, abs=0.01)
    assert found.level == pytest.approx(CLOTH, rel=0.1)


def test_something_else_beside_the_card_is_an_outlier() -> None:
    light = cloth((0.2, 0.0))
    light[:60, :90] = 0.01
    found = background_round(light, pixels, WIDTH_MM, HEIGHT_MM)
    assert found is not None
    assert found.slope == pytest.approx((0.2, 0.0), abs=0.03)


def test_light_that_falls_off_more_is_a_shadow_and_is_not_followed() -> None:
    found = background_round(cloth((0.9, 0.0), CLOTH / 2), pixels, WIDTH_MM, HEIGHT_MM)
    assert found is not None
    assert found.slope[0] == pytest.approx(0.5)


@pytest.mark.parametrize("level", [0.0, 0.004, 0.97])
def test_a_ground_too_dark_or_burnt_out_tells_nothing(level: float) -> None:
    assert background_round(cloth(level=np.full(3, level)), pixels, WIDTH_MM, HEIGHT_MM) is None


def test_a_ground_that_is_not_plain_tells_nothing() -> None:
    rng = np.random.default_rng(0)
    rough = cloth() * np.exp(rng.normal(0, 0.9, SIZE_PX))[..., None].astype(np.float32)
    assert background_round(rough, pixels, WIDTH_MM, HEIGHT_MM) is None


def test_a_card_that_fills_the_picture_has_no_background() -> None:
    def filling(shares: Array) -> Array:
        return np.asarray(shares * (SIZE_PX[1] - 1, SIZE_PX[0] - 1))

    assert background_round(cloth(), filling, WIDTH_MM, HEIGHT_MM) is None


def test_a_face_is_evened_by_the_slope_and_by_nothing_without_one() -> None:
    even = np.full((88, 63, 3), 0.4, np.float32)
    x, y = 2 * (np.arange(63) + 0.5) / 63 - 1, 2 * (np.arange(88) + 0.5) / 88 - 1
    lit = (even * np.exp(0.3 * x[None, :] - 0.2 * y[:, None])[..., None]).astype(np.float32)
    assert np.allclose(evened(lit, Background(CLOTH, np.array([0.3, -0.2]))), even, atol=1e-5)
    assert evened(lit, None) is lit


def of_level(*level: float) -> Background:
    return Background(np.array(level), np.zeros(2))


USUAL = of_level(0.2, 0.3, 0.4)


@pytest.mark.parametrize(
    ("backgrounds", "expected"),
    [
        ([], np.ones((0, 3))),
        ([None, None], np.ones((2, 3))),
        ([USUAL], np.ones((1, 3))),
        ([USUAL, None, USUAL], np.ones((3, 3))),
        ([USUAL, of_level(0.1, 0.15, 0.2), USUAL], [[1, 1, 1], [2, 2, 2], [1, 1, 1]]),
        ([USUAL, of_level(0.22, 0.3, 0.4), USUAL], [[1, 1, 1], [1 / 1.1, 1, 1], [1, 1, 1]]),
        ([USUAL, of_level(0.4, 0.3, 0.2), USUAL], np.ones((3, 3))),  # another cloth: of another colour
        ([USUAL, of_level(0.02, 0.03, 0.04), USUAL], np.ones((3, 3))),  # or far darker
    ],
    ids=["none", "unknown", "one", "two alike", "a stop darker", "white balance", "another colour", "another level"],
)
def test_photographs_are_brought_to_the_exposure_of_most(backgrounds: list[Background | None], expected: Array) -> None:
    assert exposure_gains(backgrounds) == pytest.approx(np.asarray(expected, float))


def printed(paper: tuple[int, int, int]) -> np.ndarray:
    """A face of dark blotches with a field of bare paper."""
    face = blotches(4) // 4
    face[100:180, 60:160] = paper
    return face


@pytest.mark.parametrize("paper", [(150, 150, 150), (238, 238, 238), (90, 90, 90), (150, 160, 170)])
def test_the_whitest_print_of_a_deck_becomes_white_paper(paper: tuple[int, int, int]) -> None:
    gain = paper_gain([printed(paper), blotches(3) // 5])
    assert linear_light(np.array(paper, np.uint8)) * gain == pytest.approx(PAPER, rel=0.03)


def test_paper_of_a_strong_colour_keeps_it() -> None:
    gain = paper_gain([printed((60, 120, 230))])
    assert gain == pytest.approx(np.full(3, gain[0]))
    assert float((linear_light(np.array((60, 120, 230), np.uint8)) * gain).max()) == pytest.approx(PAPER, rel=0.03)


def test_a_deck_photographed_in_the_dark_is_left_as_it_is() -> None:
    assert np.array_equal(paper_gain([np.zeros((352, 252, 3), np.uint8)]), np.ones(3))


def test_another_light_is_a_gain_of_linear_light() -> None:
    face = blotches(1) // 3
    assert np.array_equal(exposed(face, np.ones(3)), face)
    twice = linear_light(exposed(face, np.array([1.0, 2.0, 1.0])))
    assert np.abs(twice - linear_light(face) * (1, 2, 1)).max() < 0.005
    assert exposed(np.full((2, 2, 3), 250, np.uint8), np.full(3, 3.0)).min() == 255
