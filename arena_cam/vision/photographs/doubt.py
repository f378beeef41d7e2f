"""How far to trust a name: a probability from what was measured, and whether to say it without asking."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena_cam.vision.photographs.naming import Name
from arena_cam.vision.photographs.selection import area_mm2


@dataclass(frozen=True, slots=True)
class Doubt:
    """`probability` that the name is right; `others` (face, probability), best first; `reasons` why not to be sure."""

    probability: float
    others: tuple[tuple[int, float], ...]
    reasons: tuple[str, ...]

    @property
    def sure(self) -> bool:
        return not self.reasons


def doubt(n: Name) -> Doubt:
    """The doubt about a name."""
    c = n.candidate
    missing = n.ink_missing_mm2 / max(n.ink_mm2 + n.ink_missing_mm2, 1.0)
    visible = area_mm2(c.visible, c.templates.grid)
    odd = n.odd_mm2 / max(visible, 1.0)
    score = 0.0
    score += min(n.margin, 200.0) / 20.0 - 1.0
    score += min(c.total, 300.0) / 60.0 - 2.0
    score -= 8.0 * max(missing - 0.15, 0.0)
    score -= 6.0 * odd
    score -= 10.0 * max(0.5 - c.contrast, 0.0)
    probability = 1.0 / (1.0 + math.exp(-max(min(score, 30.0), -30.0)))
    reasons = []
    if n.margin < 60:
        reasons.append("another card fits nearly as well")
    if c.visible_fraction < 0.6:
        reasons.append("little more than half of it is to be seen")
    if odd > 0.02 or missing > 0.25:
        reasons.append("part of it does not look as the deck has it")
    if probability < 0.97 and not reasons:
        reasons.append("too little of it was recognised")
    return Doubt(probability, tuple((f, 0.0) for f, _ in n.rivals), tuple(reasons))
