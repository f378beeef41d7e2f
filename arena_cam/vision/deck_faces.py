"""The deck's own pictures, made ready for comparison: every face as arrays on one grid of millimetres.

Card frame: millimetres from the card's middle, x right and y up on the card upright. Grids are rows from the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadDeck

Grid = NDArray[np.float32]

BACK = "<back>"  # the name of a deck's back among its faces


@dataclass(frozen=True, eq=False)
class FaceGrid:
    """All faces of a deck sampled at `px_per_mm`.

    `bgr` (faces, H, W, 3) in 0..255, blurred for that sampling; `mask` (H, W) is true on the card (rounded corners are
    not); `x_mm`, `y_mm` (H, W) are the grid's points in the card frame.
    """

    px_per_mm: float
    bgr: Grid
    grey: Grid
    mask: NDArray[np.bool_]
    x_mm: Grid
    y_mm: Grid


@dataclass(eq=False)
class _Pictures:
    """What all DeckFaces of one deck share; it holds the deck, so that the deck's id is nobody else's meanwhile."""

    deck: Deck
    pictures: list[NDArray[np.uint8]]
    grids: dict[float, FaceGrid] = field(default_factory=dict)
    making: Lock = field(default_factory=Lock)


# The scales at which cards over a table are compared. Once these grids are made the pictures themselves, 30 MB, are let
# go. Coarse grids are made from the finest of these; for any other scale the pictures are read again.
_TABLE_PX_PER_MM = frozenset((1.0, 1.5, 2.0))
_FINEST, _COARSE = 2.0, 0.5
_loading = Lock()
_loaded: WeakValueDictionary[int, _Pictures] = WeakValueDictionary()


class DeckFaces:
    """A deck's pictures in memory. `names` are the cards' ids in the deck's order, then BACK if the deck has one.

    However many there are of one Deck (the eye, and one for every throw judged again), its pictures are there once.
    """

    def __init__(self, deck: Deck) -> None:
        """Reads the pictures. Raises BadDeck naming the picture that cannot be read."""
        self.deck = deck
        self.names: tuple[str, ...] = tuple(card.id for card in deck.cards) + ((BACK,) if deck.back else ())
        with _loading:
            shared = _loaded.get(id(deck))
            if shared is None:
                shared = _Pictures(deck, _read_all(deck))
                _loaded[id(deck)] = shared
        self._shared = shared

    def index(self, name: str) -> int:
        """Place of the face `name` in every grid."""
        return self.names.index(name)

    def grid(self, px_per_mm: float) -> FaceGrid:
        """All faces sampled at `px_per_mm`, made once."""
        shared = self._shared
        if px_per_mm not in shared.grids:
            finer = list(self.grid(_FINEST).bgr) if px_per_mm <= _COARSE else None
            with shared.making:
                if px_per_mm not in shared.grids:
                    if finer is None:
                        shared.pictures = shared.pictures or _read_all(self.deck)
                    shared.grids[px_per_mm] = self._make_grid(px_per_mm, finer or shared.pictures)
                if shared.grids.keys() >= _TABLE_PX_PER_MM:
                    shared.pictures = []
        return shared.grids[px_per_mm]

    def _make_grid(self, px_per_mm: float, pictures: Sequence[NDArray[Any]]) -> FaceGrid:
        deck = self.deck
        width, height = round(deck.width_mm * px_per_mm), round(deck.height_mm * px_per_mm)
        bgr = np.stack(
            [cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA) for picture in pictures]
        ).astype(np.float32)
        # INTER_AREA averages over one grid step; a camera blurs a little more than that (optics, demosaicing).
        bgr = np.stack([cv2.GaussianBlur(face, (0, 0), 0.6) for face in bgr])
        x = (np.arange(width, dtype=np.float32) + 0.5) * (deck.width_mm / width) - deck.width_mm / 2
        y = deck.height_mm / 2 - (np.arange(height, dtype=np.float32) + 0.5) * (deck.height_mm / height)
        x_mm, y_mm = np.meshgrid(x, y)
        grey = bgr @ np.array([0.114, 0.587, 0.299], np.float32)
        return FaceGrid(px_per_mm, bgr, grey, _on_card(x_mm, y_mm, deck), x_mm, y_mm)


def _read_all(deck: Deck) -> list[NDArray[np.uint8]]:
    """The pictures of all cards, then of the back if the deck has one."""
    return [_read(file, deck) for file in [card.image for card in deck.cards] + ([deck.back] if deck.back else [])]


def _read(file: Path, deck: Deck) -> NDArray[np.uint8]:
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if picture is None:
        raise BadDeck(f"{file}: is not a picture that can be read; save it again as PNG")
    return _shrunk(np.asarray(picture, dtype=np.uint8), deck)


def _shrunk(picture: NDArray[np.uint8], deck: Deck) -> NDArray[np.uint8]:
    """The picture at 6 px/mm at most: more than any camera of ours resolves, and it keeps a deck within 100 MB."""
    most = round(deck.width_mm * 6)
    if picture.shape[1] <= most:
        return picture
    size = (most, round(deck.height_mm * 6))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _on_card(x_mm: Grid, y_mm: Grid, deck: Deck) -> NDArray[np.bool_]:
    """True where a point lies on the card, the rounded corners cut off."""
    radius = deck.corner_radius_mm
    dx = np.maximum(np.abs(x_mm) - (deck.width_mm / 2 - radius), 0.0)
    dy = np.maximum(np.abs(y_mm) - (deck.height_mm / 2 - radius), 0.0)
    return np.asarray(dx * dx + dy * dy <= radius * radius + 1e-9)
