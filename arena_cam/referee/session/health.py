"""Counters of a running session: the states of eye and camera, and how long frames and rulings take."""

from __future__ import annotations

import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import TablePose
from arena_cam.domain.messages import Message, in_words, message_to_json
from arena_cam.referee.interface import CameraSnapshot, EyeSnapshot
from arena_cam.referee.pictures.frame_ring import light_and_focus

Json = dict[str, Any]
# The rate is measured over this many frames; figures of speed over as many rulings.
RECENT = 60
EYE_LOG = 200
# Light and focus are measured once in this many frames: people only read them.
LOOK_EVERY = 30


class Gauges:
    """Written by the session's thread, read by any."""

    def __init__(self, clock: Callable[[], float], version: str, source: str, fps: float, live: bool) -> None:
        self._clock = clock
        self._version = version
        self._started = time.monotonic()
        self._source, self._nominal_fps, self._live = source, fps, live
        self._lock = threading.Lock()
        self._eye: EyeSnapshot = {"state": "settling", "since": clock(), "why": "", "doubts": []}
        self._eye_log: deque[Json] = deque(maxlen=EYE_LOG)
        self._connected, self._frozen = True, False
        self._why: Message | None = None
        self._size = (0, 0)
        self._count, self._dropped, self._errors, self._last_error = 0, 0, 0, ""
        self._last_sequence: int | None = None
        self._times: deque[float] = deque(maxlen=RECENT)
        self._work_ms: deque[float] = deque(maxlen=RECENT)
        self._delays_s: deque[float] = deque(maxlen=RECENT)
        self._light: float | None = None
        self._focus: float | None = None
        self._pose: TablePose | None = None

    def frame(self, frame: Frame, work_s: float, pose: TablePose | None) -> None:
        with self._lock:
            if self._last_sequence is not None and frame.sequence > self._last_sequence:
                self._dropped += frame.sequence - self._last_sequence - 1
            self._last_sequence = frame.sequence
            self._times.append(time.monotonic())
            self._work_ms.append(work_s * 1000)
            self._pose = pose
            look = self._count % LOOK_EVERY == 0
            self._count += 1
        if look:
            height, width = frame.image_bgr.shape[:2]
            light, focus = light_and_focus(frame)
            with self._lock:
                self._size, self._light, self._focus = (width, height), round(light, 1), round(focus, 1)

    def bad_frame(self, why: str) -> None:
        with self._lock:
            self._errors += 1
            self._last_error = why

    def eye(self, state: str, why: tuple[Message, ...]) -> None:
        with self._lock:
            since = self._clock() if state != self._eye["state"] else self._eye["since"]
            said: Json = {"why": in_words(why), "doubts": [message_to_json(doubt) for doubt in why]}
            self._eye = cast(EyeSnapshot, {"state": state, "since": since} | said)
            self._eye_log.append({"at": self._clock(), "state": state} | said)
            self._frozen = any(doubt.sentence is Doubt.PICTURE_FROZEN for doubt in why)

    def lost(self, why: Message) -> bool:
        """Notes that the camera is gone. Returns True if it was there until now."""
        with self._lock:
            news = self._connected or why != self._why
            self._connected, self._why = False, why
            self._times.clear()
            return news

    def found(self) -> bool:
        """Notes that a frame came. Returns True if the camera had been gone."""
        with self._lock:
            news = not self._connected
            self._connected, self._why = True, None
            return news

    def ruled(self, rested_s: Iterable[float], now_s: float) -> None:
        """Cards that came to rest at `rested_s` were written down at `now_s`, both of the source."""
        with self._lock:
            self._delays_s.extend(max(0.0, now_s - each) for each in rested_s)

    def eye_snapshot(self) -> EyeSnapshot:
        with self._lock:
            if not self._connected:
                doubts = [message_to_json(self._why)] if self._why is not None else []
                return {"state": "blind", "since": self._eye["since"], "why": str(self._why or ""), "doubts": doubts}
            return self._eye

    def camera_snapshot(self) -> CameraSnapshot:
        with self._lock:
            return {
                "source": self._source,
                "connected": self._connected,
                "why": str(self._why or ""),
                "width": self._size[0],
                "height": self._size[1],
                "fps": self._fps(),
                "nominal_fps": self._nominal_fps,
                "frames": self._count,
                "dropped": self._dropped,
                "frozen": self._frozen,
                "live": self._live,
            }

    def _fps(self) -> float:
        if len(self._times) < 2 or self._times[-1] <= self._times[0]:
            return 0.0
        return round((len(self._times) - 1) / (self._times[-1] - self._times[0]), 2)

    def health(self) -> Json:
        camera, eye = self.camera_snapshot(), self.eye_snapshot()
        with self._lock:
            return {
                "version": self._version,
                "uptime_s": round(time.monotonic() - self._started, 1),
                "eye": eye,
                "eye_log": list(self._eye_log),
                "camera": camera,
                "focus": self._focus,
                "light": self._light,
                "fiducials": list(self._pose.fiducials) if self._pose is not None else None,
                "reprojection_px": round(self._pose.reprojection_px, 3) if self._pose is not None else None,
                "rest_to_ruling_s": _spread(self._delays_s),
                "frame_ms": _spread(self._work_ms),
                "frame_errors": self._errors,
                "last_frame_error": self._last_error or None,
                "threads": threading.active_count(),
                "rss_bytes": _resident_bytes(),
            }


def _spread(values: deque[float]) -> Json:
    if not values:
        return {"last": None, "median": None, "worst": None}
    return {
        "last": round(values[-1], 3),
        "median": round(statistics.median(values), 3),
        "worst": round(max(values), 3),
    }


def _resident_bytes() -> int | None:
    """Resident memory in bytes as Linux counts it; None on systems that do not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096
    except (OSError, ValueError, IndexError):
        return None
