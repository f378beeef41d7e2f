"""A face aligned with the picture, and how much of the face is visible."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment


@dataclass(frozen=True, eq=False)
class Outline:
    """An outline fitted to the picture: `information` (6, 6) is the inverse covariance of a step (mm, rad) from `pose`,
    `nats` the evidence of the sides for a card, `shown` (0..1) the share of the uncovered sides that show an edge.
    `explains`: what it encloses was something unknown on the floor, all that is in view of it."""

    pose: CardPose
    information: Array
    nats: float
    shown: float
    explains: bool = False

    def step_from(self, pose: CardPose) -> Array:
        """The step (6,) that leads from another pose to this one."""
        turn = cv2.Rodrigues(self.pose.R @ pose.R.T)[0].ravel()
        return np.concatenate([self.pose.centre_mm - pose.centre_mm, turn])

    @property
    def half_turned(self) -> Outline:
        """The same outline of a card that lies the other way up: its print turned by half a turn."""
        return replace(self, pose=self.pose.half_turned)

    @property
    def quarter_turned(self) -> Outline:
        """The same outline of a square card that is turned by a quarter of a turn."""
        return replace(self, pose=self.pose.quarter_turned)

    def towards(self, pose: CardPose) -> Outline:
        """The same outline with the print the way up that a pose has it."""
        return self if float(self.pose.R[:, 0] @ pose.R[:, 0]) > 0.0 else self.half_turned

    def joined(self, alignment: Alignment) -> Alignment:
        """Combines the alignment of a face with little print with the information of its outline. The few figures of
        such a face are printed and cut a little off their place, and a fifth of a millimetre there is a tilt of some
        degrees. So the print gets no more weight for the pose than the outline; and the less, the farther the pose that
        it asks for lies from where both were aligned: two figures in opposite corners hardly tell a tilt, and asked for
        40 mm."""
        little = 1e-6 * np.eye(6)
        by_print, by_sides = np.linalg.inv(alignment.information + little), np.linalg.inv(self.information + little)
        by_both, wished = np.linalg.inv(by_print + by_sides), by_print @ alignment.pull
        allowed = by_both * min(1.0, (_TAIL + 6.0) / (_TAIL + float(wished @ by_both @ wished)))
        pull = allowed @ wished + self.information @ self.step_from(alignment.pose)
        return replace(alignment, information=allowed + self.information, pull=pull)


_TAIL = 4.0  # degrees of freedom of Student's t, over the six of a pose: what is off by more is so for a reason


@dataclass(frozen=True, eq=False)
class Fit:
    """A face aligned with the picture.

    `uncovered` (0..1) is the share of the face's tiles that lie in the picture and that no other known card claims, and
    `explained` (0..1) the share of those that look as the face does. `evidence` sums, over these tiles, by how many
    nats the face explains the picture better than a patch of even grey; `tiles` (rows, columns) holds it tile by tile,
    and `shown` (rows, columns) is true where the picture shows the face. `outline` is that of the card, where the face
    was laid into one."""

    face: int
    alignment: Alignment
    explained: float
    evidence: float
    tiles: Array
    shown: NDArray[np.bool_]
    uncovered: float
    outline: Outline | None = None

    @property
    def support(self) -> float:
        """The evidence (nats) of print and outline together that a card is there, whatever its name."""
        if self.outline is None:
            return self.evidence
        # a print too fine to be seen from here says nothing, for or against
        return self.outline.nats + max(self.evidence, 0.0)

    @property
    def pose(self) -> CardPose:
        return self.alignment.pose

    @property
    def worth(self) -> float:
        """How good a fit is, for ranking: much visible, and little of that unexplained."""
        return (self.evidence if self.outline is None else self.support) * self.explained


def same_place(centre_mm: Array, rotation: Array, fit: Fit) -> bool:
    """True if two poses are the same card found twice: rigid cards cannot lie within a few millimetres and degrees of
    each other unless one hides the other."""
    gap = float(np.hypot(*(centre_mm[:2] - fit.pose.centre_mm[:2])))
    return gap < 6.0 and abs(float(rotation[:, 0] @ fit.pose.R[:, 0])) > np.cos(np.radians(8.0))
