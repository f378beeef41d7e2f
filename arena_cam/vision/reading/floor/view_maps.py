"""Views of the floor from straight above, by maps that are kept while the camera stays where set-up saw it."""

from __future__ import annotations

from weakref import WeakValueDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.sampling import remap
from arena_cam.vision.reading.floor.view import fixed_view_map, nearest_view_map, widened

Mask = NDArray[np.uint8]
HalfSize = tuple[float, float]

# A camera that has moved by less, as poses scatter from frame to frame, sees the table as before: it is a seventh of a
# millimetre at two pixels to one, where guesses are good to some millimetres and pictures are compared blurred.
_STILL_PX = 0.3
# Views of a table: what changed, features at two scales, a hidden card. Megabytes each, and each can be made again.
_MOST_KEPT = 4


class _Places:
    """Where the pixels of a view lie in the picture: megabytes that follow from camera and view alone."""

    def __init__(self, camera: Camera, half_mm: HalfSize, px_per_mm: float, level: int) -> None:
        self._of = camera, half_mm, px_per_mm
        self.whole, self.parts = fixed_view_map(*self._of, 0.5**level)
        self._masks: dict[int, NDArray[np.int16]] = {}

    def of_mask(self, step: int) -> NDArray[np.int16]:
        if step not in self._masks:
            self._masks[step] = nearest_view_map(*self._of, 1 / step)
        return self._masks[step]


# Two eyes that look through one camera, the referee's and one that judges a throw again, have them once.
_shared: WeakValueDictionary[tuple[object, ...], _Places] = WeakValueDictionary()


def _places(camera: Camera, half_mm: HalfSize, px_per_mm: float, level: int) -> _Places:
    numbers = (np.asarray(each).tobytes() for each in (camera.K, camera.dist, camera.rvec, camera.tvec))
    key = (*numbers, half_mm, px_per_mm, level)
    found = _shared.get(key)
    if found is None:
        found = _shared[key] = _Places(camera, half_mm, px_per_mm, level)
    return found


class ViewMaps:
    """Where the pixels of a view from above lie in the picture of one camera, or in a halving of it."""

    def __init__(self, camera: Camera, half_mm: HalfSize, px_per_mm: float, level: int = 0) -> None:
        """The view reaches `half_mm` from the arena's middle each way; pictures are those of a pyramid's `level`."""
        self._places = _places(camera, half_mm, px_per_mm, level)
        self._px_per_mm = px_per_mm
        self._view: NDArray[np.uint8] | None = None
        self._rims: dict[tuple[tuple[int, ...], int, float, bool], Mask] = {}

    def picture(self, bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A picture (H, W) or (H, W, 3) as seen from above, until the next is asked for."""
        places = self._places
        seen = cv2.remap(bgr, places.whole, places.parts, cv2.INTER_LINEAR, dst=self._view)
        self._view = np.asarray(seen, dtype=np.uint8)
        return self._view

    @property
    def shape(self) -> tuple[int, int]:
        """The view's (H, W)."""
        height, width = self._places.parts.shape
        return height, width

    def part_of_picture(self, bgr: NDArray[np.uint8], part: tuple[slice, slice]) -> NDArray[np.uint8]:
        """Some rows and columns of `picture`, and nothing else."""
        places = self._places
        return np.asarray(cv2.remap(bgr, places.whole[part], places.parts[part], cv2.INTER_LINEAR), dtype=np.uint8)

    def mask(self, mask: Mask, step: int, part: tuple[slice, slice] | None = None) -> Mask:
        """A mask in 1/step of the whole picture as seen from above: all of the view, or some rows and columns."""
        places = self._places.of_mask(step)
        return np.asarray(remap(mask, places if part is None else places[part], cv2.INTER_NEAREST), dtype=np.uint8)

    def rim(self, shape: tuple[int, ...], step: int, within_mm: float, *, beyond: bool = False) -> Mask:
        """What lies within a distance of the rim of the picture, or of the view, as seen from above, and what lies
        `beyond` it, if that is asked; `shape` is that of a mask in 1/step of the picture. Kept, as the maps are: it is
        asked of every frame."""
        asked = shape, step, within_mm, beyond
        if asked not in self._rims:
            edge = np.ones(shape, np.uint8)
            edge[1:-2, 1:-2] = 0  # the last row and column may be of cells that are only begun
            seen = self.mask(edge, step)
            if beyond:
                seen |= 1 - self.mask(np.ones(shape, np.uint8), step)
            seen[[0, -1]] = seen[:, [0, -1]] = 1
            self._rims[asked] = widened(seen, within_mm, self._px_per_mm)
            self._rims[asked].flags.writeable = False
        return self._rims[asked]


class KeptMaps:
    """The maps of the views of one table, the last few.

    Those of the `reference` camera serve every camera that stands where it stood, and any other camera gets maps of its
    own: which maps a frame gets follows from the frame, whatever was looked at before.
    """

    def __init__(self, reference: Camera | None) -> None:
        self._reference = reference
        self._kept: dict[tuple[HalfSize, float, int], tuple[Camera, ViewMaps]] = {}

    def at(self, camera: Camera, half_mm: HalfSize, px_per_mm: float, level: int = 0) -> ViewMaps:
        """The maps for a camera, as `ViewMaps` takes them."""
        wanted = camera if self._reference is None or _apart(camera, self._reference, half_mm) else self._reference
        view = half_mm, px_per_mm, level
        # A camera that is not the reference stands nowhere twice: what was made for one before serves nobody any more.
        self._kept = {key: each for key, each in self._kept.items() if self._serves(each[0], wanted)}
        kept = self._kept.pop(view, None)
        if kept is None or not _is_same(kept[0], wanted):
            kept = wanted, ViewMaps(wanted, *view)
        self._kept[view] = kept
        if len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]  # the one that was not asked for longest
        return kept[1]

    def _serves(self, camera: Camera, wanted: Camera) -> bool:
        return camera is self._reference or _is_same(camera, wanted)


def _apart(a: Camera, b: Camera, half_mm: HalfSize) -> bool:
    """Whether two cameras see the same places of the floor at different pixels."""
    across, along = half_mm
    ends = np.array([[x, y, 0.0] for x in (-across, 0.0, across) for y in (-along, 0.0, along)])
    return not np.abs(a.project(ends) - b.project(ends)).max() < _STILL_PX


def _is_same(a: Camera, b: Camera) -> bool:
    """Whether one camera stands at the very same place twice."""
    return a is b or (np.array_equal(a.rvec, b.rvec) and np.array_equal(a.tvec, b.tvec))
