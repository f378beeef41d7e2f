"""The measurements of one throw, as numbers for a template: outlines, the tilt's gauge, the hypotheses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena_cam.referee.interface import ThrowDetail
from arena_cam.web.drawings.reach import Reach, reach_of

BELOW_THE_DIAL = 13.0  # units of the drawing: a line of its labels
GAUGE_MOST_DEG = 20.0  # a card of 63 mm on a wall of 20 mm leans by 18 degrees; more is drawn at the end
GAUGE_RADIUS = 90.0
DIAL_DEG = 180.0
LABEL_HEIGHT_PX = 20.0  # of the names over the film (style.css: .outline text)
SD_SHOWN = 2.0  # the wedge covers two standard deviations each way: 19 in 20 measurements

Point = tuple[float, float]


@dataclass(frozen=True)
class Outline:
    """A card's outline in the judged picture, in pixels; `judged` for the card that this throw is about."""

    card: str | None
    points: str
    label: Point
    judged: bool
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Overlap:
    """One card seen to lie over another: what of the lower one's outline it covers, as points in px and as a share."""

    upper: str | None
    lower: str | None
    points: str
    share: float
    area_mm2: float | None


@dataclass(frozen=True)
class Gauge:
    """The tilt on a half-circle dial. Ticks are (x1, y1, x2, y2); one is labelled at (x, y) where it says
    degrees. zones: the arcs of flat, of what is asked, and of leaning, as SVG paths."""

    tilt_deg: float
    sd_deg: float
    needle: Point
    wedge: str
    ticks: tuple[tuple[float, float, float, float], ...]
    labels: tuple[tuple[float, float, int], ...]
    zones: tuple[str, ...]


@dataclass(frozen=True)
class Hypothesis:
    """One way the card could lie. `weight` is its share of the likelihood of all of them, 0 to 1; `times_less` says how
    many times better the best of them explains the picture, 1 for the best itself."""

    name: str
    landing: str
    tilt_deg: float
    rms: float
    weight: float
    times_less: float


@dataclass(frozen=True)
class Measured:
    """Everything drawn over and beside the film. `size` is the picture's (width, height) in px if it is known."""

    size: tuple[int, int] | None
    outlines: tuple[Outline, ...]
    overlaps: tuple[Overlap, ...]
    gauge: Gauge | None
    reach: Reach | None
    hypotheses: tuple[Hypothesis, ...]


def measured(throw: ThrowDetail, corner_radius_mm: float = 3.0) -> Measured:
    """The measurements of `throw`, as far as they are there; `corner_radius_mm` of the deck's cards."""
    lie = throw["lie"] or {}
    size = throw["frame_of_reference"].get("image_size")
    return Measured(
        size=(int(size[0]), int(size[1])) if size else None,
        outlines=_outlines(throw["reading"] or {}, lie.get("key")),
        overlaps=_overlaps(throw["reading"] or {}),
        gauge=_gauge(lie, throw["limits"]),
        reach=reach_of(lie, throw["frame_of_reference"].get("table"), corner_radius_mm),
        hypotheses=_hypotheses(lie.get("fits") or []),
    )


