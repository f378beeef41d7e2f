"""A deck's pictures as plates, reduced to the scale at which the camera sees them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadDeck, BadPicture
from arena_cam.simulation.rendering.plates import Plate
from arena_cam.simulation.rendering.textures import srgb_to_linear
from arena_cam.simulation.things.resting import CardSize

PAPER = 0.88  # a printed sheet's white reflects so much
BACK = ""  # the name under which the back is kept
MOST_PLATES = 20  # half a megabyte each; no pile is as large


class Faces:
    """The plates of a deck's cards at `px_per_mm` of the picture, read when asked for; the last few are kept."""

    def __init__(self, deck: Deck, px_per_mm: float, gloss: float) -> None:
        self.deck = deck
        self.size = CardSize(deck.width_mm, deck.height_mm, deck.corner_radius_mm)
        self._scale = px_per_mm
        self._gloss = gloss
        self._plates: dict[str, Plate] = {}

    def face(self, card: str) -> Plate:
        """The face of a card. KeyError for a card that the deck does not have, BadDeck for a torn picture."""
        return self._kept(card, lambda: _read(self.deck.by_id[card].image))

    def back(self) -> Plate:
        """The deck's back; plain dark blue paper where the deck has no picture of it."""
        plain = np.full((88, 63, 3), (92, 60, 40), np.uint8)
        return self._kept(BACK, lambda: plain if self.deck.back is None else _read(self.deck.back))

    def _kept(self, name: str, read: Callable[[], NDArray[np.uint8]]) -> Plate:
        """The plate of that name, made if need be; the one not asked for the longest makes way."""
        plate = self._plates.pop(name, None) or self._plate(read())
        self._plates[name] = plate
        if len(self._plates) > MOST_PLATES:
            del self._plates[next(iter(self._plates))]
        return plate

    def _plate(self, image: NDArray[np.uint8]) -> Plate:
        colour = np.asarray(srgb_to_linear(image) * PAPER, np.float32)
        size = self.size
        plate = Plate(size.width_mm, size.height_mm, colour, size.corner_radius_mm, gloss=self._gloss)
        return plate.reduced(self._scale)


def _read(file: Path) -> NDArray[np.uint8]:
    try:
        return read_picture(file)
    except BadPicture as error:
        raise BadDeck(error.said, about=file) from None
