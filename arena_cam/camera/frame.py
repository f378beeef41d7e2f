"""One picture and when and where it was taken, and the one small interface that every camera stands behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture with its time and its source.

    `image_bgr` has shape (height, width, 3), uint8, blue-green-red, distorted as the camera delivered it; treat it as
    read-only. `time_s` is seconds from the source's start. `sequence` counts the source's frames from 0, so a gap tells
    of dropped frames. `luma_small`, where a camera has one for free, is a low-resolution grey picture of the same
    moment. `metadata` is what the camera said of the frame (exposure, gain, focus), empty if nothing.
    """

    image_bgr: Image
    time_s: float
    sequence: int
    source: str
    name: str
    luma_small: Image | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class FrameSource(Protocol):
    """Hands out frames one after another.

    `live` is true where time passes by itself (a camera, the simulated table at real speed): late readers miss frames.
    `fps` is the nominal rate in frames per second.
    """

    name: str
    live: bool
    fps: float

    def read(self) -> Frame | None:
        """The next frame, waiting for it if need be; None after the last.

        Raises BadPicture for one that cannot be read (the next call goes on), CameraLost when the camera is gone.
        """
        ...

    def close(self) -> None:
        """Frees the device; may be called twice."""
        ...
