"""What is brighter than the bare floor close beside cards: a part of another card that looks out there.

The comparison with the empty arena is blurred, and a card's shadow takes any colour where lamps mix. So nothing is said
there of what is nearer to a card than three millimetres. A finer view comes closer, and asks what no shadow can do:
whether a channel grows brighter.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.view_calls import seen_at
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.picture.sampling import remap, sample_at
from arena_cam.vision.reading.floor.floor_comparison import LOG, LOG_OFFSET
from arena_cam.vision.reading.floor.table_change import FROM_WALL_MM, HIDES_MM, Mask, Stranger, TableChange
from arena_cam.vision.reading.floor.view import drawn_from_above, floor_view_map, widened

_PX_PER_MM = 2.0
_FARTHEST_MM = 5.0  # beyond it the blurred comparison sees everything
# What is nearer to an outline than this is its blur, and what is thinner the bow of a curled card. On 196 pictures of
# 44 tables on which every card was known, nothing as thick was left.
_NEAREST_MM, _NEAREST_PX, _THICK_PX, _SMALLEST_MM2 = 2.0, 3.0, 4, 6.0
_BRIGHTER, _LEVELS = 1.16, 10.0  # so many times as bright; and in grey levels, since a dark floor's ratios say little


class CloserLook:
    """The empty arena's floor in a view twice as fine as the one that everything is compared in."""

    def __init__(self, empty: NDArray[np.uint8], camera: Camera, arena: Arena) -> None:
        """`empty` (H, W, 3) as `camera` shows it."""
        width, height = (side / 2 - FROM_WALL_MM for side in arena.inner_mm)
        self._half_mm = (width, height)
        self._floor = remap(empty, floor_view_map(camera, self._half_mm, _PX_PER_MM))

    def bright_beside(
        self, picture: NDArray[np.uint8], change: TableChange, outlines_px: Sequence[Array]
    ) -> tuple[Stranger, list[int]] | None:
        """What is bright close beside the cards found, whose outlines (4, 2) are given, with the numbers of those that
        a card there may touch; None if nothing is. All of it counts as one thing."""
        camera = change.camera
        nearest = max(_NEAREST_MM, _NEAREST_PX / camera.px_per_mm(np.zeros(3)))
        ring = self._drawn(outlines_px, camera, _FARTHEST_MM) - self._drawn(outlines_px, camera, nearest)
        at = np.flatnonzero(ring > 0)  # of a mask of bytes it takes fifty times as long
        if not len(at):
            return None
        row, column = np.divmod(at, ring.shape[1])
        x_mm, y_mm = column / _PX_PER_MM - self._half_mm[0], self._half_mm[1] - row / _PX_PER_MM
        now = sample_at(picture, _seen_on_floor(camera, x_mm, y_mm))  # (N, 3), NaN beyond the picture
        expected = np.exp(LOG[self._floor.reshape(-1, 3).take(at, axis=0)] + change.light_at(x_mm, y_mm))
        brighter = (now + LOG_OFFSET > _BRIGHTER * expected) & (now + LOG_OFFSET > expected + _LEVELS)
        bright = np.zeros_like(ring)
        bright.ravel()[at] = greatest(brighter)
        bright = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((_THICK_PX, _THICK_PX), np.uint8))
        seen = bright.take(at) > 0
        area_mm2 = np.count_nonzero(seen) / _PX_PER_MM**2
        if area_mm2 < _SMALLEST_MM2:
            return None
        thing = Stranger(area_mm2, (float(x_mm[seen].mean()), float(y_mm[seen].mean())), 0)
        reach = widened(np.asarray(bright, dtype=np.uint8), HIDES_MM, _PX_PER_MM)
        near = [i for i, outline in enumerate(outlines_px) if (reach & self._drawn([outline], camera, 0.0)).any()]
        return thing, near

    def _drawn(self, outlines_px: Sequence[Array], camera: Camera, wider_mm: float) -> Mask:
        """The view's pixels inside outlines (4, 2) given in the picture, widened on every side."""
        return drawn_from_above(outlines_px, camera, self._half_mm, _PX_PER_MM, self._floor.shape, wider_mm)


def _seen_on_floor(camera: Camera, x_mm: Array, y_mm: Array) -> Array:
    """The pixels (2, N) of points (N,) of the floor: thousands of them."""
    floor, places = CardPose.flat(0.0, 0.0, 0.0), np.stack([x_mm, y_mm, np.ones_like(x_mm)])
    found = seen_at(camera, floor, places, None)
    return camera.project_plane(floor.plane, places) if found is None else found[0]
