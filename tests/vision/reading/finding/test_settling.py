"""Found cards in their final places, ordered from bottom to top."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.domain.cards import PrintedMarker, PrintedQr
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import fit_fine
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import leaning_starts
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.stacking import Overlap, overlaps
from arena_cam.vision.reading.cards.trust import Nats
from arena_cam.vision.reading.finding import settling
from arena_cam.vision.reading.finding.outline_fit import lacks_sides
from arena_cam.vision.reading.finding.settling import (
    Pile,
    as_it_leans,
    doubted_without_sides,
    lying_through_others,
    made_of_those_beneath,
    open_where_turned,
    ordered_by_any_name,
    settle,
)
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from vision.reading.finding.blank_cards import deck_of_figures, deck_of_flowers, known_as, known_with, turned_flower
from vision.reading.finding.blank_cards import known_of as flowers_known
from vision.scenes import BESIDE, CAMERA, HERE, WIDE, fit_at, found_at, moved, scene_of, surely
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, small_deck

UPPER = moved(HERE, 22.0, 10.0, 50.0)


def off_px(pose: object, true: object) -> float:
    at, should = (CAMERA.project(each.corners(WIDTH_MM, HEIGHT_MM)) for each in (pose, true))  # type: ignore[attr-defined]
    return float(np.linalg.norm(at - should, axis=1).max())


def faint(scene: Scene) -> Scene:
    """The same under a sheen over the card that lies HERE: it leaves a twentieth of the contrast of its print."""
    card = np.zeros(scene.grey.shape, np.uint8)
    cv2.fillConvexPoly(card, np.round(CAMERA.project(HERE.corners(WIDTH_MM, HEIGHT_MM))).astype(np.int32), (1,))
    bgr = np.where(card[:, :, None] > 0, 175.0 + 0.05 * scene.bgr, scene.bgr).astype(np.uint8)
    grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    return replace(scene, bgr=bgr, grey=grey, pyramid=Pyramid.of(grey.astype(np.float32), 5))


def test_no_cards_are_no_pile(faces: DeckFaces) -> None:
    pile = settle(scene_of(faces), [], ())
    assert (pile.cards, pile.pairs, pile.order) == ([], [], [])


def test_a_card_settles_to_a_tenth_of_a_pixel(faces: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE)))
    pile = settle(known.scene, [found_at(known, 1, moved(HERE, 0.4, -0.4, 0.5))], ())
    (card,) = pile.cards
    assert off_px(card.placed.pose, HERE) < 0.15
    assert card.resting.landing == "flat"
    assert not card.expected


def test_a_pile_is_ordered_whatever_was_found_first(faces: DeckFaces) -> None:
    scene = scene_of(faces, ("card-1", HERE), ("card-2", UPPER))
    known = Known.nothing_of(scene)
    upper = found_at(known, 2, UPPER)
    lower = Found(fit_at(known.plus(upper.fit, 2), 1, HERE), surely(faces, 1))
    for found in ([upper, lower], [lower, upper]):
        pile = settle(scene, found, (1,))
        assert [pile.cards[number].fit.face for number in pile.order] == [1, 2]
        assert {card.fit.face: card.expected for card in pile.cards} == {1: True, 2: False}
        assert max(off_px(card.placed.pose, {1: HERE, 2: UPPER}[card.fit.face]) for card in pile.cards) < 0.5


def test_cards_apart_are_no_pair(faces: DeckFaces) -> None:
    far = moved(BESIDE, 45.0, 0.0)
    here = moved(HERE, -25.0, 0.0)
    known = Known.nothing_of(scene_of(faces, ("card-1", here), ("card-2", far)))
    pile = settle(known.scene, [found_at(known, 1, here), found_at(known, 2, far)], ())
    assert pile.pairs == []
    assert len(pile.cards) == 2


def test_much_print_tells_the_tilt_where_the_outline_was_taken_for_a_flatter_one(faces: DeckFaces) -> None:
    leaning = HERE.moved(np.array([0.0, 0.0, 8.0, 0.0, 0.18, 0.0]))
    known = Known.nothing_of(scene_of(faces, ("card-1", leaning)))
    fit = fit_at(known, 1, leaning)
    flatter = Outline(leaning.moved(np.array([0.0, 0.0, 0.0, 0.0, -0.12, 0.0])), 300.0 * np.eye(6), 20.0, 0.9)
    pile = settle(known.scene, [Found(replace(fit, outline=flatter), surely(faces, 1))], ())
    (card,) = pile.cards
    assert abs(card.fit.pose.tilt_deg - leaning.tilt_deg) < 1.0
    assert card.fit.outline is not None
    assert abs(card.fit.outline.pose.tilt_deg - leaning.tilt_deg) < 4.0


def test_of_a_card_whose_print_says_little_the_sides_are_looked_for(faces: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE)))
    plain = settle(known.scene, [found_at(known, 1, HERE)], ()).cards[0]
    assert plain.sides is None
    under_haze = Known(faint(known.scene), known.claims)
    pile = settle(under_haze.scene, [Found(fit_at(under_haze, 1, HERE), surely(faces, 1))], (), (1,))
    (card,) = pile.cards
    assert card.fit.evidence < 45.0
    sides = card.fit.outline or card.sides
    assert sides is not None
    assert sides.shown > 0.9
    assert not card.is_weak


@pytest.mark.parametrize("upper_is_a_guess", [False, True])
def test_a_card_with_its_figure_hidden_lies_beneath_a_named_one_by_any_name(
    tmp_path: Path, upper_is_a_guess: bool
) -> None:
    pictures = [np.full((352, 252, 3), 238, np.uint8) for _ in range(3)]
    for picture in pictures[:2]:
        cv2.rectangle(picture, (12, 12), (239, 339), (90, 60, 60), 8)
    pictures[0][20:60, 160:220] = (60, 60, 200)
    pictures[1][20:60, 180:200] = (60, 60, 200)
    pictures[2][60:320:40, 30:220] = 40
    deck_faces = DeckFaces(small_deck(tmp_path, [*pictures, blotches(3)]))
    lower, over = CardPose.flat(-20.0, 0.0, 0.0), CardPose.flat(10.0, 30.0, 20.0)
    known = Known.nothing_of(scene_of(deck_faces, ("card-0", lower), ("card-2", over)))
    upper, guess = found_at(known, 2, over), Identity(np.array([0.0, 0.0, -50.0, -50.0]), 300)
    pile = settle(known.scene, [upper, Found(fit_at(known.plus(upper.fit, 2), 0, lower), guess)], ())
    if upper_is_a_guess:
        open_too = replace(pile.cards[0], identity=Identity(np.array([-50.0, -50.0, 0.0, -1.0]), 300))
        pile = replace(pile, cards=[open_too, pile.cards[1]])
    pile = ordered_by_any_name(known.scene, pile)
    told = [(card.fit.face, card.covers_by_any_name) for card in pile.cards]
    assert told == [(2, False), (0, not upper_is_a_guess)]


def framed() -> NDArray[np.uint8]:
    """An even back (352, 252, 3) with a thin frame beside its sides."""
    face = np.full((352, 252, 3), 175, np.uint8)
    cv2.rectangle(face, (14, 14), (237, 337), (250, 250, 250), 3, cv2.LINE_AA)
    return face


def test_a_frame_followed_in_place_of_the_sides_lays_no_leaning_card_flat(tmp_path: Path) -> None:
    deck_faces = DeckFaces(small_deck(tmp_path, [framed(), discs(20.0)]))
    scene = scene_of(deck_faces)
    leaning = leaning_starts(scene, CardPose.flat(WIDE.inner_mm[0] / 2 - 36.0, 10.0, 8.0, 0.6))[0]
    known = Known.nothing_of(scene_of(deck_faces, ("card-0", leaning)))
    astray = leaning.moved(np.array([3.0, 0.0, -6.0, 0.06, 0.2, 0.0]))
    outline = Outline(astray, 300.0 * np.eye(6), 20.0, 0.9)
    found = replace(fit_at(known, 0, astray), outline=outline)
    (card,) = settle(known.scene, [Found(found, surely(deck_faces, 0))], ()).cards
    assert card.resting.landing == "diagonal"
    assert abs(card.resting.tilt_deg - leaning.tilt_deg) < 0.7


def test_a_lean_is_compared_with_what_was_laid_into_its_sides_by_print_and_sides_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A brown back with a thin frame leaned by 9 degrees; one side was followed between frame and edge, and it was
    flat, surely: its print with that outline said as much as the print alone of the leaning one."""
    deck_faces = DeckFaces(small_deck(tmp_path, [framed(), discs(20.0)]))
    leaning = leaning_starts(scene_of(deck_faces), CardPose.flat(WIDE.inner_mm[0] / 2 - 36.0, 10.0, 8.0, 0.6))[0]
    known = Known.nothing_of(scene_of(deck_faces, ("card-0", leaning)))
    right = fit_fine(known, 0, leaning)
    sides = Outline(leaning, np.eye(6), 60.0, 0.95)
    astray = replace(right, explained=0.91, evidence=0.65 * right.evidence, outline=sides)
    assert astray.worth * 1.25 > right.worth > 1.25 * astray.explained * astray.evidence
    monkeypatch.setattr(settling, "outline_at", lambda *_: sides)
    assert as_it_leans(known, astray).explained == right.explained
    monkeypatch.setattr(settling, "outline_at", lambda *_: Outline(leaning, np.eye(6), -10.0, 0.2))
    assert as_it_leans(known, astray) is astray


