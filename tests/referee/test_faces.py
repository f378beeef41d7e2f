"""Small pictures of a deck's cards for pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from arena_cam.referee.pictures.faces import BACK, WIDTH_PX, FacePictures
from shared_decks import deck_in


def test_cards_and_their_back_are_shown_small_and_nothing_else(deck_folder: Path, tmp_path: Path) -> None:
    deck, faces = deck_in(deck_folder), FacePictures()
    for name in ("red-3", BACK):
        jpeg = faces.jpeg(deck, name)
        assert jpeg is not None
        assert len(jpeg) < 40_000
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape[1] == WIDTH_PX
        assert abs(image.shape[0] / image.shape[1] - deck.height_mm / deck.width_mm) < 0.02
    assert faces.jpeg(deck, "pink-1") is None
    assert faces.jpeg(None, "red-3") is None
    broken = replace(deck, back=tmp_path / "gone.png")
    assert faces.jpeg(broken, BACK) is None
