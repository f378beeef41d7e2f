"""A deck with much detail, so that features speak, and its finder."""

from __future__ import annotations

import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.guesses.features import FeatureFinder
from vision.small import blotches, small_deck


@pytest.fixture(scope="session")
def detailed(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    deck = small_deck(
        tmp_path_factory.mktemp("deck"), [blotches(seed, cell=16) // 2 + 125 for seed in range(5)], back=True
    )
    return DeckFaces(deck)


@pytest.fixture(scope="session")
def finder(detailed: DeckFaces) -> FeatureFinder:
    return FeatureFinder(detailed)
