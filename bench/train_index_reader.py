"""Makes the weights that read corner indices: corners of cards are drawn, seen as cameras see them, and every pair of
marks in the picture is an example, labelled by where the indices are known to be.

Run: python -m bench.train_index_reader [--sheets N] [--scenes N] [--epochs N] [--seed N]. Writes arena_cam/vision/
indices/index_weights.npz; the same seed and fonts give the same file. The fonts of this machine are used: the more, the
better (apt's fonts-* packages of text faces; see docs/measurements.md for those that the weights in the repository were
made with). One family of fonts in six is kept back, its suits too: on half of the pictures drawn with those the
certainty of answers is set (`temperature`), and the figures at the end are on the other half.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from arena_cam.simulation.things.ordinary_pack import fonts_of_this_machine
from arena_cam.vision.indices.classifier import WEIGHTS, IndexClassifier
from bench.index_network import train_epoch, untrained
from bench.index_scenes import Examples, examples_of_scenes, examples_of_sheets
from bench.index_sheets import FontFamilies

_SHEETS_A_BLOCK = 50
_KEPT_BACK = 6  # one family of so many
_TEMPERATURES = np.exp(np.linspace(np.log(0.6), np.log(3.0), 33))


def make_examples(seed: int, families: FontFamilies, sheets: int, scenes: int, processes: int = 1) -> Examples:
    """Examples of `sheets` sheets of corners and `scenes` pictures of cards, drawn in blocks of a seed each."""
    blocks = max(1, sheets // _SHEETS_A_BLOCK)
    work = [(seed, block, families, sheets // blocks, max(4, scenes // blocks)) for block in range(blocks)]
    with ProcessPoolExecutor(processes) as pool:
        parts = pool.map(examples_of_block, *zip(*work, strict=True))
        return together(parts)


def examples_of_block(seed: int, block: int, families: FontFamilies, sheets: int, scenes: int) -> Examples:
    """Examples of one block."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, block])
    examples = Examples()
    examples_of_sheets(rng, families, sheets, examples)
    examples_of_scenes(rng, families, scenes, examples)
    return examples


def together(parts: Iterable[Examples]) -> Examples:
    """All of them as one."""
    every = Examples()
    for part in parts:
        every.features += part.features
        every.ranks += part.ranks
        every.suits += part.suits
        every.printed += part.printed
        every.paired += part.paired
    return every


def train(examples: Examples, epochs: int, seed: int) -> IndexClassifier:
    """The network that reads the examples best."""
    x = np.stack(examples.features).astype(np.float16)
    ranks, suits = np.array(examples.ranks), np.array(examples.suits)
    training = untrained(seed, x.shape[1])
    for epoch in range(epochs):
        train_epoch(training, x, ranks, suits, (seed, epoch, epochs))
    return training.classifier


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
        for n, layer in enumerate([*(layer for part in classifier.parts for layer in part.layers), *classifier.layers])
        for name, a in zip("wb", layer, strict=True)
    }
    parts = np.array([(part.start, part.height, part.width) for part in classifier.parts])
    np.savez_compressed(out, temperature=np.array(classifier.temperature), parts=parts, **arrays)  # type: ignore[arg-type]


def main() -> None:
    """Draws, trains, reports and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=int, default=600)
    parser.add_argument("--scenes", type=int, default=240)
    parser.add_argument("--processes", type=int, default=1, help="that draw; they change nothing in what is drawn")
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    began = time.process_time()
    families = FontFamilies.of(fonts_of_this_machine())
    known = make_examples(args.seed, families.part(_KEPT_BACK, False), args.sheets, args.scenes, args.processes)
    print(f"{len(known.features)} pairs, {known.paired} indices of {known.printed} printed", flush=True)
    kept_back = make_examples(
        args.seed + 1, families.part(_KEPT_BACK, True), args.sheets // 6, args.scenes // 6, args.processes
    )
    drawn = time.process_time()
    classifier = train(known, args.epochs, args.seed)
    for_certainty, unknown = halves(kept_back)
    classifier = replace(classifier, temperature=likeliest_temperature(classifier, for_certainty))
    print(f"temperature {classifier.temperature:.2f}", flush=True)
    report(classifier, known, "packs trained on")
    report(classifier, unknown, "fonts and suits kept back")
    save(classifier, args.out)
    print(f"drawn in {drawn - began:.0f} s, trained in {time.process_time() - drawn:.0f} s of one core")


if __name__ == "__main__":
    main()
