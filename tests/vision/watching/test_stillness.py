"""Stillness tells motion from noise, light and shiver."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.watching.stillness import SIGNIFICANT, NoiseModel, Stillness, cell_picture

SIZE = (136, 240)
RNG_SEED = 5


def scene() -> NDArray[np.float64]:
    """A dark tray on a grainy table with one printed card, values 0 to 255."""
    rng = np.random.default_rng(RNG_SEED)
    picture = np.asarray(cv2.GaussianBlur(rng.normal(130, 40, SIZE), (0, 0), 2), np.float64)
    picture[20:120, 60:180] = 50
    picture[50:80, 100:122] = 220
    picture[55:65, 104:118] = 60
    return picture


def seen(picture: NDArray[np.float64], rng: np.random.Generator, noise: float = 0.6) -> NDArray[np.uint8]:
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).round().astype(np.uint8)


def shifted(picture: NDArray[np.float64], dx: float) -> NDArray[np.float64]:
    warp = np.array([[1, 0, dx], [0, 1, 0]], np.float64)
    moved = cv2.warpAffine(picture, warp, SIZE[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.float64)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(RNG_SEED)


def settled(rng: np.random.Generator, frames: int = 12, noise: float = 0.6) -> Stillness:
    stillness = Stillness(NoiseModel())
    for _ in range(frames):
        stillness.update(cell_picture(seen(scene(), rng, noise)))
    return stillness


@pytest.mark.parametrize("noise", [0.1, 0.6, 3.0, 8.0])
def test_noise_of_any_strength_is_still(rng: np.random.Generator, noise: float) -> None:
    assert settled(rng, 40, noise).quiet_for == 39


def test_a_card_that_slides_a_pixel_moves(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    picture = scene()
    picture[50:80, 100:122] = shifted(scene(), 1)[50:80, 100:122]
    stillness.update(cell_picture(seen(picture, rng)))
    assert stillness.moving.any()
    assert stillness.quiet_for == 0


def test_motion_is_where_it_is_and_the_rest_stays_still(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    picture = scene()
    picture[0:24, 0:24] = 90
    stillness.update(cell_picture(seen(picture, rng)))
    rows, columns = np.nonzero(stillness.moving)
    assert rows.max() <= 3
    assert columns.max() <= 3
    assert stillness.still_for[10, 14] == 12


def test_shiver_of_a_twentieth_of_a_pixel_is_still(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    for step in range(10):
        stillness.update(cell_picture(seen(shifted(scene(), 0.05 * (step % 2)), rng)))
    assert stillness.quiet_for >= 10


@pytest.mark.parametrize("gain", [0.9, 1.1])
def test_a_lamp_that_flickers_is_still(rng: np.random.Generator, gain: float) -> None:
    stillness = settled(rng)
    for step in range(10):
        stillness.update(cell_picture(seen(scene() * (gain if step % 2 else 1.0), rng)))
    assert stillness.quiet_for >= 10


def test_sun_that_moves_slowly_over_the_table_is_still(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    across = np.linspace(0, 1, SIZE[1])
    for step in range(60):
        light = 1 + 0.15 * np.tanh((across - step / 60) * 3)
        stillness.update(cell_picture(seen(scene() * light, rng)))
    assert stillness.quiet_for >= 60


def test_noise_that_grows_is_learned(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    for _ in range(80):
        stillness.update(cell_picture(seen(scene(), rng, 1.5)))
    assert stillness.quiet_for >= 20


def test_a_plain_card_on_a_floor_of_texture_comes_to_rest(rng: np.random.Generator) -> None:
    """Of cork nothing is smooth, so that nothing told noise from shiver, and a card's even back moved for ever."""
    cork = np.asarray(cv2.GaussianBlur(rng.normal(130, 60, SIZE), (0, 0), 1), np.float64)
    stillness = Stillness(NoiseModel())
    for _ in range(12):
        stillness.update(cell_picture(seen(cork, rng)))
    cork[48:80, 96:120] = 45
    for _ in range(8):
        stillness.update(cell_picture(seen(cork, rng)))
    assert stillness.quiet_for == 7
    stillness.update(cell_picture(seen(np.roll(cork, 1, axis=1), rng)))
    assert stillness.quiet_for == 0


def test_a_picture_of_another_size_starts_anew(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    stillness.update(cell_picture(seen(scene()[:80, :80], rng)))
    assert stillness.quiet_for == 0
    assert not stillness.moving.any()


def test_frames_that_were_passed_over_count(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    stillness.update(cell_picture(seen(scene(), rng)), frames=3)
    assert stillness.quiet_for == 11 + 3


def test_a_glance_takes_nothing(rng: np.random.Generator) -> None:
    stillness = settled(rng)
    picture = scene()
    picture[50:80, 100:122] = shifted(scene(), 1)[50:80, 100:122]
    assert stillness.moves(cell_picture(seen(picture, rng)))
    assert not stillness.moves(cell_picture(seen(scene(), rng)))
    assert stillness.quiet_for == 11


@pytest.mark.parametrize("first", range(20, 25))
def test_another_scene_is_motion_and_teaches_no_noise(rng: np.random.Generator, first: int) -> None:
    """A camera that mirrored for four seconds: what came meanwhile was taken for noise, and three cards were not said.

    Noise is learned of every fifth picture; whichever of them is the first of the others.
    """
    table = np.asarray(cv2.GaussianBlur(rng.normal(130, 40, SIZE), (0, 0), 1.2), np.float64)  # grain all over
    card = table.copy()
    card[48:80, 96:128] += cv2.GaussianBlur(rng.normal(0, 60, (32, 32)), (0, 0), 2)  # a print that is hardly stronger
    noise = NoiseModel()
    stillness = Stillness(noise)
    before = cell_picture(seen(table, rng))
    for number in range(first + 60):
        mirrored = first <= number < first + 55
        stillness.update(cell_picture(seen(table[:, ::-1] if mirrored else table, rng)))
        if number in (first, first + 55):
            assert stillness.quiet_for == 0, "everything moved"
    assert stillness.quiet_for == 4
    changed = noise.significance(before, cell_picture(seen(card, rng))) > SIGNIFICANT
    assert changed[6:10, 12:16].sum() >= 14
    assert changed.sum() == changed[6:10, 12:16].sum()