def discs(radius: float) -> NDArray[np.uint8]:
    """A white face (352, 252, 3) with two discs in a row across it."""
    face = np.full((352, 252, 3), 238, np.uint8)
    for x, y in ((76, 90), (126, 176)):
        cv2.circle(face, (16 * x, 16 * y), round(16 * radius), (60, 40, 150), -1, cv2.LINE_AA, 4)
    return face


def test_figures_printed_a_little_too_small_tilt_no_card_whose_sides_are_all_seen(tmp_path: Path) -> None:
    faces = DeckFaces(small_deck(tmp_path, [discs(20.0), np.full((352, 252, 3), 90, np.uint8)]))
    known = known_as(discs(19.7), faces, tmp_path, HERE)
    by_print = fit_fine(known, 0, HERE)
    assert by_print.pose.tilt_deg > 2.0
    (card,) = settle(known.scene, [Found(by_print, surely(faces, 0))], ()).cards
    assert card.fit.outline is not None
    assert card.fit.pose.tilt_deg < 0.6 * by_print.pose.tilt_deg
    assert card.resting.landing == "flat"


def test_what_lies_on_a_face_that_says_little_speaks_against_it_though_faces_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of dark pictures one lay on the challenge, on a grey floor that it did not darken more than a shadow does, and
    nobody was asked."""
    faces = DeckFaces(small_deck(tmp_path, [blotches(seed, cell=16) // 4 + 25 for seed in range(3)]))
    monkeypatch.setattr(faces, "are_alike", False)
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE), ("card-2", moved(HERE, 34.0, 30.0, 50.0))))
    found = found_at(known, 1, HERE)
    assert found.fit.evidence < Nats.SURELY
    (card,) = settle(known.scene, [found], ()).cards
    assert card.is_strange


def test_what_is_left_out_of_a_cards_alignment_speaks_against_it_all_the_same(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card of the same colours, not found, lies over a part of it."""
    monkeypatch.setattr(faces, "are_alike", True)
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE), ("card-2", UPPER)))
    (card,) = settle(known.scene, [found_at(known, 1, HERE)], ()).cards
    assert card.contradicted_mm2 > 500.0
    assert card.is_strange
    (card,) = settle(scene_of(faces, ("card-1", HERE)), [found_at(known, 1, HERE)], ()).cards
    assert card.contradicted_mm2 == 0.0


