"""Photometric alignment of a card's face with the picture, directly in the parameters of its pose.

Minimises the difference between the picture, sampled where the posed card projects, and the deck's own picture of the
face under a gain and an offset that vary linearly over the card (light does), by iteratively reweighted Gauss-Newton.
The gradient of the known face stands in for the picture's, as in inverse compositional alignment (S. Baker and
I. Matthews, "Lucas-Kanade 20 years on", IJCV 56, 2004), so an iteration costs one sampling of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose

Array = NDArray[np.float64]
Grey = NDArray[np.float32]

FLAT_MOTION = np.eye(6)[:, [0, 1, 5]]  # x, y and rotation in the plane
FREE_MOTION = np.eye(6)
_PHOTOMETRIC = 6  # gain, its slopes in x and y; offset, its slopes
# Tukey's biweight keeps 95 % of least squares' efficiency on Gaussian noise with this many robust standard deviations.
_TUKEY = 4.685


@dataclass(frozen=True, eq=False)
class FacePoints:
    """Points of one face chosen for alignment: places (mm, card frame), grey values, gradients (grey levels per mm)."""

    x_mm: Array
    y_mm: Array
    value: Array
    slope_x: Array
    slope_y: Array


@dataclass(frozen=True, eq=False)
class Pyramid:
    """A grey picture and its halvings, float32; level k has pixel (x, y) of the frame at (x, y) / 2**k."""

    levels: tuple[Grey, ...]

    @staticmethod
    def of(grey: NDArray[np.uint8], levels: int) -> Pyramid:
        out = [grey.astype(np.float32)]
        for _ in range(levels - 1):
            out.append(cv2.pyrDown(out[-1]).astype(np.float32))
        return Pyramid(tuple(out))

    def sample(self, pixels: Array, level: int) -> Array:
        """Bilinear samples (N,) at frame pixels (N, 2); NaN outside the picture."""
        return sample(self.levels[level], pixels / 2.0**level)


def remap(picture: NDArray[Any], places: Grey, interpolation: int = cv2.INTER_LINEAR, **border: Any) -> NDArray[Any]:
    """cv2.remap with one map (H, W, 2) of places in the picture.

    OpenCV's stub does not know that the second map may be None; an empty array in its place gives a picture of NaN.
    """
    return np.asarray(cv2.remap(picture, places, None, interpolation, **border))  # type: ignore[call-overload]


def sample(picture: Grey, pixels: Array) -> Array:
    """Bilinear samples of a float32 picture (H, W) or (H, W, 3) at pixels (N, 2), NaN outside it; N of any size.

    Shape (N,), or (N, 3) of a picture in colour.
    """
    n = len(pixels)
    columns = 256  # cv2.remap takes no side longer than 32767
    rows = -(-n // columns)
    at = np.full((rows * columns, 2), -1e4, np.float32)
    at[:n] = pixels
    nowhere = (float("nan"),) * 3
    out = remap(picture, at.reshape(rows, columns, 2), borderMode=cv2.BORDER_CONSTANT, borderValue=nowhere)
    return np.asarray(out.reshape(rows * columns, *picture.shape[2:])[:n], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where a face was aligned. `information` (6, 6) is the inverse covariance of the step (mm, rad), for the
    residual's own variance; `rms` the robust residual and `contrast` the spread the face has in this light, both in
    grey levels; `inliers` the share of points that the face explains; `residual` (N,) by point, NaN outside the
    picture."""

    pose: CardPose
    information: Array
    rms: float
    contrast: float
    inliers: float
    residual: Array
    moved_px: float


