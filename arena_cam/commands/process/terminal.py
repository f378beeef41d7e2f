"""What only a terminal is shown: how long something takes, and colours. A pipe or a file gets neither."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import TextIO

SHOWN_AFTER_S = 1.0  # what is done sooner needs no word
RENEWED_EVERY_S = 0.25
CLEARED = "\r\033[K"
COLOURS = {"good": "32", "warn": "33", "bad": "1;31"}


def coloured(text: str, kind: str, stream: TextIO | None = None) -> str:
    """`text` in the colour of `kind` (good, warn, bad) where it goes to a terminal and NO_COLOR is not set.

    no-color.org: the variable counts where it is not empty.
    """
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return text
    return f"\033[{COLOURS[kind]}m{text}\033[0m"


class Working:
    """While it is entered a terminal shows what is being done, for how long, and how far it is."""

    def __init__(self, what: str, stream: TextIO | None = None, *, shown_after_s: float = SHOWN_AFTER_S) -> None:
        self._what, self._stream = what, stream or sys.stderr
        self._shown_after_s = shown_after_s
        self._far = ""
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._shown = False
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Working:
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._run, args=(time.monotonic(),), daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
            self._clear()

    def at(self, done: int, total: int) -> None:
        """How far it is: `done` things of `total`."""
        self._far = f" {done} of {total},"

    def say(self, text: str) -> None:
        """A line that stays, above what is shown."""
        self._clear()
        print(text, file=self._stream, flush=True)

    def _run(self, began: float) -> None:
        while not self._done.wait(RENEWED_EVERY_S):
            took = time.monotonic() - began
            if took >= self._shown_after_s:
                with self._lock:
                    self._stream.write(f"{CLEARED}{self._what}…{self._far} {took:.0f} s")
                    self._stream.flush()
                    self._shown = True

    def _clear(self) -> None:
        with self._lock:
            if self._shown:
                self._stream.write(CLEARED)
                self._stream.flush()
                self._shown = False
