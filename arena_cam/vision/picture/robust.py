"""Robust statistics: the scale of a residual, and weights that leave outliers out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    count, half = len(values), len(values) // 2
    if not count:
        return np.full(values.shape[1:], np.nan, values.dtype)
    few = count < _MANY
    ranked = np.partition(np.ascontiguousarray(values.T), (half - 1, half) if few else half, axis=1)
    upper = ranked[:, half]
    lower = upper if count % 2 else ranked[:, half - 1] if few else ranked[:, :half].max(axis=1)
    return np.asarray((lower + upper) / 2, values.dtype)


def median_picture(pictures: Sequence[NDArray[Any]] | NDArray[Any]) -> NDArray[np.float32]:
    """The median (...) of pictures (...) of one shape and type, uint8 or float32, at least one: numpy's own numbers.

    numpy ranks the values of each pixel by themselves. A sorting network ranks whole pictures, a few rows at a time so
    that they stay in the cache: of 9 and 51 faces of 504 x 704 in a twentieth and a tenth of numpy's time.
    """
    out = np.empty(pictures[0].shape, np.float32)
    rows = max(1, _CACHED // max(1, pictures[0][:1].nbytes * len(pictures)))
    half, odd = divmod(len(pictures), 2)
    steps = [*_network(len(pictures))]
    for top in range(0, len(out), rows):
        ranked = [np.array(picture[top : top + rows]) for picture in pictures]
        spare = np.empty_like(ranked[0])
        for low, high in steps:
            np.minimum(ranked[low], ranked[high], out=spare)
            np.maximum(ranked[low], ranked[high], out=ranked[high])
            ranked[low], spare = spare, ranked[low]
        upper = ranked[half]
        out[top : top + rows] = upper if odd else (ranked[half - 1].astype(np.float32) + upper) / 2
    return out


_CACHED = 256_000  # bytes of pictures that are ranked at once: half of a Raspberry Pi's second cache


def _network(count: int) -> Iterator[tuple[int, int]]:
    """The pairs of places to put in order, one after another, by which `count` values are ranked (K. Batcher's merge
    exchange: D. Knuth, "Sorting and Searching", 5.2.2, algorithm M)."""
    first = 1 << max(0, (count - 1).bit_length() - 1)
    p = first
    while p:
        q, r, d = first, 0, p
        while True:
            yield from ((k, k + d) for k in range(count - d) if k & p == r)
            if q == p:
                break
            d, q, r = q - p, q >> 1, p
        p >>= 1


def counted_median(values: Array, counts: NDArray[Any]) -> float:
    """The median of values (N,) of which there are so many each (N,)."""
    order = np.argsort(values)
    up_to = np.cumsum(counts[order], dtype=np.float64)
    middle = np.searchsorted(up_to, ((up_to[-1] - 1) // 2, up_to[-1] // 2), side="right")
    return float(values[order[middle]].mean())


_MANY = 12_000  # values, of which numpy finds one and then the greatest below it sooner than two


def quantiles(values: NDArray[np.floating[Any]], asked: tuple[float, ...]) -> list[float]:
    """Quantiles of values (N,), at least one, as numpy interpolates them; of a few hundred in a tenth of its time."""
    ranked = np.sort(values)
    last = len(ranked) - 1
    return [_between(ranked[int(q * last)], ranked[min(int(q * last) + 1, last)], q * last % 1.0) for q in asked]


def _between(a: Any, b: Any, part: float) -> float:
    """What lies between two of numpy's numbers, reckoned from the nearer end, as numpy does."""
    step = float(b - a)
    return float(a) + step * part if part < 0.5 else float(b) - step * (1.0 - part)


def percentiles(levels: NDArray[np.uint8], asked: tuple[float, ...]) -> list[Array]:
    """Percentiles (C,) of grey levels (N, C), as numpy interpolates them.

    Counted, there is nothing to sort: 47 and 66 us for a fiducial of 60 and 90 pixels a side, where numpy takes 89 and
    305, for each of the four in every frame that is judged.
    """
    last = len(levels) - 1
    below = [np.cumsum(np.bincount(of_channel, minlength=256)) for of_channel in levels.T]
    found = []
    for percent in asked:
        at = percent / 100.0 * last
        low = int(at)
        ends = [np.searchsorted(each, (low, min(low + 1, last)), side="right") for each in below]
        found.append(np.array([_between(a, b, at - low) for a, b in ends]))
    return found


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
