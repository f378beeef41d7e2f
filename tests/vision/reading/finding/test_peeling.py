"""Cards are found from the top of the pile down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.fitting import START_PRIOR, fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.scene import PointStore, Scene
from arena_cam.vision.reading.finding import peeling
from arena_cam.vision.reading.finding.findings import Findings
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.guessing_rounds import GuessingRounds
from arena_cam.vision.reading.finding.outline_fit import fit_outline
from arena_cam.vision.reading.finding.peeling import peel
from arena_cam.vision.reading.floor.table_change import TableChange
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from vision.scenes import HERE, fit_at, known_of, moved, scene_of, surely
from vision.small import blotches, small_deck

APART = CardPose.flat(60.0, -30.0, 75.0, 0.3)


def peeled(scene: Scene, finder: FeatureFinder) -> Findings:
    return peel(Known.nothing_of(scene), GuessingRounds(scene, finder, (), FloorGuesses(scene, KeptMaps(None))))


@pytest.mark.parametrize("with_empty", [True, False])
def test_on_an_empty_table_nothing_is_found(detailed: DeckFaces, finder: FeatureFinder, with_empty: bool) -> None:
    assert peeled(scene_of(detailed, with_empty=with_empty), finder).found == ()


@pytest.mark.parametrize("with_empty", [True, False])
def test_cards_apart_are_found_in_their_places(detailed: DeckFaces, finder: FeatureFinder, with_empty: bool) -> None:
    cards = {"card-1": moved(HERE, -15.0, 0.0), "card-3": APART}
    found = peeled(scene_of(detailed, *cards.items(), with_empty=with_empty), finder).found
    assert {detailed.names[card.fit.face] for card in found} == set(cards)
    for card in found:
        true = cards[detailed.names[card.fit.face]]
        assert np.linalg.norm(card.fit.pose.centre_mm - true.centre_mm) < 1.0


def test_of_a_pile_the_top_is_found_first(detailed: DeckFaces, finder: FeatureFinder) -> None:
    scene = scene_of(detailed, ("card-1", HERE), ("card-2", moved(HERE, 22.0, 10.0, 50.0)), with_empty=True)
    assert [card.fit.face for card in peeled(scene, finder).found] == [2, 1]


def test_each_card_is_found_once_and_claims_its_place(detailed: DeckFaces, finder: FeatureFinder) -> None:
    findings = peeled(scene_of(detailed, ("card-4", HERE), with_empty=True), finder)
    assert [card.fit.face for card in findings.found] == [4]
    assert findings.known.taken == (4,)
    assert findings.known.claims.any


def test_a_card_face_down_is_a_back(
    detailed: DeckFaces, finder: FeatureFinder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The picture shows a card whose face is the deck's back."""
    assert detailed.deck.back is not None
    other = DeckFaces(small_deck(tmp_path_factory.mktemp("backs"), [read_picture(detailed.deck.back)]))
    shown, scene = scene_of(other, ("card-0", HERE)), scene_of(detailed, with_empty=True)
    assert scene.change is not None
    change = scene.change.table.look(shown.bgr, scene.camera)
    (card,) = peeled(replace(scene, grey=shown.grey, pyramid=shown.pyramid, bgr=shown.bgr, change=change), finder).found
    assert detailed.names[card.fit.face] == BACK


@pytest.mark.parametrize("odd", [0.3, 0.05])
@pytest.mark.parametrize(("votes", "found"), [(20.0, {1, 3}), (3.0, {1})])
def test_where_many_features_agree_a_card_is_looked_for_at_once(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, votes: float, found: set[int], odd: float
) -> None:
    """It may hardly differ from the table, white on white by its print alone, and the search may end with this round: a
    hand reaches in."""
    known = known_of(detailed, ("card-1", HERE), ("card-3", APART))
    guesses = [[Guess(1, HERE, 20.0, Finder.PIECES), Guess(3, APART, votes, Finder.FEATURES)]]
    monkeypatch.setattr(peeling, "in_view", lambda *_: (1.0, odd))
    rounds = cast(
        GuessingRounds,
        SimpleNamespace(next_guesses=lambda _: guesses.pop() if guesses else [], all_is_known=lambda _: False),
    )
    assert {card.fit.face for card in peel(known, rounds).found} == found


