"""Where and how cards lie at one moment: the words between the eye and the rules.

A *lie* is where and how one card rests, with its doubt; a *reading* is what one frame says. None of it names a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class HypothesisFit:
    """How well one physical hypothesis explained the pixels of a card.

    `name` says which ("flat", "leans on the north wall", "over the east wall", "outside"); `rms` is the photometric
    residual in grey levels (0 to 255) after alignment, `log_likelihood` its log-likelihood up to a common constant.
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
    fits: tuple[HypothesisFit, ...] = ()
    sure: bool = True
    why_unsure: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something on the arena's floor that is none of the cards found: `area_mm2` of it are seen, `centre_mm` is its
    middle in the world frame. `near` are the keys of the cards that what it hides may touch; `why` says it in words, as
    the reading's `why_unsure` does."""

    area_mm2: float
    centre_mm: Point2
    near: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What one frame says: its lies bottom to top (a linear extension of who covers whom), and whether to trust it.

    `covers` lists (upper key, lower key) for every overlapping pair whose order was seen. `why_unsure` gives plain
    English reasons that concern the frame as a whole; each lie has its own. `unknown` things are among the reasons.
    """

    frame: str
    time_s: float
    lies: tuple[Lie, ...]
    covers: tuple[tuple[str, str], ...] = ()
    pose: TablePose | None = None
    sure: bool = True
    why_unsure: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    def lie(self, key: str) -> Lie:
        """The lie called `key`; KeyError if there is none."""
        for lie in self.lies:
            if lie.key == key:
                return lie
        raise KeyError(key)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A frame that cannot be read: `reason` says what is wrong, `remedy` what to do."""

    frame: str
    time_s: float
    reason: str
    remedy: str
