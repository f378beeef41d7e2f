"""Blacks out everything but the tray in a picture that others will see."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Table
from arena_cam.geometry.camera_model import Camera

HIDDEN = (72, 68, 64)  # blue, green, red of what is hidden: a calm grey
SIDE_POINTS = 16  # of a straight edge, so that the lens's curve is followed


def arena_only(image: Image, table: Table, pose: TablePose | None) -> Image:
    """A copy of `image` (H, W, 3) that shows the tray and nothing round it; nothing at all without a pose."""
    shown = np.full_like(image, HIDDEN)
    if pose is None:
        return shown
    camera = Camera(np.array(table.K), np.array(table.dist), np.array(pose.rvec), np.array(pose.tvec))
    half = np.array(table.arena.inner_mm) / 2 + table.arena.wall_thickness_mm
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    steps = np.linspace(0, 1, SIDE_POINTS, endpoint=False)[:, None]
    rim = np.concatenate([a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
    outline = camera.project(np.column_stack([rim, np.full(len(rim), table.arena.wall_height_mm)]))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    cv2.copyTo(image, mask, shown)
    return shown
