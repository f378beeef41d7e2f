"""What lies on the floor of the arena and is none of the cards found: a card too much covered to name, a hand, a phone.

The picture of the empty arena, brought to this frame's camera pose, is compared with the frame, both seen from straight
above. Light may have changed and shadows fall: they change all colours alike and make nothing much brighter. What changes
colour, brightens, or turns black, over an area that could be a piece of a card, is a stranger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.proposals import floor_view_map

Array = NDArray[np.float64]
Grid = NDArray[np.float32]

VIEW_PX_PER_MM = 1.0
_FROM_WALL_MM = 7.0  # nearer the wall its shadow and reflection move with the light
_ROUND_CARDS_MM = 3.5  # a card's own shadow and the doubt about its outline
# Log ratios to the empty floor, the light of the surroundings taken out: shadows reach -1 and are grey to about 0.15.
_COLOUR, _BRIGHTER, _BLACK = 0.30, 0.40, -1.6
_SMALLEST_MM2 = 90.0  # of a card of 5000 mm2: what shows of one whose corner looks out by 13 mm


@dataclass(frozen=True, eq=False)
class Stranger:
    """A piece of floor that shows something unknown: its area and its middle in the world frame."""

    area_mm2: float
    centre_mm: tuple[float, float]


class EmptyFloor:
    """The empty arena as its set-up picture shows it, seen from above."""

    def __init__(self, bgr: NDArray[np.uint8], camera: Camera, arena: Arena) -> None:
        self._arena = arena
        self._half = (arena.inner_mm[0] / 2 - _FROM_WALL_MM, arena.inner_mm[1] / 2 - _FROM_WALL_MM)
        self._floor = self._from_above(bgr, camera)

    def strangers(self, bgr: NDArray[np.uint8], camera: Camera, outlines_px: Sequence[Array]) -> list[Stranger]:
        """Unknown things on the floor of a picture (H, W, 3), outside the outlines (4, 2) of the cards found."""
        ratio = self._log_ratio(bgr, camera)
        known = self._known(outlines_px, camera, ratio.shape[:2])
        ratio -= self._light(ratio, known)
        mean = ratio.mean(axis=2)
        colour = np.abs(ratio - mean[:, :, None]).max(axis=2)
        odd = ((colour > _COLOUR) | (mean > _BRIGHTER) | (mean < _BLACK)) & (known == 0)
        solid = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
        count, _, stats, centres = cv2.connectedComponentsWithStats(solid)
        return [
            Stranger(
                float(stats[i, cv2.CC_STAT_AREA]) / VIEW_PX_PER_MM**2,
                (
                    float(centres[i][0]) / VIEW_PX_PER_MM - self._half[0],
                    self._half[1] - float(centres[i][1]) / VIEW_PX_PER_MM,
                ),
            )
            for i in range(1, count)
            if stats[i, cv2.CC_STAT_AREA] / VIEW_PX_PER_MM**2 >= _SMALLEST_MM2
        ]

    def _from_above(self, bgr: NDArray[np.uint8], camera: Camera) -> Grid:
        view = cv2.remap(bgr, floor_view_map(camera, self._half, VIEW_PX_PER_MM), None, cv2.INTER_LINEAR)
        return np.asarray(cv2.GaussianBlur(view, (0, 0), 1.5), dtype=np.float32)

    def _log_ratio(self, bgr: NDArray[np.uint8], camera: Camera) -> Grid:
        # eight grey levels of black level and noise: dark floors would otherwise be all ratio and no signal
        return np.asarray(np.log((self._from_above(bgr, camera) + 8.0) / (self._floor + 8.0)), dtype=np.float32)

    def _known(self, outlines_px: Sequence[Array], camera: Camera, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        mask = np.zeros(shape, np.uint8)
        for outline in outlines_px:
            world = camera.to_plane(outline, 0.0)[:, :2]
            column = (world[:, 0] + self._half[0]) * VIEW_PX_PER_MM
            row = (self._half[1] - world[:, 1]) * VIEW_PX_PER_MM
            cv2.fillConvexPoly(mask, np.round(np.stack([column, row], axis=1)).astype(np.int32), (1,))
        size = 2 * round(_ROUND_CARDS_MM * VIEW_PX_PER_MM) + 1
        return np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)

    @staticmethod
    def _light(ratio: Grid, known: NDArray[np.uint8]) -> Grid:
        """How the light itself differs from the set-up picture's (3,): the median over what is surely floor."""
        free = ratio[known == 0]
        return np.asarray(np.median(free, axis=0) if len(free) > 200 else np.zeros(3), dtype=np.float32)
