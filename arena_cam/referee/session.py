"""The running referee: source -> watcher -> match -> store -> listeners. The only thread and the only clock.

One lock, `_step`, is held for a whole step: what was seen, or what somebody asked, until it is on disk. Pages read
immutable values and do not wait for it.
"""

from __future__ import annotations

import itertools
import json
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadPicture, CameraLost, CannotDo, Refused
from arena_cam.domain.lies import Lie
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeState, Observation
from arena_cam.domain.table import Table
from arena_cam.referee import desk, evidence, memory, questions, snapshots
from arena_cam.referee.announcing import announcement_of
from arena_cam.referee.archive import Archive
from arena_cam.referee.corrections import difference
from arena_cam.referee.feed import Feed, FeedSubscription
from arena_cam.referee.frame_ring import FrameRing
from arena_cam.referee.health import Gauges
from arena_cam.referee.interface import (
    MODES,
    Announcement,
    Mode,
    Phrase,
    Question,
    Snapshot,
)
from arena_cam.referee.keeper import Keeper, Sight
from arena_cam.referee.ledger import Ledger
from arena_cam.referee.live_view import Draw, LiveView
from arena_cam.referee.match import Match, Seen, in_arena, observe, tick
from arena_cam.referee.replay import Watching
from arena_cam.referee.reports import summary_of
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import KeptGame

Json = dict[str, Any]
log = logging.getLogger(__name__)
# After a loss the source is asked again this often; it knows itself how to come back.
RETRY_S = 0.2
# While the disk is full, what was seen is tried again this often.
FULL_RETRY_S = 2.0
MOVING = (EyeState.SETTLING, EyeState.BLIND)
WARNINGS = {
    "camera_lost": "The camera is gone: {why}",
    "blind": "The eye cannot see: {why}",
    "disk_low": "Little room is left: {why}",
    "disk_full": "Nothing can be written down: {why}",
    "not_saved": "The last throw's pictures were not kept: {why}",
    "eye_error": "A picture could not be judged: {why}",
}


@dataclass(frozen=True)
class Eye:
    """What the session sees with; made by whoever puts the program together.

    make_watcher: from frames per second to a fresh watcher that shares nothing that changes with another: throws are
    judged again while a game is on. draw: puts layers over a picture, None for no overlays.
    setup: the files of evidence.setup_files, kept once with the games.
    """

    table: Table
    deck: Deck
    make_watcher: Callable[[float], Watching]
    draw: Draw | None = None
    setup: Mapping[str, bytes] = field(default_factory=dict)


class OnState(Protocol):
    def __call__(self, snapshot: Snapshot) -> None: ...


