"""The tricks of a game as its rulings tell them: who played which card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.rules.games.tricks.engine import VALUES, player_of

Json = dict[str, Any]


def other(ledger: Ledger, player: str) -> str:
    """The one of the two players who is not `player`."""
    one, two = ledger.players
    return two if player == one else one


def tricks(ledger: Ledger) -> Iterator[tuple[Json, list[tuple[str, str]]]]:
    """Every trick that was won: its ruling, and (card, player) in the order played."""
    leader, deal = "", 0
    for ruling in ledger.result["rulings"]:
        if ruling["code"] == "trick":
            if ruling["deal"] != deal:
                deal, leader = ruling["deal"], leader_of_deal(ledger, ruling["deal"])
            yield ruling, with_players(ledger, leader, ruling["cards"])
            leader = ruling["winner"]


def leader_of_deal(ledger: Ledger, deal: int) -> str:
    """The non-dealer; dealers alternate."""
    dealer = ledger.played.state.setup.dealer
    return other(ledger, dealer) if deal % 2 else str(dealer)


def with_players(ledger: Ledger, leader: str, cards: list[str]) -> list[tuple[str, str]]:
    """(card, player) of a trick, whole or not."""
    follower = other(ledger, leader)
    return [(card, player_of(leader, follower, cards, number)) for number, card in enumerate(cards)]


def value(card: str) -> int:
    """The points of a card."""
    return VALUES[card[0]]


def lying_about(ledger: Ledger) -> frozenset[str]:
    """Cards that may lie face up on the table and are no plays: those of the trick before, while it is swept away, and
    between deals the score-cards."""
    told = [ruling for ruling in ledger.result["rulings"] if ruling["code"] == "trick"]
    state = ledger.state
    if not told or (state["awaiting"] == "play" and told[-1]["deal"] != state["deal"]):
        return frozenset()
    cards = set(told[-1]["cards"])
    if state["awaiting"] != "play":
        cards |= {ruling["cards"][3] for ruling in told if ruling["deal"] == told[-1]["deal"]}
    return frozenset(cards)
