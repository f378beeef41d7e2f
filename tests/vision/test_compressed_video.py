"""A compressor's coarse corrections of a picture at rest are no motion; what moves in such a video is."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.camera.video import VideoSource
from arena_cam.vision.watching.attention import Attention, small_luma

SIZE = (960, 540)
STILL_FRAMES, SLIDING_FRAMES, REST_FRAMES = 30, 12, 20
FPS = 15.0
# From coming to rest to the place being ripe: the eye's own waiting, and one frame for the compressor.
SOON_FRAMES = 6
CARD_PX = (110, 160)


def table() -> NDArray[np.float64]:
    """A dark blue cloth, lighter to one side, round a brown tray: blue in dim light costs a compressor its accuracy."""
    across = np.linspace(0.5, 1.3, SIZE[0])[None, :, None] * np.ones((SIZE[1], 1, 1))
    picture: NDArray[np.float64] = across * np.array([70.0, 52.0, 42.0])
    grain = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 60, SIZE[::-1]), (0, 0), 5)
    picture[90:450, 300:650] = np.array([40.0, 66.0, 96.0]) + grain[90:450, 300:650, None]
    return picture


def with_card(picture: NDArray[np.float64], x: float) -> NDArray[np.float64]:
    """A red card with a pale rim whose left border is at `x`."""
    width, height = CARD_PX
    card = np.full((height, width, 3), (60.0, 50.0, 190.0))
    cv2.rectangle(card, (0, 0), (width - 1, height - 1), (200.0, 205.0, 210.0), 8)
    warp = np.array([[1, 0, x], [0, 1, 180]], np.float64)
    laid = cv2.warpAffine(card, warp, SIZE)
    mask = cv2.warpAffine(np.ones((height, width)), warp, SIZE)[:, :, None]
    return np.asarray(picture * (1 - mask) + laid * mask)


def scenes(pixels_a_frame: float) -> Iterator[NDArray[np.float64]]:
    """An empty table, a card that slides in, and rest."""
    empty = table()
    for _ in range(STILL_FRAMES):
        yield empty
    for step in range(SLIDING_FRAMES):
        yield with_card(empty, 340 + pixels_a_frame * step)
    for _ in range(REST_FRAMES):
        yield with_card(empty, 340 + pixels_a_frame * (SLIDING_FRAMES - 1))


@pytest.fixture(scope="module", params=[2.0, 18.0], ids=["slowly", "quickly"])
def attention_by_frame(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[list[bool]]:
    """For each frame of an MPEG-4 video: whether anything moved, anything changed, and what changed is ripe."""
    file = tmp_path_factory.mktemp("compressed") / "table.mp4"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    noise = np.random.default_rng(8)
    for scene in scenes(request.param):
        sensor = cv2.GaussianBlur(noise.normal(0, 3.0, scene.shape), (0, 0), 0.6)
        writer.write(np.clip(scene + sensor, 0, 255).round().astype(np.uint8))
    writer.release()
    source, attention, seen = VideoSource(file), Attention(FPS), []
    frame: Frame | None
    while (frame := source.read()) is not None:
        attention.take(frame, small_luma(frame))
        ripe = attention.ripe()
        seen.append([attention.quiet_for == 0, attention.something_changed, bool(ripe.any())])
        if ripe.any():
            attention.read(attention.still_for >= attention.rest_frames)
    assert len(seen) == STILL_FRAMES + SLIDING_FRAMES + REST_FRAMES
    return seen


def test_a_table_at_rest_is_at_rest_in_a_compressed_video(attention_by_frame: list[list[bool]]) -> None:
    assert [moved for moved, _, _ in attention_by_frame[5:STILL_FRAMES]].count(True) == 0


def test_a_sliding_card_is_seen_moving_in_a_compressed_video(attention_by_frame: list[list[bool]]) -> None:
    sliding = attention_by_frame[STILL_FRAMES : STILL_FRAMES + SLIDING_FRAMES]
    assert all(moved for moved, _, _ in sliding)


def test_a_card_in_a_compressed_video_is_read_as_soon_as_it_rests(attention_by_frame: list[list[bool]]) -> None:
    rest = STILL_FRAMES + SLIDING_FRAMES - 1
    assert not any(ripe for _, _, ripe in attention_by_frame[STILL_FRAMES : rest + 2])
    assert any(ripe for _, _, ripe in attention_by_frame[rest + 2 : rest + SOON_FRAMES])
    assert not attention_by_frame[-1][1], "once read, nothing is new"
