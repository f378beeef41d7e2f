"""The live pictures a second that all pages together may have, so that a full room does not slow the referee down, and
how many may wait for one, so that a camera that shows nothing new does not keep pages waiting."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PICTURES_A_SECOND = 60  # about 5 MB/s at 80 kB each: what a Pi's wireless network carries beside everything else
# Each has a thread of the server's 24 (web/serving.py) until a picture comes; as many are left for all else. Of a
# camera with 15 pictures a second four wait at a time, at 60 a second.
MOST_WAITING = 12


class PictureBudget:
    """Counts the pictures of the last second, and who waits for the next one."""

    def __init__(self, most: int = PICTURES_A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)
        self._lock = threading.Lock()
        self._taken: deque[float] = deque()

    def take(self) -> bool:
        """Whether one more may be sent now."""
        with self._lock:
            now = self._clock()
            while self._taken and now - self._taken[0] >= 1.0:
                self._taken.popleft()
            if len(self._taken) >= self._most:
                return False
            self._taken.append(now)
            return True

    @contextmanager
    def waiting(self) -> Iterator[bool]:
        """Whether one more may wait for a picture; it does while this is open."""
        may = self._waiting.acquire(blocking=False)
        try:
            yield may
        finally:
            if may:
                self._waiting.release()
