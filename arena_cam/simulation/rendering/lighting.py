"""The light at each place: lamps are points on their discs, the sky is points on a dome, and walls are in the way."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.simulation.rendering.look import Look

Row = NDArray[np.float32]

LAMP_POINTS = 12  # enough that the steps of a penumbra stay below the sensor's noise
SKY_RINGS = ((0.35, 5), (0.75, 8), (1.15, 9))  # (angle from the zenith in rad, points): cosine-weighted below
SKY_DISTANCE_MM = 1e5
QUICK_THINNING = 3


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
        # One group of points for each lamp and one for the sky; the quick ones are thinned out.
        ends = np.cumsum([len(part) for part in points])
        self.groups = [np.arange(end - len(part), end) for part, end in zip(points, ends, strict=True)]
        self.quick_groups = [group[::QUICK_THINNING] for group in self.groups]
        self._power = self.weights * (distance**3 / self.points[:, 2])[:, None]

    def on(self, points_mm: Array, normals: Array) -> Array:
        """Light (N, 3) on points (N, 3) with normals (N, 3) or (3,), with the tray's walls throwing their shadows."""
        x, y, z = (np.ascontiguousarray(c, np.float32) for c in points_mm.T)
        nx, ny, nz = (np.float32(1) * c for c in np.broadcast_to(normals, points_mm.shape).T.astype(np.float32))
        # A wall's shadow is nowhere wider than this; away from it there is nothing to ask.
        reach = np.asarray(self.arena.inner_mm) / 2 + self.arena.wall_thickness_mm + 3.0 * self.arena.wall_height_mm
        low = (z < self.arena.wall_height_mm - 1e-3) & (np.abs(x) < reach[0]) & (np.abs(y) < reach[1])
        which = np.flatnonzero(low)
        near = (x[which], y[which], z[which])
        total = np.zeros((len(points_mm), 3), np.float32)
        for lamp, power in zip(self.points.astype(np.float32), self._power.astype(np.float32), strict=True):
            dx, dy, dz = lamp[0] - x, lamp[1] - y, lamp[2] - z
            square = dx * dx + dy * dy + dz * dz
            cosine = np.maximum(dx * nx + dy * ny + dz * nz, 0) / (square * np.sqrt(square))
            if len(which):
                cosine[which] *= self._free_of_walls(*near, dx[which], dy[which], dz[which])
            total += cosine[:, None] * power
        return total.astype(np.float64)

    def _free_of_walls(self, x: Row, y: Row, z: Row, dx: Row, dy: Row, dz: Row) -> NDArray[np.bool_]:
        """Which of the rays (N,) from points (x, y, z) along (dx, dy, dz) pass over the tray's walls.

        From inside the tray a ray must have risen to the walls' height where it leaves the inner rectangle; from
        outside, where it enters the outer one.
        """
        ix, iy = (side / 2 for side in self.arena.inner_mm)
        ox, oy = ix + self.arena.wall_thickness_mm, iy + self.arena.wall_thickness_mm
        inside = (np.abs(x) <= ix) & (np.abs(y) <= iy)
        sx, sy = np.where(dx >= 0, np.float32(1), np.float32(-1)), np.where(dy >= 0, np.float32(1), np.float32(-1))
        per_x, per_y = 1 / np.where(np.abs(dx) < 1e-3, sx * 1e-3, dx), 1 / np.where(np.abs(dy) < 1e-3, sy * 1e-3, dy)
        leaving = np.minimum((sx * ix - x) * per_x, (sy * iy - y) * per_y)
        entering = np.maximum((-sx * ox - x) * per_x, (-sy * oy - y) * per_y)
        beyond = np.minimum((sx * ox - x) * per_x, (sy * oy - y) * per_y)
        blocked_inside = z + leaving * dz < self.arena.wall_height_mm
        crosses = (entering > 0) & (entering < beyond) & (entering < 1)
        blocked_outside = crosses & (z + entering * dz < self.arena.wall_height_mm)
        return ~np.where(inside, blocked_inside, blocked_outside)

    def group_of(self, members: NDArray[np.intp]) -> NDArray[np.intp]:
        """The whole group of which (some) members are given."""
        return next(group for group in self.groups if members[0] in group)

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
