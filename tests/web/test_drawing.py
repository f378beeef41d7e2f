"""The arena from above: cards where they lie, labels where they can be read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import arena_cam.web
from arena_cam.printing.shapes import SHAPES
from arena_cam.web.games.arena.arena_view import draw_arena
from web.scripted_session import CARD_H, CARD_W, card, corners_mm, snapshot, throws_scene


def applied(matrix: str, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = (float(v) for v in re.findall(r"-?[\d.]+", matrix))
    return a * x + c * y + e, b * x + d * y + f


def drawn(*cards: dict[str, Any]) -> Any:
    return draw_arena(snapshot(cards=list(cards)))  # type: ignore[arg-type]


def test_a_card_is_drawn_where_its_corners_are_with_y_downwards() -> None:
    where = corners_mm(20, -30, 33)
    matrix = drawn(card("red-8", 20, -30, 33, 0)).cards[0].matrix
    for (x, y), (u, v, _) in zip(((0, 0), (CARD_W, 0), (CARD_W, CARD_H), (0, CARD_H)), where, strict=True):
        assert math.dist(applied(matrix, x, y), (u, -v)) < 0.05


def test_cards_are_drawn_bottom_to_top() -> None:
    drawing = drawn(card("blue-3", 0, 0, 0, 1), card("red-8", 0, 0, 0, 0))
    assert [each.card["name"] for each in drawing.cards] == ["red-8", "blue-3"]


def test_a_leaning_card_is_foreshortened() -> None:
    flat, leaning = (drawn(card("red-8", 0, 0, 0, 0, tilt_deg=tilt)).cards[0].matrix for tilt in (0, 40))
    width = [applied(matrix, CARD_W, 0)[0] - applied(matrix, 0, 0)[0] for matrix in (flat, leaning)]
    assert abs(width[1] / width[0] - math.cos(math.radians(40))) < 0.01


def test_a_label_keeps_off_the_card_above() -> None:
    below, above = drawn(card("red-8", 0, 0, 0, 0), card("blue-3", 14, 18, 0, 1)).cards
    assert below.label[0] < 0 or below.label[1] > 0  # the side that blue-3 leaves free, y downwards
    assert math.dist(below.label, above.label) > 30


def test_a_pile_of_ten_keeps_its_labels_apart() -> None:
    pile = [card(f"red-{n + 1}", n, -n, 7 * n, n) for n in range(10)]
    places = [each.label for each in drawn(*pile).cards]
    pairs = [math.dist(a, b) for i, a in enumerate(places) for b in places[:i]]
    assert min(pairs) > 15


def test_the_label_of_a_card_far_off_is_still_in_the_drawing() -> None:
    drawing = drawn(card("red-8", 400, 0, 0, 0))
    x, _, width, _ = (float(v) for v in drawing.view_box.split())
    assert x < drawing.cards[0].label[0] < x + width


def test_without_a_table_the_picture_is_drawn() -> None:
    scene = throws_scene() | {"arena": None}
    for each in scene["cards"]:
        each["corners_mm"] = None
    drawing = draw_arena(scene)  # type: ignore[arg-type]
    assert drawing.floor is None
    assert drawing.view_box == "0 0 1280 720"
    assert len(drawing.cards) == 4


@pytest.mark.parametrize("colour", list(SHAPES))
def test_a_colour_has_the_shape_that_the_deck_prints(colour: str) -> None:
    """Who relies on shapes reads the same one on cards, pages and phones."""
    parts = (Path(arena_cam.web.__file__).parent / "templates" / "_parts.html").read_text(encoding="utf-8")
    (path,) = re.findall(rf'colour == "{colour}" %}}<path d="M([^"]+)z"', parts)
    drawn = np.array(path.split(), np.float32).reshape(-1, 2)
    printed = np.asarray(SHAPES[colour], np.float32) * 11
    assert cv2.contourArea(drawn) == pytest.approx(cv2.contourArea(printed), rel=0.04)
    assert max(abs(cv2.pointPolygonTest(printed, (float(x), float(y)), True)) for x, y in drawn) < 0.2


def test_the_drawing_is_as_near_as_the_cards_allow_and_cuts_none() -> None:
    def view(drawing: Any) -> list[float]:
        return [float(number) for number in drawing.view_box.split()]

    near, beside, far = (drawn(card("red-8", x, 0, 20, 0)) for x in (0, 150, 420))
    assert view(near)[2] < view(beside)[2] < view(far)[2]
    for drawing in (near, beside, far):
        x, y, width, height = view(drawing)
        for u, v in ((0, 0), (CARD_W, 0), (CARD_W, CARD_H), (0, CARD_H)):
            at = applied(drawing.cards[0].matrix, u, v)
            assert x - 0.1 <= at[0] <= x + width + 0.1
            assert y - 0.1 <= at[1] <= y + height + 0.1
