"""A face aligned with the picture, and how much of it the picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment


@dataclass(frozen=True, eq=False)
class Fit:
    """A face aligned with the picture.

    `uncovered` (0..1) is the share of the face's tiles that lie in the picture and that no other known card claims, and
    `explained` (0..1) the share of those that look as the face does. `evidence` sums, over these tiles, by how many
    nats the face explains the picture better than a patch of even grey; `tiles` (rows, columns) holds it tile by tile,
    and `shown` (rows, columns) is true where the picture shows the face."""

    face: int
    alignment: Alignment
    explained: float
    evidence: float
    tiles: Array
    shown: NDArray[np.bool_]
    uncovered: float

    @property
    def pose(self) -> CardPose:
        return self.alignment.pose

    @property
    def worth(self) -> float:
        """How good a fit it is, to rank fits by: much that is seen, and little that is not as it should be."""
        return self.evidence * self.explained


def same_place(centre_mm: Array, rotation: Array, fit: Fit) -> bool:
    """True where two poses are one card read twice: rigid cards cannot lie within a few millimetres and degrees of each
    other unless one hides the other."""
    gap = float(np.hypot(*(centre_mm[:2] - fit.pose.centre_mm[:2])))
    return gap < 6.0 and abs(float(rotation[:, 0] @ fit.pose.R[:, 0])) > np.cos(np.radians(8.0))
