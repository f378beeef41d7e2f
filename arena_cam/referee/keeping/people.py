"""Players over many games. A name stands for one person in all games. All figures follow from the records kept."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.part import find_part
from arena_cam.referee.interface import PersonDetail, PersonGame, PersonSummary
from arena_cam.referee.keeping.ratings import Game, Ratings
from arena_cam.referee.keeping.reports import Reports
from arena_cam.referee.messages import Refusal
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.results import Result

LATEST_GAMES = 20  # whose throws a map of landings shows


class People:
    """The games of each player. The records are read again only after something was written."""

    def __init__(self, data: DataFolder, reports: Reports) -> None:
        self._data, self._reports = data, reports
        self._lock = threading.Lock()
        self._seen = -1  # Database.changes when the results below were true
        self._next: int | None = (
            None  # the transaction from which on games count as touched; None before the first look
        )
        self._results: dict[str, list[Result]] = {}
        self._by_player: dict[str, dict[str, list[Result]]] = {}
        self._by_game: dict[str, dict[str, list[Result]]] = {}
        self._ratings: defaultdict[str, Ratings] = defaultdict(Ratings)
        self._tables: dict[str, list[PersonSummary]] = {}

    def kinds(self) -> list[str]:
        """The games that anybody has played to the end."""
        with self._lock:
            self._refresh()
            return sorted(self._results)

    def table(self, kind: str) -> list[PersonSummary]:
        """Everybody who played `kind` to the end, ordered by the least strength that the player surely has."""
        with self._lock:
            self._refresh()
            if kind not in self._tables:
                by_player = self._by_player.get(kind, {})
                summaries = [self._summary(kind, name, results) for name, results in by_player.items()]
                self._tables[kind] = sorted(summaries, key=lambda p: (-(p["rating"] - 2 * p["rating_sd"]), p["name"]))
            return self._tables[kind]

    def person(self, kind: str, name: str) -> PersonDetail:
        """One player's games of `kind`. Raises Refused `unknown` if there are none."""
        with self._lock:
            self._refresh()
            own = self._by_player.get(kind, {}).get(name)
            if not own:
                raise Refused("unknown", Refusal.NOBODY_PLAYED(player=name[:40]))
            ratings = self._ratings[kind].after(name)
            games: list[PersonGame] = [
                {
                    "game": each.game,
                    "started": each.started,
                    "points": each.points,
                    "place": each.place,
                    "players": each.players,
                    "rating": round(ratings[each.game].mean) if each.game in ratings else None,
                }
                for each in reversed(own)
            ]
            detail: PersonDetail = {
                **self._summary(kind, name, own),
                "kind": kind,
                "played": games,
                "against": _against(own, self._by_game[kind]),
                "figures": _totals(own),
                "landings": [],
            }
        detail["landings"] = self._landings([each["game"] for each in games[:LATEST_GAMES]], name)
        return detail

    def _summary(self, kind: str, name: str, own: Sequence[Result]) -> PersonSummary:
        rating = self._ratings[kind].of(name)
        return {
            "name": name,
            "games": len(own),
            "wins": sum(each.place == 1 for each in own),
            "points": sum(each.points for each in own) / len(own),
            "rating": round(rating.mean),
            "rating_sd": round(rating.sd),
            "last": own[-1].started,
        }

    def _landings(self, games: Sequence[str], name: str) -> list[dict[str, Any]]:
        """The places at which the player's cards came to rest, as far as they were measured: x_mm, y_mm, landing,
        throw."""
        throws = [throw for game in games for throw in self._reports.throws(game)]
        return [
            {
                "x_mm": throw["centre_mm"][0],
                "y_mm": throw["centre_mm"][1],
                "landing": throw["landing"],
                "throw": throw["id"],
            }
            for throw in throws
            if throw["player"] == name and throw["centre_mm"] is not None and not throw["opens"]
        ]

    def _refresh(self) -> None:
        """Computes the results of games that ended since the last call, and the ratings that follow.

        Only games that were written to are looked at, so that a long history costs nothing while a game is played.
        """
        if self._data.database.changes == self._seen:
            return
        kept, first = self._data.results, self._next is None
        touched, self._next = kept.touched(self._next or 0)
        among = None if first else touched
        for game in kept.gone(among):
            kept.put(game, (), 0)
        for game in kept.stale(among):
            results, lines = self._results_of(game)
            kept.put(game, results, lines)
        self._seen = self._data.database.changes
        if first:
            self._take({kind: kept.all(kind) for kind in kept.kinds()})
        elif touched:
            self._renew(touched, kept.of(touched))

    def _renew(self, touched: set[str], found: Sequence[Result]) -> None:
        """Puts `found` in the place of everything known of the `touched` games; mostly it is the same, or nothing."""
        known = [each for results in self._results.values() for each in results if each.game in touched]
        kinds = {each.kind for each in (*known, *found)}
        if sorted(known, key=_order) == sorted(found, key=_order):
            return
        renewed: dict[str, list[Result]] = {}
        for kind in kinds:
            others = [each for each in self._results.get(kind, ()) if each.game not in touched]
            renewed[kind] = sorted((*others, *(each for each in found if each.kind == kind)), key=_order)
        self._take(renewed)

    def _take(self, renewed: dict[str, list[Result]]) -> None:
        for kind, results in renewed.items():
            self._results[kind] = results
            self._by_player[kind] = _grouped(results, lambda result: result.player)
            self._by_game[kind] = _grouped(results, lambda result: result.game)
            self._tables.pop(kind, None)
            self._ratings[kind].follow(_places(results))
            if not results:
                del self._results[kind]

    def _results_of(self, game: str) -> tuple[list[Result], int]:
        kept, ledger = self._data.matches.game(game), self._reports.ledger(game)
        scores, last = ledger.result["scores"], ledger.next_line - 1
        winners, figures = set(ledger.result["winners"]), find_part(kept.game).statistics(ledger)
        results = [
            Result(
                game=game,
                player=name,
                kind=kept.game,
                started=kept.started,
                points=float(points),
                place=1 if name in winners else max(2, 1 + sum(other > points for other in scores.values())),
                players=len(scores),
                figures=figures.get(name, {}),
            )
            for name, points in scores.items()
        ]
        return results, last


