"""The standing: the game that is on, the eye's belief, the troubles; kept first, then told.

What people do (acting.py) and what the camera brings (loop.py) change it. One lock, `step`, is held for a whole step:
what was seen, or what somebody asked, until it is on disk. Pages read immutable values and do not wait for it.
"""

from __future__ import annotations

import itertools
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from arena_cam.camera.frame import FrameSource
from arena_cam.camera.no_camera import NO_CAMERA
from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import Message, in_words, message_to_json
from arena_cam.domain.observations import EyeState
from arena_cam.referee.game import memory, snapshots
from arena_cam.referee.game.announcing import announcement_of
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import find_part
from arena_cam.referee.interface import MODES, Announcement, Mode, Phrase, Question, Snapshot
from arena_cam.referee.keeping.keeper import NOTHING_BESIDES, Besides, Keeper, Sight
from arena_cam.referee.messages import Trouble
from arena_cam.referee.pictures import evidence
from arena_cam.referee.pictures.live_view import LiveView
from arena_cam.referee.session.feed import Feed
from arena_cam.referee.session.health import Gauges
from arena_cam.rules import USUAL_GAME
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.database import RESERVE_BYTES
from arena_cam.store.matches import KeptGame

Json = dict[str, Any]
log = logging.getLogger(__name__)
MOVING = (EyeState.SETTLING, EyeState.BLIND)


