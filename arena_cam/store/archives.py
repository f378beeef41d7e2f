"""Zip files that come from elsewhere: looked at before a byte is unpacked, and unpacked only into their own folder."""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from arena_cam.domain.errors import BadInput
from arena_cam.store.messages import ArchiveRefusal, BackupTrouble
from arena_cam.store.pictures import sync_folder

_STEP = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,99}\Z")
# A picture shrinks by little and JSON by ten to twenty times; what grows more than this when unpacked is a bomb.
MOST_EXPANSION = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold at most."""

    files: int
    bytes: int


class _Counted(io.FileIO):
    """A zip file that is read, entries of its directory counted before the first is looked at: each costs 400 bytes of
    memory and some microseconds, 64 MB of nothing else seconds and half a gigabyte."""

    def __init__(self, file: Path, limits: Limits) -> None:
        super().__init__(file)
        self._limits, self._file, self.counts = limits, file, True

    def read(self, size: int | None = -1) -> bytes:
        content = super().read(size)
        entries = content.count(b"PK\1\2") if self.counts else 0
        if entries > self._limits.files:
            raise BadInput(ArchiveRefusal.MANY_MEMBERS(count=entries, most=self._limits.files), about=self._file)
        return content


class _Archive(zipfile.ZipFile):
    """A zip file that closes what it reads."""

    _counted: _Counted | None = None

    def __init__(self, file: Path, limits: Limits) -> None:
        counted = self._counted = _Counted(file, limits)
        try:
            super().__init__(counted)
        except BaseException:
            counted.close()
            raise
        counted.counts = False

    def close(self) -> None:
        super().close()
        if self._counted is not None:
            self._counted.close()


def read_archive(file: Path, limits: Limits) -> zipfile.ZipFile:
    """Opens a zip file after checking every name and size in it. Raises BadInput, saying what is wrong."""
    try:
        archive = _Archive(file, limits)
    except BadInput:
        raise
    except OSError as error:
        raise BadInput(BackupTrouble.ARCHIVE_NOT_READ(text=error.strerror), about=file) from None
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise BadInput(ArchiveRefusal.NO_ZIP(), about=file) from None
    try:
        _check(archive, file, limits)
    except BadInput:
        archive.close()
        raise
    return archive


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """One file of a checked archive. Raises BadInput if it is missing or damaged."""
    try:
        return archive.read(name)
    except KeyError:
        raise BadInput(ArchiveRefusal.MEMBER_MISSING(name=name), about=archive.filename) from None
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        raise BadInput(ArchiveRefusal.MEMBER_DAMAGED(name=name, text=str(error)), about=archive.filename) from None
    except Exception as error:
        # zlib.error, lzma.LZMAError and their kin have no common base but this one
        raise BadInput(ArchiveRefusal.MEMBER_DAMAGED(name=name, text=str(error)), about=archive.filename) from None


def unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    """Writes every file of a checked archive below `folder`, synced to disk."""
    for info in archive.infolist():
        if info.is_dir():
            continue
        target = folder.joinpath(*PurePosixPath(info.filename).parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as stream:
            stream.write(read_member(archive, info.filename))
            stream.flush()
            os.fsync(stream.fileno())
        sync_folder(target.parent)


def _check(archive: zipfile.ZipFile, file: Path, limits: Limits) -> None:
    entries = archive.infolist()
    if len(entries) > limits.files:
        raise BadInput(ArchiveRefusal.MANY_MEMBERS(count=len(entries), most=limits.files), about=file)
    total = 0
    seen: set[str] = set()
    for info in entries:
        name = info.filename
        steps = PurePosixPath(name.rstrip("/")).parts
        plain = (
            bool(steps) and not name.startswith("/") and all(_STEP.match(step) and ".." not in step for step in steps)
        )
        if not plain or "\\" in name or name in seen:
            raise BadInput(ArchiveRefusal.FOREIGN_NAME(name=repr(name[:60])), about=file)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise BadInput(ArchiveRefusal.LINK(name=repr(name[:60])), about=file)
        if info.file_size > MOST_EXPANSION * max(info.compress_size, 1) + 4096:
            raise BadInput(ArchiveRefusal.BOMB(name=repr(name[:60])), about=file)
        seen.add(name)
        total += info.file_size
    if total > limits.bytes:
        raise BadInput(ArchiveRefusal.LARGE_UNPACKED(size_mb=total // 2**20, most_mb=limits.bytes // 2**20), about=file)
