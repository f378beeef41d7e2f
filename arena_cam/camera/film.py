"""A recording handed out at its pace, and held, stepped and begun again while a table is set up from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from arena_cam.camera.encoded_frame import EncodedFrame
from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.domain.errors import BadPicture, CameraLost


class Film:
    """The recording that `open_again` opens, each frame held back until its time has come.

    It plays once, to its end. While it rehearses it has no end: it begins again, and a picture that is held comes again
    and again, as a camera over a table at rest gives it. Times and sequence numbers never go back.
    """

    live = False

    def __init__(self, open_again: Callable[[], FrameSource]) -> None:
        self._open_again = open_again
        self._source = open_again()
        self.name, self.fps = self._source.name, self._source.fps
        self._pressed = threading.Condition()
        self._rehearses = self._held = self._rewinds = self._closed = False
        self._steps = 0
        self._newest: Frame | None = None
        self._began_s: float | None = None
        self._later_s, self._later = 0.0, 0  # how much later it is than in the recording, in seconds and in frames

    @property
    def held(self) -> bool:
        return self._held

    @property
    def shown(self) -> str:
        """The name of the newest frame, empty before the first."""
        return self._newest.name if self._newest is not None else ""

    def rehearse(self) -> None:
        """From now on it has no end. The picture that is shown now, or the first one, is held."""
        with self._pressed:
            self._rehearses = self._held = True

    def play(self) -> None:
        """Plays it once, from its beginning."""
        with self._pressed:
            self._rehearses, self._held, self._steps = False, False, 0
            self._rewinds = self._newest is not None
            self._pressed.notify_all()

    def hold(self, held: bool) -> None:
        with self._pressed:
            self._held, self._steps = held, 0
            self._pressed.notify_all()

    def step(self) -> None:
        """Goes on to the next picture, and holds that."""
        with self._pressed:
            self._held = True
            self._steps += 1
            self._pressed.notify_all()

    def read(self) -> Frame | None:
        """The next frame at its time; None after the last. Raises what the recording raises."""
        try:
            return self._read()
        except BadPicture:
            with self._pressed:  # a recording of nothing else, without an end, must not keep the processor busy
                self._pressed.wait_for(lambda: self._closed, 1.0 / self.fps if self._rehearses else 0.0)
            raise
        except CameraLost:  # its disk was pulled out: once that is back, it goes on from there at its own pace
            self._began_s = None
            raise

    def _read(self) -> Frame | None:
        with self._pressed:
            if self._newest is not None and self._waits():
                self._pressed.wait_for(lambda: not self._waits(), 1.0 / self.fps)
            if self._closed:
                return None
            if self._newest is not None and self._waits():
                return self._once_more(self._newest)
            self._steps = max(0, self._steps - 1)
            rewinds, self._rewinds = self._rewinds, False
        frame = self._begun_again() if rewinds else self._source.read()
        if frame is None and self._rehearses:
            frame = self._begun_again()
        return self._paced(frame) if frame is not None else None

    def close(self) -> None:
        """Frees the recording, and whoever waits for its next frame."""
        with self._pressed:
            self._closed = True
            self._pressed.notify_all()
        self._source.close()

    def _waits(self) -> bool:
        return self._held and not self._steps and not self._closed

    def _once_more(self, frame: Frame) -> Frame:
        self._later_s += 1.0 / self.fps
        self._later += 1
        self._newest = _at(frame, frame.time_s + 1.0 / self.fps, frame.sequence + 1)
        return self._newest

    def _begun_again(self) -> Frame | None:
        self._source.close()
        self._source = self._open_again()
        if self._newest is not None:
            self._later_s, self._later = self._newest.time_s + 1.0 / self.fps, self._newest.sequence + 1
        return self._source.read()

    def _paced(self, frame: Frame) -> Frame | None:
        """`frame` when its time has come; None if it was closed meanwhile."""
        if self._later:
            frame = _at(frame, frame.time_s + self._later_s, frame.sequence + self._later)
        now_s = time.monotonic()
        if self._began_s is None:
            self._began_s = now_s - frame.time_s
        self._newest = frame
        with self._pressed:
            self._pressed.wait_for(lambda: self._closed, max(0.0, self._began_s + frame.time_s - now_s))
            return None if self._closed else frame


def _at(frame: Frame, time_s: float, sequence: int) -> Frame:
    if not isinstance(frame, EncodedFrame):
        return replace(frame, time_s=time_s, sequence=sequence)
    return EncodedFrame(
        frame.encoded,
        time_s=time_s,
        sequence=sequence,
        source=frame.source,
        name=frame.name,
        metadata=frame.metadata,
    )
