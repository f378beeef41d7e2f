"""Who covers whom, by what is seen where two cards overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.reading.cards import stacking
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.placed_face import place_face
from arena_cam.vision.reading.cards.stacking import (
    Overlap,
    _inside,
    _Shared,
    _told,
    drawn_otherwise,
    overlaps,
    resting_on,
    stands_by_any_name,
)
from vision.scenes import HERE, fit_at, known_of, moved, scene_of
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, small_deck


def seen(faces: DeckFaces, *cards: tuple[str, CardPose], first: Sequence[int] = ()) -> tuple[list[Overlap], list[int]]:
    """The overlaps of cards laid in this order, each in the light in which what is in view of it lies."""
    scene = scene_of(faces, *cards)
    placed = []
    for number, (card, pose) in enumerate(cards):
        above = Known.nothing_of(scene)
        for other, where in cards[number + 1 :]:
            above = above.plus(fit_at(above, faces.index(other), where), None)
        placed.append(place_face(above, faces.index(card), pose))
    return overlaps(scene, placed, [1.0] * len(cards), first)


def test_cards_apart_do_not_overlap(faces: DeckFaces) -> None:
    far = CardPose.flat(70.0, 20.0, 0.0)
    pairs, order = seen(faces, ("card-1", CardPose.flat(-60.0, 0.0, 0.0)), ("card-2", far))
    assert pairs == []
    assert sorted(order) == [0, 1]


@pytest.mark.parametrize("shift", [(20.0, 10.0), (50.0, 0.0), (0.0, 75.0)])
def test_the_card_laid_last_lies_on_top(faces: DeckFaces, shift: tuple[float, float]) -> None:
    (pair,), order = seen(faces, ("card-1", HERE), ("card-2", moved(HERE, *shift)))
    assert (pair.a, pair.b) == (0, 1)
    assert pair.a_over_b < 0.01
    assert order == [0, 1]


@pytest.mark.parametrize("upper_first", [False, True])
def test_four_pixels_of_rim_are_enough(faces: DeckFaces, upper_first: bool) -> None:
    """Two upright cards overlap by 2 mm, four pixels, along their long sides."""
    left, right = CardPose.flat(-30.5, 0.0, 0.0, 0.3), CardPose.flat(30.5, 0.0, 0.0, 0.3)
    cards = [("card-1", left), ("card-2", right)]
    (pair,), order = seen(faces, *(cards[::-1] if upper_first else cards))
    assert pair.area_mm2 == pytest.approx(2.0 * HEIGHT_MM, rel=0.1)
    assert pair.a_over_b < 0.05
    assert order == [0, 1]


def test_a_pile_of_three_is_ordered_from_bottom_to_top(faces: DeckFaces) -> None:
    pairs, order = seen(
        faces, ("card-3", HERE), ("card-0", moved(HERE, 20, 10, 40)), ("card-4", moved(HERE, -5, 20, 80))
    )
    assert order == [0, 1, 2]
    assert len(pairs) == 3
    assert all(pair.a_over_b < 0.05 for pair in pairs)


def test_overlaps_are_asked_only_of_cards_that_may_lie_on_top(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a card that lies beneath another nobody asks what its other overlaps tell before those above it are laid."""
    asked = []

    def counted(area: _Shared) -> float:
        asked.append(area)
        return _told(area)

    monkeypatch.setattr(stacking, "_told", counted)
    turns = (0, 40, 80, 120, 160)
    pile = [(f"card-{n}", moved(HERE, 4 * n, 3 * n, turn)) for n, turn in enumerate(turns)]
    pairs, order = seen(faces, *pile)
    assert order == [0, 1, 2, 3, 4]
    assert len(pairs) == 10
    assert len(asked) < 20, "10 at first, and 6, 3 and 1 more as a card is laid on all others"


