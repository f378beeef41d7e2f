"""The project's own deck, drawn once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_cam.printing.deck import default_deck


@pytest.fixture(scope="session")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete deck folder; whoever writes into one takes a copy."""
    return default_deck(tmp_path_factory.mktemp("decks") / "arena")
