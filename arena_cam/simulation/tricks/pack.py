"""A drawn pack of 52 as a deck folder."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.deck_toml import save_deck
from arena_cam.formats.messages import FileTrouble
from arena_cam.formats.whole_file import write_whole
from arena_cam.simulation.things.ordinary_pack import RANKS, SUITS, PackStyle, draw_back, draw_face

CORNER_MM = 3.2


def write_pack(folder: Path, style: PackStyle) -> Path:
    """The folder of a pack that looks as `style` says: 52 faces, the back and deck.toml. Raises CannotDo."""
    names = [rank + suit for suit in SUITS for rank in RANKS]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            write_whole(folder / f"{name}.png", _png(draw_face(style, name)))
        write_whole(folder / "back.png", _png(draw_back(style)))
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=folder) from None
    cards = tuple(Card(name, folder / f"{name}.png") for name in names)
    save_deck(folder, Deck("a drawn pack", style.width_mm, style.height_mm, CORNER_MM, cards, folder / "back.png"))
    return folder


def _png(image: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".png", image)[1].tobytes()
