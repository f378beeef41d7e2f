"""Decks learned at the table whose pictures are still to be brought into one light: what waits, and how far it is.

That takes seconds, on a Raspberry Pi half a minute. The desk's own thread does it, and pages show how far it is.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from arena_cam.domain.errors import ArenaCamError
from arena_cam.referee.setup.interface import LightSnapshot

log = logging.getLogger(__name__)

_STEP = 5  # percent: each is told to every page


@dataclass(frozen=True, eq=False)
class Unfinished:
    """A deck by its name, what brings it into one light, and what is done after that."""

    name: str
    finish: Callable[[Callable[[float], None]], None]
    then: Callable[[], None] | None = None


class OneLight:
    """What waits, in the order in which it came. `add` and `snapshot` may be called from any thread."""

    def __init__(self, heard: Callable[[], None]) -> None:
        """`heard` is called after each step of the work."""
        self._heard = heard
        self._lock = threading.Lock()  # of all below
        self._waiting: deque[Unfinished] = deque()
        self._percent = 0

    def add(self, deck: Unfinished) -> None:
        with self._lock:
            self._waiting.append(deck)

    @property
    def waits(self) -> bool:
        with self._lock:
            return bool(self._waiting)

    def snapshot(self) -> LightSnapshot | None:
        with self._lock:
            if not self._waiting:
                return None
            return {"name": self._waiting[0].name, "percent": self._percent}

    def work(self) -> None:
        """Does all that waits. What cannot be written stays as it was taken until the deck is opened again."""
        while self.waits:
            with self._lock:
                deck, self._percent = self._waiting[0], 0
            self._try(deck.name, partial(deck.finish, self._tell))
            with self._lock:
                self._waiting.popleft()
            if deck.then is not None:
                self._try(deck.name, deck.then)
            self._heard()

    @staticmethod
    def _try(name: str, do: Callable[[], None]) -> None:
        try:
            do()
        except ArenaCamError as error:
            log.warning("%s: %s", name, error)
        except Exception:  # one deck must not end the set-up
            log.exception("%s: its pictures could not be brought into one light", name)

    def _tell(self, share: float) -> None:
        percent = int(100.0 * share / _STEP) * _STEP
        with self._lock:
            news, self._percent = percent != self._percent, percent
        if news:
            self._heard()
