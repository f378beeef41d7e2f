"""The pictures of a deck's cards, small, for pages."""

from __future__ import annotations

import threading

import cv2

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadPicture

BACK = "back"
WIDTH_PX, QUALITY = 260, 82  # some 15 kB; a card is as wide on a television
MOST_KEPT = 80  # a deck and its back


class FacePictures:
    """JPEGs of a deck's cards as they are asked for; may be asked by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], bytes] = {}

    def jpeg(self, deck: Deck | None, card: str) -> bytes | None:
        """The card's picture, or with `BACK` the back's; None where the deck has no such card or it cannot be read."""
        known = deck.by_id.get(card) if deck is not None else None
        file = known.image if known is not None else deck.back if deck is not None and card == BACK else None
        if file is None:
            return None
        key = (str(file), str(file.stat().st_mtime_ns) if file.exists() else "")
        with self._lock:
            if key not in self._kept:
                try:
                    image = read_picture(file)
                except BadPicture:
                    return None
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                height = round(WIDTH_PX * image.shape[0] / image.shape[1])
                small = cv2.resize(image, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
                self._kept[key] = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
            return self._kept[key]
