"""The thread in which stand-ins play: they look at the session again and again, and do what is to be done."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod

from arena_cam.domain.errors import ArenaCamError
from arena_cam.referee.interface import SessionPort, Snapshot

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.25
WHO = "simulated players"


class PlayingThread(ABC):
    """Calls `play` from `start` to `stop`. Whoever plays says in `play` what is to be done now."""

    stops_within_s = 5.0

    def __init__(self, session: SessionPort) -> None:
        self._session = session
        self._stopping = threading.Event()
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

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_EVERY_S):
            try:
                self.play(self._session.snapshot(), time.monotonic())
            except ArenaCamError as error:  # somebody else was faster: look again
                log.debug("%s", error)
