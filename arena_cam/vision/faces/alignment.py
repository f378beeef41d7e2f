"""Photometric alignment of a card's face with the picture, directly in the parameters of its pose.

Minimises the difference between the picture, sampled where the posed card projects, and the deck's own picture of the
face under a gain and an offset that vary linearly over the card (light does), by iteratively reweighted Gauss-Newton.
The gradient of the known face stands in for the picture's, as in inverse compositional alignment (S. Baker and
I. Matthews, "Lucas-Kanade 20 years on", IJCV 56, 2004), so an iteration costs one sampling of the picture.

The derivative by the pose needs no projection at all: a card moved in its own plane carries its print along, and one
moved out of it by dz is seen as if its print had spread from the point under the camera's centre c by dz / c_z. So it
is a mixture of ten columns that belong to the face, whatever its pose (`FacePoints.motion`), mixed by where the camera
stands in the card's frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.sampling import Pyramid

FLAT_MOTION = np.eye(6)[:, [0, 1, 5]]  # x, y and rotation in the plane
FREE_MOTION = np.eye(6)
LIGHT = 6  # gain, its slopes in x and y; offset, its slopes
HALF_CARD_MM = 45.0  # places on any playing card, divided by this, are about -1..1
# Slopes of gain and offset are held back a little: light changes slowly over a card.
_LIGHT_RIDGE = np.array([0.0, 0.01, 0.01, 0.0, 0.01, 0.01])
# Tukey's biweight keeps 95 % of least squares' efficiency on Gaussian noise with this many robust standard deviations.
_TUKEY = 4.685
# What a pose may be off by (px), and how much sharper or softer a picture may be, before the points that say so are
# outliers: where a card is nearly blank, its few fine lines are. Not of a card of which less than _IN_VIEW is in view:
# much of that lies beside the edges of others, and is shadow and blur.
_OFF_PX, _SHARPER, _IN_VIEW = 0.25, 0.5, 0.6
_ASTRAY = 300.0  # mm: no step that leads so far is towards a card


@dataclass(frozen=True, eq=False)
class FacePoints:
    """Points of one face chosen for alignment, and all of them that no pose changes.

    `places` (3, N): x, y (mm, card frame) and 1. `value` (N,): grey. `light` (6, N): what gain, its slopes, offset and
    its slopes multiply. `motion` (10, N): slopes tx and ty of the print (grey levels per mm), its spreading
    x tx + y ty, its turning x ty - y tx, then y and x times each of tx, ty and the spreading. `doubt` (N,): the
    variance (grey levels squared) by which what is seen may differ from what is printed.
    """

    places: Array
    value: Array
    light: Array
    motion: Array
    doubt: Array

    @staticmethod
    def of(
        x_mm: Array, y_mm: Array, value: Array, slope_x: Array, slope_y: Array, doubt: Array | None = None
    ) -> FacePoints:
        """From points (N,) of a face: place, grey value, slopes (grey levels per mm) and doubt: none if not given."""
        doubt = np.zeros_like(value) if doubt is None else doubt
        spread = x_mm * slope_x + y_mm * slope_y
        motion = [slope_x, slope_y, spread, x_mm * slope_y - y_mm * slope_x]
        motion += [y_mm * slope_x, y_mm * slope_y, y_mm * spread, x_mm * slope_x, x_mm * slope_y, x_mm * spread]
        places = np.stack([x_mm, y_mm, np.ones_like(x_mm)])
        return FacePoints(places, value, light_basis(value, places), np.stack(motion), doubt)

    def only(self, chosen: NDArray[np.bool_]) -> FacePoints:
        """Those of the points that are `chosen` (N,)."""
        return FacePoints(*(a[..., chosen] for a in (self.places, self.value, self.light, self.motion, self.doubt)))


def light_basis(value: Array, places: Array) -> Array:
    """What gain, its slopes, offset and its slopes multiply: (6, N) for grey values (N,) at `places` (3, N)."""
    x, y = places[:2] / HALF_CARD_MM
    return np.stack([value, value * x, value * y, np.ones_like(x), x, y])


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where a face was aligned. `information` (6, 6) is the inverse covariance of the step (mm, rad), for the
    residual's own variance, and `pull` (6,) its product with the step that the pixels alone would still take: nothing
    where they had their way, much where the prior held them. `rms` is the robust residual (grey levels)."""

    pose: CardPose
    information: Array
    rms: float
    pull: Array


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
    at_most: int | None = None,
    converged_px: float = 0.02,
    scale_floor: float = 2.0,
    tolerant: bool = False,
) -> Alignment:
    """Aligns `points` of a face to the picture, starting from `pose`.

    `motion` (6, k) spans the allowed steps. `prior` is (information (6, 6), the mean step from the starting pose (6,)).
    `weights` (N,) are 0 where another card is known to cover the face. `scale_floor` bounds the robust scale from below
    (grey levels), so that a nearly perfect fit does not call its own noise outliers; a `tolerant` fit, near its place
    already, allows each point its `doubt`, too. A face that is still on its way after so many `iterations` has
    `at_most` so many.
    """
    total = np.zeros(6)
    doubted = tolerant and (weights is None or float(weights.mean()) >= _IN_VIEW)
    size = float(np.abs(points.places[:2]).max())
    if weights is not None:
        points, weights = points.only(weights > 0.0), weights[weights > 0.0]
    light: Array | None = None
    k = motion.shape[1]
    step, wished, relaxation = np.zeros(6), np.zeros(6), 1.0
    step_px = 0.0
    at_most = at_most or iterations
    for iteration in range(at_most + 1):
        system, light, scale = _normal_equations(
            pyramid, level, camera, points, pose, weights, light, scale_floor, doubted
        )
        if iteration == at_most or (iteration >= iterations and step_px < _ON_ITS_WAY_PX):
            step = np.zeros(6)
            break
        normal, right = _allowed(system.normal, motion), np.concatenate([motion.T @ system.right[:6], system.right[6:]])
        if prior is not None:
            information, mean = prior
            normal[:k, :k] += scale**2 * motion.T @ information @ motion
            right[:k] += scale**2 * motion.T @ information @ (mean - total)
        normal.flat[:: len(normal) + 1] += 1e-9 * np.trace(normal) / len(normal) + 1e-12
        solution = np.linalg.solve(normal, right)
        if not np.abs(solution[:k]).max() < _ASTRAY:  # a guess of nothing may lead anywhere
            step = np.zeros(6)
            break
        before, wished = wished, motion @ solution[:k]
        relaxation = _relaxation(relaxation, before, wished)
        step = relaxation * wished
        light = solution[k:]
        pose, total = pose.moved(step), total + step
        step_px = camera.px_per_mm(pose.centre_mm) * float(
            np.hypot(step[0], step[1]) + abs(step[2]) * 0.2 + np.abs(step[3:]).max() * size
        )
        if step_px < converged_px:
            break
    information, pull = _of_pose_alone(system)
    return Alignment(pose, information, system.rms, pull - information @ step)


