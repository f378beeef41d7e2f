"""Finds the duelling blocks that lie open beside the arena: whose, what they say, and where.

A block counts as open where its marker is read, the marker is of the printed size, and the print's white rim shows all
round: fingers that still hold a block, or a sleeve over its corner, hide some of the rim though the marker shows.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.blocks import (
    BLOCK_DICTIONARY,
    BLOCK_MARKER_AT_MM,
    BLOCK_MARKER_MM,
    BLOCK_MM,
    Block,
    OpenBlock,
    block_of,
)
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.markers import find_markers

# A print on a wooden block of 30 mm comes 6 % closer to a camera 500 mm up; a printer's scaling adds some per cent.
LEAST_SIZE, MOST_SIZE = 0.8, 1.25
# The rim is looked at so far inside the print's border: scissors stray by a millimetre or two.
RIM_INSET_MM = 2.0
RIM_STEP_MM = 1.0
# A fingertip hides more of the rim than this, at a corner too; less may be a scratch, a fold or a glint.
LONGEST_HIDDEN_MM = 5.0
# Of the white round the marker: shade of a hand near by leaves half the light, and all colours of it alike.
DARKEST, BRIGHTEST, TINT = 0.5, 1.4, 0.14

MODULES = 7  # along a marker's side: five and its border

_MARKER_MM = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * BLOCK_MARKER_MM / 2 + BLOCK_MARKER_AT_MM


class BlockFinder:
    """Looks for blocks in one picture. Keeps nothing from one picture to the next."""

    def __init__(self, table: Table) -> None:
        self._table = table
        own = table.fiducials.dictionary == BLOCK_DICTIONARY
        self._fiducials = frozenset(table.fiducials.centres_mm) if own else frozenset()

    def find(self, frame: Frame, pose: TablePose) -> tuple[OpenBlock, ...]:
        """The blocks that lie open outside the tray in `frame`, by the camera's `pose`; each marker once."""
        image = frame.image_bgr
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        camera = Camera(
            np.array(self._table.K, np.float64),
            np.array((*self._table.dist, 0.0, 0.0, 0.0, 0.0, 0.0)[:5], np.float64),
            np.array(pose.rvec, np.float64),
            np.array(pose.tvec, np.float64),
        )
        found: dict[Block, OpenBlock] = {}
        for marker in find_markers(grey, BLOCK_DICTIONARY):
            block = block_of(marker.id) if marker.id not in self._fiducials else None
            seen = self._open(block, _refined(grey, marker.corners_px), camera, image) if block is not None else None
            if seen is not None:
                found[seen.block] = seen
        return tuple(sorted(found.values(), key=lambda each: (each.block.colour, each.block.choice)))

    def _open(self, block: Block, corners_px: Array, camera: Camera, image: Image) -> OpenBlock | None:
        corners = camera.to_plane(corners_px, self._table.arena.table_z_mm)[:, :2]
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        if not LEAST_SIZE * BLOCK_MARKER_MM < sides.min() <= sides.max() < MOST_SIZE * BLOCK_MARKER_MM:
            return None
        middle = corners.mean(axis=0)
        if self._in_tray(middle) or not _rim_shows(image, corners_px):
            return None
        up = corners[0] - corners[3]
        angle_deg = float(np.degrees(np.arctan2(-up[0], up[1])))
        return OpenBlock(block, (float(middle[0]), float(middle[1])), angle_deg)

    def _in_tray(self, point_mm: Array) -> bool:
        arena = self._table.arena
        outer = np.array(arena.inner_mm) / 2 + arena.wall_thickness_mm
        return bool((np.abs(point_mm) < outer).all())


def _refined(grey: Image, corners_px: Array) -> Array:
    """The corners (4, 2) to a fraction of a pixel: the finder gives whole ones, and the rim lies 17 mm beyond them."""
    side = float(np.linalg.norm(corners_px - np.roll(corners_px, -1, axis=0), axis=1).min())
    reach = max(2, round(side / MODULES * 0.7))  # less than a module, or the next corner of the print is in sight
    start = corners_px.astype(np.float32).reshape(-1, 1, 2)
    found = cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), (cv2.TERM_CRITERIA_COUNT, 20, 0.0))
    return np.asarray(found, np.float64).reshape(4, 2)


def _rim_shows(image: Image, corners_px: Array) -> bool:
    """Whether the print's white rim shows all round the marker with these corners (4, 2)."""
    to_px = cv2.getPerspectiveTransform(_MARKER_MM.astype(np.float32), corners_px.astype(np.float32))
    rim_px, white_px = (cv2.perspectiveTransform(points[None], to_px)[0] for points in (_RIM_MM, _WHITE_MM))
    height, width = image.shape[:2]
    everything = np.concatenate([rim_px, white_px])
    if everything.min() < 1 or (everything > (width - 2, height - 2)).any():
        return False
    rim, white = _colours(image, rim_px), np.median(_colours(image, white_px), axis=0)
    ratio = rim / np.maximum(white, 1.0)
    light = ratio.mean(axis=1)
    tint = np.abs(ratio / np.maximum(light, 1e-3)[:, None] - 1.0).max(axis=1)
    hidden = (light < DARKEST) | (light > BRIGHTEST) | (tint > TINT)
    return _longest_run(hidden) * RIM_STEP_MM <= LONGEST_HIDDEN_MM


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Array:
    """Points (N, 2) along a rectangle, about RIM_STEP_MM apart, in order."""
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = round(float(np.abs(end - start).max()) / RIM_STEP_MM)
        sides.append(start + (end - start) * (np.arange(count) / count)[:, None])
    return np.concatenate(sides)


_RIM_MM = _rectangle(RIM_INSET_MM, RIM_INSET_MM, BLOCK_MM[0] - RIM_INSET_MM, BLOCK_MM[1] - RIM_INSET_MM)
# Half-way between the marker and the rim: paper wherever the marker is read at all.
_WHITE_MM = _rectangle(
    *(at - BLOCK_MARKER_MM / 2 - 2.0 for at in BLOCK_MARKER_AT_MM),
    *(at + BLOCK_MARKER_MM / 2 + 2.0 for at in BLOCK_MARKER_AT_MM),
)


def _colours(image: Image, points_px: Array) -> Array:
    """Colours (N, 3) of the picture at points (N, 2)."""
    x, y = points_px.astype(np.float32).T[:, None]
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR)[0], np.float64)


def _longest_run(mask: NDArray[np.bool_]) -> int:
    """The most neighbours in a closed ring that are all True."""
    if mask.all():
        return len(mask)
    longest = run = 0
    for each in np.roll(mask, -int(np.argmin(mask))):
        run = run + 1 if each else 0
        longest = max(longest, run)
    return longest
