"""What is guessed in which round, and when all is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding import guessing_rounds
from arena_cam.vision.reading.finding.findings import Findings
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.guessing_rounds import GuessingRounds, may_show_card
from arena_cam.vision.reading.floor.fresh_places import FreshPlaces
from arena_cam.vision.reading.floor.table_change import Stranger, TableChange
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder, Guess, near, place_at
from vision.reading.finding.blank_cards import deck_of_figures, known_of
from vision.scenes import HERE, SIZE, found_at, moved, scene_of

BELIEVED = Guess(1, HERE, 1e3, Finder.KNOWN)


def rounds(scene: Scene, finder: FeatureFinder, *believed: Guess) -> GuessingRounds:
    return GuessingRounds(scene, finder, believed, FloorGuesses(scene, KeptMaps(None)))


def test_on_an_empty_table_nothing_is_guessed(detailed: DeckFaces, finder: FeatureFinder) -> None:
    scene = scene_of(detailed, with_empty=True)
    asked = rounds(scene, finder)
    assert asked.next_guesses(Findings(Known.nothing_of(scene))) == []
    assert not asked.unexplained


def test_what_lay_there_before_is_guessed_first(detailed: DeckFaces, finder: FeatureFinder) -> None:
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    assert rounds(scene, finder, BELIEVED).next_guesses(Findings(Known.nothing_of(scene))) == [BELIEVED]


def test_features_speak_for_what_nothing_explains(detailed: DeckFaces, finder: FeatureFinder) -> None:
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    asked = rounds(scene, finder)
    best, *_ = asked.next_guesses(Findings(Known.nothing_of(scene)))
    assert asked.unexplained
    assert (best.face, best.finder) == (1, Finder.FEATURES)
    assert near(place_at(best.pose), place_at(HERE), 3.0, 5.0)
    assert asked.offered[0] is best


def test_once_all_is_explained_nothing_is_guessed(detailed: DeckFaces, finder: FeatureFinder) -> None:
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    asked, findings = rounds(scene, finder), Findings(Known.nothing_of(scene))
    asked.next_guesses(findings)
    assert asked.next_guesses(findings.plus(found_at(findings.known, 1, HERE))) == []
    assert not asked.unexplained


def test_where_print_leads_to_no_card_its_sides_are_guessed(detailed: DeckFaces, finder: FeatureFinder) -> None:
    """As of a card whose print gloss has washed out: nothing that features say is accepted."""
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    asked, findings = rounds(scene, finder), Findings(Known.nothing_of(scene))
    offered = [asked.next_guesses(findings) for _ in range(5)]
    sides = [guess for guesses in offered for guess in guesses if guess.finder is Finder.SIDES]
    assert offered[0][0].finder is Finder.FEATURES
    assert not any(guess.finder is Finder.OUTLINES for guesses in offered for guess in guesses), "sides tell as much"
    assert any(near(place_at(way), place_at(HERE), 3.0, 5.0) for g in sides for way in (g.pose, g.pose.half_turned))


def test_of_alike_faces_sides_are_guessed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = deck_of_figures(tmp_path, "3579")
    monkeypatch.setattr(faces, "are_alike", True)
    known = known_of(faces, tmp_path, ("card-1", HERE))
    asked = rounds(known.scene, FeatureFinder(faces))
    offered = [asked.next_guesses(Findings(known)) for _ in range(6)]
    assert {guess.finder for guess in offered[0]} == {Finder.SIDES}
    assert offered[-1] == []
    assert asked.unexplained


@pytest.mark.parametrize(("changed", "known"), [(False, True), (True, False)])
def test_all_is_known_once_what_lay_there_and_what_came_is_found(
    detailed: DeckFaces, finder: FeatureFinder, changed: bool, known: bool
) -> None:
    """card-1 lay there before; nothing came, or nobody knows what did."""
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    fresh = FreshPlaces(np.full((10, 12), changed), SIZE, scene.change)
    scene = replace(scene, fresh=fresh)
    findings = Findings(Known.nothing_of(scene))
    found = findings.plus(found_at(findings.known, 1, HERE))
    asked = rounds(scene, finder, replace(BELIEVED, face=2))
    assert not asked.all_is_known(found), "card-2 lay there and is not found yet"
    came = rounds(scene, finder)
    assert came.all_is_known(found)
    assert came.all_is_known(findings) is False
    assert known is not changed


def test_sides_alone_are_asked_about_while_something_is_left(detailed: DeckFaces, finder: FeatureFinder) -> None:
    """Of a card that was missed the sides led to it; those of the four cards beside it took as long again twice."""
    scene = scene_of(detailed, ("card-1", HERE), ("card-2", moved(HERE, 60.0, -30.0, 5.0)), with_empty=True)
    known = Known.nothing_of(scene)
    findings, floor = Findings(known), FloorGuesses(scene, KeptMaps(None))
    asked = GuessingRounds(scene, finder, (), floor, lambda now: not now.found)
    assert {guess.finder for guess in asked.next_guesses(findings)} == {Finder.SIDES}
    assert not asked.all_is_known(findings)
    found = findings.plus(found_at(known, 1, HERE))
    assert asked.all_is_known(found)
    assert asked.next_guesses(found) == []
    still = GuessingRounds(scene, finder, (), floor, lambda _: True)
    assert still.next_guesses(found)
    assert not still.all_is_known(found)


@pytest.mark.parametrize(("in_view_mm", "may"), [(0.0, False), (2.5, False), (20.0, True), (88.0, True)])
def test_a_card_is_looked_for_last_only_where_as_much_may_be_in_view_as_is_looked_at(
    detailed: DeckFaces, in_view_mm: float, may: bool
) -> None:
    """Of a card whose upper part another covers a strip is in view along its lower side."""
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    known = Known.nothing_of(scene)
    covering = CardPose(HERE.R, HERE.centre_mm + in_view_mm * HERE.R[:, 1])
    known.claims.add_polygon(scene.camera.project(covering.corners(67.0, 88.0)))
    assert may_show_card(known) is may
    assert may_show_card(replace(known, scene=replace(scene, change=None)))


@pytest.mark.parametrize(("area_mm2", "long_mm", "goes_on"), [(8000.0, 140.0, True), (4000.0, 140.0, False)])
def test_beside_an_arm_a_heap_is_looked_for_and_of_all_else_sides_are_asked_alone(
    detailed: DeckFaces,
    finder: FeatureFinder,
    monkeypatch: pytest.MonkeyPatch,
    area_mm2: float,
    long_mm: float,
    goes_on: bool,
) -> None:
    """Several cards are no rectangle, but larger than one. An arm has no sides of a card: what seems to be one may be
    cards in a heap that comes near the picture's border."""
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    asked, findings = rounds(scene, finder), Findings(Known.nothing_of(scene))
    asked.next_guesses(findings)
    assert scene.change is not None
    no_arm = np.zeros(scene.change.odd.shape, np.uint8)
    monkeypatch.setattr(guessing_rounds, "arm_reaching_in", lambda *_: no_arm)
    thing = Stranger(area_mm2, (0.0, 0.0), 1, (long_mm, 100.0))
    monkeypatch.setattr(TableChange, "strangers", lambda *_: [(thing, [])])
    guesses = asked.next_guesses(findings)
    assert guesses
    assert (Finder.FEATURES in {guess.finder for guess in guesses}) == goes_on
    assert asked.unexplained == goes_on
    assert goes_on or asked.next_guesses(findings) == [], "where they led to nothing they are not asked again"


