"""A deck of three faces of blotches, made ready for comparison: one for all tests of planes."""

from __future__ import annotations

import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.plane_alignment import Templates
from vision.small import small_deck


@pytest.fixture(scope="session")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck")))


@pytest.fixture(scope="session")
def templates(faces: DeckFaces) -> Templates:
    return Templates(faces, 1.0)
