"""The pose of a rigid card in the world frame.

Card frame: origin at the card's middle, x right and y up on the card upright, z out of its face; millimetres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array

_CORNERS = ((-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0))  # to the right and up of the middle


@dataclass(frozen=True, eq=False)
class CardPose:
    """X_world = R X_card + centre: `R` (3, 3), `centre_mm` (3,)."""

    R: Array
    centre_mm: Array

    @staticmethod
    def of_corners(corners_mm: Array) -> CardPose:
        """The pose of a card whose corners (4, 3) in the world frame are known: top left first, clockwise."""
        x, y = corners_mm[1] - corners_mm[0], corners_mm[0] - corners_mm[3]
        x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
        return CardPose(np.stack([x, y, np.cross(x, y)], axis=1), corners_mm.mean(axis=0))

    @staticmethod
    def flat(x_mm: float, y_mm: float, angle_deg: float, z_mm: float = 0.0) -> CardPose:
        """A card face up in the plane z = `z_mm`, its upright direction turned by `angle_deg` from world y."""
        a = np.radians(angle_deg)
        c, s = np.cos(a), np.sin(a)
        return CardPose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array([x_mm, y_mm, z_mm]))

    def points(self, x_mm: NDArray[np.floating], y_mm: NDArray[np.floating]) -> Array:
        """World points (N, 3) of card points given by flat arrays x, y (N,)."""
        return np.asarray(x_mm[:, None] * self.R[:, 0] + y_mm[:, None] * self.R[:, 1] + self.centre_mm)

    @property
    def plane(self) -> Array:
        """The card's plane (3, 3): the world vectors of its x and its y, and its middle (mm), as columns."""
        plane = np.empty((3, 3))  # a third of the time of np.column_stack, hundreds of times a frame
        plane[:, :2], plane[:, 2] = self.R[:, :2], self.centre_mm
        return plane

    @property
    def half_turned(self) -> CardPose:
        """The card in the same place, turned by half a turn in its plane."""
        return CardPose(self.R @ np.diag([-1.0, -1.0, 1.0]), self.centre_mm)

    @property
    def quarter_turned(self) -> CardPose:
        """The card in the same place, turned counterclockwise by a quarter of a turn in its plane."""
        return CardPose(self.R @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), self.centre_mm)

    def corners(self, width_mm: float, height_mm: float) -> Array:
        """World corners (4, 3): top-left, top-right, bottom-right, bottom-left of the card upright."""
        x, y = width_mm / 2, height_mm / 2
        axes = zip(self.R.tolist(), self.centre_mm.tolist(), strict=True)
        rows = [(right * x, up * y, at) for (right, up, _), at in axes]
        # number by number: asked a hundred times a frame, and numpy takes three times as long over so few
        return np.array([[sx * a + sy * b + c for a, b, c in rows] for sx, sy in _CORNERS])

    def moved(self, step: Array) -> CardPose:
        """The pose after a small step (6,): a shift (mm) and a rotation vector (rad) about the middle, world axes."""
        return CardPose(cv2.Rodrigues(step[3:])[0] @ self.R, self.centre_mm + step[:3])

    @property
    def tilt_deg(self) -> float:
        """Angle between the card's plane and the floor."""
        x, y, z = self.R[:, 2].tolist()
        return math.degrees(math.atan2(math.hypot(x, y), abs(z)))

    @property
    def angle_deg(self) -> float:
        """Direction of the card's upright axis, seen from above, from world y counterclockwise, in (-180, 180]."""
        return math.degrees(math.atan2(self.R[1, 0], self.R[0, 0]))
