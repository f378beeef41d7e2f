"""How print looks in a photograph: a gain and an offset for each colour over the board, and of a cell's own.

Both are fitted to 8-bit values. Over a board gain and
offset of each channel change as a plane does (a reflection grows towards its lamp);
a cell's light may be of another colour (a shadow is lit by the sky alone) and, within the cell, of another brightness.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels import calls

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

HUBER = 12.0  # grey levels: what prints and cameras differ by where nothing covers the print
USUAL = np.array([0.8, 5.0])  # gain, and offset in grey levels
# Cameras balance their white: a lamp's colour moves a channel's gain by 15 % of the common one (standard deviation).
# Pixels share their errors (gloss, veils), so that one in 2000 is news: with one in 25, dark print alone was taken to
# say that blue was lit twice as strongly as green.
LAMP_SD, LAMP_NEWS = 0.15, 0.0005
VEIL_SD = 10.0  # grey levels: a veil is as bright in one channel as in another, but for the lamp's colour
PULLS = ((HUBER / LAMP_SD) ** 2 / LAMP_NEWS, (HUBER / VEIL_SD) ** 2 / LAMP_NEWS)
LUMA = np.array([0.114, 0.587, 0.299], np.float32)
LEAST_PIXELS = 60
NO_PULLS = (0.0, 0.0)
# A print of one colour says nothing of gain and offset apart: so much is said beforehand, for each pixel.
PRIOR = 0.02 * np.array([200.0, 2e4, 2e4, 1.0, 1.0, 1.0])
ROUNDS = 8
CONVERGED = 3e-4  # of a gain: a twelfth of a grey level, below what a picture's 8 bits say
RULES = np.array([HUBER, ROUNDS, CONVERGED])  # in the order of the compiled twin
_PER_MM = np.array([1.0, 0.01, 0.01])  # of what is constant, and of slopes per dm
# A cell's own light: over a window of this radius, and as much of the board's light as this variance of print weighs.
WINDOW_MM, PRIOR_VARIANCE = 5.0, 150.0
# Half the light is 0.73 of a grey level, a tenth 0.35; a reflection takes as much of what differs.
GAIN_LIMITS = (0.35, 1.6)


@dataclass(frozen=True, eq=False)
class PrintLight:
    """`gain` and `offset` (3, 3): per channel constant, per mm of x, per mm of y."""

    gain: Floats
    offset: Floats

    @property
    def flat(self) -> Floats:
        """(3, 6): per channel gain, then offset."""
        return np.concatenate([self.gain, self.offset], axis=1)

    def on(self, prints: Grey, x_mm: Floats, y_mm: Floats) -> Grey:
        """Print (..., 3) as it looks at places of the board frame, broadcast against (...)."""
        lit = prints * self.gain_at(x_mm, y_mm)
        lit += _plane(self.offset, x_mm, y_mm)
        return np.asarray(lit, np.float32)

    def gain_at(self, x_mm: Floats, y_mm: Floats) -> Grey:
        """The gains (..., 3) at places of the board frame."""
        gain = _plane(self.gain, x_mm, y_mm)
        return np.clip(gain, np.float32(0.05), np.float32(3.0), out=gain)


def _plane(values: Floats, x_mm: Floats, y_mm: Floats) -> Grey:
    """Per channel constant, per mm of x, per mm of y (3, 3) at places: (..., 3)."""
    x, y = (np.asarray(at, np.float32) for at in (x_mm, y_mm))
    out = np.empty((*np.broadcast_shapes(x.shape, y.shape), 3), np.float32)
    for c, (constant, along, down) in enumerate(values.astype(np.float32)):  # three times as fast as all at once
        np.add(x * along + constant, y * down, out=out[..., c])
    return out


PLAIN = PrintLight(np.array([[1.0, 0, 0]] * 3), np.zeros((3, 3)))


def fit_print_light(prints: Grey, seen: Grey, xy_mm: Floats, usual: Floats | None = None) -> PrintLight:
    """The light from N pixels of print (N, 3), as seen (N, 3), at places (N, 2); robust to a third of strangers.

    `usual` (3, 2): gain and offset that each channel likely has, where something tells them beforehand.
    """
    if len(prints) < LEAST_PIXELS:
        return PLAIN
    likely, pulls = (np.tile(USUAL, (3, 1)), NO_PULLS) if usual is None else (usual, PULLS)
    return light_of(_fitted(prints, seen, xy_mm, likely, pulls)[0])


def fit_print_lights(prints: Grey, seen: Grey, xy_mm: Floats) -> tuple[PrintLight, PrintLight]:
    """The same, and as a camera balances its white: with the channels' gains drawn to a common one, as far as the
    print says little of each."""
    if len(prints) < LEAST_PIXELS:
        return PLAIN, PLAIN
    first, informed = _fitted(prints, seen, xy_mm, np.tile(USUAL, (3, 1)), NO_PULLS)
    told = informed + 1.0  # print of one colour tells nothing: then all alike
    common = told @ first[:, [0, 3]] / told.sum()
    return light_of(first), light_of(_fitted(prints, seen, xy_mm, np.tile(common, (3, 1)), PULLS)[0])


def light_of(fits: Floats) -> PrintLight:
    """From gain and offset of each channel, each constant and per dm of x and y (3, 6)."""
    return PrintLight(fits[:, :3] * _PER_MM, fits[:, 3:] * _PER_MM)


def _fitted(
    prints: Grey, seen: Grey, xy_mm: Floats, usual: Floats, pulls: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Gain and offset of each channel, each constant and per dm of x and y (3, 6), and how much the print's spread says
    of each gain (3,).

    `usual` (3, 2): a likely gain and offset; `pulls`: by how much they are held to it at least, as priors' weights.
    """
    x, y = (xy_mm / 100.0).T
    compiled = calls.print_light(prints, seen, (x, y), usual, np.array(pulls), PRIOR, RULES)
    if compiled is not None:
        return compiled
    each = [
        _channel(prints[:, c].astype(np.float64), seen[:, c].astype(np.float64), (x, y), usual[c], pulls)
        for c in range(3)
    ]
    return np.stack([fit for fit, _ in each]), np.array([informed for _, informed in each])


