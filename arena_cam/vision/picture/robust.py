"""Robust statistics: the scale of a residual, and weights that leave outliers out."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array

T = TypeVar("T", bound=np.floating[Any])

# The median of the absolute values of a Gaussian, times this, is its standard deviation.
MAD_TO_SD = 1.4826
# Tukey's biweight keeps 95 % of least squares' efficiency on Gaussian noise with this many robust standard deviations.
TUKEY = 4.685


def robust_scale(residual: Array, weights: Array | None, least: float) -> float:
    """The standard deviation of a residual (N,) where its `weights` (N,) are not 0, by the median: half of the values
    may be outliers. `least` where it is less, or where nothing is asked."""
    inside = np.abs(residual if weights is None else residual[weights > 0])
    return max(least, MAD_TO_SD * _upper_median(inside)) if len(inside) else least


def median(values: NDArray[Any]) -> float:
    """The median of finite numbers of a floating type, in whatever shape: numpy's own number, in half the time or less.
    NaN where there is none."""
    return float(medians(values.reshape(-1, 1))[0])


def medians(values: NDArray[T]) -> NDArray[T]:
    """The median (K,) of each column of values (N, K), as `median`."""
    count = len(values)
    if not count:
        return np.full(values.shape[1:], np.nan, values.dtype)
    ranked = np.partition(values.T, count // 2, axis=1)
    upper = ranked[:, count // 2]
    return upper if count % 2 else (ranked[:, : count // 2].max(axis=1) + upper) / 2


def _upper_median(values: Array) -> float:
    """The median of values (N,), the upper of two, in half the time of numpy's. Reorders the values."""
    half = len(values) // 2
    values.partition(half)
    return float(values[half])


def tukey(scaled: Array) -> Array:
    """Tukey's biweight (N,) of residuals in standard deviations (N,): 1 for none, 0 beyond TUKEY (J. Tukey, in
    "Exploratory Data Analysis", 1977)."""
    u = scaled * (1.0 / TUKEY)
    u *= u
    np.subtract(1.0, u, out=u)
    np.maximum(u, 0.0, out=u)
    u *= u
    return u
