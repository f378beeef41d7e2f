"""A table, a camera over it and a look, all drawn from one seed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.domain.table import Arena, Fiducials, Matrix3, Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.simulation.rendering.look import Look, plain_look, random_look

# The wide cameras of phones, webcams and the Pi see 65 to 75 degrees across: focal length over picture width.
FOCAL_PER_WIDTH = (0.745, 0.785)


@dataclass(frozen=True, eq=False)
class Scene:
    """`table` is what a program may know; `camera` is where the camera really is."""

    table: Table
    camera: Camera
    look: Look


def looking_down(K: Array, dist: Array, centre_mm: Array, target_mm: Array, roll_deg: float) -> Camera:
    """A camera at `centre_mm` that looks at `target_mm`, its picture's right along world x but for the roll."""
    forward = target_mm - centre_mm
    forward = forward / np.linalg.norm(forward)
    roll = math.radians(roll_deg)
    right = np.array([math.cos(roll), math.sin(roll), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    rvec = cv2.Rodrigues(rotation)[0].ravel()
    return Camera(K, dist, np.asarray(rvec, np.float64), -rotation @ centre_mm)


def random_scene(seed: int, size_px: tuple[int, int] = (1536, 864), deck: str | None = None) -> Scene:
    """A scene as varied as living rooms are: tray, fiducials, a camera 500 to 750 mm up, tilted by up to 9 degrees."""
    rng = np.random.default_rng([seed, 11])
    width = size_px[0]
    inner = float(rng.uniform(252, 320))
    arena = Arena(
        inner_mm=(inner, inner + float(rng.choice([0.0, 0.0, rng.uniform(-8, 8)]))),
        wall_height_mm=round(float(rng.uniform(9.5, 23)), 1),
        wall_thickness_mm=round(float(rng.uniform(4.5, 12.5)), 1),
        table_z_mm=round(float(-rng.uniform(0.4, 2.0)), 1),
    )
    fiducials = _fiducials(arena, rng)
    focal = width * rng.uniform(*FOCAL_PER_WIDTH)
    K = np.array(
        [
            [focal, 0.0, (width - 1) / 2 + rng.normal(0.0, 0.004) * width],
            [0.0, focal * rng.uniform(0.997, 1.003), (size_px[1] - 1) / 2 + rng.normal(0.0, 0.004) * width],
            [0.0, 0.0, 1.0],
        ]
    )
    dist = np.array(
        [rng.uniform(-0.07, 0.05), rng.uniform(-0.04, 0.05), *rng.normal(0.0, 0.0006, 2), rng.uniform(-0.02, 0.02)]
    )
    height = _height_for(arena, fiducials, focal, size_px, rng)
    camera = _camera(K, dist, height, rng)
    table = Table(size_px, _matrix(K), tuple(float(d) for d in dist), arena, fiducials, deck=deck)
    return Scene(table, camera, random_look(rng, width_px=width))


def default_scene(size_px: tuple[int, int] = (960, 540), seed: int = 7) -> Scene:
    """The simulated table that needs no outside data: a 280 mm tray under a camera at 600 mm."""
    width, height = size_px
    arena = Arena((280.0, 280.0), 14.0, 8.0, 0.0)
    centres = {0: (-176.0, 126.0), 1: (176.0, 126.0), 2: (176.0, -126.0), 3: (-176.0, -126.0)}
    fiducials = Fiducials("DICT_5X5_50", 28.0, centres, 0.1)
    focal = 0.77 * width
    K = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    dist = np.array([-0.03, 0.012, 0.0004, -0.0003, 0.0])
    camera = looking_down(K, dist, np.array([18.0, -46.0, 560.0]), np.array([2.0, 2.0, 0.0]), 0.8)
    table = Table(size_px, _matrix(K), tuple(float(d) for d in dist), arena, fiducials)
    return Scene(table, camera, plain_look(seed))


def _fiducials(arena: Arena, rng: np.random.Generator) -> Fiducials:
    """Four markers round the tray, beside its corners or along its sides, with random errors of place and angle."""
    size = round(float(rng.uniform(25, 30)), 1)
    paper = size * 9 / 7 / 2
    outer = np.asarray(arena.inner_mm) / 2 + arena.wall_thickness_mm
    # From the picture's middle a wall hides about a third of its height behind it; a careful host keeps clear of that.
    hidden = 0.33 * arena.wall_height_mm if rng.random() < 0.85 else 0.0
    x = outer[0] + paper + hidden + rng.uniform(0.5, 7.0)
    y = outer[1] * rng.uniform(0.75, 1.0)
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    centres = {
        k: (round(sx * (x + float(rng.uniform(0, 4))), 1), round(sy * (y + float(rng.uniform(-3, 3))), 1))
        for k, (sx, sy) in enumerate(signs)
    }
    return Fiducials("DICT_5X5_50", size, centres, arena.table_z_mm + 0.12)


def _height_for(
    arena: Arena, fiducials: Fiducials, focal: float, size_px: tuple[int, int], rng: np.random.Generator
) -> float:
    """A height between 500 and 750 mm from which tray and fiducials fill the picture with some room to spare."""
    half = max(
        max(abs(y) for _, y in fiducials.centres_mm.values()) + fiducials.size_mm,
        arena.inner_mm[1] / 2 + arena.wall_thickness_mm,
    )
    needed = focal * half / (size_px[1] / 2)
    return float(np.clip(needed * rng.uniform(1.10, 1.35), 500.0, 750.0))


def _camera(K: Array, dist: Array, height: float, rng: np.random.Generator) -> Camera:
    aside = rng.uniform(-0.11, 0.11, 2) * height
    centre = np.array([aside[0], aside[1], height])
    target = np.array([*rng.normal(0.0, 5.0, 2), 0.0])
    return looking_down(K, dist, centre, target, float(rng.normal(0.0, 2.5)))


def _matrix(K: Array) -> Matrix3:
    return tuple(tuple(float(v) for v in row) for row in K)  # type: ignore[return-value]  # 3 x 3 by construction