def _channel(
    print_: Floats, seen: Floats, places: tuple[Floats, Floats], usual: Floats, pulls: tuple[float, float]
) -> tuple[Floats, float]:
    """Of one channel (N,): its gain and offset (6,), and how much is said of the gain."""
    t, p, (x, y) = print_, seen, places
    columns = np.column_stack([t, t * x, t * y, np.ones(len(t)), x, y])
    weight = np.ones(len(t))
    fitted = np.zeros(6)
    prior = np.diag(PRIOR) * len(t)
    prior[0, 0], prior[3, 3] = max(pulls[0], prior[0, 0]), max(pulls[1], prior[3, 3])
    start = prior @ np.array([usual[0], 0, 0, usual[1], 0, 0])
    for _ in range(ROUNDS):
        weighted = columns * weight[:, None]
        before, fitted = fitted, np.linalg.solve(weighted.T @ columns + prior, weighted.T @ p + start)
        if np.abs(fitted - before).max() < CONVERGED:
            break
        residual = np.abs(p - columns @ fitted)
        weight = np.minimum(1.0, HUBER / np.maximum(residual, 1e-6)) ** 2
    middle = float(weight @ t) / max(float(weight.sum()), 1e-6)
    return fitted, float(weight @ (t - middle) ** 2)


@dataclass(frozen=True, eq=False)
class OwnLight:
    """Prints as they look in their cells' own light: `lit` (N, h, w, 3), and what that light costs, (N, h, w).

    The cost is a squared error in grey levels: a light unlike the board's is as unlikely as that error.
    """

    lit: Grey
    cost: Grey


def in_own_light(expected: Grey, seen: Grey, mask: NDArray[np.bool_], px_per_mm: float) -> OwnLight:
    """`expected` (N, h, w, 3) in the colour of light that `seen` shows, and in its brightness round each pixel.

    A guided filter (He, Sun and Tang, "Guided image filtering", PAMI 2013) that is drawn to the expected brightness.
    """
    gains, offsets = _cell_colours(expected, seen, mask)
    lit, cost = np.empty(expected.shape, np.float32), np.empty(expected.shape[:3], np.float32)
    window = _Window(mask, 2 * round(WINDOW_MM * px_per_mm) + 1)
    for n in range(len(expected)):  # one by one: a cell's pictures stay in the processor's cache
        coloured = expected[n] * gains[n]
        rows = coloured.reshape(len(coloured), -1)
        rows += np.tile(offsets[n], expected.shape[2])
        gain, least, added = window.lights(_luma(coloured), _luma(seen[n]))
        np.multiply(coloured, cv2.merge([least] * 3), out=lit[n])
        lit[n] += cv2.merge([added] * 3)
        cost[n] = PRIOR_VARIANCE * (gain - 1.0) ** 2 + PULL_GAIN * (gains[n] - 1.0) ** 2 / window.pixels
    return OwnLight(lit, cost)


