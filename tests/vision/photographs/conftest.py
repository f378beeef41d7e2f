"""Decks for the tests of photographs: one of blotches, and drawn packs of five cards that bear indices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import Card, Deck
from arena_cam.simulation.things.ordinary_pack import PX_PER_MM, PackStyle, draw_face, random_style
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.plane_alignment import Templates
from vision.small import blotches, small_deck

PACK = ("AS", "TH", "KD", "5C", "7S")


@pytest.fixture(scope="session")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck"), [blotches(seed) for seed in range(4)], back=True))


@pytest.fixture(scope="session")
def templates(faces: DeckFaces) -> Templates:
    return Templates(faces, 0.75)


@pytest.fixture(scope="session")
def fine(faces: DeckFaces) -> Templates:
    return Templates(faces, 1.5)


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return _drawn(tmp_path_factory.mktemp("pack"), random_style(12))


@pytest.fixture(scope="session")
def black_pack(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    """White and light red print on black paper."""
    style = replace(
        random_style(12), paper=(28.0, 25.0, 30.0), inks=((235, 238, 240), *((70, 60, 235),) * 2, (235, 238, 240))
    )
    return _drawn(tmp_path_factory.mktemp("black"), style)


@pytest.fixture(scope="session")
def tinted_pack(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    """Large indices, each on a plate of pale yellow."""
    style = replace(random_style(12), rank_mm=13.0, suit_mm=9.0, index_x_mm=7.5, index_top_mm=3.2, gap_mm=1.2)
    return _drawn(tmp_path_factory.mktemp("tinted"), style, tint=(150, 235, 250))


def _drawn(folder: Path, style: PackStyle, tint: tuple[int, int, int] = (255, 255, 255)) -> DeckFaces:
    """The pack of a style; `tint`, blue, green, red, is that of the paper under its indices."""
    for name in PACK:
        face = draw_face(style, name).astype(np.float64)
        for turned in (face, face[::-1, ::-1]):
            turned[: round(29 * PX_PER_MM), : round(15 * PX_PER_MM)] *= np.array(tint) / 255.0
        cv2.imwrite(str(folder / f"{name}.png"), face.astype(np.uint8))
    cards = tuple(Card(name, folder / f"{name}.png") for name in PACK)
    return DeckFaces(Deck("pack", style.width_mm, style.height_mm, 3.0, cards))
