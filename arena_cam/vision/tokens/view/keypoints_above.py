"""Keypoints of the table as it is seen from straight above: small words are found there that a photograph askew hides.

A keypoint's surroundings bear some 30 degrees of tilt, words much less; in the top view print lies flat and in its own
size.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.keypoints import Keypoints, keypoints
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import top_view

Floats = NDArray[np.float64]

# As the prints' own keypoints have it. Of six photographs of five sets 49 of 60 cards had the right place among the
# first with it, 41 at 2 px/mm, 34 by the keypoints of the photograph.
PX_PER_MM, EDGE_PX = 2.5, 9
# How many keypoints, their least contrast, and px/mm. Keypoints are looked for in the picture doubled, too: where the
# view is clear, 1.75 px/mm take half the time, and all of 20 photographs were read the same.
FEW_ABOVE, MANY_ABOVE = (3000, 0.02, 1.75), (12000, 0.01, PX_PER_MM)


def keypoints_above(
    image_bgr: NDArray[np.uint8], camera: TableView, box_mm: Floats, effort: tuple[int, float, float] = MANY_ABOVE
) -> Keypoints:
    """The keypoints of the table between `box_mm` (2, 2), in the photograph's own pixels."""
    most, contrast, px_per_mm = effort
    view = top_view(image_bgr, camera, box_mm, px_per_mm)
    grey = cv2.cvtColor(np.clip(view.pixels, 0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY)
    inside = cv2.erode(view.inside.astype(np.uint8), np.ones((EDGE_PX, EDGE_PX), np.uint8))
    found = keypoints(np.asarray(grey, np.uint8), most, contrast, mask=np.asarray(inside, np.uint8))
    mm = view.origin_mm + (found.xy + 0.5) / view.px_per_mm
    return Keypoints(camera.to_px(mm), camera.px_per_mm(mm) @ found.frame / view.px_per_mm, found.descriptor)
