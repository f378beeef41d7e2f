"""A deck for the simulated table."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.domain.cards import Deck
from arena_cam.formats.deck_toml import read_deck


@pytest.fixture(scope="session")
def deck(deck_folder: Path) -> Deck:
    return read_deck(deck_folder)
