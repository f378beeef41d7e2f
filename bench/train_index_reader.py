"""Makes the weights that read corner indices: corners of cards are drawn, seen as cameras see them, and every pair of
marks in the picture is an example, labelled by where the indices are known to be.

Run: python -m bench.train_index_reader [--sheets N] [--scenes N] [--epochs N] [--seed N]. Writes arena_cam/vision/
indices/index_weights.npz; the same seed and fonts give the same file. The fonts of this machine are used: the more, the
better (apt's fonts-* packages of text faces; see docs/accuracy.md for those that the weights in the repository were
made with). One family of fonts in six is kept back, its suits too: on half of the pictures drawn with those the
certainty of answers is set (`temperature`), and the figures at the end are on the other half.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.simulation.things.ordinary_pack import fonts_of_this_machine
from arena_cam.vision.indices.classifier import WEIGHTS, IndexClassifier
from bench.index_scenes import Examples, Floats, examples_of_scenes, examples_of_sheets
from bench.index_sheets import FontFamilies

HIDDEN_UNITS = (160, 64)
_KEPT_BACK = 6  # one family of so many
_BATCH, _RATE, _DECAY = 256, 2e-3, 3e-5
_TEMPERATURES = np.exp(np.linspace(np.log(0.6), np.log(3.0), 33))


def make_examples(seed: int, families: FontFamilies, sheets: int, scenes: int) -> Examples:
    """Examples of `sheets` sheets of corners and `scenes` pictures of cards."""
    rng = np.random.default_rng(seed)
    examples = Examples()
    examples_of_sheets(rng, families, sheets, examples)
    examples_of_scenes(rng, families, scenes, examples)
    return examples


def train(examples: Examples, epochs: int, rng: np.random.Generator) -> IndexClassifier:
    """A network by Adam; logits of suits count where there is one."""
    x = np.stack(examples.features)
    ranks, suits = np.array(examples.ranks), np.array(examples.suits)
    sizes = [x.shape[1], *HIDDEN_UNITS, 18]
    layers = [
        (rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32), np.zeros(b, np.float32)) for a, b in pairwise(sizes)
    ]
    flat = [p for layer in layers for p in layer]
    first, second = [np.zeros_like(p) for p in flat], [np.zeros_like(p) for p in flat]
    step = 0
    for epoch in range(epochs):
        rate = _RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        for batch in np.array_split(rng.permutation(len(x)), max(1, len(x) // _BATCH)):
            step += 1
            noisy = x[batch] + rng.normal(0, 0.04, x[batch].shape).astype(np.float32)
            gradients = _gradients(noisy, ranks[batch], suits[batch], layers)
            for p, g, m, v in zip(flat, gradients, first, second, strict=True):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                moved = (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8) + _DECAY / 2e-3 * p
                p -= (rate * moved).astype(np.float32)
    return IndexClassifier(tuple(layers))


def _gradients(
    x: Floats, ranks: NDArray[np.int_], suits: NDArray[np.int_], layers: list[tuple[Floats, Floats]]
) -> list[Floats]:
    kept = [x]
    for number, (weights, bias) in enumerate(layers):
        y = kept[-1] @ weights + bias
        kept.append(np.maximum(y, 0.0) if number < len(layers) - 1 else y)
    logits = kept[-1]
    back = np.zeros_like(logits)
    for part, label, asked in ((slice(0, 14), ranks, np.ones(len(x), bool)), (slice(14, 18), suits, suits >= 0)):
        e = np.exp(logits[:, part] - logits[:, part].max(axis=1, keepdims=True))
        e /= e.sum(axis=1, keepdims=True)
        e[np.arange(len(x)), np.maximum(label, 0)] -= 1.0
        back[:, part] = e * asked[:, None]
    back /= len(x)
    gradients: list[Floats] = []
    for number in range(len(layers) - 1, -1, -1):
        weights, _ = layers[number]
        gradients = [kept[number].T @ back, back.sum(axis=0), *gradients]
        if number:
            back = (back @ weights.T) * (kept[number] > 0)
    return gradients


def halves(examples: Examples) -> tuple[Examples, Examples]:
    """Examples in two halves, alternately by blocks of a hundred."""
    parts = Examples(), Examples()
    for n, row in enumerate(zip(examples.features, examples.ranks, examples.suits, strict=True)):
        part = parts[n // 100 % 2]
        part.features.append(row[0])
        part.ranks.append(row[1])
        part.suits.append(row[2])
    return parts


def likeliest_temperature(classifier: IndexClassifier, examples: Examples) -> float:
    """The temperature at which the truth of `examples` is likeliest."""
    ranks, suits = np.array(examples.ranks), np.array(examples.suits)
    wanted = np.maximum(ranks - 1, 0) * 4 + np.maximum(suits, 0)
    losses = []
    for temperature in _TEMPERATURES:
        p = replace(classifier, temperature=float(temperature)).probabilities(examples.features).reshape(-1, 52)
        true = np.where(ranks > 0, p[np.arange(len(p)), wanted], 1.0 - p.sum(axis=1))
        losses.append(-np.log(np.maximum(true, 1e-6)).mean())
    return float(_TEMPERATURES[int(np.argmin(losses))])


def report(classifier: IndexClassifier, examples: Examples, name: str) -> None:
    """Prints how many indices are read right, wrong and not at all, and how many other pairs are taken for one."""
    p = classifier.probabilities(examples.features).reshape(-1, 52)
    best, sure = p.argmax(axis=1), p.max(axis=1)
    ranks, suits = np.array(examples.ranks), np.array(examples.suits)
    is_index = ranks > 0
    right = is_index & (best == (ranks - 1) * 4 + suits)
    for least in (0.5, 0.9, 0.99):
        said = sure > least
        wrong, false = (is_index & ~right & said).sum(), (~is_index & said).sum()
        print(
            f"{name}: p > {least}: of {is_index.sum()} indices right {(right & said).sum() / is_index.sum():.2%}, wrong"
            f" {wrong / is_index.sum():.2%}; of {(~is_index).sum()} other pairs taken for one {false}",
            flush=True,
        )


def save(classifier: IndexClassifier, out: Path) -> None:
    """Writes the layers in half precision: the same numbers give the same bytes."""
    arrays = {
        f"{name}{n}": a.astype(np.float16)
        for n, layer in enumerate(classifier.layers)
        for name, a in zip("wb", layer, strict=True)
    }
    np.savez_compressed(out, temperature=np.array(classifier.temperature), **arrays)  # type: ignore[arg-type]


def main() -> None:
    """Draws, trains, reports and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=int, default=400)
    parser.add_argument("--scenes", type=int, default=160)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    began = time.process_time()
    families = FontFamilies.of(fonts_of_this_machine())
    known = make_examples(args.seed, families.part(_KEPT_BACK, False), args.sheets, args.scenes)
    print(f"{len(known.features)} pairs, {known.paired} indices of {known.printed} printed", flush=True)
    kept_back = make_examples(
        args.seed + 1, families.part(_KEPT_BACK, True), max(2, args.sheets // 10), max(4, args.scenes // 8)
    )
    drawn = time.process_time()
    classifier = train(known, args.epochs, np.random.default_rng(args.seed))
    for_certainty, unknown = halves(kept_back)
    classifier = replace(classifier, temperature=likeliest_temperature(classifier, for_certainty))
    print(f"temperature {classifier.temperature:.2f}", flush=True)
    report(classifier, known, "packs trained on")
    report(classifier, unknown, "fonts and suits kept back")
    save(classifier, args.out)
    print(f"drawn in {drawn - began:.0f} s, trained in {time.process_time() - drawn:.0f} s of one core")


if __name__ == "__main__":
    main()