def _cards(reading: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [card for card in reading.get("cards") or [] if card.get("corners_px")]


def _outlines(reading: Mapping[str, Any], judged: object) -> tuple[Outline, ...]:
    return tuple(
        Outline(
            card=card.get("id"),
            points=_points(card["corners_px"]),
            label=_label(card["corners_px"], judged is not None and card.get("key") == judged),
            judged=judged is not None and card.get("key") == judged,
            doubts=tuple(card.get("why_unsure") or ()),
        )
        for card in _cards(reading)
    )


def _label(corners: Sequence[Sequence[float]], above: bool) -> Point:
    """The place at which a card's name begins: the judged card's above its outline, the others' below, so that they
    keep apart."""
    left, ys = min(x for x, _ in corners), [y for _, y in corners]
    return (left, min(ys) - 6.0) if above else (left, max(ys) + LABEL_HEIGHT_PX)


def _points(corners: Sequence[Sequence[float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _overlaps(reading: Mapping[str, Any]) -> tuple[Overlap, ...]:
    cards = {card.get("key"): card for card in _cards(reading)}
    found = []
    for upper, lower in reading.get("covers") or []:
        if upper in cards and lower in cards:
            outline = cards[lower]["corners_px"]
            common = _common(outline, cards[upper]["corners_px"])
            share = abs(_area(common)) / max(abs(_area(outline)), 1e-9)
            area = _common_mm2(cards[upper], cards[lower])
            found.append(Overlap(cards[upper].get("id"), cards[lower].get("id"), _points(common), share, area))
    return tuple(found)


def _common_mm2(upper: Mapping[str, Any], lower: Mapping[str, Any]) -> float | None:
    """The square millimetres of `lower` that lie under `upper`, seen from straight above; None without a table."""
    outlines = [[corner[:2] for corner in card.get("corners_mm") or ()] for card in (lower, upper)]
    if not all(outlines):
        return None
    common = _common(outlines[0], outlines[1])
    return abs(_area(common)) / 2 if common else 0.0


def _area(outline: Sequence[Sequence[float]]) -> float:
    """Twice the signed area (the shoelace formula)."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, [*outline[1:], *outline[:1]], strict=True))


def _common(subject: Sequence[Sequence[float]], clip: Sequence[Sequence[float]]) -> list[Point]:
    """The intersection of two convex outlines (Sutherland and Hodgman's clipping); empty if nothing."""
    turn = 1.0 if _area(clip) > 0 else -1.0
    left = [(float(x), float(y)) for x, y in subject]
    for (ax, ay), (bx, by) in zip(clip, [*clip[1:], *clip[:1]], strict=True):
        sides = [turn * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) for x, y in left]
        kept: list[Point] = []
        for index, (point, side) in enumerate(zip(left, sides, strict=True)):
            before, side_before = left[index - 1], sides[index - 1]
            if (side < 0) != (side_before < 0):
                share = side_before / (side_before - side)
                kept.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
            if side >= 0:
                kept.append(point)
        left = kept
    return left


def _gauge(lie: Mapping[str, Any], limits: Mapping[str, float]) -> Gauge | None:
    tilt, sd = lie.get("tilt_deg"), lie.get("tilt_sd_deg")
    if tilt is None:
        return None
    sd = float(sd or 0.0)
    low, high = _dial(tilt - SD_SHOWN * sd), _dial(tilt + SD_SHOWN * sd)
    start, end = _at(low, 0.95), _at(high, 0.95)
    wedge = f"M0 0L{start[0]} {start[1]}A{GAUGE_RADIUS * 0.95} {GAUGE_RADIUS * 0.95} 0 0 1 {end[0]} {end[1]}Z"
    ticks = tuple((*_on_dial(degrees, 0.95), *_on_dial(degrees, 1.05)) for degrees in range(int(GAUGE_MOST_DEG) + 1))
    labels = tuple(_dial_label(degrees) for degrees in range(0, int(GAUGE_MOST_DEG) + 1, 5))
    return Gauge(float(tilt), sd, _on_dial(tilt, 0.9), wedge, ticks, labels, _zones(limits))


def _zones(limits: Mapping[str, float]) -> tuple[str, ...]:
    """The arcs of the dial on which a card is flat, is asked about, and leans."""
    flat, leaning = limits.get("flat_below_deg", 0.0), limits.get("diagonal_from_deg", 0.0)
    arcs = ((0.0, flat), (flat, leaning), (leaning, GAUGE_MOST_DEG))
    ends = [(_on_dial(low, 1.0), _on_dial(high, 1.0)) for low, high in arcs]
    return tuple(f"M{a[0]} {a[1]}A{GAUGE_RADIUS} {GAUGE_RADIUS} 0 0 1 {b[0]} {b[1]}" for a, b in ends)


def _dial(degrees: float) -> float:
    """The angle on the dial, in radians from its left end, of a tilt."""
    return math.radians(min(max(degrees, 0.0), GAUGE_MOST_DEG) / GAUGE_MOST_DEG * DIAL_DEG)


def _at(turn: float, share: float) -> Point:
    radius = GAUGE_RADIUS * share
    return round(-radius * math.cos(turn), 2), round(-radius * math.sin(turn), 2)


def _dial_label(degrees: int) -> tuple[float, float, int]:
    """Within the dial; at its two ends below it, where no needle lies over the number."""
    if 0 < degrees < GAUGE_MOST_DEG:
        return *_on_dial(degrees, 0.74), degrees
    x, y = _on_dial(degrees, 1.0)
    return x, y + BELOW_THE_DIAL, degrees


def _on_dial(degrees: float, share: float) -> Point:
    return _at(_dial(degrees), share)


def _hypotheses(fits: list[Mapping[str, Any]]) -> tuple[Hypothesis, ...]:
    """Best first. Weights are the likelihoods' shares (a softmax of the log-likelihoods, shifted against overflow)."""
    if not fits:
        return ()
    most = max(float(fit["log_likelihood"]) for fit in fits)
    shares = [math.exp(max(float(fit["log_likelihood"]) - most, -700.0)) for fit in fits]
    made = [
        Hypothesis(
            name=str(f["name"]),
            landing=str(f["landing"]),
            tilt_deg=float(f["tilt_deg"]),
            rms=float(f["rms"]),
            weight=share / sum(shares),
            times_less=1.0 / share,
        )
        for f, share in zip(fits, shares, strict=True)
    ]
    return tuple(sorted(made, key=lambda hypothesis: -hypothesis.weight))
