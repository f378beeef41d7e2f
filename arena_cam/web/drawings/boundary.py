"""The arena's boundary in a saved picture: the one measurement that is drawn but not kept as pixels.

Rotation vector to matrix: Rodrigues' formula. World to pixel: the pinhole camera with the Brown-Conrady distortion as
OpenCV writes it (k1, k2, p1, p2, k3). A few dozen points, so plain Python is quick enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Point = tuple[float, float]

NEAREST_MM = 1e-3  # a pose that has a corner in the camera itself draws nonsense, but draws
POINTS_A_SIDE = 12  # a straight edge is a curve through a lens


def boundary_points(table: Mapping[str, Any] | None, pose: Mapping[str, Any] | None) -> str:
    """The inner boundary on the floor as an SVG polygon's points, in pixels; "" without a table or a pose.

    `table` is the object of the table.json that the picture was judged with; `pose` has `rvec` and `tvec` as
    domain.lies.TablePose has them.
    """
    if not pose or not table:
        return ""
    rotation = _rotation(pose["rvec"])
    half_x, half_y = (side / 2 for side in table["arena"]["inner_mm"])
    corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
    pixels = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        for step in range(POINTS_A_SIDE):
            share = step / POINTS_A_SIDE
            pixels.append(_project(table, rotation, pose["tvec"], (ax + (bx - ax) * share, ay + (by - ay) * share)))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)


def _rotation(rvec: Sequence[float]) -> list[list[float]]:
    angle = math.sqrt(sum(r * r for r in rvec))
    if angle < 1e-12:  # no turn, and no axis to divide by
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    x, y, z = (r / angle for r in rvec)
    c, s, t = math.cos(angle), math.sin(angle), 1.0 - math.cos(angle)
    return [
        [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
    ]


def _project(table: Mapping[str, Any], rotation: list[list[float]], tvec: Sequence[float], point_mm: Point) -> Point:
    """The pixel of a point of the floor (z = 0)."""
    x_c, y_c, z_c = (row[0] * point_mm[0] + row[1] * point_mm[1] + t for row, t in zip(rotation, tvec, strict=True))
    z_c = z_c if abs(z_c) > NEAREST_MM else NEAREST_MM
    x, y = x_c / z_c, y_c / z_c
    k1, k2, p1, p2, k3 = (*table["dist"], 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    u = x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x)
    v = y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y
    (fx, skew, cx), (_, fy, cy), _ = table["K"]
    return fx * u + skew * v + cx, fy * v + cy
