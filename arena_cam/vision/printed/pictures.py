"""The pictures of a set's folder, read for comparison."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.decoding import decode_with_opacity
from arena_cam.camera.messages import PictureTrouble
from arena_cam.domain.errors import BadPicture

Image = NDArray[np.uint8]


def read_image(file: Path) -> Image:
    """A set's picture (h, w, 3 or 4); where it is transparent it has the colour of the print beside it.

    Raises BadPicture.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadPicture(PictureTrouble.NO_ACCESS(text=error.strerror or ""), about=file) from None
    image = decode_with_opacity(data, str(file))
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