def test_what_lies_in_a_shadow_is_asked_when_the_overlap_is() -> None:
    """And only of what is in view then; of several shadows once."""
    shaded: list[list[bool]] = []

    def in_shade(those: NDArray[np.bool_]) -> Array:
        shaded.append(those.tolist())
        return np.full(int(those.sum()), -1.0)

    places, ratio = np.column_stack([np.arange(4.0), np.zeros(4)]), np.arange(1.0, 5.0)
    area = _Shared(places, ratio, np.ones(4, bool), 9.0, in_shade)
    area.shade(np.array([True, True, False, False]))
    area.seen[0] = False
    assert area.said().tolist() == [-1.0, 3.0, 4.0]
    area.shade(np.array([False, True, True, False]))
    assert area.said().tolist() == [-1.0, -1.0, 4.0]
    assert area.said().tolist() == [-1.0, -1.0, 4.0]
    assert shaded == [[False, True, False, False], [False, False, True, False]]


def test_where_nothing_can_be_told_what_lay_there_first_lies_below(faces: DeckFaces) -> None:
    """The pixels of the overlap are all hidden under a third card."""
    cards = [
        ("card-1", CardPose.flat(-28.0, 0.0, 0.0)),
        ("card-2", CardPose.flat(28.0, 0.0, 0.0)),
        ("card-3", CardPose.flat(0, 0, 0)),
    ]
    hidden = {}
    for first in ((), (0,), (1,)):
        pairs, _ = seen(faces, *cards, first=first)
        (hidden[first],) = (pair for pair in pairs if {pair.a, pair.b} == {0, 1})
    assert 0.3 < hidden[()].a_over_b < 0.7
    assert hidden[(0,)].a_over_b < 0.1
    assert hidden[(1,)].a_over_b > 0.9


@pytest.mark.parametrize("darker", [0, 1])
def test_a_light_that_is_a_little_off_does_not_say_which_of_two_whites_lies_on_top(tmp_path: Path, darker: int) -> None:
    """Over a large overlap a level or two of light are as many nats as an edge: a card on the challenge was said surely
    to lie under it."""
    white: Image = np.full((352, 252, 3), 238, np.uint8)
    faces = DeckFaces(small_deck(tmp_path, [white, white]))
    known = known_of(faces, ("card-0", CardPose.flat(-20.0, 0.0, 0.0)), ("card-1", CardPose.flat(20.0, 60.0, 0.0)))
    lit = []
    for number, pose in enumerate((CardPose.flat(-20.0, 0.0, 0.0), CardPose.flat(20.0, 60.0, 0.0))):
        placed = place_face(known, number, pose)
        light = np.zeros((3, 6))
        light[:, 0], light[:, 3] = 1.0, -1.0 * (number == darker)
        lit.append(replace(placed, light=light, scale=np.full(3, 5.0)))
    (pair,), _ = overlaps(known.scene, lit, [1.0, 1.0])
    assert abs(pair.nats) < 1.0


def test_print_says_who_lies_on_top_where_the_light_goes_on_otherwise_than_it_began(tmp_path: Path) -> None:
    """Of the upper card a strip was in view when its light was measured, which was off over all of its paper: that of
    the lower one fitted better there by 200 nats, and lay surely on top of the other's figure."""
    pictures: list[Image] = [np.full((352, 252, 3), 238, np.uint8) for _ in range(2)]
    pictures[1][250:280, 40:60] = 60
    faces = DeckFaces(small_deck(tmp_path, pictures))
    poses = [CardPose.flat(-20.0, 0.0, 0.0), CardPose.flat(0.0, 40.0, 0.0)]
    known = known_of(faces, *((f"card-{number}", pose) for number, pose in enumerate(poses)))
    lit = []
    for number, pose in enumerate(poses):
        light = np.zeros((3, 6))
        light[:, 0], light[:, 5] = 1.0, -12.0 * (number == 1)
        lit.append(replace(place_face(known, number, pose), light=light, scale=np.full(3, 5.0)))
    (pair,), order = overlaps(known.scene, lit, [1.0, 1.0])
    assert order == [0, 1]
    assert pair.nats < -30.0


