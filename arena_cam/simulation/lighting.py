"""How much light falls where: lamps as points spread over their discs, the sky as points on a dome, and the tray's walls
in the way of both."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.simulation.look import Look

Array = NDArray[np.float64]

LAMP_POINTS = 12  # enough that the steps of a penumbra stay below the sensor's noise
SKY_RINGS = ((0.35, 5), (0.75, 8), (1.15, 9))  # (angle from the zenith in rad, points): cosine-weighted below
SKY_DISTANCE_MM = 1e5


class Light:
    """The lamps of a look as S points: `points` (S, 3) mm, `weights` (S, 3) blue-green-red on a flat white sheet."""

    def __init__(self, look: Look, arena: Arena) -> None:
        self.arena = arena
        points: list[Array] = []
        weights: list[Array] = []
        for lamp in look.lamps:
            disc = _disc(np.array(lamp.position_mm), lamp.radius_mm)
            points.append(disc)
            weights.append(np.tile(np.array(lamp.strength) / len(disc), (len(disc), 1)))
        dome, share = _dome()
        points.append(dome)
        weights.append(share[:, None] * np.array(look.sky))
        self.points = np.concatenate(points)
        self.weights = np.concatenate(weights)
        distance = np.linalg.norm(self.points, axis=1)
        # Weights say the light on a level sheet at the origin; cosine and distance there are taken out.
        self._power = self.weights * (distance**3 / self.points[:, 2])[:, None]

    def on(self, points_mm: Array, normals: Array) -> Array:
        """Light (N, 3) on points (N, 3) with normals (N, 3) or (3,), with the tray's walls throwing their shadows."""
        total = np.zeros((len(points_mm), 3))
        for lamp, power in zip(self.points, self._power, strict=True):
            to_lamp = lamp - points_mm
            square = np.einsum("ij,ij->i", to_lamp, to_lamp)
            cosine = np.clip((to_lamp * normals).sum(axis=1), 0.0, None) / square**1.5
            cosine *= self.free_of_walls(points_mm, to_lamp)
            total += cosine[:, None] * power
        return total

    def free_of_walls(self, points_mm: Array, to_lamp: Array) -> NDArray[np.bool_]:
        """Which of the rays from points (N, 3) along `to_lamp` (N, 3) pass over the tray's walls."""
        inner = np.asarray(self.arena.inner_mm) / 2
        outer = inner + self.arena.wall_thickness_mm
        top = self.arena.wall_height_mm
        xy, step = points_mm[:, :2], to_lamp[:, :2]
        inside = np.all(np.abs(xy) <= inner, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            leaving = np.where(step != 0, (np.copysign(inner, step) - xy) / step, np.inf).min(axis=1)
            near = np.where(
                step != 0, (np.copysign(outer, -step) - xy) / step, np.where(np.abs(xy) < outer, -np.inf, np.inf)
            )
            far = np.where(step != 0, (np.copysign(outer, step) - xy) / step, np.inf)
        entering = near.max(axis=1)
        crosses = (entering > 0) & (entering < far.min(axis=1)) & (entering < 1.0)
        along = np.where(inside, leaving, np.where(crosses, entering, np.inf))
        height = points_mm[:, 2] + np.where(np.isfinite(along), along, 1e9) * to_lamp[:, 2]
        return np.asarray(height >= top)

    def shares_at(self, point_mm: Array) -> Array:
        """The share (S, 3) of the light on a level spot (3,) that each lamp point gives: what a shadow takes away."""
        to_lamp = self.points - point_mm
        square = np.einsum("ij,ij->i", to_lamp, to_lamp)
        light = self._power * (np.clip(to_lamp[:, 2], 0.0, None) / square**1.5)[:, None]
        return np.asarray(light / light.sum(axis=0))


def _disc(position: Array, radius_mm: float) -> Array:
    """Points spread evenly over a disc that faces the origin (the golden-angle spiral of Vogel, 1979)."""
    axis = -position / np.linalg.norm(position)
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.99 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    k = np.arange(LAMP_POINTS)
    radius, angle = radius_mm * np.sqrt((k + 0.5) / LAMP_POINTS), k * math.pi * (3.0 - math.sqrt(5.0))
    return position + np.outer(radius * np.cos(angle), side) + np.outer(radius * np.sin(angle), other)


def _dome() -> tuple[Array, Array]:
    """Points (N, 3) on a far dome and the share (N,) that each gives a level sheet."""
    points, shares = [], []
    for ring, (theta, count) in enumerate(SKY_RINGS):
        for k in range(count):
            phi = 2.0 * math.pi * (k + 0.37 * ring) / count
            points.append([math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)])
            shares.append(math.sin(theta) * math.cos(theta) / count)
    share = np.array(shares)
    return np.array(points) * SKY_DISTANCE_MM, share / share.sum()
