"""A card is found by its outline alone, whatever is printed on it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.vision.tokens.cards.outline_search import along_sides, outlined_places, steepest_of_squares
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


def test_what_is_open_is_not_asked_where_hardly_an_edge_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside most pairs nothing but table lies: that must cost little."""
    known = (110.0, 120.0, 0.0)
    view = table(known)
    turned, warped = [], cv2.warpAffine

    def counted(picture: Any, *args: Any, **how: Any) -> Any:
        turned.append(picture.ndim)
        return warped(picture, *args, **how)

    monkeypatch.setattr(cv2, "warpAffine", counted)
    outlined_places(view, Claims(view, SIZE_MM, [Known(known)]), SIZE_MM, (np.array(known[:2]), 110.0))
    slopes, open_ = turned.count(3), turned.count(2)
    assert open_ < 0.2 * slopes


def test_sums_along_sides_are_those_of_the_outline_about_each_middle() -> None:
    across, down = np.random.default_rng(3).random((2, 41, 39)).astype(np.float32)
    width, height, within = 7, 10, 4
    sums = along_sides([across, down], (width, height), within)
    for row in range(-within, within + 1):
        for column in range(-within, within + 1):
            upper, left = row + within + 1, column + within + 1
            lower, right = upper + height, left + width
            on_sides = across[upper:lower, [left, right]].sum() + down[[upper, lower], left:right].sum()
            assert sums[row + within, column + within] == pytest.approx(on_sides, rel=1e-5)


def test_of_a_square_the_steepest_slope_is_kept() -> None:
    along, down = np.zeros((2, 2, 4), np.float32)
    along[1, 0], down[1, 0], along[0, 1] = 3.0, -4.0, 4.9
    down[0, 2], along[1, 3] = 2.0, -2.0  # of equal ones the first
    assert steepest_of_squares(along, down).tolist() == [[[3.0, -4.0], [0.0, 2.0]]]
