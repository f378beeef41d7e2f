"""What three channels are together and which is greatest, as numpy says it, only sooner."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.picture.channels import greatest, summed, tells_something, where_greatest

PICTURE = np.random.default_rng(2).integers(0, 4, (30, 40, 3)).astype(np.float32)  # many channels are alike


def test_the_sum_of_channels_is_numpy_s() -> None:
    assert np.allclose(summed(PICTURE), PICTURE.sum(axis=2))


def test_the_greatest_channel_is_numpy_s() -> None:
    assert np.array_equal(greatest(PICTURE), PICTURE.max(axis=2))
    assert np.array_equal(greatest(PICTURE[0]), PICTURE[0].max(axis=1))


def test_others_are_taken_where_it_is_and_of_equal_ones_the_first() -> None:
    other = np.arange(PICTURE.size, dtype=np.float64).reshape(PICTURE.shape)
    expected = np.take_along_axis(other, PICTURE.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
    (found,) = where_greatest(PICTURE, other)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(("white", "telling"), [(0, 10), (5, 10), (9, 1), (10, 0)])
def test_what_is_as_white_as_a_picture_gets_tells_something_where_ink_lies_beside_it(white: int, telling: int) -> None:
    seen = np.full((10, 3), 90.0)
    seen[:white] = 254.0
    assert int(tells_something(seen).sum()) == telling
