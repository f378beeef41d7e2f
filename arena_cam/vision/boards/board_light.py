"""How print looks in a photograph: a gain and an offset for each colour over the board, and of a cell's own.

Both are fitted to 8-bit values. Over a board the gain of each channel changes as a plane does and the offset is one;
a cell's light may be of another colour (a shadow is lit by the sky alone) and, within the cell, of another brightness.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

HUBER = 12.0  # grey levels: what prints and cameras differ by where nothing covers the print
LUMA = np.array([0.114, 0.587, 0.299], np.float32)
# A cell's own light: over a window of this radius, and as much of the board's light as this variance of print weighs.
WINDOW_MM, PRIOR_VARIANCE = 5.0, 150.0
GAIN_LIMITS = (0.2, 1.6)


@dataclass(frozen=True, eq=False)
class BoardLight:
    """`gain` (3, 3): per channel constant, per mm of x, per mm of y; `offset` (3,)."""

    gain: Floats
    offset: Floats

    def on(self, prints: Grey, x_mm: Floats, y_mm: Floats) -> Grey:
        """Print (..., 3) as it looks at places of the board frame, broadcast against (...)."""
        gain = self.gain[:, 0] + x_mm[..., None] * self.gain[:, 1] + y_mm[..., None] * self.gain[:, 2]
        return np.asarray(prints * np.clip(gain, 0.05, 3.0) + self.offset, np.float32)


PLAIN = BoardLight(np.array([[1.0, 0, 0]] * 3), np.zeros(3))


def fit_board_light(prints: Grey, seen: Grey, xy_mm: Floats) -> BoardLight:
    """The light from N pixels of print (N, 3), as seen (N, 3), at places (N, 2); robust to a third of strangers."""
    if len(prints) < 60:
        return PLAIN
    gain, offset = np.zeros((3, 3)), np.zeros(3)
    for c in range(3):
        t, p = prints[:, c].astype(np.float64), seen[:, c].astype(np.float64)
        columns = np.column_stack([t, t * xy_mm[:, 0] / 100.0, t * xy_mm[:, 1] / 100.0, np.ones(len(t))])
        weight = np.ones(len(t))
        fitted = np.zeros(4)
        # A print of one colour says nothing of gain and offset apart: a little is said beforehand.
        prior = np.diag([200.0, 2e4, 2e4, 1.0]) * len(t) * 0.02
        start = prior @ np.array([0.8, 0, 0, 5.0])
        for _ in range(8):
            weighted = columns * weight[:, None]
            fitted = np.linalg.solve(weighted.T @ columns + prior, weighted.T @ p + start)
            residual = np.abs(p - columns @ fitted)
            weight = np.minimum(1.0, HUBER / np.maximum(residual, 1e-6)) ** 2
        gain[c] = fitted[0], fitted[1] / 100.0, fitted[2] / 100.0
        offset[c] = fitted[3]
    return BoardLight(gain, offset)


def in_own_light(expected: Grey, seen: Grey, mask: NDArray[np.bool_], px_per_mm: float) -> Grey:
    """`expected` (h, w, 3) in the colour of light that `seen` (h, w, 3) shows, and in its brightness round each pixel.

    A guided filter (He, Sun and Tang, "Guided image filtering", PAMI 2013) that is drawn to the expected brightness.
    """
    expected = _in_cell_colour(expected, seen, mask)
    t, p = expected @ LUMA, seen @ LUMA
    side = 2 * round(WINDOW_MM * px_per_mm) + 1
    w = mask.astype(np.float32)
    sums = cv2.blur(np.dstack([w, w * t, w * p, w * t * t][:4]), (side, side), borderType=cv2.BORDER_CONSTANT)
    tp = cv2.blur(w * t * p, (side, side), borderType=cv2.BORDER_CONSTANT)
    count = np.maximum(sums[:, :, 0], np.float32(1e-6))
    mt, mp = sums[:, :, 1] / count, sums[:, :, 2] / count
    variance, covariance = sums[:, :, 3] / count - mt * mt, tp / count - mt * mp
    gain = np.clip((covariance + PRIOR_VARIANCE) / (variance + PRIOR_VARIANCE), *GAIN_LIMITS)
    gain = cv2.blur(gain * w, (side, side), borderType=cv2.BORDER_CONSTANT) / count
    # Darkness scales colour, a reflection adds white: what brightness the gain leaves over is added.
    ratio = np.clip(mp / np.maximum(mt, 8.0), 0.3, 2.0)
    shaded = np.minimum(gain, ratio)[:, :, None] * expected
    return np.asarray(shaded + (mp - np.minimum(gain, ratio) * mt)[:, :, None], np.float32)


# A cell's light is the board's but for a gain of 1 +- 0.25, common to the channels, and an offset of 0 +- 40 in each,
# where one pixel in 25 is news: neighbours share their errors.
CELL_GAIN_SD, CELL_OFFSET_SD, NEWS = 0.25, 40.0, 0.04
THINNED = 4  # one pixel in so many is fitted


def _in_cell_colour(expected: Grey, seen: Grey, mask: NDArray[np.bool_]) -> Grey:
    """`expected` with one gain, and one offset a channel, robustly fitted."""
    t, p = expected[mask][::THINNED], seen[mask][::THINNED]
    weight = np.ones(len(t), np.float32)
    gain, offset = 1.0, np.zeros(3)
    pull_gain, pull_offset = (
        (HUBER / CELL_GAIN_SD) ** 2 / NEWS / THINNED,
        (HUBER / CELL_OFFSET_SD) ** 2 / NEWS / THINNED,
    )
    for _ in range(2):
        n = weight.sum() + pull_offset
        mt, mp = weight @ t / n, weight @ p / n  # means drawn to 0, as offsets are
        cross = float((weight @ (t * p)).sum() - (n * mt * mp).sum()) + pull_gain
        own = float((weight @ (t * t)).sum() - (n * mt * mt).sum()) + pull_gain
        gain = min(max(cross / own, GAIN_LIMITS[0]), GAIN_LIMITS[1])
        offset = mp - gain * mt
        off = p - t * np.float32(gain) - offset.astype(np.float32)
        weight = 1.0 / (1.0 + np.einsum("ij,ij->i", off, off) / np.float32(3 * (4 * HUBER) ** 2))
    return np.asarray(expected * np.float32(gain) + offset.astype(np.float32), np.float32)
