"""The steps of a small convolutional network, on pictures small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.indices.convolution import convolved, in_fours, pooled, windows

RAMP = np.arange(2 * 4 * 5, dtype=np.float32).reshape(2, 4, 5, 1)


def test_windows_are_three_by_three_of_every_place() -> None:
    seen = windows(RAMP)
    assert seen.shape == (2, 2, 3, 9)
    assert seen[1, 1, 2].reshape(3, 3).tolist() == RAMP[1, 1:4, 2:5, 0].tolist()


def test_a_convolution_sums_what_is_weighed_and_leaves_nothing_below_zero() -> None:
    mean = np.full((9, 1), 1 / 9, np.float32)
    sums = convolved(RAMP, np.hstack([mean, -mean]), np.array([0.5, 0.0], np.float32))
    assert sums[0, 0, 0] == pytest.approx([RAMP[0, :3, :3].mean() + 0.5, 0.0])


def test_channels_stay_apart() -> None:
    both = np.concatenate([RAMP, 100 - RAMP], axis=3)
    second_only = np.concatenate([np.zeros(9), np.full(9, 1 / 9)])[:, None].astype(np.float32)
    assert convolved(both, second_only, np.zeros(1, np.float32))[0, 0, 0, 0] == pytest.approx(
        100 - RAMP[0, :3, :3].mean()
    )


def test_the_greatest_of_four_is_kept_and_an_odd_column_left_out() -> None:
    assert in_fours(RAMP).shape == (2, 2, 2, 2, 2, 1)
    assert pooled(RAMP)[0, :, :, 0].tolist() == [[6.0, 8.0], [16.0, 18.0]]
