"""Whether the game can be played with a deck: its cards must be called as the record calls them."""

from __future__ import annotations

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.referee.games.arena.messages import DeckRefusal
from arena_cam.rules.games.arena.pile import CARDS


def playable(deck: Deck) -> Deck:
    """`deck`, if any of its cards is one of the game's. Raises BadInput for a deck of another game."""
    if not any(card.id in CARDS for card in deck.cards):
        raise BadInput(DeckRefusal.OTHER_GAME(deck=deck.name, card=deck.cards[0].id if deck.cards else "-"))
    return deck
