"""Pictures of a set's folder: transparent, grey, torn."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import BadPicture
from arena_cam.vision.printed.pictures import read_image


def test_what_is_transparent_takes_the_colour_beside_it(tmp_path: Path) -> None:
    """A red disc on nothing: its rim must not darken when it is made smaller."""
    picture = np.zeros((90, 104, 4), np.uint8)
    cv2.circle(picture, (52, 45), 40, (0, 0, 220, 255), -1)
    file = tmp_path / "disc.png"
    cv2.imwrite(str(file), picture)
    image = read_image(file)
    assert image.shape == (90, 104, 4)
    assert (image[:, :, 2] == 220).all()
    assert np.array_equal(image[:, :, 3], picture[:, :, 3])


def test_a_grey_picture_has_three_channels(tmp_path: Path) -> None:
    file = tmp_path / "grey.png"
    cv2.imwrite(str(file), np.full((90, 104), 77, np.uint8))
    image = read_image(file)
    assert image.shape == (90, 104, 3)
    assert (image == 77).all()


@pytest.mark.parametrize("content", [None, b"", b"no picture at all"])
def test_a_picture_that_cannot_be_read_is_named_with_the_remedy(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "torn.png"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadPicture, match=r"torn\.png: .*(copy it again|check the name)"):
        read_image(file)


def test_sixteen_bits_a_channel_become_eight(tmp_path: Path) -> None:
    file = tmp_path / "deep.png"
    cv2.imwrite(str(file), np.full((4, 4, 3), 40 * 257, np.uint16))
    assert (read_image(file) == 40).all()
