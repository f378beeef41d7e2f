"""Trains the network that reads corner indices: convolutions of three pictures of a pair of marks, then two layers.

Written out by hand on arrays, so that the weights can be made again wherever the program runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.indices.classifier import IndexClassifier, PicturePart
from arena_cam.vision.indices.convolution import WINDOW, in_fours, windows
from arena_cam.vision.indices.pairs import PICTURES

Floats = NDArray[np.float32]
Labels = NDArray[np.int_]
FIRST_CHANNELS, SECOND_CHANNELS, HIDDEN_UNITS, LOGITS = (6, 8, 8), (8, 16, 16), 96, 18
_BATCH, _RATE, _DECAY, _NOISE = 256, 2e-3, 3e-5, 0.04


@dataclass(eq=False)
class Training:
    """The network's `arrays` (weights and bias in turn) and Adam's means of their gradients, after `steps` steps."""

    arrays: list[Floats]
    first: list[Floats]
    second: list[Floats]
    steps: int = 0

    @property
    def classifier(self) -> IndexClassifier:
        """The network as it is now."""
        layers = list(zip(self.arrays[::2], self.arrays[1::2], strict=True))
        parts = tuple(PicturePart(*shape, (layers[2 * n], layers[2 * n + 1])) for n, shape in enumerate(PICTURES))
        return IndexClassifier(tuple(layers[2 * len(parts) :]), 1.0, parts)


def untrained(seed: int, features: int) -> Training:
    """A network before its first step, for pairs of so many features."""
    rng = np.random.default_rng(seed)
    sizes = []
    seen = features - sum(height * width for _, height, width in PICTURES)
    for (_, height, width), one, other in zip(PICTURES, FIRST_CHANNELS, SECOND_CHANNELS, strict=True):
        sizes += [(WINDOW**2, one), (WINDOW**2 * one, other)]
        high, wide = ((side - WINDOW + 1) // 2 - WINDOW + 1 for side in (height, width))
        seen += high * wide * other
    sizes += [(seen, HIDDEN_UNITS), (HIDDEN_UNITS, LOGITS)]
    arrays: list[Floats] = []
    for size in sizes:
        arrays += [rng.normal(0, np.sqrt(2 / size[0]), size).astype(np.float32), np.zeros(size[1], np.float32)]
    return Training(arrays, [np.zeros_like(a) for a in arrays], [np.zeros_like(a) for a in arrays])


def train_epoch(
    training: Training, x: NDArray[np.floating], ranks: Labels, suits: Labels, seed: tuple[int, int, int]
) -> None:
    """Shows every example once, by Adam; `seed`: of the whole training, this epoch's number, and how many there are."""
    rng = np.random.default_rng(seed[:2])
    rate = _RATE * 0.5 * (1 + np.cos(np.pi * seed[1] / seed[2])) + 1e-5
    for batch in np.array_split(rng.permutation(len(x)), max(1, len(x) // _BATCH)):
        training.steps += 1
        noisy = x[batch].astype(np.float32) + rng.normal(0, _NOISE, x[batch].shape).astype(np.float32)
        gradients = gradients_of(training.arrays, noisy, ranks[batch], suits[batch])
        for p, g, m, v in zip(training.arrays, gradients, training.first, training.second, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            moved = (m / (1 - 0.9**training.steps)) / (np.sqrt(v / (1 - 0.999**training.steps)) + 1e-8)
            p -= (rate * (moved + _DECAY / _RATE * p)).astype(np.float32)


def gradients_of(arrays: list[Floats], x: Floats, ranks: Labels, suits: Labels) -> list[Floats]:
    """Of the mean cross entropy of ranks, and of suits where there is one (>= 0), in the network's arrays."""
    steps = [_seen(x, shape, arrays[4 * n : 4 * n + 4]) for n, shape in enumerate(PICTURES)]
    rest = x[:, PICTURES[-1][0] + PICTURES[-1][1] * PICTURES[-1][2] :]
    together = np.concatenate([*(each[-1].reshape(len(x), -1) for each in steps), rest], axis=1)
    w1, b1, w2, b2 = arrays[4 * len(PICTURES) :]
    hidden = np.maximum(together @ w1 + b1, 0.0)
    back = _of_logits(hidden @ w2 + b2, ranks, suits)
    of_hidden = (back @ w2.T) * (hidden > 0)
    last = [together.T @ of_hidden, of_hidden.sum(axis=0), hidden.T @ back, back.sum(axis=0)]
    of_together = of_hidden @ w1.T
    found: list[Floats] = []
    at = 0
    for number, each in enumerate(steps):
        size = each[-1][0].size
        found += _of_part(each, of_together[:, at : at + size], arrays[4 * number + 2])
        at += size
    return [*found, *last]


def _seen(x: Floats, shape: tuple[int, int, int], arrays: list[Floats]) -> tuple[Floats, Floats, Floats, Floats]:
    """A picture's windows, what the first convolution makes of them, the windows of that pooled, and the second's."""
    start, height, width = shape
    one = windows(x[:, start : start + height * width].reshape(-1, height, width, 1))
    first = np.maximum(one @ arrays[0] + arrays[1], 0.0)
    other = windows(in_fours(first).max(axis=(2, 4)))
    return one, first, other, np.maximum(other @ arrays[2] + arrays[3], 0.0)


def _of_logits(logits: Floats, ranks: Labels, suits: Labels) -> Floats:
    back = np.zeros_like(logits)
    everything = np.arange(len(logits))
    for part, label, asked in ((slice(0, 14), ranks, ranks >= 0), (slice(14, LOGITS), suits, suits >= 0)):
        e = np.exp(logits[:, part] - logits[:, part].max(axis=1, keepdims=True))
        e /= e.sum(axis=1, keepdims=True)
        e[everything, np.maximum(label, 0)] -= 1.0
        back[:, part] = e * asked[:, None]
    return back / np.float32(len(logits))


def _of_part(steps: tuple[Floats, Floats, Floats, Floats], back: Floats, second_weights: Floats) -> list[Floats]:
    """Gradients in the four arrays of a picture's convolutions, from those (N, k) in what the second one gives."""
    one, first, other, second = steps
    of_second = back.reshape(second.shape) * (second > 0)
    flat = of_second.reshape(-1, of_second.shape[-1])
    fours = in_fours(first)
    pooled = fours.max(axis=(2, 4))
    high, wide = other.shape[1:3]
    by_window = (flat @ second_weights.T).reshape(*other.shape[:3], pooled.shape[-1], WINDOW, WINDOW)
    of_pooled = np.zeros_like(pooled)
    for row in range(WINDOW):
        for column in range(WINDOW):
            of_pooled[:, row : row + high, column : column + wide] += by_window[..., row, column]
    greatest = (fours == pooled[:, :, None, :, None]) & (fours > 0)
    of_first = np.zeros_like(first)
    count, rows, _, columns, _, channels = fours.shape
    spread = (greatest * of_pooled[:, :, None, :, None]).reshape(count, 2 * rows, 2 * columns, channels)
    of_first[:, : 2 * rows, : 2 * columns] = spread
    flat_first = of_first.reshape(-1, channels)
    return [
        one.reshape(-1, one.shape[-1]).T @ flat_first,
        flat_first.sum(axis=0),
        other.reshape(-1, other.shape[-1]).T @ flat,
        flat.sum(axis=0),
    ]
