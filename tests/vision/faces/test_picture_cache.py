"""What is kept of a deck's pictures changes no answer, whatever happens to it."""

from __future__ import annotations

import gc
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import BadDeck
from arena_cam.formats.deck_toml import read_deck
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from vision.small import small_deck_folder

SCALES = (1.0, 1.5, 2.0, 0.5, 0.75)
SHAPES = {"small": (2, 6, 5, 3)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_deck_folder(tmp_path / "deck")


@pytest.fixture
def cache(tmp_path: Path) -> PictureCache:
    return PictureCache(tmp_path / "kept" / "here")


def kept_file(tmp_path: Path) -> Path:
    (file,) = (tmp_path / "kept" / "here").iterdir()
    return file


def grids(folder: Path, cache: PictureCache | None) -> list[bytes]:
    faces = DeckFaces(read_deck(folder), cache)
    numbers = range(len(faces.names))
    return [
        b"".join(faces.grid(scale).bgr_of(k).tobytes() + faces.grid(scale).grey_of(k).tobytes() for k in numbers)
        for scale in SCALES
    ]


def some_stacks() -> dict[str, np.ndarray]:
    return {"small": np.random.default_rng(1).integers(0, 255, SHAPES["small"]).astype(np.uint8)}


def test_faces_are_the_same_to_the_last_bit(folder: Path, cache: PictureCache, tmp_path: Path) -> None:
    plain = grids(folder, None)
    assert grids(folder, cache) == plain
    written = kept_file(tmp_path).read_bytes()
    assert grids(folder, cache) == plain
    assert kept_file(tmp_path).read_bytes() == written


def test_what_is_kept_is_used(folder: Path, cache: PictureCache, tmp_path: Path) -> None:
    grids(folder, cache)
    file = kept_file(tmp_path)
    with np.load(file) as kept:
        painted = {name: np.full_like(kept[name], 77) for name in kept.files}
    cache.save(file.stem, painted)
    assert np.allclose(DeckFaces(read_deck(folder), cache).grid(1.0).bgr_of(0), 77)


def test_another_picture_is_seen_at_once(folder: Path, cache: PictureCache) -> None:
    grids(folder, cache)
    cv2.imwrite(str(read_deck(folder).cards[0].image), np.full((88, 63, 3), 77, np.uint8))
    assert np.allclose(DeckFaces(read_deck(folder), cache).grid(1.0).bgr_of(0), 77)


def test_a_torn_or_missing_picture_is_named_all_the_same(folder: Path, cache: PictureCache) -> None:
    grids(folder, cache)
    deck = read_deck(folder)
    for spoil in (lambda file: file.write_bytes(b"torn"), lambda file: file.write_bytes(b""), Path.unlink):
        spoil(deck.cards[3].image)
        with pytest.raises(BadDeck, match=deck.cards[3].image.name):
            DeckFaces(deck, cache)


def test_a_broken_file_is_none_and_is_made_again(folder: Path, cache: PictureCache, tmp_path: Path) -> None:
    plain = grids(folder, cache)
    file = kept_file(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert grids(folder, cache) == plain
    assert file.read_bytes() == whole


def test_torn_and_bent_files_never_give_other_pictures(cache: PictureCache, tmp_path: Path) -> None:
    stacks = some_stacks()
    cache.save("key", stacks)
    file = kept_file(tmp_path)
    whole = file.read_bytes()
    found = cache.load("key", SHAPES)
    assert found is not None
    assert np.array_equal(found["small"], stacks["small"])
    for length in range(0, len(whole), 7):
        file.write_bytes(whole[:length])
        assert cache.load("key", SHAPES) is None
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        found = cache.load("key", SHAPES)
        assert found is None or np.array_equal(found["small"], stacks["small"])


def test_pictures_of_another_shape_are_not_believed(cache: PictureCache) -> None:
    cache.save("key", some_stacks())
    assert cache.load("key", {"small": (2, 20, 30, 3)}) is None
    assert cache.load("key", {"small": (2, 6, 5)}) is None
    assert cache.load("key", {"small": (2, -1, 4, 3)}) is None
    assert cache.load("key", {"small": (2, -1, 5, 3)}) is not None
    assert cache.load("key", {**SHAPES, "large": (2, 60, 40, 3)}) is None
    assert cache.load("another", SHAPES) is None


def test_a_folder_that_cannot_be_is_done_without(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert grids(folder, PictureCache(tmp_path / "file")) == grids(folder, None)
    assert grids(folder, PictureCache(tmp_path / "file" / "below")) == grids(folder, None)


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_full_disk_keeps_nothing_and_leaves_nothing(folder: Path, cache: PictureCache, tmp_path: Path) -> None:
    plain = grids(folder, None)
    with no_file_larger_than(100_000):
        assert grids(folder, cache) == plain
    gc.collect()  # nothing half written complains when it goes
    assert list((tmp_path / "kept" / "here").iterdir()) == []


def test_many_may_write_and_read_at_once(cache: PictureCache, tmp_path: Path) -> None:
    stacks = some_stacks()

    def work(number: int) -> bool:
        if number % 3 == 0:
            cache.save("key", stacks)
        found = cache.load("key", SHAPES)
        return found is None or np.array_equal(found["small"], stacks["small"])

    cache.save("key", stacks)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(300)))
    assert kept_file(tmp_path).name == "key.npz"


def test_the_folder_stays_small(cache: PictureCache, tmp_path: Path) -> None:
    cache.save("first", some_stacks())
    (tmp_path / "kept" / "here" / "of-one-killed.part").write_bytes(b"half")
    for number in range(30):
        cache.save(f"deck-{number}", some_stacks())
    assert len(list((tmp_path / "kept" / "here").iterdir())) == 24
    assert cache.load("deck-29", SHAPES) is not None
    assert cache.load("first", SHAPES) is None
