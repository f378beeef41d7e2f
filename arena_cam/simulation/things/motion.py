"""Motion over the table: flights of thrown cards and hands that come and go."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.things.hands import Reach

GRAVITY_MM_S2 = 9810.0
SLIDE_MM_S = 450.0  # how fast a card still slides when it touches down


def smooth(u: float) -> float:
    """0 to 1 with rest at both ends, for `u` from 0 to 1 (cut off outside)."""
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@dataclass(frozen=True, eq=False)
class Flight:
    """A thrown card: a ballistic path with spin and wobble, then a short slide in which it comes to rest."""

    end: CardPose
    start_mm: Array
    flight_s: float
    slide_s: float
    spin_deg: float
    wobble_deg: float
    flips: float

    @property
    def seconds(self) -> float:
        return self.flight_s + self.slide_s

    def pose(self, t_s: float) -> CardPose:
        """The card's pose `t_s` after it was let go."""
        if t_s >= self.seconds:
            return self.end
        touch = self._touchdown()
        if t_s < self.flight_s:
            u = t_s / self.flight_s
            place = self.start_mm + (touch - self.start_mm) * u
            place[2] += 0.5 * GRAVITY_MM_S2 * t_s * (self.flight_s - t_s)
            left, sway, over = 1.0 - u * 0.85, 1.0 - 0.6 * u, self.flips * (1.0 - u)
        else:
            v = (t_s - self.flight_s) / self.slide_s
            ease = 1.0 - (1.0 - v) ** 2
            place = touch + (self.end.centre_mm - touch) * ease
            left, sway, over = 0.15 * (1.0 - ease), 0.4 * (1.0 - v) ** 2, 0.0
        sway_deg = self.wobble_deg * sway
        lift = np.radians([sway_deg * math.sin(9.0 * t_s), sway_deg * math.cos(7.0 * t_s), 0.0])
        turn = cv2.Rodrigues(np.array([0.0, 0.0, math.radians(self.spin_deg) * left]))[0]
        flip = cv2.Rodrigues(np.array([2.0 * math.pi * over, 0.0, 0.0]))[0]
        # Wobble lifts a border: the middle must rise with it or the card would pass through the floor.
        place[2] += 40.0 * float(np.abs(np.sin(lift)).max())
        return CardPose(np.asarray(cv2.Rodrigues(lift)[0] @ turn @ self.end.R @ flip), place)

    def _touchdown(self) -> Array:
        """The place at which it touches down: before its rest by the length of its slide, on the line of flight."""
        way = self.end.centre_mm[:2] - self.start_mm[:2]
        back = way / max(float(np.hypot(*way)), 1.0) * min(SLIDE_MM_S * self.slide_s / 2.0, 60.0)
        return np.array([*(self.end.centre_mm[:2] - back), self.end.centre_mm[2] + 1.5])


def random_flight(end: CardPose, edge_mm: tuple[float, float], rng: np.random.Generator) -> Flight:
    """A throw from beyond the picture's edge, whose half-size on the table is `edge_mm`, by a seated player."""
    towards = rng.uniform(-math.pi, math.pi)
    start = np.array([math.cos(towards) * (edge_mm[0] + 90.0), math.sin(towards) * (edge_mm[1] + 90.0), 0.0])
    start[2] = rng.uniform(60.0, 170.0)
    return Flight(
        end=end,
        start_mm=start,
        flight_s=float(rng.uniform(0.22, 0.34)),
        slide_s=float(rng.uniform(0.14, 0.3)),
        spin_deg=float(rng.normal(0.0, 220.0)),
        wobble_deg=float(rng.uniform(3.0, 14.0)),
        flips=float(rng.choice([0.0, 0.0, 0.0, 1.0])),
    )


@dataclass(frozen=True)
class Visit:
    """A hand that comes to a place, stays, and goes back the way it came."""

    there: Reach
    in_s: float
    stay_s: float
    out_s: float
    away_mm: float = 700.0

    @property
    def seconds(self) -> float:
        return self.in_s + self.stay_s + self.out_s

    def reach(self, t_s: float) -> Reach:
        """The hand `t_s` after it set out."""
        if t_s < self.in_s:
            out = 1.0 - smooth(t_s / self.in_s)
        elif t_s < self.in_s + self.stay_s:
            out = 0.0
        else:
            out = smooth((t_s - self.in_s - self.stay_s) / self.out_s)
        a = math.radians(self.there.angle_deg)
        back = (math.sin(a) * self.away_mm * out, -math.cos(a) * self.away_mm * out)
        tremble = 1.2 * math.sin(11.0 * t_s) * (1.0 - out)  # no hand is still
        x, y = self.there.tip_mm
        return replace(self.there, tip_mm=(x + back[0] + tremble, y + back[1] + 0.7 * tremble))


def coming_from(target_mm: tuple[float, float], rng: np.random.Generator) -> float:
    """A direction (deg, of the hand's pointing) in which a player across the table would reach to a place."""
    outward = math.degrees(math.atan2(-target_mm[0], target_mm[1])) + 180.0
    return float(outward + rng.normal(0.0, 35.0)) if math.hypot(*target_mm) > 40.0 else float(rng.uniform(-180, 180))
