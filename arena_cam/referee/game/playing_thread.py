"""The thread in which stand-ins play: they look at the session again and again, and do what is to be done."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from typing import TypeGuard

from arena_cam.domain.errors import ArenaCamError
from arena_cam.referee.interface import GameSnapshot, SessionPort, Snapshot

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.25
WHO = "simulated players"


class PlayingThread(ABC):
    """Calls `play` from `start` to `stop`. Whoever plays says in `play` what is to be done now.

    `plays`: the name of the game that is played.
    """

    plays: str
    stops_within_s = 5.0

    def __init__(self, session: SessionPort) -> None:
        self._session = session
        self._stopping = threading.Event()
        self._has_played = False
        self._thread = threading.Thread(target=self._run, name=WHO, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(self.stops_within_s)

    @abstractmethod
    def play(self, snapshot: Snapshot, now_s: float) -> None:
        """Does what is to be done now, if anything; `now_s` from any start."""

    def _stands_aside(self, game: GameSnapshot | None) -> bool:
        """Whether people have begun another game since: nobody plays along in that one.

        One that was on before the first own game is left over from an earlier start, and gives way to it.
        """
        if self._is_own(game):
            self._has_played = True
            return False
        return self._has_played and game is not None

    def _is_own(self, game: GameSnapshot | None) -> TypeGuard[GameSnapshot]:
        return game is not None and game["game"] == self.plays

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_EVERY_S):
            try:
                self.play(self._session.snapshot(), time.monotonic())
            except ArenaCamError as error:  # somebody else was faster: look again
                log.debug("%s", error)
