"""The interface by which pages ask for backups, the log and a restart. The command that serves them implements it.

The command that serves the pages keeps this promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypedDict

from arena_cam.referee.interface import MessageJson


class LogLine(TypedDict):
    """One line of the program's log: `at` in seconds since 1970, `level` as of Python's logging."""

    at: float
    level: str
    text: str


class Arrived(TypedDict):
    """A backup that has arrived and was looked into, or how much of it has: `bytes`; `made` and `games` once whole."""

    bytes: int
    whole: bool
    made: float
    games: int


class Restored(TypedDict):
    """How a backup was brought back before this start: `games` it holds, and the folder `aside` with what was here.

    Where it was not brought back, `why` says so and what was here is here still.
    """

    games: int
    aside: str | None
    why: MessageJson | None


class UpkeepState(TypedDict):
    """`version` runs, since `started` (seconds since 1970); `newer` lies on the disk and runs after a start anew.

    `restored` is None where this start followed no restore. `log`: newest first.
    """

    version: str
    newer: str | None
    started: float
    restored: Restored | None
    log: list[LogLine]


class Upkeep(Protocol):
    """Looks after the program and what it keeps."""

    def state(self) -> UpkeepState: ...

    def backup(self) -> Path:
        """A backup made now, in a file that the asker removes. Raises CannotDo."""
        ...

    def take(self, piece: bytes, at: int, total: int) -> Arrived:
        """Takes `piece` of a backup from byte `at` on; the last one is looked into.

        Raises Refused, CannotDo, BadInput.
        """
        ...

    def restore(self) -> None:
        """Starts anew with the backup that has arrived. Raises Refused `not_now` where none has."""
        ...

    def restart(self) -> None:
        """Starts the program anew, with the same arguments."""
        ...


def newest_first(lines: Sequence[LogLine]) -> list[LogLine]:
    return list(reversed(lines))
