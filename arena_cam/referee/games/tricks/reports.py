"""This game's own part of the lists and pages on kept games."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.games.tricks.tricks_told import tricks
from arena_cam.rules.games.tricks.engine import CARDS

Json = dict[str, Any]


def rounds(ledger: Ledger) -> int:
    """The number of deals that were played to their end."""
    return sum(ruling["code"] == "deal_end" for ruling in ledger.result["rulings"])


def owner(ledger: Ledger, card: str | None) -> str | None:
    """The player of the last card."""
    found = None
    for _, cards in tricks(ledger):
        found = dict(cards).get(str(card), found)
    return found


def line(ledger: Ledger, number: int) -> Json:
    """The cards that a correction of a line may name: all of the pack."""
    del ledger, number
    return {"named": [], "cards": list(CARDS), "duellists": []}


def statistics(ledger: Ledger) -> dict[str, dict[str, float]]:
    """By player: tricks, points_per_trick, best (highest score-card), by_sum, by_product, by_first (how tricks were
    won), earned_third (times that a higher second card earned the third), asked (cards asked for)."""
    counts = {name: Counter[str]() for name in ledger.players}
    for ruling, cards in tricks(ledger):
        count = counts[ruling["winner"]]
        count["tricks"] += 1
        count["points"] += ruling["points"]
        count["best"] = max(count["best"], ruling["points"])
        count[f"by_{ruling['by']}"] += 1
        counts[cards[1][1]]["earned_third"] += cards[1][1] == cards[2][1]
    before = None
    for _, event, result, _ in ledger.steps:
        if event["type"] == "exchange" and before is not None:
            counts[before]["asked"] += 1
        before = result["state"]["to_play"]
    return {name: _figures(count) for name, count in counts.items()}


def _figures(count: Counter[str]) -> dict[str, float]:
    keys = ("tricks", "best", "by_sum", "by_product", "by_first", "earned_third", "asked")
    points = round(count["points"] / max(count["tricks"], 1), 1)
    return {key: count[key] for key in keys} | {"points_per_trick": points}
