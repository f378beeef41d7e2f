"""Cards that lie together make a group; tokens lie on a group or beside it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards import card_groups
from arena_cam.vision.tokens.cards.card_groups import distance_mm, gap_mm, grouped, outline_mm, share_on
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.view.top_view import rigid_motion

SIZE = (60.0, 90.0)
KINDS = np.array([0, 1, 2])


def card(face: int, x: float, y: float) -> LaidCard:
    motion = rigid_motion(np.array([x, y, 0.0]))
    return LaidCard(motion, face, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)


def test_pairs_are_the_nearest_and_the_neutral_card_joins_its_own() -> None:
    cards = [card(0, 0, 0), card(1, 65, 0), card(0, 300, 0), card(1, 365, 0), card(2, 432, 0)]
    first, second = grouped(cards, KINDS, SIZE)
    assert first.cards == [cards[0], cards[1]]
    assert second.cards == [cards[2], cards[3], cards[4]]


def test_a_card_without_a_partner_stays_alone() -> None:
    groups = grouped([card(0, 0, 0), card(1, 200, 0)], KINDS, SIZE)
    assert [len(group.cards) for group in groups] == [1, 1]


@pytest.mark.parametrize(("x", "gap"), [(30.0, 0.0), (60.0, 0.0), (75.0, 15.0)])
def test_the_gap_is_between_outlines(x: float, gap: float) -> None:
    assert gap_mm(card(0, 0, 0), card(1, x, 0), SIZE) == pytest.approx(gap, abs=1e-3)


@pytest.mark.parametrize(("x", "share"), [(0.0, 1.0), (30.0, 0.5), (60.0, 0.0)])
def test_a_token_over_the_edge_lies_on_the_card_with_a_share(x: float, share: float) -> None:
    assert share_on(np.array([x, 0.0]), 12.0, [outline_mm(card(0, 0, 0), SIZE)]) == pytest.approx(share, abs=0.06)


def test_an_outline_that_was_moved_since_is_asked_anew() -> None:
    """Shares are kept: by where the corners are, in whatever numbers, and not by who asks."""
    outline = np.array([[-30, -45], [30, -45], [30, 45], [-30, 45]])
    assert share_on(np.zeros(2), 12.0, [outline]) == 1.0
    outline[:, 0] += 30
    assert share_on(np.zeros(2), 12.0, [outline]) == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("way", [1, -1])
def test_what_lies_wholly_on_a_card_or_off_it_is_told_without_looking_at_its_points(
    way: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlines = [outline_mm(card(0, 0, 0), SIZE)[::way], outline_mm(card(1, 50, 0), SIZE)]
    assert share_on(np.array([28.0, 0.0]), 12.0, outlines) == 1.0, "half on each"
    monkeypatch.setattr(card_groups, "_within", None)
    assert share_on(np.array([-5.0, 20.0]), 12.0, outlines) == 1.0
    assert share_on(np.array([-43.0, 0.0]), 12.0, outlines) == 0.0


@pytest.mark.parametrize("way", [1, -1])
def test_the_distance_is_to_the_nearest_side_or_corner_whichever_way_the_outline_goes(way: int) -> None:
    outline = outline_mm(card(0, 0, 0), SIZE)[::way]
    points = np.array([[0.0, 0.0], [34.0, 0.0], [33.0, 49.0], [0.0, -50.0]])
    assert distance_mm(points, outline) == pytest.approx([0.0, 4.0, 5.0, 5.0])
