"""How things stand: the game that is on, what the eye believes, what troubles there are; kept first, then told.

A session's middle part. Below it is what was kept (archive.py), above it what people do (acting.py) and what the camera
brings (session.py). One lock, `_step`, is held for a whole step: what was seen, or what somebody asked, until it is on
disk. Pages read immutable values and do not wait for it.
"""

from __future__ import annotations

import itertools
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from arena_cam.camera.frame import FrameSource
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import in_words
from arena_cam.domain.observations import EyeState
from arena_cam.domain.table import Table
from arena_cam.referee.game import memory, snapshots
from arena_cam.referee.game.announcing import announcement_of
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import find_part
from arena_cam.referee.interface import MODES, Announcement, Mode, Phrase, Question, Snapshot
from arena_cam.referee.keeping.archive import Archive
from arena_cam.referee.keeping.keeper import NOTHING_BESIDES, Besides, Keeper, Sight
from arena_cam.referee.keeping.opened import WatcherOf
from arena_cam.referee.keeping.replay import Watching
from arena_cam.referee.messages import Trouble
from arena_cam.referee.pictures import evidence
from arena_cam.referee.pictures.live_view import Draw, Hide, LiveView
from arena_cam.referee.session.feed import Feed, FeedSubscription
from arena_cam.referee.session.health import Gauges
from arena_cam.rules import USUAL_GAME
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import KeptGame

Json = dict[str, Any]
log = logging.getLogger(__name__)
MOVING = (EyeState.SETTLING, EyeState.BLIND)


@dataclass(frozen=True)
class Eye:
    """What the session sees with; made by whoever puts the program together.

    make_watcher: from frames per second to a fresh watcher that shares nothing that changes with another: throws are
    judged again while a game is on. draw: puts layers over a picture, None for no overlays.
    setup: the files of evidence.setup_files, kept once with the games. watcher_of: from another table and its deck to
    what make_watcher is for this one, None where only this one can be looked at. make_second_sight: to what a
    game looks with beside its eye (the arena's duelling blocks), None where nobody does; hide: hides of live pictures
    what is secret.
    An eye that does not referee has no `table` until one was set up, and says so by another warning than "blind".
    """

    table: Table | None
    deck: Deck | None
    make_watcher: Callable[[float], Watching]
    draw: Draw | None = None
    setup: Mapping[str, bytes] = field(default_factory=dict)
    watcher_of: WatcherOf | None = None
    make_second_sight: Callable[[], Any] | None = None
    hide: Hide | None = None
    warning: str = "blind"


