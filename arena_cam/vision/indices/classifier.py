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

from arena_cam.vision.indices.convolution import convolved, pooled
from arena_cam.vision.kernels.calls import convolved_twice

RANKS, SUITS = "A23456789TJQK", "SHDC"
WEIGHTS = Path(__file__).with_name("index_weights.npz")

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PicturePart:
    """A picture among the features, `height` x `width` from number `start` on, and the two convolutions (weights, bias)
    that look at it; the squares of two by two pixels between them are pooled."""

    start: int
    height: int
    width: int
    layers: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]

    @property
    def end(self) -> int:
        return self.start + self.height * self.width

    def of(self, features: Floats) -> Floats:
        """What they see in `features` (N, n): (N, k)."""
        first, second = self.layers
        pictures = np.ascontiguousarray(features[:, self.start : self.end]).reshape(-1, self.height, self.width)
        found = convolved_twice(pictures, first, second)
        if found is not None:
            return found
        picture = pictures[..., None]
        return convolved(pooled(convolved(picture, *first)), *second).reshape(len(features), -1)


@dataclass(frozen=True, eq=False)
class IndexClassifier:
    """Layers (weights, bias) with rectifiers between; the last gives 1 + 13 + 4 logits: no index, ranks, suits.

    The first is given what `parts` see in the features, and the features after the last of them.
    """

    layers: tuple[tuple[Floats, Floats], ...]
    temperature: float = 1.0
    parts: tuple[PicturePart, ...] = ()

    def logits(self, features: Floats) -> Floats:
        """(N, 18) for features (N, n)."""
        rest = features[:, max((part.end for part in self.parts), default=0) :]
        x = np.concatenate([*(part.of(features) for part in self.parts), rest], axis=1)
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
        arrays = {name: kept[name].astype(np.float32) for name in kept.files if name[0] in "wb"}
        shapes = [(int(start), int(height), int(width)) for start, height, width in kept["parts"]]
        temperature = float(kept["temperature"])
    layers = [(arrays[f"w{n}"], arrays[f"b{n}"]) for n in range(len(arrays) // 2)]
    first = 2 * len(shapes)
    parts = tuple(PicturePart(*shape, (layers[2 * n], layers[2 * n + 1])) for n, shape in enumerate(shapes))
    return IndexClassifier(tuple(layers[first:]), temperature, parts)
