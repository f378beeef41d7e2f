"""Faces rendered as a camera would see them, and compared with what it sees, pixel by pixel.

`telling` compares faces with the picture on a grid over the card, both sampled and softened: what a lens makes of
print is doubt there. Of a figure of 5 mm, ten pixels high, that doubt is as much as tells a 4 from an 8. Here a face is
laid into the picture, finer than its pixels, blurred by the lens's point-spread function, and seen in the light of what
is printed alike round about. Where exactly it lies, how soft the lens is, gain and haze are those that suit it best,
and the gain slopes, as the shadow of a raised card does
(Gauss-Newton; a Gaussian's variance is a parameter like the others, as d/d(sigma^2) of a blurred picture is half its
Laplacian: the heat equation). What is left is sensor noise, and tells.

Of 129 names that the grid left open, on 108 path-traced pictures of 36 decks, 83 led by 8 nats so, all of them rightly;
by the grid 29 did, two of them wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.telling import AGAINST_PAPER, levels_of_light
from arena_cam.vision.kernels.telling_calls import rendered_left

OVERSAMPLED = 3  # points a pixel, along and across: a sharp edge is laid to a tenth of a pixel by them
MARGIN_PX = 3  # drawn beyond a patch: as far as a face is displaced, and its blur reaches
_FARTHEST_PX, _STEP_PX = 1.5, 0.5  # beside the place that suited it on the grid; in one step
# The point-spread function's variance (pixels^2): of a pixel alone, of a usual lens, of one out of focus.
_SHARPEST, _USUAL, _SOFTEST = 1 / 12, 0.5, 3.6
_STEPS = 3  # of Gauss-Newton: by one more a rendering changes by 0.2 grey levels (RMS, the median of 193)
# Of the gain that paper has here. Under haze a figure keeps a part of its contrast; cameras and print that make much of
# contrast give it more.
_LEAST_GAIN, _MOST_GAIN = 0.25, 2.5
_NOISE, _TONE = 2.0, 0.1  # grey levels of sensor and compression; of the contrast seen, as ink and paper are rendered
_INDEPENDENT = 1 / 8  # of the pixels: neighbours share what demosaicing, compression and a wrong tone make of them
# How often a part in view is hidden by something nobody has found, so that it shows no print of the face that is there.
_HIDDEN = 0.01
# Light as bright as a picture gets, JPEG's ringing left out: a level of 252, see `channels.tells_something`. And
# how often it is asked which pixels are explained so.
_FULL, _ROUNDS = 249.0, 4
# How much the gain varies from the middle of a patch to its rim, as a share of paper's (standard deviation). While it
# was even, the shadow beneath a raised card's edge, across half a shape of five, was a shape missing of six, surely.
_SLOPE_SD = 0.3
_FEWEST_PX = 12  # of a patch: fewer tell no place
_UNLIKE, _AS_IT_SHOULD = 0.6, 0.9  # share of the contrast explained: see `Rendered`
_LITTLE = 1e-6
_SLOPE_HELD = _NOISE**2 / _INDEPENDENT / _SLOPE_SD**2  # for each squared share of paper's gain
_REACH_SD = 5.0  # standard deviations: what lies farther off makes up a millionth of a pixel
_ALONG_EDGE = 1e-4  # along an edge nothing tells the place
_RULES = np.array([_STEPS, _ROUNDS, OVERSAMPLED, MARGIN_PX, _USUAL, _SHARPEST, _SOFTEST, _FARTHEST_PX, _STEP_PX])
# As the compiled twin has them.
_RULES = np.append(_RULES, (_REACH_SD, _LITTLE, _ALONG_EDGE, _SLOPE_HELD, _LEAST_GAIN, _MOST_GAIN))


@dataclass(frozen=True, eq=False)
class Patch:
    """A part of a picture where faces differ: the light `seen` (H, W), 255 is full, and where that is `in_view` (H, W)
    of the card. `drawn` (K, H', W') is the light of each face, `OVERSAMPLED` times as fine, `MARGIN_PX` on each side
    more: the middle of pixel (row, column) is its point `OVERSAMPLED` (row + `MARGIN_PX`), likewise the column."""

    seen: Array
    in_view: NDArray[np.bool_]
    drawn: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Rendered:
    """How well faces explain some patches: `nats` (K,), how far each is behind the best, and the `share` of the
    contrast seen, noise left out, that the best explains.

    Faces none of which lies there differ in how wrong they are, by many nats. Of 108 cards within a millimetre of their
    place, on 108 path-traced pictures, 105 right faces that led explained 0.9 and more; of 67 others, laid aside or of
    no face that was asked about, 40 explained less, 27 of them less than 0.6. Leads therefore count in part where it is
    less than 0.9, and not at all below 0.6.
    """

    nats: Array
    share: float


def rendered(patches: Sequence[Patch], white: float) -> Rendered | None:
    """How well each of the faces drawn on some patches explains what is seen there. `white` is the share of full light
    that white paper sends. None if too little is in view, or no face of any print shows."""
    nats, left, shown = np.zeros(0), np.zeros(0), 0.0
    for patch in patches:
        if np.count_nonzero(patch.in_view) < _FEWEST_PX:
            continue
        seen = _Seen.of(patch, white)
        squares = seen.left_by(patch.drawn)
        of_faces, of_nothing = seen.nats(squares), float(seen.nats(seen.contrast2))
        if of_faces.max() < of_nothing - _LITTLE:
            continue  # whatever hides the print here hides that of any face
        told = np.logaddexp(np.log(1.0 - _HIDDEN) + of_faces, np.log(_HIDDEN) + of_nothing)
        noise2 = seen.pixels * _NOISE**2
        unexplained = np.maximum(np.minimum(squares, seen.contrast2) - noise2, 0.0)
        nats, left = (told, unexplained) if not len(nats) else (nats + told, left + unexplained)
        shown += seen.contrast2
    if not len(nats):
        return None
    share = 1.0 - float(left[np.argmax(nats)]) / max(shown, _LITTLE)
    counts = float(np.clip((share - _UNLIKE) / (_AS_IT_SHOULD - _UNLIKE), 0.0, 1.0))
    return Rendered((nats - nats.max()) * counts, share)


@dataclass(frozen=True, eq=False)
class _Seen:
    """What is seen of one patch (N pixels in view): `levels` (N,) of light, each times its weight, `by_light` (N,),
    which makes of a difference in light one in grey levels, whether it is `full` (N,), and how far `across` the patch
    it lies (2, N), from -1 to 1, rightwards and downwards; the `contrast2`, summed squares of what a constant leaves,
    and the gain that is `usual` of paper here."""

    in_view: NDArray[np.bool_]
    levels: Array
    by_light: Array
    full: NDArray[np.bool_]
    across: Array
    contrast2: float
    usual: float

    @property
    def gains(self) -> tuple[float, float]:
        """The least gain of print, and the greatest."""
        return _LEAST_GAIN * self.usual, _MOST_GAIN * self.usual

    @staticmethod
    def of(patch: Patch, white: float) -> _Seen:
        in_view = patch.in_view
        about = np.asarray(cv2.GaussianBlur(patch.seen.astype(np.float32), (0, 0), 1.0)[in_view], np.float32)
        by_light = np.asarray(levels_of_light(about), np.float64)
        levels = patch.seen[in_view] * by_light
        drawn = patch.drawn[:, *map(_middles, in_view.shape)].mean()
        usual = min(AGAINST_PAPER * white, float(patch.seen[in_view].mean()) / max(float(drawn), 1.0))
        even = float(levels @ by_light) / float(by_light @ by_light)
        off = levels - even * by_light
        full = patch.seen[in_view] >= _FULL
        y, x = np.meshgrid(*(np.linspace(-1.0, 1.0, size) for size in in_view.shape), indexing="ij")
        return _Seen(in_view, levels, by_light, full, np.stack([x[in_view], y[in_view]]), float(off @ off), usual)

    @property
    def pixels(self) -> int:
        return len(self.levels)

    def nats(self, squares: Array | float) -> Array:
        """The log-likelihood of residuals by their summed squares: their variance is what it is, but not below that of
        noise and of how well any ink's tone is known."""
        least = _NOISE**2 + _TONE**2 * self.contrast2 / self.pixels
        return np.asarray(-0.5 * _INDEPENDENT * self.pixels * np.log(np.asarray(squares) / self.pixels + least))

    def left_by(self, faces: NDArray[np.float32]) -> Array:
        """The summed squares of grey levels (K,) that each of some faces (K, H', W'), drawn finely, leaves where it
        suits best."""
        pixels = self.levels, self.by_light, self.full, self.across
        compiled = rendered_left(faces, self.in_view, pixels, self.usual, _RULES)
        return np.array([self._left_in_numpy(face) for face in faces]) if compiled is None else compiled

    def _left_in_numpy(self, face: NDArray[np.float32]) -> float:
        offset, variance, best = np.zeros(2), _USUAL, np.inf
        for step in range(_STEPS + 1):
            basis = self._basis(face, offset, variance)
            gain, told, squares = self._fitted_to_full(basis[:4])
            best = min(best, squares)
            if step == _STEPS:
                break
            moves = self._moves(basis, gain, told)
            offset = (offset + moves[:2].clip(-_STEP_PX, _STEP_PX)).clip(-_FARTHEST_PX, _FARTHEST_PX)
            variance = float(np.clip(variance + 2.0 * moves[2], _SHARPEST, _SOFTEST))
        return best

    def _basis(self, face: NDArray[np.float32], offset: Array, variance: float) -> Array:
        """What is drawn at the pixels in view (7, N): a constant; the face, displaced by `offset` (right, down; pixels)
        and blurred by a Gaussian of some `variance`; the face in a light that grows rightwards, and downwards; what a
        step of it to the right, one downwards, and more blur make of it. A Gaussian and its derivatives are products of
        one down and one across."""
        (height, width), (rows, columns) = self.in_view.shape, face.shape
        down, down_slope, down_twice = _gaussian(height, rows, float(offset[1]), variance)
        across, slope, twice = (part.T for part in _gaussian(width, columns, float(offset[0]), variance))
        summed = down @ face
        steps = summed @ slope, down_slope @ face @ across, summed @ twice + down_twice @ face @ across
        here, *moved = (part[self.in_view] for part in (summed @ across, *steps))
        return np.stack([np.ones(self.pixels), here, *(here * self.across), *moved]) * self.by_light

    def _fitted_to_full(self, basis: Array) -> tuple[float, NDArray[np.bool_], float]:
        """The gain that suits a face best, `basis` (4, N) being as `_basis` makes it; which pixels (N,) tell it; and
        the summed squares of all. What is as bright as a picture gets may have been any brighter: where a face sends as
        much light and more it leaves nothing there (a regression with censored values, J. Tobin, "Estimation of
        relationships for limited dependent variables", Econometrica 26, 1958)."""
        told = np.ones(self.pixels, bool)
        for _ in range(_ROUNDS):
            gain, off = self._fitted(basis, told)
            explained = self.full & (off < 0.0)
            left = np.where(explained, 0.0, off)
            if (told == ~explained).all():
                break
            told = ~explained
        return gain, told, float(left @ left)

    def _fitted(self, basis: Array, told: NDArray[np.bool_]) -> tuple[float, Array]:
        """The gain that suits a face best at the pixels that are `told` (N,), and what it leaves (N,) with the haze and
        the slopes of the gain that go with it."""
        some = basis[:, told]
        normal, right = some @ some.T, some @ self.levels[told]
        normal += np.diag([_LITTLE, _LITTLE, *[_SLOPE_HELD / self.usual**2] * 2])
        light = np.linalg.solve(normal, right)
        gain = float(np.clip(light[1], *self.gains))
        if gain != light[1]:
            others = [0, 2, 3]
            left = right[others] - normal[others, 1] * gain
            light[1], light[others] = gain, np.linalg.solve(normal[np.ix_(others, others)], left)
        return gain, self.levels - light @ basis

    def _moves(self, basis: Array, gain: float, told: NDArray[np.bool_]) -> Array:
        """By how much a face is to be displaced (right, down; pixels), and half of what its blur's variance is to grow
        by, to suit what is seen best at the pixels that are `told` (N,): `basis` (7, N), as `_basis` makes it."""
        basis = basis[:, told]
        normal = basis @ basis.T
        normal.flat[:: len(normal) + 1] *= 1.0 + _ALONG_EDGE
        normal.flat[:: len(normal) + 1] += _LITTLE
        right, down, blur = np.linalg.solve(normal, basis @ self.levels[told])[4:] / gain
        return np.array([-right, -down, blur])


def _gaussian(pixels: int, points: int, offset: float, variance: float) -> tuple[Array, Array, Array]:
    """How much each of the `points` (M) of a row of a face, displaced by `offset` and blurred by a Gaussian of some
    `variance`, makes up each of some `pixels` (P); and the first and the second derivative of that by the place, each
    (P, M). Lengths are pixels."""
    middles = np.arange(pixels) - offset
    off = np.arange(points) / OVERSAMPLED - MARGIN_PX - middles[:, None]
    weight = np.where(np.abs(off) > _REACH_SD * np.sqrt(variance), 0.0, np.exp(-0.5 * off**2 / variance))
    weight /= weight.sum(axis=1, keepdims=True)
    steep = off / variance
    return weight, weight * steep, weight * (steep**2 - 1.0 / variance)


def _middles(size: int) -> slice:
    """The points of a fine drawing that lie in the middle of the pixels of a patch of some `size`."""
    return slice(OVERSAMPLED * MARGIN_PX, OVERSAMPLED * (MARGIN_PX + size), OVERSAMPLED)
