"""Straight edges that make a rectangle of a card's size, whatever is drawn in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.vision.kernels.side_calls import outlined
from arena_cam.vision.reading.floor.view import FloorView
from arena_cam.vision.reading.guesses.guess import near, place_at
from arena_cam.vision.reading.guesses.outlines import places_of_rectangles
from vision.small import HEIGHT_MM, WIDTH_MM

DECK = Deck("plain", WIDTH_MM, HEIGHT_MM, 3.0, (), Path("back.png"))
HALF = (150, 120)  # mm, at one pixel a millimetre


def view(*rectangles: tuple[float, float, float, float, float]) -> FloorView:
    """Bright rectangles (x, y, angle, width, height; mm) on a grainy floor."""
    grain = np.random.default_rng(0).normal(90, 3, (2 * HALF[1], 2 * HALF[0]))
    grey = np.clip(cv2.GaussianBlur(grain, (0, 0), 1.0), 0, 255).astype(np.uint8)
    for x, y, angle, width, height in rectangles:
        box = cv2.boxPoints(((x + HALF[0], HALF[1] - y), (width, height), -angle))
        cv2.fillConvexPoly(grey, np.round(box).astype(np.int32), (170,))
    return FloorView(np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.7), np.uint8), 1.0, -float(HALF[0]), float(HALF[1]))


EVERYWHERE = np.ones((2 * HALF[1], 2 * HALF[0]), np.uint8)


def test_an_even_floor_has_none() -> None:
    assert places_of_rectangles(view(), EVERYWHERE, DECK) == []


@pytest.mark.parametrize("angle", [0.0, 33.0, -70.0])
def test_a_card_is_the_plainest_of_all(angle: float) -> None:
    best, *_ = places_of_rectangles(view((20.0, -15.0, angle, WIDTH_MM, HEIGHT_MM)), EVERYWHERE, DECK)
    true = np.array([20.0, -15.0, angle])
    assert any(near(place_at(way), true, 3.0, 3.0) for way in (best, best.half_turned))


def test_only_where_it_is_asked_for() -> None:
    elsewhere = EVERYWHERE.copy()
    elsewhere[:, 120:] = 0
    found = places_of_rectangles(view((60.0, 0.0, 10.0, WIDTH_MM, HEIGHT_MM)), elsewhere, DECK)
    assert not any(np.hypot(*(pose.centre_mm[:2] - [60.0, 0.0])) < 10.0 for pose in found)


def test_what_lies_far_apart_is_turned_with_its_surroundings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards and a speck in the corners of a table: turned as a whole it would be half as large again each time."""
    looked_at: list[int] = []

    def counted(grey: NDArray[np.uint8], *rest: Any) -> NDArray[np.float32] | None:
        looked_at.append(grey.size)
        return outlined(grey, *rest)

    monkeypatch.setattr("arena_cam.vision.reading.guesses.outlines.outlined", counted)
    cards = [(-90.0, 60.0, 20.0, WIDTH_MM, HEIGHT_MM), (90.0, -60.0, -40.0, WIDTH_MM, HEIGHT_MM)]
    where = np.zeros_like(EVERYWHERE)
    for column, row in ((60, 60), (240, 180), (250, 30)):
        where[row - 5 : row + 6, column - 5 : column + 6] = 1
    found = places_of_rectangles(view(*cards), where, DECK)
    for x, y, *_ in cards:
        assert any(np.hypot(*(pose.centre_mm[:2] - [x, y])) < 3.0 for pose in found)
    assert len(looked_at) > 3 * 45
    assert sum(looked_at) < 45 * EVERYWHERE.size


def test_a_rectangle_of_another_size_is_not_as_plain_as_a_card() -> None:
    both = view((-70.0, 0.0, 0.0, 40.0, 50.0), (60.0, 0.0, 0.0, WIDTH_MM, HEIGHT_MM))
    best, *_ = places_of_rectangles(both, EVERYWHERE, DECK)
    assert best.centre_mm[0] == pytest.approx(60.0, abs=4.0)
