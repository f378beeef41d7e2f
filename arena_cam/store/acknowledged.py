"""How many transactions were acknowledged: a number beside the database, so that a lost write-ahead log is noticed.

What was written last lies in the database's log (`-wal`). Without that file SQLite opens the database as it was before,
and says nothing. The database counts its transactions in itself, and this file says how many of them were acknowledged.
A database that knows fewer has lost some. The number is written after the transaction is on disk, so it never runs
ahead of it, and it is not synced: at worst a power cut leaves an older number, which accuses nobody.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_DIGITS = 20  # a fixed length: overwriting in place needs no new room on a full disk


class Acknowledged:
    """The number beside the database `file`."""

    def __init__(self, file: Path) -> None:
        self.file = file.with_name(f"{file.stem}.acknowledged")

    def read(self) -> int:
        """How many transactions were acknowledged; 0 where that was never written or cannot be read."""
        try:
            text = self.file.read_bytes()
        except OSError:
            return 0
        return int(text) if len(text) == _DIGITS and text.isdigit() else 0

    def note(self, transactions: int) -> None:
        """Writes the number. A failure is ignored: the transaction is on disk, and the number is only too small."""
        with contextlib.suppress(OSError):
            descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                os.pwrite(descriptor, str(transactions).zfill(_DIGITS).encode("ascii"), 0)
            finally:
                os.close(descriptor)