# A leaning card that starts from flat crosses a valley of other places for its print, some of which the robust weights
# hold on to: it moves a pixel a step, while a face that is not there, or as good as there, moves back and forth.
_ON_ITS_WAY_PX = 0.5
# One step of the six counts as long as it moves a card's corners: a radian is half a card.
_STEP_LENGTH = np.array([1.0, 1.0, 1.0, HALF_CARD_MM, HALF_CARD_MM, HALF_CARD_MM])
# Only steps that overshoot are shortened: lengthened ones led astray where the edge of another card shifts the weights.
_SLOWEST, _FASTEST, _ALONG_ONE_LINE = 0.4, 1.0, 0.9


def _relaxation(relaxation: float, before: Array, wished: Array) -> float:
    """What to multiply the next step by: the slope of a face stands in for that of its blurred or sharpened picture, so
    that steps are too long or too short by a factor, and close in on the optimum as a geometric series does.

    Two steps in a row along one line show the factor (B. Irons and R. Tuck, "A version of the Aitken accelerator for
    computer iteration", Int. J. Numer. Meth. Eng. 1, 1969).
    """
    first, second = before * _STEP_LENGTH, wished * _STEP_LENGTH
    along = float(first @ second)
    if along**2 < _ALONG_ONE_LINE**2 * float(first @ first) * float(second @ second) or not first.any():
        return 1.0
    change = second - first
    return float(np.clip(-relaxation * (first @ change) / (change @ change + 1e-30), _SLOWEST, _FASTEST))


