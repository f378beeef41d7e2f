"""A photograph that was exported with what was read of it: read back from its zip, and read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadInput, BadRecord, Refused
from arena_cam.formats.game_record import read_record
from arena_cam.referee.game.part import find_part
from arena_cam.referee.messages import ThrowFileRefusal
from arena_cam.referee.pictures.evidence import IN_SETUP, LIMITS, MOST_TEXT, RECORD, RULING, finite
from arena_cam.referee.pictures.photographs import MEDIA_TYPES, Read, decoded
from arena_cam.store.archives import read_archive, read_member

Json = dict[str, Any]
READING = "reading.json"
PHOTOS = tuple(f"photo.{ending}" for ending in MEDIA_TYPES)


@dataclass(frozen=True)
class SavedPhotograph:
    """A photograph of a game that is called `game`: the file as it was sent and its name, what was read of it then
    (None: nothing), the set it was read with, by file name, what had been said of it, and the record."""

    game: str
    photo: str
    content: bytes
    reading: Json | None
    setup: Mapping[str, bytes]
    ruling: Json
    record: str


def read_photograph(file: Path) -> SavedPhotograph | None:
    """The photograph in an exported zip; None for any other file. Raises BadInput, saying what is wrong with it."""
    if not file.is_file():
        return None
    with read_archive(file, LIMITS) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
        photo = next((name for name in PHOTOS if name in sizes), None)
        if photo is None or READING not in sizes:
            return None
        for name, size in sizes.items():
            if name not in (photo, READING, RULING, RECORD) and not IN_SETUP.fullmatch(name):
                raise BadInput(ThrowFileRefusal.OTHER_MEMBER(name=repr(name[:60])), about=file)
            if size > MOST_TEXT and name in (READING, RULING, RECORD):
                raise BadInput(ThrowFileRefusal.LARGE_MEMBER(name=name, size_mb=size // 2**20), about=file)
        setup = {n.removeprefix("setup/"): read_member(archive, n) for n in sizes if n.startswith("setup/")}
        record, reading = read_member(archive, RECORD), _object(file, READING, read_member(archive, READING))
        ruling = _object(file, RULING, read_member(archive, RULING)) or {}
        game, content = _game(file, record), read_member(archive, photo)
        return SavedPhotograph(game, photo, content, reading, setup, ruling, record.decode("utf-8", "replace"))


def read_again(saved: SavedPhotograph, read: Read) -> Json:
    """{reading, lie, judgement, differences, same}, as of a throw; it has neither a lie nor a judgement.

    Raises BadInput where the photograph, or what was read of it then, is none of ours.
    """
    try:
        after = read(decoded(saved.content), (saved.reading or {}).get("known", {}))
        differences = find_part(saved.game).photo_differences(saved.reading, after)
    except Refused as error:
        raise BadInput(error.said) from None
    except (KeyError, TypeError, AttributeError):
        raise BadInput(ThrowFileRefusal.READING_DAMAGED(file=READING)) from None
    found = {"reading": after, "lie": None, "judgement": None}
    return found | {"differences": differences, "same": not differences}


def _game(file: Path, record: bytes) -> str:
    try:
        game = read_record(record.decode("utf-8", "replace")).header.game
    except BadRecord as error:
        raise BadInput(ThrowFileRefusal.RECORD_UNPLAYABLE(line=error.line, why=error.said), about=file) from None
    if not find_part(game).takes_photos:
        raise BadInput(ThrowFileRefusal.OTHER_GAME(), about=file)
    return game


def _object(file: Path, name: str, content: bytes) -> Json | None:
    try:
        found = json.loads(content, parse_float=finite, parse_constant=finite)
        return None if found is None else dict(found)
    except (ValueError, TypeError, RecursionError):
        raise BadInput(ThrowFileRefusal.READING_DAMAGED(file=name), about=file) from None