def test_a_pair_told_one_way_and_then_the_other_is_open() -> None:
    before = [Overlap(0, 1, 250.0, 0.0, -13.0), Overlap(1, 2, 250.0, 1.0, 30.0), Overlap(0, 2, 250.0, 0.1, -2.0)]
    after = [Overlap(1, 0, 250.0, 0.0, -6.0), Overlap(1, 2, 250.0, 1.0, 50.0), Overlap(0, 2, 250.0, 1.0, 40.0)]
    opened = open_where_turned(before, after, (0, 1, 2))
    assert [round(pair.a_over_b, 2) for pair in opened] == [0.49, 1.0, 1.0]
    moved_on = open_where_turned(before, [Overlap(0, 1, 250.0, 0.0, -50.0)], (1, 2))
    assert [round(pair.a_over_b, 2) for pair in moved_on] == [0.49]


@pytest.mark.parametrize(("before", "again", "told"), [(40.0, -650.0, True), (40.0, 80.0, False), (4.0, -650.0, True)])
def test_an_order_that_alone_is_borne_out_in_the_poses_it_makes_is_told(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch, before: float, again: float, told: bool
) -> None:
    """A leaning card, the rim of another over it, was tilted to show that rim as its own: the rim lay above it by 40
    nats where both were found, below by 665 in the end, and by 690 once it was laid beneath."""
    scene = scene_of(faces, ("card-1", HERE), ("card-2", UPPER))
    known = Known.nothing_of(scene)
    said = iter([before, -600.0, again])

    def overlapping(*_: Any) -> tuple[list[Overlap], list[int]]:
        nats = next(said)
        return [Overlap(0, 1, 900.0, float(nats > 0.0), nats)], [1, 0] if nats > 0.0 else [0, 1]

    monkeypatch.setattr(settling, "overlaps", overlapping)
    monkeypatch.setattr(settling, "_stayed", lambda *_: False)
    pile = settle(scene, [found_at(known, 1, HERE), found_at(known, 2, UPPER)], ())
    (pair,) = pile.pairs
    assert (pair.a_over_b < 0.1) is told
    assert told or pair.a_over_b == pytest.approx(0.5, abs=0.02)


