"""Cards found are looked at again once it is known what each of them shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.cards import naming
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.fitting import START_PRIOR
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.placed_face import PlacedFace
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding import second_look
from arena_cam.vision.reading.finding.findings import placed_among, round_about
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.outline_fit import fit_outline
from arena_cam.vision.reading.finding.second_look import SecondLook
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.reading.finding.blank_cards import deck_of_flowers, off_mm, turned_flower
from vision.reading.finding.blank_cards import known_of as flowers_known
from vision.scenes import CAMERA, HERE, SIZE, fit_at, found_at, moved, scene_of, surely

UPPER = moved(HERE, 22.0, 10.0, 50.0)


@pytest.fixture
def bare(detailed: DeckFaces) -> Known:
    return Known.nothing_of(scene_of(detailed, ("card-1", HERE), ("card-2", UPPER), with_empty=True))


def look(bare: Known, *found: Found) -> SecondLook:
    return SecondLook(bare, found, FloorGuesses(bare.scene, KeptMaps(None)), ())


def covered(bare: Known, face: int) -> Found:
    """The lower card under some name, as far as the upper one leaves it in view."""
    above = bare.plus(fit_at(bare, 2, UPPER), 2)
    return Found(fit_at(above, face, HERE), surely(bare.scene.faces, face))


def upper_in_its_outline(bare: Known) -> Found:
    """The upper card, found by its sides."""
    upper = found_at(bare, 2, UPPER)
    return replace(upper, fit=replace(upper.fit, outline=fit_outline(bare.scene, UPPER, bare.claims, START_PRIOR)))


def test_of_nothing_there_is_nothing_to_ask(bare: Known) -> None:
    again = look(bare)
    again.ask_again(())
    assert again.found == []
    assert again.others().taken == ()


def test_what_the_others_are_known_by(bare: Known) -> None:
    again = look(bare, found_at(bare, 2, UPPER), covered(bare, 1))
    assert again.others().taken == (2, 1)
    assert again.others(0).taken == (1,)
    on_upper = CAMERA.project(UPPER.points(np.array([25.0]), np.array([-35.0]))).T
    assert again.others(1).claims.at(on_upper)[0] == 1.0


def test_any_number_of_cards_may_show_the_back(bare: Known) -> None:
    """Beside one back another in full view was held to be any face but a back."""
    back = bare.scene.faces.index(BACK)
    again = look(bare, found_at(bare, back, UPPER), covered(bare, 1))
    assert again.others().taken == (1,)


def test_what_would_reach_through_the_floor_is_not_taken_for_the_card(
    bare: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = upper_in_its_outline(bare)
    pose = replace(UPPER, centre_mm=UPPER.centre_mm - [0.0, 0.0, 25.0])
    sunk = replace(card.fit, alignment=replace(card.fit.alignment, pose=pose))
    monkeypatch.setattr(second_look, "named_in_place", lambda *_: (sunk, card.identity))
    again = look(bare, card)
    again.ask_again((), also=[0])
    assert again.found == [card]


def test_a_plain_card_is_not_doubtful_and_a_wrong_name_is(bare: Known) -> None:
    again = look(bare, found_at(bare, 2, UPPER), covered(bare, 3))
    assert not again.is_doubtful(0, ())
    assert again.is_doubtful(1, ())


def test_a_covered_card_under_a_wrong_name_gets_the_right_one(bare: Known) -> None:
    again = look(bare, found_at(bare, 2, UPPER), covered(bare, 3))
    again.ask_again(())
    assert [card.fit.face for card in again.found] == [2, 1]
    assert again.found[1].fit.explained > 0.85


def test_a_card_that_was_missed_is_found_by_its_piece(bare: Known) -> None:
    again = look(bare, found_at(bare, 2, UPPER))
    again.find_missed(())
    assert sorted(card.fit.face for card in again.found) == [1, 2]
    missed = next(card for card in again.found if card.fit.face == 1)
    assert np.linalg.norm(missed.fit.pose.centre_mm - HERE.centre_mm) < 2.0


def test_a_piece_that_no_face_explains_where_it_slides_is_not_named(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shadows and hands leave pieces as cards do: a picture was searched for such a card in a fifth of its time."""
    blob = np.zeros((*SIZE[::-1], 3), np.uint8)
    x, y = CAMERA.project(HERE.centre_mm[None])[0].astype(int)
    blob[y - 40 : y + 40, x - 60 : x + 60] = (60, 160, 160)
    bare = Known.nothing_of(scene_of(detailed, over=blob, with_empty=True))
    named: list[CardPose] = []

    def counted(known: Known, pose: CardPose) -> Identity:
        named.append(pose)
        return naming.compared(known, pose)

    monkeypatch.setattr(second_look, "compared", counted)
    monkeypatch.setattr(FloorGuesses, "turned_both_ways", lambda *_: [HERE])
    again = look(bare)
    again.find_missed(())
    assert again.found == []
    assert named == []


