"""How far to trust a name: its probability from several measures, and whether it is sure."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.messages import Message
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.photographs.singly.names import Name
from arena_cam.vision.photographs.singly.selection import area_mm2

# Logistic regression on 219 names given to cards of 48 photographs, by a deck of 24 faces and by the same without
# nines, jacks and aces (whose names are then all wrong). The weights are rounded, and what came out without influence
# is set to count against; the rounded ones were measured on the same photographs only, so the probabilities are no
# promise for others. Whether to be sure was measured on them too: with a deck that lacks tens, queens and kings nine
# names were wrong (all nines, at up to 0.97), with one that lacks nines, jacks and aces one; none of them was sure.
_CONSTANT = 2.5
_WEIGHTS = {
    "margin": 0.7,
    "evidence": 0.3,
    "contrast": -8.0,
    "missing": -9.0,
    "absent": -50.0,
    "odd": -1.0,
    "residual": -0.5,
    "hidden": -3.0,
}
# Nats as counted here are too many by far: neighbouring cells err together.
_NATS_OF_DOUBT = 20.0
_SURE_MARGIN_NATS = 60.0
_SURE_MOST_HIDDEN = 0.4  # the middle of the card is then in sight, and with it what tells similar faces apart
_SURE_MOST_ODD = 0.015
_SURE_MOST_MISSING = 0.2
_SURE_MOST_ABSENT = 0.05
_SURE_MOST_FAINT = 0.2
_SURE_PROBABILITY = 0.97
# A back has no index to tell it by, and square markers, boxes and tiles have print that repeats as well: it must be
# nearly whole, and explained nearly wholly, to be reported at all.
_BACK_MOST_HIDDEN = 0.5
_BACK_MOST_MISSING = 0.1
_BACK_LEAST_PROBABILITY = 0.9
# Before it is known what covers a card, only these count: hidden print looks like missing print.
_HOPELESS_MISSING = 0.8
_HOPELESS_FAINT = 0.25


@dataclass(frozen=True, slots=True)
class NameDoubt:
    """`probability` that the name is right; `others` (face, probability), best first; `doubts` why not to be sure."""

    probability: float
    others: tuple[tuple[int, float], ...]
    doubts: tuple[Message, ...]

    @property
    def sure(self) -> bool:
        return not self.doubts


def measures(n: Name) -> dict[str, float]:
    """The measures that the probability depends on, without unit."""
    c, a = n.candidate, n.agreement
    ink = max(a.ink_mm2 + a.ink_missing_mm2, 1.0)
    visible_mm2 = a.visible_fraction * area_mm2(c.templates.grid.mask, c.templates.grid)
    return {
        "margin": math.log1p(max(n.margin, 0.0) / 20.0) if n.margin > 0 else -1.0,
        "evidence": math.log1p(max(c.total, 0.0) / 50.0),
        "contrast": max(0.8 - c.contrast, 0.0),
        "missing": a.ink_missing_mm2 / ink,
        "absent": a.ink_absent_mm2 / max(ink, 100.0),
        "odd": a.odd_mm2 / max(visible_mm2, 1.0),
        "residual": min(c.fit.residual / 20.0, 2.0),
        "hidden": 1.0 - a.visible_fraction,
    }


def hopeless(n: Name) -> bool:
    """Whether a name stays wrong even if more is learned about the covering cards."""
    m = measures(n)
    return n.margin <= 0 or m["contrast"] > _HOPELESS_FAINT or m["missing"] > _HOPELESS_MISSING


def no_back(n: Name) -> bool:
    """Whether the evidence for a face-down card is too weak; False for faces."""
    c = n.candidate
    if c.templates.faces.names[c.face] != BACK:
        return False
    m = measures(n)
    hidden = m["hidden"] > _BACK_MOST_HIDDEN or m["missing"] > _BACK_MOST_MISSING
    return hidden or doubt(n).probability < _BACK_LEAST_PROBABILITY


def doubt(n: Name) -> NameDoubt:
    """The doubt about a name."""
    m = measures(n)
    score = _CONSTANT + sum(weight * m[name] for name, weight in _WEIGHTS.items())
    probability = 1.0 / (1.0 + math.exp(-max(min(score, 30.0), -30.0)))
    doubts = []
    if n.margin < _SURE_MARGIN_NATS:
        doubts.append(Doubt.FITS_NEARLY_AS_WELL())
    if m["hidden"] > _SURE_MOST_HIDDEN:
        doubts.append(Doubt.MOSTLY_HIDDEN())
    if m["odd"] > _SURE_MOST_ODD or m["missing"] > _SURE_MOST_MISSING or m["absent"] > _SURE_MOST_ABSENT:
        doubts.append(Doubt.UNLIKE_THE_DECK())
    if m["contrast"] > _SURE_MOST_FAINT or (probability < _SURE_PROBABILITY and not doubts):
        doubts.append(Doubt.FAINT_PRINT())
    return NameDoubt(probability, _others(n, probability), tuple(doubts))


def _others(n: Name, probability: float) -> tuple[tuple[int, float], ...]:
    """What is left of the probability, shared among the rivals by their likelihood; some is left for no card at all."""
    likely = [math.exp(-max(margin, 0.0) / _NATS_OF_DOUBT) for _, margin in n.rivals]
    share = (1.0 - probability) / (1.0 + sum(likely))
    return tuple((face, share * weight) for (face, _), weight in zip(n.rivals, likely, strict=True))
