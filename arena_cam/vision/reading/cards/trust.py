"""How far a fit is trusted: the thresholds that judge the same thing stand in one table, each with its experiment."""

from __future__ import annotations

from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.scene import Scene

# A card is accepted with this much evidence (nats) if this share of what is uncovered of it is explained, or with much
# more evidence if less is: then a hand or another stranger lies over it. Cards that are there, with 40 % or more
# visible, have over 50 nats and 0.6, and 3 nats a tile in view; guesses of nothing stay below 30 nats, 0.4, and 1.2
# nats a tile.
MIN_NATS = 34.0
MIN_EXPLAINED = 0.5
MANY_NATS, _FEW_EXPLAINED = 70.0, 0.3
_MIN_NATS_A_TILE = 1.8
_ALL_EXPLAINED = 0.93  # then a faint drawing, or one with little in it, need not say as much a tile
# What other cards leave in view of a card must hold the tiles that could speak for it: less is not looked at.
LEAST_IN_VIEW = 0.06
# A marker read at the very place where a face prints it: the dictionaries fire falsely now and then, hardly ever there.
NATS_A_MARKER = 40.0

# A card that is known to be there needs less to be accepted at a place: only where it lies is open, not whether.
EXPECTED_NATS, _EXPECTED_NATS_A_TILE = 9.0, 1.0
# What other cards show of themselves is not claimed to the last tile, so a little of them may be taken for its part.
_EXPECTED_EXPLAINED = 0.35


def is_there(fit: Fit, marked_nats: float = 0.0) -> bool:
    """Whether the picture shows the face at all, whatever its name. `marked_nats`: what its markers say for it."""
    if fit.evidence + marked_nats >= MANY_NATS:
        return fit.explained >= _FEW_EXPLAINED
    if fit.evidence < MIN_NATS or fit.explained < MIN_EXPLAINED:
        return False
    telling = int((fit.shown & (fit.tiles > 0.0)).sum())  # tiles without print say nothing for a card
    return fit.explained >= _ALL_EXPLAINED or fit.evidence >= _MIN_NATS_A_TILE * telling


def marked_nats(scene: Scene, fit: Fit) -> float:
    """What the face's own markers say for its being there, in nats: nothing unless two of them lie where it prints
    them, as the place was found by the first. A hand may hide more of a card than it leaves in view."""
    marks = scene.markers_in_place(fit.pose).get(fit.face, 0)
    return NATS_A_MARKER * marks if marks >= 2 else 0.0


def is_expected(fit: Fit) -> bool:
    """Whether the picture shows enough of a face for a card that is known to be in the arena."""
    if fit.evidence < EXPECTED_NATS or fit.explained < _EXPECTED_EXPLAINED:
        return False
    return fit.evidence / (fit.uncovered * fit.tiles.size * fit.explained) >= _EXPECTED_NATS_A_TILE
