"""A calibrated camera at one place: world points to distorted pixels, and pixels back to a plane.

World frame: millimetres, z up out of the arena's floor. Camera frame: OpenCV's (x right, y down, z into the scene).
Pixels are (x, y) in the distorted image, (0, 0) the centre of the top-left pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array

_FEW = 8  # points: the corners of a card and the middles of its sides


@dataclass(frozen=True, eq=False)
class Camera:
    """Intrinsics `K` (3, 3) and `dist` (k1, k2, p1, p2, k3) with extrinsics X_camera = R X_world + t (mm)."""

    K: Array
    dist: Array
    rvec: Array
    tvec: Array

    @cached_property
    def R(self) -> Array:
        """Rotation (3, 3) from the world frame to the camera frame."""
        return np.asarray(cv2.Rodrigues(self.rvec)[0], dtype=np.float64)

    @cached_property
    def centre_mm(self) -> Array:
        """The camera's centre (3,) in the world frame."""
        return -self.R.T @ self.tvec

    @cached_property
    def flat(self) -> Array:
        """All parameters in one row (31,), for compiled code: R, t, the pixels of distorted terms (2, 6), k1, k2, k3,
        the focal length (px), and the centre (mm)."""
        focal = np.sqrt(self.K[0, 0] * self.K[1, 1])
        parts = (self.R, self.tvec, self._pixel_of_terms, self.dist[[0, 1, 4]], focal, self.centre_mm)
        return np.concatenate([np.ravel(part) for part in parts])

    def to_camera(self, world_mm: Array) -> Array:
        """Points (N, 3) of the world frame in the camera frame."""
        return world_mm @ self.R.T + self.tvec

    def project(self, world_mm: Array) -> Array:
        """Distorted pixels (N, 2) of world points (N, 3)."""
        few = self._few_projected(world_mm) if len(world_mm) <= _FEW else None
        return self.distort(self._normalised(self.to_camera(world_mm))) if few is None else few

    def _few_projected(self, world_mm: Array) -> Array | None:
        """`project` point by point: of a card's corners, a hundred times a frame, in a third of the time that a dozen
        calls of numpy take. None where a point lies in the camera's own plane."""
        xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz = self._extrinsics
        pixels = []
        for x_mm, y_mm, z_mm in world_mm.tolist():
            depth = zx * x_mm + zy * y_mm + zz * z_mm + tz
            if depth == 0.0:
                return None
            x, y = (xx * x_mm + xy * y_mm + xz * z_mm + tx) / depth, (yx * x_mm + yy * y_mm + yz * z_mm + ty) / depth
            pixels.append(self._pixel(x, y))
        return np.array(pixels, np.float64).reshape(-1, 2)

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        """As `_distorted`, of one point."""
        x2, y2, both, radial = x * x, y * y, x * y, 1.0
        if self._radial is not None:
            (k1, k2, k3), r2 = self._radial, x2 + y2
            radial = ((k3 * r2 + k2) * r2 + k1) * r2 + 1.0
        (a, b, c, d, e, f), (g, h, i, j, k, m) = self._rows_of_terms
        x, y = x * radial, y * radial
        return a * x + b * y + c * both + d * x2 + e * y2 + f, g * x + h * y + i * both + j * x2 + k * y2 + m

    @cached_property
    def _extrinsics(self) -> tuple[float, ...]:
        return *self.R.ravel().tolist(), *self.tvec.tolist()

    @cached_property
    def _rows_of_terms(self) -> tuple[list[float], list[float]]:
        across, down = self._pixel_of_terms.tolist()
        return across, down

    def project_plane(self, plane: Array, places: Array) -> Array:
        """Distorted pixels (2, N) of points of a plane in the world, which is quicker than one by one.

        `plane` (3, 3) holds as columns the world vectors of the plane's x and y and its origin (mm), `places` (3, N)
        for each point x and y on the plane and 1.
        """
        to_camera = self.R @ plane
        to_camera[:, 2] += self.tvec
        x, y, z = to_camera @ places
        x /= z
        y /= z
        return self._distorted(x, y)

    @staticmethod
    def _normalised(camera_mm: Array) -> Array:
        return camera_mm[:, :2] / camera_mm[:, 2:3]

    def distort(self, normalised: Array) -> Array:
        """Pixels (N, 2) of normalised image coordinates (N, 2), by the Brown-Conrady model as OpenCV writes it."""
        return self._distorted(normalised[:, 0], normalised[:, 1]).T

    def _distorted(self, x: Array, y: Array) -> Array:
        """Pixels (2, N) of normalised image coordinates x and y (N,)."""
        if self._radial is None:
            return np.asarray(np.stack([self.K[0, 0] * x + self.K[0, 1] * y, self.K[1, 1] * y]) + self.K[:2, 2:])
        k1, k2, k3 = self._radial
        terms = np.empty((6, len(x)))
        np.multiply(x, y, out=terms[2])
        np.multiply(x, x, out=terms[3])
        np.multiply(y, y, out=terms[4])
        r2 = terms[3] + terms[4]
        radial = r2 * k3
        radial += k2
        radial *= r2
        radial += k1
        radial *= r2
        radial += 1.0
        np.multiply(x, radial, out=terms[0])
        np.multiply(y, radial, out=terms[1])
        terms[5] = 1.0
        return np.asarray(self._pixel_of_terms @ terms)

    @cached_property
    def _radial(self) -> tuple[float, float, float] | None:
        """k1, k2 and k3; None of a lens that distorts nothing."""
        return (float(self.dist[0]), float(self.dist[1]), float(self.dist[4])) if self.dist.any() else None

    @cached_property
    def _pixel_of_terms(self) -> Array:
        """(2, 6): pixels from x and y radially distorted, x y, x x, y y and 1."""
        p1, p2 = (float(p) for p in self.dist[2:4])
        across = np.array([1.0, 0.0, 2.0 * p1, 3.0 * p2, p2, 0.0])
        down = np.array([0.0, 1.0, 2.0 * p2, p1, 3.0 * p1, 0.0])
        rows = np.stack([self.K[0, 0] * across + self.K[0, 1] * down, self.K[1, 1] * down])
        rows[:, 5] = self.K[:2, 2]
        return rows

    def project_circle(self, x_mm: float, y_mm: float, radius_mm: float, points: int = 24) -> Array:
        """Distorted pixels (points, 2) of a circle on the world's floor, z = 0."""
        turn = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
        x, y = x_mm + radius_mm * np.cos(turn), y_mm + radius_mm * np.sin(turn)
        return self.project(np.column_stack([x, y, np.zeros(points)]))

    def to_plane(self, pixels: Array, z_mm: float = 0.0) -> Array:
        """World points (N, 3) where the rays through distorted pixels (N, 2) meet the plane at height `z_mm`."""
        flat = cv2.undistortPoints(np.asarray(pixels, np.float64).reshape(-1, 1, 2), self.K, self.dist).reshape(-1, 2)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.R
        centre = self.centre_mm
        return np.asarray(centre + rays * ((z_mm - centre[2]) / rays[:, 2:3]))

    def px_per_mm(self, world_mm: Array) -> float:
        """Scale of the picture at a world point (3,), for a plane that faces the camera."""
        (x, y, z), (*_, zx, zy, zz, _, _, tz) = world_mm.tolist(), self._extrinsics
        return float(self._focal_px / (zx * x + zy * y + zz * z + tz))

    @cached_property
    def _focal_px(self) -> float:
        return float(np.sqrt(self.K[0, 0] * self.K[1, 1]))
