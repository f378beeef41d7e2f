"""The pose of a leaning card by the corners of the markers printed on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.markers import SeenMarker

_FEWEST = 3  # of two markers the corners lie almost on one line: their tilt is off by ten degrees
# Corners as the detector gives them are off by a pixel. Of 176 flat cards none was explained better by a pose tilted by
# more than 3 degrees by more than 6 of its variances; of 111 leaning ones 105 were by more than 12, and up to 470.
_CORNER_PX, _TELLING = 1.0, 12.0
_NO_CARD_DEG = 60.0  # none stands on its edge


def leaning_by_markers(
    seen: Sequence[tuple[SeenMarker, float, float, float]], camera: Camera, height_mm: float
) -> CardPose | None:
    """The pose in which a leaning card shows its markers where they are seen: (marker, x and y of its middle in the
    card frame, side; mm) each. None where there are too few to tell, or a flat card at `height_mm` shows them as well.

    Of the two poses that perspective hardly tells apart (T. Collins and A. Bartoli, "Infinitesimal plane-based pose
    estimation", IJCV 109, 2014) it is the one with the smaller reprojection error. Good to a degree or two of tilt.
    """
    if len(seen) < _FEWEST:
        return None
    half = 0.5 * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    places = np.concatenate([np.array([x, y]) + half * side for _, x, y, side in seen])
    pixels = np.concatenate([marker.corners_px for marker, _, _, _ in seen])
    flat = _misfit(_flat(places, camera.to_plane(pixels, height_mm)[:, :2], height_mm), places, pixels, camera)
    if flat < _TELLING:
        return None
    count, rvecs, tvecs, _ = cv2.solvePnPGeneric(
        np.column_stack([places, np.zeros(len(places))]), pixels, camera.K, camera.dist, flags=cv2.SOLVEPNP_IPPE
    )
    if not count:
        return None
    rotation = camera.R.T @ cv2.Rodrigues(rvecs[0])[0]
    pose = CardPose(rotation, camera.R.T @ (np.asarray(tvecs[0], np.float64).reshape(3) - camera.tvec))
    better = flat - _misfit(pose, places, pixels, camera)
    return pose if better > _TELLING and pose.tilt_deg < _NO_CARD_DEG else None


def _flat(places: Array, seen_mm: Array, height_mm: float) -> CardPose:
    """The flat pose that brings places (N, 2) on a card nearest to where they are seen (N, 2), in the plane."""
    on_card, on_floor = places - places.mean(axis=0), seen_mm - seen_mm.mean(axis=0)
    sine = on_card[:, 0] @ on_floor[:, 1] - on_card[:, 1] @ on_floor[:, 0]
    turned = CardPose.flat(0.0, 0.0, float(np.degrees(np.arctan2(sine, (on_card * on_floor).sum()))))
    x, y = seen_mm.mean(axis=0) - (turned.R[:2, :2] @ places.mean(axis=0))
    return CardPose(turned.R, np.array([x, y, height_mm]))


def _misfit(pose: CardPose, places: Array, pixels: Array, camera: Camera) -> float:
    """The squared distances of corners from where they are seen, in their variances."""
    off = camera.project(pose.points(places[:, 0], places[:, 1])) - pixels
    return float((off**2).sum()) / _CORNER_PX**2
