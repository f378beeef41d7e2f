"""A round print is recognised in any turn, and where a part of it is covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from vision.tokens.scenes import RADIUS_MM, TOKENS, laid, small_set, view_of


def tokens() -> DiscPrints:
    images = [np.asarray(cv2.imread(str(disc.image), -1), np.uint8) for disc in small_set().tokens]
    return DiscPrints(images, RADIUS_MM)


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.9])
@pytest.mark.parametrize("kind", list(TOKENS))
def test_its_kind_is_the_likest_in_any_turn(kind: str, turn: float) -> None:
    view = view_of(laid([], [(kind, (100.0, 80.0, turn))]))
    seen, inside = tokens().samples(view, np.array([[100.0, 80.0]]))
    free = inside.copy()
    free[:, :, :24] = False  # three eighths are covered
    likeness = tokens().likeness(seen, free)
    assert list(TOKENS)[int(likeness.alike[0].argmax())] == kind
    assert likeness.alike.max() > 0.9


def test_samples_beyond_the_picture_are_not_there() -> None:
    _, inside = tokens().samples(view_of(laid([])), np.array([[0.0, 100.0]]))
    assert 0.3 < inside.mean() < 0.7


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.9])
def test_every_other_sample_tells_the_same_kind_and_turn(turn: float) -> None:
    view = view_of(laid([], [("no", (100.0, 80.0, turn))]))
    whole, rough = tokens(), tokens().thinned()
    turns = []
    for prints in (whole, rough):
        likeness = prints.likeness(*prints.samples(view, np.array([[100.0, 80.0]])))
        assert list(TOKENS)[int(likeness.alike[0].argmax())] == "no"
        turns.append(int(likeness.turn[0, 1]) / prints.polar.shape[2])
    assert abs((turns[0] - turns[1] + 0.5) % 1.0 - 0.5) <= 1 / 32


def test_prints_turned_together_are_as_turned_one_by_one() -> None:
    prints = tokens()
    both = prints.all_turned(np.array([1, 0]), np.array([5, 63]))
    assert np.array_equal(both, np.stack([prints.turned(1, 5), prints.turned(0, 63)]))


def test_a_sample_says_most_of_what_is_smooth_about_itself() -> None:
    prints = tokens().thinned()
    near = prints.nearness(1.5) / prints.area.reshape(-1, 1)
    assert np.allclose(np.diag(near), 1.0, atol=1e-4)
    away = np.linalg.norm(prints.xy_mm.reshape(-1, 2) - prints.xy_mm[-1, 0], axis=1)
    there = near[:, 8 * prints.polar.shape[2]]
    assert there[away > 6.0].max() < 0.001 < 0.5 < there[away < 1.5].min()


def test_where_only_plain_print_is_open_nothing_is_alike() -> None:
    """A part of one colour correlates with noise: single precision must not make something of it."""
    prints = DiscPrints([np.full((240, 240, 4), 200, np.uint8)], RADIUS_MM)
    rng = np.random.default_rng(2)
    seen = rng.normal(120.0, 6.0, (1, *prints.polar.shape[1:])).astype(np.float32)
    assert abs(prints.likeness(seen, np.ones(seen.shape[:3], bool)).alike).max() < 0.1