def _order(result: Result) -> tuple[float, str, int, str]:
    """The order in which results are kept: as the games began, and within a game by place."""
    return result.started, result.game, result.place, result.player


def _grouped(results: Sequence[Result], key: Callable[[Result], str]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(key(result), []).append(result)
    return found


def _places(results: Sequence[Result]) -> list[Game]:
    return [
        (game, tuple((each.player, each.place) for each in together))
        for game, together in groupby(results, key=lambda result: result.game)
    ]


def _against(own: Sequence[Result], by_game: Mapping[str, Sequence[Result]]) -> list[dict[str, Any]]:
    """By opponent: the number of games together, and of those in which the player came before, level and behind."""
    counts: dict[str, list[int]] = {}  # games, before, level, behind
    for mine in own:
        for each in by_game[mine.game]:
            if each.player != mine.player:
                count = counts.setdefault(each.player, [0, 0, 0, 0])
                count[0] += 1
                count[1 if mine.place < each.place else 2 if mine.place == each.place else 3] += 1
    keys = ("games", "before", "level", "behind")
    found = [{"name": other, **dict(zip(keys, count, strict=True))} for other, count in counts.items()]
    return sorted(found, key=lambda each: (-each["games"], each["name"]))


def _totals(own: Sequence[Result]) -> dict[str, float]:
    """The sums of the figures that games keep of a player: right for counts. Pages choose those that may be summed."""
    total: dict[str, float] = {}
    for result in own:
        for key, value in result.figures.items():
            if isinstance(value, int | float):
                total[key] = total.get(key, 0) + value
    return total
