"""All cards of one frame, from the plain ones to the one that is known to be there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.fit import Outline
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import KNOWN_NATS, Found
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import is_there
from arena_cam.vision.reading.finding import settling
from arena_cam.vision.reading.finding.all_cards import find_cards, find_pile
from arena_cam.vision.reading.finding.findings import Findings
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.second_look import SecondLook
from arena_cam.vision.reading.finding.settling import Pile
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from vision.scenes import HERE, WIDE, fit_at, found_at, moved, scene_of, surely

UPPER = moved(HERE, 12.0, 14.0, 8.0)


def faces_found(known: Known, finder: FeatureFinder, *believed: Guess, wanted: tuple[int, ...] = ()) -> list[int]:
    floor = FloorGuesses(known.scene, KeptMaps(None))
    return sorted(card.fit.face for card in find_cards(known, finder, floor, believed, wanted))


def test_an_empty_table_has_no_cards(detailed: DeckFaces, finder: FeatureFinder) -> None:
    assert faces_found(Known.nothing_of(scene_of(detailed, with_empty=True)), finder) == []


@pytest.mark.parametrize("believed", [(), (Guess(1, HERE, 1e3, Finder.KNOWN),)])
def test_a_pile_is_found_known_before_or_not(
    detailed: DeckFaces, finder: FeatureFinder, believed: tuple[Guess, ...]
) -> None:
    scene = scene_of(detailed, ("card-1", HERE), ("card-2", moved(HERE, 22.0, 10.0, 50.0)), with_empty=True)
    assert faces_found(Known.nothing_of(scene), finder, *believed) == [1, 2]


def test_what_is_believed_and_gone_is_not_found(detailed: DeckFaces, finder: FeatureFinder) -> None:
    known = Known.nothing_of(scene_of(detailed, with_empty=True))
    assert faces_found(known, finder, Guess(1, HERE, 1e3, Finder.KNOWN)) == []


def test_the_card_that_is_known_to_be_there_is_found_under_others(detailed: DeckFaces, finder: FeatureFinder) -> None:
    scene = scene_of(detailed, ("card-1", HERE), ("card-2", UPPER), with_empty=True)
    assert 1 in faces_found(Known.nothing_of(scene), finder, wanted=(1,))


def test_a_wanted_card_that_is_found_is_surer(detailed: DeckFaces, finder: FeatureFinder) -> None:
    for arena, nats in ((WIDE, KNOWN_NATS), (replace(WIDE, inner_mm=(30.0, 30.0)), 0.0)):  # outside it is no surer
        known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), with_empty=True, arena=arena))
        floor = FloorGuesses(known.scene, KeptMaps(None))
        plain, wanted = (find_cards(known, finder, floor, (), faces)[0] for faces in ((), (1,)))
        gained = wanted.identity.log_likelihood[1] - plain.identity.log_likelihood[1]
        assert gained == pytest.approx(nats)


@pytest.mark.parametrize("believed", [(), (Guess(1, HERE, 1e3, Finder.KNOWN),)])
def test_what_led_to_no_card_is_not_searched_once_more(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch, believed: tuple[Guess, ...]
) -> None:
    """Of a card of which too little is in view a deck whose faces are alike asked everything twice."""
    searched: list[Known] = []

    def search(known: Known, _: object) -> Findings:
        searched.append(known)
        return Findings(known)

    monkeypatch.setattr(detailed, "are_alike", True)
    monkeypatch.setattr("arena_cam.vision.reading.finding.all_cards.peel", search)
    monkeypatch.setattr("arena_cam.vision.reading.finding.all_cards.explaining", lambda *_: None)
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), with_empty=True))
    assert find_pile(known, finder, FloorGuesses(known.scene, KeptMaps(None)), believed, ()).cards == []
    assert len(searched) == 1 + len(believed)


@pytest.mark.parametrize("alike", [False, True])
def test_where_no_print_shows_the_card_that_must_be_there_its_sides_are_asked_in_any_deck(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch, alike: bool
) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), with_empty=True))
    monkeypatch.setattr(detailed, "are_alike", alike)
    by_sides = Found(fit_at(known, 4, moved(HERE, 12.0, 14.0, 8.0)), surely(detailed, 4))
    asked = "arena_cam.vision.reading.finding.all_cards"
    monkeypatch.setattr(f"{asked}.find_expected", lambda *_: None)
    monkeypatch.setattr(f"{asked}.renamed_as_expected", lambda *_: None)
    monkeypatch.setattr(f"{asked}.expected_by_sides", lambda _known, face, *_: by_sides if face == 4 else None)
    assert 4 in faces_found(known, finder, wanted=(4,))
    assert 3 not in faces_found(known, finder, wanted=(3,))


def test_where_something_unknown_is_left_its_sides_are_asked_in_any_deck(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dark card on a grey floor has few features, and differs from the floor as little as a shadow."""
    apart = moved(HERE, 55.0, -35.0, 5.0)
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), ("card-2", apart), with_empty=True))
    floor = FloorGuesses(known.scene, KeptMaps(None))
    first = SecondLook(known, [found_at(known, 1, HERE)], floor, ())
    monkeypatch.setattr("arena_cam.vision.reading.finding.all_cards._looked_twice", lambda *_: first)
    pile = find_pile(known, finder, floor, (), ())
    assert sorted(card.fit.face for card in pile.cards) == [1, 2]
    alone = Known.nothing_of(scene_of(detailed, ("card-1", HERE), with_empty=True))
    assert [card.fit.face for card in find_pile(alone, finder, floor, (), ()).cards] == [1]


