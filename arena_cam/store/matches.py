"""Games as kept: an append-only log of record lines with their rulings, and the little that changes beside it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.store.database import Database, plain, read_json, read_key
from arena_cam.store.messages import StoreRefusal

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoggedLine:
    """One line of a game record after the header. `rulings` is what the rules said when it was appended.

    `throw` names the evidence that the line rests on, None where there is none.
    """

    line: int
    at: float
    who: str
    event: Json
    rulings: tuple[Json, ...] = ()
    throw: str | None = None


@dataclass(frozen=True, slots=True)
class KeptThrow:
    """A throw's evidence: `bytes` on disk, `about` what lists show; `removed` is when its pictures were removed."""

    id: str
    game: str
    at: float
    bytes: int
    about: Json
    pinned: bool = False
    removed: float | None = None


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game without its lines. `memory` is what the match knows of the table beyond the record."""

    id: str
    name: str
    game: str
    header: Json
    started: float
    ended: float | None
    summary: Json
    memory: Json


@dataclass(frozen=True)
class Change:
    """Everything that one step of a match adds, written whole or not at all.

    `questions` are (id, question) newly asked; `answers` maps a question's id to its answer. `choices` are secret duel
    choices newly made; `clear_choices` takes all away (their `duel` event is among `lines`). None leaves as it was.
    """

    lines: tuple[LoggedLine, ...] = ()
    throws: tuple[KeptThrow, ...] = ()
    questions: tuple[tuple[str, float, Json], ...] = ()
    answers: Mapping[str, Json] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    clear_choices: bool = False
    summary: Json | None = None
    memory: Json | None = None
    ended: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


class Matches:
    """The log of all games in one database. Every method that changes something is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, game: KeptGame, settings: Mapping[str, Any], end_before: str | None = None) -> None:
        """Opens a new game, which becomes what `settings` say; `end_before` is ended in the same transaction."""

        def work(connection: sqlite3.Connection) -> None:
            if end_before is not None:
                connection.execute(
                    "UPDATE games SET ended = coalesce(ended, ?) WHERE id = ?", (game.started, end_before)
                )
            connection.execute(
                "INSERT INTO games (id, name, game, header, started, summary, memory) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    game.id,
                    game.name,
                    game.game,
                    _text(game.header),
                    game.started,
                    _text(game.summary),
                    _text(game.memory),
                ),
            )
            _put_settings(connection, settings)

        self._database.write(work)

    def is_free(self, game: str) -> bool:
        """Whether no row has that name, a game that is being deleted included."""
        return not self._database.rows("SELECT 1 FROM games WHERE id = ?", (game,))

    def commit(self, game: str, change: Change) -> None:
        """Appends `change` to `game`. Raises Refused `disk_full` and changes nothing where there is no room."""
        self._database.write(lambda connection: _apply(connection, game, change))

    def set_settings(self, settings: Mapping[str, Any]) -> None:
        self._database.write(lambda connection: _put_settings(connection, settings))

    def settings(self) -> Json:
        return {row["key"]: read_json(row["value"]) for row in self._database.rows("SELECT key, value FROM settings")}

    def games(self, most: int = -1, after: int = 0, words: str = "") -> list[KeptGame]:
        """Games, newest first: all, or at `most` so many `after` that many newer ones; with `words`, those of which the
        title or a player's name holds them.
        """
        if words:
            return self._found(most, after, words)
        rows = self._database.rows(
            # the inner one reads nothing but the index, however many games it passes over
            """
            SELECT * FROM games WHERE id IN (
                SELECT id FROM games WHERE deleting = 0 ORDER BY started DESC, id DESC LIMIT ? OFFSET ?
            ) ORDER BY started DESC, id DESC
            """,
            (most, after),
        )
        return [_game(row) for row in rows]

    def _found(self, most: int, after: int, words: str) -> list[KeptGame]:
        rows = self._database.rows(
            """
            SELECT * FROM games WHERE deleting = 0 AND (
                instr(plain(name), ?) OR EXISTS (
                    SELECT 1 FROM json_each(header, '$.players')
                    WHERE instr(plain(json_extract(value, '$.name')), ?)
                )
            ) ORDER BY started DESC, id DESC LIMIT ? OFFSET ?
            """,
            (plain(words), plain(words), most, after),
        )
        return [_game(row) for row in rows]

    def game(self, game: str) -> KeptGame:
        """The row of that name. Raises Refused `unknown` if there is none."""
        rows = self._database.rows("SELECT * FROM games WHERE id = ? AND deleting = 0", (game,))
        if not rows:
            raise Refused("unknown", StoreRefusal.NO_GAME(name=repr(game[:60])))
        return _game(rows[0])

    def lines(self, game: str) -> list[LoggedLine]:
        """The log of `game` in order, without the header."""
        rows = self._database.rows("SELECT * FROM lines WHERE game = ? ORDER BY line", (game,))
        return [
            LoggedLine(
                line=row["line"],
                at=row["at"],
                who=row["who"],
                event=read_json(row["event"]),
                rulings=tuple(read_json(row["rulings"])),
                throw=row["throw"],
            )
            for row in rows
        ]

    def throws(self, game: str | None = None) -> list[KeptThrow]:
        """The throws of `game` (all games: None) in the order of throwing."""
        if game is None:
            return [_throw(row) for row in self._database.rows("SELECT * FROM throws ORDER BY rowid")]
        return [
            _throw(row) for row in self._database.rows("SELECT * FROM throws WHERE game = ? ORDER BY rowid", (game,))
        ]

    def evidence_of(self, games: Sequence[str]) -> dict[str, tuple[int, int]]:
        """By game: how many throws it has, and the bytes of those whose pictures are kept."""
        rows = self._database.rows(
            """
            SELECT game, count(*) AS throws, sum(CASE WHEN removed IS NULL THEN bytes ELSE 0 END) AS bytes
            FROM throws WHERE game IN (SELECT value FROM json_each(?)) GROUP BY game
            """,
            (json.dumps(list(games)),),
        )
        return {row["game"]: (row["throws"], row["bytes"]) for row in rows}

    def kept_bytes(self) -> int:
        """The size in bytes of all throws' pictures that were not removed."""
        rows = self._database.rows("SELECT total(bytes) AS kept FROM throws WHERE removed IS NULL")
        return int(rows[0]["kept"])

    def throw(self, throw: str) -> KeptThrow:
        """The row of that name. Raises Refused `unknown` if there is none."""
        rows = self._database.rows("SELECT * FROM throws WHERE id = ?", (throw,))
        if not rows:
            raise Refused("unknown", StoreRefusal.NO_THROW(name=repr(throw[:60])))
        return _throw(rows[0])

    def pin(self, throw: str, pinned: bool) -> None:
        """Protects a throw's pictures from being removed to make room, or ends the protection."""
        self.throw(throw)
        self._database.write(lambda c: c.execute("UPDATE throws SET pinned = ? WHERE id = ?", (int(pinned), throw)))

    def mark_removed(self, throws: list[str], at: float) -> None:
        """Writes down, before it happens, that these throws' pictures are removed to make room."""
        self._database.write(
            lambda c: c.executemany("UPDATE throws SET removed = ? WHERE id = ?", [(at, throw) for throw in throws])
        )

    def choices(self, game: str) -> dict[str, str]:
        """The secret choices made so far in the duel that is open. For the session alone."""
        sql = "SELECT player, choice FROM choices WHERE game = ?"
        return {row["player"]: row["choice"] for row in self._database.rows(sql, (game,))}

    def rename(self, game: str, name: str) -> None:
        self.game(game)
        self._database.write(lambda c: c.execute("UPDATE games SET name = ? WHERE id = ?", (name, game)))

    def reopen(self, game: str, settings: Mapping[str, Any]) -> None:
        """Opens an ended game again, with these `settings`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE games SET ended = NULL WHERE id = ?", (game,))
            _put_settings(connection, settings)

        self.game(game)
        self._database.write(work)

    def delete(self, game: str) -> None:
        """Removes a game from the log, whole. Its pictures are the caller's to remove, afterwards."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE games SET deleting = 1 WHERE id = ?", (game,))
            for table in ("lines", "throws", "questions", "choices", "results"):
                connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            connection.execute("DELETE FROM games WHERE id = ?", (game,))

        self.game(game)
        self._database.write(work)


