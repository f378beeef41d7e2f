"""A reader that refuses to judge while the tray is pushed away from the place where it was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt, Way
from arena_cam.domain.lies import Lie, Reading, TablePose, Unreadable
from arena_cam.domain.table import Table
from arena_cam.vision.table.empty_picture import empty_picture
from arena_cam.vision.table.pose import SeenTable, TablePoseFinder
from arena_cam.vision.table.tray_place import TrayPlace, TrayShift
from arena_cam.vision.watching.watcher import Reader

# A wall that is off by this much decides landings wrongly; what is measured of a tray that was not touched is off by
# 0.15 mm at the most, hands and cards over its walls included.
FAR_MM = 2.0
FAR_DEG = 0.8  # moves the end of a wall of 280 mm by as much


class TrayGuard:
    """Reads through `reader`, and checks after each reading whether the tray still lies in its place."""

    def __init__(self, reader: Reader, table: Table) -> None:
        """The tray's place is that of the table's picture of the empty arena, else of the first picture read."""
        self._reader = reader
        self._place = TrayPlace(table)
        self._poses = TablePoseFinder(table)
        self._pushed: TrayShift | None = None
        picture = empty_picture(table)
        if picture is not None:
            seen = self._poses.reference = self._seen(picture)
            if seen is not None:
                self._place.look(picture, seen.pose)

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,
        before: Image | None = None,
    ) -> Reading | Unreadable:
        """The reading of `frame`, or that the tray must be pushed back first."""
        if self._pushed is not None:  # nobody needs to know what lies there while it is not back
            seen = self._seen(frame.image_bgr)
            if seen is None or self._away(frame, seen.pose):
                return _unreadable(frame, self._pushed)
        answer = self._reader.read(frame, known=known, changed=changed, before=before)
        if isinstance(answer, Unreadable) or answer.pose is None or answer.pose.held:
            return answer
        return _unreadable(frame, self._pushed) if self._away(frame, answer.pose) and self._pushed else answer

    def _seen(self, picture: np.ndarray) -> SeenTable | None:
        return self._poses.find(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))

    def _away(self, frame: Frame, pose: TablePose) -> bool:
        """Whether the tray lies elsewhere; if that cannot be measured, the last answer holds."""
        shift = self._place.look(frame.image_bgr, pose)
        if shift is not None:
            away = shift.far_mm > FAR_MM or abs(shift.turn_deg) > FAR_DEG
            self._pushed = shift if away else None
        return self._pushed is not None


def _unreadable(frame: Frame, shift: TrayShift) -> Unreadable:
    way = tuple(Way)[round(math.atan2(shift.y_mm, shift.x_mm) / (math.pi / 4)) % 8]
    pushed = [Doubt.TRAY_PUSHED(distance_mm=round(shift.far_mm), way=way)] if shift.far_mm > FAR_MM else []
    turned = [Doubt.TRAY_TURNED(turn_deg=round(abs(shift.turn_deg)))] if abs(shift.turn_deg) > FAR_DEG else []
    return Unreadable(frame.name, frame.time_s, (*pushed, *turned), Doubt.PUSH_BACK())
