"""A card that is certainly in the arena is found though little of it shows, or among those found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.fit import Outline
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.known_cards import (
    expected_by_sides,
    find_expected,
    is_told_from,
    renamed_as_expected,
)
from arena_cam.vision.reading.finding.second_look import SecondLook
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from vision.reading.finding.blank_cards import figured, known_of
from vision.scenes import BESIDE, HERE, fit_at, found_at, moved, scene_of, surely
from vision.small import small_deck

UPPER = moved(HERE, 12.0, 14.0, 8.0)  # leaves a strip along two sides in view


@pytest.fixture
def piled(detailed: DeckFaces) -> tuple[Known, list[Found]]:
    """What is known by the upper card alone, and that card."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), ("card-2", UPPER)))
    upper = found_at(known, 2, UPPER)
    return known.plus(upper.fit, 2), [upper]


def guess(face: int, pose: object = HERE) -> Guess:
    return Guess(face, pose, 1.0, Finder.SEARCH)  # type: ignore[arg-type]


def test_without_guesses_it_is_nowhere(piled: tuple[Known, list[Found]]) -> None:
    assert find_expected(piled[0], 1, [], piled[1]) is None


def test_it_is_found_where_a_strip_of_it_shows(piled: tuple[Known, list[Found]]) -> None:
    known, found = piled
    card = find_expected(known, 1, [guess(1, BESIDE), guess(1, moved(HERE, 1.0, -1.0, 2.0))], found)
    assert card is not None
    assert card.fit.face == 1
    assert abs(card.fit.pose.centre_mm - HERE.centre_mm)[:2].max() < 1.5
    assert card.identity.best == 1


def test_where_another_was_found_it_does_not_lie(piled: tuple[Known, list[Found]]) -> None:
    known, found = piled
    assert find_expected(known, 1, [guess(1, UPPER)], found) is None


def test_where_it_is_not_seen_it_is_not_found(piled: tuple[Known, list[Found]]) -> None:
    known, found = piled
    assert find_expected(known, 4, [guess(4, HERE)], found) is None


def test_where_the_picture_tells_another_card_it_is_not_put(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However well it fits: cards of a deck whose faces are alike fit each other's places."""
    monkeypatch.setattr("arena_cam.vision.reading.finding.known_cards.is_expected", lambda _fit: True)
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    assert find_expected(known, 3, [guess(3, HERE)], []) is None
    assert find_expected(known, 1, [guess(1, HERE)], []) is not None


def second_look(known: Known, *found: Found) -> SecondLook:
    return SecondLook(known, found, FloorGuesses(known.scene, KeptMaps(None)), ())


def test_a_card_under_a_doubtful_name_may_be_the_expected_one(detailed: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    wrong = Found(fit_at(known, 3, HERE), surely(detailed, 3, nats=10.0))
    renamed = renamed_as_expected(1, second_look(known, wrong))
    assert renamed is not None
    assert [card.fit.face for card in renamed] == [1]


@pytest.mark.parametrize(("dimmed", "is_renamed"), [(1.0, True), (0.0, False)])
def test_a_card_that_shows_none_of_the_expected_ones_print_is_another(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, dimmed: float, is_renamed: bool
) -> None:
    """An even back was as dark as a challenge full of clouds is on average, and had its name, surely."""
    scene = scene_of(detailed, ("card-1", HERE))
    even = scene.grey.mean() + dimmed * (scene.grey - scene.grey.mean())
    known = Known.nothing_of(replace(scene, pyramid=Pyramid.of(even.astype(np.float32), 5)))
    wrong = Found(fit_at(known, 3, HERE), surely(detailed, 3, nats=10.0))
    asked = "arena_cam.vision.reading.finding.known_cards"
    monkeypatch.setattr(f"{asked}._under_its_name", lambda *_: (fit_at(known, 1, HERE), surely(detailed, 1)))
    assert (renamed_as_expected(1, second_look(known, wrong)) is not None) is is_renamed


def test_what_is_unmistaken_keeps_its_name(detailed: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    assert renamed_as_expected(3, second_look(known, found_at(known, 1, HERE))) is None


def test_what_lies_outside_the_arena_is_no_card_that_is_known_to_be_in_it(detailed: DeckFaces) -> None:
    """A hand hid the challenge and ended the search, and a back beside the tray was surely the challenge."""
    beyond = Arena((30.0, 30.0), 15.0, 6.0)
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE), arena=beyond))
    wrong = Found(fit_at(known, 3, HERE), surely(detailed, 3, nats=10.0))
    assert renamed_as_expected(1, second_look(known, wrong)) is None
    assert find_expected(known, 1, [guess(1, HERE)], []) is None
    assert expected_by_sides(known, 1, [guess(1, HERE)], []) is None


