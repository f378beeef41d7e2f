"""The sides of tokens, and their shadows: what a thick disc sweeps from its face to its foot.

Of one seen askew more is seen than its face, on the side that is turned to the camera. Face and foot are circles of one
size in parallel planes. Projected onto the table they are nearly equal circles, and between them the side sweeps their
hull: all points within a radius of the line between both middles.

A lamp projects them, too. It throws all shadows one way, and as far as the tokens are high. A shadow ends in an arc of
a token's radius, and white paper in it is as grey as a token's back: neither its rim nor its colour tells it from a
token. But where it lies is known before it is looked at, once the tokens that lie alone on a card tell where theirs
are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.table_view import TableView

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A token is at most so thick, in its own radii: wooden discs of 25 mm are 3 mm thick, poker chips of 39 mm 3.4.
THICKEST = 0.25
# Radii about a lone token between which its shadow is looked for, from its blurred edge on, and how finely; within how
# many another one hides what is seen, or lies beneath it.
NEAR, FAR, STEP, BESIDE, TOUCHING = 1.08, 2.2, 0.1, 1.15, 2.0
WHOLE = 0.9  # of a face: what is seen of a lone one
# In how many directions and how far a token may throw its shadow, in radii: a wooden disc of a quarter of its radius
# does so in a lamp that stands 12 degrees high.
WAYS, LENGTHS = 36, np.arange(0.1, 1.21, 0.1)
# How many points must tell, and which shares of them must lie in the shadow and outside; the range of a shade.
LEAST_POINTS, LEAST_IN, LEAST_OUT, SHADES = 150, 0.03, 0.2, (0.2, 1.3)
# A plain shadow: so much light is left in it at most, and so much of the variance of light about the tokens it tells.
DARKER, LEAST_TOLD = 0.8, 0.2
SOFT = 0.08  # radii by which its edge is blurred
_ALONG = np.arange(-FAR, FAR + 1e-6, STEP)
_LATTICE = np.array([(x, y) for y in _ALONG for x in _ALONG if NEAR < math.hypot(x, y) < FAR])


class Piece(Protocol):
    """A round piece on the table: the middle (2,) of its face, as it is seen, and its radius, in mm."""

    @property
    def middle(self) -> Floats: ...

    @property
    def radius_mm(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Sides:
    """Where tokens show their sides to a camera above `beneath` (2,), in mm of the table, that is `high_mm` over it."""

    beneath: Floats
    high_mm: float

    @classmethod
    def of(cls, camera: TableView) -> Sides:
        """The sides that a camera sees."""
        eye = camera.eye_mm
        return cls(eye[:2], abs(float(eye[2])))

    def foot(self, piece: Piece) -> Floats:
        """(2,): from the middle of a piece's face, as it is seen, to that of its foot, if it is as thick as can be."""
        return (self.beneath - piece.middle) * (THICKEST * piece.radius_mm / self.high_mm)

    def on(self, token: SeenDisc, points: Floats, higher: int = 0) -> Mask:
        """(N,): which of the points (N, 2) may show the token's side, and not its face; of one that lies on others, so
        many tokens higher, what may be seen beneath it: their sides, and the gaps between them."""
        away, foot = points - token.middle, (1 + higher) * self.foot(token)
        share = np.clip(away @ foot / max(float(foot @ foot), 1e-9), 0.0, 1.0)
        x, y = away.T
        near = np.hypot(x - share * foot[0], y - share * foot[1]) < token.radius_mm
        return np.asarray(near & (np.hypot(x, y) >= token.radius_mm))


def _away(points: Floats, end: Floats) -> Floats:
    """(N,): how far points (N, 2) are from the line from 0 to its `end` (2,)."""
    share = np.clip(points @ end / max(float(end @ end), 1e-9), 0.0, 1.0)
    return np.asarray(np.hypot(points[:, 0] - share * end[0], points[:, 1] - share * end[1]))


_TURNS = np.arange(WAYS) * (2.0 * np.pi / WAYS)
_ENDS = np.array([(length * math.cos(turn), length * math.sin(turn)) for turn in _TURNS for length in LENGTHS])
_SHADOWS = np.array([_away(_LATTICE, end) < 1.0 for end in _ENDS], np.float64)


