"""A drinking glass seen from above: a rim, a darker foot and a glint."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from arena_cam.simulation.rendering.plates import Plate

SIDE_MM, PX_MM = 76.0, 2.0


@lru_cache(maxsize=1)
def glass_plate() -> Plate:
    """The glass as a cut-out: nearly clear inside, bright along its rim."""
    n = int(SIDE_MM * PX_MM)
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    radius = np.hypot(x - (n - 1) / 2, y - (n - 1) / 2) / PX_MM
    rim = np.exp(-(((radius - 35.0) / 1.2) ** 2))
    foot = np.exp(-(((radius - 24.0) / 1.8) ** 2))
    alpha = np.clip(0.28 * (radius < 35.5) + 0.65 * rim + 0.35 * foot, 0.0, 1.0).astype(np.float32)
    colour = np.full((n, n, 3), (0.30, 0.28, 0.26), np.float32) + 0.6 * rim[:, :, None]
    cv2.ellipse(colour, (n // 3, n // 3), (9, 4), -40, 0, 360, (1.4, 1.4, 1.4), -1, cv2.LINE_AA)
    angle = np.linspace(0.0, -2.0 * np.pi, 24, endpoint=False)
    outline = 35.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    return Plate(SIDE_MM, SIDE_MM, colour, alpha=alpha, outlines_mm=(outline,))
