"""One SQLite file: opened, brought up to date, written in whole transactions, every failure named.

WAL with full synchronisation: when `write` returns, what it wrote survives a power cut. A small reserve file lies
beside the database; on a full disk it is given up first, so that a game can go on with its record even then.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.store.acknowledged import Acknowledged
from arena_cam.store.messages import BackupTrouble, DatabaseTrouble
from arena_cam.store.opening import check_ours, check_there, check_whole, count_transactions
from arena_cam.store.schema import APPLICATION_ID, STEPS

T = TypeVar("T")

# Enough for the record of several evenings (a game takes some 200 kB in the database and its log).
RESERVE_BYTES = 4 * 1024 * 1024
# The log is folded into the file at this many pages of 4 kB: small, so that the reserve lasts for events.
LOG_PAGES = 200
# Another process, such as a backup, locks the file for less than this long.
BUSY_TIMEOUT_S = 5.0
# What a disk without room looks like: SQLITE_FULL, and SQLITE_IOERR where the system says EFBIG, EDQUOT or ENOSPC late.
_NO_ROOM = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_TRUNCATE"}
_NO_ROOM |= {"SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_SHMMAP", "SQLITE_IOERR_SHMOPEN"}

# What a disk says that does not take what there is room for: an SD card that fails is used for reading only.
_FAULTS = {errno.EROFS, errno.EIO, errno.EACCES}

# What reading can raise: SQLite's own errors, and Python's where a message quotes bytes of a damaged file.
_FAILURES = (sqlite3.Error, UnicodeDecodeError)


class _Row(dict[str, Any]):
    """A row by its columns. Raises CannotDo where there is none of that name: the table's own definition is damaged."""

    def __missing__(self, column: str) -> Any:
        raise CannotDo(DatabaseTrouble.DAMAGED(text=f"no column {column}"), about="the database")


