"""What calibration knows of one camera over one arena (the content of a table.json), in plain numbers.

World frame: right-handed, origin at the middle of the arena's floor, x right and y up as the picture shows them, z up
out of the floor towards the camera; millimetres. Camera frame: OpenCV's, x right, y down, z into the scene.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

Matrix3 = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Arena:
    """The tray. `inner_mm` is (width along x, depth along y) of its inner boundary, where floor meets wall."""

    inner_mm: tuple[float, float]
    wall_height_mm: float
    wall_thickness_mm: float
    table_z_mm: float = 0.0


@dataclass(frozen=True)
class Fiducials:
    """Square markers lying on the table round the tray, their surface at `z_mm`, upright in the world frame."""

    dictionary: str
    size_mm: float
    centres_mm: dict[int, tuple[float, float]]
    z_mm: float = 0.0


@dataclass(frozen=True)
class Table:
    """A calibrated camera over an arena. `K` and `dist` (k1, k2, p1, p2, k3) are OpenCV's; `image_size` (w, h) px."""

    image_size: tuple[int, int]
    K: Matrix3
    dist: tuple[float, ...]
    arena: Arena
    fiducials: Fiducials
    empty: Path | None = None
    deck: str | None = None
