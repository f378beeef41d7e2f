"""Exported throws and photographs that were brought in to be looked at: each stays the one file that it came as, apart
from all games.

    opened/<name>.zip       name: from the contents, so that the same file brought in twice is there once

Nothing in them is believed: the zip is checked before it is kept (evidence.read_throw,
saved_photographs.read_photograph), the ruling shown is what our own rules make of the game record inside it.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadInput, BadRecord, CannotDo, Refused
from arena_cam.formats.game_record import read_record
from arena_cam.formats.judgement import lie_from_json, lie_in_full, reading_from_json, reading_in_full
from arena_cam.formats.table_json import table_to_json
from arena_cam.referee.game.eye import WatcherOf
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.part import find_part
from arena_cam.referee.interface import ThrowDetail, ThrowSummary
from arena_cam.referee.keeping.opened_photographs import check_picture, photo_detail, photo_picture, read_photo_again
from arena_cam.referee.keeping.replay import judge_again
from arena_cam.referee.keeping.reports import judge_of, measured_of, throw_detail
from arena_cam.referee.keeping.saved_photographs import SavedPhotograph, read_photograph
from arena_cam.referee.keeping.seen_with import TABLE, seen_with, table_seen_with, unpack_setup
from arena_cam.referee.messages import Refusal, ThrowFileRefusal
from arena_cam.referee.pictures import evidence
from arena_cam.referee.pictures.evidence import SavedThrow, read_throw
from arena_cam.store.matches import KeptThrow, LoggedLine
from arena_cam.store.messages import DiskTrouble

Json = dict[str, Any]

MOST_KEPT = 8  # a few disputes; each may have 64 MB
LATEST = 4e9  # seconds since 1970: the year 2096; what was thrown later was not thrown
_NAME = re.compile(r"[0-9a-f]{16}\Z")


class OpenedThrows:
    """The throws in `folder`, at most MOST_KEPT: the oldest goes when one more comes.

    `watcher_of` makes what looks at them again, None where nothing does.
    """

    def __init__(self, folder: Path, watcher_of: WatcherOf | None = None) -> None:
        self._folder = folder
        self.watcher_of = watcher_of

    def add(self, content: bytes) -> str:
        """Takes in an exported zip. Raises BadInput, saying what is wrong with it, and keeps nothing then."""
        name = hashlib.sha256(content).hexdigest()[:16]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as part:
                part.write(content)
            arrived = Path(part.name)
            try:
                _described(name, arrived)
                photograph = _photograph(arrived)
                if photograph is not None:
                    check_picture(photograph)
                arrived.replace(self._folder / f"{name}.zip")
            finally:
                arrived.unlink(missing_ok=True)
        except OSError as error:
            raise CannotDo(DiskTrouble.NOT_WRITABLE(name=str(self._folder), text=error.strerror)) from None
        for old in self._newest_first()[MOST_KEPT:]:
            old.unlink(missing_ok=True)
        return name

    def all(self) -> list[ThrowSummary]:
        """The list's rows, newest first; a throw that cannot be read any more is left out."""
        found: list[ThrowSummary] = []
        for file in self._newest_first():
            with suppress(BadInput, Refused):
                found.append(self.throw(file.stem))
        return found

    def throw(self, opened: str) -> ThrowDetail:
        return _described(opened, self._file(opened))

    def picture(self, opened: str, name: str) -> tuple[str, bytes]:
        photograph = _photograph(self._file(opened))
        if photograph is not None:
            return photo_picture(photograph, name)
        saved = _told(self._file(opened))
        pictures = {each: jpeg for each, _, jpeg in saved.frames}
        pictures |= {str(saved.manifest["judged"]): saved.judged, evidence.THUMBNAIL: saved.thumbnail}
        if name not in pictures:
            raise Refused("unknown", Refusal.NO_PICTURE(name=repr(name[:60])))
        return ("image/png" if pictures[name].startswith(b"\x89PNG") else "image/jpeg"), pictures[name]

    def judge_again(self, opened: str) -> Json:
        photograph = _photograph(self._file(opened))
        if photograph is not None:
            return read_photo_again(photograph)
        saved = _told(self._file(opened))
        with tempfile.TemporaryDirectory(prefix="arena-cam-") as folder:
            unpack_setup(saved.setup, Path(folder))
            table, deck = seen_with(saved.setup, Path(folder))
            make_watcher = self.watcher_of(table, deck) if self.watcher_of is not None else None
            if make_watcher is None:
                raise Refused("not_kept", Refusal.NOTHING_TO_JUDGE_WITH())
            ledger, _, line = _record_of(opened, saved)
            return judge_again(saved, make_watcher, judge_of(ledger, line or 0, deck))

    def remove(self, opened: str) -> None:
        self._file(opened).unlink(missing_ok=True)

    def _file(self, opened: str) -> Path:
        file = self._folder / f"{opened}.zip"
        if not _NAME.match(opened) or not file.is_file():
            raise Refused("unknown", Refusal.NO_OPEN_THROW(name=repr(opened[:60])))
        return file

    def _newest_first(self) -> list[Path]:
        return sorted(self._folder.glob("*.zip"), key=lambda file: -file.stat().st_mtime)


