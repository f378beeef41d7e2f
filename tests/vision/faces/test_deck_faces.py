"""A deck's pictures: read once for all who compare with them, and read anew for a deck that was read anew."""

from __future__ import annotations

import weakref
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import BadDeck
from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.faces.deck_faces import FINELY_PX_PER_MM, DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from vision.small import small_deck, small_deck_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_deck_folder(tmp_path / "deck")


def test_two_eyes_for_one_deck_share_its_pictures(folder: Path) -> None:
    deck = read_deck(folder)
    first, second = DeckFaces(deck), DeckFaces(deck)
    assert np.shares_memory(first.grid(1.0).small_of(0), second.grid(1.0).small_of(0))
    assert first.names == second.names


class _Made:
    def __init__(self, faces: DeckFaces) -> None:
        self.faces = faces


def test_what_is_made_of_a_deck_is_made_once_for_all_its_readers_and_freed_with_them(folder: Path) -> None:
    deck = read_deck(folder)
    made = DeckFaces(deck).shared(_Made)
    assert DeckFaces(deck).shared(_Made) is made
    assert DeckFaces(read_deck(folder)).shared(_Made) is not made
    gone = weakref.ref(made)
    del made
    assert gone() is None


def test_any_scale_can_be_had_after_those_that_a_table_needs(folder: Path) -> None:
    deck = read_deck(folder)
    asked_first = DeckFaces(deck).grid(0.75).bgr_of(0)
    faces = DeckFaces(read_deck(folder))
    for px_per_mm in (1.0, 1.5, 2.0):
        assert faces.grid(px_per_mm).bgr_of(0).shape == (round(88 * px_per_mm), round(63 * px_per_mm), 3)
    assert np.array_equal(faces.grid(0.75).bgr_of(0), asked_first)


def test_faces_are_had_finely_in_grey_whatever_is_kept_of_them(folder: Path) -> None:
    """Before and after the pictures are let go, from a cache, and where the cache has gone meanwhile."""
    early, late = (DeckFaces(read_deck(folder)) for _ in range(2))
    for scale in (1.0, 1.5, 2.0):
        late.grid(scale)
    cache = PictureCache(folder / "cache")
    kept, gone = (DeckFaces(read_deck(folder), cache) for _ in range(2))
    want = early.finely(1)
    size = round(early.deck.height_mm * FINELY_PX_PER_MM), round(early.deck.width_mm * FINELY_PX_PER_MM)
    assert want.shape == size
    assert want.std() > 1.0
    assert np.array_equal(late.finely(1), want)
    assert np.array_equal(kept.finely(1), want)
    for file in (folder / "cache").iterdir():
        file.unlink()
    assert np.array_equal(gone.finely(1), want)


def test_a_deck_read_anew_shows_its_pictures_as_they_are_now(folder: Path) -> None:
    old = DeckFaces(read_deck(folder))
    before = old.grid(1.0).bgr_of(0)
    cv2.imwrite(str(read_deck(folder).cards[0].image), np.full((88, 63, 3), 77, np.uint8))
    after = DeckFaces(read_deck(folder)).grid(1.0).bgr_of(0)
    assert np.allclose(after, 77)
    assert not np.allclose(before, 77)
    assert np.array_equal(old.grid(1.0).bgr_of(0), before)


def test_a_torn_picture_is_named(folder: Path) -> None:
    deck = read_deck(folder)
    deck.cards[3].image.write_bytes(b"torn")
    with pytest.raises(BadDeck, match=deck.cards[3].image.name):
        DeckFaces(deck)


def test_the_camera_sees_a_dark_figure_smaller_than_its_mean_values_have_it(folder: Path) -> None:
    picture = np.full((6 * 88, 6 * 63, 3), 255, np.uint8)
    cv2.circle(picture, (189, 264), 36, (0, 0, 0), -1)
    cv2.imwrite(str(read_deck(folder).cards[0].image), picture)
    grid = DeckFaces(read_deck(folder)).grid(2.0)
    by_light, by_values = (
        np.sqrt((of < 127.5).sum() / np.pi) / 2.0 for of in (grid.grey_of(0), grid.bgr_of(0)[:, :, 0])
    )
    assert 5.7 < by_light < 5.95  # mm; it is 6 on paper
    assert 5.95 < by_values < 6.1


def test_the_points_of_a_grid_are_laid_out_once(folder: Path) -> None:
    grid = DeckFaces(read_deck(folder)).grid(1.5)
    places = grid.places
    assert np.array_equal(places[:2].reshape(2, *grid.mask.shape), np.stack([grid.x_mm, grid.y_mm]))
    assert (places[2] == 1.0).all()
    assert grid.places is places


@pytest.mark.parametrize("px_per_mm", [2.0, 0.5])
def test_only_the_faces_that_are_asked_for_are_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch, px_per_mm: float
) -> None:
    blur = Mock(wraps=cv2.GaussianBlur)
    monkeypatch.setattr(cv2, "GaussianBlur", blur)
    grid = DeckFaces(read_deck(folder)).grid(px_per_mm)
    assert blur.call_count == 0
    grey = grid.grey_of(1)
    assert blur.call_count == (1 if px_per_mm == 2.0 else 2)  # the coarse one is made of the finest, softened
    assert grid.grey_of(1) is grey


@pytest.mark.parametrize("radius_mm", [0.0, 0.5, 1.2, 3.0])
def test_a_card_has_a_middle_whatever_its_corners(tmp_path: Path, radius_mm: float) -> None:
    """Square corners left it none: nothing then told the names of faces that are alike."""
    grid = DeckFaces(small_deck(tmp_path, radius_mm=radius_mm)).grid(2.0)
    to_edge_mm = np.minimum(31.5 - np.abs(grid.x_mm), 44.0 - np.abs(grid.y_mm))
    assert not grid.inner[to_edge_mm < 1.0].any()
    assert grid.inner.mean() > 0.9
    assert not (grid.inner & ~grid.mask).any()
