"""Who came where in which game: what follows from the records of games that are over, kept so that it is found quickly.

Nothing here is a source: every row can be made again from its game's record, and is, whenever that grows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
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

    def stale(self) -> list[str]:
        """Games that are over and whose results are not those of their whole record, oldest first."""
        rows = self._database.rows(
            """
            SELECT id, coalesce((SELECT max(line) FROM lines WHERE game = id), 1) AS last,
                (SELECT max(lines) FROM results WHERE game = id) AS known
            FROM games WHERE deleting = 0 AND json_extract(summary, '$.over') = 1 ORDER BY started, id
            """
        )
        return [row["id"] for row in rows if row["last"] != row["known"]]

    def gone(self) -> list[str]:
        """Games that have results though they are not over, since somebody goes on with them."""
        rows = self._database.rows(
            """
            SELECT DISTINCT results.game AS game FROM results JOIN games ON games.id = results.game
            WHERE coalesce(json_extract(summary, '$.over'), 0) = 0
            """
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
        return self._found("WHERE kind = ? ORDER BY started, game, place, player", (kind,))

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
            for row in self._database.rows(f"SELECT * FROM results {where}", arguments)
        ]