def test_the_card_that_must_be_there_is_looked_for_once_more_where_all_others_lie_in_their_places(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = moved(HERE, 55.0, -35.0, 5.0)
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), ("card-2", apart), with_empty=True))
    floor, asked = FloorGuesses(known.scene, KeptMaps(None)), "arena_cam.vision.reading.finding.all_cards"
    first, wanted = SecondLook(known, [found_at(known, 1, HERE)], floor, ()), found_at(known, 2, apart)
    monkeypatch.setattr(f"{asked}._looked_twice", lambda *_: first)
    monkeypatch.setattr(f"{asked}.peel", lambda known, _: Findings(known))
    monkeypatch.setattr(f"{asked}.explaining", lambda *_: None)
    monkeypatch.setattr(f"{asked}._with_expected", lambda _, again, __: [*again.found, wanted])
    assert sorted(card.fit.face for card in find_pile(known, finder, floor, (), (2,)).cards) == [1, 2]


@pytest.mark.parametrize("explained_before", [0.9, 0.6])
def test_what_is_unknown_on_the_floor_shows_a_card_that_explains_it(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch, explained_before: float
) -> None:
    """Too little of its sides is in view to be a card by them alone, and its print says nothing. What explains it was
    named before, in the same place, when nobody knew that it does; and before that it was taken for another face."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), ("card-2", UPPER), with_empty=True))
    floor, asked = FloorGuesses(known.scene, KeptMaps(None)), "arena_cam.vision.reading.finding.all_cards"
    upper = found_at(known, 2, UPPER)
    few = replace(fit_at(known.plus(upper.fit, 2), 1, HERE), outline=Outline(HERE, np.eye(6), 10.0, 0.98))
    faint = replace(few, evidence=0.0, explained=0.9)
    monkeypatch.setattr(f"{asked}._looked_twice", lambda *_: SecondLook(known, [upper], floor, ()))
    monkeypatch.setattr(f"{asked}.peel", lambda known, _: Findings(known))
    before = replace(faint, face=3, explained=explained_before)
    monkeypatch.setattr("arena_cam.vision.reading.finding.sided_cards.fit_by_sides", lambda *_: before)
    monkeypatch.setattr(f"{asked}.named_in_place", lambda *_: (faint, surely(detailed, 1)))
    monkeypatch.setattr(FloorGuesses, "from_sides", lambda *_, **__: [Guess(0, HERE, 10.0, Finder.SIDES)])
    pile = find_pile(known, finder, floor, (), ())
    assert sorted(card.fit.face for card in pile.cards) == [1, 2]
    assert not is_there(faint)


def test_a_covered_card_found_by_its_sides_lies_flat_if_it_shows_as_much_so(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), ("card-2", UPPER), with_empty=True))
    floor = FloorGuesses(known.scene, KeptMaps(None))
    upper = found_at(known, 2, UPPER)
    leaning = HERE.moved(np.array([0.0, 0.0, 3.0, np.radians(7.0), 0.0, 0.0]))
    above = known.plus(upper.fit, 2)
    tilted = Found(fit_at(above, 1, leaning), surely(detailed, 1))
    assert tilted.fit.uncovered < 0.6
    settled: list[Found] = []

    def settle(scene: Scene, found: Sequence[Found], wanted: Collection[int]) -> Pile:
        settled[:] = found
        return settling.settle(scene, found, wanted)

    asked = "arena_cam.vision.reading.finding.all_cards"
    monkeypatch.setattr(f"{asked}._looked_twice", lambda *_: SecondLook(known, [upper], floor, ()))
    monkeypatch.setattr(f"{asked}.peel", lambda *_: SimpleNamespace(found=(tilted,)))
    monkeypatch.setattr(f"{asked}.explaining", lambda *_: None)
    monkeypatch.setattr(f"{asked}.settle", settle)
    find_pile(known, finder, floor, (), ())
    assert [card.fit.face for card in settled] == [2, 1]
    assert settled[1].fit.pose.tilt_deg < 2.5


@pytest.mark.parametrize("there", [1, 3])
def test_the_card_that_must_be_there_takes_the_place_of_one_guessed_from_its_print(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch, there: int
) -> None:
    """Of a covered card a part was taken for another, which lay aside: no more than a sliver was left of the true one.
    A card that explains as much as the true one would is not turned out."""
    aside = moved(HERE, 3.0, 20.0)
    lies = {1: HERE, 3: aside}[there]
    known = Known.nothing_of(scene_of(detailed, (f"card-{there}", lies), ("card-2", UPPER), with_empty=True))
    upper = found_at(known, 2, UPPER)
    above = known.plus(upper.fit, 2)
    guessed, sliver = (
        Found(fit_at(above, 3, aside), surely(detailed, 3)),
        Found(fit_at(above, 1, HERE), surely(detailed, 1)),
    )
    asked = "arena_cam.vision.reading.finding.all_cards"
    monkeypatch.setattr(f"{asked}.peel", lambda *_: Findings(known, (upper, guessed)))
    monkeypatch.setattr(f"{asked}.SecondLook.ask_again", lambda *_: None)
    monkeypatch.setattr(f"{asked}.SecondLook.find_missed", lambda *_: None)
    monkeypatch.setattr(f"{asked}.SecondLook.is_doubtful", lambda *_: False)
    monkeypatch.setattr(f"{asked}.renamed_as_expected", lambda *_: None)
    monkeypatch.setattr(f"{asked}.find_expected", lambda *_: sliver)
    assert faces_found(known, finder, wanted=(1,)) == ([1, 2] if there == 1 else [1, 2, 3])


def test_the_card_that_must_be_there_leaves_no_other_in_its_place(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sides of a card speak for whichever name it has; what is doubtful elsewhere stays."""
    beside = moved(HERE, -70.0, 0.0)
    scene = scene_of(detailed, ("card-1", HERE), ("card-2", UPPER), ("card-4", beside), with_empty=True)
    known = Known.nothing_of(scene)
    upper = found_at(known, 2, UPPER)
    above = known.plus(upper.fit, 2)
    misnamed, doubtful, true = (
        Found(fit_at(above, face, place), surely(detailed, face))
        for face, place in ((3, HERE), (4, beside), (1, moved(HERE, 0.4, 0.3)))
    )
    asked = "arena_cam.vision.reading.finding.all_cards"
    monkeypatch.setattr(f"{asked}.peel", lambda *_: Findings(known, (upper, misnamed, doubtful)))
    monkeypatch.setattr(f"{asked}.SecondLook.ask_again", lambda *_: None)
    monkeypatch.setattr(f"{asked}.SecondLook.find_missed", lambda *_: None)
    monkeypatch.setattr(f"{asked}.SecondLook.is_doubtful", lambda _, number, __: number > 0)
    monkeypatch.setattr(f"{asked}.is_there", lambda *_: True)
    monkeypatch.setattr(f"{asked}.find_expected", lambda *_: true)
    assert faces_found(known, finder, wanted=(1,)) == [1, 2, 4]