class Session(Archive):
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
        super().__init__(data, eye.make_watcher, eye.deck)
        self._eye, self._source = eye, source
        self._on_state, self._clock = on_state, clock
        self._step = threading.RLock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._keeper = Keeper(data, clock)
        self._feed = Feed()
        self._view = LiveView(eye.draw)
        self._ring = FrameRing()
        self._gauges = Gauges(clock, version, source.name, source.fps, source.live)
        self._watcher = eye.make_watcher(source.fps)
        self._backlog: deque[tuple[list[Seen], dict[str, Sight]]] = deque()
        self._now_s = 0.0
        self._lies: tuple[Lie, ...] | None = None  # None until the eye has read the table for the first time
        self._troubles = dict.fromkeys(WARNINGS, "")
        self._asked_at: dict[str, float] = {}
        self._retry_at = 0.0
        self._versions = itertools.count(int(clock() * 1000) + 1)  # grows over restarts, too
        self._version = self._published = self._played = 0
        self._take_up()
        self._changed()
        self._tell()

    # --- life ---

    def _take_up(self) -> None:
        settings = self._data.matches.settings()
        self._mode: Mode = settings["mode"] if settings.get("mode") in MODES else "confirm_unsure"
        self._quiet_s = float(settings.get("quiet_s", 10.0))
        self._announced = int(settings.get("announced", 0))
        self._announcement: Announcement | None = settings.get("announcement")
        self._setup = evidence.setup_name(self._eye.setup)
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
        self._game = game
        self._match = replace(match, mode=self._mode, quiet_s=self._quiet_s, quiet_since_s=self._now_s)
        self._choices = self._data.matches.choices(game.id)

    def start(self) -> None:
        """Starts the thread that reads the camera."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread, the streams, the camera and the data folder; may be called twice."""
        self._stopping.set()
        self._feed.close()
        self._view.close()
        self._source.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=10.0)
        with self._step:
            self._data.close()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    # --- the loop ---

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                frame = self._source.read()
            except BadPicture as error:
                self._gauges.bad_frame(str(error))
                continue
            except CameraLost as error:
                self._lost(str(error))
                if not self._source.live:
                    break
                self._stopping.wait(RETRY_S)
                continue
            if frame is None:
                break
            try:
                self.take_frame(frame)
            except Exception as error:  # whatever it is, the next frame is a new chance, and the pages go on
                log.exception("a frame could not be taken in")
                self._gauges.bad_frame(f"{type(error).__name__}: {error}")
                self._trouble("eye_error", f"{type(error).__name__}; the next picture is tried")
        if not self._stopping.is_set():
            self._ended()

    def take_frame(self, frame: Frame) -> None:
        """One frame through the whole path; called by the session's thread (and by tests, in its place)."""
        began = time.perf_counter()
        if self._gauges.found():
            self._trouble("camera_lost", "")
            self._changed()
        before, why_before = self._watcher.state, self._watcher.why
        observations = self._observed(lambda: self._watcher.feed(frame))
        self._now_s = frame.time_s
        quiet = self._watcher.state not in MOVING and before not in MOVING
        self._ring.add(frame, quiet)
        self._view.put(frame, self._watcher.reading, self._watcher.pose)
        self._follow_eye(before, why_before)
        self._live_through(observations, frame)
        self._gauges.frame(frame, time.perf_counter() - began, self._watcher.pose)
        self._let_play()

    def _observed(self, look: Callable[[], list[Observation]]) -> list[Observation]:
        """What the watcher says. A fault in one picture must not end the evening: it is told, and the next comes."""
        try:
            observations = look()
        except BadPicture as error:
            self._gauges.bad_frame(str(error))
            return []
        except Exception as error:
            log.exception("a picture could not be judged")
            self._gauges.bad_frame(f"{type(error).__name__}: {error}")
            self._watcher = self._eye.make_watcher(self._source.fps)
            self._lies = None
            self._trouble("eye_error", f"{type(error).__name__}; the next picture is tried")
            return []
        return self._with_absences(observations)

    def _with_absences(self, observations: list[Observation]) -> list[Observation]:
        """An eye opened anew cannot see what went while it was closed: what is believed but not there is gone."""
        reading = self._watcher.reading
        if reading is None:
            return observations
        absent: list[Observation] = []
        if self._lies is None and self._match is not None:
            there = {lie.key for lie in reading.lies}
            absent = [
                CardGone(reading.time_s, lie, reading) for key, lie in self._match.table.items() if key not in there
            ]
        self._lies = reading.lies
        return absent + observations

    def _follow_eye(self, before: EyeState, why_before: str) -> None:
        state, why = self._watcher.state, self._watcher.why
        if (state, why) != (before, why_before):
            self._gauges.eye(state.value, why)
            self._trouble("blind", why if state is EyeState.BLIND else "")
            if state is not EyeState.SETTLING:
                self._trouble("eye_error", "")
            self._changed()

    def _live_through(self, observations: list[Observation], frame: Frame) -> None:
        with self._step:
            if any(isinstance(o, CardRested | CardMoved | CardGone) for o in observations):
                self._backlog.append(self._seen(observations, frame))
                self._changed()
            if self._match is None or self._game is None or self._game.ended is not None:
                self._backlog.clear()
            elif not self._troubles.get("disk_full") or self._clock() >= self._retry_at:
                self._catch_up()
        self._tell()

    def _seen(self, observations: list[Observation], frame: Frame) -> tuple[list[Seen], dict[str, Sight]]:
        """The observations with names for their evidence, and what that would be; frames are taken only if kept."""
        frames: list[tuple[float, bytes]] | None = None
        sights: dict[str, Sight] = {}
        seen = []

        def taken() -> list[tuple[float, bytes]]:
            nonlocal frames
            frames = self._ring.take() if frames is None else frames
            return frames

        for observation in observations:
            name = None
            if isinstance(observation, CardRested | CardMoved):
                name = f"t{int(self._clock() * 1000):013d}-{secrets.token_hex(3)}"
                sights[name] = Sight(observation.lie, observation.reading, frame, taken)
            seen.append(Seen(observation, name))
        return seen, sights

    def _catch_up(self) -> None:
        """Takes what was seen into the match, and lets the clock close the challenge; both are kept before told."""
        assert self._match is not None
        try:
            while self._backlog:
                seen, sights = self._backlog[0]
                self._keep(self._understood(self._match, seen), sights)
                self._backlog.popleft()
                self._trouble("disk_low", self._data.room.state().why)
                self._gauges.ruled([s.observation.at_s for s in seen if s.throw is not None], self._now_s)
            ticked = tick(self._match, self._now_s, self._watcher.state in MOVING)
            if ticked.unsaved:
                self._keep(ticked, {})
            else:
                self._match = ticked
            self._trouble("disk_full", "")
        except (Refused, CannotDo) as error:
            log.error("%s", error)
            self._trouble("disk_full", str(error))
            self._retry_at = self._clock() + FULL_RETRY_S

    def _understood(self, match: Match, seen: list[Seen]) -> Match:
        """The match after what was seen. A fault in understanding it must not be met again with every frame."""
        try:
            return observe(match, seen)
        except Exception as error:
            log.exception("what was seen could not be understood: %s", seen)
            self._trouble("eye_error", f"{type(error).__name__}; correct by hand what is missing")
            return match

    def _lost(self, why: str) -> None:
        if self._gauges.lost(why):
            log.warning("%s", why)
            self._trouble("camera_lost", why)
            self._changed()
            self._tell()

    def _ended(self) -> None:
        """The source has no more frames: what rests is said, and the session goes on for the pages alone."""
        observations = self._observed(self._watcher.finish)
        newest = self._view.newest
        if newest is not None:
            self._live_through(observations, newest)
        self._lost("the source has ended; give another one to go on")
        self._let_play()

    def _let_play(self) -> None:
        if self._on_state is not None and self._played != self._version:
            self._played = self._version
            self._on_state(self.snapshot())

    # --- keeping and telling ---

    def _keep(self, match: Match, sights: Mapping[str, Sight], **more: Any) -> None:
        """Evidence, then the record, then the new state; raises Refused and changes nothing where it cannot be kept."""
        assert self._match is not None
        assert self._game is not None
        announced = announcement_of(match, self._announced, self._clock())
        settings = dict(more.pop("settings", {}))
        if announced is not None:
            settings |= {"announced": announced["id"], "announcement": announced}
        gone = match.ledger.awaiting != "duel" and bool(self._choices)
        more["clear_choices"] = more.get("clear_choices", False) or gone
        kept = self._keeper.keep(
            self._game.id, self._match, match, sights, setup=self._setup, settings=settings, **more
        )
        if kept.ledger is not self._match.ledger or kept.questions != self._match.questions:
            self._changed()
        if announced is not None:
            self._announced, self._announcement = announced["id"], announced
        if more["clear_choices"]:
            self._choices = {}
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

    # --- interface.SessionPort: looking ---

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
            "game": snapshots.game_snapshot(match, game.id, game.name, ended, sorted(self._choices))
            if match is not None and game is not None
            else None,
            "countdown": snapshots.countdown(match, self._now_s, moving) if match is not None and not ended else None,
            "question": self._question() if asked else None,
            "questions_waiting": max(0, len(asked) - 1),
            "announcement": self._announcement,
            "warnings": self._warnings(),
            "legal": snapshots.legal_actions(match, ended),
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
        return cast(Question, questions.to_json(match, asked) | {"picture": picture, "asked_at": asked_at})

    def _warnings(self) -> list[Phrase]:
        return [snapshots.phrase(code, WARNINGS, why=why) for code, why in self._troubles.items() if why]

    def subscribe(self, last_id: int = -1) -> FeedSubscription:
        return self._feed.subscribe(last_id)

    def latest_jpeg(self, layers: tuple[str, ...] = ()) -> bytes | None:
        return self._view.jpeg(layers)

    def wait_jpeg(self, after: int, timeout_s: float, layers: tuple[str, ...] = ()) -> tuple[int, bytes] | None:
        return self._view.wait_jpeg(after, timeout_s, layers)

    def legal_actions(self) -> list[str]:
        return snapshots.legal_actions(self._match, self._game is None or self._game.ended is not None)

    def health(self) -> Json:
        room = self._data.room.state()
        file = self._data.database.file
        return self._gauges.health() | {
            "disk": {
                "free_bytes": room.free_bytes,
                "evidence_bytes": room.evidence_bytes,
                "budget_bytes": room.budget_bytes,
                "ok": room.ok,
                "why": room.why,
            },
            "database": {"schema": self._data.database.version, "bytes": file.stat().st_size, "ok": True},
            "viewers": self._feed.viewers,
            "warnings": self._warnings(),
            "ok": not any(self._troubles.values()) and room.ok,
        }

    def _current_game(self) -> str | None:
        game = self._game
        return game.id if game is not None else None

    # --- interface.SessionPort: doing ---

    def act(self, action: str, args: Mapping[str, Any], who: str) -> Json:
        with self._step:
            answer = self._act(action, args, who[:60])
            self._changed()
        self._tell()
        return answer

    def _act(self, action: str, args: Mapping[str, Any], who: str) -> Json:
        own: dict[str, Callable[[Mapping[str, Any]], Json]] = {
            "start_game": self._start_game,
            "resume_game": self._resume_game,
            "rename_game": self._rename_game,
            "end_game": self._end_game,
            "duel_choice": self._duel_choice,
            "pin_throw": self._pin_throw,
            "delete_game": lambda a: self._delete_game(str(a.get("game"))),
        }
        if action in own:
            return own[action](args)
        if action in ("set_mode", "set_quiet_time"):
            return self._set(action, args)
        match = self._running_match()
        request = desk.Request(args, who, self._now_s)
        if action in desk.CORRECTIONS:
            return self._correct(match, action, request)
        if action not in desk.ACTIONS:
            raise Refused("unknown", f"there is no action {action[:40]!r}")
        after = desk.ACTIONS[action](match, request)
        answers = {}
        if action == "answer_question":
            answers = {str(args.get("id")): {"choice": args.get("choice"), "card": args.get("card"), "who": who}}
        self._keep(after, {}, answers=answers)
        return {}

    def _running_match(self) -> Match:
        if self._match is None or self._game is None or self._game.ended is not None:
            raise Refused("not_now", "no game is on; start one first")
        return self._match

    def _correct(self, match: Match, action: str, request: desk.Request) -> Json:
        events = desk.CORRECTIONS[action](match, request.args, request.who)
        if request.args.get("preview"):
            return difference(match, events)
        after = desk.corrected(match, events, request)
        self._keep(after, {})
        return {"line": match.ledger.next_line, "scores": after.ledger.result["scores"]}

    def _duel_choice(self, args: Mapping[str, Any]) -> Json:
        match = self._running_match()
        player = args.get("player")
        choice = desk.checked_choice(match, player, args.get("choice"))
        choices = {name: made for name, made in self._choices.items() if name in snapshots.duellists(match)}
        choices[str(player)] = choice
        if set(choices) == set(snapshots.duellists(match)):
            self._keep(desk.duel_from(match, choices, self._now_s), {}, clear_choices=True)
            return {"accepted": True, "complete": True}
        self._keep(match, {}, choices=choices)
        self._choices = choices
        return {"accepted": True, "complete": False}

    def _set(self, action: str, args: Mapping[str, Any]) -> Json:
        """Mode and quiet time outlive a game, and can be set when none is on."""
        blank = self._match if self._match is not None else _BLANK
        after = desk.ACTIONS[action](blank, desk.Request(args, "", self._now_s))
        self._data.matches.set_settings({"mode": after.mode, "quiet_s": after.quiet_s})
        self._mode, self._quiet_s = after.mode, after.quiet_s
        if self._match is not None:
            self._match = after
        return {}

    def _start_game(self, args: Mapping[str, Any]) -> Json:
        header = {"game": "arena", "version": 1, "players": args.get("players")}
        header |= {key: args[key] for key in ("options", "first") if args.get(key) is not None}
        ledger = Ledger.open(header)
        self._keep_setup()
        lies = {lie.key: lie for lie in self._lies or ()}
        match = Match(ledger, self._mode, False, self._quiet_s, lies, quiet_since_s=self._now_s)
        if len(in_arena(match)) > 1:
            match = replace(match, stale=frozenset(lies))  # nobody can say which of them was laid first
        at = self._clock()
        game = KeptGame(
            id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(at))}-{secrets.token_hex(2)}",
            name=_title(args.get("name"), at),
            game="arena",
            header=header,
            started=at,
            ended=None,
            summary=summary_of(ledger),
            memory=memory.to_json(match) | {"setup": self._setup},
        )
        self._data.matches.begin(game, {"current_game": game.id}, self._game.id if self._game is not None else None)
        self._game, self._match, self._choices = game, match, {}
        self._backlog.clear()
        self._catch_up_at_start()
        return {"game": game.id}

    def _keep_setup(self) -> None:
        """Keeps the table and the deck with the games. A game without them can be played, but not judged elsewhere."""
        if self._eye.setup:
            try:
                self._data.setups.keep_setup(self._setup, self._eye.setup)
            except (Refused, CannotDo) as error:
                log.warning("the table and the deck are not kept: %s", error)

    def _catch_up_at_start(self) -> None:
        assert self._match is not None
        opened = observe(self._match, [])
        if opened.unsaved or opened.questions:
            self._keep(opened, {})

    def _resume_game(self, args: Mapping[str, Any]) -> Json:
        game = self._data.matches.game(str(args.get("game")))
        if self._game is not None and self._game.ended is None and game.id != self._game.id:
            self._end_game({})
        self._data.matches.reopen(game.id, {"current_game": game.id})
        self._open_game(replace(game, ended=None))
        if self._match is not None and self._lies is not None:
            table = {lie.key: lie for lie in self._lies}
            self._match = replace(self._match, table=table, stale=frozenset(table) - set(self._match.lines))
        return {"game": game.id}

    def _rename_game(self, args: Mapping[str, Any]) -> Json:
        game, name = str(args.get("game")), _title(args.get("name"), self._clock())
        self._data.matches.rename(game, name)
        if self._game is not None and self._game.id == game:
            self._game = replace(self._game, name=name)
        return {"game": game}

    def _end_game(self, _args: Mapping[str, Any]) -> Json:
        match = self._running_match()
        assert self._game is not None
        at = self._clock()
        self._keeper.end(self._game.id, match, at)
        self._game = replace(self._game, ended=at)
        self._choices = {}
        return {"game": self._game.id}

    def _pin_throw(self, args: Mapping[str, Any]) -> Json:
        self._data.matches.pin(str(args.get("throw")), bool(args.get("pinned", True)))
        return {}

    def delete_game(self, game: str, who: str) -> None:
        log.info("%s deletes the game %s", who, game)
        self.act("delete_game", {"game": game}, who)

    def _delete_game(self, game: str) -> Json:
        current = self._game is not None and self._game.id == game
        if current and self._game is not None and self._game.ended is None:
            raise Refused("not_now", "this game is on; end it before deleting it")
        self._data.matches.delete(game)
        self._data.pictures.remove_game(game)
        if current:
            self._game, self._match = None, None
        return {}


_BLANK = Match(
    Ledger.open(
        {
            "game": "arena",
            "version": 1,
            "players": [{"name": c, "colour": c} for c in ("red", "blue", "green")],
        }
    )
)


def _title(name: Any, at: float) -> str:
    title = " ".join(str(name or "").split())[:80]
    return title if title and title.isprintable() else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
