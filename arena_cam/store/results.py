"""Who came where in which game: what follows from the records of games that are over, kept so that it is found quickly.

Nothing here is a source: every row can be made again from its game's record, and is, whenever that grows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from arena_cam.store.database import Database, read_json

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One player's part in one game. `place` is 1 for the winners, and equal for equal points."""

    game: str
    player: str
    kind: str
    started: float
    points: float
    place: int
    players: int
    figures: Json


class Results:
    """The table of results in the database of the games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def touched(self, since: int) -> tuple[set[str], int]:
        """Games that were written to in or after transaction `since`, and from where on to ask the next time."""
        (now,) = self._database.rows("SELECT count FROM transactions")
        rows = self._database.rows("SELECT game FROM touched WHERE at >= ?", (since,))
        return {row["game"] for row in rows}, now["count"]

    def stale(self, among: Collection[str] | None = None) -> list[str]:
        """Games that are over and whose results are not those of their whole record, oldest first."""
        chosen, arguments = _chosen("id", among)
        rows = self._database.rows(
            f"""
            SELECT id, coalesce((SELECT max(line) FROM lines WHERE game = id), 1) AS last,
                (SELECT max(lines) FROM results WHERE game = id) AS known
            FROM games WHERE {chosen} AND deleting = 0 AND json_extract(summary, '$.over') = 1 ORDER BY started, id
            """,
            arguments,
        )
        return [row["id"] for row in rows if row["last"] != row["known"]]

    def gone(self, among: Collection[str] | None = None) -> list[str]:
        """Games that have results though they are not over, since somebody goes on with them."""
        chosen, arguments = _chosen("results.game", among)
        rows = self._database.rows(
            f"""
            SELECT DISTINCT results.game AS game FROM results JOIN games ON games.id = results.game
            WHERE {chosen} AND coalesce(json_extract(summary, '$.over'), 0) = 0
            """,
            arguments,
        )
        return [row["game"] for row in rows]

    def put(self, game: str, results: Sequence[Result], lines: int) -> None:
        """Keeps `results` of `game`, which follow from the first `lines` lines of its record; older ones go."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM results WHERE game = ?", (game,))
            connection.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (r.game, r.player, r.kind, r.started, r.points, r.place, r.players, json.dumps(r.figures), lines)
                    for r in results
                ],
            )

        self._database.write(work)

    def all(self, kind: str) -> list[Result]:
        """Every result of games of `kind`, in the order in which the games began."""
        return self._found("kind = ?", (kind,))

    def of(self, games: Collection[str]) -> list[Result]:
        """Every result of `games`, in the same order."""
        return self._found(*_chosen("game", games))

    def kinds(self) -> list[str]:
        """Which games have results."""
        return [row["kind"] for row in self._database.rows("SELECT DISTINCT kind FROM results ORDER BY kind")]

    def _found(self, where: str, arguments: tuple[Any, ...]) -> list[Result]:
        return [
            Result(
                game=row["game"],
                player=row["player"],
                kind=row["kind"],
                started=row["started"],
                points=row["points"],
                place=row["place"],
                players=row["players"],
                figures=read_json(row["figures"]),
            )
            for row in self._database.rows(
                f"SELECT * FROM results WHERE {where} ORDER BY started, game, place, player", arguments
            )
        ]


def _chosen(column: str, among: Collection[str] | None) -> tuple[str, tuple[str, ...]]:
    """A condition that `column` is one of `among`, and its arguments; true of every row where that is None."""
    if among is None:
        return "1", ()
    return f"{column} IN (SELECT value FROM json_each(?))", (json.dumps(sorted(among)),)
