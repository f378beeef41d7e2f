"""Where and how cards lie at one moment: the words between the eye and the rules.

A *lie* is where and how one card rests, with its doubt; a *reading* is what one frame says. None of it names a game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from arena_cam.domain.messages import Message, in_words

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]


class Landing(StrEnum):
    """How the final rest of a card counts, never its rotation in the plane."""

    FLAT = "flat"
    DIAGONAL = "diagonal"
    EDGE = "edge"
    BESIDE = "beside"


class Face(StrEnum):
    UP = "up"
    DOWN = "down"


class Hypothesis(StrEnum):
    """What may hold a card up; the names of the walls are those of the world frame."""

    FLAT = "flat"
    ON_TABLE = "on the table"
    NORTH_WALL = "leans on the north wall"
    SOUTH_WALL = "leans on the south wall"
    EAST_WALL = "leans on the east wall"
    WEST_WALL = "leans on the west wall"
    ACROSS_WALL = "across the wall"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class HypothesisFit:
    """How well one physical hypothesis explained the pixels of a card.

    `name` says which, a Hypothesis where this version wrote it; `rms` is the photometric residual in
    grey levels (0 to 255) after alignment, `log_likelihood` its log-likelihood up to a common constant.
    """

    name: str
    landing: Landing
    tilt_deg: float
    rms: float
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class Lie:
    """Where and how one card rests, with its doubt.

    `key` names the card within its reading: the card's id, or "?1", "?2"... for cards that lie face down.
    `corners_px` are top-left, top-right, bottom-right, bottom-left of the card upright, in the distorted image;
    `corners_mm` the same corners in the world frame. Without a calibrated table `landing`, `tilt_deg`, `tilt_sd_deg`,
    `centre_mm` and `corners_mm` are None. `confidence` is the calibrated probability that `landing` is right.
    `rests_on` holds keys. `other_names` are (id, probability) of the next best identities, best first.
    `covers_by_any_name`: who covers whom here was told by what is the same whichever of its likely names the card has.
    """

    key: str
    card: str | None
    face: Face
    landing: Landing | None
    confidence: float
    tilt_deg: float | None
    tilt_sd_deg: float | None
    centre_mm: Point2 | None
    angle_deg: float
    corners_px: tuple[Point2, Point2, Point2, Point2]
    corners_mm: tuple[Point3, Point3, Point3, Point3] | None = None
    rests_on: tuple[str, ...] = ()
    visible_fraction: float = 1.0
    identity_probability: float = 1.0
    landing_probabilities: tuple[tuple[Landing, float], ...] = ()
    other_names: tuple[tuple[str, float], ...] = ()
    covers_by_any_name: bool = False
    fits: tuple[HypothesisFit, ...] = ()
    sure: bool = True
    doubts: tuple[Message, ...] = ()

    @property
    def why_unsure(self) -> tuple[str, ...]:
        """The doubts in plain English."""
        return tuple(str(doubt) for doubt in self.doubts)


@dataclass(frozen=True, slots=True)
class TablePose:
    """The camera's extrinsics in one frame: X_camera = R(rvec) X_world + tvec (mm), from `fiducials` seen.

    `reprojection_px` is the RMS reprojection error of the fiducials' corners in pixels; `held` is true where the last
    good pose served because too few fiducials were in view.
    """

    rvec: Point3
    tvec: Point3
    reprojection_px: float
    fiducials: tuple[int, ...]
    held: bool = False


_LEAST_RING_MM, _OFF_IT_MM = 12.0, 4.0  # a smaller ring would not be seen


def ring_mm(area_mm2: float) -> float:
    """The radius (mm) of a ring drawn round something of which so much is seen, a little off it."""
    return max(_LEAST_RING_MM, math.sqrt(area_mm2 / math.pi) + _OFF_IT_MM)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something on the table that is none of the cards found: `area_mm2` of it are seen, `centre_mm` is its middle in
    the world frame. `near` are the keys of the cards that what it hides may touch; `doubt` is the one among the
    reading's doubts that stands for it. `may_be_card`: so much is seen, and no arm reaches in, that it is a card, most
    likely. Without a calibrated table `centre_mm` is None, and `ring_px` are points round it in the distorted image."""

    area_mm2: float
    centre_mm: Point2 | None
    near: tuple[str, ...]
    doubt: Message
    may_be_card: bool = False
    ring_px: tuple[Point2, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What one frame says: its lies bottom to top (a linear extension of who covers whom), and whether to trust it.

    `covers` lists (upper key, lower key) for every overlapping pair whose order was seen. `doubts` are those that
    concern the frame as a whole; each lie has its own. `unknown` things are among them.
    """

    frame: str
    time_s: float
    lies: tuple[Lie, ...]
    covers: tuple[tuple[str, str], ...] = ()
    pose: TablePose | None = None
    sure: bool = True
    doubts: tuple[Message, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    @property
    def why_unsure(self) -> tuple[str, ...]:
        """The doubts in plain English."""
        return tuple(str(doubt) for doubt in self.doubts)

    def lie(self, key: str) -> Lie:
        """The lie called `key`; KeyError if there is none."""
        for lie in self.lies:
            if lie.key == key:
                return lie
        raise KeyError(key)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A frame that cannot be read: `doubts` say what is wrong, `remedy` what to do."""

    frame: str
    time_s: float
    doubts: tuple[Message, ...]
    remedy: Message

    @property
    def why(self) -> tuple[Message, ...]:
        """What is wrong and what to do."""
        return (*self.doubts, self.remedy)

    def __str__(self) -> str:
        return in_words(self.why)
