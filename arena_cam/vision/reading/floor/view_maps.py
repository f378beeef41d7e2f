"""The view of the floor from straight above, by maps that are kept while the camera stands still."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.sampling import fixed_map, remap
from arena_cam.vision.reading.floor.view import floor_view_map

Mask = NDArray[np.uint8]

# A camera that has moved by less, as poses scatter from frame to frame, sees the table as before: it is a seventh of a
# millimetre at two pixels to one, where guesses are good to some millimetres and pictures are compared blurred.
_STILL_PX = 0.3


class ViewMaps:
    """Where the pixels of a view from above lie in the picture of one camera, or in a halving of it."""

    def __init__(self, camera: Camera, half_mm: tuple[float, float], px_per_mm: float, level: int = 0) -> None:
        """The view reaches `half_mm` from the arena's middle each way; pictures are those of a pyramid's `level`."""
        across, along = half_mm
        self._corners = np.array([[x, y, 0.0] for x in (-across, 0.0, across) for y in (-along, 0.0, along)])
        self._corners_px = camera.project(self._corners)
        self._places = floor_view_map(camera, half_mm, px_per_mm)
        self._whole, self._parts = fixed_map(self._places * np.float32(0.5**level))
        self._masks: dict[int, NDArray[np.int16]] = {}
        self._view: NDArray[np.uint8] | None = None

    def serve(self, camera: Camera) -> bool:
        """Whether they are a camera's too: it stands where the one did that they were made for."""
        return bool(np.abs(camera.project(self._corners) - self._corners_px).max() < _STILL_PX)

    def picture(self, bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A picture (H, W) or (H, W, 3) as seen from above, until the next is asked for."""
        seen = cv2.remap(bgr, self._whole, self._parts, cv2.INTER_LINEAR, dst=self._view)
        self._view = np.asarray(seen, dtype=np.uint8)
        return self._view

    def mask(self, mask: Mask, step: int) -> Mask:
        """A mask in 1/step of the whole picture as seen from above."""
        if step not in self._masks:
            self._masks[step] = np.rint(self._places / np.float32(step)).astype(np.int16)
        return np.asarray(remap(mask, self._masks[step], cv2.INTER_NEAREST), dtype=np.uint8)