def align(
    pyramid: Pyramid,
    level: int,
    camera: Camera,
    points: FacePoints,
    pose: CardPose,
    *,
    motion: Array = FREE_MOTION,
    prior: tuple[Array, Array] | None = None,
    weights: Array | None = None,
    iterations: int = 10,
    converged_px: float = 0.01,
    scale_floor: float = 2.0,
) -> Alignment:
    """Aligns `points` of a face to the picture, starting from `pose`.

    `motion` (6, k) spans the allowed steps. `prior` is (information (6, 6), the mean step from the starting pose (6,)).
    `weights` (N,) are 0 where another card is known to cover the face. `scale_floor` bounds the robust scale from below
    (grey levels), so that a nearly perfect fit does not call its own noise outliers.
    """
    basis = _photometric_basis(points)
    base = np.ones(len(points.value)) if weights is None else weights
    total = np.zeros(6)
    robust = base
    photometric: Array | None = None
    size = float(max(np.abs(points.x_mm).max(), np.abs(points.y_mm).max()))
    step_px = np.inf
    scale = scale_floor
    for _ in range(iterations):
        pixels, jacobian = _pixels_and_jacobian(camera, pose, points)
        seen = pyramid.sample(pixels, level)
        good = np.isfinite(seen)
        seen = np.where(good, seen, 0.0)
        if photometric is None:
            photometric = _fit(basis, seen, base * good)
        gain = basis[:, :3] @ photometric[:3] / np.where(points.value == 0.0, 1e-6, points.value)
        design = np.concatenate([jacobian @ motion * gain[:, None], -basis], axis=1)
        residual = seen - basis @ photometric
        scale = _robust_scale(residual, base * good, scale_floor)
        robust = base * good * _tukey(residual / scale)
        weighted = design * robust[:, None]
        normal = weighted.T @ design
        right = -weighted.T @ seen
        k = motion.shape[1]
        if prior is not None:
            information, mean = prior
            normal[:k, :k] += scale**2 * motion.T @ information @ motion
            right[:k] += scale**2 * motion.T @ information @ (mean - total)
        normal[np.diag_indices_from(normal)] += 1e-9 * np.trace(normal) / len(normal) + 1e-12
        solution = np.linalg.solve(normal, right)
        step = motion @ solution[:k]
        photometric = solution[k:]
        pose, total = pose.moved(step), total + step
        step_px = camera.px_per_mm(pose.centre_mm) * float(
            np.hypot(*step[:2]) + abs(step[2]) * 0.2 + np.abs(step[3:]).max() * size
        )
        if step_px < converged_px:
            break
    return _finish(pyramid, level, camera, points, pose, basis, base, scale_floor, float(step_px))


def _finish(
    pyramid: Pyramid,
    level: int,
    camera: Camera,
    points: FacePoints,
    pose: CardPose,
    basis: Array,
    base: Array,
    scale_floor: float,
    step_px: float,
) -> Alignment:
    pixels, jacobian = _pixels_and_jacobian(camera, pose, points)
    seen = pyramid.sample(pixels, level)
    good = np.isfinite(seen)
    seen = np.where(good, seen, 0.0)
    photometric = _fit(basis, seen, base * good)
    for _ in range(2):
        residual = seen - basis @ photometric
        scale = _robust_scale(residual, base * good, scale_floor)
        robust = base * good * _tukey(residual / scale)
        photometric = _fit(basis, seen, robust)
    residual = seen - basis @ photometric
    gain = basis[:, :3] @ photometric[:3] / np.where(points.value == 0.0, 1e-6, points.value)
    design = np.concatenate([jacobian * gain[:, None], -basis], axis=1)
    normal = (design * robust[:, None]).T @ design
    # the photometric parameters are eliminated (Schur complement): what is left is known of the pose alone
    corner = normal[6:, 6:] + (1e-6 * np.trace(normal[6:, 6:]) / _PHOTOMETRIC + 1e-9) * np.eye(_PHOTOMETRIC)
    schur = normal[:6, :6] - normal[:6, 6:] @ np.linalg.solve(corner, normal[6:, :6])
    weight = max(float(robust.sum()), 1.0)
    rms = float(np.sqrt((robust * residual**2).sum() / weight))
    spread = points.value - np.average(points.value, weights=np.maximum(robust, 1e-9))
    contrast = float(np.sqrt((robust * (gain * spread) ** 2).sum() / weight))
    inliers = float((robust > 0).sum() / max(1.0, float((base > 0).sum())))
    return Alignment(
        pose, schur / max(rms, 0.5) ** 2, rms, contrast, inliers, np.where(good, residual, np.nan), step_px
    )


