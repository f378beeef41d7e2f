"""Whatever kind of picture comes in by whichever entrance, it is taken or refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from arena_cam.camera.decoding import decode_picture, decode_with_opacity
from arena_cam.camera.folder import read_picture
from arena_cam.camera.phone import PhoneSource
from arena_cam.domain.errors import ArenaCamError
from arena_cam.referee.pictures import photographs
from arena_cam.vision.printed.pictures import read_image
from attacks.picture_kinds import STRIPS, every_kind, picture

ENTRANCES: dict[str, Callable[[bytes, Path], object]] = {
    "judge, watch, calibrate, deck learn": lambda _, file: read_picture(file),
    "a deck's face": lambda content, file: decode_picture(content, file.name),
    "a set's tile, board, card or token": lambda _, file: read_image(file),
    "a telephone that films": lambda content, _: PhoneSource(5.0).put(content),
    "a photograph of a board or a dilemma": lambda content, _: photographs.take(content, "game", "Anna").files(),
}
# What must be taken everywhere: what telephones and cameras make.
TAKEN = {"RGB.jpeg", "L.jpeg", "CMYK.jpeg", "RGB.png", "RGBA.png", "I16.png", "RGB.webp", "turned-6.jpg"}


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_every_kind_is_taken_or_refused_in_one_line(entrance: str, tmp_path: Path) -> None:
    taken, said = set(), {}
    for name, content in every_kind().items():
        file = tmp_path / name
        file.write_bytes(content)
        try:
            ENTRANCES[entrance](content, file)
            taken.add(name)
        except ArenaCamError as error:
            said[name] = str(error)
    assert {name: told for name, told in said.items() if not told or "\n" in told or "OpenCV" in told} == {}
    assert taken >= TAKEN
    refused = ("strip", "torn", "huge", "empty", "float", "text")
    assert [name for name in taken if name.startswith(refused)] == []


def test_a_strip_is_said_to_be_one() -> None:
    """Made smaller, as all pictures are, it had no pixel left, and the program ended."""
    for size in STRIPS:
        with pytest.raises(ArenaCamError, match="a strip; give the whole picture"):
            photographs.take(picture("RGB", "PNG", size), "game", "Anna")
    assert decode_picture(picture("RGB", "PNG", (400, 40)), "a panorama").shape == (40, 400, 3)


def test_only_what_says_how_opaque_it_is_has_a_fourth_channel() -> None:
    """The black of a CMYK picture was taken for opacity."""
    shapes = {name: decode_with_opacity(every_kind()[name], name).shape[2] for name in ("RGBA.png", "CMYK.tiff")}
    assert shapes == {"RGBA.png": 4, "CMYK.tiff": 3}
    grey = decode_with_opacity(picture("L", "PNG"), "grey")
    assert np.array_equal(grey[:, :, 0], grey[:, :, 2])
