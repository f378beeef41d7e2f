"""Pictures of every kind become three channels of 8 bit, or are refused in one line that says what to do."""

from __future__ import annotations

import io
import random
import resource
import struct

import cv2
import numpy as np
import pytest
from PIL import Image as Pil

from arena_cam.camera.decoding import MOST_PIXELS, decode_picture
from arena_cam.domain.errors import BadPicture

RED_RGB = (200, 30, 40)


def picture(mode: str, kind: str, **options: object) -> bytes:
    """A red picture of 24 x 16 px, in a mode and a file format of Pillow's."""
    out = io.BytesIO()
    Pil.new("RGB", (24, 16), RED_RGB).convert(mode).save(out, kind, **options)
    return out.getvalue()


def pfm() -> bytes:
    return b"PF\n4 2\n-1.0\n" + np.full((2, 4, 3), 0.5, np.float32).tobytes()


def encoded(values: np.ndarray, ending: str) -> bytes:
    return bytes(cv2.imencode(ending, values)[1])


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("RGB", "PNG"), ("RGBA", "PNG"), ("P", "PNG"), ("RGB", "BMP"), ("RGB", "TIFF"), ("RGB", "WEBP"), ("RGB", "JPEG"),
     ("CMYK", "JPEG"), ("RGB", "PPM")],
)  # fmt: skip
def test_a_red_picture_is_red_in_every_format(mode: str, kind: str) -> None:
    image = decode_picture(picture(mode, kind), "red")
    assert (image.shape, image.dtype) == ((16, 24, 3), np.dtype(np.uint8))
    assert np.abs(image.reshape(-1, 3).mean(axis=0) - RED_RGB[::-1]).max() < 12


@pytest.mark.parametrize(("mode", "kind"), [("L", "PNG"), ("LA", "PNG"), ("1", "PNG"), ("L", "JPEG"), ("L", "TIFF")])
def test_a_grey_picture_has_three_equal_channels(mode: str, kind: str) -> None:
    image = decode_picture(picture(mode, kind), "grey")
    assert image.shape == (16, 24, 3)
    assert np.abs(np.diff(image.astype(int), axis=2)).max() <= 1


@pytest.mark.parametrize("ending", [".png", ".tif"])
def test_sixteen_bits_become_eight(ending: str) -> None:
    ramp = np.repeat(np.arange(0, 65536, 4096, dtype=np.uint16)[None], 4, axis=0)
    assert np.abs(decode_picture(encoded(ramp, ending), "ramp")[0, :, 0].astype(int) - ramp[0] // 257).max() <= 1


def test_the_first_of_several_pages_or_moving_pictures_is_taken() -> None:
    pages = [Pil.new("RGB", (24, 16), colour) for colour in (RED_RGB, (0, 0, 255))]
    out = io.BytesIO()
    pages[0].save(out, "TIFF", save_all=True, append_images=pages[1:])
    assert decode_picture(out.getvalue(), "pages")[5, 5, 2] == RED_RGB[0]


def test_a_picture_taken_with_the_telephone_turned_stands_upright() -> None:
    exif = Pil.Exif()
    exif[0x0112] = 6  # EXIF's Orientation: turn by 90 degrees clockwise to view
    assert decode_picture(picture("RGB", "JPEG", exif=exif), "turned").shape == (24, 16, 3)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b"hello", "is no picture"),
        (pfm(), "again"),
        (encoded(np.full((4, 4), 0.5, np.float32), ".tif"), "again"),
        (picture("RGB", "JPEG")[:-40], "torn"),
        (picture("RGB", "PNG")[:-20], "torn"),
        (b"\0\0\0\x18ftypheic" + bytes(40), "HEIC or AVIF picture, which is not read here; save it as JPEG"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000) + b"IEND", "has 60000 x 60000 pixels"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line_with_the_remedy(data: bytes, told: str) -> None:
    with pytest.raises(BadPicture) as refused:
        decode_picture(data, "a.jpg")
    assert told in str(refused.value)
    assert str(refused.value).startswith("a.jpg: ")
    assert "\n" not in str(refused.value)


def test_grey_is_handed_out_in_one_channel_where_it_was_asked_for() -> None:
    assert decode_picture(picture("RGB", "JPEG"), "g", cv2.IMREAD_REDUCED_GRAYSCALE_4).shape == (4, 6)


def test_the_limit_of_size_lets_a_telephones_picture_through() -> None:
    assert MOST_PIXELS > 8000 * 6000


@pytest.mark.parametrize("seed", range(20))
def test_damaged_files_are_read_or_refused_but_never_end_the_program(seed: int) -> None:
    chance = random.Random(seed)
    kinds = [("RGB", "PNG"), ("L", "PNG"), ("P", "GIF"), ("RGB", "TIFF"), ("RGB", "BMP"), ("RGB", "WEBP"),
             ("RGB", "JPEG"), ("CMYK", "JPEG"), ("RGB", "PPM")]  # fmt: skip
    for _ in range(60):
        data = bytearray(picture(*chance.choice(kinds)))
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            image = decode_picture(bytes(data[: chance.choice([None, None, chance.randrange(len(data))])]), "x")
        except BadPicture:
            continue
        assert (image.dtype, image.ndim, image.shape[2]) == (np.dtype(np.uint8), 3, 3)


def test_a_chunk_that_claims_gigabytes_is_refused_before_memory_is_asked_for() -> None:
    """OpenCV took 9 seconds and as much memory as the length of a damaged chunk said."""
    whole = picture("RGB", "PNG")
    at = whole.index(b"IDAT") - 4
    claims = whole[:at] + b"\x7f\xff\xff\xff" + whole[at + 4 :]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadPicture, match="torn"):
        decode_picture(claims, "a.png")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000, "kilobytes"
    assert decode_picture(whole + b"behind its end", "a.png").shape[2] == 3
