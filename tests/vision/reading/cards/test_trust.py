"""How far a fit is trusted: the thresholds in order, and what they decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.cards import PrintedMarker
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.trust import (
    NATS_A_MARKER,
    Explained,
    InView,
    Nats,
    is_expected,
    is_no_shadow,
    is_plain,
    is_there,
    marked_nats,
)
from vision.scenes import CAMERA, HERE, exactly, scene_of


def fit(evidence: float, explained: float, telling_tiles: int = 20, uncovered: float = 1.0) -> Fit:
    tiles = np.zeros((11, 7))
    tiles.flat[:telling_tiles] = 1.0
    return Fit(0, exactly(HERE), explained, evidence, tiles, tiles > 0, uncovered)


@pytest.mark.parametrize("table", [Explained, InView])
def test_shares_stand_in_falling_order(table: type) -> None:
    shares = [value for name, value in vars(table).items() if name.isupper()]
    assert shares == sorted(shares, reverse=True)
    assert all(0.0 < share < 1.0 for share in shares)


@pytest.mark.parametrize(
    ("evidence", "explained", "tiles", "there"),
    [
        (0.0, 0.0, 20, False),
        (150.0, 0.97, 60, True),
        (Nats.MANY, 0.31, 60, True),  # much that speaks for it, and a hand over most
        (Nats.MANY, 0.29, 60, False),
        (40.0, 0.55, 20, True),
        (40.0, 0.45, 20, False),  # less than half is as it should be
        (33.0, 0.90, 5, False),  # too little to tell
        (40.0, 0.90, 30, False),  # many tiles, each of which says little
        (40.0, 0.94, 30, True),  # unless all is as it should be
    ],
)
def test_a_card_is_there(evidence: float, explained: float, tiles: int, there: bool) -> None:
    assert is_there(fit(evidence, explained, tiles)) is there


@pytest.mark.parametrize(
    ("shown", "nats", "explained", "there"),
    [
        (0.97, 38.0, 0.6, True),  # all four sides, in a light that is not known well
        (0.97, 38.0, 0.45, False),  # an outline of something that looks like no face
        (0.8, 38.0, 0.6, False),
        (0.97, 20.0, 0.6, False),  # of which half is covered: what shows must look as it should
        (0.8, 20.0, 0.85, True),
    ],
)
def test_all_sides_in_view_speak_for_a_card_of_little_print(
    shown: float, nats: float, explained: float, there: bool
) -> None:
    nearly_blank = replace(fit(-15.0, explained), outline=Outline(HERE, np.eye(6), nats, shown))
    assert is_there(nearly_blank) is there


@pytest.mark.parametrize(
    ("shown", "nats", "evidence", "explained", "there"),
    [
        (0.97, 27.0, 26.0, 0.68, True),  # what lies on the rest was not found yet
        (0.8, 27.0, 26.0, 0.68, False),
        (0.97, 17.0, 26.0, 0.68, False),
        (0.97, 27.0, -5.0, 0.68, False),  # print that speaks against the face
        (0.97, 27.0, 26.0, 0.58, False),
    ],
)
def test_sides_all_round_and_print_for_the_most_part_speak_for_a_card_that_another_one_shades(
    shown: float, nats: float, evidence: float, explained: float, there: bool
) -> None:
    assert (
        is_there(replace(fit(evidence, explained, uncovered=0.7), outline=Outline(HERE, np.eye(6), nats, shown)))
        is there
    )


@pytest.mark.parametrize(
    ("shown", "evidence", "explained", "is_card"),
    [
        (0.98, 84.0, 0.64, True),  # what lies on the rest was not found yet
        (0.8, 84.0, 0.64, False),  # sides of several things
        (0.98, 20.0, 0.64, False),  # no more print than a shadow has by chance
        (0.8, -5.0, 0.85, True),  # nearly all of it
    ],
)
def test_print_in_sides_all_round_is_no_shadow(shown: float, evidence: float, explained: float, is_card: bool) -> None:
    in_sides = replace(fit(evidence, explained), outline=Outline(HERE, np.eye(6), 25.0, shown))
    assert is_no_shadow(in_sides) is is_card
    assert is_no_shadow(replace(in_sides, outline=None)) is (explained >= Explained.PLAINLY)


@pytest.mark.parametrize(
    ("explains", "shown", "nats", "explained", "there"),
    [
        (True, 0.95, 10.0, 0.85, True),  # as little as two pieces of sides, if it is what was unknown
        (False, 0.95, 10.0, 0.85, False),
        (True, 0.85, 10.0, 0.85, False),
        (True, 0.95, 8.0, 0.85, False),
        (True, 0.95, 10.0, 0.75, False),
    ],
)
def test_what_was_unknown_on_the_floor_speaks_for_a_card(
    explains: bool, shown: float, nats: float, explained: float, there: bool
) -> None:
    outline = Outline(HERE, np.eye(6), nats, shown, explains)
    assert is_there(replace(fit(-15.0, explained, uncovered=0.2), outline=outline)) is there


@pytest.mark.parametrize(
    ("evidence", "explained", "in_outline", "at_once"),
    [(-20.0, 0.84, True, False), (5.0, 0.84, True, True), (-20.0, 0.96, True, True), (5.0, 0.84, False, True)],
)
def test_paper_in_an_outline_waits_for_other_outlines_unless_all_of_it_is_explained(
    evidence: float, explained: float, in_outline: bool, at_once: bool
) -> None:
    outline = Outline(HERE, np.eye(6), 34.0, 0.9) if in_outline else None
    assert is_plain(replace(fit(evidence, explained), outline=outline)) is at_once


def test_markers_speak_for_a_card_of_which_a_hand_hides_much() -> None:
    assert not is_there(fit(20.0, 0.35))
    assert is_there(fit(20.0, 0.35), marked_nats=2 * NATS_A_MARKER)


@pytest.mark.parametrize(
    ("evidence", "explained", "uncovered", "expected"),
    [(10.0, 0.4, 0.2, True), (8.0, 0.9, 0.1, False), (10.0, 0.3, 0.1, False), (10.0, 0.9, 1.0, False)],
)
def test_of_a_card_that_is_known_to_be_there_less_is_enough(
    evidence: float, explained: float, uncovered: float, expected: bool
) -> None:
    assert is_expected(fit(evidence, explained, uncovered=uncovered)) is expected


@pytest.mark.parametrize(("seen", "nats"), [(0, 0.0), (1, 0.0), (2, 2 * NATS_A_MARKER)])
def test_one_marker_in_place_proves_nothing(faces: DeckFaces, seen: int, nats: float) -> None:
    marked = tuple(PrintedMarker("DICT_4X4_50", 5, 10.0, x, 44.0) for x in (15.0, 48.0))
    deck = replace(faces.deck, cards=(replace(faces.deck.cards[0], markers=marked), *faces.deck.cards[1:]))
    half = 5.0 * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    markers = [
        SeenMarker(5, CAMERA.project(HERE.points(m.x_mm - 31.5 + half[:, 0], half[:, 1]))) for m in marked[:seen]
    ]
    scene = scene_of(DeckFaces(deck), markers=markers)
    assert marked_nats(scene, fit(50.0, 0.9)) == nats
    assert marked_nats(scene, replace(fit(50.0, 0.9), alignment=exactly(CardPose.flat(50, 50, 0)))) == 0.0
