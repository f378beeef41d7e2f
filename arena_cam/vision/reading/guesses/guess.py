"""A guess: a face that might lie at a place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose


@dataclass(frozen=True)
class Traits:
    """What a finder's guesses are like. `title` names it.

    `reads_names`: it reads which card it is, and does not compare. `by_chance`: pieces of print that agree on a place
    do so by chance, too, so its guesses need more to be tried. `by_looks`: a guess may look right from afar and not
    near by. `exact_from_votes`: with so many votes a guess is good to a millimetre or two, height and tilt too.
    """

    title: str
    reads_names: bool = False
    by_chance: bool = False
    by_looks: bool = False
    exact_from_votes: float = math.inf


class Finder(Enum):
    """What guessed that a card lies somewhere."""

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
    """A guess: face number `face` lies at `pose`; `votes` is how much spoke for it (comparable within one finder)."""

    face: int
    pose: CardPose
    votes: float
    finder: Finder

    @property
    def is_exact(self) -> bool:
        """Whether the pose is thought to be good to a millimetre or two, height and tilt too."""
        return self.votes >= self.finder.traits.exact_from_votes


def place_at(pose: CardPose) -> Array:
    """Place (mm) and direction (deg) of a card seen from above (3,)."""
    return np.array([pose.centre_mm[0], pose.centre_mm[1], pose.angle_deg])


def near(a: Array, b: Array, mm: float, deg: float) -> bool:
    """Whether two places (3,), as `place_at` gives them, are within so many millimetres and degrees of each other."""
    return bool(math.hypot(a[0] - b[0], a[1] - b[1]) < mm and abs((a[2] - b[2] + 180) % 360 - 180) < deg)
