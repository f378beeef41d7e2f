"""The compiled functions with arrays in and arrays out; None where nothing is compiled, or where it failed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.library import compiled


@dataclass(frozen=True, eq=False)
class Sampled:
    """What is to be seen of a face: the picture (H, W) at a pyramid's `level`, the camera, and the card's pose."""

    picture: Grey
    level: int
    camera: Camera
    pose: CardPose

    @property
    def arguments(self) -> tuple[int | float, ...]:
        return _at(self.picture), *self.picture.shape, 0.5**self.level, _at(self.camera.flat)

    @property
    def flat_pose(self) -> Array:
        return np.concatenate([self.pose.R.ravel(), self.pose.centre_mm])


def aligned(
    seen: Sampled,
    points: tuple[Array, Array, Array, Array],
    weights: Array | None,
    motion: Array,
    prior: Array | None,
    plan: Array,
    rules: Array,
) -> tuple[CardPose, Array, float, Array] | None:
    """Pose, information (6, 6), rms and pull (6,) of an alignment. `points` are places (3, N), light (6, N), motion
    (10, N) and doubt (N,); `plan` and `rules` are rows of numbers, in the order of kernels.c."""
    library = compiled()
    if library is None:
        return None
    pose, found = seen.flat_pose, np.empty(43)
    motion = np.ascontiguousarray(motion)
    done = library.arena_align(
        *(*seen.arguments, points[0].shape[1], *map(_at, points), _at(weights), _at(motion), motion.shape[1]),
        *(_at(prior), _at(plan), _at(rules), _at(pose), _at(found)),
    )
    if not done:
        return None
    return CardPose(pose[:9].reshape(3, 3), pose[9:]), found[:36].reshape(6, 6), float(found[36]), found[37:]


def _at(array: NDArray[np.generic] | None) -> int | None:
    """Where a contiguous array's numbers lie in memory."""
    return None if array is None else array.ctypes.data
