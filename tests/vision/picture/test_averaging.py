"""Many frames at rest are one better frame, and the table is remembered part by part."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.picture.averaging import LastRead, averaged
from vision.small import frame

LEFT = np.array([[True, False]])


def even(grey: int, shape: tuple[int, int] = (4, 6)) -> np.ndarray:
    return np.full((*shape, 3), grey, np.uint8)


def test_one_frame_is_its_own_average() -> None:
    only = frame(even(7))
    assert averaged([only]) is only


@pytest.mark.parametrize(("greys", "mean"), [((10, 20), 15), ((10, 10, 40), 20), ((255, 255, 255, 255), 255)])
def test_the_mean_bears_the_name_and_time_of_the_last(greys: tuple[int, ...], mean: int) -> None:
    result = averaged([frame(even(grey), time_s=k, sequence=k) for k, grey in enumerate(greys)])
    assert np.all(result.image_bgr == mean)
    last = len(greys) - 1
    assert (result.time_s, result.sequence, result.name) == (last, last, f"{last}.png")


def test_noise_falls_with_the_root_of_the_number_of_frames() -> None:
    rng = np.random.default_rng(0)
    noisy = [frame(np.clip(rng.normal(128, 8, (60, 80, 3)), 0, 255).astype(np.uint8)) for _ in range(16)]
    assert np.std(averaged(noisy).image_bgr) == pytest.approx(8 / 4, rel=0.1)


def test_nothing_is_known_before_anything_was_read() -> None:
    last = LastRead()
    last.forget(LEFT)
    assert last.image is None


def test_each_part_is_as_it_was_when_it_was_at_rest() -> None:
    last = LastRead()
    last.accept(even(50), np.ones((1, 2), bool))
    last.accept(even(90), LEFT)
    assert last.image is not None
    assert np.all(last.image[:, :3] == 90)
    assert np.all(last.image[:, 3:] == 50)


def test_what_was_never_at_rest_is_black() -> None:
    last = LastRead()
    last.accept(even(90), LEFT)
    assert last.image is not None
    assert np.all(last.image[:, 3:] == 0)


def test_what_is_forgotten_is_black_and_the_rest_stays() -> None:
    last = LastRead()
    last.accept(even(90), np.ones((1, 1), bool))
    last.forget(LEFT)
    assert last.image is not None
    assert np.all(last.image[:, :3] == 0)
    assert np.all(last.image[:, 3:] == 90)


def test_a_picture_of_another_size_keeps_nothing_of_the_last() -> None:
    last = LastRead()
    last.accept(even(90), np.ones((1, 1), bool))
    last.accept(even(30, (8, 12)), LEFT)
    assert last.image is not None
    assert np.all(last.image[:, 6:] == 0)
