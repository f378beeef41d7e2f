"""The names of cards that are still doubtful once all cards lie in their final places.

A card is named when it is found. Its pose is known then at the coarse scale only, and of what covers it no more than
the tiles that show another card's print. In the end both are known to a fraction of a millimetre, and of a nearly blank
card that decides how much of a small figure is in view and where.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import SURE_NAME, FittedCard
from arena_cam.vision.reading.cards.naming import Found, boosted
from arena_cam.vision.reading.finding.told_names import named_in_place


def named_again(
    found: Sequence[Found], settled: Sequence[FittedCard], above: Sequence[Known], settled_faces: Collection[int]
) -> list[Found]:
    """The cards `found`, those of doubtful name under the name that their `settled` poses give them. `above` is what
    is known to lie over each, and `settled_faces` are known to be there. Only of a deck whose faces are alike."""
    named = list(found)
    for number, (card, over) in enumerate(zip(settled, above, strict=True)):
        if not over.scene.faces.are_alike or _probability(card.identity, card.fit.face) >= SURE_NAME:
            continue
        taken = tuple(c.fit.face for n, c in enumerate(named) if n != number and _is_sure(c))
        fit, identity = named_in_place(replace(over, taken=taken), card.fit, card.fit.outline)
        if fit.face in settled_faces:
            identity = boosted(identity, fit.face)
        if _surest(identity) > _surest(card.identity):
            named[number] = Found(fit, identity)
    return named


def _is_sure(card: Found) -> bool:
    return _probability(card.identity, card.fit.face) >= SURE_NAME


def _probability(identity: Identity, face: int) -> float:
    return float(identity.probabilities()[face])


def _surest(identity: Identity) -> float:
    return float(np.max(identity.probabilities()))
