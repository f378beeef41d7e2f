"""Which rank and suit a pair of marks is, if it is an index at all: a small network on the pair's picture.

The weights are made by `python -m bench.train_index_reader` from packs that are drawn, none of which is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RANKS, SUITS = "A23456789TJQK", "SHDC"
WEIGHTS = Path(__file__).with_name("index_weights.npz")

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class IndexClassifier:
    """Layers (weights, bias) with rectifiers between; the last gives 1 + 13 + 4 logits: no index, ranks, suits."""

    layers: tuple[tuple[Floats, Floats], ...]
    temperature: float = 1.0

    def logits(self, features: Floats) -> Floats:
        """(N, 18) for features (N, n)."""
        x = features
        for number, (weights, bias) in enumerate(self.layers):
            x = x @ weights + bias
            if number < len(self.layers) - 1:
                x = np.maximum(x, 0.0)
        return x

    def probabilities(self, features: Sequence[Floats]) -> NDArray[np.float64]:
        """(N, 13, 4): the probability that a pair of marks is the index of that rank and suit; the rest to 1 is no
        index."""
        if not len(features):
            return np.zeros((0, 13, 4))
        logits = self.logits(np.stack(features)).astype(np.float64) / self.temperature
        rank = _softmax(logits[:, :14])[:, 1:]
        suit = _softmax(logits[:, 14:])
        return np.asarray(rank[:, :, None] * suit[:, None, :])


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


@lru_cache(maxsize=1)
def index_classifier() -> IndexClassifier:
    """The classifier that comes with the program."""
    with np.load(WEIGHTS) as kept:
        count = sum(name.startswith("w") for name in kept.files)
        layers = tuple((kept[f"w{n}"].astype(np.float32), kept[f"b{n}"].astype(np.float32)) for n in range(count))
        return IndexClassifier(layers, float(kept["temperature"]))
