"""Of nearly blank faces the points at which they differ tell the name, either way up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.fitting import fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.finding import told_names
from arena_cam.vision.reading.finding.known_cards import is_told_from
from arena_cam.vision.reading.finding.told_names import has_compared, named_in_place
from arena_cam.vision.reading.telling import other_inks, told_faces
from vision.reading.finding.blank_cards import (
    TRUE,
    covered_figures,
    known_as,
    known_of,
    off_mm,
    outlined,
    told_as,
)
from vision.scenes import moved
from vision.small import small_deck


@pytest.mark.parametrize("card", [0, 1, 2, 3])
def test_a_small_figure_decides(blank: DeckFaces, tmp_path: Path, card: int) -> None:
    known = known_of(blank, tmp_path, (f"card-{card}", TRUE))
    fit, identity = named_in_place(known, *outlined(known, CardPose.flat(12.5, -5.5, 21.0)))
    assert (fit.face, identity.best) == (card, card)
    assert identity.probabilities()[card] > 0.9
    assert off_mm(fit.pose, TRUE) < 1.2


def test_the_other_way_up_is_compared_in_its_own_place(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card laid by the stripes of an upright seven showed a turned one with its stripes beside their places: by 30
    nats it was the seven, surely."""
    known = known_of(blank, tmp_path, ("card-1", TRUE.half_turned))
    fit, outline = outlined(known, TRUE)
    fit = replace(fit, alignment=replace(fit.alignment, pose=TRUE), face=3)
    own = replace(fit, face=1, alignment=replace(fit.alignment, pose=moved(TRUE.half_turned, 0.3, 0.2)))
    here = (Identity(np.array([-40.0, -20.0, -30.0, 0.0]), 100), Identity(np.array([-60.0, -30.0, -50.0, -55.0]), 100))
    there = Identity(np.array([-30.0, 12.0, -20.0, -25.0]), 100)
    monkeypatch.setattr(told_names, "compared_ways", lambda *_: here)
    monkeypatch.setattr(told_names, "compared", lambda _, pose: there if pose is own.pose else here[0])
    monkeypatch.setattr(told_names, "laid_into", lambda *_: own)
    monkeypatch.setattr(told_faces, "alike_groups", lambda few, *_: [np.array([n]) for n in range(len(few))])
    assert named_in_place(known, fit, outline)[1].best == 1