@dataclass(frozen=True, eq=False)
class _System:
    """Weighted normal equations of one iteration: `normal` (12, 12) and `right` (12,), six of pose, six of light."""

    normal: Array
    right: Array
    rms: float


def _normal_equations(
    pyramid: Pyramid,
    level: int,
    camera: Camera,
    points: FacePoints,
    pose: CardPose,
    weights: Array | None,
    light: Array | None,
    scale_floor: float,
    doubted: bool,
) -> tuple[_System, Array, float]:
    """The system at `pose`, the light it was linearised at (the best plain fit if none is given), the robust scale."""
    pixels = camera.project_plane(pose.plane, points.places)
    seen, inside = pyramid.sample_at(pixels, level)
    base = weights
    if inside is not None:
        seen = np.where(inside, seen, 0.0)
        base = inside.astype(np.float64) if weights is None else weights * inside
    if light is None:
        light = _plain_light(points.light, seen, base)
    residual = seen - light @ points.light
    scale = _robust_scale(residual, base, scale_floor)
    gain = light[0] + (points.places[0] * light[1] + points.places[1] * light[2]) / HALF_CARD_MM
    robust = _tukey(residual / np.sqrt(scale**2 + light[0] ** 2 * points.doubt) if doubted else residual / scale)
    if base is not None:
        robust *= base
    design = np.empty((13, len(seen)))
    np.matmul(mixture(camera, pose).T, points.motion, out=design[:6])
    design[:6] *= gain
    np.negative(points.light, out=design[6:12])
    design[12] = seen
    gram = (design * robust) @ design.T
    rms = float(np.sqrt((robust * residual) @ residual / max(float(robust.sum()), 1.0)))
    return _System(gram[:12, :12], -gram[:12, 12], rms), light, scale


def mixture(camera: Camera, pose: CardPose) -> Array:
    """(10, 6): how the rows of `FacePoints.motion` mix to the derivative by a step in world axes."""
    cx, cy, cz = pose.R.T @ (camera.centre_mm - pose.centre_mm)
    out_of_plane = np.array([-cx / cz, -cy / cz, 1.0 / cz])
    mix = np.zeros((10, 6))
    mix[0, 0] = mix[1, 1] = mix[3, 5] = 1.0
    mix[:3, 2] = out_of_plane
    mix[4:7, 3] = out_of_plane
    mix[7:10, 4] = -out_of_plane
    in_world = np.zeros((6, 6))
    in_world[:3, :3] = in_world[3:, 3:] = pose.R.T
    return np.asarray(mix @ in_world)


def _allowed(normal: Array, motion: Array) -> Array:
    """The normal equations (k + 6, k + 6) of steps within the span of `motion` (6, k)."""
    if motion is FREE_MOTION:
        return normal.copy()
    k = motion.shape[1]
    out = np.empty((k + LIGHT, k + LIGHT))
    across = motion.T @ normal[:6]
    out[:k, :k] = across[:, :6] @ motion
    out[:k, k:] = across[:, 6:]
    out[k:, :k] = across[:, 6:].T
    out[k:, k:] = normal[6:, 6:]
    return out


def _of_pose_alone(system: _System) -> tuple[Array, Array]:
    """Information (6, 6) about the pose, and what it makes of the best step (6,): the light is eliminated (Schur
    complement)."""
    normal, right = system.normal, system.right
    corner = normal[6:, 6:] + (1e-6 * np.trace(normal[6:, 6:]) / LIGHT + 1e-9) * np.eye(LIGHT)
    through = np.linalg.solve(corner, np.column_stack([normal[6:, :6], right[6:]]))
    variance = max(system.rms, 0.5) ** 2
    schur = normal[:6, :6] - normal[:6, 6:] @ through[:, :6]
    return schur / variance, (right[:6] - normal[:6, 6:] @ through[:, 6]) / variance


