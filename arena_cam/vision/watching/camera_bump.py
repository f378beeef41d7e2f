"""Notices that the camera was moved, and carries the believed cards over to its new pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import Lie, Point2, TablePose

# A point of the arena seen in a direction that differs by more than this was moved: a pixel and a half of a picture of
# 1000 pixels across 70 degrees; the pose from four fiducials repeats to a tenth of that.
BUMPED_RAD = 0.002
# Points of an arena of the usual size; where exactly they are does not matter.
PROBES_MM = np.array([[x, y, 0.0] for x in (-140.0, 140.0) for y in (-140.0, 140.0)])


def bumped(before: TablePose | None, now: TablePose | None) -> bool:
    """Whether the camera's pose differs from the one before."""
    if before is None or now is None:
        return False
    return float(np.abs(_directions(now) - _directions(before)).max()) > BUMPED_RAD


def _directions(pose: TablePose) -> NDArray[np.float64]:
    """Normalised image coordinates (4, 2) of the probes."""
    rotation = np.asarray(cv2.Rodrigues(np.asarray(pose.rvec, np.float64))[0], np.float64)
    camera = PROBES_MM @ rotation.T + np.asarray(pose.tvec, np.float64)
    return camera[:, :2] / camera[:, 2:]


def carried_over(believed: Sequence[Lie], seen: Sequence[Lie]) -> tuple[Lie, ...]:
    """`believed` with their outlines where the moved camera sees them, by the cards seen before and after.

    The floor's homography is found from their corners; without such a card the outlines stay.
    """
    after = {lie.card: lie for lie in seen if lie.card is not None}
    pairs = [(lie, after[lie.card]) for lie in believed if lie.card in after]
    if not pairs:
        return tuple(believed)
    source = np.array([corner for old, _ in pairs for corner in old.corners_px], np.float64)
    target = np.array([corner for _, new in pairs for corner in new.corners_px], np.float64)
    # OpenCV's type stub does not say that it gives None where the points determine nothing.
    found = np.asarray(cv2.findHomography(source, target, cv2.RANSAC, 5.0)[0], np.float64)
    if found.shape != (3, 3):
        return tuple(believed)
    return tuple(replace(lie, corners_px=_mapped(lie, found)) for lie in believed)


def _mapped(lie: Lie, homography: NDArray[np.float64]) -> tuple[Point2, Point2, Point2, Point2]:
    corners = cv2.perspectiveTransform(np.asarray(lie.corners_px, np.float64)[None], homography)[0]
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
