"""The one order of all cards that explains best what each pair shows."""

from __future__ import annotations

import pytest

from arena_cam.vision.photographs.laying_order import MOST_CARDS, margins


def test_a_weak_pair_gives_way_to_cards_between() -> None:
    """2 over 1 and 1 over 0 are seen plainly; print at the small overlap of 2 and 0 says a little to the contrary."""
    seen = {(2, 1): 8.0, (1, 0): 8.0, (0, 2): 3.0}
    told = margins(3, [(1, 0), (2, 0), (2, 1)], lambda a, b, _: seen.get((a, b), -seen.get((b, a), 0.0)))
    assert told == {(2, 1): pytest.approx(5.0), (1, 0): pytest.approx(5.0), (2, 0): pytest.approx(5.0)}


def test_a_pair_of_which_nothing_tells_has_no_margin() -> None:
    assert margins(2, [(1, 0)], lambda *_: 0.0) == {(1, 0): 0.0}


def test_what_a_third_card_hides_says_nothing() -> None:
    """0 would lie over 1 by what is seen where 2 lies over both."""

    def support(a: int, b: int, above: int) -> float:
        if {a, b} == {0, 1}:
            return 0.0 if above & 4 else 5.0 if a == 0 else -5.0
        return 9.0 if a == 2 else -9.0

    assert margins(3, [(1, 0), (2, 0), (2, 1)], support)[1, 0] == 0.0


def test_a_large_heap_is_told_pair_by_pair() -> None:
    pairs = [(n + 1, n) for n in range(MOST_CARDS)]
    assert margins(MOST_CARDS + 1, pairs, lambda a, b, _: 4.0 if a < b else -4.0) == {(b, a): 4.0 for a, b in pairs}
