"""How the scene looked when it was last read, cell by cell, and how with nothing in it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.watching.scene_memory import SceneMemory, groups
from arena_cam.vision.watching.stillness import CellMask, CellPicture, NoiseModel, cell_picture

ROWS, COLUMNS = 12, 16
RNG = np.random.default_rng(2)
TABLE = RNG.integers(60, 120, (ROWS * 8, COLUMNS * 8)).astype(np.float64)


def picture(card: tuple[slice, slice] | None = None, light: float = 1.0) -> CellPicture:
    """The table with noise, and with a bright card over some cells."""
    scene = TABLE.copy()
    if card is not None:
        rows, columns = (slice(8 * part.start, 8 * part.stop) for part in card)
        scene[rows, columns] = 215.0 - 0.3 * scene[rows, columns]
    noisy = scene * light + RNG.normal(0, 1.5, scene.shape)
    return cell_picture(np.clip(noisy, 0, 255).astype(np.uint8))


CARD = (slice(4, 8), slice(5, 9))


def cells(part: tuple[slice, slice] | None) -> CellMask:
    mask = np.zeros((ROWS, COLUMNS), bool)
    if part is not None:
        mask[part] = True
    return mask


EVERYWHERE = np.ones((ROWS, COLUMNS), bool)


@pytest.fixture
def memory() -> SceneMemory:
    noise = NoiseModel()
    for _ in range(3):
        noise.learn(picture(), picture(), EVERYWHERE)
    known = SceneMemory(noise)
    known.accept(picture(), EVERYWHERE)
    return known


def test_without_memory_everything_is_new() -> None:
    memory = SceneMemory(NoiseModel())
    assert memory.empty
    assert memory.changed(picture()).all()
    assert memory.fits(picture())


def test_noise_is_no_change_and_a_card_is_where_it_lies(memory: SceneMemory) -> None:
    assert not memory.changed(picture()).any()
    assert np.array_equal(memory.changed(picture(CARD)), cells(CARD))


def test_a_single_cell_is_noise(memory: SceneMemory) -> None:
    assert not memory.changed(picture((slice(4, 5), slice(5, 6)))).any()


def test_what_was_read_is_changed_no_more(memory: SceneMemory) -> None:
    with_card = picture(CARD)
    memory.accept(with_card, cells(CARD))
    assert not memory.changed(picture(CARD)).any()
    assert np.array_equal(memory.changed(picture()), cells(CARD))


def test_disowned_cells_are_changed_until_they_are_read(memory: SceneMemory) -> None:
    memory.disown(cells(CARD))
    assert np.array_equal(memory.changed(picture()), cells(CARD))
    half = (slice(4, 8), slice(5, 7))
    memory.accept(picture(), cells(half))
    assert np.array_equal(memory.changed(picture()), cells(CARD) & ~cells(half))
    memory.accept(picture(), EVERYWHERE)
    assert not memory.changed(picture()).any()


def test_slow_light_is_followed(memory: SceneMemory) -> None:
    """Light that falls by a third in many small steps, which print and noise alone would not explain at once."""
    for light in np.linspace(1.0, 0.66, 120):
        memory.follow(picture(light=float(light)), EVERYWHERE)
    settled = memory.settled
    assert settled is not None
    assert settled.mean.mean() == pytest.approx(0.66 * TABLE.mean(), rel=0.08)


def test_another_camera_does_not_fit_and_forgetting_starts_anew(memory: SceneMemory) -> None:
    other = cell_picture(np.zeros((64, 64), np.uint8))
    assert not memory.fits(other)
    assert memory.changed(other).all()
    memory.forget()
    assert memory.empty
    assert memory.fits(other)


def test_what_looks_empty_is_known_only_where_no_card_lay(memory: SceneMemory) -> None:
    nothing, unknown = memory.looks_empty(picture())
    assert not nothing.any()
    assert not unknown.any()
    memory.learn_backdrop(picture(CARD), ~cells(CARD))
    empty, known = memory.looks_empty(picture())
    assert np.array_equal(known, ~cells(CARD))
    assert empty.sum() == known.sum()
    memory.learn_backdrop(picture(), cells(CARD))
    empty, known = memory.looks_empty(picture(CARD))
    assert known.all()
    assert np.array_equal(empty, ~cells(CARD))


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        ([], 0),
        ([CARD], 1),
        ([(slice(0, 2), slice(0, 2)), (slice(3, 5), slice(0, 2))], 1),  # one cell apart
        ([(slice(0, 2), slice(0, 2)), (slice(6, 8), slice(0, 2))], 2),
    ],
)
def test_groups_are_what_hangs_together(parts: list[tuple[slice, slice]], count: int) -> None:
    mask = np.any([cells(None), *map(cells, parts)], axis=0)
    found = groups(mask)
    assert len(found) == count
    assert np.array_equal(np.any([cells(None), *found], axis=0), mask)
