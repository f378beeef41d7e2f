"""The two steps of a small convolutional network, on pictures (N, height, width, channels)."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]
WINDOW = 3  # pixels; a step takes each window of the picture, so that the result is WINDOW - 1 smaller


def windows(x: Floats) -> Floats:
    """(N, height - 2, width - 2, 9 * channels): each window of `x`, channels before places."""
    found = sliding_window_view(x, (WINDOW, WINDOW), axis=(1, 2))
    return np.ascontiguousarray(found).reshape(*found.shape[:3], -1)


def convolved(x: Floats, weights: Floats, bias: Floats) -> Floats:
    """`x` (N, h, w, c) under `weights` (9 * c, d) and `bias` (d,), rectified: (N, h - 2, w - 2, d)."""
    seen = windows(x)
    product = seen.reshape(-1, seen.shape[-1]) @ weights + bias
    return np.asarray(np.maximum(product, 0.0).reshape(*seen.shape[:3], -1))


def in_fours(x: Floats) -> Floats:
    """(N, h // 2, 2, w // 2, 2, c): squares of two by two; an odd last row or column is left out."""
    count, height, width, channels = x.shape
    even = x[:, : height // 2 * 2, : width // 2 * 2]
    return even.reshape(count, height // 2, 2, width // 2, 2, channels)


def pooled(x: Floats) -> Floats:
    """The greatest of each square of two by two pixels."""
    return np.asarray(in_fours(x).max(axis=(2, 4)), np.float32)