@pytest.mark.parametrize(("nats", "shown", "is_found"), [(10.0, 0.98, True), (10.0, 0.8, False), (20.0, 0.8, True)])
def test_few_sides_are_enough_for_a_card_that_must_lie_somewhere_if_all_of_them_show(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, nats: float, shown: float, is_found: bool
) -> None:
    """Of a challenge under three cards a seventh was in view, in three pieces, its place and name found rightly."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    outline = Outline(HERE, np.eye(6), nats, shown)
    seen = replace(fit_at(known, 1, HERE), evidence=-1.0, explained=0.92, outline=outline)
    asked = "arena_cam.vision.reading.finding.known_cards"
    monkeypatch.setattr(f"{asked}.fit_by_sides", lambda *_: seen)
    monkeypatch.setattr(f"{asked}.named_in_place", lambda *_: (seen, surely(detailed, 1)))
    found = expected_by_sides(known, 1, [guess(1, HERE)], [])
    assert (found is not None) is is_found
    assert found is None or found.fit.face == 1


@pytest.mark.parametrize(("explained", "is_found"), [(0.45, True), (0.3, False)])
def test_a_blank_part_is_held_against_the_face_that_must_lie_somewhere(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch, explained: float, is_found: bool
) -> None:
    """Of a one a corner without its shape looked out. Nothing told its name, and the likeliest, a three, would have
    shown a shape there: the one was said not to be found."""
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    seen = replace(fit_at(known, 3, HERE), evidence=-1.0, explained=0.42, outline=Outline(HERE, np.eye(6), 25.0, 0.99))
    asked = "arena_cam.vision.reading.finding.known_cards"
    monkeypatch.setattr(f"{asked}.fit_by_sides", lambda *_: seen)
    monkeypatch.setattr(f"{asked}.laid_into", lambda _, face, __: replace(seen, face=face, explained=explained))
    monkeypatch.setattr(f"{asked}.named_in_place", lambda *_: (seen, surely(detailed, 1)))
    assert (expected_by_sides(known, 1, [guess(1, HERE)], []) is not None) is is_found


def test_a_card_of_a_deck_of_other_faces_is_told_by_its_whole_print(detailed: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    assert not is_told_from(known, 3, Found(fit_at(known, 1, HERE), surely(detailed, 1, nats=30.0)))


def test_a_blank_part_may_be_any_card_of_its_ink_the_expected_one_too(tmp_path: Path) -> None:
    """Sixteen cards of one ink, their figures hidden: at first those were compared that look most like the likeliest,
    and what little print says is against them all."""
    numbers = DeckFaces(small_deck(tmp_path, [figured(str(10 + number)) for number in range(16)]))
    known = known_of(numbers, tmp_path, ("card-15", HERE))
    hide(known, HERE)
    fit = fit_by_sides(known, HERE)
    assert fit is not None
    card = Found(*named_in_place(known, fit, fit.outline))
    assert not is_told_from(known, 15, card)
    renamed = renamed_as_expected(15, second_look(known, card))
    assert renamed is not None
    assert [card.fit.face for card in renamed] == [15]


@pytest.mark.parametrize("more_was_in_view", [True, False])
def test_a_name_that_was_told_before_a_card_was_found_above_has_no_say(
    detailed: DeckFaces, more_was_in_view: bool
) -> None:
    known = Known.nothing_of(scene_of(detailed, ("card-1", HERE)))
    hide(known, HERE)
    seen = fit_at(known, 3, HERE)
    told = Found(replace(seen, uncovered=1.0) if more_was_in_view else seen, surely(detailed, 3))
    renamed = renamed_as_expected(1, second_look(known, told))
    assert (renamed is not None) is more_was_in_view
    assert renamed is None or [card.fit.face for card in renamed] == [1]


def hide(known: Known, pose: CardPose) -> None:
    """Claims both ends of a card, where its figures are."""
    for end in (1.0, -1.0):
        x, y = np.array([-34.0, 34.0, 34.0, -34.0]), end * np.array([47.0, 47.0, 24.0, 24.0])
        known.claims.add_polygon(known.scene.camera.project(pose.points(x, y)))
