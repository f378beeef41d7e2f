"""Which of the deck's faces lies at a pose? Every face is compared with the same pixels.

For each face and colour channel the best gain and offset are found in closed form, over the pixels that no other card
covers; gains that would need a light unlike this frame's are held back by a prior, for otherwise colour would say
nothing. What is left is a residual for each face, and from it a log-likelihood.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.fitting import Claims, Scene

Array = NDArray[np.float64]

IDENTITY_PX_PER_MM = 1.5
# Mixed light (lamps and daylight) changes blue against red from place to place, and green hardly against their middle:
# the colours of glowing bodies lie on one line. Standard deviations of natural logarithms.
_BLUE_RED_SD, _GREEN_SD = 0.35, 0.065
# Residuals are correlated over a few pixels; this is the share of grid points that speaks independently.
_INDEPENDENT_SHARE = 0.025
_NOISE = 9.0  # grey levels: sensor noise, print against picture, interpolation
_UNMODELLED = 14.0  # grey levels: tone curves of cameras and print, by which even the right face is off over its area
_MISALIGNED = 0.5  # of a grid step: how far off an aligned face may still be, which matters where the picture is steep
# A channel in which a face varies by less than this (grey levels squared) cannot tell its own gain: dark red on red.
_GAIN_RIDGE = 300.0
_SHORT_LIST = 6  # faces that are compared again, robustly, after a first closed-form round
_STRANGE = 5.0  # standard deviations of the noise: what even the best face misses by more belongs to no face


@dataclass(frozen=True, eq=False)
class Identity:
    """Log-likelihoods (faces,) of the faces at a pose, and how many grid points spoke."""

    log_likelihood: Array
    points: int

    @property
    def best(self) -> int:
        return int(np.argmax(self.log_likelihood))

    def probabilities(self) -> Array:
        """Posterior (faces,) with every face as likely beforehand."""
        shifted = np.exp(self.log_likelihood - self.log_likelihood.max())
        return np.asarray(shifted / shifted.sum())


def compare_faces(
    scene: Scene,
    pose: CardPose,
    white_ratio: Array,
    claims: Claims | None = None,
    taken: Collection[int] = (),
) -> Identity:
    """Compares all faces at `pose` where no other card's claim covers it. `white_ratio` (3,) is the colour of white in
    this frame (blue, green, red), green = 1; `taken` are faces known to lie elsewhere: a deck has each card once."""
    grid = scene.faces.grid(IDENTITY_PX_PER_MM)
    mask = grid.mask.ravel()
    x = grid.x_mm.ravel()[mask].astype(np.float64)
    y = grid.y_mm.ravel()[mask].astype(np.float64)
    pixels = scene.camera.project(pose.points(x, y))
    seen = scene.sample_bgr(pixels)
    weight = np.isfinite(seen[:, 0]).astype(np.float64)
    if claims is not None and claims.any:
        weight *= 1.0 - claims.at(pixels)
    seen = np.where(np.isfinite(seen), seen, 0.0)
    noise = np.hypot(_NOISE, _MISALIGNED * _steepness(seen, mask, grid.mask.shape))
    faces = grid.bgr.reshape(len(grid.bgr), -1, 3)[:, mask]
    result = _log_likelihoods(faces, seen, weight, np.stack([x, y], axis=1) / 45.0, noise, white_ratio, set(taken))
    return Identity(result, int(weight.sum()))


def _log_likelihoods(
    faces: NDArray[np.float32],
    seen: Array,
    weight: Array,
    places: Array,
    noise: Array,
    white_ratio: Array,
    taken: set[int],
) -> Array:
    """Of every face (faces,): all of them in closed form, then the best few robustly, each with its own outliers."""
    result = np.full(len(faces), -1e9)
    allowed = np.array([i not in taken for i in range(len(faces))])
    if weight.sum() < 50:
        return np.where(allowed, 0.0, result)
    thin = slice(None, None, 5)
    variance, gain = _fit_all(faces[:, thin], seen[thin], weight[thin], places[thin], white_ratio)
    n = weight.sum() * _INDEPENDENT_SHARE
    first = -n * np.log(variance + _UNMODELLED**2).mean(axis=1) - 0.5 * _ratio_misfit(gain, white_ratio)
    first[~allowed] = -1e9
    short = np.argsort(-first)[:_SHORT_LIST]
    short = short[allowed[short]]
    # What none of the likely faces explains is something that lies on the card, and says nothing about its name.
    half = slice(None, None, 2)
    seen, weight, places, noise = seen[half], weight[half], places[half], noise[half]
    likely = faces[short][:, half]
    off = np.stack([np.abs(_robust_fit(face, seen, weight, places)).max(axis=1) / noise for face in likely]).min(axis=0)
    kept = weight / (1.0 + (off / _STRANGE) ** 4)
    variance, gain = _fit_all(likely, seen, kept, places, white_ratio)
    n = 2.0 * kept.sum() * _INDEPENDENT_SHARE
    result[short] = -n * np.log(variance + _UNMODELLED**2).mean(axis=1) - 0.5 * _ratio_misfit(gain, white_ratio)
    rest = allowed & (result < -1e8)
    result[rest] = min(r for r in result if r > -1e8) - 10.0  # not in the short list: behind all that are
    return result


def _fit_all(
    faces: NDArray[np.float32], seen: Array, weight: Array, places: Array, white_ratio: Array
) -> tuple[Array, Array]:
    """Residual variance and gain, each (faces, 3), of the weighted regression of `seen` (N, 3) on each face and a plane
    of light over the card. Where a face hardly varies in a channel, its gain there is that of the light (ridge)."""
    w = np.sqrt(weight / weight.sum()).astype(np.float32)
    plane, _ = np.linalg.qr(np.column_stack([np.ones(len(seen)), places]).astype(np.float32) * w[:, None])
    target = seen.astype(np.float32) * w[:, None]
    target -= plane @ (plane.T @ target)
    model = faces * w[:, None]
    model -= np.einsum("nk,fkc->fnc", plane, np.einsum("nk,fnc->fkc", plane, model))
    covariance = np.einsum("fnc,nc->fc", model, target).astype(np.float64)
    energy = np.einsum("fnc,fnc->fc", model, model).astype(np.float64)
    common = (covariance * white_ratio).sum(axis=1) / np.maximum((energy * white_ratio**2).sum(axis=1), 1.0)
    light = np.maximum(common, 0.0)[:, None] * white_ratio
    gain = np.maximum((covariance + _GAIN_RIDGE * light) / (energy + _GAIN_RIDGE), 0.0)
    variance = np.maximum((target**2).sum(axis=0) - gain * (2.0 * covariance - gain * energy), 0.0)
    return np.asarray(variance, dtype=np.float64), np.asarray(gain, dtype=np.float64)


def _robust_fit(face: NDArray[np.float32], seen: Array, weight: Array, places: Array) -> Array:
    """Residual (N, 3) of one face with a plane of light, by reweighting away what it does not explain."""
    residual = np.empty_like(seen)
    light = np.column_stack([np.ones(len(seen)), places])
    agree = weight
    for _ in range(3):
        for channel in range(3):
            basis = np.column_stack([face[:, channel], light])
            weighted = basis * agree[:, None]
            normal = weighted.T @ basis
            normal[np.diag_indices(4)] += 1e-6 * np.diag(normal) + 1e-9
            solution = np.linalg.solve(normal, weighted.T @ seen[:, channel])
            solution[0] = max(solution[0], 0.0)
            residual[:, channel] = seen[:, channel] - basis @ solution
        off = np.sqrt((residual**2).mean(axis=1))
        scale = max(5.0, 1.4826 * float(np.median(off[weight > 0])))
        agree = weight / (1.0 + (off / (2.0 * scale)) ** 4)
    return residual


def _ratio_misfit(gain: Array, white_ratio: Array) -> Array:
    """How unlike this frame's light the gains (faces, 3) are: squared standard deviations (faces,)."""
    ratio = np.log(np.maximum(gain, 1e-3) / white_ratio)
    blue_red = (ratio[:, 0] - ratio[:, 2]) / _BLUE_RED_SD
    green = (ratio[:, 1] - (ratio[:, 0] + ratio[:, 2]) / 2) / _GREEN_SD
    return np.asarray(np.minimum(blue_red**2 + green**2, 200.0))


def _steepness(seen: Array, mask: NDArray[np.bool_], shape: tuple[int, ...]) -> Array:
    """Slope of the picture (N,), grey levels a grid step, at the masked points of a grid of `shape`."""
    picture = np.zeros(mask.shape, np.float32)
    picture[mask] = seen.mean(axis=1)
    picture = picture.reshape(shape)
    slope = np.hypot(cv2.Sobel(picture, cv2.CV_32F, 1, 0) / 8.0, cv2.Sobel(picture, cv2.CV_32F, 0, 1) / 8.0)
    return np.asarray(slope.ravel()[mask], dtype=np.float64)