def _photograph(file: Path) -> SavedPhotograph | None:
    """The exported photograph of boards or of tokens in `file`; None: it is none."""
    try:
        return read_photograph(file)
    except BadInput as error:
        raise BadInput(error.said) from None


def _told(file: Path) -> SavedThrow:
    """The throw in `file`; its errors speak of the file that a person gave, not of where it lies here."""
    try:
        return read_throw(file)
    except BadInput as error:
        raise BadInput(error.said) from None


def _record_of(opened: str, saved: SavedThrow) -> tuple[Ledger, list[LoggedLine], int | None]:
    """As `_played`, where a throw can be of the game."""
    ledger, lines, line = _played(opened, saved.record or "", saved.ruling or {})
    game = ledger.record.header.game
    if not find_part(game).keeps_throws:
        raise BadInput(ThrowFileRefusal.OTHER_GAME())
    if game != saved.rules:
        raise BadInput(ThrowFileRefusal.MIXED_GAMES(game=saved.rules, record=game))
    return ledger, lines, line


def _played(opened: str, written: str, ruling: Json) -> tuple[Ledger, list[LoggedLine], int | None]:
    """The record that came with it, played by our rules, its lines, and which of them it was exported for."""
    try:
        ledger = Ledger.of(read_record(written))
    except BadRecord as error:
        raise BadInput(ThrowFileRefusal.RECORD_UNPLAYABLE(line=error.line, why=error.said)) from None
    line = ruling.get("line")
    line = line if type(line) is int and any(each.number == line for each in ledger.record.events) else None
    lines = [
        LoggedLine(n.number, 0.0, str(n.data.get("who") or ""), dict(n.data), (), opened if n.number == line else None)
        for n in ledger.record.events
    ]
    return ledger, lines, line


def _described(opened: str, file: Path) -> ThrowDetail:
    photograph = _photograph(file)
    if photograph is None:
        return _throw(opened, _told(file))
    ledger, lines, _ = _played(opened, photograph.record, photograph.ruling)
    return photo_detail(opened, _moment(photograph.ruling.get("at")), photograph, ledger, lines)


def _moment(at: object) -> float:
    """Seconds since 1970; 0 where none can be read."""
    return float(at) if isinstance(at, int | float) and 0 <= at < LATEST else 0.0


def _throw(opened: str, saved: SavedThrow) -> ThrowDetail:
    ledger, lines, _ = _record_of(opened, saved)
    manifest = dict(saved.manifest)
    lie, reading = lie_from_json(manifest["lie"]), reading_from_json(manifest["reading"])
    manifest |= {"lie": lie_in_full(lie), "reading": reading_in_full(reading)}
    about = {
        "card": lie.card,
        "landing": lie.landing.value if lie.landing is not None else None,
        "face": lie.face.value,
        "sure": lie.sure,
        "confidence": lie.confidence,
        "frames": len(saved.frames),
    }
    kept = KeptThrow(opened, "", _moment(manifest.get("at")), len(saved.judged), about)
    detail = throw_detail(kept, ledger, lines)
    detail |= measured_of(manifest)
    with tempfile.TemporaryDirectory(prefix="arena-cam-") as folder:
        files = {name: content for name, content in saved.setup.items() if name == TABLE}
        unpack_setup(files, Path(folder))
        with suppress(BadInput):  # then the boundary cannot be drawn, and nothing else is missing
            detail["frame_of_reference"]["table"] = table_to_json(table_seen_with(Path(folder)))
    return detail
