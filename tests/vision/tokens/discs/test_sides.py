"""Where a thick disc that is seen askew shows its side, and where a lamp throws its shadow."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs.sides import THICKEST, CastShadows, LightAbout, Sides, levels
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.table_view import TableView

Floats = NDArray[np.float64]
RADIUS_MM = 10.0
PLACES = (30.0, 30.0), (90.0, 40.0), (60.0, 90.0)
TOKEN = SeenDisc(0, np.array([0.0, 0.0]), 10.0, 1.0, 1.0, 1.0, 0.5, 1.0)


def test_the_side_is_turned_to_the_camera() -> None:
    sides = Sides(np.array([400.0, 0.0]), 400.0)
    reach = 10.0 + THICKEST * 10.0
    points = np.array([[reach - 0.1, 0.0], [reach + 0.1, 0.0], [-10.1, 0.0], [0.0, 10.1], [5.0, 0.0]])
    assert sides.on(TOKEN, points).tolist() == [True, False, False, False, False]


def test_beneath_one_that_lies_on_others_their_sides_are_seen_too() -> None:
    sides = Sides(np.array([400.0, 0.0]), 400.0)
    points = np.array([[10.0 + n * THICKEST * 10.0 - 0.1, 0.0] for n in (1, 2, 3)] + [[5.0, 0.0], [-10.1, 0.0]])
    told = [sides.on(TOKEN, points, higher).tolist() for higher in (0, 1, 2)]
    assert told == [[n <= higher for n in range(3)] + [False, False] for higher in (0, 1, 2)]


def test_from_straight_above_no_side_is_seen() -> None:
    sides = Sides(np.zeros(2), 400.0)
    assert not sides.on(TOKEN, np.array([[10.01, 0.0], [0.0, -10.01], [0.0, 0.0]])).any()


def test_the_foot_is_where_a_camera_sees_it() -> None:
    tilt = 0.6
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    camera = TableView(1000.0, np.zeros(2), 0.0, turn, np.array([20.0, -30.0, 500.0]))
    thick = THICKEST * TOKEN.radius_mm
    face = camera.to_mm(camera.to_px(np.array([[60.0, 40.0]]), thick))[0]
    token = SeenDisc(0, face, TOKEN.radius_mm, 1.0, 1.0, 1.0, 0.5, 1.0)
    assert np.allclose(face + Sides.of(camera).foot(token), [60.0, 40.0], atol=0.05)


def token(x: float, y: float, visible: float = 1.0) -> SeenDisc:
    return SeenDisc(0, np.array([x, y]), RADIUS_MM, 0.9, 0.9, visible, 0.5, 0.9)


class Paper:
    """Light on paper about tokens, each of which throws its shadow as far as `thrown` and leaves so much light."""

    def __init__(self, tokens: list[SeenDisc], thrown: Floats, left: float) -> None:
        self.tokens, self.thrown, self.left, self.asked = tokens, thrown, left, 0

    def __call__(self, points: Floats) -> Floats:
        self.asked += 1
        shares = np.linspace(0.0, 1.0, 21)[:, None]
        light = 1.0 + np.random.default_rng(3).normal(0.0, 0.04, len(points))
        for each in self.tokens:
            away = np.stack([np.hypot(*(points - each.middle - share * self.thrown).T) for share in shares])
            light[(away < RADIUS_MM).any(axis=0)] *= self.left
        return light


def test_lone_tokens_tell_how_their_shadows_lie_and_how_dark_they_are() -> None:
    tokens, thrown = [token(*place) for place in PLACES], np.array([4.0, -3.0])
    cast = LightAbout(Paper(tokens, thrown, 0.6)).cast(tokens)
    assert cast is not None
    assert np.linalg.norm(cast.thrown - thrown) < 1.0
    assert cast.left == pytest.approx(0.6, abs=0.05)


@pytest.mark.parametrize(("thrown", "left"), [((4.0, -3.0), 0.95), ((0.0, 0.0), 0.5)])
def test_where_shadows_are_faint_or_beneath_their_tokens_none_is_told(thrown: tuple[float, float], left: float) -> None:
    tokens = [token(*place) for place in PLACES]
    assert LightAbout(Paper(tokens, np.array(thrown), left)).cast(tokens) is None


def test_tokens_in_stacks_tell_nothing_and_a_token_beside_another_is_looked_at_once() -> None:
    stack = [token(30.0, 30.0), token(42.0, 30.0, 0.6)]
    paper = Paper(stack, np.array([4.0, 3.0]), 0.6)
    assert LightAbout(paper).cast(stack) is None
    assert LightAbout(paper).cast([token(30.0, 30.0, 0.6)]) is None
    light, lone = LightAbout(paper), token(90.0, 40.0)
    light.cast([lone])
    light.cast([lone, *stack])
    paper.asked = 0
    light.cast([lone])
    light.cast([lone, *stack])
    assert paper.asked == 0


def test_what_lies_a_token_higher_throws_its_shadow_as_much_farther() -> None:
    cast = CastShadows(np.array([6.0, 0.0]), 0.5, 0.4)
    points = np.array([[15.0, 0.0], [20.0, 0.0], [-15.0, 0.0]])
    on_card = cast.lit(points, [(token(0.0, 0.0), 1)])
    assert on_card.tolist() == [0.5, 1.0, 1.0]
    on_another = cast.lit(points, [(token(0.0, 0.0), 2)])
    assert on_another.tolist() == [0.5, 0.5, 1.0]
    assert cast.lit(points, [(token(0.0, 0.0), 0)]).tolist() == [1.0, 1.0, 1.0]  # on what is as high


def test_each_token_lies_on_as_many_as_the_highest_that_it_covers_and_one() -> None:
    low, middle, top, apart = token(0.0, 0.0, 0.3), token(12.0, 0.0, 0.6), token(24.0, 0.0), token(80.0, 0.0)
    tokens = [top, low, apart, middle]
    assert levels(tokens, lambda over, under: over.visible > under.visible) == [2, 0, 0, 1]
