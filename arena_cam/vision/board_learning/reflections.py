"""A lamp's reflection on a photographed board, told by its cells, which are printed alike, and taken away.

Light adds up: a reflection lays the same white light on all colours of a place, more of it nearer to the lamp's mirror
image; light that falls off only scales them. So what each cell shows is what all cells show, times a gain, plus a veil.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.linear_light import linear_light, srgb

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

PX_PER_MM = 1.5
ROUNDS = 30
COMMON = (0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7)  # tried: what lies on all cells, of what differs
GAIN_SD, NOISE = 0.3, 0.01  # of the light between cells of one board; of a pixel, of which white has 1
FAINT = 0.006  # of white: what is fitted to boards without a reflection by chance
NEAR_MM = 15  # within so much a print has dark and light
BEYOND = 1.5  # of the brightest veil on a cell: beside the cells it may be brighter still, but there it is guessed


@dataclass(frozen=True, eq=False)
class CellLight:
    """Of each cell (K,) how strongly it is lit, and the light that a reflection adds to it, of which white has 1."""

    gain: Floats
    veil: Floats


def without_reflection(board_bgr: Image, cells_mm: Floats, pitch_mm: float, board_mm: tuple[float, float]) -> Image:
    """A board's straightened picture (h, w, 3) without the reflection that its cells tell of.

    `cells_mm` (19, 2): their middles from the picture's top-left corner, `pitch_mm` apart. What is alike on all of the
    board is no reflection that could be told.
    """
    light = linear_light(board_bgr)
    veils = cell_light(_patches(light, cells_mm, pitch_mm, board_mm)).veil
    if float(np.ptp(veils)) < FAINT:
        return board_bgr
    veil = np.minimum(_over_board(cells_mm, veils, board_mm), _darkest(light, board_mm))
    field = cv2.resize(veil, (board_bgr.shape[1], board_bgr.shape[0]), interpolation=cv2.INTER_LINEAR)
    return srgb(np.asarray(light - field[:, :, None], np.float32))


def _darkest(light: NDArray[np.float32], board_mm: tuple[float, float]) -> NDArray[np.float32]:
    """At each millimetre (h, w) the least light of a channel nearby, which no veil is brighter than."""
    size = (round(board_mm[0]), round(board_mm[1]))
    small = cv2.resize(light, size, interpolation=cv2.INTER_AREA).min(axis=2)
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (NEAR_MM, NEAR_MM))
    return np.asarray(cv2.GaussianBlur(cv2.erode(small, near), (0, 0), NEAR_MM / 2), np.float32)


def cell_light(cells: Floats) -> CellLight:
    """Gain and veil of cells (K, P, 3) of linear light that all show one print; the least veil is taken as none."""
    print_, gain, veil = np.median(cells, axis=0), np.ones(len(cells)), np.zeros(len(cells))
    weight = np.ones(cells.shape[:2])
    for _ in range(ROUNDS):
        gain, veil = _lights(cells, print_, weight)
        off = np.linalg.norm(cells - gain[:, None, None] * print_ - veil[:, None, None], axis=2)
        weight = 1.0 / (1.0 + (off / (3.0 * np.median(off) + 1e-4)) ** 2)
        heavy = weight * gain[:, None]
        seen = (heavy[:, :, None] * (cells - veil[:, None, None])).sum(axis=0)
        print_ = seen / (heavy * gain[:, None]).sum(axis=0)[:, None]
        # A veil over all cells and a brighter print are the same, and so are their gains.
        least = int(np.argmin(veil / gain))
        common = float(veil[least] / gain[least])
        print_, veil = print_ + common, veil - gain * common
        usual = float(np.median(gain))
        print_, gain = print_ * usual, gain / usual
    return CellLight(gain, veil)


def _lights(cells: Floats, print_: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Least squares of each cell's gain (K,), which is about 1, and veil (K,)."""
    own, total = weight @ (print_**2).sum(axis=1), 3.0 * weight.sum(axis=1)
    mean = weight @ print_.sum(axis=1)
    held = print_.size * (NOISE / GAIN_SD) ** 2 * NOISE
    seen = np.einsum("kp,pc,kpc->k", weight, print_, cells) + held
    level = np.einsum("kp,kpc->k", weight, cells)
    own = own + held
    free = np.maximum(own * total - mean**2, 1e-12)
    return (total * seen - mean * level) / free, (own * level - mean * seen) / free


def _patches(light: NDArray[np.float32], cells_mm: Floats, pitch_mm: float, board_mm: tuple[float, float]) -> Floats:
    """Squares round all cells (K, P, 3)."""
    size = (round(board_mm[0] * PX_PER_MM), round(board_mm[1] * PX_PER_MM))
    small = cv2.resize(light, size, interpolation=cv2.INTER_AREA)
    side = round(pitch_mm * PX_PER_MM)
    at = cells_mm * PX_PER_MM - 0.5
    return np.array([cv2.getRectSubPix(small, (side, side), (float(x), float(y))).reshape(-1, 3) for x, y in at])


def _over_board(cells_mm: Floats, veil: Floats, board_mm: tuple[float, float]) -> NDArray[np.float32]:
    """The veil at each millimetre (h, w): the lobe of a lamp (a Gaussian, which flattens out) through the cells'
    values, and what it adds to all of them."""
    middle, reach = np.asarray(board_mm) / 2, max(board_mm) / 2
    terms = _terms((cells_mm - middle) / reach)
    fits = [_lobe(terms, veil + share * float(np.ptp(veil))) for share in COMMON]
    lobe = min(fits, key=lambda each: each[1])[0]
    x, y = np.meshgrid(*(np.arange(round(side)) + 0.5 - side / 2 for side in board_mm))
    field = np.exp(_terms(np.column_stack([x.ravel(), y.ravel()]) / reach) @ lobe).reshape(x.shape)
    return np.asarray(np.minimum(field, BEYOND * float(np.exp(terms @ lobe).max())), np.float32)


def _lobe(terms: Floats, veil: Floats) -> tuple[Floats, float]:
    """The logarithm's paraboloid of a veil (19,) and its squared error."""
    bright = np.maximum(veil, FAINT / 4)
    fitted = np.linalg.lstsq(terms * bright[:, None], np.log(bright) * bright, rcond=None)[0]
    return fitted, float(((np.exp(terms @ fitted) - veil) ** 2).sum())


def _terms(at: Floats) -> Floats:
    x, y = at.T
    return np.column_stack([np.ones(len(at)), x, y, x * x, x * y, y * y])
