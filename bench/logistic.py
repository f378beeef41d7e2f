"""Weights of probabilities, fitted to what was right and wrong in pictures with truth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def fitted(features: Floats, right: NDArray[np.bool_], ridge: float) -> Floats:
    """Weights (F,) of a logistic regression over features (N, F), the first of them 1, by Newton's method; `ridge` (of
    the mean loss) holds all others: few are wrong, and weights without bound would say that none ever is."""
    x, y = features, right.astype(np.float64)
    weights = np.zeros(x.shape[1])
    hold = np.diag([0.0, *[ridge] * (x.shape[1] - 1)]) * len(y)
    for _ in range(60):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - hold @ weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + hold + 1e-6 * np.eye(len(weights))
        weights = weights + np.clip(np.linalg.solve(curve, slope), -2.0, 2.0)
    return np.asarray(weights)


def cross_entropy(said: Floats, right: NDArray[np.bool_]) -> float:
    """Nats a case that probabilities (N,) lose against what came out."""
    return float(-np.log(np.where(right, said, 1.0 - said)).mean())


def calibration(said: Floats, right: NDArray[np.bool_]) -> float:
    """The calibration error (ECE) of probabilities (N,), ten bins."""
    bins = np.minimum((said * 10).astype(int), 9)
    return sum(abs(float((said - right)[bins == k].sum())) for k in range(10)) / max(len(said), 1)
