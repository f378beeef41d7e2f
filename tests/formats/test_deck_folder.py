"""A deck folder in the making keeps what was taken at the table, as it was taken."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck

SIZE_MM = (20.0, 30.0)


def png(level: int) -> bytes:
    return cv2.imencode(".png", np.full((60, 40, 3), level, np.uint8))[1].tobytes()


def test_a_folder_that_is_not_there_has_taken_nothing(tmp_path: Path) -> None:
    assert DeckFolder(tmp_path / "mine", SIZE_MM).taken() == {}


def test_a_better_picture_leaves_what_was_taken(tmp_path: Path) -> None:
    folder = DeckFolder(tmp_path, SIZE_MM)
    folder.put("red-1", png(90), 3.0, taken=True)
    folder.put("back", png(20), 3.0, taken=True)
    folder.improve("red-1", png(100))
    assert (tmp_path / "red-1.png").read_bytes() == png(100)
    assert {name: file.read_bytes() for name, file in folder.taken().items()} == {"red-1": png(90), "back": png(20)}
    assert [card.id for card in read_deck(tmp_path).cards] == ["red-1"]
    assert DeckFolder(tmp_path, None).taken() == folder.taken()


def test_a_picture_from_elsewhere_ends_what_was_taken(tmp_path: Path) -> None:
    folder = DeckFolder(tmp_path, SIZE_MM)
    folder.put("red-1", png(90), 3.0, taken=True)
    folder.put("red-1", png(120), 3.0)
    assert folder.taken() == {}
    assert (tmp_path / "red-1.png").read_bytes() == png(120)


def test_a_picture_from_a_photograph_is_known_until_another_is_put_in_its_place(tmp_path: Path) -> None:
    folder = DeckFolder(tmp_path, SIZE_MM)
    pngs = {"red-1": png(90), "red-2": png(91), "red-3": png(92), "back": png(20)}
    folder.photographed(pngs)
    for name, picture in pngs.items():
        folder.put(name, picture, 3.0)
    (tmp_path / "red-2.png").write_bytes(png(95))  # by hand
    folder.put("red-3", png(96), 3.0, taken=True)
    folder.photographed({"red-1": png(100)})  # and ended before it is put in
    folder = DeckFolder(tmp_path, None)
    told = {name: folder.is_photographed(name) for name in (*pngs, "red-4")}
    assert told == {"red-1": True, "red-2": False, "red-3": False, "back": True, "red-4": False}
