"""How a camera renders a print's colours beyond a gain and an offset: one smooth map for all pieces of a picture.

A camera mixes its channels and bends them by its tone curve; light of one colour darkens inks of another more than
paper. A polynomial of degree two in the print's channels describes it (Hong, Luo and Rhodes, "A study of digital camera
colorimetric characterization based on polynomial modelling", Color Research and Application 2001). Pieces share their
inks, so every piece is told by what the others show: it is no witness of its own colours, or a wrong name could make
itself fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

TERMS = 9
PAPER = 255.0
NOISE = 12.0 / PAPER  # what print and photograph differ by where nothing covers the print
NEWS = 0.002  # one pixel in 500 is news: an ink is rendered the same wherever it is, and no polynomial is quite right
TERM_SD = 0.25  # of each term beforehand
STRANGE = 40.0 / PAPER  # a pixel off by this much counts a quarter: something else lies there
ROUNDS = 3
GAIN_LIMITS = (0.3, 2.0)


@dataclass(frozen=True, eq=False)
class InkColours:
    """Terms (9, 3) of the map as all pieces say, and as all but each one say, (N, 9, 3)."""

    all: Grey
    but_one: Grey


def mapped(prints: Grey, terms: Grey) -> Grey:
    """Print (..., 3) of 0..255 with its colours as the camera renders them, before light."""
    moved = _planes(prints).T @ terms
    moved *= np.float32(PAPER)
    return np.asarray(prints + moved.reshape(prints.shape), np.float32)


def fit_ink_colours(prints: Grey, seen: Grey, gain: Grey, thinned: int = 1) -> InkColours:
    """The map from N pieces: prints (N, P, 3), the photograph there (N, P, 3), and the light's gain there (N, 3).

    Each piece may have a brightness and an offset of its own. `thinned`: one pixel in so many is given.
    """
    t = prints / np.float32(PAPER)
    terms = _terms(prints)
    target = seen / np.float32(PAPER) / gain[:, None]
    weight = np.ones(t.shape[:2], np.float32)
    ridge = np.eye(TERMS) * (NOISE / TERM_SD) ** 2 / min(NEWS * thinned, 1.0)
    every = np.zeros((TERMS, 3), np.float32)
    normal, right = np.zeros((len(t), TERMS, TERMS)), np.zeros((len(t), TERMS, 3))
    for _ in range(ROUNDS if len(t) else 0):
        colours, own = _centred(t + terms @ every, weight), _centred(target, weight)
        cross, square = (np.einsum("np,npc,npc->n", weight, colours, each) for each in (own, colours))
        bright = np.clip(cross / np.maximum(square, 1e-6), *GAIN_LIMITS).astype(np.float32)
        rest = own / bright[:, None, None] - _centred(t, weight)
        columns = _centred(terms, weight)
        weighted = columns * weight[..., None]
        normal = np.einsum("npi,npj->nij", weighted, columns, optimize=True).astype(np.float64)
        right = np.einsum("npi,npc->nic", weighted, rest, optimize=True).astype(np.float64)
        every = np.linalg.solve(normal.sum(axis=0) + ridge, right.sum(axis=0)).astype(np.float32)
        off = rest - columns @ every
        weight = 1.0 / (1.0 + np.einsum("npc,npc->np", off, off) / np.float32(3 * STRANGE**2)) ** 2
    others = np.linalg.solve(normal.sum(axis=0) - normal + ridge, right.sum(axis=0) - right)
    return InkColours(every, others.astype(np.float32))


def _terms(prints: Grey) -> Grey:
    """(..., 9) of print (..., 3): its channels about their middle, their products and squares."""
    return np.ascontiguousarray(_planes(prints).T).reshape(*prints.shape[:-1], TERMS)


def _planes(prints: Grey) -> Grey:
    """The same, each term by itself (9, M): four times as fast as with all terms of a pixel side by side."""
    out = np.empty((TERMS, prints.size // 3), np.float32)
    b, g, r = bgr = out[:3]
    np.divide(prints.reshape(-1, 3).T, np.float32(PAPER), out=bgr)
    bgr -= np.float32(0.5)
    for term, (one, other) in zip(out[3:], ((b, g), (g, r), (r, b), (b, b), (g, g), (r, r)), strict=True):
        np.multiply(one, other, out=term)
    return out


def _centred(values: Grey, weight: Grey) -> Grey:
    """Values (N, P, C) less their mean in each piece."""
    mean = np.einsum("np,npc->nc", weight, values) / np.maximum(weight.sum(axis=1), np.float32(1e-6))[:, None]
    return np.asarray(values - mean[:, None], np.float32)
