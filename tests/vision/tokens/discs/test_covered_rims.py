"""The rim of a token as pale as its card, half beneath another, is told by all of its open arc."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.covered_rims import covered_rims
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.top_view import TopView

RADIUS_MM, PX_PER_MM, SIDE, LEAST = 12.0, 2.0, 240, 6.0
ABOVE = np.array([60.0, 60.0])
BENEATH = ABOVE + np.array([11.0, 0.0])


def token(middle: NDArray[np.float64]) -> SeenDisc:
    return SeenDisc(0, middle, RADIUS_MM, 0.9, 0.9, 1.0, 0.4, 1.0)


def bare(differs: float, *, arc_deg: float = 360.0, stripe: bool = False) -> TopView:
    """What a card's print leaves unexplained: blur and grain, an arc of a token beneath another that differs by so many
    grey levels, and a stripe of print that lies aside."""
    rng = np.random.default_rng(2)
    grain = rng.normal(0.0, 9.0, (SIDE, SIDE, 3)).astype(np.float32)
    pixels = np.asarray(cv2.GaussianBlur(grain, (0, 0), 1.0), np.float32)
    face = np.zeros((SIDE, SIDE), np.float32)
    at = tuple(int(each) for each in np.round(BENEATH * PX_PER_MM - 0.5))
    radius = round(RADIUS_MM * PX_PER_MM)
    cv2.ellipse(face, (at[0], at[1]), (radius, radius), 0.0, -arc_deg / 2, arc_deg / 2, 1.0, -1, cv2.LINE_AA)
    pixels += differs * face[..., None]
    if stripe:
        pixels[:, 165:170] += 60.0
    return TopView(np.asarray(pixels, np.float32), np.ones((SIDE, SIDE), bool), np.zeros(2), PX_PER_MM)


def hidden() -> NDArray[np.bool_]:
    covered = np.zeros((SIDE, SIDE), np.uint8)
    cv2.circle(covered, (120, 120), round(1.1 * RADIUS_MM * PX_PER_MM), 1, -1)
    return covered > 0


def test_nothing_is_found_where_nothing_lies() -> None:
    assert covered_rims(bare(0.0), [], hidden(), LEAST) == []
    assert covered_rims(bare(0.0), [token(ABOVE)], np.ones((SIDE, SIDE), bool), LEAST) == []
    assert covered_rims(bare(0.0), [token(ABOVE)], hidden(), LEAST) == []


@pytest.mark.parametrize("differs", [8.0, -8.0, 40.0])
def test_a_rim_that_differs_by_little_is_found_where_it_goes_on_along_its_arc(differs: float) -> None:
    (middle, spreads), *_ = covered_rims(bare(differs), [token(ABOVE)], hidden(), LEAST)
    assert np.linalg.norm(middle - BENEATH) < 0.2 * RADIUS_MM
    assert spreads > LEAST


def test_part_of_an_arc_and_a_stripe_of_print_are_no_rim() -> None:
    assert covered_rims(bare(8.0, arc_deg=50.0), [token(ABOVE)], hidden(), LEAST) == []
    assert covered_rims(bare(0.0, stripe=True), [token(ABOVE)], hidden(), LEAST) == []


def test_a_token_that_is_known_is_none_that_was_missed() -> None:
    known = [token(ABOVE), token(BENEATH)]
    both = hidden() | np.roll(hidden(), round(11.0 * PX_PER_MM), axis=1)
    assert covered_rims(bare(20.0), known, both, LEAST) == []
