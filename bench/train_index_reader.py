"""Makes the weights that read corner indices: packs are drawn, laid over each other, blurred as cameras blur, and every
pair of marks in the picture is an example, labelled by where the indices are known to be.

Run: python -m bench.train_index_reader [--scenes N] [--epochs N] [--seed N]. Writes arena_cam/vision/indices/
index_weights.npz. Takes some minutes. The fonts of this machine are used: the more, the better (apt's fonts-* packages
of text faces; see docs/accuracy.md for those that the weights in the repository were made with). One pack in ten is
kept back, with its font: the figures at the end are on those.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.simulation.things.ordinary_pack import (
    PX_PER_MM,
    PackStyle,
    draw_back,
    draw_face,
    fonts_of_this_machine,
    index_places,
    random_style,
)
from arena_cam.vision.indices.classifier import RANKS, SUITS, WEIGHTS, IndexClassifier
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, find_ink, find_marks
from arena_cam.vision.indices.pairs import find_pairs

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
VIEW_MM = (190.0, 150.0)
_NEAR_MM = 1.7  # a mark whose middle is so near to where a rank or suit is printed is that
_MOST_OTHERS = 60  # pairs of a picture that are no index: more teach nothing new
SCENES_A_PACK = 6
HIDDEN_UNITS = (112, 56)


@dataclass(eq=False)
class Examples:
    """Features (N, n), rank labels (N,): 0 no index, 1.. ranks; suit labels (N,)."""

    features: list[Floats]
    ranks: list[int]
    suits: list[int]


def scene(
    rng: np.random.Generator,
    style: PackStyle,
    faces: dict[str, NDArray[np.uint8]],
    back: NDArray[np.uint8],
    into: Examples,
) -> None:
    """Adds the examples of one picture of some of a pack's `faces`."""
    width, height = (round(v * VIEW_PX_PER_MM) for v in VIEW_MM)
    ground = rng.uniform(10, 235, 3)
    drawn: NDArray[np.floating] = np.empty((height, width, 3), np.float64)
    drawn[:] = ground + rng.normal(0, 6, 3)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), float(rng.uniform(1, 8)))
    rough = float(rng.uniform(0, 14)) / max(float(texture.std()), 1e-6)
    drawn = np.asarray(drawn + texture[..., None].astype(np.float64) * rough)
    cards = [str(card) for card in rng.permutation(list(faces))[:4]]
    truth: list[tuple[Array, Array, Array, int, int]] = []
    for number, card in enumerate(cards):
        face = back if number == 0 and rng.random() < 0.15 else faces[card]
        turn, place = rng.uniform(-np.pi, np.pi), np.array(VIEW_MM) * rng.uniform(0.2, 0.8, 2)
        scale = VIEW_PX_PER_MM * rng.uniform(0.95, 1.05)
        c, s = np.cos(turn), np.sin(turn)
        shear = np.eye(2) + rng.normal(0, 0.025, (2, 2))
        linear = np.array([[c, -s], [s, c]]) @ shear * scale
        to_view = np.column_stack([linear, place * VIEW_PX_PER_MM])
        half = np.array([style.width_mm, style.height_mm]) / 2
        pixel = to_view @ np.block([[np.eye(2) / PX_PER_MM, -half[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])
        flags = cv2.INTER_AREA
        laid = cv2.warpAffine(cv2.GaussianBlur(face, (0, 0), 0.6), pixel, (width, height), flags=flags)
        mask = cv2.warpAffine(_card_mask(face), pixel, (width, height), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
        shadow = cv2.GaussianBlur(mask, (0, 0), 3.0) * rng.uniform(0.0, 0.4)
        light = rng.uniform(0.75, 1.0)
        drawn = drawn * (1 - shadow[..., None]) * (1 - mask[..., None]) + laid * light * mask[..., None]
        rank, suit = index_places(style, card[0])
        for sign in (1.0, -1.0):
            for side in (1.0, -1.0) if style.four_indices else (1.0,):
                mirrored = np.array([side, 1.0]) * sign
                a, b = (linear @ (np.array(p) * mirrored) + to_view[:, 2] for p in (rank, suit))
                truth.append((a, b, np.array([scale]), 1 + RANKS.index(card[0]), SUITS.index(card[1])))
    view = _as_a_camera_sees(rng, drawn)
    ink = find_ink(view)
    pairs = find_pairs(ink, find_marks(ink))
    others = 0
    for n in rng.permutation(len(pairs)):
        pair = pairs[n]
        label = next((t for t in truth if _is(pair.rank.centre, t[0]) and _is(pair.suit.centre, t[1])), None)
        others += label is None
        if label is None and others > _MOST_OTHERS:
            continue
        into.features.append(pair.features)
        into.ranks.append(label[3] if label else 0)
        into.suits.append(label[4] if label else -1)


def _is(centre: Array, place: Array) -> bool:
    return bool(np.hypot(*(centre - place)) < _NEAR_MM * VIEW_PX_PER_MM)


def _card_mask(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    mask: NDArray[np.uint8] = np.zeros(face.shape[:2], np.uint8)
    r = round(3.5 * PX_PER_MM)
    h, w = (int(v) for v in face.shape[:2])
    cv2.rectangle(mask, (r, 0), (w - r, h), 255, -1)
    cv2.rectangle(mask, (0, r), (w, h - r), 255, -1)
    for x, y in ((r, r), (w - r, r), (r, h - r), (w - r, h - r)):
        cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _as_a_camera_sees(rng: np.random.Generator, view: NDArray[np.floating]) -> NDArray[np.uint8]:
    """The picture as one of 1.3 to 3 px/mm shows it, brought back to the view's scale."""
    scale = float(rng.uniform(1.2, 2.6)) / VIEW_PX_PER_MM
    small = cv2.resize(view.astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.75)))
    if rng.random() < 0.5:
        small = small * 1.4 - 0.4 * cv2.GaussianBlur(small, (0, 0), 1.0)
    small = small * rng.uniform(0.35, 1.0) * rng.uniform(0.88, 1.08, 3)
    small = small + rng.normal(0, rng.uniform(0.5, 4.0), small.shape)
    small8 = np.clip(small, 0, 255).astype(np.uint8)
    _, code = cv2.imencode(".jpg", small8, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))])
    back = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(back, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_LINEAR), np.uint8)


