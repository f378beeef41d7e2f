"""A simulated table as a frame source."""

from __future__ import annotations

import time
from typing import Generic, Protocol, TypeVar

from arena_cam.camera.frame import Frame, Image

BUFFERED_S = 1.5  # as live cameras do: see camera/live.py


class MovingTable(Protocol):
    """A table on which things move as its clock goes on."""

    def advance(self, to_s: float) -> None: ...
    def picture(self) -> Image: ...


TableT = TypeVar("TableT", bound=MovingTable)
DirectedT = TypeVar("DirectedT", bound=MovingTable, contravariant=True)


class Director(Protocol[DirectedT]):
    """Decides what happens next on a table; asked before every frame."""

    def direct(self, table: DirectedT) -> None: ...


class SimulatedSource(Generic[TableT]):
    """Frames of a simulated table at `fps`.

    Live: time passes by itself, `speed` times as fast as on the wall; a reader that was busy for a moment still gets
    every frame, as from a camera that keeps the last ones, and one that is more than BUFFERED_S behind misses some. Not
    live: each `read` is the next frame of the table's own time, as fast as it is read. `frames` ends it after so many.
    """

    def __init__(
        self,
        table: TableT,
        director: Director[TableT] | None = None,
        *,
        fps: float = 15.0,
        live: bool = True,
        speed: float = 1.0,
        frames: int | None = None,
    ) -> None:
        self.table = table
        self.name = "sim"
        self.live = live
        self.fps = fps
        self._director = director
        self._speed = speed
        self._frames = frames
        self._next = 0
        self._started_s: float | None = None
        self._closed = False

    def read(self) -> Frame | None:
        """The next frame. Raises CameraLost while the simulated camera is unplugged; the next call goes on."""
        if self._closed or (self._frames is not None and self._next >= self._frames):
            return None
        if self.live:
            self._wait()
        sequence, self._next = self._next, self._next + 1
        time_s = sequence / self.fps
        if self._director is not None:
            self._director.direct(self.table)
        self.table.advance(time_s)
        return Frame(
            image_bgr=self.table.picture(),
            time_s=time_s,
            sequence=sequence,
            source=self.name,
            name=f"sim-{sequence:06d}",
        )

    def _wait(self) -> None:
        """Waits until the next frame is due; if it is overdue by more than BUFFERED_S, those in between are lost."""
        now_s = time.monotonic()
        if self._started_s is None:
            self._started_s = now_s - self._next / (self.fps * self._speed)
        due_s = self._started_s + self._next / (self.fps * self._speed)
        if now_s < due_s:
            time.sleep(due_s - now_s)
        elif now_s - due_s > BUFFERED_S:
            self._next = max(self._next, int((now_s - self._started_s) * self.fps * self._speed))

    def close(self) -> None:
        self._closed = True
