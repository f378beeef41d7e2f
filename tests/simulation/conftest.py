"""A deck for the simulated table."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.domain.cards import Deck
from shared_decks import deck_in


@pytest.fixture(scope="session")
def deck(deck_folder: Path) -> Deck:
    return deck_in(deck_folder)
