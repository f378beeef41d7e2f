"""Writes what `judge` and `watch` say of a picture as JSON, and readings in full for keeping; reads those back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from arena_cam.domain.lies import (
    Face,
    HypothesisFit,
    Landing,
    Lie,
    Point2,
    Point3,
    Reading,
    TablePose,
    Unknown,
    Unreadable,
)
from arena_cam.domain.messages import Message, message_to_json, messages_from_json, messages_to_json
from arena_cam.formats.questions import place_to_json, questions_to_json


class Judged(Protocol):
    """What referee.games.arena.readings.judging says of a reading (a Judgement)."""

    @property
    def challenge(self) -> str | None: ...
    @property
    def duelling(self) -> str | None: ...
    @property
    def sure(self) -> bool: ...
    @property
    def doubts(self) -> tuple[Message, ...]: ...
    @property
    def candidates(self) -> tuple[str, ...]: ...
    @property
    def depends_on(self) -> tuple[Message, ...]: ...


def judgement_to_json(reading: Reading | Unreadable, judged: Judged | None = None) -> dict[str, Any]:
    """The contract's object of one frame for `arena-cam judge --json`; an Unreadable becomes its error form.

    `order` and `rests_on` name cards by id; a face-down card by its key ("?1"). `order` is bottom to top; `cards` too,
    but in a photograph without a table, where it begins with the card that shows most of itself. A card whose name is
    a guess is not said to be that card: it is in `unnamed`, with the names it may have. Without `judged` nothing is
    said of a challenge, and the frame is as sure as its reading. Where it is not sure, `questions` say what to ask.
    """
    if isinstance(reading, Unreadable):
        return error_to_json(reading.frame, str(reading)) | {"doubts": [message_to_json(why) for why in reading.why]}
    guessed = {lie.key for lie in reading.lies if _is_guess(lie)}
    cards = [lie_to_json(lie) for lie in _listed(reading) if lie.key not in guessed]
    for card in cards:
        card["rests_on"] = [key for key in card["rests_on"] if key not in guessed]
    return {
        "frame": reading.frame,
        "cards": cards,
        "unnamed": [_unnamed(lie) for lie in reading.lies if lie.key in guessed],
        "order": [lie.key for lie in reading.lies if lie.key not in guessed],
        "challenge": judged.challenge if judged else None,
        "duelling": judged.duelling if judged else None,
        "sure": judged.sure if judged else reading.sure,
        **messages_to_json(judged.doubts if judged else reading.doubts),
        "candidates": list(judged.candidates) if judged else [],
        "depends_on": [str(each) for each in judged.depends_on] if judged else [],
        "questions": [] if (judged or reading).sure else questions_to_json(reading),
    }


# A name less likely than this is a guess. Of 1000 cards on rendered photographs none rightly named was below 0.97, and
# of those wrongly named, mostly covered all of them, two in three were below.
GUESS = 0.9


def _is_guess(lie: Lie) -> bool:
    return lie.landing is not None and lie.identity_probability < GUESS


def _unnamed(lie: Lie) -> dict[str, Any]:
    """Where and how a card lies that shows too little of itself to be named, as for a named card; its `names` are those
    it may have, likeliest first, each with its probability."""
    names = sorted([(lie.identity_probability, lie.card), *((p, name) for name, p in lie.other_names)], key=_by_chance)
    known = [(name, p) for p, name in names[:_MOST_NAMES] if name is not None]
    return lie_to_json(lie) | {
        "id": None,
        "sure": False,
        "may_be": [name for name, _ in known],
        "names": [[name, round(p, 5)] for name, p in known],
    }


_MOST_NAMES = 5  # that are listed of one card


def _by_chance(name: tuple[float, str | None]) -> float:
    return -name[0]


def _listed(reading: Reading) -> Sequence[Lie]:
    """The lies as `cards` lists them. Whoever takes a card by a box around it should meet the plainest card first."""
    if any(lie.landing is not None for lie in reading.lies):
        return reading.lies
    return sorted(reading.lies, key=lambda lie: -lie.visible_fraction)


def error_to_json(frame: str, error: str) -> dict[str, Any]:
    """The contract's object of a frame that cannot be judged; `error` says what is wrong and what to do."""
    return {"frame": frame, "error": error}


def lie_to_json(lie: Lie) -> dict[str, Any]:
    """One card in the contract's words, rounded to what can be measured (0.01 mm and px, 0.01 deg)."""
    return {
        "id": lie.card,
        "key": lie.key,
        "face": lie.face.value,
        "landing": lie.landing.value if lie.landing is not None else None,
        "confidence": round(lie.confidence, 5),
        "tilt_deg": _rounded(lie.tilt_deg),
        "tilt_sd_deg": _rounded(lie.tilt_sd_deg),
        "centre_mm": [round(v, 2) for v in lie.centre_mm] if lie.centre_mm is not None else None,
        "angle_deg": round(lie.angle_deg, 2),
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in lie.corners_px],
        "rests_on": list(lie.rests_on),
        "visible_fraction": round(lie.visible_fraction, 3),
        "sure": lie.sure,
        **messages_to_json(lie.doubts),
    }


def _rounded(value: float | None) -> float | None:
    return round(value, 2) if value is not None else None


