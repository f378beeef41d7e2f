"""A recording in place of a camera: a table is set up from it, and the game that is seen in it is begun for it."""

from __future__ import annotations

from arena_cam.camera.film import Film
from arena_cam.domain.cards import Deck
from arena_cam.referee.game.outfit import RecordedGame, find_outfit
from arena_cam.referee.interface import SessionPort, Snapshot


class Recording:
    """Implements the set-up desk's Projector, and follows the changes of the session that it is told to `watch`."""

    def __init__(self, game: str, film: Film) -> None:
        self.film = film
        self._game = game
        self._session: SessionPort | None = None
        self._played: RecordedGame | None = None

    @property
    def held(self) -> bool:
        return self.film.held

    def rehearse(self) -> None:
        self._played = None
        self.film.rehearse()

    def hold(self, held: bool) -> None:
        self.film.hold(held)

    def step(self) -> None:
        self.film.step()

    def play(self, deck: Deck) -> None:
        self._played = find_outfit(self._game).recorded_game(deck, self.film.name)
        if self._session is not None:
            self._played.watch(self._session)
        self.film.play()

    def watch(self, session: SessionPort) -> None:
        self._session = session
        if self._played is not None:
            self._played.watch(session)

    def __call__(self, snapshot: Snapshot) -> None:
        if self._played is not None:
            self._played(snapshot)
