"""A deck for the simulated table, drawn once for all tests."""

from __future__ import annotations

import pytest

from arena_cam.domain.cards import Deck
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import default_deck


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return read_deck(default_deck(tmp_path_factory.mktemp("decks") / "arena"))
