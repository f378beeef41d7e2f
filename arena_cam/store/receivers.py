"""Programs that are told what happens, and what each has not been told yet.

What there is to tell is written by triggers (schema.py) in the same transaction as the line of the record that it tells
of: a plug that is pulled loses neither, and what a receiver could not be told waits for it over a restart.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.store.database import Database, read_json
from arena_cam.store.messages import StoreRefusal

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Receiver:
    """A program that is told what happens. `about` holds its address and its secret; no page may show it unchanged."""

    id: str
    kind: str
    about: Json
    made: float


@dataclass(frozen=True, slots=True)
class Delivery:
    """One thing to tell: `item` is the line's number or the question's id; `at` seconds since 1970."""

    id: int
    kind: str
    game: str
    item: str
    at: float


class Receivers:
    """The tables of receivers and of what they have not been told."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, kind: str, about: Json) -> Receiver:
        """Adds a receiver, which is told of everything that happens from now on."""
        receiver = Receiver(secrets.token_hex(4), kind, about, round(time.time(), 3))
        row = (receiver.id, kind, json.dumps(about), receiver.made)
        self._database.write(
            lambda c: c.execute("INSERT INTO receivers (id, kind, about, made) VALUES (?, ?, ?, ?)", row)
        )
        return receiver

    def all(self) -> list[Receiver]:
        """All receivers, oldest first."""
        rows = self._database.rows("SELECT * FROM receivers ORDER BY made, id")
        return [Receiver(row["id"], row["kind"], read_json(row["about"]), row["made"]) for row in rows]

    def remove(self, id: str) -> None:
        """Removes a receiver. Raises Refused `unknown` if there is none of that id."""
        if not self._database.rows("SELECT id FROM receivers WHERE id = ?", (id,)):
            raise Refused("unknown", StoreRefusal.NO_RECEIVER(name=repr(id[:60])))
        self._database.write(lambda c: c.execute("DELETE FROM receivers WHERE id = ?", (id,)))

    def test(self, receiver: str) -> None:
        """Adds a test message for one receiver after everything that it has not been told."""
        sql = "INSERT INTO deliveries (receiver, kind, game, item, at) VALUES (?, 'test', '', '', ?)"
        self._database.write(lambda c: c.execute(sql, (receiver, time.time())))

    def next_delivery(self, receiver: str) -> Delivery | None:
        """The oldest message that the receiver has not been told; None if there is none."""
        sql = "SELECT * FROM deliveries WHERE receiver = ? ORDER BY id LIMIT 1"
        rows = self._database.rows(sql, (receiver,))
        return next((Delivery(row["id"], row["kind"], row["game"], row["item"], row["at"]) for row in rows), None)

    def waiting(self, receiver: str) -> int:
        """How many messages the receiver has not been told."""
        return int(self._database.rows("SELECT count(*) AS n FROM deliveries WHERE receiver = ?", (receiver,))[0]["n"])

    def delivered(self, delivery: int) -> None:
        """Removes a message that has been told, or of which nothing is left to tell."""
        self._database.write(lambda c: c.execute("DELETE FROM deliveries WHERE id = ?", (delivery,)))

    def forget_before(self, receiver: str, at: float) -> None:
        """Removes the messages from before `at`, which nobody will be told."""
        sql = "DELETE FROM deliveries WHERE receiver = ? AND at < ?"
        self._database.write(lambda c: c.execute(sql, (receiver, at)))

    def contents(self, delivery: Delivery) -> Json | None:
        """What the delivery tells of: the row of its game, and of its line or question; None where that is gone."""
        if delivery.kind == "test":
            return {}
        games = self._database.rows("SELECT * FROM games WHERE id = ? AND deleting = 0", (delivery.game,))
        if not games:
            return None
        found: Json = {"game": games[0]["game"], "name": games[0]["name"], "summary": read_json(games[0]["summary"])}
        if delivery.kind == "line.added":
            sql = "SELECT * FROM lines WHERE game = ? AND line = ?"
            rows = self._database.rows(sql, (delivery.game, int(delivery.item)))
            if not rows:
                return None
            found["line"] = int(delivery.item)
            found |= {"who": rows[0]["who"], "throw": rows[0]["throw"]}
            found |= {key: read_json(rows[0][key]) for key in ("event", "rulings")}
        if delivery.kind == "question.asked":
            sql = "SELECT question FROM questions WHERE game = ? AND id = ?"
            rows = self._database.rows(sql, (delivery.game, delivery.item))
            if not rows:
                return None
            found["question"] = read_json(rows[0]["question"])
        return found
