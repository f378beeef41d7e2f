"""Camera -> watcher -> match -> store -> listeners, frame by frame. The only thread."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.domain.errors import BadPicture, CameraLost, CannotDo, PictureAwaited, Refused
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, EyeChanged, EyeState, Observation
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Seen
from arena_cam.referee.interface import Snapshot
from arena_cam.referee.keeping.keeper import Sight
from arena_cam.referee.messages import SessionTrouble
from arena_cam.referee.pictures.frame_ring import FrameRing
from arena_cam.referee.session.standing import MOVING, Standing

log = logging.getLogger(__name__)
# After a loss the source is asked for a frame this often, in seconds. It opens its device again by itself.
RETRY_S = 0.2
# Frames that are further apart than this leave time in which nobody saw whether something moved.
LONGEST_GAP_S = 1.0
# While the disk is full, what was seen is tried again this often.
FULL_RETRY_S = 2.0
# So many throws wait for room with their pictures, 10 MB each; a table goes on for longer than a Pi has memory.
MOST_WAITING = 4


class OnState(Protocol):
    def __call__(self, snapshot: Snapshot) -> None: ...


class Loop:
    """Reads `source` in a thread and brings what is seen into how things stand, until it is stopped.

    `on_state` is called by the thread after every change.
    """

    def __init__(self, standing: Standing, source: FrameSource, on_state: OnState | None) -> None:
        self._standing, self._source, self._on_state = standing, source, on_state
        self._stopping = threading.Event()
        self._looking = threading.RLock()  # held for a frame; taken before the step's lock
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._ring = FrameRing()
        self._backlog: deque[tuple[list[Seen], dict[str, Sight]]] = deque()
        self._retry_at = self._unseen_s = 0.0
        self._played = 0
        self._last_fault = ""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread and the camera; may be called twice."""
        self._stopping.set()
        self._source.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=10.0)

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def see_with(self, eye: Eye) -> None:
        """Replaces the eye; the game goes on. Waits until the present frame has been handled."""
        standing = self._standing
        with self._looking, standing.step:
            standing.use(eye)
            self._ring.clear()
            self._backlog.clear()
            if standing.game is not None and standing.game.ended is None:
                standing.keep_setup()
            standing.changed()
        standing.tell()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                frame = self._source.read()
            except BadPicture as error:
                self._standing.gauges.bad_frame(str(error))
                continue
            except Exception as error:  # every other error means the same: no camera
                text = f"{type(error).__name__}: {error}"
                unknown = SessionTrouble.SOURCE_UNREADABLE(text=text)
                awaited = isinstance(error, PictureAwaited)
                self.lost(error.said if isinstance(error, CameraLost) else unknown, None if awaited else "camera_lost")
                if not self._source.live and not isinstance(error, CameraLost):
                    break
                self._stopping.wait(RETRY_S)
                continue
            if frame is None:
                break
            try:
                with self._looking:
                    self.take_frame(frame)
            except Exception as error:  # the next frame may succeed, and the pages go on
                self._fault("a frame could not be taken in", error)
        if not self._stopping.is_set():
            with self._looking:
                self.finish()

    def take_frame(self, frame: Frame) -> None:
        """One frame through the whole path; called by the thread (and by tests, in its place)."""
        began = time.perf_counter()
        if self._standing.gauges.found():
            self._standing.trouble("camera_lost")
            self._standing.changed()
        before, why_before = self._standing.watcher.state, self._standing.watcher.why
        observations = self._observed(lambda: self._standing.watcher.feed(frame))
        self._unseen_s = max(0.0, frame.time_s - self._standing.now_s - LONGEST_GAP_S)
        self._standing.now_s = frame.time_s
        quiet = self._standing.watcher.state not in MOVING and before not in MOVING
        secret = self._standing.secret
        if not secret:  # no picture of an open duel is kept
            self._ring.add(frame, quiet)
        self._standing.view.put(frame, self._standing.watcher.reading, self._standing.watcher.pose, secret=secret)
        self._follow_eye(before, why_before)
        self._live_through(observations, frame)
        self._standing.gauges.frame(frame, time.perf_counter() - began, self._standing.watcher.pose)
        self._let_play()

    def _observed(self, look: Callable[[], list[Observation]]) -> list[Observation]:
        """The watcher's observations of a frame. An error in one picture is reported, and the next picture is read."""
        try:
            observations = look()
        except BadPicture as error:
            self._standing.gauges.bad_frame(str(error))
            return []
        except Exception as error:
            self._fault("a picture could not be judged", error)
            self._standing.watcher = self._standing.eye.make_watcher(self._source.fps)
            self._standing.lies = None
            return []
        return self._with_absences(observations)

    def _fault(self, what: str, error: Exception) -> None:
        """Tells of a fault of the program, with where it is once: every picture may bring the same one."""
        text = f"{type(error).__name__}: {error}"
        if text != self._last_fault:
            log.error(what, exc_info=error)
        self._last_fault = text
        self._standing.gauges.bad_frame(text)
        self._standing.trouble("eye_error", SessionTrouble.PICTURE_FAULT(name=type(error).__name__))

    def _with_absences(self, observations: list[Observation]) -> list[Observation]:
        """Cards that are believed to lie there and that a new eye does not find were taken away before it opened."""
        reading = self._standing.watcher.reading
        if reading is None:
            return observations
        absent: list[Observation] = []
        if self._standing.lies is None and self._standing.match is not None:
            there = {lie.key for lie in reading.lies}
            absent = [
                CardGone(reading.time_s, lie, reading)
                for key, lie in self._standing.match.table.items()
                if key not in there
            ]
        self._standing.lies = reading.lies
        return absent + observations

    def _follow_eye(self, before: EyeState, why_before: tuple[Message, ...]) -> None:
        state, why = self._standing.watcher.state, self._standing.watcher.why
        if (state, why) != (before, why_before):
            self._standing.gauges.eye(state.value, why)
            self._standing.trouble(self._standing.eye.warning, *(why if state is EyeState.BLIND else ()))
            if state is not EyeState.SETTLING:
                self._standing.trouble("eye_error")
            self._standing.changed()

    def _live_through(self, observations: list[Observation], frame: Frame) -> None:
        with self._standing.step:
            if any(not isinstance(o, EyeChanged) for o in observations):
                self._backlog.append(self._seen(observations, frame))
                if self._standing.stuck:
                    self._wait_for_room()
                self._standing.changed()
            if self._standing.match is None or self._standing.game is None or self._standing.game.ended is not None:
                self._backlog.clear()
            elif not self._standing.stuck or self._standing.clock() >= self._retry_at:
                self._catch_up(frame)
        self._standing.tell()

    def _wait_for_room(self) -> None:
        """What was seen last waits with the pictures of now, and what waits longest without any."""
        for sight in self._backlog[-1][1].values():
            sight.frames()  # remembers them: later the ring has others
        if len(self._backlog) > MOST_WAITING:
            seen, sights = self._backlog[-1 - MOST_WAITING]
            without = {name: replace(sight, frame=None, frames=list) for name, sight in sights.items()}
            self._backlog[-1 - MOST_WAITING] = seen, without

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
                name = f"t{int(self._standing.clock() * 1000):013d}-{secrets.token_hex(3)}"
                sights[name] = Sight(observation.lie, observation.reading, frame, taken)
            seen.append(Seen(observation, name))
        return seen, sights

    def _catch_up(self, frame: Frame) -> None:
        """Adds what was seen to the match, and closes the challenge in time; both are on disk before pages are told."""
        assert self._standing.match is not None
        try:
            while self._backlog:
                seen, sights = self._backlog[0]
                self._standing.keep(self._understood(self._standing.match, seen), sights)
                self._backlog.popleft()
                self._standing.gauges.ruled(
                    [s.observation.at_s for s in seen if s.throw is not None], self._standing.now_s
                )
            ticked = self._standing.part.tick(
                self._standing.match, self._standing.now_s, self._standing.watcher.state in MOVING, self._unseen_s
            )
            if ticked.unsaved:
                self._standing.keep(ticked, {})
            else:
                self._standing.match = ticked
            self._follow_sense(frame)
            self._standing.look_for_room()
        except (Refused, CannotDo) as error:
            if not self._standing.stuck:
                log.error("%s", error)
            self._standing.nothing_kept(error)
            self._retry_at = self._standing.clock() + FULL_RETRY_S

    def _follow_sense(self, frame: Frame) -> None:
        """The reading of the game's second sense, such as duelling blocks; computed only while the game waits for
        it."""
        assert self._standing.match is not None
        assert self._standing.game is not None
        watcher = self._standing.watcher
        try:
            after = self._standing.sense.see(
                self._standing.game.id,
                self._standing.match,
                self._standing.choices,
                frame,
                watcher.pose,
                watcher.state not in MOVING,
            )
        except Exception:  # players can still choose on their phones
            log.exception("what lies beside could not be looked for")
            self._standing.trouble("eye_error", SessionTrouble.BLOCKS_UNREAD())
            return
        if after is not None:
            self._standing.keep(after, {})

    def _understood(self, match: Match, seen: list[Seen]) -> Match:
        """The match after what was seen. An observation that raises an error is dropped, not tried with every frame."""
        try:
            return self._standing.part.observe(match, seen)
        except Exception as error:
            log.exception("what was seen could not be understood: %s", seen)
            self._standing.trouble("eye_error", SessionTrouble.UNDERSTANDING_FAULT(name=type(error).__name__))
            return match

    def lost(self, why: Message, warning: str | None = "camera_lost") -> None:
        """Reports that the camera gives no pictures; it is tried again. No `warning`: nothing is wrong."""
        if self._standing.gauges.lost(why):
            # The end of a recording is expected, and is no trouble.
            log.log(logging.INFO if warning in (None, "source_ended") else logging.WARNING, "%s", why)
            if warning is not None:
                self._standing.trouble(warning, why)
            self._standing.changed()
            self._standing.tell()

    def finish(self) -> None:
        """Handles the end of the source: cards at rest are reported, and the session goes on for the pages alone."""
        observations = self._observed(self._standing.watcher.finish)
        newest = self._standing.view.newest
        if newest is not None:
            self._live_through(observations, newest)
        self._standing.trouble("camera_lost")  # the source is not opened again
        self.lost(SessionTrouble.SOURCE_OVER(), "source_ended")
        self._let_play()

    def _let_play(self) -> None:
        if self._on_state is not None and self._played != self._standing.version:
            self._played = self._standing.version
            self._on_state(self._standing.snapshot())

    def forget(self) -> None:
        """Drops the observations that were not handled yet."""
        self._backlog.clear()