def _apply(connection: sqlite3.Connection, game: str, change: Change) -> None:
    connection.executemany(
        "INSERT INTO throws (id, game, at, bytes, about) VALUES (?, ?, ?, ?, ?)",
        [(t.id, game, t.at, t.bytes, _text(t.about)) for t in change.throws],
    )
    connection.executemany(
        "INSERT INTO lines (game, line, at, who, event, rulings, throw) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(game, n.line, n.at, n.who, _text(n.event), _text(n.rulings), n.throw) for n in change.lines],
    )
    connection.executemany(
        "INSERT INTO questions (game, id, asked, question) VALUES (?, ?, ?, ?)",
        [(game, id, asked, _text(question)) for id, asked, question in change.questions],
    )
    connection.executemany(
        "UPDATE questions SET answer = ? WHERE game = ? AND id = ?",
        [(_text(answer), game, id) for id, answer in change.answers.items()],
    )
    if change.clear_choices:
        connection.execute("DELETE FROM choices WHERE game = ?", (game,))
    connection.executemany(
        "INSERT OR REPLACE INTO choices (game, player, choice) VALUES (?, ?, ?)",
        [(game, player, choice) for player, choice in change.choices.items()],
    )
    for column, value in (("summary", change.summary), ("memory", change.memory)):
        if value is not None:
            connection.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (_text(value), game))
    if change.ended is not None:
        connection.execute("UPDATE games SET ended = ? WHERE id = ?", (change.ended, game))
    _put_settings(connection, change.settings)


def _put_settings(connection: sqlite3.Connection, settings: Mapping[str, Any]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", [(k, _text(v)) for k, v in settings.items()]
    )


def _game(row: Json) -> KeptGame:
    return KeptGame(
        id=read_key(row["id"]),
        name=row["name"],
        game=row["game"],
        header=read_json(row["header"]),
        started=row["started"],
        ended=row["ended"],
        summary=read_json(row["summary"]),
        memory=read_json(row["memory"]),
    )


def _throw(row: Json) -> KeptThrow:
    return KeptThrow(
        id=read_key(row["id"]),
        game=row["game"],
        at=row["at"],
        bytes=row["bytes"],
        about=read_json(row["about"]),
        pinned=bool(row["pinned"]),
        removed=row["removed"],
    )