class Database:
    """The open file. Safe to use from several threads, one at a time.

    Raises BadInput for a file that is none of ours or of a newer version, CannotDo for a damaged one or a folder that
    cannot be written, Refused `disk_full` where there is no room.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.RLock()
        self._reserve = file.with_name("reserve.bin")
        self._acknowledged = Acknowledged(file)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotDo(BackupTrouble.FOLDER_NOT_MADE(text=error.strerror), about=file.parent) from None
        check_there(file)
        try:
            self._connection = self._guarded(self._open)
        except _FAILURES as error:
            raise _named(error, file) from None
        self.take_reserve()

    @property
    def version(self) -> int:
        """The schema's version of the open file."""
        return len(STEPS)

    @property
    def changes(self) -> int:
        """A number that grows with each write. While it is the same, what was read before is still true."""
        with self._lock:
            return self._connection.total_changes

    @property
    def bytes(self) -> int | None:
        """The file's size; None where it is gone."""
        try:
            return self.file.stat().st_size
        except OSError:
            return None

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` in one transaction: all of it is on disk when this returns, or nothing. `work` may run twice."""

        def transaction() -> T:
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("UPDATE transactions SET count = count + 1")
                count = count_transactions(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._acknowledged.note(count)
            return result

        with self._lock:
            try:
                return self._guarded(transaction)
            except _FAILURES as error:
                raise _named(error, self.file) from None

    def rows(self, sql: str, arguments: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The rows that `sql` selects, as dictionaries."""
        with self._lock:
            try:
                return [_Row(row) for row in self._connection.execute(sql, arguments)]
            except _FAILURES as error:
                raise _named(error, self.file) from None

    def copy_to(self, file: Path, leave_out: Sequence[str] = ()) -> None:
        """Writes a consistent copy of the database to `file` while it is in use; tables to `leave_out` are empty there,
        and nothing of them is left in the file."""
        with self._lock:
            _copy(self._connection, file, leave_out)

    def has_reserve(self) -> bool:
        return self._reserve.exists()

    def close(self) -> None:
        """Folds the write-ahead log back into the file and closes it; may be called twice."""
        with self._lock:
            self._connection.close()

    def _open(self) -> sqlite3.Connection:
        acknowledged = self._acknowledged.read()  # before the database is: another process may write in between
        # autocommit: transactions are opened by name in `write`; threads are kept apart by the lock
        connection = sqlite3.connect(
            self.file, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, cached_statements=64
        )
        connection.row_factory = sqlite3.Row
        connection.create_function("plain", 1, plain, deterministic=True)  # SQLite's lower() knows no letter beyond Z
        try:
            check_ours(connection, self.file)
            check_whole(connection, self.file, acknowledged)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
            _migrate(connection, self.file)
        except BaseException:
            connection.close()
            raise
        return connection

    def _guarded(self, attempt: Callable[[], T]) -> T:
        """`attempt`, and once more with the reserve given up if the disk is full."""
        try:
            return attempt()
        except sqlite3.Error as error:
            if not _is_full(error) or not self._reserve.exists():
                raise
            try:
                self._reserve.unlink()
            except OSError:  # the disk may only be read
                raise error from None
            return attempt()

    def take_reserve(self) -> None:
        """Takes the reserve, if it was given up, while there is plenty of room. A failure is ignored: the disk may be
        nearly full."""
        if self._reserve.exists():
            return
        try:
            room = os.statvfs(self.file.parent)
            if room.f_bavail * room.f_frsize < 4 * RESERVE_BYTES:
                return
            part = self._reserve.with_suffix(".part")
            part.write_bytes(bytes(RESERVE_BYTES))
            part.rename(self._reserve)
        except OSError:
            self._reserve.with_suffix(".part").unlink(missing_ok=True)


def plain(text: str) -> str:
    """`text` in small letters without accents, as it is searched: "Ólöf" is found as "olof"."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def read_json(text: Any) -> Any:
    """What was written as JSON into a column. Raises CannotDo where the column does not hold what was written."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise CannotDo(DatabaseTrouble.DAMAGED(text=str(error)), about="the database") from None


def read_key(text: Any) -> str:
    """What names a row. Raises CannotDo where it is no text: a damaged row's key may be NULL."""
    if not isinstance(text, str):
        raise CannotDo(DatabaseTrouble.DAMAGED(text="a row without its name"), about="the database")
    return text


def _migrate(connection: sqlite3.Connection, file: Path) -> None:
    """Takes the steps that are missing, each whole or not at all; a file with contents is copied aside before."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if 0 < version < len(STEPS):
        _copy(connection, file.with_name(f"{file.stem}.before-version-{len(STEPS)}{file.suffix}"))
    for number, step in enumerate(STEPS[version:], start=version + 1):
        try:
            # the script runs inside one transaction together with the number that says that it ran
            connection.executescript(
                f"BEGIN IMMEDIATE;{step};"
                f"PRAGMA application_id = {APPLICATION_ID};PRAGMA user_version = {number};COMMIT;"
            )
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _copy(connection: sqlite3.Connection, file: Path, leave_out: Sequence[str] = ()) -> None:
    """Copies the database whole; `file` appears under its name only when it is complete and on disk."""
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    try:
        target = sqlite3.connect(part, isolation_level=None)
        try:
            connection.backup(target)
            if leave_out:
                target.execute("PRAGMA secure_delete = ON")
                for table in leave_out:
                    target.execute(f"DELETE FROM {table}")
                target.execute("VACUUM")  # rows that were deleted earlier may still lie in free pages
            target.execute("PRAGMA journal_mode = DELETE")  # one file, complete in itself
        finally:
            target.close()
        with part.open("rb") as stream:
            os.fsync(stream.fileno())
        part.replace(file)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise _named(error, file) if isinstance(error, sqlite3.Error) else error from None


def _is_full(error: Exception) -> bool:
    return getattr(error, "sqlite_errorname", "") in _NO_ROOM


def _fault_of_disk(folder: Path) -> str | None:
    """Why nothing can be written into the folder, None if only room is wanting: SQLite says the same of a full disk and
    of one that the system takes no more writing for, as it does when an SD card fails."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"0")
    except OSError as error:
        return error.strerror if error.errno in _FAULTS else None
    return None


def _is_no_text(error: Exception) -> bool:
    return isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error)


def _named(error: Exception, file: Path) -> Exception:
    """The project's error for one of SQLite's."""
    name = getattr(error, "sqlite_errorname", "")
    if _is_full(error):
        fault = _fault_of_disk(file.parent)
        if fault is not None:
            return CannotDo(DatabaseTrouble.UNREACHABLE(text=fault), about=file)
        return Refused("disk_full", DatabaseTrouble.FULL(), about=file.parent)
    why = " ".join(str(error).split())  # it may quote a table's definition, line by line
    if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT") or _is_no_text(error):
        return CannotDo(DatabaseTrouble.DAMAGED(text=why), about=file)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return CannotDo(DatabaseTrouble.IN_USE(), about=file)
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_IOERR")):
        return CannotDo(DatabaseTrouble.UNREACHABLE(text=why), about=file)
    return CannotDo(DatabaseTrouble.UNKNOWN(text=why), about=file)
