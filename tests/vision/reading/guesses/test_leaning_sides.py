"""A card over a wall is guessed from one whole side, the two beside it, and the rim that it rests on."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.leaning_sides import leaning_places
from vision.small import small_deck

EYE = np.array([20.0, -40.0, 560.0])
ARENA = Arena((300.0, 300.0), 16.0, 8.0, -1.0)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return small_deck(tmp_path_factory.mktemp("deck"))


def over_the_right_wall(inside_mm: float, turned_deg: float, *, from_outside: bool = False) -> CardPose:
    """A card with its middle so far inside the right wall's inner rim that rests on a rim and, with its lowest corner,
    on the floor, or on the table where it comes from outside."""
    away, height = (158.0, 16.0) if from_outside else (150.0, 16.0)
    ground = -1.0 if from_outside else 0.0
    turn = CardPose.flat(0.0, 0.0, turned_deg).R
    for slope in np.linspace(0.02, 0.6, 600) * (-1.0 if from_outside else 1.0):
        up = np.array([-slope, 0.0, 1.0]) / np.hypot(slope, 1.0)
        x = turn[:, 0] - up * (turn[:, 0] @ up)
        x /= np.linalg.norm(x)
        middle = np.array([150.0 - inside_mm, 10.0, height + slope * (150.0 - inside_mm - away)])
        pose = CardPose(np.stack([x, np.cross(up, x), up], axis=1), middle)
        if pose.corners(63.0, 88.0)[:, 2].min() <= ground:
            return pose
    raise AssertionError("no lean lays a corner down")


def seen(corners: Array, sides: tuple[int, ...], gap_mm: float = 5.0) -> Array:
    """The straight parts (N, 2, 2) of a card's sides, by number, as they are seen in the level plane of the guesses."""
    level = EYE + (corners - EYE) * ((GUESS_HEIGHT_MM - EYE[2]) / (corners[:, 2] - EYE[2]))[:, None]
    ends = np.stack([level[list(sides)], level[[(k + 1) % 4 for k in sides]]], axis=1)[..., :2]
    along = ends[:, 1] - ends[:, 0]
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    return np.stack([ends[:, 0] + gap_mm * unit, ends[:, 1] - gap_mm * unit], axis=1)


def off_mm(pose: CardPose, true: CardPose) -> float:
    corners = true.corners(63.0, 88.0)
    return min(float(np.abs(pose.corners(63.0, 88.0) - np.roll(corners, k, axis=0)).max()) for k in (0, 2))


@pytest.mark.parametrize(
    ("inside_mm", "turned_deg", "from_outside"),
    [(10.0, 80.0, False), (25.0, 30.0, False), (-25.0, 70.0, True), (-30.0, 20.0, True)],
)
@pytest.mark.parametrize("whole", [0, 1, 2, 3])
def test_three_sides_and_the_rim_tell_how_a_card_leans(
    deck: Deck, inside_mm: float, turned_deg: float, from_outside: bool, whole: int
) -> None:
    true = over_the_right_wall(inside_mm, turned_deg, from_outside=from_outside)
    assert true.tilt_deg > 8.0
    sides = (whole, (whole + 1) % 4, (whole + 3) % 4)
    places = leaning_places(seen(true.corners(63.0, 88.0), sides), EYE, ARENA, deck)
    assert min(off_mm(pose, true) for pose in places) < 1.0


def test_a_side_of_which_one_end_is_hidden_is_no_guess(deck: Deck) -> None:
    true = over_the_right_wall(10.0, 80.0)
    assert leaning_places(seen(true.corners(63.0, 88.0), (0, 1)), EYE, ARENA, deck) == []
    assert leaning_places(np.empty((0, 2, 2)), EYE, ARENA, deck) == []


def test_what_has_not_the_size_of_a_card_leans_nowhere(deck: Deck) -> None:
    true = over_the_right_wall(10.0, 80.0)
    assert leaning_places(seen(true.corners(50.0, 66.0), (0, 1, 3)), EYE, ARENA, deck) == []


def test_a_card_in_the_middle_reaches_no_rim(deck: Deck) -> None:
    flat = CardPose.flat(0.0, 0.0, 20.0, 0.3)
    assert leaning_places(seen(flat.corners(63.0, 88.0), (0, 1, 3)), EYE, ARENA, deck) == []


def test_places_that_are_nearly_one_are_given_once(deck: Deck) -> None:
    """A frame printed inside a card's sides, and what noise does, lead to the same lean."""
    true = over_the_right_wall(10.0, 80.0)
    twice = np.concatenate([seen(true.corners(63.0, 88.0), (0, 1, 3)), seen(true.corners(63.4, 88.4), (0, 1, 3))])
    once = leaning_places(seen(true.corners(63.0, 88.0), (0, 1, 3)), EYE, ARENA, deck)
    assert len(leaning_places(twice, EYE, ARENA, deck)) == len(once)
