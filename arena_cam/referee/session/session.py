"""The running referee, put together: what looks back, how things stand, what people do, and the camera's loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.domain.messages import Message
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.match import Match
from arena_cam.referee.interface import (
    GameDetail,
    GameSummary,
    LineDetail,
    PersonDetail,
    PersonSummary,
    Snapshot,
    ThrowDetail,
    ThrowSummary,
)
from arena_cam.referee.keeping.archive import Archive
from arena_cam.referee.pictures import evidence
from arena_cam.referee.pictures.faces import FacePictures
from arena_cam.referee.session.acting import Actions
from arena_cam.referee.session.feed import FeedSubscription
from arena_cam.referee.session.loop import Loop, OnState
from arena_cam.referee.session.photographing import Photographing
from arena_cam.referee.session.standing import Standing
from arena_cam.store.data_folder import DataFolder

__all__ = ["Eye", "OnState", "Session"]
Json = dict[str, Any]


class Session:
    """A running session (interface.SessionPort). `start` it, and `stop` it in the end."""

    def __init__(
        self,
        data: DataFolder,
        eye: Eye,
        source: FrameSource,
        *,
        version: str = "",
        on_state: OnState | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Takes up the game that was on when the session before ended, however it ended.

        `on_state` is called by the session's own thread after every change, for whoever plays along (the simulated
        table's actors); it may call `act`. `version` is the program's.
        """
        self._data = data
        self._faces = FacePictures()
        self._standing = Standing(data, eye, source, version, clock)
        self._archive = Archive(
            data,
            eye.make_watcher,
            eye.deck,
            eye.watcher_of,
            evidence.setup_name(eye.setup),
            self._standing.current_game,
        )
        self._archive.read_photo = eye.read_photo
        self._loop = Loop(self._standing, source, on_state)
        self._actions = Actions(self._standing, self._loop.forget)
        self._photographing = Photographing(self._standing)

    # --- its life ---

    def start(self) -> None:
        """Starts the thread that reads the camera."""
        self._loop.start()

    def stop(self) -> None:
        """Ends the thread, the streams, the camera and the data folder; may be called twice."""
        self._standing.end()
        self._loop.stop()
        with self._standing.step:
            self._data.close()

    @property
    def running(self) -> bool:
        return self._loop.running

    @property
    def eye(self) -> Eye:
        """The eye in use."""
        return self._standing.eye

    @property
    def match(self) -> Match | None:
        """The game that is on or was last, as it stands; a value that never changes."""
        return self._standing.match

    def see_with(self, eye: Eye) -> None:
        """Replaces the eye. Throws are judged again with the table and the deck of the newest eye that referees."""
        self._loop.see_with(eye)
        if eye.warning == "blind":
            self._archive.judge_with(eye.make_watcher, eye.deck, eye.watcher_of)
        self._archive.read_photo = eye.read_photo
        self._archive.present_setup = evidence.setup_name(eye.setup)

    def take_frame(self, frame: Frame) -> None:
        """Handles one frame, for callers that read the camera themselves."""
        self._loop.take_frame(frame)

    def lost(self, why: Message) -> None:
        """Reports that the camera is gone, for callers that read it themselves."""
        self._loop.lost(why)

    def finish(self) -> None:
        """Handles the end of the source: cards at rest are reported, and the session goes on for the pages alone."""
        self._loop.finish()

    # --- what pages see ---

    def snapshot(self) -> Snapshot:
        return self._standing.snapshot()

    def subscribe(self, last_id: int = -1) -> FeedSubscription:
        return self._standing.feed.subscribe(last_id)

    def latest_jpeg(self, layers: tuple[str, ...] = ()) -> bytes | None:
        return self._standing.view.jpeg(layers)

    def wait_jpeg(self, after: int, timeout_s: float, layers: tuple[str, ...] = ()) -> tuple[int, bytes] | None:
        return self._standing.view.wait_jpeg(after, timeout_s, layers)

    def card_picture(self, card: str) -> bytes | None:
        return self._faces.jpeg(self.eye.deck, card)

    def legal_actions(self) -> list[str]:
        return self._standing.legal_actions()

    def health(self) -> Json:
        return self._standing.health()

    # --- what people do ---

    def act(self, action: str, args: Mapping[str, Any], who: str) -> Json:
        return self._actions.act(action, args, who)

    def take_photo(self, content: bytes, player: str | None, who: str) -> Json:
        return self._photographing.take(content, player, who)

    def photograph(self, who: str) -> Json:
        return self._photographing.take_from_camera(who)

    def delete_game(self, game: str, who: str) -> None:
        self._actions.delete_game(game, who)

    # --- what was kept ---

    def throws(self, game: str | None = None) -> list[ThrowSummary]:
        return self._archive.throws(game)

    def throw(self, throw: str) -> ThrowDetail:
        return self._archive.throw(throw)

    def throw_picture(self, throw: str, name: str) -> tuple[str, bytes]:
        return self._archive.throw_picture(throw, name)

    def judge_again(self, throw: str) -> Json:
        return self._archive.judge_again(throw)

    def export_throw(self, throw: str) -> bytes:
        return self._archive.export_throw(throw)

    def open_export(self, content: bytes) -> str:
        return self._archive.open_export(content)

    def opened(self) -> list[ThrowSummary]:
        return self._archive.opened()

    def opened_throw(self, opened: str) -> ThrowDetail:
        return self._archive.opened_throw(opened)

    def opened_picture(self, opened: str, name: str) -> tuple[str, bytes]:
        return self._archive.opened_picture(opened, name)

    def judge_opened_again(self, opened: str) -> Json:
        return self._archive.judge_opened_again(opened)

    def close_opened(self, opened: str) -> None:
        self._archive.close_opened(opened)

    def line(self, game: str, line: int) -> LineDetail:
        return self._archive.line(game, line)

    def games(self, most: int = -1, after: int = 0, words: str = "") -> list[GameSummary]:
        return self._archive.games(most, after, words)

    def game(self, game: str) -> GameDetail:
        return self._archive.game(game)

    def kinds_played(self) -> list[str]:
        return self._archive.people.kinds()

    def people(self, kind: str) -> list[PersonSummary]:
        return self._archive.people.table(kind)

    def person(self, kind: str, name: str) -> PersonDetail:
        return self._archive.people.person(kind, name)

    def record(self, game: str) -> str:
        return self._archive.record(game)
