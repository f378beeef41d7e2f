"""The photograph of a card, alone or with others, and how a file tells which cards it shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Image
from arena_cam.commands.decks.messages import DeckCommandRefusal
from arena_cam.domain.errors import BadInput
from arena_cam.formats.card_names import named_card
from arena_cam.geometry.arrays import Array
from arena_cam.vision.board_learning.cards_apart import find_cards_apart
from arena_cam.vision.photographs.several_cards import alone, in_rows


@dataclass(frozen=True)
class CardPhotograph:
    """The picture of the card `name` in the file `path`: the card `number` of the `count` that it shows, as one
    reads."""

    name: str
    path: Path
    size_mm: tuple[float, float]
    number: int = 0
    count: int = 1

    @property
    def called(self) -> str:
        """What a message calls it: its file, and the card where the file shows several."""
        return self.path.name if self.count == 1 else f"{self.path.name}, {self.name}"

    def read(self) -> Image:
        """The picture, with this card alone in it. Raises BadPicture, and BadInput where not so many cards are seen."""
        if self.count == 1:
            return read_picture(self.path)
        image, outlines = _whole_cards(self.path, self.size_mm)
        if len(outlines) != self.count:
            raise BadInput(DeckCommandRefusal.CARDS_SEEN(wanted=self.count, seen=len(outlines)), about=self.path.name)
        return alone(image, outlines, self.number)


@lru_cache(maxsize=1)
def _whole_cards(path: Path, size_mm: tuple[float, float]) -> tuple[Image, list[Array]]:
    """A photograph and the outlines of its cards, as one reads; the last one is kept, for its cards follow one
    another."""
    image = read_picture(path)
    return image, in_rows(find_cards_apart(image, size_mm))


def named_after_several(stem: str, names: Sequence[str] | None) -> list[str]:
    """The names of a file that is named after several cards, like "AS 2S 3S"; none where it is not."""
    if names is None:
        return []
    parts = [named_card(part, names) for part in re.split(r"[\s,_+]+", stem) if part]
    told = [part for part in parts if part is not None]
    return told if len(told) == len(parts) > 1 else []