class Standing(Archive):
    """State of a session, and whatever only looks at it (interface.SessionPort)."""

    def __init__(
        self, data: DataFolder, eye: Eye, source: FrameSource, version: str, clock: Callable[[], float]
    ) -> None:
        super().__init__(data, eye.make_watcher, eye.deck, eye.watcher_of, evidence.setup_name(eye.setup))
        self._eye, self._clock = eye, clock
        self._step = threading.RLock()
        self._keeper = Keeper(data, clock)
        self._feed = Feed()
        self._view = LiveView(eye.draw, eye.hide)
        self._part = find_part(USUAL_GAME)
        self._sense = self._part.open_sense(eye.make_second_sight)
        self._gauges = Gauges(clock, version, source.name, source.fps, source.live)
        self._fps = source.fps
        self._watcher = eye.make_watcher(source.fps)
        self._now_s = 0.0
        self._lies: tuple[Lie, ...] | None = None  # None until the eye has read the table for the first time
        self._troubles = dict.fromkeys((trouble.value for trouble in Trouble), "")
        self._asked_at: dict[str, float] = {}
        self._versions = itertools.count(int(clock() * 1000) + 1)  # grows over restarts, too
        self._version = self._published = 0
        self._open_eye()
        self._take_up()
        self._changed()
        self._tell()

    def _use(self, eye: Eye) -> None:
        """Sees with `eye` from now on, as if started anew with it; throws are judged again with what referees last."""
        self._eye = eye
        if eye.warning == "blind":
            self._make_watcher, self._deck, self._watcher_of = eye.make_watcher, eye.deck, eye.watcher_of
        self._setup = evidence.setup_name(eye.setup)
        self._view.use(eye.draw, eye.hide)
        self._sense = self._part.open_sense(eye.make_second_sight)
        self._watcher = eye.make_watcher(self._fps)
        self._lies = None
        for code in ("blind", "setting_up", "eye_error"):
            self._trouble(code, "")
        self._open_eye()

    def _open_eye(self) -> None:
        """Tells what a new eye says before its first frame: one that sees nothing by design never says it anew."""
        state, why = self._watcher.state, self._watcher.why
        self._gauges.eye(state.value, why)
        if state is EyeState.BLIND:
            self._trouble(self._eye.warning, in_words(why))

    def _take_up(self) -> None:
        settings = self._data.matches.settings()
        self._mode: Mode = settings["mode"] if settings.get("mode") in MODES else "confirm_unsure"
        self._quiet_s = float(settings.get("quiet_s", 10.0))
        self._announced = int(settings.get("announced", 0))
        self._announcement: Announcement | None = settings.get("announcement")
        self._game: KeptGame | None = None
        self._match: Match | None = None
        self._choices: dict[str, str] = {}
        current = settings.get("current_game")
        if current is not None:
            try:
                self._open_game(self._data.matches.game(current))
            except Refused as error:
                log.warning("the game %s cannot be taken up: %s", current, error)

    def _open_game(self, game: KeptGame) -> None:
        ledger = Ledger.open(game.header, [line.event for line in self._data.matches.lines(game.id)])
        match = memory.from_json(ledger, game.memory)
        self._plays(ledger)
        self._game = game
        self._match = replace(match, mode=self._mode, quiet_s=self._quiet_s, quiet_since_s=self._now_s)
        self._choices = self._data.matches.choices(game.id)

    def _plays(self, ledger: Ledger) -> None:
        """From now on the game of `ledger` is played."""
        part = find_part(ledger.record.game.name)
        if part is not self._part:
            self._part, self._sense = part, part.open_sense(self._eye.make_second_sight)

    def _keep(self, match: Match, sights: Mapping[str, Sight], besides: Besides = NOTHING_BESIDES) -> None:
        """Evidence, then the record, then the new state; raises Refused and changes nothing where it cannot be kept."""
        assert self._match is not None
        assert self._game is not None
        announced = announcement_of(self._match, match, self._announced, self._clock())
        settings = dict(besides.settings)
        if announced is not None:
            settings |= {"announced": announced["id"], "announcement": announced}
        gone = not set(self._choices) <= set(self._part.choosers(match))
        besides = replace(besides, clear_choices=besides.clear_choices or gone, settings=settings)
        kept = self._keeper.keep(self._game.id, self._match, match, sights, besides, setup=self._setup)
        if kept.ledger is not self._match.ledger or kept.questions != self._match.questions:
            self._changed()
        if announced is not None:
            self._announced, self._announcement = announced["id"], announced
        if besides.clear_choices:
            self._choices = {}
        open_now = {question.id for question in kept.questions}
        self._asked_at = {id: at for id, at in self._asked_at.items() if id in open_now}
        self._match = kept
        self._trouble("not_saved", self._keeper.not_saved)

    def _trouble(self, code: str, why: str) -> None:
        if self._troubles.get(code, "") != why:
            self._troubles[code] = why
            self._changed()

    def _changed(self) -> None:
        self._version = next(self._versions)

    def _tell(self) -> None:
        """Wakes the viewers if anything changed since they were last told."""
        with self._step:
            if self._published != self._version:
                snapshot = self.snapshot()
                self._published = snapshot["version"]
                self._feed.publish(snapshot["version"], "state", json.dumps(snapshot, ensure_ascii=False))

    def snapshot(self) -> Snapshot:
        version, match, game = self._version, self._match, self._game
        ended = game is None or game.ended is not None
        moving = self._watcher.state in MOVING
        lies = self._lies if self._lies is not None else tuple(match.table.values()) if match is not None else ()
        asked = match.questions if match is not None and not ended else ()
        return {
            "version": version,
            "at": self._clock(),
            "mode": self._mode,
            "paused": match.paused if match is not None else False,
            "quiet_s": self._quiet_s,
            "eye": self._gauges.eye_snapshot(),
            "camera": self._gauges.camera_snapshot(),
            "arena": snapshots.arena_snapshot(self._eye.table, self._eye.deck),
            "cards": snapshots.cards_snapshot(match, lies),
            "game": snapshots.game_snapshot(match, game.id, game.name, ended, sorted(self._choices), self._sense.reads)
            if match is not None and game is not None
            else None,
            "countdown": self._part.countdown(match, self._now_s, moving) if match is not None and not ended else None,
            "question": self._question() if asked else None,
            "questions_waiting": max(0, len(asked) - 1),
            "announcement": self._announcement,
            "warnings": self._warnings(),
            "legal": self.legal_actions(),
        }

    def _question(self) -> Question | None:
        match = self._match
        if match is None or not match.questions:
            return None
        asked = match.questions[0]
        picture = None
        if asked.throw is not None:
            picture = [asked.throw, evidence.THUMBNAIL]
        asked_at = self._asked_at.setdefault(asked.id, self._clock())
        return cast(Question, self._part.question(match, asked) | {"picture": picture, "asked_at": asked_at})

    def _warnings(self) -> list[Phrase]:
        return [snapshots.phrase(Trouble.of(code), why=why) for code, why in self._troubles.items() if why]

    @property
    def _secret(self) -> bool:
        """Whether the table may show what nobody is to see in a picture."""
        match, game = self._match, self._game
        if match is None or game is None or game.ended is not None:
            return False
        return self._sense.hides(match)

    def subscribe(self, last_id: int = -1) -> FeedSubscription:
        return self._feed.subscribe(last_id)

    def latest_jpeg(self, layers: tuple[str, ...] = ()) -> bytes | None:
        return self._view.jpeg(layers)

    def wait_jpeg(self, after: int, timeout_s: float, layers: tuple[str, ...] = ()) -> tuple[int, bytes] | None:
        return self._view.wait_jpeg(after, timeout_s, layers)

    def legal_actions(self) -> list[str]:
        ended = self._game is None or self._game.ended is not None
        return snapshots.legal_actions(self._match, ended, covered=bool(self._watcher.covered))

    def health(self) -> Json:
        room = self._data.room.state()
        size = self._data.database.bytes
        return self._gauges.health() | {
            "disk": {
                "free_bytes": room.free_bytes,
                "evidence_bytes": room.evidence_bytes,
                "budget_bytes": room.budget_bytes,
                "ok": room.ok,
                "why": room.why,
            },
            "database": {"schema": self._data.database.version, "bytes": size, "ok": size is not None},
            "viewers": self._feed.viewers,
            "warnings": self._warnings(),
            "ok": not any(self._troubles.values()) and room.ok,
        }

    def _current_game(self) -> str | None:
        game = self._game
        return game.id if game is not None else None