def test_a_figure_that_is_not_seen_on_white_under_white_tells_who_lies_on_top(tmp_path: Path) -> None:
    """Nothing is known yet to lie over a card with one small figure in view: that its other one is nowhere says that
    the other card's paper lies over it. Its light had come of both figures, and was one in which none shows."""
    pictures: list[Image] = [np.full((352, 252, 3), 245, np.uint8) for _ in range(2)]
    pictures[0][20:32, 18:30] = pictures[0][-36:-20, -34:-18] = pictures[1][20:36, -30:-18] = (60, 130, 40)
    faces = DeckFaces(small_deck(tmp_path, pictures))
    lower, upper = CardPose.flat(-20.0, 0.0, 0.0), CardPose.flat(10.0, -40.0, 0.0)
    known = known_of(faces, ("card-0", lower), ("card-1", upper))
    placed = [place_face(known, number, pose) for number, pose in enumerate((lower, upper))]
    (pair,), order = overlaps(known.scene, placed, [1.0, 1.0])
    assert order == [0, 1]
    assert pair.nats < -10.0


@pytest.mark.parametrize(("may_be", "stands"), [((1, False), True), ((1, True), True), ((3, False), False)])
def test_who_covers_whom_is_told_by_what_the_names_that_a_card_may_have_share(
    tmp_path: Path, may_be: tuple[int, bool], stands: bool
) -> None:
    """The figure of the lower card lies beneath the upper one, whose print shows there, as its sides do: it is the
    lower one whichever of two figures it has. By a name that is drawn otherwise all over nothing is told."""
    pictures: list[Image] = [np.full((352, 252, 3), 238, np.uint8) for _ in range(3)]
    pictures[0][20:60, 160:220] = (60, 60, 200)
    pictures[1][20:60, 180:200] = (60, 60, 200)
    pictures[2][60:320:40, 30:220] = 40
    faces = DeckFaces(small_deck(tmp_path, [*pictures, blotches(3)]))
    lower, upper = CardPose.flat(-20.0, 0.0, 0.0), CardPose.flat(10.0, 30.0, 20.0)
    scene = scene_of(faces, ("card-0", lower), ("card-2", upper))
    bare = Known.nothing_of(scene)
    placed = [place_face(bare.plus(fit_at(bare, 2, upper), 2), 0, lower), place_face(bare, 2, upper)]
    (pair,), order = overlaps(scene, placed, [0.7, 1.0])
    assert order == [0, 1]
    apart = drawn_otherwise(scene, 0, [may_be])
    assert stands_by_any_name(scene, placed, [0.7, 1.0], order, pair, (0, apart)) is stands


def test_in_the_shadow_of_a_third_card_the_darker_of_two_whites_does_not_lie_on_top(tmp_path: Path) -> None:
    """The light on white cards is known to some grey levels: one of them seems four levels darker. Where the shadow
    of a card above both falls, that said surely that it was the upper one, of which nothing tells."""
    white: Image = np.full((352, 252, 3), 238, np.uint8)
    faces = DeckFaces(small_deck(tmp_path, [white, white, blotches(3)]))
    cards = [
        ("card-0", CardPose.flat(-28.0, 0.0, 0.0)),
        ("card-1", CardPose.flat(28.0, 50.0, 0.0)),
        ("card-2", CardPose.flat(0.0, 9.5, 90.0, 0.6)),
    ]
    bare = scene_of(faces, *cards)
    x, y = np.array([-60.0, 60.0, 60.0, -60.0]), np.array([41.0, 41.0, 44.5, 44.5])
    mask = np.zeros(bare.bgr.shape[:2], np.uint8)
    corners = bare.camera.project(np.stack([x, y, np.zeros(4)], axis=1))
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), (1,))
    shade = np.asarray(0.8 * bare.bgr * mask[:, :, None], np.uint8)
    known = Known.nothing_of(scene_of(faces, *cards, over=shade))
    placed = [place_face(known, number, pose) for number, (_, pose) in enumerate(cards)]
    for darker in (0, 1):
        light = placed[2].light
        assert light is not None
        even = np.zeros_like(light)
        even[:, 0], even[:, 3] = 1.0, 0.0
        lit = [replace(each, light=even.copy(), scale=np.full(3, 5.0)) for each in placed]
        lit[darker].light[:, 3] = -4.0  # type: ignore[index]
        pairs, _ = overlaps(known.scene, lit, [0.4, 0.4, 1.0])
        (whites,) = (pair for pair in pairs if {pair.a, pair.b} == {0, 1})
        assert abs(whites.nats) < 1.0


