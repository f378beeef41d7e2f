"""Photographs that were kept: shown, read again, exported. What is seen in them is the game's, plain JSON here."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any, cast

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.part import find_part
from arena_cam.referee.interface import ThrowDetail
from arena_cam.referee.keeping.reports import Reports
from arena_cam.referee.messages import PhotoRefusal, Refusal
from arena_cam.referee.pictures import photographs
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import KeptThrow

Json = dict[str, Any]
# What an export says beside the record.
_RULED = ("id", "game", "line", "player", "round", "at", "rulings", "amendments")


def is_photo(kept: KeptThrow) -> bool:
    return "photo" in kept.about


class KeptPhotographs:
    """Looks back at the photographs in a data folder."""

    def __init__(self, data: DataFolder, reports: Reports) -> None:
        self._data, self._reports = data, reports

    def picture(self, kept: KeptThrow, name: str) -> tuple[str, bytes]:
        """(media type, bytes) of the photograph itself or one of the smaller pictures of it."""
        if name not in (kept.about["photo"], photographs.VIEW, photographs.THUMBNAIL):
            raise Refused("unknown", Refusal.NO_PICTURE(name=repr(name[:60])))
        media_type = photographs.MEDIA_TYPES[name.rpartition(".")[2]]
        return media_type, self._data.pictures.read(kept.game, kept.id, name)

    def read_again(self, kept: KeptThrow, read: photographs.Read | None) -> Json:
        """`answers.JudgedAgain` of the photograph read anew: it has neither a lie nor a judgement."""
        if read is None:
            raise Refused("not_now", PhotoRefusal.NOTHING_READS())
        image = photographs.decoded(self._data.pictures.read(kept.game, kept.id, str(kept.about["photo"])))
        before = kept.about.get("reading")
        after = read(image, (before or {}).get("known", {}))
        part = find_part(self._data.matches.game(kept.game).game)
        differences = part.photo_differences(before, after)
        found = {"reading": after, "lie": None, "judgement": None}
        return found | {"differences": differences, "same": not differences}

    def export(self, kept: KeptThrow, detail: ThrowDetail, things: Mapping[str, bytes]) -> bytes:
        """One zip: the photograph as it was sent, what was read and ruled, the record, and what it was read with."""
        out = io.BytesIO()
        ruling = {key: cast(Json, detail)[key] for key in _RULED}
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            name = str(kept.about["photo"])
            archive.writestr(name, self._data.pictures.read(kept.game, kept.id, name))
            for file, content in (("reading.json", kept.about.get("reading")), ("ruling.json", ruling)):
                text = json.dumps(content, ensure_ascii=False, indent=1)
                archive.writestr(file, text, zipfile.ZIP_DEFLATED)
            archive.writestr("game.jsonl", self._reports.record(kept.game), zipfile.ZIP_DEFLATED)
            for file, bytes_of_it in things.items():
                archive.writestr(f"setup/{file}", bytes_of_it)
        return out.getvalue()
