"""The end of a throw: a seeded choice of where a card comes down, and how that counts.

The landing classes are the vision contract's: they follow from the solved rest alone, never from what was wanted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena_cam.domain.errors import CannotDo
from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.things.resting import (
    CardSize,
    Rest,
    Support,
    card_support,
    clip_convex,
    outline_mm,
    rest,
    tray_supports,
)

FLAT_BELOW_DEG = 3.0
LEANING_FROM_DEG = 4.0
# A raised border may reach over the wall by so much, or the wall's thickness if that is less.
DIAGONAL_REACH_MM = 4.0
# Friction of paper on wood or felt holds no card steeper than this (coefficient 0.45).
STEEPEST_DEG = 24.0


@dataclass(frozen=True, eq=False)
class PlacedCard:
    """A card at rest. `card` is the deck's id also where it lies face down.

    A bent card's ends stand `curl_mm` above its middle (negative: the middle stands up), along its width
    (`curl_axis` 0) or height (1).
    """

    card: str
    face: Face
    rest: Rest
    landing: Landing
    ambiguous: bool
    overhang_mm: float
    curl_mm: float = 0.0
    curl_axis: int = 1

    @property
    def pose(self) -> CardPose:
        """Of the middle of its upper side. A card that is bent rests on its ends, or on its middle if that is lower."""
        resting = self.rest.pose
        if self.curl_mm == 0.0 or (self.curl_mm > 0.0 and self.landing in (Landing.FLAT, Landing.BESIDE)):
            return resting
        return CardPose(resting.R, resting.centre_mm - self.curl_mm * resting.R[:, 2])

    def corners_mm(self, size: CardSize) -> Array:
        """The corners (4, 3) in the world, the bend included."""
        return self.pose.corners(size.width_mm, size.height_mm) + self.curl_mm * self.pose.R[:, 2]


def overhang_mm(pose: CardPose, size: CardSize, arena: Arena) -> float:
    """The length in mm by which the rounded outline reaches over the inner boundary; negative: it stays inside."""
    r = size.corner_radius_mm
    inset = pose.corners(size.width_mm - 2 * r, size.height_mm - 2 * r)
    n = pose.R[:, 2]
    # A circle of radius r in a plane with normal n reaches r * |d - (d.n) n| in direction d.
    reach = r * np.sqrt(1.0 - n[:2] ** 2)
    beyond = np.abs(inset[:, :2]).max(axis=0) + reach - np.asarray(arena.inner_mm) / 2
    return float(beyond.max())


def judge_rest(resting: Rest, size: CardSize, arena: Arena) -> tuple[Landing, bool, float]:
    """Landing of a rest, whether a person would argue about it, and its overhang (mm)."""
    over = overhang_mm(resting.pose, size, arena)
    tilt = resting.tilt_deg
    ix, iy = arena.inner_mm[0] / 2, arena.inner_mm[1] / 2
    window = np.array([[-ix, -iy], [ix, -iy], [ix, iy], [-ix, iy]])
    outline = outline_mm(resting.pose, size)[::-1, :2]
    limit = min(DIAGONAL_REACH_MM, arena.wall_thickness_mm)
    if len(clip_convex(outline, window)) < 3:
        return Landing.BESIDE, "wall" in resting.supports, over
    if over > limit:
        return Landing.EDGE, over < arena.wall_thickness_mm + DIAGONAL_REACH_MM, over
    if tilt < FLAT_BELOW_DEG:
        return Landing.FLAT, over > 0.0 or tilt > FLAT_BELOW_DEG - 0.5, over
    return Landing.DIAGONAL, tilt < LEANING_FROM_DEG or "wall" not in resting.supports or over < -1.5, over


def supports_of(pile: list[PlacedCard], size: CardSize, arena: Arena) -> list[Support]:
    """Everything that can carry the next card."""
    return tray_supports(arena) + [card_support(placed.card, placed.pose, size) for placed in pile]


def place(
    card: str, face: Face, at: tuple[float, float, float], pile: list[PlacedCard], size: CardSize, arena: Arena
) -> PlacedCard:
    """Lets a card come down at (x mm, y mm, angle deg) on the pile."""
    resting = rest(at[0], at[1], at[2], supports_of(pile, size, arena), size)
    landing, ambiguous, over = judge_rest(resting, size, arena)
    return PlacedCard(card, face, resting, landing, ambiguous, over)


@dataclass(frozen=True, eq=False)
class Ground:
    """The arena before a throw: the `pile` that lies there, cards' size, the arena. `clear_of` (N, 3) are circles
    (x, y, radius) on the table that a card beside the tray keeps off; `reach_mm` is the half-size of the table in
    view."""

    pile: list[PlacedCard]
    size: CardSize
    arena: Arena
    clear_of: Array | None = None
    reach_mm: tuple[float, float] = (360.0, 230.0)


@dataclass(frozen=True, slots=True)
class Aim:
    """The wished landing of a card: near `at_mm` if given. With `ambiguous` only borderline rests are taken, otherwise
    none."""

    wanted: Landing
    at_mm: tuple[float, float] | None = None
    spread_mm: float = 30.0
    ambiguous: bool = False


def throw(card: str, face: Face, aim: Aim, ground: Ground, rng: np.random.Generator) -> PlacedCard:
    """Throws `card` until it lands as aimed, and returns the rest.

    Raises CannotDo if 600 throws do not land so (a full arena).
    """
    for _ in range(600):
        at = _candidate(aim, ground, rng)
        if aim.wanted is Landing.BESIDE and ground.clear_of is not None and len(ground.clear_of):
            distance = np.hypot(ground.clear_of[:, 0] - at[0], ground.clear_of[:, 1] - at[1])
            if np.any(distance < ground.clear_of[:, 2]):
                continue
        placed = place(card, face, at, ground.pile, ground.size, ground.arena)
        if placed.landing is aim.wanted and placed.ambiguous == aim.ambiguous and placed.rest.tilt_deg < STEEPEST_DEG:
            return placed
    raise CannotDo(SimulatedTrouble.NO_PLACE(name=str(card), landing=aim.wanted.value))


def _candidate(aim: Aim, ground: Ground, rng: np.random.Generator) -> tuple[float, float, float]:
    angle = float(rng.uniform(-180.0, 180.0))
    half = np.asarray(ground.arena.inner_mm) / 2
    if aim.wanted is Landing.FLAT:
        if aim.at_mm is not None:
            x, y = rng.normal(aim.at_mm, aim.spread_mm)
        else:
            x, y = rng.uniform(-half + 30.0, half - 30.0)
        return float(x), float(y), angle
    if aim.wanted is Landing.BESIDE:
        x, y = rng.uniform(-1.0, 1.0, 2) * ground.reach_mm
        return float(x), float(y), angle
    if rng.random() < 0.35:  # cards that slide into a wall often end square to it
        angle = float(rng.choice([0.0, 90.0, 180.0, -90.0]) + rng.normal(0.0, 6.0))
    return _against_wall(_over_wall_mm(aim, ground.arena, rng), angle, aim, ground, rng)


def _over_wall_mm(aim: Aim, arena: Arena, rng: np.random.Generator) -> float:
    """The length in mm by which a card that lands diagonal or on the edge reaches over the inner boundary."""
    limit, wall = min(DIAGONAL_REACH_MM, arena.wall_thickness_mm), arena.wall_thickness_mm
    if aim.wanted is Landing.DIAGONAL:
        return float(rng.uniform(0.3, limit - 0.1))
    if aim.ambiguous:
        return float(rng.uniform(limit, wall + DIAGONAL_REACH_MM))
    return float(rng.uniform(wall + DIAGONAL_REACH_MM + 0.5, wall + 60.0))


def _against_wall(
    over: float, angle: float, aim: Aim, ground: Ground, rng: np.random.Generator
) -> tuple[float, float, float]:
    """A place where a card of that angle reaches about `over` mm beyond a wall chosen by chance."""
    inner_mm = ground.arena.inner_mm
    pose = CardPose.flat(0.0, 0.0, angle)
    extent = np.abs(outline_mm(pose, ground.size)[:, :2]).max(axis=0)
    axis, sign = int(rng.integers(2)), float(rng.choice([-1.0, 1.0]))
    at = np.zeros(2)
    # Tilting by 5 to 20 degrees draws the outline in by up to this share of it.
    at[axis] = sign * (inner_mm[axis] / 2 + over - extent[axis] * (1.0 - rng.uniform(0.0, 0.045)))
    other = 1 - axis
    free = max(inner_mm[other] / 2 - extent[other] - 1.0, 1.0)
    along = rng.uniform(-free, free) if aim.at_mm is None else rng.normal(aim.at_mm[other], aim.spread_mm)
    at[other] = float(np.clip(along, -free, free))
    return float(at[0]), float(at[1]), angle
