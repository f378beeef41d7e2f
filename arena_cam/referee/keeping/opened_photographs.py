"""An exported photograph that was brought in: looked at, and read again with the set that came with it.

As of a throw nothing in it is believed: what was read is shown where it has the shape that the game's pages know, what
counted is what our own rules make of the record.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec

from arena_cam.domain.errors import BadInput, Refused
from arena_cam.domain.messages import message_from_json
from arena_cam.formats.wording import LANGUAGES, told
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.game.part import find_part
from arena_cam.referee.interface import ThrowDetail
from arena_cam.referee.keeping.reports import throw_detail
from arena_cam.referee.keeping.saved_photographs import READING, SavedPhotograph, read_again
from arena_cam.referee.keeping.seen_with import DECK, set_seen_with, unpack_setup
from arena_cam.referee.messages import PhotoRefusal, Refusal, ThrowFileRefusal
from arena_cam.referee.pictures.photographs import MEDIA_TYPES, THUMBNAIL, VIEW, Taken, decoded
from arena_cam.store.matches import KeptThrow, LoggedLine

Json = dict[str, Any]


def photo_detail(
    opened: str, at: float, saved: SavedPhotograph, ledger: Ledger, lines: list[LoggedLine]
) -> ThrowDetail:
    """The photograph as pages show one that was taken here. Raises BadInput where what was read has another shape."""
    player = saved.ruling.get("player")
    about = {
        "photo": saved.photo,
        "reading": _shown(saved),
        "player": player if player in ledger.players else None,
        "round": _round(saved.ruling.get("round")),
    }
    return throw_detail(KeptThrow(opened, "", at, len(saved.content), about), ledger, lines)


def check_picture(saved: SavedPhotograph) -> None:
    """Raises BadInput where no page could show it."""
    try:
        decoded(saved.content)
    except Refused as error:
        raise BadInput(error.said) from None


def photo_picture(saved: SavedPhotograph, name: str) -> tuple[str, bytes]:
    """(media type, bytes) of the photograph itself or one of the smaller pictures of it. Raises Refused `unknown`."""
    media_type = MEDIA_TYPES.get(name.rpartition(".")[2], "")
    if name == saved.photo:
        return media_type, saved.content
    if name not in (VIEW, THUMBNAIL):
        raise Refused("unknown", Refusal.NO_PICTURE(name=repr(name[:60])))
    ending = saved.photo.rpartition(".")[2]
    return media_type, Taken("", saved.content, ending, decoded(saved.content)).files()[name]


def read_photo_again(saved: SavedPhotograph) -> Json:
    """`answers.JudgedAgain` with the set in the file. Raises Refused `not_kept` where none came with it."""
    if DECK not in saved.setup:
        raise Refused("not_kept", PhotoRefusal.NO_SET_WITH_IT())
    with tempfile.TemporaryDirectory(prefix="arena-cam-") as name:
        unpack_setup(saved.setup, Path(name))
        return read_again(saved, find_outfit(saved.game).photo_reader(set_seen_with(Path(name))))


def _shown(saved: SavedPhotograph) -> Json | None:
    shape = find_part(saved.game).photo_shape
    if saved.reading is None or shape is None:
        return None
    try:
        shown = msgspec.to_builtins(msgspec.convert(saved.reading, shape))
    except (msgspec.MsgspecError, OverflowError):
        raise BadInput(ThrowFileRefusal.READING_DAMAGED(file=READING)) from None
    seen = (each for several in shown.values() if isinstance(several, list) for each in several)
    for each in seen:
        if isinstance(each, dict) and isinstance(each.get("doubts"), list):
            each["doubts"] = [doubt for doubt in each["doubts"] if _can_be_said(doubt)]
    return dict(shown)


def _can_be_said(doubt: Json) -> bool:
    """Whether it is a doubt of this version, with all that its sentence speaks of."""
    try:
        return all(told(message_from_json(doubt), language) for language in LANGUAGES)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def _round(number: object) -> int | None:
    return number if type(number) is int and 1 <= number <= 1000 else None
