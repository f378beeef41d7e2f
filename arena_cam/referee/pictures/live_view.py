"""The newest picture for whoever looks: encoded once a frame and set of layers, and only when somebody asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from arena_cam.camera.encoded_frame import EncodedFrame
from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.errors import BadPicture
from arena_cam.domain.lies import Reading, TablePose
from arena_cam.referee.interface import LAYERS
from arena_cam.referee.pictures.frame_ring import to_jpeg

# Puts layers over a picture: image, what was read last, the pose, and which layers -> the picture with them.
Draw = Callable[[Image, Reading | None, TablePose | None, tuple[str, ...]], Image]
# Hides what must not be seen while choices are secret: image, the pose -> the picture without it.
Hide = Callable[[Image, TablePose | None], Image]


class LiveView:
    """One latest-frame slot; slow viewers skip.

    All pictures are drawn in one thread of their own: OpenCV 5 loads its fonts once for every thread that writes text,
    6 MB each, and a web server has hundreds.
    """

    def __init__(self, draw: Draw | None, hide: Hide | None = None) -> None:
        self._draw, self._hide = draw, hide
        self._news = threading.Condition()
        self._number = 0
        self._newest: tuple[Frame, Reading | None, TablePose | None, bool] | None = None
        self._encoding = threading.Lock()
        self._encoded: dict[tuple[str, ...], tuple[int, bytes]] = {}
        self._drawing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live view")
        self._closed = False

    def use(self, draw: Draw | None, hide: Hide | None) -> None:
        """Draws and hides with these from now on."""
        with self._encoding:
            self._draw, self._hide = draw, hide
            self._encoded.clear()

    @property
    def newest(self) -> Frame | None:
        newest = self._newest
        return newest[0] if newest is not None else None

    def put(self, frame: Frame, reading: Reading | None, pose: TablePose | None, *, secret: bool = False) -> None:
        """The newest frame; in a `secret` one is hidden what must not be seen yet."""
        with self._news:
            self._number += 1
            self._newest = (frame, reading, pose, secret)
            self._news.notify_all()

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()
        with self._encoding:
            self._drawing.shutdown(wait=False)

    def jpeg(self, layers: tuple[str, ...]) -> bytes | None:
        """The newest picture as JPEG; None before the first frame and after `close`."""
        found = self._newest_jpeg(layers)
        return found[1] if found is not None else None

    def wait_jpeg(self, after: int, timeout_s: float, layers: tuple[str, ...]) -> tuple[int, bytes] | None:
        """The newest picture with its number if that is greater than `after`, waiting for one."""
        with self._news:
            if not self._news.wait_for(lambda: self._closed or self._number > after, timeout_s) or self._closed:
                return None
        return self._newest_jpeg(layers)

    def _newest_jpeg(self, layers: tuple[str, ...]) -> tuple[int, bytes] | None:
        wanted = tuple(layer for layer in LAYERS if layer in layers) if self._draw is not None else ()
        with self._encoding:
            with self._news:
                number, newest = self._number, self._newest
                closed = self._closed
            if newest is None or closed:
                return None
            known = self._encoded.get(wanted)
            if known is None or known[0] != number:
                try:
                    known = (number, self._drawing.submit(self._encode, *newest, wanted).result())
                except BadPicture:
                    return known  # the one before, if there was one; the fault is counted where frames are watched
                self._encoded[wanted] = known
            return known

    def _encode(
        self, frame: Frame, reading: Reading | None, pose: TablePose | None, secret: bool, layers: tuple[str, ...]
    ) -> bytes:
        hide = self._hide if secret else None
        if hide is not None or (layers and self._draw is not None):
            image = hide(frame.image_bgr, pose) if hide is not None else frame.image_bgr
            return to_jpeg(self._draw(image, reading, pose, layers) if layers and self._draw is not None else image)
        if isinstance(frame, EncodedFrame) and frame.encoded[:2] == b"\xff\xd8":
            return frame.encoded
        return to_jpeg(frame.image_bgr)