@pytest.mark.parametrize(("laid_px", "first"), [(None, Finder.FEATURES), ([], Finder.SIDES)])
def test_a_search_that_goes_on_after_another_one_looks_for_no_features_where_an_arm_reaches_in(
    detailed: DeckFaces,
    finder: FeatureFinder,
    monkeypatch: pytest.MonkeyPatch,
    laid_px: list[Array] | None,
    first: Finder,
) -> None:
    """The search for the rest looked for the features of hands once more, in 20 of 40 pictures, in vain."""
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    assert scene.change is not None
    no_arm = np.zeros(scene.change.odd.shape, np.uint8)
    monkeypatch.setattr(guessing_rounds, "arm_reaching_in", lambda *_: no_arm)
    thing = Stranger(4000.0, (0.0, 0.0), 1, (140.0, 100.0))
    monkeypatch.setattr(TableChange, "strangers", lambda *_: [(thing, [])])
    asked = GuessingRounds(scene, finder, (), FloorGuesses(scene, KeptMaps(None)), laid_px=laid_px)
    assert {guess.finder for guess in asked.next_guesses(Findings(Known.nothing_of(scene)))} == {first}


def test_cards_of_an_earlier_search_are_no_strangers_beside_an_arm(
    detailed: DeckFaces, finder: FeatureFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = scene_of(detailed, ("card-1", HERE), with_empty=True)
    outlines: list[int] = []

    def no_arm(*asked: Any) -> None:
        outlines.append(len(asked[-1]))

    monkeypatch.setattr(guessing_rounds, "arm_reaching_in", no_arm)
    laid_px = [outline_of(scene, HERE)]
    asked = GuessingRounds(scene, finder, (), FloorGuesses(scene, KeptMaps(None)), laid_px=laid_px)
    asked.next_guesses(Findings(Known.nothing_of(scene)))
    assert outlines == [1]
