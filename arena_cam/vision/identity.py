"""Which of the deck's faces lies at a pose? Every face is compared with the same pixels.

For each face and colour channel the best gain and offset are found in closed form, over the pixels that no other card
covers; gains that would need a light unlike this frame's are held back by a prior, for otherwise colour would say
nothing. What is left is a residual for each face, and from it a log-likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.fitting import Claims, Scene

Array = NDArray[np.float64]

IDENTITY_PX_PER_MM = 1.5
# Mixed light changes the ratio of the channels from place to place by about this much (natural logarithm).
_RATIO_SD = 0.18
# Residuals are correlated over a few pixels; this is the share of grid points that speaks independently.
_INDEPENDENT_SHARE = 0.08
_NOISE_FLOOR = 5.0**2  # grey levels squared: sensor noise, print against picture, interpolation


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
    scene: Scene, pose: CardPose, white_ratio: Array, claims: Claims | None = None
) -> Identity:
    """Compares all faces at `pose` where no other card's claim covers it. `white_ratio` (3,) is the colour of white in
    this frame (blue, green, red), green = 1."""
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
    faces = grid.bgr.reshape(len(grid.bgr), -1, 3)[:, mask]
    return Identity(_log_likelihoods(faces, seen, weight, white_ratio), int(weight.sum()))


def _log_likelihoods(faces: NDArray[np.float32], seen: Array, weight: Array, white_ratio: Array) -> Array:
    """Of every face, after two rounds in which pixels that even the best face does not explain lose their say."""
    result = np.full(len(faces), -1e9)
    if weight.sum() < 50:
        return np.zeros(len(faces))
    for _ in range(3):
        variance, gain, offset = _fit_all(faces, seen, weight)
        n = weight.sum() * _INDEPENDENT_SHARE
        result = -0.5 * n * np.log(variance + _NOISE_FLOOR).sum(axis=1) / 3.0 * 2.0
        result -= 0.5 * _ratio_misfit(gain, white_ratio)
        best = int(np.argmax(result))
        off = np.sqrt(((seen - faces[best] * gain[best] - offset[best]) ** 2).mean(axis=1))
        scale = max(4.0, 1.4826 * float(np.median(off[weight > 0])))
        weight = np.where(weight > 0, 1.0 / (1.0 + (off / (3.0 * scale)) ** 2), 0.0)
    return np.asarray(result)


def _fit_all(faces: NDArray[np.float32], seen: Array, weight: Array) -> tuple[Array, Array, Array]:
    """Residual variance, gain and offset, each (faces, 3), of the weighted regression of `seen` (N, 3) on each face."""
    w = (weight / weight.sum()).astype(np.float32)
    seen32 = seen.astype(np.float32)
    seen_mean = w @ seen32
    centred = seen32 - seen_mean
    face_mean = np.einsum("n,fnc->fc", w, faces)
    covariance = np.einsum("fnc,nc->fc", faces, w[:, None] * centred)
    face_variance = np.einsum("fnc,fnc,n->fc", faces, faces, w) - face_mean**2
    seen_variance = (w[:, None] * centred**2).sum(axis=0)
    gain = np.maximum(covariance, 0.0) / np.maximum(face_variance, 1.0)
    variance = np.maximum(seen_variance - gain * (2.0 * covariance - gain * face_variance), 0.0)
    return variance.astype(np.float64), gain.astype(np.float64), (seen_mean - gain * face_mean).astype(np.float64)


def _ratio_misfit(gain: Array, white_ratio: Array) -> Array:
    """How unlike this frame's light the gains are: squared standard deviations (faces,)."""
    ratio = np.log(np.maximum(gain, 1e-3) / white_ratio)
    return np.asarray((((ratio - ratio.mean(axis=1, keepdims=True)) / _RATIO_SD) ** 2).sum(axis=1))
