"""Says, cell by cell, whether two small grey pictures differ by more than noise, light and shiver can explain.

The small picture is cut into cells of 8 x 8 pixels. In each, the second picture is fitted as gain * first + offset:
what a cloud, a flickering lamp or a soft shadow does to a cell is a gain and an offset, what a hand or a card does is
not. The residual's energy is compared with what would be left by a shiver of a fraction of a pixel and by the sensor's
noise at that brightness, estimated from the frames themselves as a function of the level (the idea of Foi et al.,
"Practical Poissonian-Gaussian noise modeling and fitting for single-image raw-data", IEEE TIP 17(10), 2008).

A sensor's noise is in every pixel: the energies of two cells at rest are much alike. A video compressor repeats a
block until it differs by enough, and then corrects it by a few coarse coefficients of its cosine transform: most cells
do not differ at all, and some by far more than the mean. How far energies scatter round their median is estimated, too,
and says how far a cell at rest may lie above it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.calls import cells_of
from arena_cam.vision.picture.robust import median, quantiles

Cells = NDArray[np.float32]
CellMask = NDArray[np.bool_]

CELL_PX = 8
# Gains between two looks at the same cell that light explains; a card's print that appears or goes is outside.
LOWEST_GAIN, HIGHEST_GAIN = 0.6, 1.6
# Motion by less than this many pixels of the small picture (about 0.1 mm on the table) from one frame to the next is
# the camera's shiver, or a renderer's or compressor's flicker along edges.
SHIVER_PX = 0.06
# Residual over expected energy. JPEG leaves about 10 independent pixels in a cell of 64: chi-squared with 10 degrees of
# freedom exceeds 6.25 times its mean with a probability of 1e-9, once in a day and a half for 500 cells at 15 frames/s.
SIGNIFICANT = 6.25
# A sum of fewer squares scatters more. Of a chi-squared with 10, 6, 4, 3, 2, 1.5, 1, 0.7 and 0.5 degrees of freedom:
# nine tenths' quantile over median, and how much farther above the median the quantile of 1 - 1e-9 is than with 10.
SCATTER = (1.71, 1.99, 2.32, 2.64, 3.32, 4.08, 5.95, 9.41, 17.18)
FARTHER = (1.0, 1.48, 2.12, 2.81, 4.44, 6.46, 12.18, 24.72, 58.65)
# Where the median is less than this part of what is expected (a picture repeated), it is no measure of anything.
LEAST_SHARE = 0.25
# Cells that this quantile needs: of fewer not even two are beyond it.
SCATTER_CELLS = 24
# By so much more than in any of the last pictures the energy of all cells does not grow from one to the next: a camera
# turns its gain up by some decibels, 9 at most. It is a picture of something else: everything moved, and nothing is
# learned of noise. Eight recordings reached 6.6, compressed ones 7.4; mirrored, blurred or under grain they reached
# 9.7 to 102, but for two of a dark table with 2.4 and 2.9, of which little is learned.
MOST_LIFT = 8.0
NOISE_BINS = 8
NOISE_RATE = 0.2
# Never trust an estimate below the rounding noise of two 8-bit pictures, averaged four times (2 / 12 / 16).
LEAST_NOISE = 0.01
# Cells that a bin needs for its median to mean something.
BIN_CELLS = 6


@dataclass(frozen=True, slots=True)
class CellPicture:
    """A small grey picture and the statistics of its cells; `pixels` is float32, cropped to whole cells.

    `steepness` is the mean over the cell of the squared differences of each pixel to its four neighbours, those across
    the cell's border included.
    """

    pixels: NDArray[np.float32]
    mean: Cells
    variance: Cells
    steepness: Cells


def cell_picture(luma: NDArray[np.uint8]) -> CellPicture:
    """`luma` (h, w) uint8 with its cells' statistics, each (h // 8, w // 8)."""
    rows, columns = luma.shape[0] // CELL_PX, luma.shape[1] // CELL_PX
    pixels = luma[: rows * CELL_PX, : columns * CELL_PX].astype(np.float32)
    return from_pixels(pixels)