@pytest.mark.parametrize(("depth_mm", "told"), [(0.4, True), (0.1, False), (-0.5, False)])
def test_a_corner_under_another_card_counts_where_it_surely_is(faces: DeckFaces, depth_mm: float, told: bool) -> None:
    """So little of an overlap shows nothing, but what lay there first lies below."""
    radius = faces.deck.corner_radius_mm
    reach = np.hypot(WIDTH_MM / 2 - radius, HEIGHT_MM / 2 - radius) + radius
    turn = np.degrees(np.arctan2(HEIGHT_MM / 2 - radius, WIDTH_MM / 2 - radius))
    cards = [("card-1", CardPose.flat(0, 0, -turn)), ("card-2", CardPose.flat(reach + WIDTH_MM / 2 - depth_mm, 0, 0))]
    pairs, _ = seen(faces, *cards, first=(0,))
    assert [(pair.a, pair.b) for pair in pairs] == ([(0, 1)] if told else [])
    assert all(pair.a_over_b < 0.1 for pair in pairs)


def test_a_card_rests_on_what_is_directly_beneath_it(faces: DeckFaces) -> None:
    poses = [CardPose.flat(0, 0, 0), CardPose.flat(8, 0, 0), CardPose.flat(4, 0, 0), CardPose.flat(90, 60, 0)]
    known = known_of(faces, *((f"card-{number}", pose) for number, pose in enumerate(poses)))
    placed = [place_face(known, number, pose) for number, pose in enumerate(poses)]
    rests = resting_on(known.scene, placed, [0, 1, 2, 3])
    assert rests[0] == []
    assert [card for card, _ in rests[1]] == [0]
    assert sorted(card for card, _ in rests[2]) == [0, 1]
    area = dict(rests[2])
    assert area[1] == pytest.approx((WIDTH_MM - 4.0) * HEIGHT_MM, rel=0.1)
    assert area[0] == pytest.approx(4.0 * HEIGHT_MM, rel=0.3)
    assert rests[3] == []


def test_what_lies_apart_or_is_decided_is_not_looked_at_beneath_a_card(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two piles side by side the cards of one say nothing about what is in view of the other."""
    asked: list[Array] = []

    def counted(polygon: Array, x: Array, y: Array) -> NDArray[np.bool_]:
        asked.append(polygon)
        return _inside(polygon, x, y)

    left, right = CardPose.flat(-70.0, 0.0, 0.0), CardPose.flat(70.0, 0.0, 0.0)
    cards = [(f"card-{n}", moved(pile, 4.0 * n, 6.0 * n)) for n in (0, 1) for pile in (left, right)]
    monkeypatch.setattr(stacking, "_inside", counted)
    pairs, order = seen(faces, cards[0], cards[2], cards[1], cards[3])
    assert sorted((pair.a, pair.b) for pair in pairs) == [(0, 1), (2, 3)]
    assert order.index(0) < order.index(1)
    assert order.index(2) < order.index(3)
    assert len(asked) == 2, "the points of each overlap, and no rim over the other pile"


def test_a_grid_and_its_points_one_by_one_lie_in_a_polygon_alike() -> None:
    polygon = np.array([[0.0, 0.0], [9.0, 2.0], [7.0, 8.0], [-1.0, 6.0]])
    x, y = np.arange(-2.0, 10.0, 0.7), np.arange(-1.0, 9.0, 0.7)
    in_grid = _inside(polygon, x[None], y[:, None])
    across, down = np.meshgrid(x, y)
    assert in_grid.any()
    assert not in_grid.all()
    assert np.array_equal(in_grid.ravel(), _inside(polygon, across.ravel(), down.ravel()))
    assert np.array_equal(in_grid, _inside(polygon[::-1], x[None], y[:, None]))
    with computing_with(None):
        assert np.array_equal(in_grid, _inside(polygon, x[None], y[:, None]))
        assert np.array_equal(in_grid.ravel(), _inside(polygon, across.ravel(), down.ravel()))
