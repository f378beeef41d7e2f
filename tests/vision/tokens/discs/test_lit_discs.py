"""Round prints are compared in the light that fits each best: shadow dims, a reflection pales."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.lit_discs import LitDiscs
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import plain_light

RED, BLUE, GREY = (48, 44, 200), (180, 80, 40), (120, 120, 120)
MIDDLE = np.array([30.0, 30.0])


def print_of(colour: tuple[int, int, int], *, sign: bool = False) -> NDArray[np.uint8]:
    picture = np.full((100, 100, 3), colour, np.uint8)
    if sign:
        cv2.line(picture, (30, 50), (70, 50), (240, 240, 240), 10)
    return picture


def view_of(picture: NDArray[np.uint8], *, brightness: float = 1.0, gloss: float = 0.0) -> TopView:
    """The print 20 mm wide in the middle of 60 mm of table, with light added where it falls."""
    pixels = np.full((120, 120, 3), 60.0)
    disc = np.zeros((120, 120), np.uint8)
    cv2.circle(disc, (60, 60), 20, 1, -1)
    pixels[40:80, 40:80] = cv2.resize(picture, (40, 40), interpolation=cv2.INTER_AREA)
    lit = 255.0 * (brightness * (pixels / 255.0) ** 2.2 + gloss) ** (1 / 2.2)
    pixels = np.where(disc[..., None] > 0, lit, 60.0).astype(np.float32)
    return TopView(pixels, np.ones((120, 120), bool), np.zeros(2), 2.0)


@pytest.mark.parametrize(("brightness", "gloss"), [(1.0, 0.0), (0.6, 0.0), (0.9, 0.2)])
def test_the_print_is_told_in_shadow_and_in_a_reflection(brightness: float, gloss: float) -> None:
    prints = [print_of(colour) for colour in (RED, BLUE, GREY)]
    fits = LitDiscs(DiscPrints(prints, 10.0)).fits(
        view_of(prints[0], brightness=brightness, gloss=gloss), plain_light, MIDDLE
    )
    assert fits.best == 0
    assert fits.shares[0] > 0.95
    assert fits.chances()[0] > 0.9
    assert fits.gloss[0] == pytest.approx(gloss, abs=0.06)


@pytest.mark.parametrize(("green", "is_told"), [((42, 66, 40), True), ((38, 46, 39), False)])
def test_a_dark_green_disc_is_told_from_black_by_more_than_a_white_balance_is_off(
    green: tuple[int, int, int], is_told: bool
) -> None:
    prints = [print_of(colour) for colour in (green, (36, 34, 40))]
    chances = LitDiscs(DiscPrints(prints, 10.0)).fits(view_of(prints[0]), plain_light, MIDDLE).chances()
    assert bool(chances[0] > 0.97) is is_told


def test_a_green_disc_in_a_strong_reflection_is_pale_and_not_white() -> None:
    green, white = print_of((60, 140, 40)), print_of((235, 235, 235))
    fits = LitDiscs(DiscPrints([green, white], 10.0)).fits(
        view_of(green, brightness=0.8, gloss=0.5), plain_light, MIDDLE
    )
    assert fits.best == 0
    assert fits.shares[0] > 0.95
    seen_white = LitDiscs(DiscPrints([green, white], 10.0)).fits(view_of(white), plain_light, MIDDLE)
    assert seen_white.chances()[1] > 0.95


def test_a_small_sign_tells_in_the_details() -> None:
    prints = [print_of(RED), print_of(RED, sign=True)]
    lit = LitDiscs(DiscPrints(prints, 10.0))
    for seen in (0, 1):
        fits = lit.fits(view_of(prints[seen]), plain_light, MIDDLE)
        assert fits.details[1 - seen] - fits.details[seen] > 2.0
        assert fits.chances()[seen] > 0.85


def test_a_face_that_lies_some_millimetres_aside_of_the_rim_is_laid_on_its_picture() -> None:
    prints = [print_of(RED, sign=True), print_of(BLUE, sign=True)]
    fits = LitDiscs(DiscPrints(prints, 10.0)).fits(view_of(prints[0]), plain_light, MIDDLE + np.array([2.4, 0.0]))
    assert fits.best == 0
    assert fits.middle == pytest.approx(MIDDLE, abs=0.75)
    assert fits.shares[0] > 0.85


def test_what_the_photograph_does_not_show_tells_nothing() -> None:
    view = view_of(print_of(RED))
    fits = LitDiscs(DiscPrints([print_of(RED), print_of(BLUE)], 10.0)).fits(
        TopView(view.pixels, np.zeros((120, 120), bool), np.zeros(2), 2.0), plain_light, MIDDLE
    )
    assert fits.visible == 0.0
    assert fits.chances() == pytest.approx([0.5, 0.5])
