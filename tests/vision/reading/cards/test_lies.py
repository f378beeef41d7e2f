"""From fitted cards to lies: bottom to top, with the doubts of every stage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.cards import PrintedQr
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.lies import FittedCard, make_lies
from arena_cam.vision.reading.cards.placed_face import PlacedFace
from arena_cam.vision.reading.cards.stacking import Overlap
from arena_cam.vision.reading.resting.landing import judge_resting
from vision.scenes import CAMERA, HERE, exactly, moved, surely
from vision.small import HEIGHT_MM, WIDTH_MM

ARENA = Arena((400.0, 400.0), 15.0, 6.0)
Rests = dict[int, list[tuple[int, float]]]


def card(faces: DeckFaces, face: int, pose: CardPose = HERE, nats: float = 60.0) -> FittedCard:
    """A flat card in full view, with nothing amiss."""
    tiles = np.full((11, 7), 3.0)
    fit = Fit(face, exactly(pose), 0.98, 200.0, tiles, tiles > 0, 1.0)
    outline = CAMERA.project(pose.corners(WIDTH_MM, HEIGHT_MM))
    resting = judge_resting(fit.alignment, ARENA, WIDTH_MM, HEIGHT_MM, 3.0)
    return FittedCard(fit, surely(faces, face, nats), resting, PlacedFace(face, pose, outline))


def test_no_cards_are_no_lies(faces: DeckFaces) -> None:
    assert make_lies(faces, [], [], [], {}) == ((), (), [])


def test_a_plain_card_is_sure_and_lies_where_it_was_fitted(faces: DeckFaces) -> None:
    (lie,), covers, why = make_lies(faces, [card(faces, 2)], [], [0], {0: []})
    assert (lie.key, lie.card, lie.face, lie.landing) == ("card-2", "card-2", Face.UP, Landing.FLAT)
    assert lie.sure, lie.doubts
    assert lie.centre_mm == pytest.approx(tuple(HERE.centre_mm[:2]))
    assert np.allclose(np.array(lie.corners_mm), HERE.corners(WIDTH_MM, HEIGHT_MM), atol=0.3)
    assert (covers, why) == ((), [])


def test_backs_are_counted_and_have_no_name(faces: DeckFaces) -> None:
    back = faces.index("<back>")
    backs = [card(faces, back), card(faces, back, moved(HERE, 90.0, 0.0))]
    lies, _, _ = make_lies(faces, backs, [], [0, 1], {0: [], 1: []})
    assert {lie.key for lie in lies} == {"?1", "?2"}
    assert all(lie.card is None and lie.face is Face.DOWN for lie in lies)


def pair(a_over_b: float) -> Overlap:
    return Overlap(0, 1, 900.0, a_over_b, float(np.log(a_over_b / (1 - a_over_b))))


def piled(
    faces: DeckFaces, overlap: Overlap, order: list[int]
) -> tuple[list[str], tuple[tuple[str, str], ...], list[Message]]:
    cards = [card(faces, 1), card(faces, 2, moved(HERE, 20.0, 10.0))]
    upper, lower = order[1], order[0]
    rests: Rests = {lower: [], upper: [(lower, 900.0)]}
    lies, covers, _ = make_lies(faces, cards, [overlap], order, rests)
    return [lie.key for lie in lies], covers, [doubt for lie in lies for doubt in lie.doubts]


def test_lies_are_told_from_bottom_to_top(faces: DeckFaces) -> None:
    assert piled(faces, pair(0.001), [0, 1]) == (["card-1", "card-2"], (("card-2", "card-1"),), [])
    assert piled(faces, pair(0.999), [1, 0]) == (["card-2", "card-1"], (("card-1", "card-2"),), [])


def test_an_order_that_nobody_saw_is_doubted(faces: DeckFaces) -> None:
    _, covers, doubts = piled(faces, pair(0.4), [0, 1])
    assert covers == ()
    assert Doubt.UPPER_UNSEEN(card="card-2", card_other="card-1") in doubts


@pytest.mark.parametrize(("nats", "is_open"), [(3.4, True), (40.0, False)])
def test_whether_a_round_corner_lies_over_a_card_is_asked_unless_it_is_seen(
    faces: DeckFaces, nats: float, is_open: bool
) -> None:
    """Where the corners drawn square overlap by two square millimetres the round ones may not touch. That one card lay
    there first says who is the upper, and nothing of whether they touch."""
    reach = np.hypot(WIDTH_MM / 2 - 3.0, HEIGHT_MM / 2 - 3.0) + 3.0
    turn = np.degrees(np.arctan2(HEIGHT_MM / 2 - 3.0, WIDTH_MM / 2 - 3.0))
    first, second = CardPose.flat(0, 0, -turn), CardPose.flat(reach + WIDTH_MM / 2 - 0.05, 0, 0)
    overlap = Overlap(0, 1, 2.1, float(1.0 / (1.0 + np.exp(nats))), -nats)
    rests: Rests = {0: [], 1: [(0, 2.1)]}
    cards = [card(faces, 1, first), card(faces, 2, second)]
    lies, _, _ = make_lies(faces, cards, [overlap], [0, 1], rests)
    asked = [doubt for lie in lies for doubt in lie.doubts]
    assert asked == ([Doubt.ON_OR_BESIDE(card_below="card-1")] if is_open else [])


def test_what_follows_from_others_need_not_be_seen(faces: DeckFaces) -> None:
    """1 over 0 and 2 over 1 were seen: 2 lies over 0, though nobody saw it."""
    cards = [card(faces, n, moved(HERE, 6.0 * n, 4.0 * n)) for n in range(3)]
    pairs = [Overlap(0, 1, 900.0, 0.001, -7.0), Overlap(1, 2, 900.0, 0.001, -7.0), Overlap(0, 2, 900.0, 0.45, -0.2)]
    rests: Rests = {0: [], 1: [(0, 900.0)], 2: [(1, 900.0)]}
    lies, _, _ = make_lies(faces, cards, pairs, [0, 1, 2], rests)
    assert all(lie.sure for lie in lies), [lie.doubts for lie in lies]


@pytest.mark.parametrize(("text", "sure"), [(None, True), ("card-1", True), ("card-4", False)])
def test_another_code_than_its_own_is_a_doubt(faces: DeckFaces, text: str | None, sure: bool) -> None:
    coded = replace(faces.deck.cards[1], qr=PrintedQr("card-1", 15.0, 31.5, 44.0))
    own = DeckFaces(replace(faces.deck, cards=(faces.deck.cards[0], coded, *faces.deck.cards[2:])))
    (lie,), _, _ = make_lies(own, [replace(card(own, 1), qr_text=text)], [], [0], {0: []})
    assert lie.sure is sure
    assert (Doubt.QR_CODE_SAYS(text="card-4") in lie.doubts) is not sure


def test_two_names_as_likely_are_a_doubt_that_names_the_other(faces: DeckFaces) -> None:
    alike = Identity(np.array([-50.0, 0.0, -1.0, -50.0, -50.0, -50.0]), 300)
    (lie,), _, _ = make_lies(faces, [replace(card(faces, 1), identity=alike)], [], [0], {0: []})
    assert not lie.sure
    assert lie.identity_probability == pytest.approx(1 / (1 + np.exp(-1)), abs=1e-3)
    assert lie.other_names[0][0] == "card-2"


def test_something_strange_on_a_card_is_a_doubt(faces: DeckFaces) -> None:
    plain = card(faces, 1)
    strange = replace(plain, placed=replace(plain.placed, foreign_mm2=400.0))
    (lie,), _, why = make_lies(faces, [strange], [], [0], {0: []})
    assert why == [Doubt.STRANGER_ON_CARD(card="card-1")]
    assert Doubt.STRANGER_ON_IT() in lie.doubts


def test_an_arm_over_a_card_is_something_strange_on_it(faces: DeckFaces) -> None:
    _, _, why = make_lies(faces, [replace(card(faces, 1), under_arm_mm2=400.0)], [], [0], {0: []})
    assert why == [Doubt.STRANGER_ON_CARD(card="card-1")]


@pytest.mark.parametrize(("uncovered", "sure"), [(0.9, True), (0.4, False)])
def test_of_a_covered_card_a_single_tile_that_is_not_its_own_is_a_doubt(
    faces: DeckFaces, uncovered: float, sure: bool
) -> None:
    plain = card(faces, 1)
    placed = replace(plain.placed, foreign_mm2=64.0)
    (lie,), _, why = make_lies(
        faces, [replace(plain, fit=replace(plain.fit, uncovered=uncovered), placed=placed)], [], [0], {0: []}
    )
    assert lie.sure is sure
    assert (not why) is sure


def test_a_card_hardly_seen_is_a_doubt_about_the_frame(faces: DeckFaces) -> None:
    plain = card(faces, 1)
    hardly = replace(plain, fit=replace(plain.fit, evidence=20.0))
    (lie,), _, why = make_lies(faces, [hardly], [], [0], {0: []})
    assert why == [Doubt.HARDLY_SEEN(card="card-1")]
    assert Doubt.LITTLE_OF_FACE() in lie.doubts


@pytest.mark.parametrize(
    ("evidence", "expected", "weak"),
    [(50.0, False, False), (40.0, False, True), (40.0, True, False), (15.0, True, True)],
)
def test_of_a_card_that_is_known_to_be_there_less_is_enough(
    faces: DeckFaces, evidence: float, expected: bool, weak: bool
) -> None:
    plain = card(faces, 1)
    assert replace(plain, fit=replace(plain.fit, evidence=evidence), expected=expected).is_weak is weak


@pytest.mark.parametrize(("nats", "shown", "weak"), [(25.0, 0.98, False), (25.0, 0.6, True), (5.0, 0.98, True)])
def test_a_card_of_faint_print_is_there_where_its_sides_are(
    faces: DeckFaces, nats: float, shown: float, weak: bool
) -> None:
    plain = card(faces, 1)
    faint = replace(plain, fit=replace(plain.fit, evidence=10.0), sides=Outline(HERE, np.eye(6), nats, shown))
    assert faint.is_weak is weak


@pytest.mark.parametrize(
    ("shown", "uncovered", "shaded", "foreign_mm2", "weak"),
    [
        (0.99, 0.75, 1.0, 0.0, False),
        (0.8, 0.75, 1.0, 0.0, True),  # sides of several things
        (0.99, 1.0, 1.0, 0.0, True),  # nothing lies above it that throws a shadow
        (0.99, 0.75, 0.7, 0.0, True),
        (0.99, 0.75, 1.0, 60.0, True),
    ],
)
def test_a_card_in_the_shadow_of_what_lies_over_it_is_there_where_its_sides_are(
    faces: DeckFaces, shown: float, uncovered: float, shaded: float, foreign_mm2: float, weak: bool
) -> None:
    plain = card(faces, 1)
    outline = Outline(HERE, np.eye(6), 27.0, shown)
    fit = replace(plain.fit, evidence=-17.0, explained=0.79, uncovered=uncovered, outline=outline)
    own = np.zeros(fit.tiles.shape, np.bool_)
    own.flat[: round(shaded * uncovered * own.size)] = True
    placed = replace(plain.placed, own=own, foreign_mm2=foreign_mm2)
    assert replace(plain, fit=fit, placed=placed).is_weak is weak


@pytest.mark.parametrize(
    ("evidence", "uncovered", "alike", "sure"),
    [(-3.4, 1.0, False, False), (30.0, 1.0, False, True), (-3.4, 0.7, False, True), (-3.4, 1.0, True, True)],
)
def test_a_card_in_full_view_that_shows_nothing_of_its_drawing_is_not_surely_that_one(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch, evidence: float, uncovered: float, alike: bool, sure: bool
) -> None:
    """A striped back, laid too steep in its outline, was a portrait. Nearly blank faces show as little, and covered."""
    monkeypatch.setattr(faces, "are_alike", alike)
    plain = card(faces, 1)
    by_sides = replace(plain.fit, evidence=evidence, uncovered=uncovered, outline=Outline(HERE, np.eye(6), 38.0, 0.98))
    (lie,), _, _ = make_lies(faces, [replace(plain, fit=by_sides)], [], [0], {0: []})
    assert lie.sure is sure
