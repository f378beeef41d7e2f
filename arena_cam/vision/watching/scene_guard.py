"""A reader that refuses to judge a picture of something else: mirrored, turned, out of focus, or of another table.

Each accepted picture becomes the reference for the next. Both are cut into tiles. Where the reference has print or
grain, the tile of the new picture must correlate with it (zero-mean normalised cross-correlation, which is independent
of the strength of the light). Hands and cards cover some of the tiles; another picture changes all of them. Sharpness
is the share of the finest print (the Laplacian) that is kept, tile by tile: blur lowers it everywhere at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Reading, TablePose, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array, Grey
from arena_cam.vision.picture.robust import median
from arena_cam.vision.table.empty_picture import empty_picture
from arena_cam.vision.table.other_fiducials import other_fiducials
from arena_cam.vision.table.pose import TablePoseFinder
from arena_cam.vision.watching.tray_guard import TrayGuard
from arena_cam.vision.watching.watcher import Reader

WIDTH_PX = 480  # of the pictures that are compared: a tile then shows some 30 mm of a usual table
TILE_PX = 16
# A tile whose standard deviation is less than this (grey levels, slow changes taken out) shows nothing but noise.
LEAST_CONTRAST = 3.0
# Tiles that are needed before anything is said of a picture.
FEWEST_TILES = 12
# Noise correlates with nothing: over the 256 pixels of a tile its correlation has a standard deviation of 0.06. Half of
# a tile may be covered and the rest still reaches this.
AGREEING = 0.4
# Over six recorded rounds 84 % of the tiles or more agreed, hands and cards included; of another table's, 2 % at most.
LEAST_SHARE = 0.25
# A tray is nearly symmetric: mirrored, up to 48 % agreed. Then the mirrored reference agrees by so much better.
MIRROR_BETTER = 0.3
# A bumped camera turns by a few degrees; one that lies on its side, or whose driver turns pictures, by 90 or 180.
MOST_TURN_DEG = 60.0
# Print that is kept beside the reference: 0.91 or more in those rounds; 0.2 to 0.3, 0.04 to 0.08 and 0.02 with a blur
# of 2, 4 and 8 px (Gaussian, of 960). Cards are read with a blur of 2.
LEAST_KEPT = 0.15


@dataclass(frozen=True, eq=False)
class _Reference:
    """A picture that showed the table: small and grey, and the camera's pose in it."""

    grey: Grey
    pose: TablePose | None


def guarded(reader: Reader, table: Table) -> Reader:
    """`reader` wrapped so that it refuses pictures of another scene and pictures with a tray that was pushed away."""
    return SceneGuard(TrayGuard(reader, table), table)


class SceneGuard:
    """Reads through `reader`, and withholds each reading of a picture that does not show the scene of the last one."""

    def __init__(self, reader: Reader, table: Table) -> None:
        """The first reference is the table's picture of the empty arena, else the first picture that is read."""
        self._reader = reader
        self._table = table
        self._reference: _Reference | None = None
        picture = empty_picture(table)
        if picture is not None:
            seen = TablePoseFinder(table).find(_grey(picture))
            self._reference = _Reference(_small(picture), seen.pose) if seen is not None else None

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,
        before: Image | None = None,
    ) -> Reading | Unreadable:
        """The reading of `frame`, or why its picture is not one of this table."""
        answer = self._reader.read(frame, known=known, changed=changed, before=before)
        if isinstance(answer, Unreadable):
            return self._mirrored_first(frame) or answer
        small = _small(frame.image_bgr)
        trouble = self._trouble(small, answer.pose) or self._other_set(frame, answer.pose)
        if trouble is not None:
            return Unreadable(frame.name, frame.time_s, *trouble)
        self._reference = _Reference(small, answer.pose)
        return answer

    def _trouble(self, small: Grey, pose: TablePose | None) -> Trouble | None:
        """What is wrong and what to do, or None if the picture shows the scene of the reference."""
        if self._reference is None:
            return None
        turn_deg = _turn_deg(self._reference.pose, pose)
        if turn_deg > MOST_TURN_DEG:
            return (Doubt.PICTURE_TURNED(turn_deg=round(turn_deg)),), Doubt.TURN_BACK()
        expected = self._moved(self._reference, pose, small.shape)
        tiles = _compare(expected, small)
        if tiles.count < FEWEST_TILES:
            return None
        if tiles.share + MIRROR_BETTER < 1.0:  # else no share is so much better
            mirrored = _compare(np.ascontiguousarray(self._reference.grey[:, ::-1]), small).share
            if mirrored > tiles.share + MIRROR_BETTER:
                return MIRRORED
        if tiles.share < LEAST_SHARE:
            return ANOTHER
        return BLURRED if tiles.kept < LEAST_KEPT else None

    def _other_set(self, frame: Frame, pose: TablePose | None) -> Trouble | None:
        """A pose is held where hands cover the fiducials; where others stand in their places, it is another table."""
        if pose is None or not pose.held or not other_fiducials(_grey(frame.image_bgr), self._table, pose):
            return None
        return (Doubt.OTHER_FIDUCIALS(),), Doubt.POINT_AT_TABLE()

    def _moved(self, reference: _Reference, pose: TablePose | None, shape: tuple[int, ...]) -> Grey:
        """The reference as the camera sees it from `pose`: by the homography of the table's plane."""
        if pose is None or reference.pose is None or pose.held:
            return reference.grey
        scale = WIDTH_PX / self._table.image_size[0]
        to_small = np.diag([scale, scale, 1.0]) @ np.array(self._table.K, np.float64)
        homography = to_small @ _plane(pose) @ np.linalg.inv(to_small @ _plane(reference.pose))
        size = (shape[1], shape[0])
        return np.asarray(cv2.warpPerspective(reference.grey, homography, size, borderValue=(-1.0,)), np.float32)

    def _mirrored_first(self, frame: Frame) -> Unreadable | None:
        """Fiducials that are read only in the mirrored picture: the camera mirrors."""
        flipped = np.ascontiguousarray(_grey(frame.image_bgr)[:, ::-1])
        found = TablePoseFinder(self._table).find(flipped, refine=False)
        return Unreadable(frame.name, frame.time_s, *MIRRORED) if found is not None else None