def test_what_led_to_no_card_is_aligned_once_while_nothing_there_changes(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the second round the same guess waits with its fit again: a card found in that round may show what it is."""
    known = known_of(detailed, ("card-1", HERE))
    guess = Guess(1, HERE, 20.0, Finder.PIECES)
    aligned: list[Guess] = []
    asked: list[Fit] = []

    def fit_of(now: Findings, _: Findings, guess: Guess, __: float) -> Fit:
        aligned.append(guess)
        return fit_coarse(now.known, guess.face, guess.pose)

    monkeypatch.setattr(peeling, "_aligned", fit_of)
    monkeypatch.setattr(peeling, "_is_named_in_place", lambda *_: True)
    monkeypatch.setattr(peeling, "_accepted", lambda _now, fit, _start=None: asked.append(fit))
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: [guess], all_is_known=lambda _: False, unexplained=True)
    )
    findings = peel(known, rounds)
    assert not findings.found
    assert len(aligned) == len(asked) == 1


@pytest.mark.parametrize(("face", "coarsely", "there"), [(1, 100.0, True), (1, 56.0, True), (3, 100.0, False)])
def test_a_card_in_an_outline_of_whose_drawing_the_coarse_scale_shows_too_little_is_looked_at_finely(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, face: int, coarsely: float, there: bool
) -> None:
    """Of a back with fine stripes the coarse scale showed two thirds; by the fine one it lay six degrees steeper. Of
    another one, in a dim light, it showed as much by 56 nats: that and two cards beneath it were not found."""
    known = known_of(detailed, ("card-1", HERE))
    outline = replace(fit_outline(known.scene, HERE, known.claims, START_PRIOR), shown=0.8)
    fit = replace(laid_into(known, face, outline), explained=0.67, evidence=coarsely)
    monkeypatch.setattr(peeling, "named_in_place", lambda _known, fit, _outline: (fit, surely(detailed, face)))
    monkeypatch.setattr(peeling, "_aligned", lambda *_: fit)
    monkeypatch.setattr(peeling, "measure", lambda *_: fit)
    guess = Guess(face, HERE, 20.0, Finder.SIDES)
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: [guess], all_is_known=lambda _: False, unexplained=True)
    )
    found = peel(known, rounds).found
    assert [card.fit.face for card in found] == ([1] if there else [])
    assert all(card.fit.explained > 0.9 for card in found)


@pytest.mark.parametrize(("halvings", "sure"), [(0, True), (1, False)])
def test_a_face_that_shows_at_the_fine_scale_alone_is_told_by_it(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, halvings: int, sure: bool
) -> None:
    """A back of pale stripes in full view, with 71 nats, was by the points that see them as grey as likely a face."""
    known = known_of(detailed, ("card-1", HERE))
    outline = fit_outline(known.scene, HERE, known.claims, START_PRIOR)
    fit = replace(laid_into(known, 1, outline), explained=0.95, evidence=71.0)
    nobody = Identity(np.zeros(len(detailed.names)), 500)
    monkeypatch.setattr(PointStore, "halvings", lambda *_: halvings)
    monkeypatch.setattr(peeling, "named_in_place", lambda _known, fit, _outline: (fit, nobody))
    monkeypatch.setattr(peeling, "_aligned", lambda *_: fit)
    monkeypatch.setattr(peeling, "_has_its_name", lambda *_: True)
    guess = Guess(1, HERE, 20.0, Finder.SIDES)
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: [guess], all_is_known=lambda _: True, unexplained=True)
    )
    (card,) = peel(known, rounds).found
    assert (card.identity.probabilities()[1] > 0.99) == sure


@pytest.mark.parametrize(("behind", "in_view", "there"), [(0.0, 0.5, True), (1.0, 0.5, False), (0.0, 1.0, False)])
def test_a_covered_card_of_which_nothing_tells_the_name_is_one_all_the_same(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, behind: float, in_view: float, there: bool
) -> None:
    """The figure of a two that was in view was that of an ace, too: the first of both by number was held to lead."""
    known = known_of(detailed, ("card-3", HERE))
    fit = replace(laid_into(known, 3, fit_outline(known.scene, HERE, known.claims, START_PRIOR)), uncovered=in_view)
    monkeypatch.setattr(peeling, "measure", lambda *_: fit)
    as_likely = Identity(np.where(np.arange(6) == 3, -behind, 0.0), 500)
    monkeypatch.setattr(peeling, "named_in_place", lambda _known, fit, _outline: (fit, as_likely))
    monkeypatch.setattr(peeling, "_aligned", lambda *_: fit)
    guess = Guess(3, HERE, 20.0, Finder.SIDES)
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: [guess], all_is_known=lambda _: False, unexplained=True)
    )
    assert [card.fit.face for card in peel(known, rounds).found] == ([3] if there else [])


def peeled_by_sides(
    known: Known, monkeypatch: pytest.MonkeyPatch, fit: Fit, *, named_as: Fit
) -> tuple[list[int], list[Fit]]:
    """The faces found where one guess by sides leads to `fit`, and the fits that were asked for their name."""
    named: list[Fit] = []

    def naming(_: Known, fit: Fit, __: object) -> tuple[Fit, Identity]:
        named.append(fit)
        return named_as, surely(known.scene.faces, 3)

    monkeypatch.setattr(peeling, "named_in_place", naming)
    monkeypatch.setattr(peeling, "_aligned", lambda *_: fit)
    monkeypatch.setattr(peeling, "measure", lambda *_: fit)
    guess = Guess(3, HERE, 20.0, Finder.SIDES)
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: [guess], all_is_known=lambda _: False, unexplained=True)
    )
    return [card.fit.face for card in peel(known, rounds).found], named


@pytest.mark.parametrize(("lower_mm", "there"), [(0.0, True), (15.0, False)])
def test_what_lies_under_the_floor_is_refused_before_it_is_named(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, lower_mm: float, there: bool
) -> None:
    """Of a framed deck such a place was named three times, in half of the time of the picture, and refused then."""
    known = known_of(detailed, ("card-3", HERE))
    fit = laid_into(known, 3, fit_outline(known.scene, HERE, known.claims, START_PRIOR))
    lower = replace(fit.pose, centre_mm=fit.pose.centre_mm - np.array([0.0, 0.0, lower_mm]))
    fit = replace(fit, alignment=replace(fit.alignment, pose=lower))
    found, named = peeled_by_sides(known, monkeypatch, fit, named_as=fit)
    assert found == ([3] if there else [])
    assert bool(named) == there


@pytest.mark.parametrize("what_it_is", ["is_shadow_of_arm", "_is_floor_in_view"])
@pytest.mark.parametrize("there", [True, False])
def test_a_shadow_and_floor_are_refused_before_they_are_named(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, what_it_is: str, there: bool
) -> None:
    """No name makes a card of either. Beside an arm three such places were named, in two thirds of the time of the
    picture."""
    known = known_of(detailed, ("card-3", HERE))
    fit = laid_into(known, 3, fit_outline(known.scene, HERE, known.claims, START_PRIOR))
    monkeypatch.setattr(peeling, what_it_is, lambda *_: not there)
    found, named = peeled_by_sides(known, monkeypatch, fit, named_as=fit)
    assert found == ([3] if there else [])
    assert bool(named) == there


@pytest.mark.parametrize(("evidence", "there"), [(5.0, True), (-5.0, False)])
def test_what_its_print_speaks_against_is_refused_before_it_is_named(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, evidence: float, there: bool
) -> None:
    """Sides of other cards enclosed it, not all round: a deck of portraits named five such places in a second."""
    known = known_of(detailed, ("card-3", HERE))
    right = laid_into(known, 3, fit_outline(known.scene, HERE, known.claims, START_PRIOR))
    assert right.outline is not None
    few = replace(right, evidence=evidence, explained=0.7, outline=replace(right.outline, shown=0.8))
    found, named = peeled_by_sides(known, monkeypatch, few, named_as=right)
    assert found == ([3] if there else [])
    assert bool(named) == there


@pytest.mark.parametrize(
    ("explained", "shown", "nats", "there"),
    [(0.65, 0.8, 20.0, True), (0.55, 0.8, 20.0, False), (0.55, 0.95, 35.0, True)],
)
def test_what_no_other_name_makes_a_card_is_refused_before_it_is_named(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, explained: float, shown: float, nats: float, there: bool
) -> None:
    """Sides that do not show all round need a face that shows plainly: on four pictures with markers the names of such
    places took a tenth of the time, and all were refused."""
    known = known_of(detailed, ("card-3", HERE))
    right = laid_into(known, 3, fit_outline(known.scene, HERE, known.claims, START_PRIOR))
    assert right.outline is not None
    few = replace(right, evidence=5.0, explained=explained, outline=replace(right.outline, shown=shown, nats=nats))
    found, named = peeled_by_sides(known, monkeypatch, few, named_as=right)
    assert found == ([3] if there else [])
    assert bool(named) == there


@pytest.mark.parametrize(("explained", "again"), [(0.4, 0), (0.6, 1)])
def test_sides_that_led_to_none_are_not_followed_again_while_nothing_there_changes(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, explained: float, again: int
) -> None:
    known = known_of(detailed, ("card-3", HERE))
    right = laid_into(known, 3, fit_outline(known.scene, HERE, known.claims, START_PRIOR))
    fit = replace(right, explained=explained)
    asked: list[Fit] = []
    monkeypatch.setattr(peeling, "_aligned", lambda *_: fit)
    monkeypatch.setattr(peeling, "_fitted_again", lambda _, fit: asked.append(fit))
    monkeypatch.setattr(peeling, "_accepted", lambda _now, fit, _start=None: asked.append(fit))
    guess = Guess(3, HERE, 20.0, Finder.SIDES)
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: [guess], all_is_known=lambda _: False, unexplained=True)
    )
    assert not peel(known, rounds).found
    assert bool(asked) == bool(again)


@pytest.mark.parametrize("shadow", [False, True])
def test_the_shadow_of_a_card_that_was_found_is_none(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, shadow: bool
) -> None:
    known = known_of(detailed, ("card-3", HERE), ("card-1", APART))
    fits = [
        laid_into(known, f, fit_outline(known.scene, p, known.claims, START_PRIOR)) for f, p in ((1, APART), (3, HERE))
    ]
    monkeypatch.setattr(peeling, "named_in_place", lambda _known, fit, _outline: (fit, surely(detailed, fit.face)))
    monkeypatch.setattr(peeling, "_aligned", lambda _now, _before, guess, _free: fits[guess.face == 3])
    monkeypatch.setattr(peeling, "is_shadow_of", lambda _known, fit, other: shadow and (fit.face, other.face) == (3, 1))
    guesses = [Guess(1, APART, 30.0, Finder.SIDES), Guess(3, HERE, 20.0, Finder.SIDES)]
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: guesses, all_is_known=lambda _: False, unexplained=True)
    )
    assert [card.fit.face for card in peel(known, rounds).found] == ([1] if shadow else [1, 3])


@pytest.mark.parametrize(("bare", "uncovered", "found"), [(0.5, 0.3, False), (0.1, 0.3, True), (0.5, 1.0, True)])
def test_bare_floor_beside_another_card_is_none_unless_it_shows_much(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, bare: float, uncovered: float, found: bool
) -> None:
    """Beside a card that leaned, in a corner's deep shade, 44 nats of print and 13 of sides told a dark back."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), with_empty=True))
    fit = replace(fit_at(known, 1, HERE), evidence=44.0, explained=0.95, uncovered=uncovered)
    monkeypatch.setattr(TableChange, "share_bare", lambda *_: bare)
    monkeypatch.setattr(peeling, "named", lambda _known, fit, _start: (fit, surely(detailed, 1)))
    monkeypatch.setattr(peeling, "_aligned", lambda *_: fit)
    monkeypatch.setattr(peeling, "measure", lambda *_: fit)
    guesses = [Guess(1, HERE, 30.0, Finder.FEATURES)]
    rounds = cast(
        GuessingRounds, SimpleNamespace(next_guesses=lambda _: guesses, all_is_known=lambda _: False, unexplained=True)
    )
    assert bool(peel(known, rounds).found) is found


@pytest.mark.parametrize("turned_deg", [0.0, 90.0, 180.0, 270.0])
def test_a_square_card_is_told_whichever_quarter_it_was_guessed_in(tmp_path: Path, turned_deg: float) -> None:
    """Its sides lie as well in each."""
    faces = [blotches(seed, 280, 280) for seed in range(3)]
    square = DeckFaces(replace(small_deck(tmp_path, faces), width_mm=70.0, height_mm=70.0))
    assert square.is_square
    known = Known.nothing_of(scene_of(square, ("card-1", HERE), with_empty=True))
    guesses = [[Guess(1, moved(HERE, 0.3, 0.2, turned_deg), 30.0, Finder.SIDES)]]
    rounds = cast(
        GuessingRounds,
        SimpleNamespace(
            next_guesses=lambda _: guesses.pop() if guesses else [], all_is_known=lambda _: False, unexplained=True
        ),
    )
    (card,) = peel(known, rounds).found
    assert card.fit.face == 1
    assert float(card.fit.pose.R[:, 0] @ HERE.R[:, 0]) > 0.999
    assert card.identity.probabilities()[1] > 0.99
