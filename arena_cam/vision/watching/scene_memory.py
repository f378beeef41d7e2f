"""Remembers how the scene looked when it was last read, and how it looks without cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.watching.stillness import (
    CELL_PX,
    SIGNIFICANT,
    CellMask,
    CellPicture,
    NoiseModel,
    from_pixels,
    grown,
)

# How fast the memory follows slow light where nothing changed; asked about twice a second, it forgets in ten seconds.
FOLLOW_RATE = 0.05


class SceneMemory:
    """Two pictures of the past: `settled`, as last read, and the backdrop, each cell as seen with no card on it."""

    def __init__(self, noise: NoiseModel) -> None:
        self._noise = noise
        self._settled: CellPicture | None = None
        self._backdrop: CellPicture | None = None
        self._backdrop_known: CellMask = np.zeros((0, 0), bool)
        self._disowned: CellMask | None = None

    @property
    def empty(self) -> bool:
        return self._settled is None

    @property
    def settled(self) -> CellPicture | None:
        """How the scene looked when it was last read."""
        return self._settled

    def forget(self) -> None:
        """Starts anew: the camera moved, or another one looks."""
        self._settled = self._backdrop = self._disowned = None

    def fits(self, picture: CellPicture) -> bool:
        return self._settled is None or self._settled.pixels.shape == picture.pixels.shape

    def changed(self, picture: CellPicture) -> CellMask:
        """Cells that differ from the last reading, except single cells, which are noise; and the disowned cells."""
        differing = self.differing(self._settled, picture)
        return differing if self._disowned is None else differing | self._disowned

    def disown(self, cells: CellMask) -> None:
        """The reading of `cells` is out of date: they count as changed until they are read again."""
        self._disowned = cells if self._disowned is None else self._disowned | cells

    def differing(self, before: CellPicture | None, picture: CellPicture) -> CellMask:
        """Cells of `picture` that differ from another picture; all of them if there is none, or one of another size."""
        if before is None or before.pixels.shape != picture.pixels.shape:
            return np.ones(picture.mean.shape, bool)
        return _without_loners(self._noise.significance(before, picture) > SIGNIFICANT)

    def accept(self, picture: CellPicture, cells: CellMask) -> None:
        """What `picture` shows in `cells` has been read."""
        self._settled = picture if self._settled is None else _patched(self._settled, picture, cells, 1.0)
        if self._disowned is not None:
            self._disowned = self._disowned & ~cells if (self._disowned & ~cells).any() else None

    def follow(self, picture: CellPicture, unchanged: CellMask) -> None:
        """Slow changes of light in cells that are otherwise `unchanged` are taken in."""
        if self._settled is not None:
            self._settled = _patched(self._settled, picture, unchanged, FOLLOW_RATE)

    def learn_backdrop(self, picture: CellPicture, free: CellMask) -> None:
        """`picture` shows no card in the cells `free`."""
        if self._backdrop is None or self._backdrop.pixels.shape != picture.pixels.shape:
            self._backdrop, self._backdrop_known = picture, free.copy()
            return
        self._backdrop = _patched(self._backdrop, picture, free, 1.0)
        self._backdrop_known |= free

    def looks_empty(self, picture: CellPicture) -> tuple[CellMask, CellMask]:
        """Cells that look as they do with no card on them, and cells of which that is known."""
        if self._backdrop is None:
            nowhere = np.zeros(picture.mean.shape, bool)
            return nowhere, nowhere
        alike = self._noise.significance(self._backdrop, picture) <= SIGNIFICANT
        return alike & self._backdrop_known, self._backdrop_known


def _patched(old: CellPicture, new: CellPicture, cells: CellMask, rate: float) -> CellPicture:
    if cells.all() and rate == 1.0:
        return new
    mask = np.repeat(np.repeat(cells, CELL_PX, axis=0), CELL_PX, axis=1)
    pixels: NDArray[np.float32] = old.pixels.copy()
    pixels[mask] += np.float32(rate) * (new.pixels[mask] - pixels[mask])
    return from_pixels(pixels)


def _without_loners(mask: CellMask) -> CellMask:
    neighbours = cv2.boxFilter(mask.astype(np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return mask & (np.asarray(neighbours) > 1.5)


def groups(mask: CellMask) -> list[CellMask]:
    """The connected parts of `mask`, where cells at most two apart count as connected; each within `mask`."""
    count, labels = cv2.connectedComponents(grown(mask).astype(np.uint8), connectivity=8)
    return [mask & (labels == label) for label in range(1, count) if (mask & (labels == label)).any()]
