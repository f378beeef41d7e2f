"""A deck's pictures as plates, reduced to the scale at which the camera sees them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadDeck
from arena_cam.simulation.plates import Plate
from arena_cam.simulation.resting import CardSize
from arena_cam.simulation.textures import srgb_to_linear

PAPER = 0.88  # a printed sheet's white reflects so much
BACK = ""  # the name under which the back is kept


class Faces:
    """The plates of a deck's cards at `px_per_mm` of the picture, read when first asked for."""

    def __init__(self, deck: Deck, px_per_mm: float, gloss: float) -> None:
        self.deck = deck
        self.size = CardSize(deck.width_mm, deck.height_mm, deck.corner_radius_mm)
        self._scale = px_per_mm
        self._gloss = gloss
        self._plates: dict[str, Plate] = {}

    def face(self, card: str) -> Plate:
        """The face of a card. KeyError for a card that the deck does not have, BadDeck for a torn picture."""
        if card not in self._plates:
            self._plates[card] = self._plate(_read(self.deck.by_id[card].image))
        return self._plates[card]

    def back(self) -> Plate:
        """The deck's back; plain dark blue paper where the deck has no picture of it."""
        if BACK not in self._plates:
            plain = np.full((88, 63, 3), (92, 60, 40), np.uint8)
            self._plates[BACK] = self._plate(plain if self.deck.back is None else _read(self.deck.back))
        return self._plates[BACK]

    def _plate(self, image: NDArray[np.uint8]) -> Plate:
        colour = np.asarray(srgb_to_linear(image) * PAPER, np.float32)
        size = self.size
        plate = Plate(size.width_mm, size.height_mm, colour, size.corner_radius_mm, gloss=self._gloss)
        return plate.reduced(self._scale)


def _read(file: Path) -> NDArray[np.uint8]:
    image = cv2.imdecode(np.fromfile(file, np.uint8), cv2.IMREAD_COLOR) if file.is_file() else None
    if image is None:
        raise BadDeck(f"{file}: the card's picture cannot be read; copy it again")
    return np.asarray(image, np.uint8)
