"""What was measured of one throw, as numbers for a template: outlines, the tilt's gauge, the hypotheses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_cam.referee.interface import ThrowDetail

GAUGE_MOST_DEG = 20.0  # a card of 63 mm on a wall of 20 mm leans by 18 degrees; more is drawn at the end
GAUGE_RADIUS = 90.0
DIAL_DEG = 180.0
SD_SHOWN = 2.0  # the wedge covers two standard deviations each way: 19 in 20 measurements

Point = tuple[float, float]


@dataclass(frozen=True)
class Outline:
    """A card's outline in the judged picture, in pixels; `judged` for the card that this throw is about."""

    card: str | None
    points: str
    top_left: Point
    judged: bool
    covers: tuple[str, ...]


@dataclass(frozen=True)
class Gauge:
    """The tilt on a half-circle dial. Marks are (x1, y1, x2, y2, degrees)."""

    tilt_deg: float
    sd_deg: float
    needle: Point
    wedge: str
    limits: tuple[tuple[float, float, float, float, float], ...]


@dataclass(frozen=True)
class Hypothesis:
    """One way the card could lie. `weight` is its share of the likelihood of all of them, 0 to 1."""

    name: str
    landing: str
    tilt_deg: float
    rms: float
    weight: float


@dataclass(frozen=True)
class Measured:
    """Everything drawn over and beside the film. `size` is the picture's (width, height) in px if it is known."""

    size: tuple[int, int] | None
    outlines: tuple[Outline, ...]
    gauge: Gauge | None
    hypotheses: tuple[Hypothesis, ...]


def measured(throw: ThrowDetail) -> Measured:
    """The measurements of `throw`, as far as they are there."""
    lie = throw["lie"] or {}
    size = throw["frame_of_reference"].get("image_size")
    return Measured(
        size=(int(size[0]), int(size[1])) if size else None,
        outlines=_outlines(throw["reading"] or {}, lie.get("key")),
        gauge=_gauge(lie, throw["limits"]),
        hypotheses=_hypotheses(lie.get("fits") or []),
    )


def _outlines(reading: Mapping[str, Any], judged: object) -> tuple[Outline, ...]:
    cards = reading.get("cards") or reading.get("lies") or []
    covers: dict[object, list[str]] = {}
    for upper, lower in reading.get("covers") or []:
        covers.setdefault(upper, []).append(str(lower))
    return tuple(
        Outline(
            card=card.get("card", card.get("id")),
            points=" ".join(f"{x:.1f},{y:.1f}" for x, y in card["corners_px"]),
            top_left=(min(x for x, _ in card["corners_px"]), min(y for _, y in card["corners_px"])),
            judged=judged is not None and card.get("key", card.get("id")) == judged,
            covers=tuple(covers.get(card.get("key", card.get("id")), [])),
        )
        for card in cards
        if card.get("corners_px")
    )


def _gauge(lie: Mapping[str, Any], limits: Mapping[str, float]) -> Gauge | None:
    tilt, sd = lie.get("tilt_deg"), lie.get("tilt_sd_deg")
    if tilt is None:
        return None
    sd = float(sd or 0.0)
    low, high = _dial(tilt - SD_SHOWN * sd), _dial(tilt + SD_SHOWN * sd)
    marks = []
    for name, degrees in limits.items():
        if name.endswith("deg"):
            (x1, y1), (x2, y2) = _on_dial(degrees, 0.72), _on_dial(degrees, 1.06)
            marks.append((x1, y1, x2, y2, float(degrees)))
    start, end = _at(low, 0.95), _at(high, 0.95)
    wedge = f"M0 0L{start[0]} {start[1]}A{GAUGE_RADIUS * 0.95} {GAUGE_RADIUS * 0.95} 0 0 1 {end[0]} {end[1]}Z"
    return Gauge(float(tilt), sd, _on_dial(tilt, 0.9), wedge, tuple(marks))


def _dial(degrees: float) -> float:
    """Where on the dial, in radians from its left end, an angle of tilt stands."""
    return math.radians(min(max(degrees, 0.0), GAUGE_MOST_DEG) / GAUGE_MOST_DEG * DIAL_DEG)


def _at(turn: float, share: float) -> Point:
    radius = GAUGE_RADIUS * share
    return round(-radius * math.cos(turn), 2), round(-radius * math.sin(turn), 2)


def _on_dial(degrees: float, share: float) -> Point:
    return _at(_dial(degrees), share)


def _hypotheses(fits: list[Mapping[str, Any]]) -> tuple[Hypothesis, ...]:
    """Best first. Weights are the likelihoods' shares (a softmax of the log-likelihoods, shifted against overflow)."""
    if not fits:
        return ()
    most = max(float(fit["log_likelihood"]) for fit in fits)
    shares = [math.exp(max(float(fit["log_likelihood"]) - most, -700.0)) for fit in fits]
    made = [
        Hypothesis(str(f["name"]), str(f["landing"]), float(f["tilt_deg"]), float(f["rms"]), share / sum(shares))
        for f, share in zip(fits, shares, strict=True)
    ]
    return tuple(sorted(made, key=lambda hypothesis: -hypothesis.weight))