Trouble = tuple[tuple[Message, ...], Message]
MIRRORED: Trouble = (Doubt.MIRRORED(),), Doubt.MIRRORING_OFF()
ANOTHER: Trouble = (Doubt.OTHER_SCENE(),), Doubt.POINT_AT_TABLE()
BLURRED: Trouble = (Doubt.OUT_OF_FOCUS(),), Doubt.FOCUS()


@dataclass(frozen=True)
class _Tiles:
    """How many tiles of a reference can be compared, which share agrees, and how much of their finest print is kept."""

    count: int
    share: float
    kept: float


def _compare(expected: Grey, seen: Grey) -> _Tiles:
    inside = _means((expected >= 0).astype(np.float32)) > 0.999
    before, now = _without_slow_changes(expected), _without_slow_changes(seen)
    variance, own = _means(before * before), _means(now * now)
    told = inside & (variance > LEAST_CONTRAST**2)
    count = int(told.sum())
    if not count:
        return _Tiles(0, 1.0, 1.0)
    correlation = _means(before * now) / np.sqrt(np.maximum(variance * own, 1e-6))
    agree = told & (correlation > AGREEING)
    if agree.sum() < FEWEST_TILES // 2:
        return _Tiles(count, float(agree.sum() / count), 1.0)
    kept = median(_kept(before, now)[agree])
    return _Tiles(count, float(agree.sum() / count), kept)


def _kept(before: Grey, now: Grey) -> Grey:
    """How much of the finest print is left beside how much of all print is, tile by tile: 1 where nothing is blurred.

    Both are slopes of a regression of the new picture on the old one, so that noise, which neither explains, adds
    nothing.
    """
    slopes = [
        _means(b * n) / np.maximum(_means(b * b), 1e-6) for b, n in ((_finest(before), _finest(now)), (before, now))
    ]
    return np.asarray(slopes[0] / np.maximum(slopes[1], 1e-3), np.float32)


def _finest(picture: Grey) -> Grey:
    return np.asarray(cv2.Laplacian(picture, cv2.CV_32F), np.float32)


def _without_slow_changes(grey: Grey) -> Grey:
    """Light varies over many tiles, print within one."""
    return np.asarray(grey - cv2.boxFilter(grey, -1, (TILE_PX + 1, TILE_PX + 1)), np.float32)


def _means(values: Grey) -> Grey:
    rows, columns = values.shape[0] // TILE_PX, values.shape[1] // TILE_PX
    whole = values[: rows * TILE_PX, : columns * TILE_PX]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)


def _grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _small(picture: Image) -> Grey:
    height = round(picture.shape[0] * WIDTH_PX / picture.shape[1])
    small = cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def _turn_deg(before: TablePose | None, now: TablePose | None) -> float:
    """By how much the camera has turned between two poses, about whatever axis; 0 where one is not known."""
    if before is None or now is None or now.held:
        return 0.0
    rotations = [np.asarray(cv2.Rodrigues(np.asarray(pose.rvec, np.float64))[0], np.float64) for pose in (before, now)]
    turn = cv2.Rodrigues(rotations[1] @ rotations[0].T)[0]
    return math.degrees(float(np.linalg.norm(turn)))


def _plane(pose: TablePose) -> Array:
    """From (x, y, 1) on the arena's floor (mm) to the camera's frame: the rotation's first two columns and t."""
    rotation = np.asarray(cv2.Rodrigues(np.asarray(pose.rvec, np.float64))[0], np.float64)
    return np.column_stack([rotation[:, 0], rotation[:, 1], np.asarray(pose.tvec, np.float64)])
