"""The camera over a plane of cards, from where cards were found: their corners must be those of cards in one plane.

Least squares (Gauss-Newton) over the focal length, the camera's pose and each card's place in the plane. The first
card's place is held: it is the world's. A telephone's lens is nearly a pinhole of known width, so the focal length has
a prior; two cards far apart or one seen from the side determine it better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.card_plane import USUAL_FOCAL, pinhole

# The focal lengths of telephones and of the Pi's cameras scatter so much about the usual one (natural logarithm).
_FOCAL_SD = 0.12
_CORNER_SD_PX = 0.5
_STEPS = 8


@dataclass(frozen=True, eq=False)
class SeenCard:
    """A card found: its corners (4, 2) in the picture, upright order, and how far to trust them, 0..1."""

    corners_px: Array
    trust: float


def fit_camera(
    start: Camera, size_px: tuple[int, int], cards: Sequence[SeenCard], card_mm: tuple[float, float]
) -> Camera:
    """The camera in whose floor the cards lie, from one that is nearly right; its origin is in their middle."""
    kept = sorted(cards, key=lambda card: -card.trust)
    if not kept:
        return start
    half = np.array(card_mm) / 2
    outline = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * half
    places = np.array([_place_on_floor(start, card.corners_px) for card in kept])
    seen = np.stack([card.corners_px for card in kept])
    weight = np.sqrt([max(card.trust, 0.02) for card in kept])[:, None, None] / _CORNER_SD_PX
    held = places[0]

    def camera_of(p: Array) -> Camera:
        return Camera(pinhole(size_px, USUAL_FOCAL * math.exp(p[6])), np.zeros(5), p[:3], p[3:6])

    def residuals(p: Array) -> Array:
        all_places = np.concatenate([held[None], p[7:].reshape(-1, 3)])
        c, s = np.cos(all_places[:, 2]), np.sin(all_places[:, 2])
        x = all_places[:, 0, None] + c[:, None] * outline[:, 0] - s[:, None] * outline[:, 1]
        y = all_places[:, 1, None] + s[:, None] * outline[:, 0] + c[:, None] * outline[:, 1]
        world = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
        off = (camera_of(p).project(world).reshape(seen.shape) - seen) * weight
        return np.append(off.ravel(), p[6] / _FOCAL_SD)

    focal = math.log(float(start.K[0, 0]) / max(size_px) / USUAL_FOCAL)
    first = np.concatenate([start.rvec, start.tvec, [focal], places[1:].ravel()])
    return _centred(camera_of(_least_squares(residuals, first)), seen)


def _least_squares(residuals: Callable[[Array], Array], first: Array) -> Array:
    """The parameters with the least sum of squares near `first`, with Levenberg's damping."""
    step = np.full(len(first), 1e-4)
    step[3:6] = 1e-2
    p, damping = first, 1e-3
    here = residuals(p)
    for _ in range(_STEPS):
        jacobian = np.stack([(residuals(p + d) - here) / d.sum() for d in np.diag(step)], axis=1)
        normal = jacobian.T @ jacobian
        normal[np.diag_indices_from(normal)] *= 1.0 + damping
        change = -np.linalg.solve(normal + 1e-9 * np.eye(len(p)), jacobian.T @ here)
        there = residuals(p + change)
        if there @ there < here @ here:
            p, here, damping = p + change, there, damping * 0.2
            if np.abs(change / step).max() < 0.5:
                break
        else:
            damping = max(damping, 1e-6) * 10.0
    return p


def _place_on_floor(camera: Camera, corners_px: Array) -> Array:
    """x, y (mm) and angle (rad) of a card on the floor with these corners (4, 2)."""
    on = camera.to_plane(corners_px)[:, :2]
    across = on[1] + on[2] - on[0] - on[3]
    return np.array([*on.mean(axis=0), math.atan2(across[1], across[0])])


def _centred(camera: Camera, corners_px: Array) -> Camera:
    """The same camera and floor in a world whose origin is in the middle of the cards, y up as the picture shows it."""
    middle = camera.to_plane(corners_px.reshape(-1, 2)).mean(axis=0)
    tvec = camera.tvec + camera.R @ np.array([middle[0], middle[1], 0.0])
    # the world's x is turned to where the picture's x is
    right = camera.R.T @ np.array([1.0, 0.0, 0.0])
    turn = CardPose.flat(0.0, 0.0, math.degrees(math.atan2(right[1], right[0]))).R
    rvec = np.asarray(cv2.Rodrigues(camera.R @ turn)[0], np.float64).ravel()
    return Camera(camera.K, camera.dist, rvec, tvec)
