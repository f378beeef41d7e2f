"""A recording handed out at the pace at which it was taken, so that people can watch it."""

from __future__ import annotations

import threading
import time

from arena_cam.camera.frame import Frame, FrameSource


class PacedSource:
    """`source`, each frame held back until its time has come. None is left out: a reader that was busy catches up."""

    live = False

    def __init__(self, source: FrameSource) -> None:
        self.name, self.fps = source.name, source.fps
        self._source = source
        self._began_s: float | None = None
        self._closed = threading.Event()

    def read(self) -> Frame | None:
        """The next frame at its time; None after the last. Raises what the recording raises."""
        frame = self._source.read()
        if frame is None:
            return None
        now_s = time.monotonic()
        if self._began_s is None:
            self._began_s = now_s - frame.time_s
        closed = self._closed.wait(max(0.0, self._began_s + frame.time_s - now_s))
        return None if closed else frame

    def close(self) -> None:
        """Frees the recording, and whoever waits for its next frame."""
        self._closed.set()
        self._source.close()
