"""Who covers whom, by what is seen where two cards overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.placed_face import place_face
from arena_cam.vision.reading.cards.stacking import Overlap, overlaps, resting_on
from vision.scenes import HERE, fit_at, known_of, moved, scene_of
from vision.small import HEIGHT_MM, WIDTH_MM


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
