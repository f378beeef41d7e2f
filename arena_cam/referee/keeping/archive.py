"""The kept throws and games, for their pages: a session's part that only looks back (interface.SessionPort)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, Refused
from arena_cam.formats.table_json import table_to_json
from arena_cam.referee.game.eye import ReadPhoto, WatcherOf, Watching
from arena_cam.referee.interface import GameDetail, GameSummary, LineDetail, ThrowDetail, ThrowSummary
from arena_cam.referee.keeping.opened import OpenedThrows
from arena_cam.referee.keeping.people import People
from arena_cam.referee.keeping.photographs import KeptPhotographs, is_photo
from arena_cam.referee.keeping.replay import judge_again
from arena_cam.referee.keeping.reports import Reports, asked_of, judge_of
from arena_cam.referee.keeping.seen_with import seen_with, table_seen_with
from arena_cam.referee.messages import Refusal
from arena_cam.referee.pictures import evidence
from arena_cam.store.data_folder import DataFolder

Json = dict[str, Any]
OPENED = "opened"


class Archive:
    """Everything kept in a data folder, and the exported throws that were opened here.

    A throw is judged again with the table and the deck that it was judged with: `watcher_of` makes a watcher for them.
    `make_watcher` and `deck` are the present ones, for throws whose set-up is the present one or was not kept.
    `read_photo` reads photographs again (Eye.read_photo).
    `current_game` tells the game that is on or was last, None where nothing is refereed.
    """

    def __init__(
        self,
        data: DataFolder,
        make_watcher: Callable[[float], Watching],
        deck: Deck | None,
        watcher_of: WatcherOf | None = None,
        present_setup: str = "",
        current_game: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._data = data
        self._make_watcher = make_watcher
        self._deck = deck
        self._watcher_of = watcher_of
        self.present_setup = present_setup
        self._current_game = current_game
        self._reports = Reports(data.matches, data.pictures)
        self.people = People(data, self._reports)
        self._photographs = KeptPhotographs(data, self._reports)
        self.read_photo: ReadPhoto | None = None
        self._opened = OpenedThrows(data.folder / OPENED, watcher_of)

    def judge_with(
        self, make_watcher: Callable[[float], Watching], deck: Deck | None, watcher_of: WatcherOf | None
    ) -> None:
        """Sets the table and the deck with which throws of the present set-up are judged again."""
        self._make_watcher, self._deck, self._watcher_of = make_watcher, deck, watcher_of
        self._opened.watcher_of = watcher_of

    def throws(self, game: str | None = None) -> list[ThrowSummary]:
        wanted = game if game is not None else self._current_game()
        return self._reports.throws(wanted) if wanted is not None else []

    def throw(self, throw: str) -> ThrowDetail:
        detail, kept = self._reports.throw(throw), self._data.matches.throw(throw)
        if detail["kept"] and not is_photo(kept):
            manifest = evidence.read_manifest(self._data.pictures.read(kept.game, kept.id, evidence.MANIFEST))
            folder = self._setup_folder(str(manifest.get("setup") or ""))
            if folder is not None:
                with suppress(BadInput):  # then the boundary cannot be drawn, and nothing else is missing
                    detail["frame_of_reference"]["table"] = table_to_json(table_seen_with(folder))
        return detail

    def _setup_folder(self, setup: str) -> Path | None:
        """The folders of the table and the deck of that name; None where they are not kept."""
        folder = self._data.setups.game_folder(setup) if setup else None
        return folder if folder is not None and folder.is_dir() else None

    def throw_picture(self, throw: str, name: str) -> tuple[str, bytes]:
        kept = self._data.matches.throw(throw)
        if is_photo(kept):
            return self._photographs.picture(kept, name)
        files = self._data.pictures.files(kept.game, kept.id)
        return evidence.picture(files, evidence.read_manifest(files[evidence.MANIFEST]), name)

    def judge_again(self, throw: str) -> Json:
        kept = self._data.matches.throw(throw)
        if is_photo(kept):
            return self._photographs.read_again(kept, self.read_photo)
        files = self._data.pictures.files(kept.game, kept.id)
        saved = evidence.from_files(files, {})
        make_watcher, deck = self._seen_with(str(saved.manifest.get("setup") or ""))
        detail = self._reports.throw(throw)
        return judge_again(saved, make_watcher, judge_of(self._reports.ledger(kept.game), detail["line"] or 0, deck))

    def _seen_with(self, setup: str) -> tuple[Callable[[float], Watching], Deck | None]:
        folder = self._setup_folder(setup)
        if folder is None or setup == self.present_setup or self._watcher_of is None:
            if self._deck is None and self._watcher_of is None:
                raise Refused("not_now", Refusal.NO_TABLE_YET())
            return self._make_watcher, self._deck
        table, deck = seen_with(self._data.setups.setup(setup), folder)
        make_watcher = self._watcher_of(table, deck)
        if make_watcher is None:
            raise Refused("not_kept", Refusal.NOTHING_TO_JUDGE_WITH())
        return make_watcher, deck

    def export_throw(self, throw: str) -> bytes:
        detail = self.throw(throw)
        kept = self._data.matches.throw(throw)
        if is_photo(kept):
            things = self._data.setups.setup(self.present_setup) if self.present_setup else {}
            return self._photographs.export(kept, detail, things)
        files = self._data.pictures.files(kept.game, kept.id)
        manifest = evidence.read_manifest(files[evidence.MANIFEST])
        name = str(manifest.get("setup") or "")
        setup = self._data.setups.setup(name) if name else {}
        ruling = {k: detail[k] for k in ("id", "game", "line", "card", "player", "verdict", "rulings", "amendments")}
        ruling[evidence.RULES] = self._data.matches.game(kept.game).game
        ruling["challenge"] = asked_of(self._reports.ledger(kept.game), detail["line"] or 0)
        return evidence.export(files, setup, ruling, self._reports.record(kept.game))

    def open_export(self, content: bytes) -> str:
        return self._opened.add(content)

    def opened(self) -> list[ThrowSummary]:
        return self._opened.all()

    def opened_throw(self, opened: str) -> ThrowDetail:
        return self._opened.throw(opened)

    def opened_picture(self, opened: str, name: str) -> tuple[str, bytes]:
        return self._opened.picture(opened, name)

    def judge_opened_again(self, opened: str) -> Json:
        return self._opened.judge_again(opened)

    def close_opened(self, opened: str) -> None:
        self._opened.remove(opened)

    def line(self, game: str, line: int) -> LineDetail:
        return self._reports.line(game, line, self._current_game())

    def games(self, most: int = -1, after: int = 0, words: str = "") -> list[GameSummary]:
        return self._reports.games(self._current_game(), most, after, words)

    def game(self, game: str) -> GameDetail:
        return self._reports.game(game, self._current_game())

    def record(self, game: str) -> str:
        return self._reports.record(game)