@dataclass(frozen=True, eq=False)
class CastShadows:
    """`thrown` (2,): from a token to the end of its shadow on what it lies on, in mm; `left`: how much light is left
    in that; `told`: the share of the variance of light about lone tokens that it tells."""

    thrown: Floats
    left: float
    told: float

    def lit(self, points: Floats, tokens: Sequence[tuple[SeenDisc, int]]) -> Floats:
        """(N,): how much light is left at points (N, 2) by tokens that each lie so many tokens higher."""
        lit = np.ones(len(points))
        for token, higher in tokens:
            if higher > 0:
                away = _away(points - token.middle, higher * self.thrown) / token.radius_mm
                dark = np.clip((1.0 + SOFT - away) / (2.0 * SOFT), 0.0, 1.0)
                lit = np.minimum(lit, 1.0 - (1.0 - self.left) * dark)
        return lit


class LightAbout:
    """What light is seen about lone tokens, on the lattice of their surroundings: each beneath the same others is
    looked at once. `light_at` tells of points (N, 2) how much of a card's light is seen there (N,), not a number where
    that is not known."""

    def __init__(self, light_at: Callable[[Floats], Floats]) -> None:
        self._light_at = light_at
        self._seen: dict[tuple[float, ...], Floats] = {}
        self._cast: dict[tuple[tuple[float, ...], ...], CastShadows | None] = {}

    def cast(self, tokens: Sequence[SeenDisc], beside: Floats | None = None) -> CastShadows | None:
        """The shadow that those of the tokens throw on cards that lie on no other and beneath none; None where it is
        not plain. Where what lies `beside` a place (2,) is in question, those that touch it tell nothing: a grey token
        beneath one would be its shadow."""
        near = [[other for other in tokens if _is_near(each, other, FAR + BESIDE)] for each in tokens]
        lone = [
            (each, others)
            for each, others in zip(tokens, near, strict=True)
            if each.visible > WHOLE
            and not any(_is_near(each, other, TOUCHING) for other in others)
            and (beside is None or math.dist(each.middle, beside) > TOUCHING * each.radius_mm)
        ]
        places = tuple(_places([each, *others]) for each, others in lone)
        if places not in self._cast:
            light = [self._about(*each, place) for each, place in zip(lone, places, strict=True)]
            self._cast[places] = _cast(np.array(light), lone[0][0].radius_mm) if light else None
        return self._cast[places]

    def _about(self, token: SeenDisc, others: Sequence[SeenDisc], place: tuple[float, ...]) -> Floats:
        """(L,): the light on the lattice about a token, not a number where it is not known or another lies."""
        if place not in self._seen:
            points = token.middle + token.radius_mm * _LATTICE
            light = np.clip(self._light_at(points), *SHADES)
            for other in others:
                light[np.hypot(*(points - other.middle).T) < BESIDE * other.radius_mm] = np.nan
            self._seen[place] = light
        return self._seen[place]


def _cast(light: Floats, radius_mm: float) -> CastShadows | None:
    """The shadow of which most of the light (N, L) about N tokens tells."""
    free = np.isfinite(light)
    count, total = free.sum(axis=0).astype(np.float64), np.where(free, light, 0.0).sum(axis=0)
    n, all_light = float(count.sum()), float(total.sum())
    if n < LEAST_POINTS:
        return None
    inside, dark = _SHADOWS @ count, _SHADOWS @ total
    shaded, lit = dark / np.maximum(inside, 1.0), (all_light - dark) / np.maximum(n - inside, 1.0)
    usable = (inside > LEAST_IN * n) & (n - inside > LEAST_OUT * n) & (shaded < lit)
    between = np.where(usable, np.square(shaded - lit) * inside * (n - inside) / n, 0.0)
    best = int(between.argmax())
    told = float(between[best]) / max(float(np.square(light[free]).sum()) - all_light**2 / n, 1e-9)
    left = float(shaded[best] / max(lit[best], 1e-9))
    return CastShadows(_ENDS[best] * radius_mm, left, told) if told > LEAST_TOLD and left < DARKER else None


def levels(tokens: Sequence[SeenDisc], lies_over: Callable[[SeenDisc, SeenDisc], bool]) -> list[int]:
    """On how many others each token lies: one that `lies_over` another that it touches lies a token higher."""
    found = dict[int, int]()
    for k in sorted(range(len(tokens)), key=lambda k: tokens[k].visible):
        beneath = [j for j in found if _is_near(tokens[k], tokens[j], TOUCHING) and lies_over(tokens[k], tokens[j])]
        found[k] = 1 + max((found[j] for j in beneath), default=-1)
    return [found[k] for k in range(len(tokens))]


def _is_near(token: SeenDisc, other: SeenDisc, reach: float) -> bool:
    return other is not token and math.dist(token.middle, other.middle) < reach * token.radius_mm


def _places(tokens: Sequence[SeenDisc]) -> tuple[float, ...]:
    return tuple(number for each in tokens for number in each.middle.tolist())