def from_pixels(pixels: NDArray[np.float32]) -> CellPicture:
    """The same of float pixels that are whole cells already."""
    found = cells_of(pixels)
    if found is None:
        found = np.stack([cell_means(each) for each in (pixels, pixels * pixels, _squared_steps(pixels))])
    mean, of_squares, steepness = found
    return CellPicture(pixels, mean, np.maximum(of_squares - mean * mean, 0), steepness)


def _squared_steps(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    steps = np.zeros_like(pixels)
    across, down = pixels[:, 1:] - pixels[:, :-1], pixels[1:] - pixels[:-1]
    across *= across
    down *= down
    steps[:, 1:] += across
    steps[:, :-1] += across
    steps[1:] += down
    steps[:-1] += down
    return steps


def cell_means(pixels: NDArray[np.float32]) -> Cells:
    rows, columns = pixels.shape[0] // CELL_PX, pixels.shape[1] // CELL_PX
    return np.asarray(cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)


def residual_energy(first: CellPicture, second: CellPicture) -> Cells:
    """Mean squared difference per cell that no allowed gain and offset explains, scaled to two equal noises."""
    covariance = cell_means(first.pixels * second.pixels) - first.mean * second.mean
    gain = np.clip(covariance / np.maximum(first.variance, 1e-3), LOWEST_GAIN, HIGHEST_GAIN)
    residual = second.variance - 2 * gain * covariance + gain * gain * first.variance
    return np.asarray(np.maximum(residual, 0) * (2 / (1 + gain * gain)), np.float32)


class NoiseModel:
    """Expected residual energy between two pictures of a scene at rest, by level, learned while watching."""

    def __init__(self) -> None:
        self._by_level = np.full(NOISE_BINS, np.nan, np.float32)
        self._at_most = LEAST_NOISE  # what cells at rest differ by where none is smooth: shiver is in it
        self._scatter = SCATTER[0]
        self._scatters_seen = 0

    def significance(self, first: CellPicture, second: CellPicture) -> Cells:
        """Residual over expected energy; about 1 where nothing changed. Most cells are taken to be at rest."""
        return self.compared(first, second)[0]

    def compared(self, first: CellPicture, second: CellPicture) -> tuple[Cells, float]:
        """The significance, and how many times the expected energy most of the picture differs by, at least 1."""
        residual = residual_energy(first, second)
        shiver = _shiver_energy(first, second)
        level = _level_bin(second.mean)
        if np.isnan(self._by_level).all():
            self._learn(residual, shiver, level, np.ones_like(level, bool))
        expected = self._expected()[level]
        # What lifts the noise of the whole picture at once (gain turned up, a compressor's new frame) is no motion.
        lift = max(1.0, median(residual / (expected + shiver)))
        farther = float(np.interp(self._scatter, SCATTER, FARTHER))
        return np.asarray(residual / (farther * lift * expected + shiver), np.float32), lift

    def learn(self, first: CellPicture, second: CellPicture, at_rest: CellMask) -> None:
        """Takes in two pictures of which the cells `at_rest` show the same."""
        shiver = _shiver_energy(first, second)
        self._learn(residual_energy(first, second), shiver, _level_bin(second.mean), at_rest)

    def _learn(self, energy: Cells, shiver: Cells, level: NDArray[np.intp], at_rest: CellMask) -> None:
        # Only smooth cells tell noise from shiver.
        smooth = at_rest & (shiver <= median(energy) / 2)
        if at_rest.any() and not smooth.any():
            self._at_most = max(LEAST_NOISE, median(energy[at_rest]))
        for each in range(NOISE_BINS):
            of_bin = energy[(level == each) & smooth]
            if of_bin.size >= BIN_CELLS:
                found = max(LEAST_NOISE, median(of_bin))
                old = self._by_level[each]
                self._by_level[each] = found if np.isnan(old) else old + NOISE_RATE * (found - old)
        # Round what moves there is more of it, fainter: no noise.
        self._learn_scatter((energy / self._expected()[level])[smooth & ~grown(~at_rest)])

    def _learn_scatter(self, shares: NDArray[np.float32]) -> None:
        """`shares` are energies of cells at rest in parts of what is expected at their levels."""
        if shares.size < SCATTER_CELLS:
            return
        middle, high = quantiles(shares, (0.5, 0.9))
        found = min(high / max(middle, LEAST_SHARE), SCATTER[-1])
        self._scatters_seen += 1
        self._scatter += max(NOISE_RATE, 1 / self._scatters_seen) * (found - self._scatter)

    def _expected(self) -> NDArray[np.float32]:
        if np.isnan(self._by_level).all():
            # On cork or coarse linen all cells are steep. A plain card that comes to lie there is as noisy as they.
            return np.full(NOISE_BINS, self._at_most, np.float32)
        # A level never seen at rest may be noisier than those known: doubled until it has been seen.
        unknown = np.isnan(self._by_level)
        return np.where(unknown, 2 * np.nanmax(self._by_level), self._by_level).astype(np.float32)


def _shiver_energy(first: CellPicture, second: CellPicture) -> Cells:
    return np.asarray(SHIVER_PX**2 / 2 * (first.steepness + second.steepness), np.float32)


def _level_bin(mean: Cells) -> NDArray[np.intp]:
    return np.asarray(np.clip(mean * (NOISE_BINS / 256), 0, NOISE_BINS - 1), np.intp)


class Stillness:
    """How long each cell of the picture has been still, in frames.

    `still_for` counts frames without motion in a cell or its eight neighbours, those that were passed over included;
    `moving` is the latest motion itself.
    """

    # The noise drifts over minutes; looking at every fifth quiet picture is plenty.
    LEARN_EVERY = 5

    def __init__(self, noise: NoiseModel) -> None:
        self._noise = noise
        self._last: CellPicture | None = None
        self._compared: tuple[CellPicture, CellPicture, tuple[Cells, float]] | None = None
        self._lifts: deque[float] = deque(maxlen=self.LEARN_EVERY)
        self._count = 0
        self.moving: CellMask = np.zeros((0, 0), bool)
        self.still_for: NDArray[np.int32] = np.zeros((0, 0), np.int32)

    def moves(self, picture: CellPicture) -> bool:
        """Whether something moved between the last picture and this one, which is not taken. Another size moves."""
        last = self._last
        if last is None or last.pixels.shape != picture.pixels.shape:
            return True
        return bool((self._significance(last, picture)[0] > SIGNIFICANT).any())

    def _significance(self, last: CellPicture, picture: CellPicture) -> tuple[Cells, float]:
        """How much each cell of `picture` differs from `last`, and most of them do; of two pictures it is worked out
        once."""
        if self._compared is None or self._compared[0] is not last or self._compared[1] is not picture:
            significance, lift = self._noise.compared(last, picture)
            if self._lifts and lift > MOST_LIFT * max(self._lifts):
                significance = np.full_like(significance, np.inf)
            self._compared = last, picture, (significance, lift)
        return self._compared[2]

    def update(self, picture: CellPicture, frames: int = 1) -> None:
        """Takes the next picture, `frames` frames after the last. One of another size, or the first, starts anew."""
        last, self._last = self._last, picture
        if last is None or last.pixels.shape != picture.pixels.shape:
            self.moving = np.zeros(picture.mean.shape, bool)
            self.still_for = np.zeros(picture.mean.shape, np.int32)
            return
        significance, lift = self._significance(last, picture)
        self._lifts.append(lift)
        self._compared = None
        self.moving = significance > SIGNIFICANT
        self.still_for += frames
        if self.moving.any():
            self.still_for[grown(self.moving)] = 0
        self._count += 1
        if self._count % self.LEARN_EVERY == 0:
            # Four times the limit still counts as rest here, or noise that grew could never be learned.
            self._noise.learn(last, picture, significance < 4 * SIGNIFICANT)

    @property
    def quiet_for(self) -> int:
        """Frames since the last motion anywhere."""
        return int(self.still_for.min()) if self.still_for.size else 0


def grown(mask: CellMask) -> CellMask:
    """`mask` and the eight neighbours of each of its cells."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)), bool)