def plain_residual(basis: Array, seen: Array, weights: Array) -> float:
    """The mean square (grey levels squared) that the light of a `basis` (k, N) leaves of a picture `seen` (N,) where
    `weights` (N,) are not 0, nothing taken for an outlier."""
    off = seen - _plain_light(basis, seen, weights) @ basis
    return float((weights * off) @ off / max(float(weights.sum()), 1.0))


def _plain_light(basis: Array, seen: Array, weights: Array | None) -> Array:
    """Gain and offset with their slopes (6,), or the offset and its slopes alone (3,), that bring a face to the
    picture, nothing taken for an outlier."""
    weighted = basis if weights is None else basis * weights
    normal = weighted @ basis.T
    diagonal = np.diag(normal)
    normal = normal + np.diag(diagonal.mean() * 1e-6 + _LIGHT_RIDGE[-len(basis) :] * diagonal + 1e-9)
    return np.asarray(np.linalg.solve(normal, weighted @ seen))


def _robust_scale(residual: Array, weights: Array | None, floor: float) -> float:
    inside = np.abs(residual if weights is None else residual[weights > 0])
    if not len(inside):
        return floor
    half = len(inside) // 2
    inside.partition(half)
    return max(floor, 1.4826 * float(inside[half]))


def _tukey(scaled: Array) -> Array:
    u = scaled * (1.0 / _TUKEY)
    u *= u
    np.subtract(1.0, u, out=u)
    np.maximum(u, 0.0, out=u)
    u *= u
    return u


@dataclass(frozen=True, eq=False)
class PointTiles:
    """A face's grid cut into tiles, the same for every face of a deck: of each tile the numbers of its points on the
    card, and a few of them evenly spread. `per_tile` points at most are chosen of each."""

    tiles: tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]
    per_tile: int

    @staticmethod
    def of(mask: NDArray[np.bool_], most: int) -> PointTiles:
        """Of a grid whose points on the card are those in `mask` (H, W), so that `most` points are chosen in all."""
        inside = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0).ravel() > 0
        height, width = mask.shape
        rows, columns = 8, 6
        per_tile = max(4, most // (rows * columns))
        number = np.arange(mask.size).reshape(mask.shape)
        tiles = []
        for r in range(rows):
            for c in range(columns):
                down = slice(r * height // rows, (r + 1) * height // rows)
                index = number[down, c * width // columns : (c + 1) * width // columns].ravel()
                index = index[inside[index]]
                if len(index):
                    tiles.append((index, index[:: max(1, len(index) // max(1, per_tile // 4))]))
        return PointTiles(tuple(tiles), per_tile)


def choose_points(grey: Grey, tiles: PointTiles, x_mm: Grey, y_mm: Grey, px_per_mm: float) -> FacePoints:
    """Points of a face for alignment: those with slope, spread over the whole card.

    Each tile gives its steepest points and a few even ones, so no part of the face decides alone and a covered part
    leaves the others standing.
    """
    slope_x = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3) / 8.0 * px_per_mm
    slope_y = -cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3) / 8.0 * px_per_mm
    flat = -np.hypot(slope_x, slope_y).ravel()
    chosen: list[NDArray[np.intp]] = []
    for index, even in tiles.tiles:
        steepest = index[np.argsort(flat[index], kind="stable")[: tiles.per_tile - len(even)]]
        chosen.append(np.unique(np.concatenate([even, steepest])) if len(even) < tiles.per_tile else even)
    pick = np.concatenate(chosen)
    detail = grey - cv2.GaussianBlur(grey, (0, 0), 1.0)
    doubt = (_OFF_PX / px_per_mm) ** 2 * (slope_x**2 + slope_y**2) + (_SHARPER * detail) ** 2
    of_points = (x_mm, y_mm, grey, slope_x, slope_y, doubt)
    return FacePoints.of(*(np.asarray(a.ravel()[pick], dtype=np.float64) for a in of_points))
