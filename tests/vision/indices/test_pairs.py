"""Two marks, one over the other, of one ink: what may be an index, brought upright."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, find_ink, find_marks
from arena_cam.vision.indices.pairs import PATCH_HEIGHT, PATCH_WIDTH, Pair, find_pairs
from vision.indices.cards import BLACK, PAPER, RED, paper, with_rectangle


def index_view(turn_deg: float = 0.0, ink: tuple[int, int, int] = BLACK) -> Image:
    """A bar 6 mm high over a square of 4 mm, 2 mm between them, turned counterclockwise about the view's middle."""
    view = with_rectangle(with_rectangle(paper(), 28, 24, 2.5, 6, ink), 27, 32, 4, 4, ink)
    middle = (view.shape[1] - 1) / 2, (view.shape[0] - 1) / 2
    turned = cv2.warpAffine(
        view, cv2.getRotationMatrix2D(middle, turn_deg, 1.0), view.shape[1::-1], flags=cv2.INTER_AREA, borderValue=PAPER
    )
    return np.asarray(turned, np.uint8)


def pairs_of(view: Image) -> list[Pair]:
    ink = find_ink(view)
    return find_pairs(ink, find_marks(ink))


def upright(turn_deg: float) -> np.ndarray:
    """The direction from the bar to the square in the view, y down."""
    turn = np.radians(turn_deg)
    return np.array([np.sin(turn), np.cos(turn)])


@pytest.mark.parametrize("turn", [0.0, 37.0, 90.0, -150.0])
def test_a_pair_is_found_at_any_turn_and_both_ways_up(turn: float) -> None:
    """Which of the two is the rank is the classifier's question."""
    pairs = pairs_of(index_view(turn))
    assert max(pair.down @ upright(turn) for pair in pairs) > 0.98
    assert min(pair.down @ upright(turn) for pair in pairs) < -0.98


@pytest.mark.parametrize("turn", [0.0, 60.0, 180.0])
def test_its_ends_are_those_of_the_ink(turn: float) -> None:
    best = max(pairs_of(index_view(turn)), key=lambda pair: float(pair.down @ upright(turn)))
    assert np.linalg.norm(best.bottom - best.top) / VIEW_PX_PER_MM == pytest.approx(12.0, abs=1.0)
    assert (best.bottom - best.top) @ best.down > 0
    assert best.rank.size_mm > best.suit.size_mm


@pytest.mark.parametrize("turn", [45.0, 120.0, 200.0])
def test_upright_it_looks_the_same_however_it_was_turned(turn: float) -> None:
    def picture(of_turn: float) -> np.ndarray:
        best = max(pairs_of(index_view(of_turn)), key=lambda pair: float(pair.down @ upright(of_turn)))
        return best.features[: PATCH_WIDTH * PATCH_HEIGHT].reshape(PATCH_HEIGHT, PATCH_WIDTH)

    assert np.corrcoef(picture(0.0).ravel(), picture(turn).ravel())[0, 1] > 0.9
    assert np.corrcoef(picture(0.0).ravel(), picture(turn)[::-1].ravel())[0, 1] < 0.8


def test_marks_of_two_inks_are_no_index() -> None:
    view = with_rectangle(with_rectangle(paper(), 28, 24, 2.5, 6, BLACK), 27, 32, 4, 4, RED)
    assert pairs_of(view) == []
    assert pairs_of(index_view(0.0, RED)) != []


@pytest.mark.parametrize(
    ("x", "y", "w", "h"),
    [
        (27.0, 48.0, 4.0, 4.0),  # too far below
        (33.0, 25.0, 4.0, 4.0),  # beside it
        (20.0, 33.0, 18.0, 12.0),  # three times as large
    ],
)
def test_marks_that_do_not_go_together_are_no_index(x: float, y: float, w: float, h: float) -> None:
    view = with_rectangle(with_rectangle(paper(), 28, 24, 2.5, 6), x, y, w, h)
    found = [pair for pair in pairs_of(view) if abs(pair.down[1]) > 0.9]
    assert found == []


def test_one_mark_or_none_makes_no_pair() -> None:
    assert pairs_of(paper()) == []
    assert pairs_of(with_rectangle(paper(), 20, 20, 4, 6)) == []


def test_marks_that_are_in_no_black_and_white_picture_together_are_no_index() -> None:
    ink = find_ink(index_view())
    marks = find_marks(ink)
    assert find_pairs(ink, marks) != []
    apart = [replace(mark, masks=1 << number) for number, mark in enumerate(marks)]
    assert find_pairs(ink, apart) == []
    assert len(find_pairs(ink, apart, together=False)) == len(find_pairs(ink, marks))
