"""Which cells a card covers, who covers whom, drawn eight times finer than cells."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.watching.card_cells import FINER, Places
from vision.small import lie

# 320 x 240 pixels in cells of 16.
PLACES = Places((15, 20), 16.0)


def test_no_cards_cover_nothing() -> None:
    assert not PLACES.union([]).any()
    assert not PLACES.cells(PLACES.union([])).any()


def test_a_small_picture_sets_the_cells_of_the_large_one() -> None:
    same = Places.of((15, 20), 320, 160)  # cells of 8 in a picture half as wide
    assert np.array_equal(same.fine(lie("a", 40, 40)), PLACES.fine(lie("a", 40, 40)))


def test_a_card_is_drawn_where_it_lies() -> None:
    fine = PLACES.fine(lie("a", 32, 48, size_px=(64, 96)))
    rows, columns = np.nonzero(fine)
    step_px = 16 / FINER
    assert (columns.min() * step_px, columns.max() * step_px) == pytest.approx((32, 96), abs=step_px)
    assert (rows.min() * step_px, rows.max() * step_px) == pytest.approx((48, 144), abs=step_px)


@pytest.mark.parametrize(("share", "cells"), [(0.9, 4 * 6), (0.4, 5 * 7), (0.05, 5 * 7)])
def test_cells_are_covered_by_their_share(share: float, cells: int) -> None:
    card = lie("a", 32, 48, size_px=(64 + 8, 96 + 8))  # half a cell more each way
    assert abs(int(PLACES.cells(PLACES.fine(card), share).sum()) - cells) <= (6 if share == 0.4 else 0)


def test_the_shares_of_all_cells_add_up_to_the_card() -> None:
    card = lie("a", 30, 30, size_px=(63, 88))
    assert PLACES.shares(PLACES.fine(card)).sum() * 16 * 16 == pytest.approx(63 * 88, rel=0.08)


@pytest.mark.parametrize(("right_px", "free"), [(0, 0.0), (16, 0.25), (32, 0.5), (64, 1.0), (200, 1.0)])
def test_a_card_is_free_where_none_above_covers_it(right_px: float, free: float) -> None:
    below, above = lie("a", 32, 48, size_px=(64, 96)), lie("b", 32 + right_px, 48, size_px=(64, 96))
    assert PLACES.share_free(below, [above]) == pytest.approx(free, abs=0.05)
    assert PLACES.overlap(below, above) == pytest.approx((1 - free) / (1 + free), abs=0.05)


def test_a_card_out_of_the_picture_is_nowhere_free() -> None:
    away = lie("a", -500, -500)
    assert PLACES.share_free(away, []) == 0.0
    assert PLACES.overlap(away, away) == 0.0


def test_a_card_lies_directly_on_another_unless_one_lies_between() -> None:
    low, high = lie("a", 32, 48), lie("c", 60, 60)
    assert PLACES.directly_on(high, low, [])
    assert not PLACES.directly_on(high, low, [lie("b", 40, 40, size_px=(200, 200))])
    assert not PLACES.directly_on(lie("d", 200, 48), low, [])