def test_faces_far_behind_over_the_whole_card_are_not_compared_closely(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(blank, tmp_path)
    monkeypatch.setattr(known.scene.points.names, "is_same_turned", lambda _: False)
    upright, turned = np.array([0.0, -70.0, -80.0, -140.0]), np.array([-90.0, -74.0, -100.0, -120.0])
    assert told_names.worth_telling(known, [upright, turned]) == [(0, 0), (1, 0), (1, 1)]


def test_a_face_without_a_top_is_told_one_way_up(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turned by half a turn it is the same candidate, as likely as in the way that suits it better."""
    known = known_of(blank, tmp_path, ("card-1", TRUE.half_turned))
    upright, turned = np.array([0.0, -70.0, -140.0, -60.0]), np.array([-90.0, -74.0, -20.0, -140.0])
    assert told_names.worth_telling(known, [upright, turned]) == [(0, 0), (1, 0), (2, 0), (3, 0)]
    monkeypatch.setattr(known.scene.points.names, "is_same_turned", lambda face: face != 1)
    ways = told_names.worth_telling(known, [upright, turned])
    assert ways == [(0, 0), (1, 0), (2, 0), (3, 0), (1, 1)]
    first, other = told_names.either_way(known, (Identity(upright, 100), Identity(turned, 100)))
    assert first.log_likelihood.tolist() == [0.0, -70.0, -20.0, -60.0]
    assert other.log_likelihood.tolist() == [0.0, -74.0, -20.0, -60.0]
    fit, identity = named_in_place(known, *outlined(known, CardPose.flat(12.5, -5.5, 21.0)))
    assert (fit.face, identity.best) == (1, 1)
    assert off_mm(fit.pose, TRUE) < 1.2


def test_the_same_question_about_the_same_pixels_is_asked_once(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    named = named_in_place(known, fit, outline)
    elsewhere = replace(known, claims=known.claims.copy())
    elsewhere.claims.add_polygon(known.scene.camera.project(CardPose.flat(150.0, 60.0, 0.0).corners(20.0, 20.0)))
    covered = replace(known, claims=known.claims.copy())
    covered.claims.add_polygon(known.scene.camera.project(TRUE.corners(20.0, 20.0)))
    assert named_in_place(elsewhere, replace(fit), replace(outline)) is named
    for other in (covered, replace(known, taken=(1,)), replace(known, scene=replace(known.scene))):
        assert named_in_place(other, fit, outline) is not named
    assert named_in_place(known, fit, outline, asked=3) is not named


def test_a_wrong_face_in_the_right_outline_is_put_right(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-2", TRUE))
    _, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    named, identity = named_in_place(known, laid_into(known, 0, outline), outline)
    assert (named.face, identity.best) == (2, 2)


def test_a_face_that_lies_elsewhere_already_is_not_this_one(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, TRUE)
    taken = replace(known, taken=(1,))
    _, identity = named_in_place(taken, fit, outline)
    assert identity.best != 1


def test_a_face_that_was_compared_is_known_to_have_been(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-0", TRUE))
    fit, outline = outlined(known, TRUE)
    hidden = known.claims.copy()
    hidden.add_polygon(known.scene.camera.project(TRUE.corners(63.0, 88.0)))
    card = Found(*named_in_place(replace(known, claims=hidden, taken=(1,)), fit, outline))
    assert [has_compared(card, face) for face in range(4)] == [True, False, True, True]
    assert not has_compared(Found(replace(card.fit, outline=None, evidence=10.0), card.identity), 2)


def test_where_the_figures_are_covered_no_name_is_sure(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, TRUE)
    covered_figures(known)
    _, identity = named_in_place(known, fit, outline)
    assert identity.probabilities().max() < 0.9


def test_what_shows_its_drawing_shows_that_of_all_that_are_drawn_like_it(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a card with a coloured end, whose figure was hidden, the one that was tried first was surely the challenge."""
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, _ = outlined(known, TRUE)
    covered_figures(known)
    monkeypatch.setattr(known.scene.points.names, "is_same_turned", lambda _: False)

    def other_way(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        return np.array([0.0 if way == (3, 1) else -5.0 for way in likely])

    told_as(monkeypatch, other_way)
    drawn = replace(fit, evidence=40.0)  # nor does any other face show less of its drawing there
    monkeypatch.setattr(told_names, "measure", lambda *_: drawn)
    monkeypatch.setattr(told_names, "_drawn_plainer", lambda *_, **__: drawn)
    identity = named_in_place(known, fit, None)[1]
    assert identity.probabilities().max() < 0.4
    assert identity.may_be(fit.face)


def test_a_face_that_overtakes_another_in_its_own_place_is_told_from_all_the_others_there(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    print_alone = replace(outlined(known, TRUE)[0], outline=None)
    covered_figures(known)

    def ahead(_: Known, fit: Fit, __: Array) -> tuple[Fit, float]:
        return replace(print_alone, face=2 if fit.face != 2 else 3), 7.0

    monkeypatch.setattr(told_names, "_in_its_own_place", ahead)
    fit, identity = named_in_place(known, print_alone, None)
    assert np.sort(identity.probabilities())[-2] > 0.2  # the figures are hidden: of the other faces none leads
    assert identity.may_be(fit.face)


@pytest.mark.parametrize("card", [0, 3])
def test_a_card_placed_by_its_print_is_named_by_the_same_points(blank: DeckFaces, tmp_path: Path, card: int) -> None:
    known = known_of(blank, tmp_path, (f"card-{card}", TRUE))
    wrong = replace(outlined(known, TRUE)[0], face=1, outline=None)
    fit, identity = named_in_place(known, wrong, None)
    assert (fit.face, identity.best) == (card, card)
    assert fit.outline is None


@pytest.mark.parametrize(("behind", "told"), [(3.0, False), (12.0, True)])
def test_a_card_told_from_a_face_is_not_that_face_though_it_must_lie_somewhere(
    blank: DeckFaces, tmp_path: Path, behind: float, told: bool
) -> None:
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, _ = outlined(known, TRUE)
    alike = cast(Known, SimpleNamespace(scene=SimpleNamespace(faces=SimpleNamespace(are_alike=True))))
    seen = Found(fit, Identity(np.array([-behind, 0.0, -behind, -behind]), 100))
    assert is_told_from(alike, 2, seen) is told
    assert not is_told_from(alike, 1, seen)
    assert not is_told_from(alike, 2, replace(seen, fit=replace(fit, uncovered=0.1)))  # a part may be another's


@pytest.mark.parametrize("in_view", [True, False])
def test_points_in_a_shade_do_not_rename_what_shows_its_drawing(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_view: bool
) -> None:
    known = known_of(detailed, tmp_path, ("card-1", TRUE))
    fit = fit_coarse(known, 1, TRUE, close=True)

    def for_another(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        return np.array([5.0 * (face == 2) for face, _ in likely])

    told_as(monkeypatch, for_another)
    if not in_view:
        known.claims.add_polygon(known.scene.camera.project(TRUE.corners(63.0, 88.0)))
    named, identity = named_in_place(known, fit, None)
    assert (named.face, identity.best) == ((1, 1) if in_view else (2, 2))


def test_what_shows_its_drawing_in_the_same_place_is_not_renamed_for_how_it_lies_in_an_outline(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laid into an outline that is off, the face that the points tell shows less than the one that was aligned by its
    print: a card with four strokes in full view was said surely to have three."""
    known = known_of(detailed, tmp_path, ("card-1", TRUE))
    aligned = fit_coarse(known, 1, TRUE, close=True)
    less = replace(aligned, evidence=0.5 * aligned.evidence)
    shown = replace(aligned, face=2)
    told_as(monkeypatch, lambda _looks, likely, _whole: told_for(1, likely))
    monkeypatch.setattr(told_names, "fit_coarse", lambda *_, **__: less)
    monkeypatch.setattr(told_names, "measure", lambda _known, face, _alignment: {1: aligned, 2: shown}[face])
    named, identity = named_in_place(known, shown, None)
    assert (named.face, identity.best) == (1, 1)


@pytest.mark.parametrize(("shown", "sure"), [(-5.0, False), (5.0, True)])
def test_points_do_not_surely_tell_a_face_of_which_none_of_the_drawing_shows(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: float, sure: bool
) -> None:
    known = known_of(detailed, tmp_path, ("card-1", TRUE))
    found, outline = outlined(known, TRUE)
    little = replace(found, face=2, evidence=7.0)
    told_as(monkeypatch, lambda _looks, likely, _whole: told_for(1, likely))
    monkeypatch.setattr(told_names, "_fitted", lambda *_: replace(found, face=1, evidence=shown))
    named, identity = named_in_place(known, little, outline)
    assert (named.face, identity.best) == (1, 1)
    assert bool(identity.probabilities()[1] > 0.99) is sure


def told_for(face: int, likely: Sequence[tuple[int, int]]) -> Array:
    return np.array([20.0 * (way == (face, 0)) for way in likely])


def test_a_face_told_in_an_outline_that_is_not_its_own_lies_where_its_print_does(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(detailed, tmp_path, ("card-1", TRUE))
    _, outline = outlined(known, TRUE)
    steep = TRUE.moved(np.array([0.0, 4.0, 12.0, np.radians(16.0), 0.0, 0.0]))
    led_astray = replace(outline, pose=steep)
    told_as(monkeypatch, lambda _looks, likely, _whole: told_for(1, likely))
    named, identity = named_in_place(known, laid_into(known, 0, led_astray), led_astray)
    assert (named.face, identity.best) == (1, 1)
    assert off_mm(named.pose, TRUE) < 1.0
    assert named.outline is not None


@pytest.mark.parametrize("far_behind", [False, True])
def test_a_face_drawn_like_another_but_turned_a_little_is_compared_in_its_own_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, far_behind: bool
) -> None:
    """A violet flower, laid by the lines of a green one, was 100 nats behind that."""
    faces = DeckFaces(small_deck(tmp_path, [star(0.0, (160, 80, 20)), star(2.5, (60, 120, 20))]))
    known = known_as(star(0.0, (160, 80, 20)), faces, tmp_path, TRUE)
    as_the_other = fit_coarse(known, 1, TRUE)
    if far_behind:
        monkeypatch.setattr(told_names, "_LIKE_THEM", 1)
        monkeypatch.setattr(other_inks, "OTHER_INKS", 0)
    fit, identity = named_in_place(known, as_the_other, None)
    assert fit.face == identity.best == 0
    assert off_mm(fit.pose, TRUE) < 0.5


def star(turned_deg: float, bgr: tuple[int, int, int]) -> NDArray[np.uint8]:
    """A white face (352, 252, 3) with a star of six thin rays, turned about the middle."""
    face = np.full((352, 252, 3), 245, np.uint8)
    angle = np.linspace(0.0, 2 * np.pi, 400)
    radius = 70.0 + 28.0 * np.cos(6 * angle)
    turned = angle + np.radians(turned_deg)
    points = np.stack([126 + radius * np.cos(turned), 176 + radius * np.sin(turned)], axis=1)
    cv2.polylines(face, [np.round(16 * points).astype(np.int32)], True, bgr, 4, cv2.LINE_AA, 4)
    return face


def test_where_the_points_say_nothing_the_whole_card_names_it_and_it_is_not_sure(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(blank, tmp_path, ("card-2", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.0, -5.0, 20.0))
    told_as(monkeypatch, lambda _looks, likely, _whole: np.zeros(len(likely)))
    named, identity = named_in_place(known, fit, outline)
    assert named.face == 2
    assert identity.probabilities()[2] < 0.5
