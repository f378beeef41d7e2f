"""How far a card reaches over the tray's inner boundary, seen from above."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose


@dataclass(frozen=True)
class CardSize:
    """A card's outline: its sides and the radius of its corners."""

    width_mm: float
    height_mm: float
    radius_mm: float


def round_outline(pose: CardPose, size: CardSize) -> Array:
    """Points (N, 3) round the card's outline, corners rounded: the middles of the corner circles, to be widened by the
    radius in whatever direction is asked for; here only the farthest points along each axis matter."""
    return pose.points(*outline_xy(size))


@lru_cache(maxsize=4)  # of one deck, mostly
def outline_xy(size: CardSize) -> tuple[Array, Array]:
    """x and y (N,) of `round_outline` in the card frame."""
    r = size.radius_mm
    x, y = size.width_mm / 2 - r, size.height_mm / 2 - r
    angles = np.arange(16) * (np.pi / 8)
    cx = (np.array([-x, x, x, -x])[:, None] + r * np.cos(angles)).ravel()
    cy = (np.array([y, y, -y, -y])[:, None] + r * np.sin(angles)).ravel()
    return cx, cy


def overhang_mm(pose: CardPose, arena: Arena, size: CardSize) -> float:
    """How far the card reaches over the inner boundary, seen from above; negative inside."""
    x, y = _off_the_middle(pose, *outline_xy(size))
    return max(float(x.max()) - arena.inner_mm[0] / 2, float(y.max()) - arena.inner_mm[1] / 2)


def inside_mm(pose: CardPose, arena: Arena, size: CardSize) -> float:
    """How far the card's most inward point lies inside the inner boundary; negative: wholly outside."""
    x, y = _off_the_middle(pose, *_all_over(size))
    return float(np.minimum(arena.inner_mm[0] / 2 - x, arena.inner_mm[1] / 2 - y).max())


def _off_the_middle(pose: CardPose, x_mm: Array, y_mm: Array) -> tuple[Array, Array]:
    """How far from the arena's middle points (N,) of a card lie, across and along."""
    across, along = (x_mm * pose.R[k, 0] + y_mm * pose.R[k, 1] + pose.centre_mm[k] for k in (0, 1))
    return np.abs(across), np.abs(along)


@lru_cache(maxsize=4)
def _all_over(size: CardSize) -> tuple[Array, Array]:
    """x and y (N,) of points all over a card, its rim included, in the card frame."""
    across = np.linspace(-0.5, 0.5, 12)
    u, v = np.meshgrid(across * size.width_mm, across * size.height_mm)
    return u.ravel(), v.ravel()
