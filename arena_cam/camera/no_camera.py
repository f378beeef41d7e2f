"""A source for games that need no camera: it never shows anything, and waits."""

from __future__ import annotations

import threading

from arena_cam.camera.frame import Frame

NO_CAMERA = "none"


class NoCamera:
    """FrameSource without a picture: `read` waits until it is closed."""

    name, live, fps = NO_CAMERA, True, 1.0

    def __init__(self) -> None:
        self._closed = threading.Event()

    def read(self) -> Frame | None:
        self._closed.wait()
        return None

    def close(self) -> None:
        self._closed.set()