def lie_in_full(lie: Lie) -> dict[str, Any]:
    """Everything a Lie holds, for evidence and pages; `lie_from_json` reads it back."""
    return lie_to_json(lie) | {
        "corners_mm": [[round(v, 2) for v in corner] for corner in lie.corners_mm] if lie.corners_mm else None,
        "identity_probability": round(lie.identity_probability, 5),
        "landing_probabilities": [[landing.value, round(p, 5)] for landing, p in lie.landing_probabilities],
        "other_names": [[name, round(p, 5)] for name, p in lie.other_names],
        "covers_by_any_name": lie.covers_by_any_name,
        "fits": [
            {
                "name": fit.name,
                "landing": fit.landing.value,
                "tilt_deg": round(fit.tilt_deg, 2),
                "rms": round(fit.rms, 3),
                "log_likelihood": round(fit.log_likelihood, 3),
            }
            for fit in lie.fits
        ],
    }


def reading_in_full(reading: Reading) -> dict[str, Any]:
    """Everything a Reading holds, for evidence and pages; `reading_from_json` reads it back."""
    pose = reading.pose
    return {
        "frame": reading.frame,
        "time_s": round(reading.time_s, 4),
        "cards": [lie_in_full(lie) for lie in reading.lies],
        "covers": [list(pair) for pair in reading.covers],
        "pose": None
        if pose is None
        else {
            "rvec": list(pose.rvec),
            "tvec": list(pose.tvec),
            "reprojection_px": round(pose.reprojection_px, 4),
            "fiducials": list(pose.fiducials),
            "held": pose.held,
        },
        "sure": reading.sure,
        **messages_to_json(reading.doubts),
        "unknown": [
            {
                "area_mm2": round(thing.area_mm2, 1),
                **place_to_json(thing),
                "near": list(thing.near),
                "why": str(thing.doubt),
                "doubt": message_to_json(thing.doubt),
                "may_be_card": thing.may_be_card,
            }
            for thing in reading.unknown
        ],
    }


_Value = TypeVar("_Value", str, float)


def _optional(value: Any, kind: Callable[[Any], _Value]) -> _Value | None:
    return kind(value) if value is not None else None


def _point2(values: Any) -> Point2:
    x, y = values
    return float(x), float(y)


def _point3(values: Any) -> Point3:
    x, y, z = values
    return float(x), float(y), float(z)


def lie_from_json(data: dict[str, Any]) -> Lie:
    """The Lie that `lie_in_full` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    a, b, c, d = (_point2(p) for p in data["corners_px"])
    above = data.get("corners_mm")
    corners_mm = None
    if above:
        p, q, r, s = (_point3(corner) for corner in above)
        corners_mm = (p, q, r, s)
    return Lie(
        key=str(data["key"]),
        card=_optional(data["id"], str),
        face=Face(data["face"]),
        landing=Landing(data["landing"]) if data["landing"] is not None else None,
        confidence=float(data["confidence"]),
        tilt_deg=_optional(data["tilt_deg"], float),
        tilt_sd_deg=_optional(data["tilt_sd_deg"], float),
        centre_mm=_point2(data["centre_mm"]) if data["centre_mm"] is not None else None,
        angle_deg=float(data["angle_deg"]),
        corners_px=(a, b, c, d),
        corners_mm=corners_mm,
        rests_on=tuple(str(key) for key in data["rests_on"]),
        visible_fraction=float(data.get("visible_fraction", 1.0)),
        identity_probability=float(data.get("identity_probability", 1.0)),
        landing_probabilities=tuple((Landing(name), float(p)) for name, p in data.get("landing_probabilities", [])),
        other_names=tuple((str(name), float(p)) for name, p in data.get("other_names", [])),
        covers_by_any_name=bool(data.get("covers_by_any_name", False)),
        fits=tuple(
            HypothesisFit(
                str(f["name"]),
                Landing(f["landing"]),
                float(f["tilt_deg"]),
                float(f["rms"]),
                float(f["log_likelihood"]),
            )
            for f in data.get("fits", [])
        ),
        sure=bool(data["sure"]),
        doubts=messages_from_json(data),
    )


def reading_from_json(data: dict[str, Any]) -> Reading:
    """The Reading that `reading_in_full` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    pose = data.get("pose")
    return Reading(
        frame=str(data["frame"]),
        time_s=float(data["time_s"]),
        lies=tuple(lie_from_json(card) for card in data["cards"]),
        covers=tuple((str(upper), str(lower)) for upper, lower in data["covers"]),
        pose=None
        if pose is None
        else TablePose(
            rvec=_point3(pose["rvec"]),
            tvec=_point3(pose["tvec"]),
            reprojection_px=float(pose["reprojection_px"]),
            fiducials=tuple(int(i) for i in pose["fiducials"]),
            held=bool(pose["held"]),
        ),
        sure=bool(data["sure"]),
        doubts=messages_from_json(data),
        unknown=tuple(
            Unknown(
                float(thing["area_mm2"]),
                _point2(thing["centre_mm"]) if thing.get("centre_mm") is not None else None,
                tuple(str(key) for key in thing["near"]),
                _doubt_of_unknown(thing),
                bool(thing.get("may_be_card", False)),
                tuple(_point2(point) for point in thing.get("ring_px", [])),
            )
            for thing in data.get("unknown", [])
        ),
    )


def _doubt_of_unknown(thing: dict[str, Any]) -> Message:
    kept = {"why_unsure": [thing["why"]]} | ({"doubts": [thing["doubt"]]} if "doubt" in thing else {})
    (doubt,) = messages_from_json(kept)
    return doubt
