"""A small league: who sits at which table, what was played of it, and how everybody stands.

Pure, and nothing is kept: a league is its players, the size of a table and the day on which it began. What was played
since then by exactly those who sit at a table is the result of that fixture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from arena_cam.referee.interface import GameSummary

MOST_PLAYERS = 12
SMALLEST_TABLE, LARGEST_TABLE = 2, 6


@dataclass(frozen=True)
class Fixture:
    """A table of players, and the game that they played of it, if they did."""

    players: tuple[str, ...]
    game: GameSummary | None = None


@dataclass(frozen=True)
class Standing:
    """A player's standing. `league_points`: at each table as many as players came behind, half of one for a draw."""

    player: str
    played: int
    won: int
    league_points: float
    points: int


def fixtures(players: Sequence[str], table: int) -> list[tuple[str, ...]]:
    """Tables of `table` players at which everybody meets everybody else at least once.

    Greedy: the next table is the one with the most pairs that have not met, of those the one whose players have sat
    least. That is not always the fewest tables (covering designs are hard), but no table is without a new pair.
    """
    chosen: list[tuple[str, ...]] = []
    unmet = set(combinations(players, 2))
    sat = dict.fromkeys(players, 0)
    tables = list(combinations(players, min(table, len(players))))
    while unmet:
        best = max(tables, key=lambda each: (len(unmet & set(combinations(each, 2))), -sum(sat[name] for name in each)))
        chosen.append(best)
        unmet -= set(combinations(best, 2))
        for name in best:
            sat[name] += 1
    return chosen


def with_results(tables: Sequence[tuple[str, ...]], games: Sequence[GameSummary], since: float) -> list[Fixture]:
    """Each table with the first game that its players finished since then; a game counts for one table."""
    finished = sorted((game for game in games if game["over"] and game["started"] >= since), key=lambda g: g["started"])
    made = []
    for table in tables:
        played = next((game for game in finished if sorted(game["players"]) == sorted(table)), None)
        if played is not None:
            finished.remove(played)
        made.append(Fixture(table, played))
    return made


def standings(players: Sequence[str], played: Sequence[Fixture]) -> list[Standing]:
    """The league's table: most league points first, then most points, then by name."""
    table = []
    for name in players:
        games = [each.game for each in played if each.game is not None and name in each.players]
        own = [(game, game["scores"].get(name, 0)) for game in games]
        beaten = sum(_beaten(game, name, points) for game, points in own)
        won = sum(name in game["winners"] for game in games)
        table.append(Standing(name, len(games), won, beaten, sum(points for _, points in own)))
    return sorted(table, key=lambda each: (-each.league_points, -each.points, each.player))


def _beaten(game: GameSummary, name: str, points: int) -> float:
    others = [score for other, score in game["scores"].items() if other != name]
    return sum(1.0 if points > score else 0.5 if points == score else 0.0 for score in others)
