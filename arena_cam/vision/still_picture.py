"""Many frames of a scene at rest are one better frame."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.camera.frame import Frame


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
