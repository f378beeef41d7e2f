"""This game's own part of the lists and pages on kept games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.games.arena.rounds import player_of
from arena_cam.referee.games.arena.values import BestThrow
from arena_cam.rules.amending import Line
from arena_cam.rules.games.arena.awaiting import Awaiting
from arena_cam.rules.games.arena.pile import CARDS

Json = dict[str, Any]


def rounds(ledger: Ledger) -> int:
    """The number of rounds that were played to their end."""
    result = ledger.result
    going_on = 0 if result["over"] or result["state"]["awaiting"] != Awaiting.CHALLENGE else 1
    return int(result["state"]["round"]) - going_on


def owner(ledger: Ledger, card: str | None) -> str | None:
    """Whose card it is by its colour."""
    return player_of(ledger).get(CARDS[card][0]) if card in CARDS else None


def line(ledger: Ledger, number: int) -> Json:
    """The cards and players that a correction of line `number` may name.

    `named` are the round's cards so far, `cards` every card that is played, `duellists` who chose in a duel.
    """
    before = takewhile(lambda each: each.number != number, ledger.amended)
    return {
        "named": _named_in_round(before),
        "cards": [card for card in CARDS if CARDS[card][0] in player_of(ledger)],
        "duellists": list(ledger.event(number).get("choices") or ()),
    }


def _named_in_round(before: Iterable[Line]) -> list[str]:
    """The names that the record has for the cards of the round, as far as `before` tells, in the order of throwing."""
    names: list[str] = []
    for each in before:
        if each.data["type"] == "challenge":
            names = []
        if each.data["type"] in ("challenge", "throw"):
            names.append(str(each.data.get("card") or f"?{each.number}"))
    return names


def challenge_at(ledger: Ledger, line: int) -> str | None:
    """The challenge card of the round that `line` belongs to; None before the first."""
    opened = [n.data["card"] for n in ledger.amended if n.data["type"] == "challenge" and n.number <= line]
    return str(opened[-1]) if opened else None


def best_throw(ledger: Ledger) -> BestThrow | None:
    """The throw that won most, of equals the first; None where no thrown card won anything."""
    best: BestThrow | None = None
    before = ledger.record.game.result(ledger.record.start)["state"]
    for _, event, result, rulings in ledger.steps:
        thrower = before["opponent"]
        if event["type"] == "duel" and thrower is not None:
            won = [
                card for ruling in rulings for card, winner in (ruling.get("cards") or {}).items() if winner == thrower
            ]
            points = sum(CARDS[card][1] for card in won if card in CARDS)
            if points > (best["points"] if best is not None else 0):
                best = {"player": thrower, "card": before["duelling"], "points": points, "round": before["round"]}
        before = result["state"]
    return best


def statistics(ledger: Ledger) -> dict[str, dict[str, float]]:
    """By player: duels, conflicts, throws, flat (of the throws), points_per_duel (points won in duels, each)."""
    counts = {name: Counter[str]() for name in ledger.players}
    owners = player_of(ledger)
    for _, event, _, rulings in ledger.steps:
        if event["type"] == "throw" and event.get("card") in CARDS:
            count = counts[owners[CARDS[event["card"]][0]]]
            count["throws"] += 1
            count["flat"] += event["landing"] == "flat" and event.get("face", "up") == "up"
        if event["type"] == "duel":
            for name, choice in event["choices"].items():
                counts[name]["duels"] += 1
                counts[name]["conflicts"] += choice == "conflict"
        for ruling in rulings:
            for card, winner in (ruling.get("cards") or {}).items():
                if winner is not None and card in CARDS:
                    counts[winner]["points"] += CARDS[card][1]
    return {
        name: {
            "duels": count["duels"],
            "conflicts": count["conflicts"],
            "throws": count["throws"],
            "flat": count["flat"],
            "points_per_duel": round(count["points"] / count["duels"], 2) if count["duels"] else 0.0,
        }
        for name, count in counts.items()
    }
