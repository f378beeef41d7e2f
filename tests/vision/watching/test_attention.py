"""Where to look: what changed and rests, in whole groups of cells, and which frames show it at rest."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.vision.watching.attention import MOST_AVERAGED, Attention, small_luma
from vision.small import frame

FPS = 15.0
RNG = np.random.default_rng(6)
TABLE = RNG.integers(60, 120, (100, 164)).astype(np.float64)  # 12 x 20 cells and a few pixels more
CARD = (slice(32, 64), slice(48, 80))  # pixels; cells 4..7, 6..9
CARD_CELLS = (slice(4, 8), slice(6, 10))


def luma(*things: tuple[tuple[slice, slice], float]) -> np.ndarray:
    scene = TABLE.copy()
    for part, grey in things:
        scene[part] = grey - 0.4 * scene[part]
    return np.clip(scene + RNG.normal(0, 1.0, scene.shape), 0, 255).astype(np.uint8)


class Watching:
    """Feeds small pictures one after another."""

    def __init__(self) -> None:
        self.attention = Attention(FPS)
        self.count = 0

    def show(self, *things: tuple[tuple[slice, slice], float], frames: int = 1, every: int = 1) -> Attention:
        """Shows so many frames, of which only each `every`-th is taken."""
        for _ in range(frames):
            shown = Frame(np.zeros((2, 2, 3), np.uint8), self.count / FPS, self.count, "test", str(self.count))
            self.count += 1
            if self.count % every == 0:
                self.attention.take(shown, luma(*things))
        return self.attention


@pytest.fixture
def watching() -> Watching:
    """The empty table, seen for a second and read."""
    begun = Watching()
    begun.show(frames=15)
    begun.attention.read(np.ones((12, 20), bool))
    return begun


def test_at_first_all_is_ripe_once_it_is_quiet() -> None:
    begun = Watching()
    assert not begun.show().ripe().any()
    assert begun.show(frames=6).ripe().all()


def test_a_quiet_table_has_nothing_to_read(watching: Watching) -> None:
    attention = watching.show(frames=20)
    assert not attention.something_changed
    assert not attention.ripe().any()
    assert attention.quiet_for >= 20


def test_a_card_that_came_is_ripe_when_it_rests(watching: Watching) -> None:
    came = watching.show((CARD, 230.0))
    assert came.something_changed
    assert not came.ripe().any()
    rested = watching.show((CARD, 230.0), frames=came.rest_frames)
    assert np.array_equal(rested.ripe(), rested.changed)
    assert rested.changed[CARD_CELLS].all()
    assert rested.changed.sum() == 16


def test_what_was_read_is_not_looked_at_again(watching: Watching) -> None:
    attention = watching.show((CARD, 230.0), frames=8)
    attention.read(np.ones((12, 20), bool))
    assert not watching.show((CARD, 230.0), frames=3).something_changed


def test_what_is_to_be_read_anew_is_ripe_whatever_it_looks_like(watching: Watching) -> None:
    cells = np.zeros((12, 20), bool)
    cells[CARD_CELLS] = True
    watching.attention.unread(cells)
    assert np.array_equal(watching.show(frames=8).ripe(), cells)


def test_while_a_hand_moves_elsewhere_a_card_rests_longer(watching: Watching) -> None:
    def hand(step: int) -> tuple[tuple[slice, slice], float]:
        return (slice(70, 96), slice(100 + 4 * step, 130 + 4 * step)), 190.0

    ripe_after = 0
    for step in range(8):
        attention = watching.show((CARD, 230.0), hand(step))
        if attention.ripe()[CARD_CELLS].any():
            ripe_after = step
            break
    assert ripe_after > attention.rest_frames
    assert not attention.ripe()[9:, 12:].any()


def test_frames_at_rest_begin_after_the_last_motion(watching: Watching) -> None:
    attention = watching.show((CARD, 230.0), frames=5)
    names = [each.name for each in attention.frames_at_rest(attention.ripe())]
    assert names == [str(number) for number in range(15, 20)]
    attention = watching.show((CARD, 230.0), frames=10)
    assert len(attention.frames_at_rest(attention.ripe())) == MOST_AVERAGED


def test_time_goes_on_in_frames_that_are_passed_over(watching: Watching) -> None:
    assert watching.show(frames=30, every=3).quiet_for == 14 + 30
    assert watching.attention.now == 45


def test_what_nobody_saw_for_long_counts_as_a_fifth_of_a_second(watching: Watching) -> None:
    watching.count += 100
    assert watching.show().quiet_for == 14 + 3


def test_frames_at_rest_are_told_by_their_times(watching: Watching) -> None:
    watching.show(frames=30, every=3)
    attention = watching.show((CARD, 230.0), frames=6, every=3)
    assert attention.still_for[CARD_CELLS].min() == 3
    names = [each.name for each in attention.frames_at_rest(attention.changed)]
    assert names == ["47", "50"]


def test_everything_can_be_asked_for_once_all_is_quiet(watching: Watching) -> None:
    assert not watching.show((CARD, 230.0)).ripe(everything=True).any()
    assert watching.show((CARD, 230.0), frames=6).ripe(everything=True).all()


def test_another_camera_starts_anew(watching: Watching) -> None:
    attention = watching.attention
    attention.take(frame(np.zeros((2, 2, 3), np.uint8)), np.full((64, 64), 80, np.uint8))
    assert attention.memory.empty
    assert attention.changed.shape == (8, 8)


def test_cells_as_pixels_reach_to_the_pictures_border(watching: Watching) -> None:
    cells = np.zeros((12, 20), bool)
    cells[11, 19] = True
    pixels = watching.attention.pixels_of(cells)
    assert pixels.shape == (100, 164)
    assert pixels[88:, 152:].all()
    assert pixels.sum() == 12 * 12


@pytest.mark.parametrize(("width", "small"), [(240, 240), (480, 240), (960, 240), (1000, 250)])
def test_a_small_picture_is_made_where_the_camera_gives_none(width: int, small: int) -> None:
    slope = np.tile(np.linspace(0, 250, width), (width // 2, 1)).astype(np.uint8)
    made = small_luma(frame(np.repeat(slope[:, :, None], 3, axis=2)))
    assert made.shape == (small // 2, small)
    assert np.abs(made[5].astype(float) - np.linspace(0, 250, small)).max() < 3.0


def test_the_cameras_own_small_picture_is_taken() -> None:
    own = np.full((3, 4), 7, np.uint8)
    given = Frame(np.zeros((6, 8, 3), np.uint8), 0.0, 0, "test", "0", luma_small=own)
    assert small_luma(given) is own
