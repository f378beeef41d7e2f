"""A throw is kept with the seconds before it, and a quiet table costs almost no memory."""

from __future__ import annotations

import numpy as np

from arena_cam.camera.decoding import decode_picture
from arena_cam.camera.frame import Frame
from arena_cam.referee.pictures.frame_ring import KEPT_FRAMES, QUIET_FRAMES, FrameRing, thumbnail


def frame(number: int, fps: float = 15.0) -> Frame:
    image = np.full((48, 64, 3), number % 250, np.uint8)
    return Frame(image, number / fps, number, "test", f"f{number}")


def times(ring: FrameRing) -> list[int]:
    return [round(time_s * 15) for time_s, _ in ring.take()]


def test_quiet_frames_soon_go_and_moving_ones_stay() -> None:
    ring = FrameRing()
    for number in range(40):
        ring.add(frame(number), quiet=True)
    assert times(ring) == list(range(40 - QUIET_FRAMES, 40))
    for number in range(40, 60):
        ring.add(frame(number), quiet=False)
    assert times(ring) == list(range(40 - QUIET_FRAMES, 60)), "from before the throw until it rests"


def test_never_more_than_a_few_seconds_are_kept_however_long_it_moves() -> None:
    ring = FrameRing()
    for number in range(500):
        ring.add(frame(number), quiet=False)
    assert times(ring) == list(range(500 - KEPT_FRAMES, 500))


def test_a_quick_camera_is_thinned_out() -> None:
    ring = FrameRing()
    for number in range(120):
        ring.add(frame(number, fps=60.0), quiet=False)
    kept = [time_s for time_s, _ in ring.take()]
    assert 25 <= len(kept) <= 31
    assert kept == sorted(kept)


def test_a_camera_that_starts_anew_is_kept_too() -> None:
    ring = FrameRing()
    ring.add(frame(100), quiet=False)
    ring.add(frame(0), quiet=False)
    assert times(ring) == [100, 0]


def test_pictures_come_back_as_they_were() -> None:
    ring = FrameRing()
    ring.add(frame(120), quiet=False)
    image = decode_picture(ring.take()[0][1], "f120")
    assert image.shape == (48, 64, 3)
    assert abs(int(image.mean()) - 120) <= 1


def test_a_thumbnail_shows_the_card_even_at_the_pictures_rim() -> None:
    for corners in (((10, 10), (30, 10), (30, 40), (10, 40)), ((-30, -30), (-9, -30), (-9, -5), (-30, -5))):
        assert decode_picture(thumbnail(frame(1), corners), "t").size > 0
