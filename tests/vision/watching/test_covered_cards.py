"""Cards under a hand, a sleeve, a glass: believed to lie there, and compared with how they looked before."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.watching.card_cells import Places
from arena_cam.vision.watching.covered_cards import Covered, moved_over
from arena_cam.vision.watching.stillness import CellPicture, cell_picture
from vision.small import lie

PLACES = Places((15, 20), 16.0)
RED, BLUE = lie("red-1", 32, 48), lie("blue-2", 160, 48)


def look(grey: int) -> CellPicture:
    return cell_picture(np.full((32, 32), grey, np.uint8))


def test_at_first_nothing_is_covered() -> None:
    covered = Covered()
    assert covered.lies == ()
    assert not covered.uncovered


def test_a_card_keeps_the_look_it_had_before_it_was_covered() -> None:
    covered, before, later = Covered(), look(10), look(20)
    covered.become([RED], before)
    covered.become([RED, BLUE], later)
    assert covered.lies == (RED, BLUE)
    assert covered.uncovered["red-1"] is before
    assert covered.uncovered["blue-2"] is later


def test_a_card_that_was_seen_meanwhile_has_its_newest_look() -> None:
    covered, later = Covered(), look(20)
    covered.become([RED], look(10))
    covered.become([], look(15))
    covered.become([RED], later)
    assert covered.uncovered["red-1"] is later


def test_what_only_moved_over_is_uncovered_when_it_is_over() -> None:
    covered = Covered()
    covered.become([RED], look(10))
    covered.become_moved_over([RED, BLUE], look(20))
    covered.uncover_moved_over()
    assert covered.lies == (RED,)


def test_a_moved_camera_forgets_looks_and_no_card() -> None:
    covered = Covered()
    covered.become([RED], look(10))
    covered.forget_looks()
    assert covered.lies == (RED,)
    assert covered.uncovered == {"red-1": None}


def over(*cells: tuple[slice, slice]) -> np.ndarray:
    mask = np.zeros((15, 20), bool)
    for rows, columns in cells:
        mask[rows, columns] = True
    return mask


@pytest.mark.parametrize(
    ("moving", "keys"),
    [
        (over(), []),
        (over((slice(3, 9), slice(2, 6))), ["red-1"]),
        (over((slice(3, 5), slice(2, 6))), []),  # a third of it
        (over((slice(0, 15), slice(0, 20))), ["red-1", "blue-2"]),
    ],
    ids=["nothing", "over one", "over a third", "everywhere"],
)
def test_something_moves_over_the_cards_whose_places_it_covers(moving: np.ndarray, keys: list[str]) -> None:
    assert [card.key for card in moved_over([RED, BLUE], PLACES, moving)] == keys


def test_a_card_under_another_is_not_in_view_to_be_moved_over() -> None:
    top = lie("green-3", 32, 48)
    everywhere = np.ones((15, 20), bool)
    assert moved_over([RED, top], PLACES, everywhere) == (top,)
