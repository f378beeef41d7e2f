"""One small deck for all tests of reading: its grids are made once."""

from __future__ import annotations

import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from vision.reading.finding.blank_cards import deck_of_figures
from vision.small import blotches, small_deck


@pytest.fixture(scope="session")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    """Five cards of blotches, and a back."""
    deck = small_deck(tmp_path_factory.mktemp("deck"), [blotches(seed) for seed in range(5)], back=True)
    return DeckFaces(deck)


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    """Four faces that are blank but for a small figure in two corners."""
    return deck_of_figures(tmp_path_factory.mktemp("deck"), "2357")
