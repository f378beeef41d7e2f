"""A guess: a face that might lie at a place."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose


@dataclass(frozen=True, eq=False)
class Guess:
    """A guess: face number `face` lies at `pose`; `votes` is how much spoke for it (comparable within one finder)."""

    face: int
    pose: CardPose
    votes: float
    finder: str


def place_at(pose: CardPose) -> Array:
    """Place (mm) and direction (deg) of a card seen from above (3,)."""
    return np.array([pose.centre_mm[0], pose.centre_mm[1], pose.angle_deg])


def near(a: Array, b: Array, mm: float, deg: float) -> bool:
    """Whether two places (3,), as `place_at` gives them, are within so many millimetres and degrees of each other."""
    return bool(math.hypot(a[0] - b[0], a[1] - b[1]) < mm and abs((a[2] - b[2] + 180) % 360 - 180) < deg)