def make_examples(rng: np.random.Generator, fonts: list[Path], scenes: int, seed: int) -> Examples:
    """Examples of `scenes` pictures, each of a pack of its own."""
    examples = Examples([], [], [])
    for number in range(scenes // SCENES_A_PACK):
        style = random_style(seed + number, fonts)
        names = [rank + suit for rank in RANKS for suit in SUITS]
        faces = {str(card): draw_face(style, str(card)) for card in rng.permutation(names)[:8]}
        back = draw_back(style)
        for _ in range(SCENES_A_PACK):
            scene(rng, style, faces, back, examples)
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
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        for batch in np.array_split(rng.permutation(len(x)), max(1, len(x) // 256)):
            step += 1
            gradients = _gradients(
                x[batch] + rng.normal(0, 0.03, x[batch].shape).astype(np.float32), ranks[batch], suits[batch], layers
            )
            for p, g, m, v in zip(flat, gradients, first, second, strict=True):
                g += 1e-5 * p
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= (rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)).astype(np.float32)
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


def main() -> None:
    """Draws, trains, reports and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1800)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    fonts = fonts_of_this_machine()
    kept_back = fonts[::10]
    known = make_examples(rng, [f for f in fonts if f not in kept_back], args.scenes, 100_000)
    print(f"{len(known.features)} pairs, {sum(r > 0 for r in known.ranks)} of them indices", flush=True)
    unknown = make_examples(rng, kept_back, max(60, args.scenes // 12), 900_000)
    classifier = train(known, args.epochs, rng)
    report(classifier, known, "packs trained on")
    report(classifier, unknown, "packs kept back")
    arrays = {
        f"{name}{n}": a.astype(np.float16)
        for n, layer in enumerate(classifier.layers)
        for name, a in zip("wb", layer, strict=True)
    }
    np.savez_compressed(args.out, temperature=np.array(1.0), **arrays)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
