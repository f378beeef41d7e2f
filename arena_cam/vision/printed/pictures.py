"""The pictures of a set's folder, read for comparison."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.errors import BadPicture

Image = NDArray[np.uint8]


def read_image(file: Path) -> Image:
    """A set's picture (h, w, 3 or 4); where it is transparent it has the colour of the print beside it."""
    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
        image: Any = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    except (OSError, cv2.error):
        image = None
    if image is None or image.dtype != np.uint8:
        raise BadPicture(f"{file}: is no picture that can be read; copy it again")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 4:  # what is transparent takes the colour of the print beside it, or edges would darken
        clear = image[:, :, 3] < 128
        if clear.any() and not clear.all():
            solid = cv2.erode((~clear).astype(np.uint8), np.ones((3, 3), np.uint8))
            _, labels = cv2.distanceTransformWithLabels(1 - solid, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
            index = np.zeros(labels.max() + 1, np.intp)
            flat = np.flatnonzero(solid.ravel())
            index[labels.ravel()[flat]] = flat
            image[:, :, :3] = image[:, :, :3].reshape(-1, 3)[index[labels]]
    return np.asarray(image, np.uint8)
