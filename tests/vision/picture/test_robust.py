"""Robust statistics against their definitions: outliers say nothing, and Gaussian noise is measured as it is."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.picture.robust import (
    TUKEY,
    counted_median,
    median,
    median_picture,
    medians,
    percentiles,
    quantiles,
    robust_scale,
    tukey,
)

RNG = np.random.default_rng(9)


@pytest.mark.parametrize(("residual", "weights"), [(np.zeros(0), None), (np.ones(4), np.zeros(4)), (np.zeros(9), None)])
def test_where_nothing_is_asked_or_nothing_is_off_the_least_counts(
    residual: np.ndarray, weights: np.ndarray | None
) -> None:
    assert robust_scale(residual, weights, 2.0) == 2.0


@pytest.mark.parametrize("outliers", [0.0, 0.1, 0.25])
def test_the_scale_of_noise_is_found_among_outliers(outliers: float) -> None:
    noise = RNG.normal(0.0, 5.0, 20_000)
    noise[: int(outliers * noise.size)] = 1e6
    assert robust_scale(noise, None, 0.1) == pytest.approx(5.0, rel=0.05 + 2 * outliers)
    asked = np.ones(noise.size)
    asked[: int(outliers * noise.size)] = 0.0
    assert robust_scale(noise, asked, 0.1) == pytest.approx(5.0, rel=0.03)


def test_the_residual_itself_stays_in_order() -> None:
    residual = RNG.normal(0.0, 5.0, 101)
    before = residual.copy()
    robust_scale(residual, None, 1.0)
    assert np.array_equal(residual, before)


def test_a_weight_is_one_in_the_middle_and_none_beyond_the_last() -> None:
    scaled = np.array([0.0, TUKEY / 2, -TUKEY / 2, TUKEY, 2 * TUKEY, -99.0])
    assert tukey(scaled) == pytest.approx([1.0, 0.5625, 0.5625, 0.0, 0.0, 0.0])


def test_on_gaussian_noise_tukey_keeps_95_per_cent_of_the_efficiency() -> None:
    """The asymptotic efficiency of an M-estimate: (E psi')^2 / E psi^2."""
    x = RNG.normal(0.0, 1.0, 400_000)
    psi = x * tukey(x)
    slope = np.where(np.abs(x) < TUKEY, (1 - (x / TUKEY) ** 2) * (1 - 5 * (x / TUKEY) ** 2), 0.0)
    assert slope.mean() ** 2 / (psi**2).mean() == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 2, 7, 100, 1001, 12_000, 12_001])
def test_the_median_is_numpys_to_the_last_bit(kind: type, count: int) -> None:
    values: np.ndarray = RNG.normal(0.0, 50.0, (count, 3)).astype(kind)
    before = values.copy()
    assert median(values) == np.median(values)
    assert np.array_equal(medians(values), np.median(values, axis=0))
    assert medians(values).dtype == kind
    assert np.array_equal(values, before)


def test_there_is_no_median_of_nothing() -> None:
    assert np.isnan(median(np.zeros(0)))
    assert np.isnan(medians(np.zeros((0, 3)))).all()


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.parametrize("count", [*range(1, 20), 51, 64])
def test_the_median_of_pictures_is_numpys(kind: type, count: int) -> None:
    pictures: np.ndarray = RNG.uniform(0.0, 255.0, (count, 300, 11, 3)).astype(kind)
    before = pictures.copy()
    assert np.array_equal(median_picture(pictures), np.median(pictures, axis=0).astype(np.float32))
    assert np.array_equal(pictures, before)


@pytest.mark.parametrize("count", [1, 2, 7, 100, 1001, 12_000, 12_001])
def test_percentiles_that_are_counted_are_those_of_sorting(count: int) -> None:
    levels = np.random.default_rng(count).integers(0, 256, (count, 3)).astype(np.uint8)
    asked = (0.0, 10.0, 50.0, 85.0, 99.9, 100.0)
    assert np.array_equal(percentiles(levels, asked), np.percentile(levels, asked, axis=0))


@pytest.mark.parametrize("count", [1, 2, 25, 500])
def test_quantiles_are_numpys(count: int) -> None:
    values = RNG.normal(0.0, 50.0, count).astype(np.float32)
    asked = (0.0, 0.5, 0.9, 1.0)
    assert quantiles(values, asked) == pytest.approx(np.quantile(values, asked), rel=1e-6)


@pytest.mark.parametrize("count", [1, 2, 99, 5000])
def test_the_median_of_counted_levels_is_that_of_all_of_them(count: int) -> None:
    levels = RNG.integers(0, 256, count)
    away = np.abs(np.arange(256.0) - 100.5)
    assert counted_median(away, np.bincount(levels, minlength=256)) == np.median(away[levels])
