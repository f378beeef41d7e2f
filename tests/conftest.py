"""The project's own deck, drawn once for all tests, and a cache of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.printing.deck import default_deck


@pytest.fixture(scope="session", autouse=True)
def _caches_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests leave nothing in the home of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CAM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete deck folder; whoever writes into one takes a copy."""
    return default_deck(tmp_path_factory.mktemp("decks") / "arena")
