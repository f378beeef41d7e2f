"""A picture that lost its finest print is noticed, one that is darker or partly covered is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.picture.sharpness import Sharpness, fineness

Grey = NDArray[np.uint8]


def table() -> Grey:
    grain = np.random.default_rng(1).normal(0, 50, (90, 160)).astype(np.float32)
    return np.clip(120 + cv2.resize(grain, (320, 180)), 0, 255).astype(np.uint8)


def blurred(picture: Grey, sigma_px: float) -> Grey:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


def covered() -> Grey:
    picture = table()
    picture[:, :160] = 90
    return picture


@pytest.mark.parametrize(
    ("picture", "lost"),
    [
        (table(), False),
        ((table() * 0.4 + 5).astype(np.uint8), False),
        (covered(), False),
        (blurred(table(), 0.3), False),
        (blurred(table(), 2.5), True),
    ],
    ids=["same", "dimmed", "half covered", "a little soft", "blurred"],
)
def test_each_kind_of_picture(picture: Grey, lost: bool) -> None:
    sharpness = Sharpness()
    assert not sharpness.lost(table())
    assert sharpness.lost(picture) is lost


def test_it_is_said_once_and_again_after_it_was_sharp() -> None:
    sharpness = Sharpness()
    sharp, soft = table(), blurred(table(), 2.5)
    assert [sharpness.lost(each) for each in (sharp, soft, soft, sharp, soft)] == [False, True, False, False, True]


def test_a_picture_without_print_has_no_sharpness() -> None:
    assert fineness(np.full((180, 320), 120, np.uint8)) is None
    assert not Sharpness().lost(np.full((180, 320), 120, np.uint8))