class Standing:
    """The state of a session, and the methods that only read it."""

    def __init__(
        self, data: DataFolder, eye: Eye, source: FrameSource, version: str, clock: Callable[[], float]
    ) -> None:
        self.data = data
        self.eye, self.clock = eye, clock
        self.setup = evidence.setup_name(eye.setup)
        self.step = threading.RLock()
        self.keeper = Keeper(data, clock)
        self.feed = Feed()
        self.view = LiveView(eye.draw, eye.hide)
        self.part = find_part(USUAL_GAME)
        self.sense = self.part.open_sense(eye.make_second_sight)
        self.gauges = Gauges(clock, version, source.name, source.fps, source.live)
        self.fps = source.fps
        self.watcher = eye.make_watcher(source.fps)
        self.now_s = 0.0
        self.lies: tuple[Lie, ...] | None = None  # None until the eye has read the table for the first time
        self.troubles: dict[str, tuple[Message, ...]] = {trouble.value: () for trouble in Trouble}
        self._asked_at: dict[str, float] = {}
        self._versions = itertools.count(int(clock() * 1000) + 1)  # grows over restarts, too
        self.version = self._published = 0
        self._open_eye()
        self._take_up()
        self.changed()
        self.tell()

    def use(self, eye: Eye) -> None:
        """Replaces the eye; nothing is known of the table until it has read a frame."""
        self.eye = eye
        self.setup = evidence.setup_name(eye.setup)
        self.view.use(eye.draw, eye.hide)
        self.sense = self.part.open_sense(eye.make_second_sight)
        self.watcher = eye.make_watcher(self.fps)
        self.lies = None
        for code in ("blind", "setting_up", "eye_error"):
            self.trouble(code)
        self._open_eye()

    def _open_eye(self) -> None:
        """Tells what a new eye says before its first frame: one that sees nothing by design never says it anew."""
        state, why = self.watcher.state, self.watcher.why
        self.gauges.eye(state.value, why)
        if state is EyeState.BLIND:
            self.trouble(self.eye.warning, *why)

    def _take_up(self) -> None:
        settings = self.data.matches.settings()
        self.mode: Mode = settings["mode"] if settings.get("mode") in MODES else "confirm_unsure"
        self.quiet_s = float(settings.get("quiet_s", 10.0))
        self.announced = int(settings.get("announced", 0))
        self.announcement: Announcement | None = settings.get("announcement")
        self.game: KeptGame | None = None
        self.match: Match | None = None
        self.choices: dict[str, str] = {}
        current = settings.get("current_game")
        if current is not None:
            try:
                self.open_game(self.data.matches.game(current))
            except Refused as error:
                log.warning("the game %s cannot be taken up: %s", current, error)

    def open_game(self, game: KeptGame) -> None:
        ledger = Ledger.open(game.header, [line.event for line in self.data.matches.lines(game.id)])
        match = memory.from_json(ledger, game.memory)
        self.plays(ledger)
        self.game = game
        self.choices = self.data.matches.choices(game.id)
        chosen = tuple(sorted(self.choices))
        self.match = replace(match, mode=self.mode, quiet_s=self.quiet_s, quiet_since_s=self.now_s, chosen=chosen)

    def plays(self, ledger: Ledger) -> None:
        """Makes the game of `ledger` the one that is played."""
        part = find_part(ledger.record.game.name)
        if part is not self.part:
            self.part, self.sense = part, part.open_sense(self.eye.make_second_sight)

    def keep(self, match: Match, sights: Mapping[str, Sight], besides: Besides = NOTHING_BESIDES) -> None:
        """Evidence, then the record, then the new state; raises Refused and changes nothing where it cannot be kept."""
        assert self.match is not None
        assert self.game is not None
        announced = announcement_of(self.match, match, self.announced, self.clock())
        settings = dict(besides.settings)
        if announced is not None:
            settings |= {"announced": announced["id"], "announcement": announced}
        gone = not set(self.choices) <= set(self.part.choosers(match))
        besides = replace(besides, clear_choices=besides.clear_choices or gone, settings=settings)
        kept = self.keeper.keep(self.game.id, self.match, match, sights, besides, setup=self.setup)
        if kept.ledger is not self.match.ledger or kept.questions != self.match.questions:
            self.changed()
        if announced is not None:
            self.announced, self.announcement = announced["id"], announced
        if besides.clear_choices:
            self.choices = {}
            kept = replace(kept, chosen=())
        open_now = {question.id for question in kept.questions}
        self._asked_at = {id: at for id, at in self._asked_at.items() if id in open_now}
        self.match = kept
        self.trouble("not_saved", *filter(None, [self.keeper.not_saved]))
        self.trouble("disk_low", *filter(None, [self.data.room.state().why]))
        self.trouble("disk_full")
        self.trouble("disk_failed")
        self.data.database.take_reserve()

    def nothing_kept(self, error: Refused | CannotDo) -> None:
        """Warns that nothing can be kept, for want of room or because the disk takes nothing."""
        code = "disk_failed" if isinstance(error, CannotDo) else "disk_full"
        for each in ("disk_full", "disk_failed"):
            self.trouble(each, *((error.said,) if each == code else ()))

    @property
    def stuck(self) -> bool:
        """Whether what is seen waits to be kept."""
        return bool(self.troubles.get("disk_full") or self.troubles.get("disk_failed"))

    def look_for_room(self) -> None:
        """Ends the warning of a full disk where nothing waits to be kept: with room for the reserve, lines fit too."""
        if self.troubles.get("disk_full") and self.data.room.state().free_bytes >= RESERVE_BYTES:
            self.trouble("disk_full")

    def keep_setup(self) -> None:
        """Keeps the table and the deck with the games. A game without them can be played, but not judged elsewhere."""
        if self.eye.setup:
            try:
                self.data.setups.keep_setup(self.setup, self.eye.setup)
            except (Refused, CannotDo) as error:
                log.warning("the table and the deck are not kept: %s", error)

    def end(self) -> None:
        """Ends the streams of pages and pictures."""
        self.feed.close()
        self.view.close()

    def trouble(self, code: str, *why: Message) -> None:
        """Sets the reason of a warning. An empty one ends the warning."""
        if self.troubles.get(code, ()) != why:
            self.troubles[code] = why
            self.changed()

    def changed(self) -> None:
        self.version = next(self._versions)

    def tell(self) -> None:
        """Wakes the viewers if anything changed since they were last told."""
        with self.step:
            if self._published != self.version:
                snapshot = self.snapshot()
                self._published = snapshot["version"]
                self.feed.publish(snapshot["version"], "state", json.dumps(snapshot, ensure_ascii=False))

    def snapshot(self) -> Snapshot:
        version, match, game = self.version, self.match, self.game
        ended = game is None or game.ended is not None
        moving, camera = self.watcher.state in MOVING, self.gauges.camera_snapshot()
        lies = self.lies if self.lies is not None else tuple(match.table.values()) if match is not None else ()
        asked = match.questions if match is not None and not ended else ()
        return {
            "version": version,
            "at": self.clock(),
            "mode": self.mode,
            "paused": match.paused if match is not None else False,
            "quiet_s": self.quiet_s,
            "eye": self.gauges.eye_snapshot(),
            "camera": camera,
            "arena": snapshots.arena_snapshot(self.eye.table, self.eye.deck),
            "cards": snapshots.cards_snapshot(match, lies, camera["source"] != NO_CAMERA),
            "game": snapshots.game_snapshot(match, game.id, game.name, ended, sorted(self.choices), self.sense.reads)
            if match is not None and game is not None
            else None,
            # Without pictures no time counts: the clock stands still or there is none, and nothing closes by itself.
            "countdown": self.part.countdown(match, self.now_s, moving)
            if match is not None and not ended and camera["connected"] and camera["source"] != NO_CAMERA
            else None,
            "question": self._question() if asked else None,
            "questions_waiting": max(0, len(asked) - 1),
            "announcement": self.announcement,
            "warnings": self._warnings(),
            "legal": self.legal_actions(),
        }

    def _question(self) -> Question | None:
        match = self.match
        if match is None or not match.questions:
            return None
        asked = match.questions[0]
        picture = None
        if asked.throw is not None:
            picture = [asked.throw, evidence.THUMBNAIL]
        asked_at = self._asked_at.setdefault(asked.id, self.clock())
        return cast(Question, self.part.question(match, asked) | {"picture": picture, "asked_at": asked_at})

    def _warnings(self) -> list[Phrase]:
        return [
            snapshots.phrase(Trouble.of(code), why=in_words(why), doubts=[message_to_json(each) for each in why])
            for code, why in self.troubles.items()
            if why and not (code == "disk_low" and self.troubles.get("disk_full"))
        ]

    @property
    def secret(self) -> bool:
        """Whether the table may show a secret choice, so that no picture may be shown."""
        match, game = self.match, self.game
        if match is None or game is None or game.ended is not None:
            return False
        return self.sense.hides(match)

    def legal_actions(self) -> list[str]:
        ended = self.game is None or self.game.ended is not None
        return snapshots.legal_actions(self.match, ended, covered=bool(self.watcher.covered))

    def health(self) -> Json:
        room = self.data.room.state()
        size = self.data.database.bytes
        return self.gauges.health() | {
            "disk": {
                "free_bytes": room.free_bytes,
                "evidence_bytes": room.evidence_bytes,
                "budget_bytes": room.budget_bytes,
                "ok": room.ok,
                "why": str(room.why or ""),
            },
            "database": {"schema": self.data.database.version, "bytes": size, "ok": size is not None},
            "viewers": self.feed.viewers,
            "warnings": self._warnings(),
            "ok": not any(self.troubles.values()) and room.ok,
        }

    def current_game(self) -> str | None:
        game = self.game
        return game.id if game is not None else None
