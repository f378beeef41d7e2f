"""A card on the arena's floor, painted at a known place, is found there from a rough guess; or it is said why not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.floor_change import Thing
from arena_cam.vision.deck_learning.laid_card import CARD_THICKNESS_MM, LaidCard, lay
from arena_cam.vision.picture.linear_light import linear_light
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, camera_above, painted

CAMERA = camera_above(2.4, (480, 400), tilt_deg=10.0)
FLOOR = np.full((400, 480, 3), 70, np.uint8)
SIZE_MM = (WIDTH_MM, HEIGHT_MM)
WIDENED_MM = 3.5


def corners_mm(x_mm: float, y_mm: float, angle_deg: float, size_mm: tuple[float, float] = SIZE_MM) -> Array:
    """From the top-left one clockwise (4, 3), on the card's upper side."""
    turn = np.radians(angle_deg)
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size_mm) / 2
    at = half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x_mm, y_mm)
    return np.column_stack([at, np.full(4, CARD_THICKNESS_MM)])


def face() -> Image:
    """Blotches in a pale border."""
    print_ = blotches(4)
    for edge in (print_[:12], print_[-12:], print_[:, :12], print_[:, -12:]):
        edge[:] = 225
    return print_


def with_card(
    x_mm: float, y_mm: float, angle_deg: float, size_mm: tuple[float, float] = SIZE_MM, floor: Image = FLOOR
) -> Image:
    painted_on = painted(floor, face(), CAMERA, corners_mm(x_mm, y_mm, angle_deg, size_mm))
    return np.asarray(cv2.GaussianBlur(painted_on, (0, 0), 0.7), np.uint8)


def guess(x_mm: float, y_mm: float, angle_deg: float, size_mm: tuple[float, float] = SIZE_MM) -> Thing:
    """What differs from the empty floor: a little larger than what lies there."""
    width, height = size_mm[0] + WIDENED_MM, size_mm[1] + WIDENED_MM
    return Thing(width * height, (x_mm, y_mm), (width, height), angle_deg)


def laid(picture: Image, thing: Thing, size_mm: tuple[float, float] | None = SIZE_MM) -> LaidCard | Message:
    return lay(linear_light(picture), CAMERA, thing, size_mm)


def test_nothing_on_the_floor_is_no_card() -> None:
    found = laid(FLOOR, guess(0.0, 0.0, 0.0))
    assert isinstance(found, Message)
    assert str(found).startswith("its edge is not to be seen all round")


@pytest.mark.parametrize("true", [(0.0, 0.0, 0.0), (12.0, -7.0, 30.0), (-10.0, 5.0, -75.0)])
@pytest.mark.parametrize("off", [(0.0, 0.0, 0.0), (2.0, -1.5, 2.0)])
def test_a_card_is_found_to_a_tenth_of_a_millimetre(
    true: tuple[float, float, float], off: tuple[float, float, float]
) -> None:
    thing = guess(true[0] + off[0], true[1] + off[1], true[2] + off[2])
    found = laid(with_card(*true), thing)
    assert isinstance(found, LaidCard)
    assert found.centre_mm == pytest.approx(true[:2], abs=0.1)
    assert found.angle_deg == pytest.approx(true[2], abs=0.2)
    assert found.size_mm == SIZE_MM
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    assert np.abs(found.pixels(square) - CAMERA.project(corners_mm(*true))).max() < 0.4


@pytest.mark.parametrize("size_mm", [(63.0, 88.0), (57.0, 87.0), (70.0, 70.5)])
def test_an_unknown_size_is_measured(size_mm: tuple[float, float]) -> None:
    found = laid(with_card(5.0, 3.0, 20.0, size_mm), guess(5.5, 2.5, 21.0, size_mm), None)
    assert isinstance(found, LaidCard)
    assert found.size_mm == pytest.approx(size_mm, abs=0.2)
    assert found.centre_mm == pytest.approx((5.0, 3.0), abs=0.1)


def test_a_rectangle_given_by_its_long_side_is_the_same_card() -> None:
    across = Thing(6000.0, (0.0, 0.0), (HEIGHT_MM + WIDENED_MM, WIDTH_MM + WIDENED_MM), 20.0 + 90.0)
    found = laid(with_card(0.0, 0.0, 20.0), across)
    assert isinstance(found, LaidCard)
    assert found.angle_deg == pytest.approx(20.0, abs=0.2)


