"""Photographs for the tests of planes: cards on a dark even ground, seen by a pinhole camera from the side."""

from __future__ import annotations

from functools import cache

import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.cards import Deck
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from vision.small import camera_above, with_card

SIZE = (480, 400)
CAMERA = camera_above(2.0, SIZE, tilt_deg=15.0)
CARD_MM = (63.0, 88.0)


def ground(level: int = 60) -> Image:
    """A photograph (H, W, 3) of nothing but an even cloth, with a camera's noise."""
    return _ground(level).copy()


@cache
def _ground(level: int) -> Image:
    noise = np.random.default_rng(1).normal(level, 1.5, (SIZE[1], SIZE[0], 3))
    return np.clip(noise, 0, 255).astype(np.uint8)


def photograph(deck: Deck, *cards: tuple[str, CardPose], camera: Camera = CAMERA, level: int = 60) -> Image:
    """Cards of a deck on that cloth, the lowest first."""
    picture = ground(level)
    for card, pose in cards:
        picture = with_card(picture, deck, card, camera, pose)
    return picture


def homography(pose: CardPose, camera: Camera = CAMERA) -> Array:
    """The place of a card at `pose`: (3, 3) from millimetres on the card to pixels."""
    plane = camera.R @ pose.plane
    plane[:, 2] += camera.tvec
    h = camera.K @ plane
    return np.asarray(h / h[2, 2])


def outline_px(pose: CardPose, camera: Camera = CAMERA) -> Array:
    """The corners (4, 2) of a card at `pose`, upright order."""
    return camera.project(pose.corners(*CARD_MM))
