"""An outline is fitted to the edges in a picture: of rectangles whose sides are known to a hundredth of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.edge_tracing import (
    CORNER_SHARE,
    STEP_PX,
    Traced,
    fit_outline,
    side_points,
    steps_outside,
)
from arena_cam.vision.picture.linear_light import Linear, linear_light, srgb

TRUE = np.array([60.3, 48.6, 190.2, 231.8])  # left, top, right, bottom in pixels
FREE = np.full(4, np.inf)
REACHES = (8.0, 4.0, 2.0)


def upright(parameters: Array, shares: Array) -> Array:
    """The curve of an upright rectangle: left, top, right, bottom."""
    return np.asarray(parameters[:2] + shares * (parameters[2:] - parameters[:2]))


def shown(
    *rectangles: tuple[Array, float], ground: float = 0.05, blur_px: float = 1.0, noise: float = 0.0, seed: int = 0
) -> Linear:
    """A picture (280, 250, 3) of linear light with rectangles, each with its level, over an even ground."""
    light = np.full((280, 250), ground)
    for (left, top, right, bottom), level in rectangles:
        x = np.clip(np.minimum(np.arange(250) + 0.5 - left, right + 0.5 - np.arange(250)), 0, 1)
        y = np.clip(np.minimum(np.arange(280) + 0.5 - top, bottom + 0.5 - np.arange(280)), 0, 1)
        share = x[None, :] * y[:, None]
        light = light * (1 - share) + level * share
    light = cv2.GaussianBlur(light, (0, 0), blur_px) + np.random.default_rng(seed).normal(0, noise, light.shape)
    return np.asarray(np.repeat(light[..., None], 3, axis=2), np.float32)


def fitted(light: Linear, start: Array, prior: Array = FREE) -> Traced:
    return fit_outline(light, start, upright, prior, REACHES)


def test_an_even_picture_has_no_edge_and_moves_nothing() -> None:
    traced = fitted(shown(), TRUE)
    assert np.array_equal(traced.parameters, TRUE)
    assert np.isnan(traced.offsets_px).all()
    assert not traced.support(5.0).any()
    assert traced.rms_px == float("inf")


@pytest.mark.parametrize("off", [(0, 0, 0, 0), (3, -2, 3, -2), (-4, 4, 4, -4), (6, 6, 6, 6)])
@pytest.mark.parametrize(("ground", "level"), [(0.05, 0.8), (0.8, 0.05), (0.3, 0.36)])
def test_the_edge_is_found_to_a_twentieth_of_a_pixel(off: tuple[float, ...], ground: float, level: float) -> None:
    traced = fitted(shown((TRUE, level), ground=ground), TRUE + off)
    assert traced.parameters == pytest.approx(TRUE, abs=0.05)
    assert (traced.support(0.3) == 1.0).all()
    assert traced.rms_px < 0.05


def test_noise_is_averaged_along_the_sides() -> None:
    traced = fitted(shown((TRUE, 0.7), noise=0.02), TRUE + np.array([2, -2, 1, 3]))
    assert traced.parameters == pytest.approx(TRUE, abs=0.1)


def test_a_part_of_a_side_that_a_finger_covers_is_an_outlier() -> None:
    finger = np.array([100.0, 20.0, 130.0, 60.0])
    traced = fitted(shown((TRUE, 0.7), (finger, 0.3)), TRUE + np.array([2, 2, 2, 2]))
    assert traced.parameters == pytest.approx(TRUE, abs=0.1)
    support = traced.support(0.5)
    assert 0.6 < support[0] < 0.8  # 30 of the 101 px that are looked at
    assert (support[1:] == 1.0).all()


def test_a_thread_that_looks_out_from_under_a_side_does_not_pull_it() -> None:
    """A third of the upper side seems to lie 3 px further out."""
    thread = np.array([100.0, TRUE[1] - 3.0, 140.0, 100.0])
    traced = fit_outline(shown((TRUE, 0.7), (thread, 0.7)), TRUE, upright, FREE, (8.0, 4.0))
    assert traced.parameters[1] == pytest.approx(TRUE[1], abs=0.15)


def test_a_side_beyond_the_picture_is_not_seen() -> None:
    beyond = TRUE + np.array([-75.0, 0.0, -75.0, 0.0])
    support = fitted(shown((beyond, 0.8)), beyond, np.array([1.0, np.inf, np.inf, np.inf])).support(1.0)
    assert support[3] == 0.0
    assert support[1] == 1.0
    assert support[[0, 2]] == pytest.approx(0.98, abs=0.04)  # a corner of the other two is out of the picture, too


def test_an_edge_out_of_reach_is_not_found() -> None:
    assert fitted(shown((TRUE, 0.8)), TRUE + np.array([15, 15, -15, -15])).support(2.0).max() < 0.1


def test_of_a_card_and_its_printed_frame_the_card_is_found() -> None:
    frame = TRUE + np.array([5.0, 5.0, -5.0, -5.0])
    traced = fitted(shown((TRUE, 0.3), (frame, 0.9)), frame + np.array([-1, -1, 1, 1]))
    assert traced.parameters == pytest.approx(TRUE, abs=0.1)


def test_a_step_weaker_than_the_faintest_is_none() -> None:
    light = shown((TRUE, 0.31), ground=0.3)
    assert fit_outline(light, TRUE, upright, FREE, REACHES, 0.05).support(1.0).max() == 0.0
    assert fit_outline(light, TRUE, upright, FREE, REACHES, 0.002).support(1.0).min() == 1.0


def test_a_prior_holds_what_it_is_sure_of() -> None:
    start = TRUE + np.array([2.0, 2.0, 2.0, 2.0])
    traced = fitted(shown((TRUE, 0.8)), start, np.array([1e-4, np.inf, np.inf, np.inf]))
    assert traced.parameters[0] == pytest.approx(start[0], abs=0.01)
    assert traced.parameters[1:] == pytest.approx(TRUE[1:], abs=0.05)


@pytest.mark.parametrize("blur_px", [1.0, 2.0, 3.0])
def test_the_width_of_an_edge_is_its_blurs(blur_px: float) -> None:
    """A Gaussian's step goes from a tenth to nine tenths in 2.56 standard deviations; a straight line as steep as its
    middle in 2.0, and sampling adds a little."""
    traced = fitted(shown((TRUE, 0.8), blur_px=blur_px), TRUE)
    assert traced.width_px == pytest.approx(0.8 * np.sqrt(2 * np.pi) * blur_px, rel=0.15)


def test_what_lies_far_off_does_not_count_in_the_mean_square() -> None:
    offsets = np.full((4, 20), 0.1)
    offsets[0, 0], offsets[1, 0] = 9.0, np.nan
    traced = Traced(TRUE, offsets, 2.0)
    assert traced.rms_px == pytest.approx(0.1)
    assert traced.support(0.2).tolist() == [0.95, 0.95, 1.0, 1.0]


@pytest.mark.parametrize(
    ("value", "expected"), [(0, 0.0), (10, 0.003035), (128, 0.215861), (188, 0.502887), (255, 1.0)]
)
def test_linear_light_is_that_of_the_srgb_standard(value: int, expected: float) -> None:
    assert linear_light(np.full((1, 3), value, np.uint8)) == pytest.approx(expected, abs=1e-6)


def test_srgb_undoes_linear_light_and_clips() -> None:
    values = np.arange(256, dtype=np.uint8)[:, None].repeat(3, axis=1)
    assert np.array_equal(srgb(linear_light(values)), values)
    assert srgb(np.array([[-1.0, 0.5, 7.0]], np.float32)).tolist() == [[0, 188, 255]]


def test_the_sides_run_clockwise_and_leave_the_corners_out() -> None:
    top, right, bottom, left = side_points(5)
    assert top[[0, -1]].ravel() == pytest.approx([CORNER_SHARE, 0, 1 - CORNER_SHARE, 0])
    assert right[[0, -1]].ravel() == pytest.approx([1, CORNER_SHARE, 1, 1 - CORNER_SHARE])
    assert bottom[[0, -1]].ravel() == pytest.approx([1 - CORNER_SHARE, 1, CORNER_SHARE, 1])
    assert left[[0, -1]].ravel() == pytest.approx([0, 1 - CORNER_SHARE, 0, CORNER_SHARE])


def rings(inner: Array, count: int = 40) -> Array:
    """The points (4, N, count, 2) of outlines, each half a pixel outside the one before."""
    grow = np.array([-STEP_PX, -STEP_PX, STEP_PX, STEP_PX])
    each = [upright(inner + k * grow, side_points().reshape(-1, 2)).reshape(4, -1, 2) for k in range(count)]
    return np.stack(each, axis=2)


def test_no_edge_lies_outside_a_card_on_an_even_ground() -> None:
    assert steps_outside(shown((TRUE, 0.8)), rings(TRUE)) == [None] * 4
    assert steps_outside(shown(), rings(TRUE)) == [None] * 4


def test_the_edges_outside_an_outline_are_found_side_by_side() -> None:
    """A frame with margins of 8 px above and 12 px on the right; on the other two sides it is the edge itself."""
    card = TRUE + np.array([0.0, -8.0, 12.0, 0.0])
    top, right, bottom, left = steps_outside(shown((card, 0.5), (TRUE, 0.9)), rings(TRUE))
    assert (bottom, left) == (None, None)
    assert top == pytest.approx(8.0 / STEP_PX, abs=1)
    assert right == pytest.approx(12.0 / STEP_PX, abs=1)


def test_a_white_cards_faint_edge_shows_on_white_paper_once_it_is_averaged() -> None:
    card = TRUE + np.array([-9.0, -9.0, 9.0, 9.0])
    light = shown((card, 0.84), (TRUE, 0.3), ground=0.8, noise=0.008)
    assert steps_outside(light, rings(TRUE)) == pytest.approx([9.0 / STEP_PX] * 4, abs=2)


def test_grain_that_does_not_run_all_along_a_side_is_no_edge() -> None:
    vein = np.array([110.0, 40.0, 130.0, 42.0])
    assert steps_outside(shown((TRUE, 0.8), (vein, 0.4), noise=0.01), rings(TRUE))[0] is None
