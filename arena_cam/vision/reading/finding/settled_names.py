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
    is known to lie over each, and `settled_faces` are known to be there. Of a deck whose faces differ, only a card is
    asked again that was named before a card was found which lies over it."""
    named = list(found)
    for number, (card, over) in enumerate(zip(settled, above, strict=True)):
        is_sure = _probability(card.identity, card.fit.face) >= SURE_NAME
        if (
            is_sure
            and card.fit.uncovered < _AS_NAMED * found[number].fit.uncovered
            and card.fit.face not in settled_faces
        ):
            named[number] = _doubted(over, found[number], card)
        if is_sure or not over.scene.faces.are_alike:
            continue
        taken = tuple(c.fit.face for n, c in enumerate(named) if n != number and _is_sure(c))
        fit, identity = named_in_place(replace(over, taken=taken), card.fit, card.fit.outline)
        known_there = next((face for face in (card.fit.face, fit.face) if face in settled_faces), None)
        if known_there is not None:
            identity = boosted(identity, known_there)
            if identity.best == known_there != fit.face:
                fit = found[number].fit  # many names are as likely by what is in view
        if _surest(identity) > _surest(card.identity):
            named[number] = Found(fit, identity)
    return named


# A card of which a twentieth less is in view than when it was named was named by what covers it, too: white paper of a
# card not yet found stood for the missing tenth shape of ten, and a nine was said surely.
_AS_NAMED = 0.95


def _doubted(over: Known, before: Found, card: FittedCard) -> Found:
    """The card as it was named, or, if what is truly in view of it leaves the name open, as that leaves it."""
    face = before.fit.face
    fit, identity = named_in_place(replace(over, taken=()), card.fit, card.fit.outline)
    open_ = fit.face != face or _probability(identity, face) < SURE_NAME
    return replace(before, identity=identity) if open_ else before


def _is_sure(card: Found) -> bool:
    return _probability(card.identity, card.fit.face) >= SURE_NAME


def _probability(identity: Identity, face: int) -> float:
    return float(identity.probabilities()[face])


def _surest(identity: Identity) -> float:
    return float(np.max(identity.probabilities()))
