"""A piece of a card leaves few places for the whole of it, and the right one is among them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import Deck
from arena_cam.vision.reading.guesses.guess import near, place_at
from arena_cam.vision.reading.guesses.pieces import places_of_pieces
from vision.small import HEIGHT_MM, WIDTH_MM

DECK = Deck("plain", WIDTH_MM, HEIGHT_MM, 3.0, ())
HALF = (150.0, 120.0)
NOTHING = np.zeros((240, 300), np.uint8)


def card(x: float, y: float, angle: float) -> np.ndarray:
    """A card as a mask of the view from above."""
    box = cv2.boxPoints(((x + HALF[0], HALF[1] - y), (WIDTH_MM, HEIGHT_MM), -angle))
    mask = NOTHING.copy()
    cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), (1,))
    return mask


def test_where_all_is_explained_there_is_no_place() -> None:
    assert places_of_pieces(NOTHING, NOTHING, HALF, DECK) == []


def test_a_strip_is_no_piece() -> None:
    strip = NOTHING.copy()
    strip[100:106, 50:150] = 1
    assert places_of_pieces(strip, NOTHING, HALF, DECK) == []


@pytest.mark.parametrize("angle", [0.0, 25.0, -50.0])
@pytest.mark.parametrize("covering", [None, (30.0, -20.0, 10.0), (-10.0, 35.0, 80.0)])
def test_the_cards_own_place_is_among_them(angle: float, covering: tuple[float, float, float] | None) -> None:
    lower, upper = card(0.0, 0.0, angle), NOTHING if covering is None else card(*covering)
    found = places_of_pieces(lower & (1 - upper), upper, HALF, DECK)
    true = np.array([0.0, 0.0, angle])
    assert any(near(place_at(way), true, 5.0, 5.0) for pose in found for way in (pose, pose.half_turned))
    assert len(found) <= 16


def test_what_is_larger_than_a_card_is_none() -> None:
    sheet = NOTHING.copy()
    sheet[20:220, 20:280] = 1
    assert places_of_pieces(sheet, NOTHING, HALF, DECK) == []