def test_a_card_of_which_nothing_is_left_once_it_is_laid_beneath_another_is_none(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a chequered back in full view another was found, aside by some squares and above it: laid beneath it, as the
    picture showed in the end, the other one showed bare floor, and people were asked whether it lay there."""
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE), ("card-2", UPPER)))
    said = iter([40.0, -600.0, -650.0])

    def overlapping(_: object, placed: list[Any], *__: Any) -> tuple[list[Overlap], list[int]]:
        if len(placed) < 2:
            return [], [0]
        nats = next(said)
        return [Overlap(0, 1, 900.0, float(nats > 0.0), nats)], [1, 0] if nats > 0.0 else [0, 1]

    asked = iter([False, False, True, True, False])
    monkeypatch.setattr(settling, "overlaps", overlapping)
    monkeypatch.setattr(settling, "_stayed", lambda *_: False)
    monkeypatch.setattr(settling, "_is_ghost", lambda *_: next(asked))
    pile = settle(known.scene, [found_at(known, 1, HERE), found_at(known, 2, UPPER)], ())
    assert [card.fit.face for card in pile.cards] == [2]
    assert pile.ghosts == (0,)


def test_a_hardly_seen_card_that_would_reach_through_one_above_it_is_none(faces: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE), ("card-2", UPPER)))
    upper = found_at(known, 2, UPPER)
    pile = settle(known.scene, [Found(fit_at(known.plus(upper.fit, 2), 1, HERE), surely(faces, 1)), upper], ())
    beneath, above = pile.cards
    weak = replace(beneath, fit=replace(beneath.fit, evidence=36.0))
    leaning = HERE.moved(np.array([0.0, 0.0, 16.0, 0.5, 0.0, 0.0]))
    through = replace(weak, fit=replace(weak.fit, alignment=replace(weak.fit.alignment, pose=leaning)))
    size = (WIDTH_MM, HEIGHT_MM)
    assert lying_through_others(replace(pile, cards=[weak, above]), size) == set()
    assert lying_through_others(replace(pile, cards=[through, above]), size) == {0}
    assert lying_through_others(replace(pile, cards=[replace(through, expected=True), above]), size) == set()


def test_a_hardly_seen_card_made_of_the_print_of_one_beneath_it_is_none(faces: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE)))
    (card,) = settle(known.scene, [found_at(known, 1, HERE)], ()).cards
    outline = CAMERA.project(UPPER.corners(WIDTH_MM, HEIGHT_MM))
    ghost = replace(card, fit=fit_at(known, 2, UPPER), placed=replace(card.placed, outline_px=outline))

    def none_of(nats: float, in_view: float = 0.2, expected: bool = False, pairs: int = 1) -> set[int]:
        other = replace(ghost, fit=replace(ghost.fit, evidence=nats, uncovered=in_view), expected=expected)
        pile = Pile([card, other], [Overlap(1, 0, 900.0, 0.99, 40.0)] * pairs, [0, 1])
        return made_of_those_beneath(known.scene, pile)

    assert none_of(30.0) == {1}
    assert none_of(400.0) == set(), "it shows more than the one beneath would"
    assert none_of(30.0, in_view=0.9) == none_of(30.0, expected=True) == none_of(30.0, pairs=0) == set()


@pytest.mark.parametrize(("beside_mm", "is_asked"), [(0.0, False), (9.0, True)])
def test_a_printed_code_is_read_only_where_the_markers_of_the_card_do_not_name_it(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch, beside_mm: float, is_asked: bool
) -> None:
    """Both are read in print: a marker of this face where the face prints it says all that the code would."""
    marked = replace(
        faces.deck.cards[1],
        markers=(PrintedMarker("DICT_4X4_50", 7, 11.0, 9.0, 9.0),),
        qr=PrintedQr("card-1", 18.0, 31.5, 66.0),
    )
    own = DeckFaces(replace(faces.deck, cards=(faces.deck.cards[0], marked, *faces.deck.cards[2:])))
    corner = HERE.points(np.array([9.0 - WIDTH_MM / 2 + beside_mm]), np.array([HEIGHT_MM / 2 - 9.0]))
    seen = SeenMarker(7, CAMERA.project(corner) + np.array([[-11, -11], [11, -11], [11, 11], [-11, 11]]))
    scene = scene_of(own, ("card-1", HERE), markers=[seen])
    asked = []

    def read(*arguments: object) -> str:
        asked.append(arguments)
        return "card-1"

    monkeypatch.setattr(settling, "read_qr", read)
    settle(scene, [found_at(Known.nothing_of(scene), 1, HERE)], ())
    assert bool(asked) is is_asked


@pytest.mark.parametrize(("tilted_deg", "aside_mm", "times"), [(1.5, 0.0, 1), (0.0, 1.2, 2)])
def test_overlaps_are_compared_anew_only_where_an_outline_moved_in_the_picture(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch, tilted_deg: float, aside_mm: float, times: int
) -> None:
    """Seen from above a card found a little tilted lies where it lies when it proves to be flat."""
    scene = scene_of(faces, ("card-1", HERE), ("card-2", UPPER))
    known = Known.nothing_of(scene)
    about = np.radians(tilted_deg) * UPPER.R[:, 1]
    upper = found_at(known, 2, moved(UPPER, aside_mm, 0.0, 0.0).moved(np.array([0.0, 0.0, 0.0, *about])))
    lower = found_at(known.plus(upper.fit, 2), 1, HERE)
    asked = []

    def counted(*arguments: Any) -> Any:
        asked.append(arguments)
        return overlaps(*arguments)

    monkeypatch.setattr(settling, "overlaps", counted)
    pile = settle(scene, [lower, upper], ())
    assert [card.fit.face for card in pile.cards] == [1, 2]
    assert pile.order == [0, 1]
    assert len(asked) == times


@pytest.mark.parametrize(("aligned_mm", "kept"), [(0.0, False), (9.0, True)])
def test_a_fine_alignment_that_shows_much_less_than_where_the_card_was_found_was_led_astray(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, aligned_mm: float, kept: bool
) -> None:
    """Beside the shadow of a card above a nearly blank nine was tilted until nothing was left of it."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    found = found_at(known, 1, HERE)
    fine = fit_at(known, 1, moved(HERE, aligned_mm, aligned_mm))
    monkeypatch.setattr("arena_cam.vision.reading.finding.settling.fit_fine", lambda *_: fine)
    (card,) = settle(known.scene, [found], ()).cards
    there = HERE if kept else fine.pose
    assert np.allclose(card.fit.pose.centre_mm, there.centre_mm)
    assert card.fit.explained > 0.9


@pytest.mark.parametrize(("evidence", "kept"), [(30.0, True), (3.0, False)])
def test_what_noise_says_for_the_pose_where_a_card_was_found_does_not_outweigh_the_fine_one(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, evidence: float, kept: bool
) -> None:
    """A nearly blank card leaned as all its sides showed; as it was found it was flat by 3 nats, and surely over the
    wall."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    found, aside = found_at(known, 1, HERE), moved(HERE, 0.5, 0.5)
    fine = replace(fit_at(known, 1, aside), evidence=1.0, explained=0.7)
    there = replace(found.fit, evidence=evidence, explained=0.8)
    monkeypatch.setattr("arena_cam.vision.reading.finding.settling.fit_fine", lambda *_: fine)

    def measured(known: Known, face: int, alignment: Alignment) -> Fit:
        return there if np.allclose(alignment.pose.centre_mm, HERE.centre_mm) else measure(known, face, alignment)

    monkeypatch.setattr("arena_cam.vision.reading.finding.settling.measure", measured)
    monkeypatch.setattr("arena_cam.vision.reading.finding.settling._with_its_sides", lambda _, fit: fit)
    taken: list[Fit] = []

    def as_taken(_: Known, fit: Fit) -> Fit:
        taken.append(fit)
        return fit

    monkeypatch.setattr("arena_cam.vision.reading.finding.settling.as_it_leans", as_taken)
    settle(known.scene, [found], ())
    assert [fit.evidence for fit in taken] == [evidence if kept else 1.0]


def test_a_card_found_by_its_print_whose_sides_do_not_show_is_doubted(tmp_path: Path) -> None:
    """Its print is another face's, turned a little: of a flower that lay askew of its sides nothing was asked."""
    faces = deck_of_flowers(tmp_path / "deck")
    true, seeming = turned_flower()
    known = flowers_known(faces, tmp_path, ("card-1", true))
    for face, pose, doubted in ((0, seeming, True), (1, true, False)):
        pile = doubted_without_sides(known.scene, settle(known.scene, [found_at(known, face, pose)], ()))
        assert [card.astray for card in pile.cards] == [doubted]


def test_a_card_of_which_the_picture_shows_bare_floor_is_doubted(tmp_path: Path) -> None:
    """Slid along its rules by 27 mm a card, mostly covered, lay on floor that was in view, and had another name."""
    known = known_with(deck_of_figures(tmp_path / "deck"), tmp_path, 230, HERE)
    fit = fit_by_sides(known, HERE)
    assert fit is not None
    (card,) = settle(known.scene, [Found(fit, Identity(40.0 * np.eye(3)[fit.face], 100))], ()).cards
    assert not any(one.astray for one in doubted_without_sides(known.scene, Pile([card], [], [0])).cards)
    beside = known.scene.camera.project(moved(HERE, 0.0, 15.0).corners(63.0, 88.0))
    slid = replace(card, placed=replace(card.placed, outline_px=beside))
    assert doubted_without_sides(known.scene, Pile([slid], [], [0])).cards[0].astray


@pytest.mark.parametrize(("evidence", "doubted"), [(5.0, True), (90.0, False)])
def test_floor_that_sides_enclose_is_no_card_unless_its_print_shows(
    tmp_path: Path, evidence: float, doubted: bool
) -> None:
    """A shadow's edge, a wall and a card's side enclosed floor. A dark card on a floor as dark shows its print."""
    known = known_with(deck_of_figures(tmp_path / "deck"), tmp_path, 230, HERE)
    fit = fit_by_sides(known, HERE)
    assert fit is not None
    assert fit.outline is not None
    (card,) = settle(known.scene, [Found(fit, Identity(40.0 * np.eye(3)[fit.face], 100))], ()).cards
    elsewhere = known.scene.camera.project(moved(HERE, -70.0, 0.0).corners(63.0, 88.0))
    few = replace(fit, evidence=evidence, outline=replace(fit.outline, nats=12.0))
    ghost = replace(card, fit=few, placed=replace(card.placed, outline_px=elsewhere))
    assert doubted_without_sides(known.scene, Pile([ghost], [], [0])).cards[0].astray is doubted


def test_sides_beside_what_a_hand_hides_are_not_missed(tmp_path: Path) -> None:
    """A card may be held by its rim: where the picture does not show its face it need not show its sides."""
    faces = deck_of_flowers(tmp_path / "deck")
    true, _ = turned_flower()
    known = flowers_known(faces, tmp_path, ("card-1", true))
    fit = fit_at(known, 1, true)
    blurred = replace(known, scene=replace(known.scene, bgr=np.full_like(known.scene.bgr, 90)))
    assert lacks_sides(blurred, fit)
    assert not lacks_sides(blurred, replace(fit, shown=np.zeros_like(fit.shown)))


def test_no_edge_is_due_over_a_card_of_the_same_colour(tmp_path: Path) -> None:
    """White on white half of the sides showed no edge. On the floor sides must show all the same."""
    faces = deck_of_flowers(tmp_path / "deck")
    true, wrong = turned_flower()
    beneath = moved(true, 12.0, 14.0)
    known = flowers_known(faces, tmp_path, ("card-0", beneath), ("card-1", true))
    other = Claims.of_outlines(known.scene, [known.scene.camera.project(beneath.corners(63.0, 88.0))])
    fit = fit_at(known, 1, true)
    assert lacks_sides(known, fit)
    assert not lacks_sides(known, fit, other)
    assert lacks_sides(known, fit_at(known, 0, wrong), other)


def test_a_dark_line_between_two_of_a_colour_is_an_edge_in_its_place(tmp_path: Path) -> None:
    """White on white a cut edge is a line, and the steepest change is on either of its flanks."""
    faces = deck_of_flowers(tmp_path / "deck")
    true, _ = turned_flower()
    known = flowers_known(faces, tmp_path, ("card-1", true))
    outline = np.round(16.0 * known.scene.camera.project(true.corners(63.0, 88.0))).astype(np.int32)
    card, line = (np.zeros(known.scene.bgr.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(card, outline, (1,), cv2.LINE_AA, 4)
    cv2.polylines(line, [outline], True, (255,), 3, cv2.LINE_AA, 4)
    dark = cv2.GaussianBlur(line.astype(np.float32) / 255.0, (0, 0), 0.7)[:, :, None]
    paper = known.scene.sample_bgr(known.scene.camera.project(true.points(np.array([26.0]), np.array([38.0]))).T)[0]
    others = Claims.none_in(known.scene)
    others.mask[:] = 1
    on_white = np.where(card[:, :, None] > 0, known.scene.bgr, paper) * (1.0 - 0.6 * dark)
    white = replace(known, scene=replace(known.scene, bgr=on_white.astype(np.uint8)))
    fit = fit_at(white, 1, true)
    assert lacks_sides(white, fit)
    assert not lacks_sides(white, fit, others)
