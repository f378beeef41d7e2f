"""Marks of a cloth are told from print by what they stand on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.indexed.index_views import IndexViews
from arena_cam.vision.photographs.on_paper import is_on_paper
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from vision.photographs.ordinary_pictures import (
    APART,
    CAMERA,
    LOW,
    SIZE,
    photograph,
    read,
)
from vision.small import painted, with_card


def test_a_mark_where_only_the_cloth_is_seen_is_no_card_though_the_cloth_has_the_tint_of_paper(pack: DeckFaces) -> None:
    """Threads of a beige linen had the look of an index, 0.98, and of the sides of its card."""
    paper = with_card(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), pack.deck, "7S", CAMERA, LOW)
    linen = np.percentile(paper[paper.max(axis=2) > 0], 80.0, axis=0) * 0.62
    picture = np.full((SIZE[1], SIZE[0], 3), linen, np.uint8)
    threads = np.round(CAMERA.project(APART.corners(63.0, 88.0))).astype(np.int32)
    cv2.polylines(picture, [threads], True, (linen * 0.7).tolist(), 2)
    picture = with_card(picture, pack.deck, "7S", CAMERA, LOW)
    seven = IndexViews(picture).on(CAMERA)
    top, bottom = APART.points(np.array([-26.0, -26.0]), np.array([39.0, 25.0]))[:, :2]
    for probability in (0.98, 0.995):
        others = np.zeros(len(CARDS))
        others[CARDS.index("4D")] = probability
        mark = SeenIndex("4D", probability, top, bottom, others)
        found = OrdinaryReader().on_plane(picture, [], CAMERA, (63.0, 88.0), indices=[*seven, mark])
        assert {card.card for card in found.cards} == {"7S"}
        assert not found.lost


@pytest.mark.whole
def test_print_of_a_cloth_is_no_lost_card(pack: DeckFaces) -> None:
    """An index printed on a beige cloth has no paper round it; the same on paper is a card that is not seen."""
    cards = photograph(pack, ("7S", LOW), ("KD", APART))
    cloth = (110.0, 140.0, 165.0)
    beige = np.where((cards == (60, 90, 40)).all(axis=2, keepdims=True), np.array(cloth), cards).astype(np.uint8)
    index = np.asarray(cv2.imread(str(pack.deck.by_id["5C"].image)), np.float64)[:200, :90]
    there = CardPose.flat(0.0, 85.0, 0.0).corners(14.0, 30.0)
    printed = painted(beige, np.asarray(index * np.array(cloth) / 255.0, np.uint8), CAMERA, there)
    on_paper = painted(beige, np.asarray(index, np.uint8), CAMERA, there)
    assert read(printed).sure
    asked = read(on_paper)
    assert not asked.sure
    (place,) = CAMERA.project(np.array([[0.0, 85.0, 0.0]]))
    assert min(np.hypot(*(np.mean(thing.ring_px, axis=0) - place)) for thing in asked.unknown) < 15.0


@pytest.mark.parametrize(("grey", "is_paper"), [(235, True), (150, True), (60, False)])
def test_an_index_is_on_paper_in_any_shade_and_not_on_a_cloth_of_another_colour(grey: int, is_paper: bool) -> None:
    ground = np.array([grey] * 3 if is_paper else [60, 90, 40], np.uint8)
    picture = np.full((SIZE[1], SIZE[0], 3), ground, np.uint8)
    others = np.zeros(len(CARDS))
    index = SeenIndex("4D", 0.9, np.array([0.0, 6.0]), np.array([0.0, -6.0]), others)
    assert is_on_paper(picture, CAMERA, index, [np.array([235.0, 235.0, 235.0])]) is is_paper
