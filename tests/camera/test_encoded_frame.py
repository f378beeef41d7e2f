"""A frame that stays compressed shows the same picture as one that was decoded at once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera.encoded_frame import EncodedFrame
from arena_cam.domain.errors import BadPicture


def jpeg(width: int, height: int) -> bytes:
    ramp = np.linspace(0, 255, width, dtype=np.uint8)
    picture = np.repeat(np.tile(ramp, (height, 1))[:, :, None], 3, axis=2)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def frame(encoded: bytes) -> EncodedFrame:
    return EncodedFrame(encoded, time_s=0.2, sequence=3, source="folder", name="3.jpg")


def test_the_picture_is_the_decoded_one() -> None:
    encoded = jpeg(320, 160)
    expected = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    assert expected is not None
    assert np.array_equal(frame(encoded).image_bgr, expected)


@pytest.mark.parametrize(("width", "small"), [(960, 240), (1536, 384), (4000, 500)])
def test_the_small_picture_is_a_fraction_of_the_large(width: int, small: int) -> None:
    luma = frame(jpeg(width, 256)).luma_small
    assert luma is not None
    assert luma.shape[1] == small
    assert luma.dtype == np.uint8


def test_bytes_that_are_no_picture_are_refused_when_looked_at() -> None:
    made = frame(b"no picture at all")
    with pytest.raises(BadPicture, match=r"3\.jpg"):
        _ = made.luma_small
    with pytest.raises(BadPicture, match=r"3\.jpg"):
        _ = made.image_bgr


def test_time_and_source_are_kept() -> None:
    made = frame(jpeg(64, 64))
    assert (made.time_s, made.sequence, made.source, made.name, made.metadata) == (0.2, 3, "folder", "3.jpg", {})