def _luma(pixels: Grey) -> Grey:
    """The brightness (h, w) of pixels (h, w, 3)."""
    return np.asarray(cv2.transform(np.asarray(pixels, np.float32), LUMA[None]), np.float32)


class _Window:
    """Means over squares of `side` pixels, of what a mask (h, w) holds of them."""

    def __init__(self, mask: NDArray[np.bool_], side: int) -> None:
        self.side = side
        self.held = mask.astype(np.float32)
        self.pixels = np.float32(np.count_nonzero(mask))
        self._share = np.float32(1.0) / np.maximum(self._blurred(self.held), np.float32(1e-6))

    def mean(self, picture: Grey) -> Grey:
        """Of a picture (h, w) that is 0 outside the mask."""
        return np.asarray(self._blurred(picture) * self._share, np.float32)

    def lights(self, t: Grey, p: Grey) -> tuple[Grey, Grey, Grey]:
        """Of a print's brightness (h, w) and that of what is seen: the light's gain, by how much of it the print is
        darkened, and how much brightness is added, each (h, w)."""
        wt, wp = self.held * t, self.held * p
        mt, mp, square, product = (self.mean(each) for each in (wt, wp, wt * t, wt * p))
        variance, covariance = square - mt * mt, product - mt * mp
        free = np.clip((covariance + PRIOR_VARIANCE) / (variance + PRIOR_VARIANCE), *GAIN_LIMITS)
        gain = self.mean(np.asarray(free * self.held, np.float32))
        # Darkness scales colour, a reflection adds white: what brightness the gain leaves over is added.
        ratio = np.clip(mp / np.maximum(mt, 8.0), 0.3, 2.0)
        least = np.asarray(np.minimum(gain, ratio), np.float32)
        return gain, least, np.asarray(mp - least * mt, np.float32)

    def _blurred(self, picture: Grey) -> Grey:
        """Sums over squares, divided by their number of pixels."""
        return np.asarray(cv2.blur(picture, (self.side, self.side), borderType=cv2.BORDER_CONSTANT), np.float32)


# A cell's light is the board's but for a gain of 1 +- 0.25, common to the channels, and an offset of 0 +- 40 in each,
# where one pixel in 25 is news: neighbours share their errors.
CELL_GAIN_SD, CELL_OFFSET_SD, NEWS = 0.25, 40.0, 0.04
PULL_GAIN = (HUBER / CELL_GAIN_SD) ** 2 / NEWS
THINNED = 4  # one pixel in so many is fitted


def _cell_colours(expected: Grey, seen: Grey, mask: NDArray[np.bool_]) -> tuple[Grey, Grey]:
    """The gain (N,) and each channel's offset (N, 3) that bring `expected` nearest to `seen`, robustly fitted."""
    some = np.flatnonzero(mask)[::THINNED]
    t, p = (each.reshape(len(each), -1, 3).take(some, axis=1) for each in (expected, seen))  # (N, P, 3)
    weight = np.ones(t.shape[:2], np.float32)
    gain, offset = np.ones(len(t), np.float32), np.zeros((len(t), 3), np.float32)
    pull_gain, pull_offset = PULL_GAIN / THINNED, (HUBER / CELL_OFFSET_SD) ** 2 / NEWS / THINNED
    for _ in range(2):
        n = weight.sum(axis=1) + np.float32(pull_offset)
        mt = np.einsum("np,npc->nc", weight, t) / n[:, None]  # means drawn to 0, as offsets are
        mp = np.einsum("np,npc->nc", weight, p) / n[:, None]
        cross = np.einsum("np,npc,npc->n", weight, t, p) - n * (mt * mp).sum(axis=1) + np.float32(pull_gain)
        own = np.einsum("np,npc,npc->n", weight, t, t) - n * (mt * mt).sum(axis=1) + np.float32(pull_gain)
        gain = np.clip(cross / own, *GAIN_LIMITS)
        offset = mp - gain[:, None] * mt
        off = p - t * gain[:, None, None] - offset[:, None]
        weight = 1.0 / (1.0 + np.einsum("npc,npc->np", off, off) / np.float32(3 * (4 * HUBER) ** 2))
    return gain, offset
