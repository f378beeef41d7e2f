"""Matches of keypoints that lie on one card are found together, among many that lie on none."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.printed.keypoints import Matches
from arena_cam.vision.tokens.cards.print_votes import places_on_table, seen_prints
from arena_cam.vision.tokens.view.table_view import TableView, placed


def view() -> TableView:
    return TableView(1000.0, np.array([500.0, 400.0]), 0.0, np.eye(3), np.array([0.0, 0.0, 500.0]))


def matches(places: list[list[float]], strangers: int) -> Matches:
    rng = np.random.default_rng(3)
    mm, px, affine, face = [], [], [], []
    for k, place in enumerate(places):
        points = rng.uniform([-28, -42], [28, 42], (14, 2))
        c, s = np.cos(place[2]), np.sin(place[2])
        mm.append(points)
        px.append(view().to_px(placed(points, np.array(place))))
        affine += [np.array([[c, -s], [s, c]]) * 2.0 * rng.uniform(0.95, 1.05) for _ in points]
        face += [k] * len(points)
    mm.append(rng.uniform([-28, -42], [28, 42], (strangers, 2)))
    px.append(rng.uniform([0, 0], [1000, 800], (strangers, 2)))
    for angle, size in zip(rng.uniform(-3, 3, strangers), rng.uniform(1.6, 2.4, strangers), strict=True):
        affine.append(np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * size)
        face.append(9)
    count = len(face)
    ones = np.ones(count, np.float32)
    return Matches.of(
        np.concatenate(mm), np.concatenate(px), np.array(affine), np.arange(count), ones, np.array(face, np.intp)
    )


PLACES = [[-80.0, 20.0, 0.4], [60.0, -30.0, -2.0]]


def test_groups_hold_the_matches_of_one_card_each() -> None:
    groups = seen_prints(matches(PLACES, 40))
    assert [len(group.mm) for group in groups[:2]] == [pytest.approx(14, abs=1)] * 2


def test_places_are_where_the_cards_lie_and_strangers_stand_alone() -> None:
    found = places_on_table(matches(PLACES, 40), view())
    assert {place.faces[0] for place in found[:2]} == {0, 1}
    for place in found[:2]:
        assert np.allclose(place.at, PLACES[place.faces[0]], atol=0.02)
        assert place.votes >= 13
    assert all(place.votes < 5 for place in found[2:])


def test_no_matches_are_no_places() -> None:
    assert places_on_table(matches([], 0), view()) == []
    assert seen_prints(matches([], 0)) == []


def test_a_card_whose_keypoints_seem_to_be_of_many_faces_is_a_group_all_the_same() -> None:
    rng = np.random.default_rng(2)
    mm = rng.uniform(-30, 30, (12, 2))
    px = mm * 2.0 + np.array([400.0, 300.0])
    affine = np.tile(np.eye(2) * 2.0, (12, 1, 1))
    each = np.arange(12)
    matches = Matches.of(mm, px, affine, each, np.full(12, 0.9, np.float32), each)
    (group,) = seen_prints(matches)
    assert len(group.mm) == 12


def test_of_places_with_too_few_keypoints_none_is_looked_for() -> None:
    every, some = (places_on_table(matches(PLACES, 40), view(), least=least) for least in (1, 6))
    assert [place.votes for place in some] == [place.votes for place in every[:2]]
    assert len(every) > 10
