"""Backups, the log and a start anew, for the pages of the program that runs."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import sys
import threading
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import cast

import arena_cam
from arena_cam.domain.errors import ArenaCamError, CannotDo, Refused
from arena_cam.domain.messages import message_to_json
from arena_cam.referee.interface import MessageJson
from arena_cam.store.backup import ARRIVING, backup, look_into, restore
from arena_cam.store.room import free_bytes
from arena_cam.web.access.upkeep import Arrived, LogLine, Restored, UpkeepState, newest_first
from arena_cam.web.words.messages import PageRefusal

KEPT_LINES = 300  # an evening says some dozens
ROOM_TOO = 2  # a backup is unpacked beside itself
LONGEST_LINE = 500
NO_BROWSER = "--no-browser"
OUTCOME = "restored.json"  # of a restore, in the data folder from the end of one run to the start of the next
log = logging.getLogger(__name__)


class KeptLog(logging.Handler):
    """Keeps the newest lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[LogLine] = deque(maxlen=KEPT_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()[:LONGEST_LINE]
        self.lines.append({"at": record.created, "level": record.levelname, "text": text})


class OwnUpkeep:
    """Looks after the data folder `folder`; setting `stopping` ends the program, and `start_anew` comes after it."""

    def __init__(self, folder: Path, stopping: threading.Event) -> None:
        self._folder, self._stopping = folder, stopping
        self._arriving = folder / ARRIVING
        self._lock = threading.Lock()
        self._whole: Arrived | None = None
        self._anew = self._restores = False
        self._log = KeptLog()
        self._started = time.time()
        self._restored: Restored | None = None

    def __enter__(self) -> OwnUpkeep:
        logging.getLogger().addHandler(self._log)
        self._restored = _taken_outcome(self._folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger().removeHandler(self._log)
        if not self._restores:
            with contextlib.suppress(OSError):  # a disk that may only be read: what ended the program says so
                self._arriving.unlink(missing_ok=True)

    def state(self) -> UpkeepState:
        return {
            "version": arena_cam.__version__,
            "newer": newer_on_disk(),
            "started": self._started,
            "restored": self._restored,
            "log": newest_first(list(self._log.lines)),
        }

    def backup(self) -> Path:
        """A backup made now; whoever asked removes the file."""
        out = self._folder / f"backup-{os.getpid()}-{threading.get_ident()}.zip"
        backup(self._folder, out)
        return out

    def take(self, piece: bytes, at: int, total: int) -> Arrived:
        """As web.access.upkeep.Upkeep.take."""
        with self._lock:
            self._whole = None
            here = self._arriving.stat().st_size if self._arriving.exists() and at else 0
            if at != here or at + len(piece) > total:
                raise Refused("bad_argument", PageRefusal.BACKUP_TORN())
            if free_bytes(self._folder) < ROOM_TOO * total - at:
                raise CannotDo(PageRefusal.BACKUP_ROOM(mb=ROOM_TOO * total // 2**20))
            with self._arriving.open("ab" if at else "wb") as out:
                out.write(piece)
            arrived: Arrived = {"bytes": at + len(piece), "whole": False, "made": 0.0, "games": 0}
            if arrived["bytes"] < total:
                return arrived
            about = look_into(self._arriving)
            self._whole = {**arrived, "whole": True, "made": about["made"], "games": about["games"]}
            return self._whole

    def restore(self) -> None:
        if self._whole is None:
            raise Refused("not_now", PageRefusal.NO_BACKUP())
        self._restores = True
        self.restart()

    def restart(self) -> None:
        self._anew = True
        self._stopping.set()

    def start_anew(self) -> None:
        """After the end of everything else: brings the backup back, if that was asked, and starts again."""
        if self._restores:
            outcome: Restored = {"games": 0, "aside": None, "why": None}
            try:
                report = restore(self._arriving, self._folder, replace=True)
                outcome |= {"games": report.games, "aside": str(report.aside) if report.aside else None}
            except ArenaCamError as error:  # what was there is there still: the program goes on with it
                log.error("the backup was not brought back: %s", error)
                outcome["why"] = cast(MessageJson, message_to_json(error.said))
            finally:
                self._arriving.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # a full disk: the games that are there say it
                (self._folder / OUTCOME).write_text(json.dumps(outcome), encoding="utf-8")
        if self._anew:
            sys.stdout.flush()
            words = sys.argv[1:] if NO_BROWSER in sys.argv else [*sys.argv[1:], NO_BROWSER]  # one is open
            os.execv(sys.executable, [sys.executable, "-m", "arena_cam", *words])


def _taken_outcome(folder: Path) -> Restored | None:
    """What the run before this one left about its restore; it is told once."""
    file = folder / OUTCOME
    try:
        outcome: Restored = json.loads(file.read_text(encoding="utf-8"))
        file.unlink()
    except (OSError, ValueError):
        return None
    return outcome


def newer_on_disk() -> str | None:
    """The version in the program's own files, where it is no longer the one that runs: somebody updated it."""
    try:
        text = (Path(arena_cam.__file__)).read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    return found[1] if found is not None and found[1] != arena_cam.__version__ else None
