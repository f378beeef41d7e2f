"""Picks the views worth keeping from pictures that come by themselves, and says what is still missing."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.board_json import Board
from arena_cam.vision.board_corners import BoardView, find_board
from arena_cam.vision.intrinsics import (
    Intrinsics,
    board_moved_px,
    different_views,
    estimate_intrinsics,
    missing_before_fit,
)

HELD_STILL_PX = 1.0  # between two pictures; a board that moves faster is blurred, and rolls with the shutter


class ViewCollector:
    """Is offered one picture after another; keeps those in which the board is held still somewhere new."""

    def __init__(self, board: Board, image_size: tuple[int, int]) -> None:
        self._board = board
        self._image_size = image_size
        self._before: BoardView | None = None
        self.views: list[BoardView] = []

    def offer(self, image_bgr: Image, name: str) -> bool:
        """Whether the picture (H, W, 3) was kept as a new view."""
        view = find_board(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8), self._board, name)
        before, self._before = self._before, view
        if view is None or before is None or board_moved_px(view, before) > HELD_STILL_PX:
            return False
        if len(different_views([*self.views, view], self._image_size)) == len(self.views):
            return False
        self.views.append(view)
        return True

    def result(self) -> tuple[Intrinsics | None, str]:
        """The intrinsics once the views determine them, else None and what is missing."""
        missing = missing_before_fit(self.views, self._image_size)
        if missing:
            return None, "; and ".join(missing)
        try:
            return estimate_intrinsics(self.views, self._image_size), ""
        except CannotDo as error:
            return None, str(error)
