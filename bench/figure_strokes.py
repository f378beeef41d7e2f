"""Figures of ranks drawn with strokes, as engravers of playing cards draw them: even strokes, some with slabs at their
ends, a ten of a bar and a ring, a queen's tail that crosses her ring."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_HIGH, _WIDE, _MARGIN = 100, 62, 16
# Strokes in a unit square, y down; the ends that may bear a slab follow the bar.
_STRAIGHT: dict[str, tuple[list[list[tuple[float, float]]], list[tuple[float, float]]]] = {
    "A": ([[(0.0, 1.0), (0.5, 0.0), (1.0, 1.0)], [(0.2, 0.64), (0.8, 0.64)]], [(0.0, 1.0), (1.0, 1.0)]),
    "K": (
        [[(0.1, 0.0), (0.1, 1.0)], [(0.95, 0.0), (0.1, 0.6)], [(0.4, 0.4), (1.0, 1.0)]],
        [(0.1, 0.0), (0.1, 1.0), (0.95, 0.0), (1.0, 1.0)],
    ),
    "4": ([[(0.76, 1.0), (0.76, 0.0), (0.0, 0.7), (1.0, 0.7)]], [(0.76, 1.0)]),
    "7": ([[(0.0, 0.0), (1.0, 0.0), (0.35, 1.0)]], []),
}


def stroked_figure(rng: np.random.Generator, rank: str) -> NDArray[np.uint8]:
    """The figure's mask (h, w), 255 inked, cut out."""
    stroke = int(rng.integers(7, 17))
    lines = _lines(rng, rank)
    slab = float(rng.uniform(0.10, 0.22)) if rng.random() < 0.6 else 0.0
    canvas: NDArray[np.uint8] = np.zeros((_HIGH + 2 * _MARGIN, _WIDE + 4 * _MARGIN), np.uint8)
    if slab:
        ends = _STRAIGHT[rank][1] if rank in _STRAIGHT else [(0.75, 0.0)] if rank == "J" else []
        lines += [np.array([[x - slab, y], [x + slab, y]]) for x, y in ends]
    for line in lines:
        bent = line + (rng.normal(0, 0.015, line.shape) if len(line) < 5 else 0.0)
        pixels = bent * [_WIDE, _HIGH - stroke] + [2 * _MARGIN, _MARGIN + stroke / 2]
        cv2.polylines(canvas, [np.round(pixels * 16).astype(np.int32)], False, 255, stroke, cv2.LINE_AA, 4)
    rows, columns = np.flatnonzero(canvas.max(axis=1) > 60), np.flatnonzero(canvas.max(axis=0) > 60)
    return np.ascontiguousarray(canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _arc(x: float, y: float, a: float, b: float, ends: tuple[float, float]) -> Array:
    """Part of an ellipse between angles in degrees: 0 right, 90 down."""
    t = np.radians(np.linspace(*ends, 40))
    return np.stack([x + a * np.cos(t), y + b * np.sin(t)], axis=1)


def _lines(rng: np.random.Generator, rank: str) -> list[Array]:
    if rank in _STRAIGHT:
        return [np.array(line, np.float64) for line in _STRAIGHT[rank][0]]
    waist = float(rng.uniform(0.4, 0.56))
    if rank == "T":
        return _ten(rng)
    if rank == "J":
        return [np.concatenate([[[0.75, 0.0]], _arc(0.4, 0.72, 0.35, 0.28, (0, 180 + rng.uniform(-25, 10)))])]
    if rank == "Q":
        start = float(rng.uniform(0.4, 0.62)), float(rng.uniform(0.6, 0.78))
        return [_squarish(rng, 0.5, 0.48, 0.5, 0.48), np.array([start, (float(rng.uniform(0.92, 1.12)), 1.0)])]
    if rank == "8":
        return [
            _arc(0.5, waist / 2, 0.42, waist / 2, (0, 360)),
            _arc(0.5, (1 + waist) / 2, 0.5, (1 - waist) / 2, (0, 360)),
        ]
    if rank in "69":
        nine = [_arc(0.5, 0.3, 0.5, 0.3, (0, 360)), _nine_tail(rng)]
        return nine if rank == "9" else [1.0 - line for line in nine]
    if rank == "5":
        bowl = _arc(0.45, 0.68, 0.52, 0.32, (-125, 150 + rng.uniform(-20, 15)))
        return [np.concatenate([[[0.92, 0.0], [0.15, 0.0], [0.1, 0.48]], bowl])]
    if rank == "3":
        low = _arc(0.45, (1 + waist) / 2, 0.52, (1 - waist) / 2, (-90, 155))
        if rng.random() < 0.35:
            return [np.concatenate([[[0.05, 0.0], [0.9, 0.0], [0.4, waist]], low])]
        return [np.concatenate([_arc(0.45, waist / 2, 0.45, waist / 2, (-160, 90)), low])]
    top = _arc(0.5, 0.28, 0.48, 0.28, (-175, 35))
    return [np.concatenate([top, [[0.02, 1.0], [1.0, 1.0]]])]


def _nine_tail(rng: np.random.Generator) -> Array:
    if rng.random() < 0.3:
        return np.array([[0.98, 0.36], [0.9, 0.6], [0.45, 1.0]])
    return np.concatenate([[[1.0, 0.3]], _arc(0.5, 0.68, 0.5, 0.32, (0, 155 + rng.uniform(-25, 15)))])


def _ten(rng: np.random.Generator) -> list[Array]:
    """A bar and a ring beside it."""
    gap, half = float(rng.uniform(0.22, 0.4)), float(rng.uniform(0.2, 0.42))
    return [np.array([[0.0, 0.0], [0.0, 1.0]]), _squarish(rng, gap + half, 0.5, half, 0.5)]


def _squarish(rng: np.random.Generator, x: float, y: float, a: float, b: float) -> Array:
    """A closed ring between an ellipse and a box with round corners."""
    t = np.linspace(0.0, 2 * math.pi, 90)
    power = float(rng.uniform(0.5, 1.0))
    c, s = np.cos(t), np.sin(t)
    return np.stack([x + a * np.sign(c) * np.abs(c) ** power, y + b * np.sign(s) * np.abs(s) ** power], axis=1)