def test_a_face_that_slid_to_one_place_from_two_starts_is_held_against_others_once(bare: Known) -> None:
    fits = [fit_at(bare, 2, UPPER), fit_at(bare, 1, UPPER)]
    beside = replace(fits[0], alignment=replace(fits[0].alignment, pose=moved(fits[0].pose, 0.01, 0.0, 0.0)))
    aside = replace(fits[0], alignment=replace(fits[0].alignment, pose=moved(fits[0].pose, 1.0, 0.0, 0.0)))
    assert second_look.each_once(bare, [*fits, aside, beside]) == [fits[1], aside, beside]


def test_a_card_whose_print_says_too_little_is_found_by_its_sides_too(
    bare: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "is_there", lambda *_: False)
    again = look(bare, found_at(bare, 2, UPPER))
    again.find_missed(())
    assert sorted(card.fit.face for card in again.found) == [1, 2]
    missed = next(card for card in again.found if card.fit.face == 1)
    assert missed.fit.outline is not None
    assert np.linalg.norm(missed.fit.pose.centre_mm - HERE.centre_mm) < 2.0


def test_a_name_that_is_known_to_be_there_is_not_doubted_for_being_unsure(bare: Known) -> None:
    """Two names are as likely for the covered card; the one that it has is known to be in the arena."""
    right = covered(bare, 1)
    unsure = replace(right, identity=surely(bare.scene.faces, 1, nats=1.0))
    again = look(bare, found_at(bare, 2, UPPER), unsure)
    assert again.is_doubtful(1, ())
    assert not again.is_doubtful(1, (1,))


def test_a_card_named_by_its_outline_may_prove_to_lie_where_no_sides_show(
    bare: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its print led beside the outline, and the picture could not be read."""
    by_print = found_at(bare, 2, UPPER).fit
    monkeypatch.setattr(second_look, "fit_by_sides", lambda *_: by_print)
    again = look(bare, upper_in_its_outline(bare))
    again.ask_again((), also=[0])
    assert [card.fit.face for card in again.found] == [2]


def test_a_card_named_by_its_print_beside_its_sides_is_laid_into_them(tmp_path: Path) -> None:
    """One flower is the other's, turned a little: under the wrong name the card lay askew of the sides in view."""
    faces = deck_of_flowers(tmp_path / "deck")
    true, seeming = turned_flower()
    known = flowers_known(faces, tmp_path, ("card-1", true))
    wrong = found_at(known, 0, seeming)
    assert wrong.fit.explained > 0.7
    again = look(known, wrong)
    again.lay_into_sides()
    assert [card.fit.face for card in again.found] == [1]
    assert off_mm(again.found[0].fit.pose, true) < 1.0


def test_of_a_card_with_sides_those_beside_it_alone_are_asked(bare: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lies far away claims nothing that is looked at."""
    upper = found_at(bare, 2, UPPER)
    far = replace(upper, fit=fit_at(bare, 3, moved(HERE, -120.0, -60.0, 0.0)))
    again = look(bare, upper, covered(bare, 1), far)
    asked: list[int] = []
    shown: list[NDArray[np.uint8]] = []

    def placed(scene: Scene, found: Sequence[Found], card: int, made: dict[Fit, Claims]) -> PlacedFace:
        asked.append(card)
        return placed_among(scene, found, card, made)

    def has_sides(known: Known, _: Fit) -> bool:
        shown.append(known.claims.mask)
        return True

    monkeypatch.setattr(second_look, "placed_among", placed)
    monkeypatch.setattr(second_look, "shows_sides", has_sides)
    again.lay_into_sides()
    assert sorted(asked) == [0, 1]
    for number, mask in enumerate(shown):
        here = round_about(bare.scene, [again.found[number].fit.pose])
        assert np.array_equal(mask[here], again.others(number).claims.mask[here])


def test_a_card_in_its_sides_stays_as_it_was_found(tmp_path: Path) -> None:
    faces = deck_of_flowers(tmp_path / "deck")
    true, _ = turned_flower()
    known = flowers_known(faces, tmp_path, ("card-1", true))
    card = found_at(known, 1, true)
    again = look(known, card)
    again.lay_into_sides()
    assert again.found == [card]
