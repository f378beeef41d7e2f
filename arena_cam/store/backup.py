"""Everything recorded in one file, also while a game is on; and back."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import shutil
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.store.archives import Limits, read_archive, read_member, unpack
from arena_cam.store.database import Database
from arena_cam.store.matches import Matches
from arena_cam.store.messages import BackupTrouble
from arena_cam.store.pictures import PART, sync_folder
from arena_cam.store.room import free_bytes

Json = dict[str, Any]

DATABASE = "arena-cam.db"
GAMES = "games"
SETUPS = "setups"
CALIBRATION, DECKS = "calibration", "decks"  # tables and decks that were set up here
KEPT = (GAMES, SETUPS, CALIBRATION, DECKS)
MANIFEST = "backup.json"
ASIDE = ".before-restore"
ARRIVING = "arriving-backup.zip"  # a backup that a browser sends, in the data folder until it is brought back
# What players have chosen while others have not (they choose once more), and which programs have a way in or are told
# what happens, with their secrets: whoever holds a backup could read it.
SECRET = ("choices", "tokens", "deliveries", "receivers")
# Far above what a data folder holds: 2000 throws of 60 files, and the budget of pictures many times over.
LIMITS = Limits(files=500_000, bytes=1024**4)


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds; of one that was brought back also where what was there before went, if anything was."""

    games: int
    throws: int
    bytes: int
    aside: Path | None = None


