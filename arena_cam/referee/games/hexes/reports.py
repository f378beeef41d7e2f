"""What lists and pages on a game of hexagons that was kept tell of this game alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena_cam.referee.game.ledger import Ledger
from arena_cam.rules.games.hexes.board import left_lying

Json = dict[str, Any]
NUMBERS = (9, 8, 7, 6, 5, 4, 3, 2, 1)


def rounds(ledger: Ledger) -> int:
    """How many rounds were played to their end."""
    return sum(ruling["code"] == "round" for ruling in ledger.result["rulings"])


def statistics(ledger: Ledger) -> dict[str, dict[str, float]]:
    """By player: rounds, points_per_round, best_round, lines, lines_N of each number, left_lying_per_round.

    What was left lying are the points of the colour lines that one tile breaks.
    """
    counts = {name: Counter[str]() for name in ledger.players}
    for _, event, result, rulings in ledger.steps:
        for ruling in rulings:
            if ruling["code"] == "round":
                boards = event.get("boards") or result["state"]["boards"]
                for name in ledger.players:
                    _count(counts[name], ruling["points"][name], ruling["items"][name], boards.get(name) or {})
    return {name: _figures(count) for name, count in counts.items()}


def _count(count: Counter[str], points: int, items: list[Json], board: Json) -> None:
    count["rounds"] += 1
    count["points"] += points
    count["best_round"] = max(count["best_round"], points)
    for item in items:
        if item["kind"] == "colour":
            count["lines"] += 1
            count[f"lines_{item['number']}"] += 1
    if len(board) == 19:  # of a round entered tile by tile the boards are gone by now
        count["left_lying"] += left_lying(board)


def _figures(count: Counter[str]) -> dict[str, float]:
    played = max(count["rounds"], 1)
    figures = {
        "rounds": count["rounds"],
        "points_per_round": round(count["points"] / played, 1),
        "best_round": count["best_round"],
        "lines": count["lines"],
        "left_lying_per_round": round(count["left_lying"] / played, 1),
    }
    return figures | {f"lines_{number}": count[f"lines_{number}"] for number in NUMBERS}
