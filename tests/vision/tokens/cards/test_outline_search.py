"""A card is found by its outline alone, whatever is printed on it."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.cards.outline_search import outlined_places
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

SIZE_MM = (60.0, 90.0)


def table(*cards: tuple[float, float, float]) -> TopView:
    """Blank cards at places (x, y mm, turn) on a grey table, at 2 px/mm."""
    rows, columns = np.indices((500, 500))
    mm = (np.stack([columns, rows], axis=-1) + 0.5) / 2.0
    pixels = np.full((500, 500, 3), 90.0, np.float32)
    for place in cards:
        motion = rigid_motion(np.array(place))
        local = np.abs((mm - motion[:, 2]) @ motion[:, :2])
        pixels[(local < np.array(SIZE_MM) / 2).all(axis=2)] = 160.0
    return TopView(pixels, np.ones((500, 500), bool), np.zeros(2), 2.0)


class Known:
    """A card at that place all of which is explained."""

    def __init__(self, place: tuple[float, float, float]) -> None:
        self.motion = rigid_motion(np.array(place))
        self.explained = np.ones((90, 60), bool)


def test_a_blank_card_beside_a_known_one_is_found_both_ways_up() -> None:
    known, other = (80.0, 120.0, 0.1), (146.0, 130.0, 0.5)
    view = table(known, other)
    claims = Claims(view, SIZE_MM, [Known(known)])
    best, turned = outlined_places(view, claims, SIZE_MM, (np.array(known[:2]), 110.0))[:2]
    assert np.linalg.norm(best.at[:2] - other[:2]) < 2.5
    assert abs(best.at[2] - other[2]) < 0.05
    assert abs(turned.at[2] - best.at[2] - np.pi) < 1e-6


def test_a_card_half_under_a_known_one_is_found() -> None:
    known, under = (110.0, 120.0, 0.0), (140.0, 150.0, 0.2)
    view = table(under, known)
    claims = Claims(view, SIZE_MM, [Known(known)])
    best = outlined_places(view, claims, SIZE_MM, (np.array(known[:2]), 110.0))[0]
    assert np.linalg.norm(best.at[:2] - under[:2]) < 3.0


def test_an_empty_table_has_no_outline() -> None:
    known = (110.0, 120.0, 0.0)
    view = table(known)
    assert outlined_places(view, Claims(view, SIZE_MM, [Known(known)]), SIZE_MM, (np.array(known[:2]), 110.0)) == []
