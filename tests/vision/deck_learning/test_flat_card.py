"""The outline of a flat card in a picture tells the camera's focal length; that of none fits no camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.flat_card import ANY_LENS, FOCALS, Lens, Misfit, misfit, one_lens
from arena_cam.vision.deck_learning.straightening import Pixels
from vision.small import HEIGHT_MM, WIDTH_MM

PICTURE_PX = (1000, 750)
TRUE = 8  # of FOCALS
TURNS = [(0.5, 0.1, 0.2), (-0.4, 0.3, -0.3), (0.1, -0.6, 0.0), (0.3, 0.5, 1.0), (-0.6, -0.1, 0.4), (0.4, -0.4, -0.2)]


def seen(
    turn: tuple[float, float, float], focal: float = FOCALS[TRUE], size_mm: tuple[float, float] = (WIDTH_MM, HEIGHT_MM)
) -> Pixels:
    """How a pinhole camera with that focal length sees a card of that size, turned by a rotation vector."""
    f = focal * max(PICTURE_PX)
    K = np.array([[f, 0.0, (PICTURE_PX[0] - 1) / 2], [0.0, f, (PICTURE_PX[1] - 1) / 2], [0.0, 0.0, 1.0]])

    def pixels(shares: Array) -> Array:
        card = np.column_stack([(shares - 0.5) * size_mm, np.zeros(len(shares))])
        at = cv2.projectPoints(card, np.array(turn), np.array([4.0, -3.0, 200.0]), K, np.zeros(5))[0]
        return np.asarray(at, np.float64).reshape(-1, 2)

    return pixels


def misfit_of(pixels: Pixels) -> Misfit:
    return misfit(pixels, PICTURE_PX, WIDTH_MM, HEIGHT_MM)


@pytest.mark.parametrize("turn", TURNS)
def test_the_true_focal_length_leaves_nothing(turn: tuple[float, float, float]) -> None:
    by_focal = misfit_of(seen(turn)).by_focal_mm
    assert by_focal.shape == FOCALS.shape
    assert int(by_focal.argmin()) == TRUE
    assert by_focal[TRUE] < 0.01
    assert by_focal[-1] > 0.2


def test_seen_from_straight_above_every_focal_length_will_do() -> None:
    assert misfit_of(seen((0.0, 0.0, 0.3))).by_focal_mm.max() < 0.02


@pytest.mark.parametrize("size_mm", [(WIDTH_MM - 4.0, HEIGHT_MM), (WIDTH_MM, HEIGHT_MM - 4.0)])
def test_an_outline_without_one_margin_is_no_flat_cards(size_mm: tuple[float, float]) -> None:
    off, right = misfit_of(seen((0.0, 0.0, 0.3), size_mm=size_mm)), misfit_of(seen((0.0, 0.0, 0.3)))
    assert off.at(ANY_LENS) > 0.5
    assert right.at(ANY_LENS) < 0.05


@pytest.mark.parametrize(
    ("by_focal", "lens", "expected"),
    [
        (np.zeros(25), ANY_LENS, 0.0),
        (np.full(25, 0.2), ANY_LENS, 0.2),
        # the only focal length that suits is one standard deviation off: a tenth of a millimetre
        (np.where(np.arange(25) == TRUE, 0.0, 9.0), Lens(FOCALS[TRUE] * np.exp(0.1), 0.1), 0.1),
        (np.where(np.arange(25) == TRUE, 0.0, 9.0), Lens(FOCALS[TRUE] * np.exp(0.3), 0.1), 0.3),
        (np.full(25, np.inf), ANY_LENS, np.inf),
    ],
)
def test_an_unlikely_focal_length_counts_as_misfit(by_focal: Array, lens: Lens, expected: float) -> None:
    assert Misfit(by_focal).at(lens) == pytest.approx(expected, abs=0.005)


def test_few_photographs_tell_no_lens() -> None:
    assert one_lens([]) is None
    assert one_lens([misfit_of(seen(turn)) for turn in TURNS[:5]]) is None


def test_six_photographs_of_one_camera_agree_on_its_lens() -> None:
    lens = one_lens([misfit_of(seen(turn)) for turn in TURNS])
    assert lens is not None
    assert lens.focal == pytest.approx(FOCALS[TRUE])
    assert lens.spread < ANY_LENS.spread


def test_one_wrong_outline_does_not_change_the_lens() -> None:
    wrong = misfit_of(seen(TURNS[0], size_mm=(WIDTH_MM - 5.0, HEIGHT_MM)))
    lens = one_lens([*(misfit_of(seen(turn)) for turn in TURNS), wrong])
    assert lens is not None
    assert lens.focal == pytest.approx(FOCALS[TRUE])
    assert wrong.at(lens) > 0.3


def test_an_outline_that_no_lens_of_that_length_can_see_does_not_rule_it_out() -> None:
    impossible = Misfit(np.where(np.arange(FOCALS.size) == TRUE, np.inf, 0.5))
    lens = one_lens([*(misfit_of(seen(turn)) for turn in TURNS), impossible])
    assert lens is not None
    assert lens.focal == pytest.approx(FOCALS[TRUE])


def test_photographs_of_several_cameras_agree_on_none() -> None:
    focals = FOCALS[[0, 4, 9, 14, 19, 24]]
    assert one_lens([misfit_of(seen(turn, focal)) for turn, focal in zip(TURNS, focals, strict=True)]) is None
