"""The five suits' shapes and the numerals, as outlines and strokes in unit squares: drawn here, so free of any font."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from arena_cam.geometry.arrays import Array

Stroke = list[tuple[float, float]]


def _arc(cx: float, cy: float, rx: float, ry: float, start_deg: float, end_deg: float, count: int = 40) -> Stroke:
    """Points of an elliptic arc; 0 degrees is to the right, 90 down, as y runs down."""
    angles = np.radians(np.linspace(start_deg, end_deg, count))
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]


def _digits() -> dict[str, list[Stroke]]:
    """Strokes of the digits in a box 1 wide and 1.5 high, y down."""
    six = [_arc(0.5, 1.02, 0.42, 0.42, 0, 360), [*_arc(0.98, 0.98, 0.90, 0.95, 178, 262)]]
    nine = [[(1.0 - x, 1.5 - y) for x, y in stroke] for stroke in six]
    return {
        "0": [_arc(0.5, 0.75, 0.42, 0.68, 0, 360)],
        "1": [[(0.2, 0.38), (0.56, 0.07), (0.56, 1.43)], [(0.24, 1.43), (0.86, 1.43)]],
        "2": [[*_arc(0.5, 0.48, 0.40, 0.41, 190, 392), (0.08, 1.43), (0.92, 1.43)]],
        "3": [[*_arc(0.46, 0.42, 0.37, 0.35, 200, 450)], [*_arc(0.46, 1.10, 0.43, 0.33, -90, 165)]],
        "4": [[(0.70, 1.43), (0.70, 0.07), (0.06, 1.02), (0.96, 1.02)]],
        "5": [[(0.86, 0.07), (0.20, 0.07), (0.15, 0.66), *_arc(0.46, 0.98, 0.43, 0.45, -128, 150)]],
        "6": six,
        "7": [[(0.08, 0.07), (0.92, 0.07), (0.36, 1.43)]],
        "8": [_arc(0.5, 0.40, 0.34, 0.33, 0, 360), _arc(0.5, 1.08, 0.42, 0.35, 0, 360)],
        "9": nine,
    }


DIGITS = _digits()


def numeral(text: str) -> tuple[list[Stroke], float]:
    """Strokes of a number side by side, and its width, where a digit is 1 wide and 1.5 high."""
    strokes: list[Stroke] = []
    x = 0.0
    for k, digit in enumerate(text):
        x += 0.22 if k else 0.0
        strokes += [[(x + px, py) for px, py in stroke] for stroke in DIGITS[digit]]
        x += 1.0
    return strokes, x


def _star(points: int, inner: float) -> Array:
    angles = np.arange(2 * points) * math.pi / points - math.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, 1.0, inner)
    return np.asarray(np.column_stack([radius * np.cos(angles), radius * np.sin(angles)]))


def _leaf() -> Array:
    """Pointed at both ends, and leaning."""
    right = _arc(-0.75, 0.0, 1.25, 1.25, -53, 53)
    upright = np.array([*right, *[(-x, y) for x, y in reversed(right)]])
    lean = math.radians(38.0)
    turn = np.array([[math.cos(lean), -math.sin(lean)], [math.sin(lean), math.cos(lean)]])
    return np.asarray(upright @ turn.T)


def _crescent() -> Array:
    outer = _arc(0.05, 0.0, 0.95, 0.95, 52, 308)
    inner = _arc(0.36, 0.0, 0.79, 0.79, 288, 72)
    return np.array([*outer, *inner])


# Outlines (N, 2) within the unit circle, y down: told apart by their shape where colours are not.
SHAPES: dict[str, Array] = {
    "red": np.array([(0.0, -0.95), (0.92, 0.72), (-0.92, 0.72)]),
    "blue": _star(4, 0.34),
    "green": _leaf(),
    "yellow": _star(8, 0.56),
    "violet": _crescent(),
}


def placed(outline: Array | Sequence[tuple[float, float]], centre: tuple[float, float], size: float) -> Array:
    """An outline scaled by `size` and moved to `centre`."""
    return np.asarray(np.asarray(outline, np.float64) * size + np.asarray(centre), np.float64)
