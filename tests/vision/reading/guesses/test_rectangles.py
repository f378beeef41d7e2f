"""Places of cards by their straight sides, on painted views of a floor."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import Deck
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.guesses.line_segments import ColourView
from arena_cam.vision.reading.guesses.rectangles import SIDE_REACHES_MM, SIDES_PX_PER_MM, SidesInView
from vision.small import small_deck

SIZE = (450, 360)  # of the view: 300 by 240 mm
FLOOR, PAPER = 110, 225


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return small_deck(tmp_path)


def pixels_of(x_mm: float, y_mm: float, degrees: float, deck: Deck) -> np.ndarray:
    """The corners (4, 2) of a card in the view whose middle shows the world's origin."""
    a = np.radians(degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    x, y = deck.width_mm / 2, deck.height_mm / 2
    corners = np.array([[-x, y], [x, y], [x, -y], [-x, -y]]) @ turn.T + (x_mm, y_mm)
    at = (corners * (1, -1) + (150.0, 120.0)) * SIDES_PX_PER_MM
    return np.asarray(np.round(at), np.int32)


def sides(deck: Deck, shapes: list[np.ndarray], grey: list[int] | None = None) -> tuple[SidesInView, np.ndarray]:
    """What is seen of blank shapes that lie one over another, the last on top; and where the floor is bare."""
    picture = np.full((SIZE[1], SIZE[0], 3), FLOOR, np.uint8)
    covered = np.zeros(picture.shape[:2], np.uint8)
    for shape, level in zip(shapes, grey or [PAPER] * len(shapes), strict=True):
        cv2.fillPoly(picture, [shape], (level, level, level))
        cv2.polylines(picture, [shape], True, (90, 90, 90), 1, cv2.LINE_AA)  # the dark line of a cut edge
        cv2.fillPoly(covered, [shape], (1,))
    view = ColourView(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), SIDES_PX_PER_MM, -150.0, 120.0)
    bare = (1 - covered).astype(np.uint8)
    return SidesInView(view, covered, bare, deck), np.zeros_like(bare)


def is_among(found: list[tuple[CardPose, float]], x: float, y: float, degrees: float) -> bool:
    """Whether a place is guessed to 2.5 mm and 2 degrees, whichever way up: near enough for its outline to be laid."""
    return any(
        np.hypot(pose.centre_mm[0] - x, pose.centre_mm[1] - y) < 2.5
        and abs((pose.angle_deg - degrees + 90.0) % 180.0 - 90.0) < 2.0
        for pose, _ in found
    )


@pytest.mark.parametrize("degrees", [0.0, 17.0, 45.0, 80.0])
def test_a_blank_card_on_bare_floor_is_the_likeliest_place(deck: Deck, degrees: float) -> None:
    seen, nothing = sides(deck, [pixels_of(10.0, -5.0, degrees, deck)])
    assert is_among(seen.places_of_cards(nothing)[:1], 10.0, -5.0, degrees)


def test_of_two_blank_cards_the_lower_is_guessed_by_what_the_upper_leaves(deck: Deck) -> None:
    upper = pixels_of(25.0, 10.0, 35.0, deck)
    seen, claimed = sides(deck, [pixels_of(-20.0, -10.0, 5.0, deck), upper])
    assert is_among(seen.places_of_cards(claimed)[:2], 25.0, 10.0, 35.0)
    cv2.fillPoly(claimed, [upper], (1,))
    assert is_among(seen.places_of_cards(claimed)[:2], -20.0, -10.0, 5.0)


def test_a_dark_card_is_found_as_well_as_a_pale_one(deck: Deck) -> None:
    seen, nothing = sides(deck, [pixels_of(0.0, 0.0, 28.0, deck)], [70])
    assert is_among(seen.places_of_cards(nothing)[:1], 0.0, 0.0, 28.0)


def test_what_has_no_straight_side_is_no_card(deck: Deck) -> None:
    disc = np.array(cv2.ellipse2Poly((225, 180), (80, 80), 0, 0, 360, 3))
    seen, nothing = sides(deck, [disc])
    assert all(nats < 15.0 for _, nats in seen.places_of_cards(nothing))


def test_bare_floor_has_no_places(deck: Deck) -> None:
    seen, nothing = sides(deck, [])
    assert seen.places_of_cards(nothing) == []


@pytest.mark.parametrize("known", [True, False])
def test_the_picture_s_border_is_no_side_of_a_card_that_it_cuts(deck: Deck, known: bool) -> None:
    """Three sides show, and the border looks like the fourth, 17 mm inside."""
    picture = np.full((SIZE[1], SIZE[0], 3), FLOOR, np.uint8)
    cv2.fillPoly(picture, [pixels_of(-105.0, 10.0, 4.0, deck)], (PAPER, PAPER, PAPER))
    covered = (picture[:, :, 0] == PAPER).astype(np.uint8)
    cv2.polylines(picture, [pixels_of(-105.0, 10.0, 4.0, deck)], True, (90, 90, 90), 1, cv2.LINE_AA)
    border = round(30.0 * SIDES_PX_PER_MM)
    picture[:, :border] = 0
    view = ColourView(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), SIDES_PX_PER_MM, -150.0, 120.0)
    beyond = np.zeros_like(covered)
    beyond[:, : border + round(SIDE_REACHES_MM * SIDES_PX_PER_MM)] = 1
    bare = (1 - covered).astype(np.uint8)
    seen = SidesInView(view, covered, bare, deck, None, beyond if known else None)
    found = seen.places_of_cards(beyond if known else np.zeros_like(beyond))
    assert is_among(found[:1], -105.0, 10.0, 4.0) is known


@pytest.mark.parametrize("degrees", [12.0, 71.0])
def test_the_grain_of_a_tray_on_a_smooth_table_is_no_side(deck: Deck, degrees: float) -> None:
    """Cork is rough everywhere, and a card may be as brown; what shows nowhere else are four straight sides."""
    rng = np.random.default_rng(4)
    tray = slice(30, SIZE[1] - 30), slice(75, SIZE[0] - 75)
    grain = cv2.GaussianBlur(rng.normal(0.0, 1.0, (SIZE[1], SIZE[0])), (0, 0), 1.5)
    levels = np.full(grain.shape, float(FLOOR))
    levels[tray] += 18.0 * (grain / grain.std())[tray]
    picture = np.repeat(levels.clip(0, 255).astype(np.uint8)[:, :, None], 3, axis=2)
    shape = pixels_of(10.0, -5.0, degrees, deck)
    covered = np.zeros(grain.shape, np.uint8)
    cv2.fillPoly(picture, [shape], (FLOOR + 20,) * 3)
    cv2.polylines(picture, [shape], True, (40, 40, 40), 2, cv2.LINE_AA)
    cv2.fillPoly(covered, [shape], (1,))
    view = ColourView(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), SIDES_PX_PER_MM, -150.0, 120.0)
    bare = (1 - covered).astype(np.uint8)
    found = SidesInView(view, covered, bare, deck).places_of_cards(np.zeros_like(bare))
    assert is_among(found[:1], 10.0, -5.0, degrees)
    assert all(nats < 20.0 for _, nats in found[1:])
