"""The running referee: source -> watcher -> match -> store -> listeners. The only thread and the only clock."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.domain.errors import BadPicture, CameraLost, CannotDo, Refused
from arena_cam.domain.messages import Message, in_words
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeChanged, EyeState, Observation
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Seen
from arena_cam.referee.interface import Snapshot
from arena_cam.referee.keeping.keeper import Sight
from arena_cam.referee.pictures.frame_ring import FrameRing
from arena_cam.referee.session.acting import Acting
from arena_cam.referee.session.standing import MOVING, Eye
from arena_cam.store.data_folder import DataFolder

__all__ = ["Eye", "OnState", "Session"]
log = logging.getLogger(__name__)
# After a loss the source is asked again this often; it knows itself how to come back.
RETRY_S = 0.2
# Frames that are further apart than this leave time in which nobody saw whether something moved.
LONGEST_GAP_S = 1.0
# While the disk is full, what was seen is tried again this often.
FULL_RETRY_S = 2.0


class OnState(Protocol):
    def __call__(self, snapshot: Snapshot) -> None: ...


class Session(Acting):
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
        super().__init__(data, eye, source, version, clock)
        self._source, self._on_state = source, on_state
        self._stopping = threading.Event()
        self._looking = threading.RLock()  # held for a frame; taken before `_step`
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._ring = FrameRing()
        self._backlog: deque[tuple[list[Seen], dict[str, Sight]]] = deque()
        self._retry_at = self._unseen_s = 0.0
        self._played = 0

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
    def eye(self) -> Eye:
        """What it sees with now."""
        return self._eye

    def see_with(self, eye: Eye) -> None:
        """Sees with `eye` from now on, as if started anew with it; the game goes on. Waits for the frame in hand."""
        with self._looking, self._step:
            self._use(eye)
            self._ring.clear()
            self._backlog.clear()
            if self._game is not None and self._game.ended is None:
                self._keep_setup()
            self._changed()
        self._tell()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                frame = self._source.read()
            except BadPicture as error:
                self._gauges.bad_frame(str(error))
                continue
            except Exception as error:  # whatever else it is, it means the same: no camera
                known = isinstance(error, CameraLost)
                self._lost(str(error) if known else f"the source cannot be read ({type(error).__name__}: {error})")
                if not self._source.live:
                    break
                self._stopping.wait(RETRY_S)
                continue
            if frame is None:
                break
            try:
                with self._looking:
                    self.take_frame(frame)
            except Exception as error:  # whatever it is, the next frame is a new chance, and the pages go on
                log.exception("a frame could not be taken in")
                self._gauges.bad_frame(f"{type(error).__name__}: {error}")
                self._trouble("eye_error", f"{type(error).__name__}; the next picture is tried")
        if not self._stopping.is_set():
            with self._looking:
                self._ended()

    def take_frame(self, frame: Frame) -> None:
        """One frame through the whole path; called by the session's thread (and by tests, in its place)."""
        began = time.perf_counter()
        if self._gauges.found():
            self._trouble("camera_lost", "")
            self._changed()
        before, why_before = self._watcher.state, self._watcher.why
        observations = self._observed(lambda: self._watcher.feed(frame))
        self._unseen_s = max(0.0, frame.time_s - self._now_s - LONGEST_GAP_S)
        self._now_s = frame.time_s
        quiet = self._watcher.state not in MOVING and before not in MOVING
        secret = self._secret
        if not secret:  # no picture of an open duel is kept
            self._ring.add(frame, quiet)
        self._view.put(frame, self._watcher.reading, self._watcher.pose, secret=secret)
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

    def _follow_eye(self, before: EyeState, why_before: tuple[Message, ...]) -> None:
        state, why = self._watcher.state, self._watcher.why
        if (state, why) != (before, why_before):
            self._gauges.eye(state.value, why)
            self._trouble(self._eye.warning, in_words(why) if state is EyeState.BLIND else "")
            if state is not EyeState.SETTLING:
                self._trouble("eye_error", "")
            self._changed()

    def _live_through(self, observations: list[Observation], frame: Frame) -> None:
        with self._step:
            if any(not isinstance(o, EyeChanged) for o in observations):
                self._backlog.append(self._seen(observations, frame))
                self._changed()
            if self._match is None or self._game is None or self._game.ended is not None:
                self._backlog.clear()
            elif not self._troubles.get("disk_full") or self._clock() >= self._retry_at:
                self._catch_up(frame)
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

    def _catch_up(self, frame: Frame) -> None:
        """Takes what was seen into the match, and lets the clock close the challenge; both are kept before told."""
        assert self._match is not None
        try:
            while self._backlog:
                seen, sights = self._backlog[0]
                self._keep(self._understood(self._match, seen), sights)
                self._backlog.popleft()
                self._trouble("disk_low", self._data.room.state().why)
                self._gauges.ruled([s.observation.at_s for s in seen if s.throw is not None], self._now_s)
            ticked = self._part.tick(self._match, self._now_s, self._watcher.state in MOVING, self._unseen_s)
            if ticked.unsaved:
                self._keep(ticked, {})
            else:
                self._match = ticked
            self._follow_sense(frame)
            self._trouble("disk_full", "")
        except (Refused, CannotDo) as error:
            log.error("%s", error)
            self._trouble("disk_full", str(error))
            self._retry_at = self._clock() + FULL_RETRY_S

    def _follow_sense(self, frame: Frame) -> None:
        """What the game sees beside its eye; costs nothing unless it waits for that."""
        assert self._match is not None
        assert self._game is not None
        watcher = self._watcher
        try:
            after = self._sense.see(
                self._game.id, self._match, self._choices, frame, watcher.pose, watcher.state not in MOVING
            )
        except Exception:  # the phones are still there: the evening goes on without
            log.exception("what lies beside could not be looked for")
            self._trouble("eye_error", "the duelling blocks could not be read; choose by phone")
            return
        if after is not None:
            self._keep(after, {})

    def _understood(self, match: Match, seen: list[Seen]) -> Match:
        """The match after what was seen. A fault in understanding it must not be met again with every frame."""
        try:
            return self._part.observe(match, seen)
        except Exception as error:
            log.exception("what was seen could not be understood: %s", seen)
            self._trouble("eye_error", f"{type(error).__name__}; correct by hand what is missing")
            return match

    def _lost(self, why: str, warning: str = "camera_lost") -> None:
        if self._gauges.lost(why):
            log.warning("%s", why)
            self._trouble(warning, why)
            self._changed()
            self._tell()

    def _ended(self) -> None:
        """The source has no more frames: what rests is said, and the session goes on for the pages alone."""
        observations = self._observed(self._watcher.finish)
        newest = self._view.newest
        if newest is not None:
            self._live_through(observations, newest)
        self._trouble("camera_lost", "")  # nothing is tried again
        self._lost("the source has ended; give another one to go on", "source_ended")
        self._let_play()

    def _let_play(self) -> None:
        if self._on_state is not None and self._played != self._version:
            self._played = self._version
            self._on_state(self.snapshot())

    def _forget_what_was_seen(self) -> None:
        self._backlog.clear()
