"""Live cameras: every frame for readers busy for a moment, the newest for slow ones, coming back after a loss."""

from __future__ import annotations

import queue
import threading

import numpy as np
import pytest

from arena_cam.camera.live import Grab, LiveSource
from arena_cam.domain.errors import CameraLost, CannotDo
from arena_cam.domain.messages import AsRecorded


class Plug:
    """A camera on a wire that tests can pull: hands out what is put into it, fails while it is out."""

    def __init__(self) -> None:
        self.pictures: queue.Queue[int | Exception] = queue.Queue()
        self.opened = 0
        self.closed = 0
        self.there = threading.Event()
        self.there.set()

    def open(self) -> Plug:
        if not self.there.is_set():
            raise CannotDo(AsRecorded.AS_RECORDED(text="usb:0: no camera answers there"))
        self.opened += 1
        return self

    def grab(self) -> Grab:
        item = self.pictures.get(timeout=5)
        if isinstance(item, Exception):
            raise item
        return Grab(np.full((4, 6, 3), item, np.uint8), 100.0 + item / 10)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def plug() -> Plug:
    return Plug()


def source_on(plug: Plug) -> LiveSource:
    return LiveSource("usb:0", plug.open, 15.0, patience_s=2.0, retry_s=0.02)


def wait_until_taken(plug: Plug) -> None:
    while not plug.pictures.empty():
        threading.Event().wait(0.005)
    threading.Event().wait(0.05)


def test_a_reader_that_was_busy_for_half_a_second_misses_nothing(plug: Plug) -> None:
    source = source_on(plug)
    for level in range(8):
        plug.pictures.put(level)
    wait_until_taken(plug)
    frames = [source.read() for _ in range(8)]
    assert [frame.sequence for frame in frames if frame is not None] == list(range(8))
    assert [int(frame.image_bgr[0, 0, 0]) for frame in frames if frame is not None] == list(range(8))
    plug.pictures.put(RuntimeError("end"))
    source.close()


def test_slow_readers_go_on_with_the_newest_frame_and_see_that_they_missed_some(plug: Plug) -> None:
    source = source_on(plug)
    plug.pictures.put(0)
    first = source.read()
    for level in range(1, 24):  # one more than 1.5 s of frames
        plug.pictures.put(level)
    wait_until_taken(plug)
    newest = source.read()
    assert first is not None
    assert newest is not None
    assert (first.sequence, first.time_s) == (0, 0.0)
    assert newest.sequence == 23
    assert newest.time_s == pytest.approx(2.3)
    assert int(newest.image_bgr[0, 0, 0]) == 23
    plug.pictures.put(RuntimeError("end"))
    source.close()


def test_a_lost_camera_is_told_once_and_comes_back_by_itself(plug: Plug) -> None:
    source = source_on(plug)
    plug.pictures.put(1)
    assert source.read() is not None
    plug.there.clear()
    plug.pictures.put(OSError("unplugged"))
    with pytest.raises(CameraLost, match="unplugged"):
        source.read()
    plug.there.set()
    plug.pictures.put(7)
    frame = None
    while frame is None:  # it may still tell of a try in vain
        try:
            frame = source.read()
        except CameraLost:
            continue
    assert int(frame.image_bgr[0, 0, 0]) == 7
    assert frame.sequence == 1
    assert plug.opened == 2
    assert plug.closed == 1
    plug.pictures.put(RuntimeError("end"))
    source.close()


def test_a_camera_that_is_tried_in_vain_is_gone_for_the_reason_for_which_it_went(plug: Plug) -> None:
    source = source_on(plug)
    plug.pictures.put(1)
    assert source.read() is not None
    plug.there.clear()
    plug.pictures.put(OSError("unplugged"))
    told = set()
    for _ in range(3):  # gone, then twice not there
        with pytest.raises(CameraLost) as lost:
            source.read()
        told.add(str(lost.value))
    assert told == {"usb:0: the camera is gone (OSError: unplugged); plug it in again, it is tried every second"}
    plug.there.set()
    plug.pictures.put(RuntimeError("end"))
    source.close()


def test_a_camera_that_is_not_there_is_told_at_once(plug: Plug) -> None:
    plug.there.clear()
    with pytest.raises(CannotDo):
        source_on(plug)


def test_silence_is_a_loss(plug: Plug) -> None:
    source = LiveSource("usb:0", plug.open, 15.0, patience_s=0.1, retry_s=0.02)
    with pytest.raises(CameraLost, match="no picture for"):
        source.read()
    plug.pictures.put(3)
    assert source.read() is not None
    plug.pictures.put(RuntimeError("end"))
    source.close()


def test_closing_ends_the_thread_and_frees_the_device(plug: Plug) -> None:
    source = source_on(plug)
    plug.pictures.put(1)
    source.read()
    plug.pictures.put(2)
    source.close()
    source.close()
    assert source.read() is None
    assert plug.closed == 1
