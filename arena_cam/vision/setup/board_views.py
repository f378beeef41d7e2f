"""Picks the views worth keeping from a stream of pictures, and tells which views are still missing."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.messages import Message
from arena_cam.formats.board_json import Board
from arena_cam.vision.setup.board_corners import BoardView, find_board
from arena_cam.vision.setup.intrinsics import (
    Intrinsics,
    board_moved_px,
    determine_intrinsics,
    different_views,
    missing_before_fit,
    uncovered_corners,
)

HELD_STILL_PX = 1.0  # between two pictures; a board that moves faster is blurred, and rolls with the shutter


class ViewCollector:
    """Is offered one picture after another, and keeps those in which the board is held still at a new place."""

    def __init__(self, board: Board, image_size: tuple[int, int]) -> None:
        self._board = board
        self._image_size = image_size
        self.views: list[BoardView] = []
        self.seen: BoardView | None = None  # the board in the last picture offered
        self.still = False  # whether it was held still
        self.missing: list[Message] = missing_before_fit([], image_size)

    def offer(self, image_bgr: Image, name: str) -> bool:
        """Whether the picture (H, W, 3) was kept as a new view."""
        view = find_board(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8), self._board, name)
        before, self.seen = self.seen, view
        self.still = view is not None and before is not None and board_moved_px(view, before) <= HELD_STILL_PX
        if view is None or not self.still:
            return False
        if len(different_views([*self.views, view], self._image_size)) == len(self.views):
            return False
        self.views.append(view)
        return True

    def result(self) -> tuple[Intrinsics | None, list[Message]]:
        """The intrinsics once the views determine them, else None and what is missing."""
        found, self.missing = determine_intrinsics(self.views, self._image_size)
        return found, self.missing

    def uncovered(self) -> list[str]:
        """The corners of the picture that no view has reached: top left, top right, bottom left, bottom right."""
        return uncovered_corners(self.views, self._image_size)