def _photometric_basis(points: FacePoints) -> Array:
    x, y = points.x_mm / 45.0, points.y_mm / 45.0  # about -1..1 on any playing card
    one = np.ones_like(x)
    return np.stack([points.value, points.value * x, points.value * y, one, x, y], axis=1)


def _fit(basis: Array, seen: Array, weights: Array) -> Array:
    weighted = basis * weights[:, None]
    normal = weighted.T @ basis
    ridge = np.diag(normal).mean() * 1e-6
    # slopes of gain and offset are held back a little: light changes slowly over a card
    normal[np.diag_indices_from(normal)] += ridge + np.array([0, 0.01, 0.01, 0, 0.01, 0.01]) * np.diag(normal) + 1e-9
    return np.asarray(np.linalg.solve(normal, weighted.T @ seen))


def _pixels_and_jacobian(camera: Camera, pose: CardPose, points: FacePoints) -> tuple[Array, Array]:
    """Pixels (N, 2) of the points and the derivative (N, 6) of the face's value there by the pose's step."""
    world = pose.points(points.x_mm, points.y_mm)
    pixels, by_world = camera.project_with_jacobian(world)
    by_card = by_world @ pose.R[:, :2]  # (N, 2, 2): pixels per mm on the card
    a, b, c, d = by_card[:, 0, 0], by_card[:, 0, 1], by_card[:, 1, 0], by_card[:, 1, 1]
    determinant = a * d - b * c
    determinant = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
    # slope of the picture = slope of the face times the inverse of pixels-per-mm
    slope_u = (points.slope_x * d - points.slope_y * c) / determinant
    slope_v = (points.slope_y * a - points.slope_x * b) / determinant
    by_shift = slope_u[:, None] * by_world[:, 0] + slope_v[:, None] * by_world[:, 1]
    by_turn = np.cross(world - pose.centre_mm, by_shift)
    return pixels, np.concatenate([by_shift, by_turn], axis=1)


def _robust_scale(residual: Array, weights: Array, floor: float) -> float:
    inside = np.abs(residual[weights > 0])
    return max(floor, 1.4826 * float(np.median(inside))) if len(inside) else floor


def _tukey(scaled: Array) -> Array:
    u = np.clip(np.abs(scaled) / _TUKEY, 0.0, 1.0)
    return np.asarray((1.0 - u * u) ** 2)


def choose_points(
    grey: Grey, mask: NDArray[np.bool_], x_mm: Grey, y_mm: Grey, px_per_mm: float, most: int
) -> FacePoints:
    """At most `most` points of a face for alignment: those with slope, spread over the whole card.

    The card is cut into tiles and each gives its steepest points and a few even ones, so no part of the face decides
    alone and a covered part leaves the others standing.
    """
    slope_x = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3) / 8.0 * px_per_mm
    slope_y = -cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3) / 8.0 * px_per_mm
    steep = np.hypot(slope_x, slope_y)
    inside = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) > 0
    height, width = grey.shape
    rows, columns = 8, 6
    chosen: list[NDArray[np.intp]] = []
    per_tile = max(4, most // (rows * columns))
    for r in range(rows):
        for c in range(columns):
            rr, cc = np.mgrid[
                r * height // rows : (r + 1) * height // rows, c * width // columns : (c + 1) * width // columns
            ]
            index = (rr * width + cc).ravel()
            index = index[inside.ravel()[index]]
            if not len(index):
                continue
            even = index[:: max(1, len(index) // max(1, per_tile // 4))]
            order = np.argsort(-steep.ravel()[index], kind="stable")
            chosen.append(np.union1d(even, index[order[: per_tile - len(even)]]) if len(even) < per_tile else even)
    pick = np.concatenate(chosen)
    return FacePoints(*(np.asarray(a.ravel()[pick], dtype=np.float64) for a in (x_mm, y_mm, grey, slope_x, slope_y)))
