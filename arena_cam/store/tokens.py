"""Tokens of programs: what each may do, and only a hash of each.

A token is 256 random bits, so a plain SHA-256 is enough: there is nothing to guess, unlike with a password.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from dataclasses import dataclass

from arena_cam.domain.errors import Refused
from arena_cam.store.database import Database, read_json
from arena_cam.store.messages import StoreRefusal

# Every token reads whatever a referee may read. watch: no more than that. referee: does what a referee does in a game.
# setup: sets a table up.
SCOPES = ("watch", "referee", "setup")
PREFIX = "acam_"  # tells what it is to who finds one in a file
LONGEST_NAME = 40
NOTED_EVERY_S = 60.0  # a program that asks ten times a second must not write ten times a second


@dataclass(frozen=True, slots=True)
class Token:
    """One program's. `made` and `used` (None: never) are seconds since 1970."""

    id: str
    name: str
    scopes: tuple[str, ...]
    made: float
    used: float | None


class Tokens:
    """The tokens in force."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, name: str, scopes: tuple[str, ...]) -> tuple[Token, str]:
        """A new token and its text, which is told this once. Refused `bad_argument` without a name or a known scope."""
        name = name.strip()
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            raise Refused("bad_argument", StoreRefusal.TOKEN_NAME(most=LONGEST_NAME))
        if not scopes or not set(scopes) <= set(SCOPES):
            raise Refused("bad_argument", StoreRefusal.TOKEN_SCOPES(names=", ".join(SCOPES)))
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(
            secrets.token_hex(4), name, tuple(each for each in SCOPES if each in scopes), round(time.time(), 3), None
        )
        row = (token.id, token.name, _hash(secret), json.dumps(token.scopes), token.made)
        self._database.write(
            lambda c: c.execute("INSERT INTO tokens (id, name, hash, scopes, made) VALUES (?, ?, ?, ?, ?)", row)
        )
        return token, secret

    def all(self) -> list[Token]:
        """Those in force, oldest first."""
        return self._found("", ())

    def revoke(self, id: str) -> None:
        """From now on it opens nothing. Refused `unknown` if there is none."""
        if not self._found("WHERE id = ?", (id,)):
            raise Refused("unknown", StoreRefusal.NO_TOKEN(name=repr(id[:60])))
        self._database.write(lambda c: c.execute("DELETE FROM tokens WHERE id = ?", (id,)))

    def find(self, secret: str) -> Token | None:
        """The token whose text that is, which is noted as used now; None for anything else."""
        found = self._found("WHERE hash = ?", (_hash(secret),))
        if not found:
            return None
        now = time.time()
        if found[0].used is None or now - found[0].used >= NOTED_EVERY_S:
            self._database.write(lambda c: c.execute("UPDATE tokens SET used = ? WHERE id = ?", (now, found[0].id)))
        return found[0]

    def _found(self, where: str, arguments: tuple[str, ...]) -> list[Token]:
        rows = self._database.rows(f"SELECT * FROM tokens {where} ORDER BY made, id", arguments)
        return [
            Token(row["id"], row["name"], tuple(read_json(row["scopes"])), row["made"], row["used"]) for row in rows
        ]


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
