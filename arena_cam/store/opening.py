"""What is looked at before a database is used, so that nothing is begun anew or written over without a word."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.store.acknowledged import Acknowledged
from arena_cam.store.messages import DatabaseTrouble
from arena_cam.store.schema import APPLICATION_ID, STEPS


def check_there(file: Path) -> None:
    """Raises CannotDo where nothing is left of a database that was there.

    SQLite would begin a new one, and delete the log of the old one.
    """
    if _size(file) == 0 and (_size(log_of(file)) > 0 or Acknowledged(file).read() > 0 or _holds_games(file.parent)):
        raise CannotDo(DatabaseTrouble.EMPTIED(), about=file)


def check_ours(connection: sqlite3.Connection, file: Path) -> None:
    """Raises BadInput for a database of another program, or of a newer version of this one."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or tables):
        raise BadInput(DatabaseTrouble.FOREIGN(), about=file)
    if version > len(STEPS):
        raise BadInput(DatabaseTrouble.NEWER(version=version, ours=len(STEPS)), about=file)


def check_whole(connection: sqlite3.Connection, file: Path, acknowledged: int) -> None:
    """Raises CannotDo where the database knows of fewer transactions than were `acknowledged`."""
    lost = acknowledged - count_transactions(connection)
    if lost > 0:
        name, mark = log_of(file).name, Acknowledged(file).file.name
        raise CannotDo(DatabaseTrouble.CHANGES_MISSING(count=lost, name=name, mark=mark), about=file)


def count_transactions(connection: sqlite3.Connection) -> int:
    """How many there were; 0 in a new database, and in one from before they were counted."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'transactions'").fetchone():
        return 0
    row = connection.execute("SELECT count FROM transactions").fetchone()
    return row[0] if row is not None and isinstance(row[0], int) else 0


def log_of(file: Path) -> Path:
    """The write-ahead log of a database."""
    return file.with_name(f"{file.name}-wal")


def _holds_games(folder: Path) -> bool:
    try:
        return any((folder / "games").iterdir())
    except OSError:
        return False


def _size(file: Path) -> int:
    """The size of a file in bytes; 0 where there is no such file."""
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0
