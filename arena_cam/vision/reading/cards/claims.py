"""Which pixels of a picture are known to show a card."""

from __future__ import annotations

from collections.abc import Sequence

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
        at = np.round(pixels / self.STEP * 16).astype(np.int32)
        cv2.fillConvexPoly(self.mask, at, (1,), shift=4)
        self.any = True

    def add_cells(self, scene: Scene, pose: CardPose, cells: NDArray[np.bool_]) -> None:
        """Claims those `cells` (rows, columns) of a card at `pose` that are true."""
        rows, columns = cells.shape
        deck = scene.faces.deck
        gx, gy = np.meshgrid(
            (np.arange(columns + 1) / columns - 0.5) * deck.width_mm,
            (0.5 - np.arange(rows + 1) / rows) * deck.height_mm,
        )
        nodes = scene.camera.project(pose.points(gx.ravel(), gy.ravel())).reshape(rows + 1, columns + 1, 2)
        edges = np.diff(np.pad(cells.astype(np.int8), ((0, 0), (1, 1))), axis=1)
        for (r, first), (_, end) in zip(np.argwhere(edges == 1), np.argwhere(edges == -1), strict=True):
            self.add_polygon(np.array([nodes[r, first], nodes[r, end], nodes[r + 1, end], nodes[r + 1, first]]))

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
