"""Pictures and measurements on disk: a folder a game, in it a folder a throw, each there whole or not at all.

games/<game>/table.json, empty.jpg, deck/...     what the game was seen with
games/<game>/throws/<throw>/...                  what one throw was judged by
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.store.messages import BackupTrouble, DiskTrouble, StoreRefusal

# Names that we make ourselves and that mean the same on every file system.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,99}\Z")
PART = ".part"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Pictures:
    """The folder `games` of a data folder. File names inside a throw are plain (no folders)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise CannotDo(BackupTrouble.FOLDER_NOT_MADE(text=error.strerror), about=folder) from None

    def game_folder(self, game: str) -> Path:
        return self.folder / _checked(game)

    def throw_folder(self, game: str, throw: str) -> Path:
        return self.game_folder(game) / "throws" / _checked(throw)

    def keep_throw(self, game: str, throw: str, files: Mapping[str, bytes]) -> int:
        """Writes a throw's files; when this returns they survive a power cut. Returns their size in bytes.

        Raises Refused `disk_full` and leaves nothing behind where there is no room.
        """
        return _keep_folder(self.throw_folder(game, throw), files)

    def keep_setup(self, game: str, files: Mapping[str, bytes]) -> int:
        """Writes what the game is seen with; names may have folders ("deck/red-8.png"). As `keep_throw` otherwise."""
        return _keep_folder(self.game_folder(game), files)

    def names(self, game: str, throw: str) -> list[str]:
        """The names of a throw's files, sorted; empty if there are none."""
        folder = self.throw_folder(game, throw)
        return sorted(p.name for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []

    def read(self, game: str, throw: str, name: str) -> bytes:
        """Raises Refused `not_kept` where the file is not there (any more)."""
        try:
            return (self.throw_folder(game, throw) / _checked(name)).read_bytes()
        except OSError:
            raise Refused("not_kept", StoreRefusal.FILE_GONE(name=repr(name[:60]), throw=repr(throw[:60]))) from None

    def files(self, game: str, throw: str) -> dict[str, bytes]:
        """Every file of a throw by name. Raises Refused `not_kept` where there are none (any more)."""
        names = self.names(game, throw)
        if not names:
            raise Refused("not_kept", StoreRefusal.PICTURES_GONE(name=repr(throw[:60])))
        return {name: self.read(game, throw, name) for name in names}

    def setup(self, game: str) -> dict[str, bytes]:
        """What the game was seen with, by name; empty if it was not kept."""
        folder = self.game_folder(game)
        files = [p for p in folder.rglob("*") if p.is_file() and "throws" not in p.relative_to(folder).parts[:1]]
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(files)}

    def remove_throw(self, game: str, throw: str) -> None:
        """Removes one throw's folder; no error if it is gone already."""
        _remove(self.throw_folder(game, throw))

    def remove_game(self, game: str) -> None:
        """Removes one game's folder; no error if it is gone already."""
        _remove(self.game_folder(game))

    def remove_unfinished(self) -> int:
        """Removes folders whose writing was cut short: they carry the ending of unfinished ones. Says how many."""
        unfinished = [*self.folder.glob(f"*{PART}"), *self.folder.glob(f"*/throws/*{PART}")]
        for folder in unfinished:
            shutil.rmtree(folder, ignore_errors=True)
        return len(unfinished)


def _checked(name: str) -> str:
    if not _NAME.match(name) or name.endswith(PART):
        raise Refused("unknown", StoreRefusal.NO_NAME_HERE(name=repr(name[:60])))
    return name


def _keep_folder(folder: Path, files: Mapping[str, bytes]) -> int:
    """Temporary folder, every file synced, the folder synced, renamed, the folder above synced."""
    size = sum(len(content) for content in files.values())
    if folder.is_dir():
        return size  # kept already: what was to be done after it failed, and is now tried again
    part = folder.with_name(folder.name + PART)
    try:
        shutil.rmtree(part, ignore_errors=True)
        new_parents = [p for p in (folder.parent, folder.parent.parent) if not p.exists()]
        part.mkdir(parents=True)
        folders = {part}
        for name, content in files.items():
            file = part.joinpath(*(_checked(step) for step in PurePosixPath(name).parts))
            file.parent.mkdir(exist_ok=True)
            folders.add(file.parent)
            with file.open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        for each in sorted(folders, reverse=True):
            sync_folder(each)
        part.rename(folder)
        for parent in (folder.parent, *(p.parent for p in new_parents)):
            sync_folder(parent)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        if error.errno in _NO_ROOM:
            raise Refused("disk_full", DiskTrouble.FULL(name=str(folder))) from None
        raise CannotDo(DiskTrouble.NOT_WRITABLE(name=str(folder), text=error.strerror)) from None
    return size


def _remove(folder: Path) -> None:
    """Removes a folder: it is renamed in one step, so that its name never holds half a folder; then its files go."""
    part = folder.with_name(folder.name + PART)
    with contextlib.suppress(FileNotFoundError):
        folder.rename(part)
    shutil.rmtree(part, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Syncs the names in `folder` to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