@pytest.mark.parametrize("angle_deg", [20.0 + 180.0, 20.0 - 180.0, 20.0 + 360.0])
def test_up_is_what_is_up_in_the_picture(angle_deg: float) -> None:
    found = laid(with_card(0.0, 0.0, 20.0), guess(0.0, 0.0, angle_deg))
    assert isinstance(found, LaidCard)
    assert found.angle_deg == pytest.approx(20.0, abs=0.2)


@pytest.mark.parametrize("size_mm", [(58.0, 88.0), (63.0, 80.0)])
def test_a_card_of_another_size_is_refused(size_mm: tuple[float, float]) -> None:
    assert isinstance(laid(with_card(0.0, 0.0, 10.0, size_mm), guess(0.0, 0.0, 10.0, size_mm)), Message)


def test_an_outline_off_by_half_a_millimetre_all_round_is_refused() -> None:
    size_mm = (WIDTH_MM + 1.05, HEIGHT_MM + 1.05)
    found = laid(with_card(0.0, 0.0, 0.0, size_mm), guess(0.0, 0.0, 0.0, size_mm))
    assert isinstance(found, Message)
    assert str(found).startswith("it does not lie flat, or has another size than the others")


def test_a_card_across_is_turned_by_90_degrees_at_most() -> None:
    found = laid(with_card(0.0, 0.0, 89.5), guess(0.0, 0.0, 92.0))
    assert isinstance(found, LaidCard)
    assert found.angle_deg == pytest.approx(89.5, abs=0.2)


@pytest.mark.parametrize("lift_mm", [35.0, 50.0])
def test_a_card_that_leans_is_refused(lift_mm: float) -> None:
    leaning = corners_mm(0.0, 0.0, 0.0)
    leaning[1, 2] += lift_mm  # one corner in the air
    leaning[2, 2] += lift_mm / 2
    picture = cv2.GaussianBlur(painted(FLOOR, face(), CAMERA, leaning), (0, 0), 0.7)
    found = laid(np.asarray(picture, np.uint8), guess(0.0, 0.0, 0.0))
    assert isinstance(found, Message)


def test_a_crumb_is_no_card() -> None:
    found = laid(with_card(0.0, 0.0, 0.0, (24.0, 26.0)), guess(0.0, 0.0, 0.0, (24.0, 26.0)), None)
    assert isinstance(found, Message)
    assert str(found).startswith("it measures 24 x 26 mm, which is no card's size")


def test_a_hand_over_a_side_hides_the_card() -> None:
    picture = with_card(0.0, 0.0, 0.0)
    left = int(CAMERA.project(corners_mm(0.0, 0.0, 0.0))[:, 0].min())
    picture[100:240, left - 40 : left + 40] = (120, 150, 200)
    assert isinstance(laid(picture, guess(0.0, 0.0, 0.0)), Message)


@pytest.mark.parametrize("off", [(0.3, -0.4), (-0.5, 0.6), (-0.7, -0.5)])
@pytest.mark.parametrize("turn", [8.0, -30.0])
def test_a_border_of_nearly_the_floors_colour_is_not_taken_for_the_floor(off: tuple[float, float], turn: float) -> None:
    """A frame 2.5 mm inside the edge and a shadow beyond it show better than the edge, and drew the search away."""
    print_ = np.full((352, 252, 3), 88, np.uint8)
    print_[10:-10, 10:-10] = 225
    shadow = painted(FLOOR, np.full((8, 8, 3), 25, np.uint8), CAMERA, corners_mm(4.6, -10.0, turn))
    picture = cv2.GaussianBlur(painted(shadow, print_, CAMERA, corners_mm(5.0, -8.5, turn)), (0, 0), 0.7)
    found = laid(np.asarray(picture, np.uint8), guess(5.0 + off[0], -8.5 + off[1], turn + 0.3))
    assert isinstance(found, LaidCard), str(found)
    assert found.centre_mm == pytest.approx((5.0, -8.5), abs=0.25)
