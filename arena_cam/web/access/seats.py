"""Phones and their seats. A seat belongs to the browser that took it until it leaves or is freed, for one game and for
those that follow in which somebody of that name plays: in a rematch nobody takes a seat anew.

The signed cookie is the proof; this table only keeps a second phone off a taken seat. After a restart the table is
empty and fills again as the phones come back with their cookies, so nobody loses a seat.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Callable, Mapping

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
        if game is None or not isinstance(seat, dict):
            return None
        player, token = str(seat.get("player")), str(cookie.get("seat_token"))
        if not self._holds(game, seat, player, token):
            return None
        if seat.get("game") != game["id"]:  # kept from the game before: a restart must not take it away
            cookie["seat"] = {"game": game["id"], "player": player}
        return player

    def _holds(self, game: GameSnapshot, seat: Mapping[str, object], player: str, token: str) -> bool:
        """Whether the browser with that cookie sits there. The table may be empty after a restart: then the cookie of
        this very game is believed, and of another one none."""
        with self._lock:
            self._speak_of(game)
            if seat.get("game") == game["id"]:
                return self._holder.setdefault(player, token) == token
            return self._holder.get(player) == token

    def _speak_of(self, game: GameSnapshot) -> None:
        """Forgets the seats of the game before this one, but for players of the same name."""
        if self._game != game["id"]:
            names = {player["name"] for player in game["players"]}
            self._holder = {name: token for name, token in self._holder.items() if token and name in names}
            self._game = game["id"]

    def keeper(self) -> Callable[[GameSnapshot | None], bool]:
        """A function that tells, outside of a request, whether this browser still holds its seat in a game."""
        seat, token = dict(cookie.get("seat") or {}), str(cookie.get("seat_token"))

        def holds(game: GameSnapshot | None) -> bool:
            return game is not None and self._holds(game, seat, str(seat.get("player")), token)

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
            self._speak_of(game)
            return tuple((p["name"], bool(self._holder.get(p["name"]))) for p in game["players"])
