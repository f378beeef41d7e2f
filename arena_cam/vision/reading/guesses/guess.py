"""A guess: a face that might lie at a place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose


@dataclass(frozen=True)
class Traits:
    """Properties of a finder's guesses. `title` names the finder.

    `reads_names`: it reads a card's name instead of comparing faces. `by_chance`: pieces of print can agree on a place
    by chance, so its guesses need more votes to be tried. `by_looks`: a guess may match at coarse scale but not at fine
    scale. `exact_from_votes`: from so many votes a guess is good to a millimetre or two, height and tilt too.
    """

    title: str
    reads_names: bool = False
    by_chance: bool = False
    by_looks: bool = False
    exact_from_votes: float = math.inf


class Finder(Enum):
    """The finder that made a guess."""

    KNOWN = Traits("known", exact_from_votes=0.0)  # a card that lay there a moment ago
    MARKERS = Traits("markers", reads_names=True, exact_from_votes=2.0)
    FEATURES = Traits("features", by_chance=True, by_looks=True)
    OUTLINES = Traits("outlines", by_looks=True)
    SIDES = Traits("sides")
    PIECES = Traits("pieces")
    SEARCH = Traits("search")

    @property
    def traits(self) -> Traits:
        return self.value


@dataclass(frozen=True, eq=False)
class Guess:
    """A guess: face number `face` lies at `pose`; `votes` is its support (comparable within one finder)."""

    face: int
    pose: CardPose
    votes: float
    finder: Finder

    @property
    def is_exact(self) -> bool:
        """Whether the pose, including height and tilt, is expected to be good to a millimetre or two."""
        return self.votes >= self.finder.traits.exact_from_votes

    def names_as(self, other: Guess) -> bool:
        """Whether both mean the same face. A guess by sides means whichever it is: its number is no name."""
        return self.face == other.face and (self.finder is Finder.SIDES) is (other.finder is Finder.SIDES)


def place_at(pose: CardPose) -> Array:
    """Place (mm) and direction (deg) of a card seen from above (3,)."""
    return np.array([pose.centre_mm[0], pose.centre_mm[1], pose.angle_deg])


def near(a: Array, b: Array, mm: float, deg: float) -> bool:
    """Whether two places (3,), as `place_at` gives them, are within so many millimetres and degrees of each other."""
    return bool(math.hypot(a[0] - b[0], a[1] - b[1]) < mm and abs((a[2] - b[2] + 180) % 360 - 180) < deg)


def one_for_each_place(guesses: Sequence[Guess]) -> list[Guess]:
    """The best supported guess of each place and rotation, whatever its name, which is decided at the pose: no more
    than are tried in one round. A card of the last reading is the better guess."""
    kept: list[Guess] = []
    ways: list[_Way] = []
    for guess in sorted(guesses, key=lambda g: -g.votes):
        way = _way_of(guess.pose)
        here = next((i for i, other in enumerate(ways) if _are_one(way, other)), None)
        if here is None:
            kept.append(guess)
            ways.append(way)
        elif guess.finder is Finder.KNOWN and kept[here].finder.traits.by_chance:
            kept[here], ways[here] = guess, way
    return kept[:MOST_GUESSES]


MOST_GUESSES = 22  # that are tried in one round


def one_place(a: CardPose, b: CardPose) -> bool:
    """Whether two cards guessed there may be one: alignment bridges as much."""
    return _are_one(_way_of(a), _way_of(b))


_Way = tuple[float, float, float, float, float]  # where a card's middle lies (mm), and which way its short side points


def _way_of(pose: CardPose) -> _Way:
    (x, y), (right, up, out) = pose.centre_mm[:2].tolist(), pose.R[:, 0].tolist()
    return x, y, right, up, out


def _are_one(a: _Way, b: _Way) -> bool:
    near_by = math.hypot(a[0] - b[0], a[1] - b[1]) <= _ONE_PLACE_MM
    return near_by and a[2] * b[2] + a[3] * b[3] + a[4] * b[4] >= _ONE_WAY


# A guess is off by so much.
_ONE_PLACE_MM, _ONE_PLACE_DEG = 8.0, 15.0
_ONE_WAY = float(np.cos(np.radians(_ONE_PLACE_DEG)))  # asked 1000 times a picture, of plain numbers
