"""The pictures of a telephone as a live source."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera import phone
from arena_cam.camera.open_source import open_source
from arena_cam.camera.phone import MOST_SIDE_PX, STILL_FRAMES, PhoneSource
from arena_cam.domain.errors import BadPicture, CameraLost, PictureAwaited, Refused


def jpeg(level: int, size: tuple[int, int] = (90, 160)) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), level, np.uint8))[1].tobytes()


def level_of(source: PhoneSource) -> int:
    frame = source.read()
    assert frame is not None
    return int(frame.image_bgr[0, 0, 0])


def test_the_newest_picture_is_the_next_frame() -> None:
    source = PhoneSource(5.0)
    source.put(jpeg(50))
    source.put(jpeg(90))
    assert level_of(source) == 90
    source.put(jpeg(120))
    frame = source.read()
    assert frame is not None
    assert (frame.sequence, frame.source) == (1, "phone")


def test_a_photograph_stands_for_a_table_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "STILL_S", 0.001)
    monkeypatch.setattr(phone, "PATIENCE_S", 0.01)
    source = PhoneSource(5.0)
    source.put(jpeg(50), still=True)
    assert [level_of(source) for _ in range(STILL_FRAMES)] == [50] * STILL_FRAMES
    with pytest.raises(PictureAwaited, match="next photograph"):
        source.read()


def test_without_a_telephone_the_camera_is_lost_and_can_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "PATIENCE_S", 0.01)
    source = open_source("phone", pages=True)
    assert isinstance(source, PhoneSource)
    with pytest.raises(PictureAwaited, match="/camera"):
        source.read()
    source.put(jpeg(60))
    assert level_of(source) == 60
    with pytest.raises(CameraLost, match="/camera") as gone:
        source.read()
    assert not isinstance(gone.value, PictureAwaited)
    source.close()
    assert source.read() is None


def test_two_telephones_are_not_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    source = PhoneSource(5.0)
    source.put(jpeg(50), sender="one")
    with pytest.raises(Refused, match="another telephone"):
        source.put(jpeg(200), sender="other")
    source.put(jpeg(60), sender="one")
    assert level_of(source) == 60
    monkeypatch.setattr(phone, "PATIENCE_S", 0.0)  # the first one has been silent for long enough
    source.put(jpeg(200), sender="other")
    assert level_of(source) == 200


def test_what_is_torn_is_refused_and_a_large_photograph_made_smaller() -> None:
    source = PhoneSource(5.0)
    with pytest.raises(BadPicture):
        source.put(jpeg(60)[:-30])
    source.put(jpeg(60, (3000, 4000)))
    frame = source.read()
    assert frame is not None
    assert max(frame.image_bgr.shape) == MOST_SIDE_PX
