"""Phones and their seats. A seat belongs to the browser that took it, for one game, until it leaves or is freed.

The signed cookie is the proof; this table only keeps a second phone off a taken seat. After a restart the table is
empty and fills again as the phones come back with their cookies, so nobody loses a seat.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Callable

from flask import session as cookie

from arena_cam.domain.errors import Refused
from arena_cam.referee.interface import GameSnapshot
from arena_cam.referee.messages import Refusal
from arena_cam.web.words.messages import PageRefusal

FREED = ""  # the seat belongs to nobody, not even to the old phone, whose cookie still names it


class Seats:
    """The seats of the present game, by player's name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._game: str | None = None
        self._holder: dict[str, str] = {}
        self._watching: Counter[str] = Counter()

    def take(self, game: GameSnapshot, player: str) -> None:
        """Seats this browser. Raises Refused `unknown` or `seat_taken`."""
        if player not in {p["name"] for p in game["players"]}:
            raise Refused("unknown", Refusal.NOBODY_CALLED(player=player[:40]))
        mine = self.mine(game)
        with self._lock:
            token = str(cookie.get("seat_token") or secrets.token_urlsafe(16))
            self._speak_of(game)
            if self._holder.get(player) not in (None, FREED, token):
                raise Refused("seat_taken", PageRefusal.SEAT_TAKEN(player=player))
            if mine is not None:
                self._holder.pop(mine, None)
            self._holder[player] = token
        cookie.update(seat_token=token, seat={"game": game["id"], "player": player})
        cookie.permanent = True

    def mine(self, game: GameSnapshot | None) -> str | None:
        """The player whose seat this browser holds in `game`."""
        seat = cookie.get("seat")
        if game is None or not isinstance(seat, dict) or seat.get("game") != game["id"]:
            return None
        player, token = str(seat.get("player")), str(cookie.get("seat_token"))
        with self._lock:
            self._speak_of(game)
            return player if self._holder.setdefault(player, token) == token else None

    def _speak_of(self, game: GameSnapshot) -> None:
        """Forgets the seats of the game before this one."""
        if self._game != game["id"]:
            self._game, self._holder = game["id"], {}

    def keeper(self) -> Callable[[GameSnapshot | None], bool]:
        """A function that tells, outside of a request, whether this browser still holds its seat in a game."""
        seat, token = dict(cookie.get("seat") or {}), str(cookie.get("seat_token"))

        def holds(game: GameSnapshot | None) -> bool:
            if game is None or game["id"] != seat.get("game"):
                return False
            with self._lock:
                self._speak_of(game)
                return self._holder.setdefault(str(seat.get("player")), token) == token

        return holds

    def watch(self, player: str) -> Callable[[], None]:
        """Notes that a phone in `player`'s seat follows the game; call what is returned when it does no more."""
        with self._lock:
            self._watching[player] += 1

        def unwatch() -> None:
            with self._lock:
                self._watching[player] -= 1

        return unwatch

    def present(self, player: str) -> bool:
        """Whether somebody sits in `player`'s seat with a phone that is in touch at this moment."""
        with self._lock:
            return bool(self._holder.get(player)) and self._watching[player] > 0

    def leave(self, game: GameSnapshot | None) -> None:
        mine = self.mine(game)
        if mine is not None:
            self.free(mine)
        cookie.pop("seat", None)

    def free(self, player: str) -> None:
        """Frees a seat; the phone that held it must take a seat again."""
        with self._lock:
            self._holder[player] = FREED

    def taken(self, game: GameSnapshot | None) -> tuple[tuple[str, bool], ...]:
        """(player, taken by a phone) in seat order."""
        if game is None:
            return ()
        with self._lock:
            current = self._holder if self._game == game["id"] else {}
            return tuple((p["name"], bool(current.get(p["name"]))) for p in game["players"])
