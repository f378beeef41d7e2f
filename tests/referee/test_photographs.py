"""A photograph that a person sends: kept as it came, upright for pages, or refused with what to do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import Refused
from arena_cam.referee.pictures import photographs


def jpeg(width: int = 60, height: int = 40) -> bytes:
    image = np.full((height, width, 3), 200, np.uint8)
    image[:, : width // 2] = (20, 20, 220)
    return cv2.imencode(".jpg", image)[1].tobytes()


def turned(content: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF orientation (EXIF 2.3, 4.6.4): a segment APP1 right after the start of the image."""
    tiff = b"MM\0*\0\0\0\x08" + b"\0\x01" + b"\x01\x12\0\x03\0\0\0\x01" + bytes([0, orientation, 0, 0]) + b"\0\0\0\0"
    body = b"Exif\0\0" + tiff
    return content[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + content[2:]


def test_the_bytes_are_kept_as_they_came_and_smaller_pictures_beside_them() -> None:
    content = jpeg(4000, 2000)
    files = photographs.take(content, "game", "Anna").files()
    assert files["photo.jpg"] == content
    view = cv2.imdecode(np.frombuffer(files["view.jpg"], np.uint8), cv2.IMREAD_COLOR)
    assert view is not None
    assert view.shape == (800, 1600, 3)


def test_a_telephone_held_upright_is_seen_upright() -> None:
    taken = photographs.take(turned(jpeg(60, 40), 6), "game", None)
    assert taken.size_px == (40, 60)


def test_the_same_bytes_have_one_name_and_another_players_another() -> None:
    content = jpeg()
    names = [photographs.take(content, game, who).name for game, who in (("g", "Anna"), ("g", "Anna"), ("g", "Ben"))]
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_photo"),
        (b"GIF89a" + b"\0" * 100, "no_photo"),
        (b"\0\0\0\x18ftypheic" + b"\0" * 100, "heic"),
        (jpeg()[:300], "photo_torn"),
        (
            jpeg().replace(b"\xff\xc0\x00\x11\x08\x00\x28\x00\x3c", b"\xff\xc0\x00\x11\x08\xff\xff\xff\xff"),
            "photo_large",
        ),
    ],
    ids=["nothing", "another kind", "HEIC", "torn", "4000 megapixels"],
)
def test_what_cannot_be_read_is_refused_with_the_remedy(content: bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        photographs.take(content, "game", "Anna")
    assert refused.value.code == "bad_argument"
    assert getattr(refused.value.said, "code", "") == code
