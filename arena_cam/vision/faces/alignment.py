"""Photometric alignment of a card's face with the picture, directly in the parameters of its pose.

Minimises the difference between the picture, sampled where the posed card projects, and the deck's own picture of the
face under a gain and an offset that vary linearly over the card (light does), by iteratively reweighted Gauss-Newton.
The gradient of the known face stands in for the picture's, as in inverse compositional alignment (S. Baker and
I. Matthews, "Lucas-Kanade 20 years on", IJCV 56, 2004), so an iteration costs one sampling of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.face_points import HALF_CARD_MM, FacePoints, mixture
from arena_cam.vision.faces.light import PLAIN_RIDGE, plain_light
from arena_cam.vision.kernels.calls import Sampled, aligned
from arena_cam.vision.picture.robust import TUKEY, robust_scale, tukey
from arena_cam.vision.picture.sampling import Pyramid

FLAT_MOTION = np.eye(6)[:, [0, 1, 5]]  # x, y and rotation in the plane
FREE_MOTION = np.eye(6)
LIGHT = 6  # gain, its slopes in x and y; offset, its slopes
# Grey levels: the robust scale is no less, so that a nearly perfect fit does not call its own noise outliers.
_LEAST_SCALE = 2.0
# Of a card of which less is in view much lies beside the edges of others, and is shadow and blur: no point is allowed
# its doubt.
_IN_VIEW = 0.6
_ASTRAY = 300.0  # mm: no step that leads so far is towards a card


@dataclass(frozen=True, eq=False)
class Plan:
    """How a face is aligned: at which scale, in which steps, and when to stop.

    `halvings`: of the picture, from the scale that the view is given in. `motion` (6, k) spans the allowed steps (mm
    and rad, world axes). `prior` (6, 6) is the information that the pose is at its start, and `covered_prior` that for
    a face of which less than `covered_below` of the points are visible. A face that has not converged after
    `iterations` steps gets `patience` times as many. It has converged when a step moves it by less than `converged_px`,
    in pixels of the frame. A `tolerant` fit, for a face near its place already, allows each point its doubt.
    """

    halvings: int = 0
    motion: Array = field(default_factory=lambda: FREE_MOTION)
    prior: Array | None = None
    covered_prior: Array | None = None
    covered_below: float = 0.0
    iterations: int = 10
    patience: int = 1
    converged_px: float = 0.02
    tolerant: bool = False

    def prior_for(self, weights: Array | None) -> Array | None:
        """The prior for a face of whose points `weights` (N,) are in view, None if all are."""
        covered = weights is not None and float(weights.mean()) < self.covered_below
        return self.covered_prior if covered else self.prior

    def is_over(self, iteration: int, step_px: float) -> bool:
        """Whether an alignment ends after so many steps, the last of them `step_px` long."""
        if iteration == self.patience * self.iterations:
            return True
        return iteration >= self.iterations and step_px < _ON_ITS_WAY_PX


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture to align with: its pyramid, the level that counts as its own scale, and the camera that took it."""

    pyramid: Pyramid
    level: int
    camera: Camera


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where a face was aligned. `information` (6, 6) is the inverse covariance of the step (mm, rad), for the
    residual's own variance, and `pull` (6,) its product with the step that the pixels alone would still take: nothing
    where they had their way, much where the prior held them. `rms` is the robust residual (grey levels)."""

    pose: CardPose
    information: Array
    rms: float
    pull: Array

    @property
    def settled(self) -> Alignment:
        """The alignment at the pose that its pull leads to."""
        step = np.asarray(np.linalg.solve(self.information, self.pull))
        return replace(self, pose=self.pose.moved(step), pull=np.zeros(6))


def align(picture: Picture, points: FacePoints, start: CardPose, plan: Plan, weights: Array | None = None) -> Alignment:
    """Aligns `points` of a face to the picture, from the pose `start`. `weights` (N,) are 0 where another card is known
    to cover the face."""
    return _compiled(picture, points, start, plan, weights) or _in_numpy(picture, points, start, plan, weights)


def _compiled(
    picture: Picture, points: FacePoints, start: CardPose, plan: Plan, weights: Array | None
) -> Alignment | None:
    """`_in_numpy`, compiled; None where that cannot be."""
    level = picture.level + plan.halvings
    seen = Sampled(picture.pyramid.levels[level], level, picture.camera, start)
    of_points = points.places, points.light, points.motion, points.doubt
    steps = (plan.iterations, plan.patience * plan.iterations, plan.converged_px, _LEAST_SCALE, plan.tolerant)
    plan_row = np.array(steps, dtype=np.float64)
    found = aligned(seen, of_points, weights, plan.motion, plan.prior_for(weights), plan_row, _RULES)
    return None if found is None else Alignment(*found)


def _in_numpy(picture: Picture, points: FacePoints, start: CardPose, plan: Plan, weights: Array | None) -> Alignment:
    task = _task(picture, points, plan, weights)
    at = _State(start)
    for iteration in range(plan.patience * plan.iterations + 1):
        system = _linearised(task, at)
        if plan.is_over(iteration, at.step_px):
            return _result(system, at, np.zeros(6))
        wished = _wished(task, system, at)
        if wished is None:
            return _result(system, at, np.zeros(6))
        at = _moved(task, at, wished)
        if at.step_px < plan.converged_px:
            break
    return _result(system, at, at.step)


@dataclass(frozen=True, eq=False)
class _Task:
    """Everything about an alignment that stays the same from step to step. `size` (mm) is the extent of the points."""

    camera: Camera
    pyramid: Pyramid
    level: int
    points: FacePoints
    weights: Array | None
    prior: Array | None
    motion: Array
    doubted: bool
    size: float


def _task(picture: Picture, points: FacePoints, plan: Plan, weights: Array | None) -> _Task:
    doubted = plan.tolerant and (weights is None or float(weights.mean()) >= _IN_VIEW)
    size, prior = float(np.abs(points.places[:2]).max()), plan.prior_for(weights)
    if weights is not None:
        points, weights = points.only(weights > 0.0), weights[weights > 0.0]
    level = picture.level + plan.halvings
    return _Task(picture.camera, picture.pyramid, level, points, weights, prior, plan.motion, doubted, size)


@dataclass(frozen=True, eq=False)
class _State:
    """How far an alignment has come: the pose, the light (6,) it was seen in, all steps taken so far (6,), the last of
    them, what it was before it was relaxed, by how much, and its length (px)."""

    pose: CardPose
    light: Array | None = None
    total: Array = field(default_factory=lambda: np.zeros(6))
    step: Array = field(default_factory=lambda: np.zeros(6))
    wished: Array = field(default_factory=lambda: np.zeros(6))
    relaxation: float = 1.0
    step_px: float = 0.0


def _result(system: _System, at: _State, step: Array) -> Alignment:
    """The result of an alignment, `step` beyond the place of the `system`."""
    information, pull = _of_pose_alone(system)
    return Alignment(at.pose, information, system.rms, pull - information @ step)


def _wished(task: _Task, system: _System, at: _State) -> tuple[Array, Array] | None:
    """The step (6,) that solves the normal equations, and the light (6,) there; None if the step diverges."""
    k = task.motion.shape[1]
    normal = _allowed(system.normal, task.motion)
    right = np.concatenate([task.motion.T @ system.right[:6], system.right[6:]])
    if task.prior is not None:
        normal[:k, :k] += system.scale**2 * task.motion.T @ task.prior @ task.motion
        right[:k] += system.scale**2 * task.motion.T @ task.prior @ (0.0 - at.total)
    normal.flat[:: len(normal) + 1] += 1e-9 * np.trace(normal) / len(normal) + 1e-12
    solution = np.linalg.solve(normal, right)
    if not np.abs(solution[:k]).max() < _ASTRAY:  # a guess of nothing may lead anywhere
        return None
    return task.motion @ solution[:k], solution[k:]


def _moved(task: _Task, at: _State, wished: tuple[Array, Array]) -> _State:
    """One step further."""
    wish, light = wished
    relaxation = _relaxation(at.relaxation, at.wished, wish)
    step = relaxation * wish
    pose = at.pose.moved(step)
    step_px = task.camera.px_per_mm(pose.centre_mm) * float(
        np.hypot(step[0], step[1]) + abs(step[2]) * 0.2 + np.abs(step[3:]).max() * task.size
    )
    return _State(pose, light, at.total + step, step, wish, relaxation, step_px)


# A leaning card that starts from flat crosses a valley of other places for its print, some of which the robust weights
# hold on to: it moves a pixel a step, while a face that is not there, or as good as there, moves back and forth.
_ON_ITS_WAY_PX = 0.5
# One step of the six counts as long as it moves a card's corners: a radian is half a card.
_STEP_LENGTH = np.array([1.0, 1.0, 1.0, HALF_CARD_MM, HALF_CARD_MM, HALF_CARD_MM])
# Only steps that overshoot are shortened: lengthened ones led astray where the edge of another card shifts the weights.
_SLOWEST, _FASTEST, _ALONG_ONE_LINE = 0.4, 1.0, 0.9
# All of these, in the order of the compiled twin.
_RULES = np.array(
    [*PLAIN_RIDGE, TUKEY, _ON_ITS_WAY_PX, _ASTRAY, _SLOWEST, _FASTEST, _ALONG_ONE_LINE, _IN_VIEW, HALF_CARD_MM]
)


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
    """Weighted normal equations of one iteration: `normal` (12, 12) and `right` (12,), six of pose, six of light; the
    `light` they were linearised at; the robust `scale` of the residual and its weighted `rms` (grey levels)."""

    normal: Array
    right: Array
    light: Array
    scale: float
    rms: float


def _linearised(task: _Task, at: _State) -> _System:
    """The system at a pose, in the light found last, or at first in the best plain one."""
    points = task.points
    pixels = task.camera.project_plane(at.pose.plane, points.places)
    seen, inside = task.pyramid.sample_at(pixels, task.level)
    base = task.weights
    if inside is not None:
        seen = np.where(inside, seen, 0.0)
        base = inside.astype(np.float64) if base is None else base * inside
    light = plain_light(points.light, seen, base) if at.light is None else at.light
    residual = seen - light @ points.light
    scale = robust_scale(residual, base, _LEAST_SCALE)
    robust = tukey(residual / np.sqrt(scale**2 + light[0] ** 2 * points.doubt) if task.doubted else residual / scale)
    if base is not None:
        robust *= base
    design = _design(points, light, mixture(task.camera, at.pose), seen)
    gram = (design * robust) @ design.T
    rms = float(np.sqrt((robust * residual) @ residual / max(float(robust.sum()), 1.0)))
    return _System(gram[:12, :12], -gram[:12, 12], light, scale, rms)


def _design(points: FacePoints, light: Array, mix: Array, seen: Array) -> Array:
    """The derivatives of the residual by pose and light, and what is seen (13, N)."""
    gain = light[0] + (points.places[0] * light[1] + points.places[1] * light[2]) / HALF_CARD_MM
    design = np.empty((13, len(seen)))
    np.matmul(mix.T, points.motion, out=design[:6])
    design[:6] *= gain
    np.negative(points.light, out=design[6:12])
    design[12] = seen
    return design


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
    """Information (6, 6) about the pose and its product with the best step (6,), with the light eliminated (Schur
    complement)."""
    normal, right = system.normal, system.right
    corner = normal[6:, 6:] + (1e-6 * np.trace(normal[6:, 6:]) / LIGHT + 1e-9) * np.eye(LIGHT)
    through = np.linalg.solve(corner, np.column_stack([normal[6:, :6], right[6:]]))
    variance = max(system.rms, 0.5) ** 2
    schur = normal[:6, :6] - normal[:6, 6:] @ through[:, :6]
    return schur / variance, (right[:6] - normal[:6, 6:] @ through[:, 6]) / variance
