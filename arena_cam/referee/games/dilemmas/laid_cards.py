"""Which cards lie in whose dilemma, as a photograph of the table shows them: for pages, and for the record once told.

Who lays real cards types no words. A `Cards` has by side {id, text}: the card's name in its set, and its words where
the set has them. A card that was not read clearly is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena_cam.domain.dilemmas.doubts import DilemmaDoubt
from arena_cam.referee.game.match import Match
from arena_cam.referee.games.dilemmas.token_counts import counts_of

Cards = dict[str, dict[str, str]]
SIDES = ("positive", "negative", "neutral")


def laid_cards(match: Match) -> dict[str, Cards]:
    """By player the cards of this round that were photographed; who has none of them is left out."""
    counts = counts_of(match)
    seen = {each["player"]: cards_seen(each, counts.get("words") or {}) for each in counts["seen"] if each["player"]}
    return {player: cards for player, cards in seen.items() if cards}


def cards_seen(dilemma: Mapping[str, Any], words: Mapping[str, str]) -> Cards:
    """The cards of one dilemma of a judgement line; `words`: by a card's name what it says."""
    unclear = [doubt["params"].get("card") for doubt in dilemma["doubts"] if doubt["code"] == DilemmaDoubt.CARD_UNCLEAR]
    named = {side: dilemma.get(side) for side in SIDES}
    return {
        side: {"id": card, "text": words.get(card, "")} for side, card in named.items() if card and card not in unclear
    }


def told(match: Match) -> dict[str, Any]:
    """What the event `reveal` says of the cards: `laid`, by player; nothing where none was photographed."""
    cards = laid_cards(match)
    return {"laid": cards} if cards else {}


def laid_in_record(event: Mapping[str, Any], player: str) -> Cards:
    """The cards of `player` that a `reveal` tells. The rules do not look at them: they may be anything."""
    laid = event.get("laid")
    cards = laid.get(player) if isinstance(laid, dict) else None
    found = {side: cards.get(side) for side in SIDES} if isinstance(cards, dict) else {}
    return {
        side: {"id": str(card.get("id", "")), "text": str(card.get("text", ""))}
        for side, card in found.items()
        if isinstance(card, dict)
    }
