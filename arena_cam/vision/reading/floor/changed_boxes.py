"""Boxes of the picture outside of which it shows nothing but the empty table."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.markers import Box, boxes_round
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM, TableChange
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM, shows_whole_picture

# Noise makes smaller pieces. The smallest marker that can be read is larger, and all of it differs, seen as softly.
_SPECK_PX = round(4 * VIEW_PX_PER_MM)


def changed_boxes(change: TableChange, shape: tuple[int, ...]) -> list[Box]:
    """Boxes, none over another, of a picture (height, width) that hold whatever differs from the empty table."""
    height, width = shape[:2]
    half = change.table.half_mm
    if not shows_whole_picture(change.camera, (width, height), half):
        return [(0, 0, width, height)]
    every = (slice(None, None, _SPECK_PX),) * 2  # meets all that is solid
    solid = np.asarray(cv2.morphologyEx(change.changed, cv2.MORPH_OPEN, _square(_SPECK_PX)), np.uint8)[every]
    # what lies on a wall, where nothing is compared, lies beside it, too
    size = 2 * math.ceil(change.table.strip_mm * VIEW_PX_PER_MM / _SPECK_PX) + 1
    beside = np.asarray(cv2.dilate(solid, _square(size)), np.uint8) & (1 - change.table.valid[every])
    stats = cv2.connectedComponentsWithStats(solid | beside)[2][1:, :4].astype(np.float64) * _SPECK_PX / VIEW_PX_PER_MM
    return boxes_round([_outline(change, box) for box in stats], (height, width))


def _square(size: int) -> NDArray[np.uint8]:
    return np.ones((size, size), np.uint8)


def _outline(change: TableChange, box: Array) -> Array:
    """Pixels (8, 2) round a box (left, top, width, height; mm from the view's corner) of the view: its corners and the
    middles of its sides, for lenses bend these."""
    (left, top), (across, along) = box[:2] - _SPECK_PX / VIEW_PX_PER_MM, box[2:] / 2 + _SPECK_PX / VIEW_PX_PER_MM
    x = left + across * np.array([0, 1, 2, 2, 2, 1, 0, 0]) - change.table.half_mm[0]
    y = change.table.half_mm[1] - (top + along * np.array([0, 0, 0, 1, 2, 2, 2, 1]))
    return change.camera.project(np.column_stack([x, y, np.full(8, GUESS_HEIGHT_MM)]))
