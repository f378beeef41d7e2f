"""How much of each card is in view, by outlines and by who covers whom."""

from __future__ import annotations

import pytest

from arena_cam.domain.lies import Face, Lie
from arena_cam.vision.photographs.overlapping import with_shares_in_view


def lying(key: str, x: float, y: float, width: float = 60.0, height: float = 90.0) -> Lie:
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Lie(key, key, Face.UP, None, 0.9, None, None, None, 0.0, corners)


def shares(*lies: Lie, covers: tuple[tuple[str, str], ...] = (), size: tuple[int, int] = (300, 200)) -> list[float]:
    return [lie.visible_fraction for lie in with_shares_in_view(lies, covers, size)]


def test_of_no_cards_there_are_no_shares() -> None:
    assert shares() == []


def test_a_card_alone_is_all_in_view() -> None:
    assert shares(lying("AS", 20.3, 30.6)) == pytest.approx([1.0], abs=0.02)


def test_of_a_covered_card_what_lies_beside_its_cover_is_in_view() -> None:
    lower, upper = lying("AH", 20.0, 30.0), lying("AS", 40.0, 30.0)
    assert shares(lower, upper, covers=(("AS", "AH"),)) == pytest.approx([1 / 3, 1.0], abs=0.03)
    assert shares(lower, upper, covers=(("AH", "AS"),)) == pytest.approx([1.0, 1 / 3], abs=0.03)
    assert shares(lower, upper) == pytest.approx([1.0, 1.0], abs=0.02)


def test_covers_that_overlap_are_counted_once() -> None:
    cards = lying("AH", 20.0, 30.0), lying("AS", 40.0, 30.0), lying("2S", 40.0, 75.0)
    covers = ("AS", "AH"), ("2S", "AH"), ("2S", "AS")
    assert shares(*cards, covers=covers) == pytest.approx([1 / 3, 0.5, 1.0], abs=0.03)


def test_what_lies_outside_the_picture_is_not_in_view() -> None:
    assert shares(lying("AS", -30.0, 30.0)) == pytest.approx([0.5], abs=0.03)
    assert shares(lying("AS", 2000.0, 900.0), size=(1000, 800)) == [0.0]


def test_a_large_picture_gives_the_same_shares() -> None:
    lower, upper = lying("AH", 200.0, 300.0, 600.0, 900.0), lying("AS", 400.0, 300.0, 600.0, 900.0)
    found = shares(lower, upper, covers=(("AS", "AH"),), size=(3000, 2000))
    assert found == pytest.approx([1 / 3, 1.0], abs=0.03)
