"""Who divides the table best, and who agrees with whom."""

from __future__ import annotations

from itertools import permutations

from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.games.dilemmas.snapshots import dilemmas_by_round


def statistics(ledger: Ledger) -> dict[str, dict[str, float]]:
    """By player: won (rounds), apart (mean difference of YES and NO on the own dilemmas), agrees:NAME (share of the
    dilemmas that both voted on on which both said YES, or both NO)."""
    figures: dict[str, dict[str, float]] = {name: {"won": 0} for name in ledger.players}
    apart: dict[str, list[int]] = {name: [] for name in ledger.players}
    alike: dict[tuple[str, str], list[bool]] = {}
    for played in dilemmas_by_round(ledger):
        for each in played["dilemmas"] if played["ruling"] else ():
            figures[each["player"]]["won"] += each["winning"]
            apart[each["player"]].append(abs(each["yes"] - each["no"]))
            for one, two in permutations(each["tokens"], 2):
                said = [each["tokens"][who].endswith("yes") for who in (one, two)]
                alike.setdefault((one, two), []).append(said[0] == said[1])
    for name, differences in apart.items():
        figures[name]["apart"] = round(sum(differences) / len(differences), 2) if differences else 0.0
    for (one, two), same in alike.items():
        figures[one][f"agrees:{two}"] = round(sum(same) / len(same), 3)
    return figures
