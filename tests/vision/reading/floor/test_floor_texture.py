"""A card hides the floor's grain; light and shade do not, sharp or soft."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.vision.reading.floor.floor_texture import FloorGrain

RNG = np.random.default_rng(4)
SHAPE = (160, 200)
BLOTCHES = np.asarray(cv2.GaussianBlur(RNG.normal(0.0, 0.3, SHAPE), (0, 0), 2.0), np.float32)
CARD = (slice(40, 128), slice(60, 123))
EVERYWHERE = np.ones(SHAPE, bool)
LIT = np.float32(np.log(120.0))


def hidden(now: np.ndarray, empty: np.ndarray = BLOTCHES) -> np.ndarray:
    """Where the grain of a floor (log brightness) is gone in the picture `now`, taken with a little noise."""
    ratio = np.asarray(now - empty + RNG.normal(0.0, 0.002, SHAPE), np.float32)
    floor = FloorGrain.of(empty + LIT, np.ones(SHAPE, np.uint8), 1.0)
    return floor.hidden(ratio, np.abs(ratio) < 0.03, EVERYWHERE)


def test_a_card_of_the_floors_own_brightness_is_seen_by_the_grain_that_it_hides() -> None:
    now = BLOTCHES.copy()
    now[CARD] = float(BLOTCHES.mean())
    found = hidden(now)
    assert found[CARD].mean() > 0.7
    outside = found.copy()
    outside[CARD] = 0
    assert outside.mean() < 0.005


def test_a_faint_grain_of_its_own_shows_a_card_on_a_floor_that_has_hardly_any() -> None:
    """Either is little more than noise at any one point; over a card it is not."""
    empty = np.asarray(cv2.GaussianBlur(RNG.normal(0.0, 0.1, SHAPE), (0, 0), 1.5), np.float32)
    card = np.asarray(cv2.GaussianBlur(RNG.normal(0.0, 0.08, SHAPE), (0, 0), 1.5), np.float32)
    now = empty.copy()
    now[CARD] = card[CARD]
    noise = np.asarray(cv2.GaussianBlur(RNG.normal(0.0, 0.01, SHAPE), (0, 0), 1.0), np.float32)
    found = hidden(now + noise, empty)
    assert found[CARD].mean() > 0.4
    found[CARD] = 0
    assert not found.any()
    assert not hidden(empty + noise, empty).any()


def test_a_shadow_keeps_the_grain_whatever_its_edge() -> None:
    for blur in (0.5, 4.0, 12.0):
        shade = np.zeros(SHAPE, np.float32)
        shade[CARD] = -0.5
        assert not hidden(BLOTCHES + cv2.GaussianBlur(shade, (0, 0), blur)).any()


def test_shade_that_takes_a_fifth_of_the_contrast_hides_nothing() -> None:
    now = BLOTCHES.copy()
    now[CARD] = 0.8 * BLOTCHES[CARD] - 0.5
    assert not hidden(now).any()


def test_fine_print_shows_on_an_even_floor() -> None:
    even = np.zeros(SHAPE, np.float32)
    now = even.copy()
    for beside in range(3):
        now[CARD][:, beside::7] = 0.1
    assert hidden(now, even)[CARD].mean() > 0.6
    assert not hidden(even, even).any()


def test_the_noise_of_a_dark_arena_on_a_bright_table_hides_nothing() -> None:
    """A grey level is a tenth of what the dark floor shows, and a hundredth of the table."""
    inside = np.zeros(SHAPE, np.uint8)
    inside[:, 60:] = 1
    level = np.where(inside > 0, np.float32(np.log(18.0)), LIT)
    noise = cv2.GaussianBlur(RNG.normal(0.0, 2.0, SHAPE).astype(np.float32), (0, 0), 1.5)
    ratio = np.asarray(noise / np.exp(level), np.float32)
    floor = FloorGrain.of(level, inside, 1.0)
    assert not floor.hidden(ratio, np.abs(ratio) < 0.035, EVERYWHERE).any()
    ratio[30:118, 90:153] += np.where(np.arange(63) % 7 < 3, 0.3, 0.0).astype(np.float32)
    assert floor.hidden(ratio, np.abs(ratio) < 0.035, EVERYWHERE)[30:118, 90:153].mean() > 0.5


def test_where_a_cameras_steps_leave_a_black_floor_some_noise_nothing_lies() -> None:
    """Most of it has none at all: by that a third of a grey level is a lot."""
    black = np.full(SHAPE, np.log(20.0), np.float32)
    ratio = np.asarray(RNG.normal(0.0, 0.002, SHAPE), np.float32)
    blocks = RNG.normal(0.0, 0.32 / 20.0, (22, 16)).astype(np.float32)
    ratio[CARD] += cv2.resize(blocks, (63, 88), interpolation=cv2.INTER_NEAREST)
    floor = FloorGrain.of(black, np.ones(SHAPE, np.uint8), 1.0)
    assert not floor.hidden(ratio, np.abs(ratio) < 0.035, EVERYWHERE).any()


def test_a_grey_level_here_and_there_on_a_black_floor_is_no_grain() -> None:
    """Half of the points of a part, and none of all others, are one level brighter, as cameras count and JPEG rounds:
    by the others the floor has no noise at all."""
    black = np.full(SHAPE, np.log(18.0), np.float32)
    ratio = np.zeros(SHAPE, np.float32)
    ratio[CARD] = np.where(RNG.random((88, 63)) < 0.47, np.float32(1.0 / 18.0), 0.0)
    floor = FloorGrain.of(black, np.ones(SHAPE, np.uint8), 1.0)
    assert not floor.hidden(ratio, np.abs(ratio) < 0.035, EVERYWHERE).any()
    ratio[CARD] *= 3.0
    assert floor.hidden(ratio, np.abs(ratio) < 0.035, EVERYWHERE)[CARD].mean() > 0.5


def test_what_lies_far_away_changes_nothing_about_a_thing() -> None:
    """Only what lies round about things is looked at, at the rim of the view, too."""
    grain = FloorGrain(
        np.zeros((300, 400), np.float32), np.zeros((300, 400), np.float32), np.ones((300, 400), bool), 1.0
    )
    bare = RNG.random((300, 400)) < 0.4
    for top, left in ((0, 0), (10, 5), (90, 60), (30, 88)):
        one, other = (np.zeros((300, 400), np.uint8) for _ in range(2))
        one[top : top + 60, left : left + 50] = RNG.random((60, 50)) < 0.7
        other[230:300, 300:380] = 1
        found, both = grain.whole(one, bare), grain.whole(one | other, bare)
        assert np.array_equal(found[:190], both[:190])
        assert not found[190:].any()
    assert not grain.whole(np.zeros((300, 400), np.uint8), bare).any()