@contextmanager
def data_lock(data: Path) -> Iterator[None]:
    """Holds the data folder for one program. Raises CannotDo if another holds it, or it cannot be written."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        opened = (data / "lock").open("w")
    except OSError as error:
        raise CannotDo(BackupTrouble.NOT_USED(text=error.strerror), about=data) from None
    with opened as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotDo(BackupTrouble.FOLDER_IN_USE(), about=data) from None
        yield


def backup(data: Path, out: Path) -> BackupReport:
    """Writes everything in the data folder into the zip file `out`, which appears only when it is whole.

    The database is copied first: pictures are always written before the lines that name them, so every line in the
    copy has its pictures. Raises CannotDo where there is nothing to back up or no room.
    """
    if not (data / DATABASE).is_file():
        raise CannotDo(BackupTrouble.NOTHING_HERE(file=DATABASE), about=data)
    part = out.with_name(out.name + PART)
    copy = out.with_name(out.name + ".db" + PART)
    database = Database(data / DATABASE)
    try:
        _check_room(data, out)
        database.copy_to(copy, leave_out=SECRET)
        matches = Matches(database)
        games, throws = len(matches.games()), len(matches.throws())
        about = {"program": "arena-cam", "schema": database.version, "made": time.time(), "games": games}
        with part.open("wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:  # pictures do not shrink any more
                archive.writestr(MANIFEST, json.dumps(about))
                archive.write(copy, DATABASE, zipfile.ZIP_DEFLATED)
                for folder in KEPT:
                    for file in _files(data / folder):
                        _add(archive, file, file.relative_to(data).as_posix())
            stream.flush()
            os.fsync(stream.fileno())
        part.rename(out)
        sync_folder(out.parent if out.parent != Path() else Path.cwd())
    except OSError as error:
        raise CannotDo(BackupTrouble.PLACE_NOT_WRITTEN(text=error.strerror or str(error)), about=out) from None
    finally:
        database.close()
        part.unlink(missing_ok=True)
        copy.unlink(missing_ok=True)
    return BackupReport(games, throws, out.stat().st_size)


def _check_room(data: Path, out: Path) -> None:
    """Raises CannotDo before a byte is written: a disk that a backup fills has no room for the game that is on."""
    needed = 2 * _size(data / DATABASE) + sum(_size(file) for folder in KEPT for file in _files(data / folder))
    if free_bytes(out.parent) < needed:
        raise CannotDo(BackupTrouble.ROOM_NEEDED(size_mb=needed // 2**20 + 1), about=out)


def _size(file: Path) -> int:
    """Bytes of a file; none of one that was removed to make room a moment ago."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def restore(file: Path, data: Path, replace: bool = False) -> BackupReport:
    """Brings the backup `file` into the data folder, whole or not at all.

    A folder that holds something is refused, or with `replace` moved aside to `<data>.before-restore-N`, never deleted.
    Raises BadInput for a file that is no backup of ours, CannotDo where it cannot be brought in.
    """
    occupied = data.is_dir() and (data / DATABASE).exists()
    if occupied and not replace:
        raise CannotDo(BackupTrouble.OCCUPIED(), about=data)
    outside = data.with_name(data.name + ".restore" + PART)
    new = outside if os.access(data.parent, os.W_OK) or not data.is_dir() else data / outside.name
    shutil.rmtree(new, ignore_errors=True)
    with read_archive(file, LIMITS) as archive:
        _check_manifest(archive, file)
        needed = sum(info.file_size for info in archive.infolist())
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            if free_bytes(new.parent) < needed:
                raise CannotDo(BackupTrouble.ROOM_NEEDED(size_mb=needed // 2**20), about=data)
            unpack(archive, new)
        except BaseException as error:
            shutil.rmtree(new, ignore_errors=True)
            if isinstance(error, OSError):
                raise CannotDo(BackupTrouble.FOLDER_NOT_WRITTEN(text=error.strerror), about=data) from None
            raise
    try:
        report = _checked_contents(new, file)
        with data_lock(data):
            aside = _swap(new, data)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return dataclasses.replace(report, aside=aside)


def look_into(file: Path) -> Json:
    """What a backup says of itself: `made` (seconds since 1970) and `games`. Raises BadInput for what is none."""
    with read_archive(file, LIMITS) as archive:
        return _check_manifest(archive, file)


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not any(s.endswith(PART) for s in p.parts))


def _add(archive: zipfile.ZipFile, file: Path, name: str) -> None:
    try:
        archive.write(file, name)
    except FileNotFoundError:
        return  # removed to make room a moment ago; the database says so from now on


def _check_manifest(archive: zipfile.ZipFile, file: Path) -> Json:
    try:
        about = json.loads(read_member(archive, MANIFEST))
        known = about["program"] == "arena-cam"
        said = {"made": float(about.get("made") or 0.0), "games": int(about.get("games") or 0)}
    except (ValueError, KeyError, TypeError, RecursionError):
        known, said = False, {}
    if not known:
        raise BadInput(BackupTrouble.NO_BACKUP(), about=file)
    return said


def _checked_contents(folder: Path, file: Path) -> BackupReport:
    """Opens the unpacked database, which brings it up to date or refuses a newer one, and counts."""
    if not (folder / DATABASE).is_file():
        raise BadInput(BackupTrouble.BACKUP_WITHOUT(file=DATABASE), about=file)
    try:
        database = Database(folder / DATABASE)
    except CannotDo as error:
        raise BadInput(error.said, about=file) from None
    try:
        matches = Matches(database)
        return BackupReport(len(matches.games()), len(matches.throws()), file.stat().st_size)
    finally:
        database.close()


def _swap(new: Path, data: Path) -> Path | None:
    """What was there steps aside, never deleted, then what was restored takes its place. Returns where it went.

    Where the folder's neighbours may not be written, as a service's may not, the steps are taken within the folder.
    What a backup never holds stays: PIN, certificate, and of older backups tables and decks.
    """
    outside = os.access(data.parent, os.W_OK)
    if not any(p.name != "lock" and p != new for p in data.iterdir()):
        aside = None
    else:
        aside = _free_name(data.with_name(f"{data.name}{ASIDE}") if outside else data / ASIDE.strip("."))
    if outside and aside is None:
        shutil.rmtree(data)
        new.rename(data)
    elif outside and aside is not None:
        data.rename(aside)
        new.rename(data)
    else:
        _swap_within(new, data, aside)
    if aside is not None:
        _keep_own(aside, data)
    sync_folder(data.parent if outside else data)
    return aside


def _swap_within(new: Path, data: Path, aside: Path | None) -> None:
    if aside is not None:
        aside.mkdir()
        for old in data.iterdir():
            if old.name != "lock" and old != new and not old.name.startswith(ASIDE.strip(".")):
                old.rename(aside / old.name)
    for restored in new.iterdir():
        restored.rename(data / restored.name)


def _free_name(wanted: Path) -> Path:
    number = 1
    while (free := wanted.with_name(f"{wanted.name}-{number}")).exists():
        number += 1
    return free


def _keep_own(aside: Path, data: Path) -> None:
    """Copies what belongs to this machine and was not restored.

    What belongs to the database stays with it: the number of its acknowledged changes, too, would accuse the restored
    one of having lost all that was played since. The backup that arrived is not kept twice.
    """
    (aside / ARRIVING).unlink(missing_ok=True)
    with_database = (f"{DATABASE}-", f"{Path(DATABASE).stem}.")
    for old in aside.iterdir():
        recorded = old.name in (GAMES, SETUPS, "lock") or old.name.startswith(with_database)
        if recorded or old.name.startswith(ASIDE.strip(".")) or (data / old.name).exists():
            continue
        if old.is_dir():
            shutil.copytree(old, data / old.name)
        else:
            shutil.copy2(old, data / old.name)
