"""The live pictures a second that all pages together may have, so that a full room does not slow the referee down."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

PICTURES_A_SECOND = 60  # about 5 MB/s at 80 kB each: what a Pi's wireless network carries beside everything else


class PictureBudget:
    """Counts the pictures of the last second."""

    def __init__(self, most: int = PICTURES_A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
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
