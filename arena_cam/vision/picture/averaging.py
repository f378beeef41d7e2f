"""Averages frames of a scene at rest, and remembers how each part of the table looked when it was last read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image


def averaged(frames: Sequence[Frame]) -> Frame:
    """The temporal mean of `frames` (at least one) under the name and time of the last: noise falls with the root."""
    last = frames[-1]
    if len(frames) == 1:
        return last
    image = frames[0].image_bgr
    total = image.astype(np.float32)
    for frame in frames[1:]:
        cv2.accumulate(frame.image_bgr, total)
    mean = cv2.convertScaleAbs(total, alpha=1 / len(frames))
    return Frame(
        image_bgr=np.asarray(mean, np.uint8),
        time_s=last.time_s,
        sequence=last.sequence,
        source=last.source,
        name=last.name,
        luma_small=last.luma_small,
        metadata=last.metadata,
    )


class LastRead:
    """The table as it looked when last read, each part of it when it was at rest; black where it never was."""

    def __init__(self) -> None:
        self._image: Image | None = None

    @property
    def image(self) -> Image | None:
        """The picture (H, W, 3), blue-green-red; None before anything was read."""
        return self._image

    def accept(self, image: Image, at_rest: NDArray[np.bool_]) -> None:
        """`image` was read, and shows what lies there where `at_rest` (a mask of it at any scale) is set."""
        if at_rest.all():
            self._image = image
            return
        last = self._image
        if last is None or last.shape != image.shape:
            last = np.zeros_like(image)
        self._image = np.where(_enlarged(at_rest, image), image, last)

    def forget(self, where: NDArray[np.bool_]) -> None:
        """Forgets the parts in which `where` (a mask at any scale) is set."""
        if self._image is not None:
            self._image = np.where(_enlarged(where, self._image), np.uint8(0), self._image)


def _enlarged(mask: NDArray[np.bool_], image: Image) -> NDArray[np.bool_]:
    """A mask at any scale as large as a picture, for all its channels: (H, W, 1)."""
    size = (image.shape[1], image.shape[0])
    large = cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(large > 0)[:, :, None]
