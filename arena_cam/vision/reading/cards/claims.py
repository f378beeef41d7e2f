"""Which pixels of a picture are known to show a card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.scene import Scene


class Claims:
    """Which pixels are known to show a card: a mask at a quarter of the picture's size each way."""

    STEP = 4

    def __init__(self, width_px: int, height_px: int) -> None:
        self.mask: NDArray[np.uint8] = np.zeros((height_px // self.STEP + 1, width_px // self.STEP + 1), np.uint8)
        self.any = False

    @staticmethod
    def none_in(scene: Scene) -> Claims:
        """Of a scene's picture no card is claimed, but what an arm covers, which shows none."""
        claims = Claims.of_outlines(scene, ())
        if scene.arm is not None:
            claims.mask[:], claims.any = scene.arm, True
        return claims

    @staticmethod
    def of_outlines(scene: Scene, outlines_px: Sequence[Array]) -> Claims:
        """What of a scene's picture lies within the outlines (4, 2) of cards, and nothing that an arm covers beside."""
        height, width = scene.pyramid.levels[0].shape
        claims = Claims(width, height)
        for outline in outlines_px:
            claims.add_polygon(outline)
        return claims

    def copy(self) -> Claims:
        """The same claims, to be added to."""
        other = Claims.__new__(Claims)
        other.mask, other.any = self.mask.copy(), self.any
        return other

    def add_polygon(self, pixels: Array) -> None:
        """Claims a convex polygon given by its corners (N, 2) in frame pixels."""
        cv2.fillConvexPoly(self.mask, self._sixteenths(pixels), (1,), shift=_SHIFT)
        self.any = True

    def _sixteenths(self, pixels: Array) -> NDArray[np.int32]:
        """Frame pixels (N, 2) in sixteenths of the mask's, as cv2.fillConvexPoly takes them with `_SHIFT`."""
        return np.asarray(np.round(pixels / self.STEP * 2**_SHIFT), np.int32)

    def add_cells(self, scene: Scene, pose: CardPose, cells: NDArray[np.bool_]) -> None:
        """Claims those `cells` (rows, columns) of a card at `pose` that are true."""
        if not cells.any():
            return
        rows, columns = cells.shape
        deck = scene.faces.deck
        nodes = scene.camera.project(pose.points(*_corners_of_cells(rows, columns, deck.width_mm, deck.height_mm)))
        at = self._sixteenths(nodes).reshape(rows + 1, columns + 1, 2)
        padded = np.zeros((rows, columns + 2), np.int8)
        padded[:, 1:-1] = cells
        edges = padded[:, 1:] - padded[:, :-1]
        (row, first), (_, end) = (np.nonzero(edges == way) for way in (1, -1))
        for run in at[np.stack([row, row, row + 1, row + 1], axis=1), np.stack([first, end, end, first], axis=1)]:
            cv2.fillConvexPoly(self.mask, run, (1,), shift=_SHIFT)
            self.any = True

    def add(self, other: Claims) -> None:
        """Claims every pixel that other claims on the same picture hold."""
        np.maximum(self.mask, other.mask, out=self.mask)
        self.any |= other.any

    def free(self, pixels: Array) -> None:
        """Removes the claims on pixels (2, N) and on the pixels right beside them."""
        for x, y in np.round(pixels.T / self.STEP).astype(int):
            self.mask[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2] = 0

    def at(self, pixels: Array) -> Array:
        """1.0 where a pixel (2, N) is claimed, else 0.0."""
        height, width = self.mask.shape
        at = pixels * (1.0 / self.STEP) + 0.5
        # fmin and fmax bring what is behind the camera, NaN, to the rim
        at = np.fmax(np.fmin(at, [[width - 1.0], [height - 1.0]], out=at), 0.0, out=at)
        column, row = at.astype(np.intp)
        return np.asarray(self.mask.ravel()[row * width + column], dtype=np.float64)


_SHIFT = 4  # binary digits of a pixel's parts


@lru_cache(maxsize=4)
def _corners_of_cells(rows: int, columns: int, width_mm: float, height_mm: float) -> tuple[Array, Array]:
    """Where on a card the corners of its cells lie, x and y in mm (N,), row by row."""
    x, y = np.meshgrid(
        (np.arange(columns + 1) / columns - 0.5) * width_mm,
        (0.5 - np.arange(rows + 1) / rows) * height_mm,
    )
    return x.ravel(), y.ravel()
