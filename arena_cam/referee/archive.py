"""What was kept, for the pages on throws and games: a session's part that only looks back (interface.SessionPort)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena_cam.domain.cards import Deck
from arena_cam.referee import evidence
from arena_cam.referee.interface import GameDetail, GameSummary, ThrowDetail, ThrowSummary
from arena_cam.referee.replay import Watching, judge_again
from arena_cam.referee.reports import Reports
from arena_cam.store.data_folder import DataFolder

Json = dict[str, Any]


class Archive:
    """Everything kept in a data folder. `make_watcher` and `deck` are what throws are judged again with."""

    def __init__(self, data: DataFolder, make_watcher: Callable[[float], Watching], deck: Deck) -> None:
        self._data = data
        self._make_watcher = make_watcher
        self._deck = deck
        self._reports = Reports(data.matches, data.pictures)

    def _current_game(self) -> str | None:
        """The game that is on or was last; none where nothing is refereed."""
        return None

    def throws(self, game: str | None = None) -> list[ThrowSummary]:
        wanted = game if game is not None else self._current_game()
        return self._reports.throws(wanted) if wanted is not None else []

    def throw(self, throw: str) -> ThrowDetail:
        return self._reports.throw(throw)

    def throw_picture(self, throw: str, name: str) -> tuple[str, bytes]:
        kept = self._data.matches.throw(throw)
        files = self._data.pictures.files(kept.game, kept.id)
        return evidence.picture(files, evidence.read_manifest(files[evidence.MANIFEST]), name)

    def judge_again(self, throw: str) -> Json:
        kept = self._data.matches.throw(throw)
        files = self._data.pictures.files(kept.game, kept.id)
        saved = evidence.from_files(files, {})
        challenge = self._challenge_of(throw)
        return judge_again(saved, self._make_watcher, self._deck, challenge)

    def _challenge_of(self, throw: str) -> str | None:
        """The challenge card of the round in which `throw` was thrown."""
        detail = self._reports.throw(throw)
        line = detail["line"] or 0
        ledger = self._reports.ledger(detail["game"])
        opened = [n.data["card"] for n in ledger.amended if n.data["type"] == "challenge" and n.number <= line]
        return str(opened[-1]) if opened else None

    def export_throw(self, throw: str) -> bytes:
        detail = self.throw(throw)
        kept = self._data.matches.throw(throw)
        files = self._data.pictures.files(kept.game, kept.id)
        manifest = evidence.read_manifest(files[evidence.MANIFEST])
        name = str(manifest.get("setup") or "")
        setup = self._data.setups.setup(name) if name else {}
        ruling = {k: detail[k] for k in ("id", "game", "line", "card", "player", "verdict", "rulings", "amendments")}
        ruling["challenge"] = self._challenge_of(throw)
        return evidence.export(files, setup, ruling, self._reports.record(kept.game))

    def games(self) -> list[GameSummary]:
        return self._reports.games(self._current_game())

    def game(self, game: str) -> GameDetail:
        return self._reports.game(game, self._current_game())

    def record(self, game: str) -> str:
        return self._reports.record(game)
