"""Decks that tests share: read once a process, with what was prepared of their pictures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from arena_cam.domain.cards import Deck
from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.faces.deck_faces import DeckFaces


def deck_in(folder: Path) -> Deck:
    """The deck in a folder that no test writes into. To read the pictures of the project's own takes half a second."""
    return _kept(folder).deck


@lru_cache(maxsize=4)
def _kept(folder: Path) -> DeckFaces:
    """As long as these faces are held, every reader of their deck shares its pictures."""
    return DeckFaces(read_deck(folder))
