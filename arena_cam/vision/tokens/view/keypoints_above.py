"""Keypoints of the table as it is seen from straight above: small words are found there that a photograph askew hides.

A keypoint's surroundings bear some 30 degrees of tilt, words much less; in the top view print lies flat and in its own
size.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.keypoints import COARSER, Keypoints, keypoints
from arena_cam.vision.printed.standing_out import StandingOut, keypoints_in
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import from_above

Floats = NDArray[np.float64]

# As the prints' own keypoints have it. Of six photographs of five sets 49 of 60 cards had the right place among the
# first with it, 41 at 2 px/mm, 34 by the keypoints of the photograph.
PX_PER_MM, EDGE_PX = 2.5, 9
# How many keypoints, their least contrast, and px/mm. Keypoints are looked for in the picture doubled, too: where the
# view is clear, 1.75 px/mm take half the time, and all of 20 photographs were read the same. On a pattern more are
# kept.
FEW_ABOVE, CROWD_ABOVE, MANY_ABOVE = (3000, 0.02, 1.75), (6000, 0.02, 1.75), (12000, 0.01, PX_PER_MM)


def keypoints_above(
    image_bgr: NDArray[np.uint8],
    camera: TableView,
    box_mm: Floats,
    effort: tuple[int, float, float] = MANY_ABOVE,
    out: StandingOut | None = None,
) -> tuple[Keypoints, Floats]:
    """The keypoints of the table between `box_mm` (2, 2), in the photograph's own pixels, and their sizes (N,) in mm on
    the table; where that is given, only of what stands `out` from the table."""
    most, contrast, px_per_mm = effort
    pixels, there, scale = from_above(image_bgr, camera, box_mm, px_per_mm)
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    inside = np.asarray(cv2.erode(there.astype(np.uint8), np.ones((EDGE_PX, EDGE_PX), np.uint8)), np.uint8)
    if out is None:
        found = keypoints(grey, most, contrast, mask=inside)
    else:
        found = keypoints_in(grey, _standing_out(out, camera, (box_mm[0], scale), grey.shape), most, contrast, inside)
    mm = box_mm[0] + (found.xy + 0.5) / scale
    sizes = np.sqrt(np.abs(np.linalg.det(found.frame))) / scale
    return Keypoints(camera.to_px(mm), camera.px_per_mm(mm) @ found.frame / scale, found.descriptor), sizes


def _standing_out(
    out: StandingOut, camera: TableView, where: tuple[Floats, float], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """(h, w): what stands out of a view of that shape, `COARSER` times smaller than it. `where` the view begins in mm,
    and its pixels a mm."""
    rows, columns = (np.arange(0, side, COARSER) + COARSER / 2 for side in shape)
    mm = where[0] + np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2) / where[1]
    return out.at(camera.to_px(mm)).reshape(len(rows), len(columns))
