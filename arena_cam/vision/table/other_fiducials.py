"""Tells whether the fiducials of another set stand where a table's own fiducials should be seen.

A table keeps its pose while hands cover its fiducials; another table with a sheet of its own must not pass for that.
"""

from __future__ import annotations

import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.lies import TablePose
from arena_cam.domain.table import Table
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.markers import find_markers_near
from arena_cam.vision.table.pose import TablePoseFinder

# OpenCV's families; each begins with the smaller dictionaries of its size.
FAMILIES = (
    "DICT_4X4_1000",
    "DICT_5X5_1000",
    "DICT_6X6_1000",
    "DICT_7X7_1000",
    "DICT_ARUCO_ORIGINAL",
    "DICT_APRILTAG_36h11",
)
# One may be read into any print by chance; two, each where a fiducial should be, are another set's.
FEWEST = 2


def other_fiducials(grey: Image, table: Table, pose: TablePose) -> bool:
    """Whether at two places or more of the table's fiducials, as seen from `pose`, there is one that is not its own.

    `grey` is the picture (H, W). Looks at those places alone, some ten milliseconds for them all.
    """
    finder = TablePoseFinder(table)
    dist = np.zeros(5)
    dist[: min(5, len(table.dist))] = table.dist[:5]
    camera = Camera(np.array(table.K, np.float64), dist, np.array(pose.rvec), np.array(pose.tvec))
    own = table.fiducials
    strange = 0
    for outline in finder.outlines(camera):
        if any(marker.id in own.centres_mm for marker in find_markers_near(grey, own.dictionary, [outline])):
            continue
        strange += any(find_markers_near(grey, family, [outline]) for family in FAMILIES)
    return strange >= FEWEST
