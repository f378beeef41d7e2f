"""Who covers whom, by whose face is seen where two cards overlap."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.singly.overlaps import Overlap, above, bottom_to_top, outline, overlaps, rests_on
from arena_cam.vision.planes.candidates import Candidate, settle
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from vision.planes.photographed import SIZE, homography, photograph

LOW, OVER, APART = CardPose.flat(-30.0, 0.0, 10.0), CardPose.flat(0.0, 15.0, 60.0), CardPose.flat(80.0, -45.0, 0.0)


def found(faces: DeckFaces, templates: Templates, *cards: tuple[int, CardPose]) -> list[Candidate]:
    """The cards of a photograph in which each lies over those before it."""
    picture = Picture(photograph(faces.deck, *((f"card-{face}", pose) for face, pose in cards)))
    settled = [settle(picture, homography(pose), face, templates, "test") for face, pose in cards]
    return [each for each in settled if each is not None]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_upper_card_is_the_one_that_is_seen(faces: DeckFaces, templates: Templates, order: tuple[int, int]) -> None:
    """Either card lies on top of the other; the list of the cards says nothing about it."""
    poses = {0: LOW, 1: OVER}
    cards = sorted(found(faces, templates, *((face, poses[face]) for face in order)), key=lambda card: card.face)
    assert len(cards) == 2
    pairs = overlaps(cards, SIZE)
    assert [(pair.upper, pair.lower) for pair in pairs] == [(order[1], order[0])]
    assert pairs[0].decided


def test_cards_apart_do_not_overlap(faces: DeckFaces, templates: Templates) -> None:
    assert overlaps(found(faces, templates, (0, LOW), (1, APART)), SIZE) == []
    assert overlaps([], SIZE) == []


def test_an_outline_is_the_card_s_area_cut_at_the_picture(faces: DeckFaces, templates: Templates) -> None:
    (card,) = found(faces, templates, (0, LOW))
    mask = outline(card, SIZE)
    assert mask.shape == (SIZE[1], SIZE[0])
    assert mask.sum() == pytest.approx(63 * 88 * 4, rel=0.1)  # of 2 px/mm, seen 15 degrees from the side
    assert not outline(card, (10, 10)).any()


def test_what_is_told_by_little_is_not_decided() -> None:
    assert Overlap(0, 1, 12.0).decided
    assert not Overlap(0, 1, 11.9).decided


def test_bottom_to_top_is_an_order_that_covers_none_that_comes_later() -> None:
    pairs = [Overlap(2, 0, 50.0), Overlap(0, 1, 50.0), Overlap(3, 1, 50.0)]
    order, consistent = bottom_to_top(4, pairs)
    assert consistent
    assert sorted(order) == [0, 1, 2, 3]
    assert all(order.index(pair.upper) > order.index(pair.lower) for pair in pairs)
    assert bottom_to_top(0, []) == ([], True)


def test_in_a_circle_the_weakest_pair_gives_way() -> None:
    circle = [Overlap(0, 1, 80.0), Overlap(1, 2, 70.0), Overlap(2, 0, 5.0)]
    order, consistent = bottom_to_top(3, circle)
    assert not consistent
    assert sorted(order) == [0, 1, 2]
    assert order == [2, 1, 0]


def test_above_a_card_are_all_that_cover_it() -> None:
    assert above(3, [Overlap(2, 0, 9.0), Overlap(1, 0, 9.0), Overlap(2, 1, 9.0)]) == [{1, 2}, {2}, set()]


def test_a_card_rests_on_those_it_touches(faces: DeckFaces, templates: Templates) -> None:
    """Three in a pile, the middle one as large as what the others share: the upper rests on it alone."""
    poses = CardPose.flat(0.0, -8.0, 0.0), CardPose.flat(0.0, 0.0, 0.0), CardPose.flat(0.0, 8.0, 0.0)
    picture = Picture(photograph(faces.deck, *((f"card-{n}", pose) for n, pose in enumerate(poses))))
    cards = []
    for face, pose in enumerate(poses):
        seen = np.full(templates.grid.mask.shape, 0.02, np.float32)
        seen[-6:] = 1.0  # the strip that shows of each
        card = settle(picture, homography(pose), face, templates, "test", seen, steps=0)
        assert card is not None
        cards.append(card)
    pairs = [Overlap(1, 0, 99.0), Overlap(2, 1, 99.0), Overlap(2, 0, 99.0)]
    assert rests_on(cards, pairs, SIZE) == [set(), {0}, {1}]
    assert rests_on(cards, pairs[:1], SIZE) == [set(), {0}, set()]
