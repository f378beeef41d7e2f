"""The live picture: drawn once for all who look, in one thread, and never after the end."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.lies import Reading, TablePose
from arena_cam.referee.pictures.live_view import LiveView


def frame(level: int) -> Frame:
    return Frame(np.full((40, 60, 3), level, np.uint8), level / 10, level, "test", str(level))


class Drawing:
    """Draws nothing, and notes who asked for it."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def __call__(
        self, image: Image, _reading: Reading | None, _pose: TablePose | None, _layers: tuple[str, ...]
    ) -> Image:
        self.threads.append(threading.get_ident())
        return image


def test_whoever_asks_the_picture_is_drawn_once_a_frame_and_always_in_the_same_thread() -> None:
    # OpenCV 5 loads its fonts anew, 6 MB, in every thread that writes a text: 300 web threads must not.
    drawing = Drawing()
    view = LiveView(drawing)
    with ThreadPoolExecutor(8) as viewers:
        for level in range(5):
            view.put(frame(level), None, None)
            pictures = list(viewers.map(lambda _: view.jpeg(("names",)), range(16)))
            assert len(set(pictures)) == 1
            assert pictures[0]
    assert len(drawing.threads) == 5
    assert len(set(drawing.threads)) == 1
    view.close()


def test_after_the_end_there_is_no_picture_and_nobody_waits_for_one() -> None:
    view = LiveView(Drawing())
    view.put(frame(1), None, None)
    view.close()
    assert view.jpeg(("names",)) is None
    assert view.wait_jpeg(-1, 5.0, ()) is None
