"""What the picture shows that the empty arena does not: where cards may lie, and what is none of the cards found.

The picture of the empty arena, brought to this frame's camera pose, is compared with the frame, both seen from
straight above. Light may have changed and shadows fall: they change all colours alike and make nothing much brighter.
What changes colour, brightens, or turns black is odd; an odd area that no card explains is a stranger: a card too much
covered to name, a hand, a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.proposals import floor_view_map, remapped

Array = NDArray[np.float64]
Grid = NDArray[np.float32]
Mask = NDArray[np.uint8]

VIEW_PX_PER_MM = 1.0
MARGIN_MM = 165.0  # how far outside the inner boundary cards are looked for: as far as throws roll and cameras see
_FROM_WALL_MM = 7.0  # nearer the wall its shadow and reflection move with the light
_BEYOND_WALL_MM = 10.0  # behind the wall its height hides or shows the table as the camera moves
_ROUND_CARDS_MM = 3.5  # a card's own shadow and the doubt about its outline
# Log ratios to the empty floor, the light of the surroundings taken out: shadows reach -1 and are grey to about 0.15.
_COLOUR, _BRIGHTER, _BLACK = 0.30, 0.40, -1.6
_SMALLEST_MM2 = 90.0  # of a card of 5000 mm2: what shows of one whose corner looks out by 13 mm
_CARD_REACH_MM = 22.0  # a card that shows anything odd at all shows it within this of all its features


@dataclass(frozen=True, eq=False)
class Stranger:
    """A piece of floor that shows something unknown: its area and its middle in the world frame."""

    area_mm2: float
    centre_mm: tuple[float, float]


class EmptyTable:
    """The empty arena and the table round it as the set-up picture shows them, seen from above."""

    def __init__(
        self, bgr: NDArray[np.uint8], camera: Camera, arena: Arena, fiducial_outlines_px: Sequence[Array]
    ) -> None:
        self.half_mm = (arena.inner_mm[0] / 2 + MARGIN_MM, arena.inner_mm[1] / 2 + MARGIN_MM)
        self._floor = self.from_above(bgr, camera)
        shape = self._floor.shape[:2]
        self._inside = self._rectangle(shape, arena, -_FROM_WALL_MM)
        walls = self._rectangle(shape, arena, arena.wall_thickness_mm + _BEYOND_WALL_MM) - self._inside
        self.valid: Mask = 1 - np.maximum(walls, self.drawn(fiducial_outlines_px, camera, 4.0))

    def look(self, bgr: NDArray[np.uint8], camera: Camera) -> TableChange:
        """Where a picture (H, W, 3) differs from the empty table."""
        # eight grey levels of black level and noise: dark floors would otherwise be all ratio and no signal
        ratio = np.log((self.from_above(bgr, camera) + 8.0) / (self._floor + 8.0))
        # the light itself differs from the set-up picture's: the median over all that is mostly floor
        ratio -= np.median(ratio[::4, ::4][self.valid[::4, ::4] > 0], axis=0)
        mean = ratio.mean(axis=2)
        colour = np.abs(ratio - mean[:, :, None]).max(axis=2)
        odd = ((colour > _COLOUR) | (mean > _BRIGHTER) | (mean < _BLACK)) & (self.valid > 0)
        solid = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
        return TableChange(self, np.asarray(solid, dtype=np.uint8), self._inside, camera)

    def from_above(self, bgr: NDArray[np.uint8], camera: Camera) -> Grid:
        view = remapped(bgr, floor_view_map(camera, self.half_mm, VIEW_PX_PER_MM))
        return np.asarray(cv2.GaussianBlur(view, (0, 0), 1.5), dtype=np.float32)

    def drawn(self, outlines_px: Sequence[Array], camera: Camera, wider_mm: float) -> Mask:
        """The view's pixels inside outlines (4, 2) given in the picture, widened."""
        mask = np.zeros(self._floor.shape[:2], np.uint8)
        for outline in outlines_px:
            world = camera.to_plane(outline, 0.0)[:, :2]
            column = (world[:, 0] + self.half_mm[0]) * VIEW_PX_PER_MM
            row = (self.half_mm[1] - world[:, 1]) * VIEW_PX_PER_MM
            cv2.fillConvexPoly(mask, np.round(np.stack([column, row], axis=1)).astype(np.int32), (1,))
        return _widened(mask, wider_mm)

    def _rectangle(self, shape: tuple[int, ...], arena: Arena, beyond_mm: float) -> Mask:
        mask = np.zeros(shape, np.uint8)
        reach = [arena.inner_mm[i] / 2 + beyond_mm for i in (0, 1)]
        left, top = (round((self.half_mm[i] - reach[i]) * VIEW_PX_PER_MM) for i in (0, 1))
        right, bottom = (round((self.half_mm[i] + reach[i]) * VIEW_PX_PER_MM) for i in (0, 1))
        mask[top:bottom, left:right] = 1
        return mask


@dataclass(frozen=True, eq=False)
class TableChange:
    """One frame held against the empty table: `odd` (H, W) is 1 where it shows something else."""

    table: EmptyTable
    odd: Mask
    inside: Mask
    camera: Camera

    def strangers(self, outlines_px: Sequence[Array]) -> list[Stranger]:
        """Unknown things on the arena's floor, outside the outlines (4, 2) of the cards found."""
        return self._pieces(self.odd & self.inside & (1 - self.table.drawn(outlines_px, self.camera, _ROUND_CARDS_MM)))

    def worth_a_look(self, claimed: Mask, step: int) -> Mask | None:
        """Pixels of the view near something odd that `claimed` (a mask in 1/step of the picture) does not cover.

        None if there is nothing odd left.
        """
        view_map = floor_view_map(self.camera, self.table.half_mm, VIEW_PX_PER_MM)
        known = remapped(claimed, view_map / np.float32(step), cv2.INTER_NEAREST)
        left = self.odd & (1 - _widened(known, _ROUND_CARDS_MM))
        left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)), np.uint8)
        return _widened(left, _CARD_REACH_MM) if self._pieces(left) else None

    def _pieces(self, mask: Mask) -> list[Stranger]:
        count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
        half = self.table.half_mm
        return [
            Stranger(
                float(stats[i, cv2.CC_STAT_AREA]) / VIEW_PX_PER_MM**2,
                (float(centres[i][0]) / VIEW_PX_PER_MM - half[0], half[1] - float(centres[i][1]) / VIEW_PX_PER_MM),
            )
            for i in range(1, count)
            if stats[i, cv2.CC_STAT_AREA] / VIEW_PX_PER_MM**2 >= _SMALLEST_MM2
        ]


def _widened(mask: Mask, by_mm: float) -> Mask:
    size = 2 * round(by_mm * VIEW_PX_PER_MM) + 1
    return np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
