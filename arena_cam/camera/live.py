"""What live cameras share: a thread that empties the device, a short queue of frames, and coming back after a loss."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena_cam.camera.frame import Frame, Image
from arena_cam.camera.messages import CameraTrouble
from arena_cam.domain.errors import ArenaCamError, CameraLost
from arena_cam.domain.messages import Message

# So long a reader may be busy (a settled pile is judged) without losing a frame: a quiet frame takes a few
# milliseconds, so it catches up at once. A reader that is slower than the camera for good falls behind by more, and
# goes on with the newest frame.
BUFFERED_S = 1.5
# The same in memory: 1.1 s at 1536x864 and 15 frames/s.
BUFFERED_BYTES = 64 * 1024**2


@dataclass(frozen=True, eq=False)
class Grab:
    """One picture as a device gave it; `clock_s` is the device's own or the machine's monotonic clock."""

    image_bgr: Image
    clock_s: float
    luma_small: Image | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class Device(Protocol):
    """An opened camera. Both calls may raise anything; whatever is raised means that the camera is gone."""

    def grab(self) -> Grab:
        """Waits for the next picture."""
        ...

    def close(self) -> None: ...


class LiveSource:
    """A camera that goes on by itself. Readers get every frame, unless they fall behind by more than BUFFERED_S or
    BUFFERED_BYTES: then what waits is dropped and they go on with the newest one.

    `open_device` opens the camera or raises; it is tried once at once, so that a camera which is not there is told
    when the source is made, and again every `retry_s` seconds after a loss. `patience_s` is how long `read` waits for
    a frame before it says that the camera is gone.
    """

    live = True

    def __init__(
        self,
        name: str,
        open_device: Callable[[], Device],
        fps: float,
        *,
        patience_s: float = 3.0,
        retry_s: float = 1.0,
    ) -> None:
        self.name = name
        self.fps = float(fps)
        self._open_device = open_device
        self._patience_s = patience_s
        self._retry_s = retry_s
        self._frames: deque[Frame] = deque()
        self._most_frames = max(1, round(BUFFERED_S * fps))
        self._loss: str | Message | None = None
        self._gone: str | Message | None = None  # why it went, until it is back: that it is not there says nothing new
        self._sequence = 0
        self._start_clock_s: float | None = None
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._device: Device | None = open_device()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The oldest frame not read yet, waiting for it; None after `close`. Raises CameraLost; may be called again."""
        with self._changed:
            arrived = self._changed.wait_for(
                lambda: self._frames or self._loss is not None or self._closing.is_set(), self._patience_s
            )
            if self._closing.is_set():
                return None
            if self._frames:
                return self._frames.popleft()
            loss, self._loss = self._loss, None
        if not arrived or loss is None:
            raise CameraLost(CameraTrouble.NO_PICTURE(name=self.name, wait_s=f"{self._patience_s:g}"))
        raise CameraLost(CameraTrouble.GONE(name=self.name, why=loss))

    def close(self) -> None:
        """Ends the thread and frees the device; may be called twice."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=self._patience_s + 2.0)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                if self._device is None:
                    self._device = self._open_device()
                self._put(self._device.grab())
            except Exception as error:  # drivers raise anything at all; every one of them means: no camera
                self._lost(error.said if isinstance(error, ArenaCamError) else f"{type(error).__name__}: {error}")
                self._closing.wait(self._retry_s)
        self._free()

    def _put(self, grab: Grab) -> None:
        with self._changed:
            if self._start_clock_s is None:
                self._start_clock_s = grab.clock_s
            if len(self._frames) >= min(self._most_frames, BUFFERED_BYTES // grab.image_bgr.nbytes):
                self._frames.clear()
            self._frames.append(
                Frame(
                    image_bgr=grab.image_bgr,
                    time_s=grab.clock_s - self._start_clock_s,
                    sequence=self._sequence,
                    source=self.name,
                    name=f"{self.name}-{self._sequence:06d}".replace(":", "-"),
                    luma_small=grab.luma_small,
                    metadata=grab.metadata,
                )
            )
            self._sequence += 1
            self._loss = self._gone = None
            self._changed.notify_all()

    def _lost(self, why: str | Message) -> None:
        self._free()
        with self._changed:
            self._loss = self._gone = self._gone or why
            self._changed.notify_all()

    def _free(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            try:
                device.close()
            except Exception:  # a device that is already gone cannot be closed politely
                return


def clock_s() -> float:
    """The machine's monotonic clock, for devices that have none of their own."""
    return time.monotonic()
