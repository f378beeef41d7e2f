"""The name that explains a card's pixels best, either way up, and what makes it likelier."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards import naming
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fitting import fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import (
    KNOWN_NATS,
    boosted,
    compared,
    is_plainly_named,
    named,
    tempered,
)
from arena_cam.vision.reading.cards.trust import Explained
from vision.scenes import HERE, fit_at, known_of, scene_of, six_and_nine, surely
from vision.small import blotches, small_deck


@pytest.fixture(scope="module")
def turning(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    """A deck in which card-0 is a six and card-1 a nine of the same colour."""
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck"), six_and_nine()))


@pytest.mark.parametrize("lying", [0, 1])
@pytest.mark.parametrize("guessed", [0, 1])
def test_of_six_and_nine_upside_down_the_right_one_leads(turning: DeckFaces, lying: int, guessed: int) -> None:
    """The guess has the wrong name the wrong way up, or the right one: the right one comes out."""
    known = known_of(turning, (f"card-{lying}", HERE))
    start = HERE if guessed == lying else HERE.half_turned
    fit, identity = named(known, fit_coarse(known, guessed, start), start)
    assert fit.face == lying
    assert identity.best == lying
    assert abs((fit.pose.angle_deg - HERE.angle_deg + 180.0) % 360.0 - 180.0) < 2.0


def test_a_wrong_name_gives_way_to_the_face_that_is_seen(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-3", HERE))
    fit, identity = named(known, fit_at(known, 1, HERE))
    assert (fit.face, identity.best) == (3, 3)
    assert fit.explained > 0.9


def test_a_face_that_is_taken_is_not_named(faces: DeckFaces) -> None:
    known = replace(known_of(faces, ("card-3", HERE)), taken=(3,))
    fit, _ = named(known, fit_at(known, 1, HERE))
    assert fit.face != 3


def test_a_card_that_surely_lay_there_keeps_its_name(faces: DeckFaces) -> None:
    scene = replace(scene_of(faces, ("card-3", HERE)), believed=((3, HERE),))
    known = Known.nothing_of(scene)
    fit, identity = named(known, fit_at(known, 3, HERE))
    assert fit.face == 3
    ranked = np.sort(identity.log_likelihood)
    assert ranked[-1] - ranked[-2] == pytest.approx(20.0), "settled by memory, not by comparison"


def test_what_is_known_to_lie_somewhere_is_likelier_everywhere(faces: DeckFaces) -> None:
    before = surely(faces, 2, nats=5.0)
    after = boosted(before, 4)
    assert after.log_likelihood[4] - before.log_likelihood[4] == KNOWN_NATS
    assert after.best == 4
    assert before.best == 2, "the comparison itself stays as it was"


def test_a_face_that_hardly_shows_says_less(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-1", HERE))
    whole = fit_at(known, 1, HERE)
    doubtful = replace(whole, evidence=20.0, explained=0.4)
    lead = {
        name: np.ptp(tempered(surely(faces, 1), fit).log_likelihood) for name, fit in (("a", whole), ("b", doubtful))
    }
    assert lead["a"] == pytest.approx(60.0)
    assert lead["b"] < 0.6 * lead["a"]


def test_without_markers_the_comparison_is_that_of_the_faces(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-1", HERE))
    assert compared(known, HERE).best == 1


def test_a_face_that_looks_the_same_either_way_up_does_not_say_which_way_a_card_lies(tmp_path: Path) -> None:
    """A disc fits the place of an arrow that points the other way; the arrow is then asked both ways up."""
    faces = []
    for shape in ("disc", "arrow", "square"):
        face = np.full((352, 252, 3), 246, np.uint8)
        cv2.rectangle(face, (0, 0), (251, 351), (74, 120, 46), 30)
        if shape == "disc":
            cv2.circle(face, (126, 176), 19, (74, 120, 46), -1)
        elif shape == "arrow":
            cv2.fillPoly(face, [np.array([[126, 146], [100, 200], [152, 200]])], (74, 120, 46))
        else:
            cv2.rectangle(face, (108, 158), (144, 194), (74, 120, 46), -1)
        faces.append(face)
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), ("card-1", HERE))
    fit, identity = named(known, fit_at(known, 0, HERE.half_turned))
    assert (fit.face, identity.best) == (1, 1)
    assert abs((fit.pose.angle_deg - HERE.angle_deg + 180.0) % 360.0 - 180.0) < 2.0


def test_the_only_card_of_a_deck_is_named(tmp_path: Path) -> None:
    known = known_of(DeckFaces(small_deck(tmp_path, [blotches(3, cell=40)])), ("card-0", HERE))
    fit, identity = named(known, fit_at(known, 0, HERE))
    assert (fit.face, identity.best) == (0, 0)


def shapes(*places: tuple[int, int]) -> Image:
    """A face (352, 252, 3) with dots of 10 mm at these places, on print that looks the same upside down."""
    ground = blotches(7, cell=40) // 2
    face = np.maximum(ground, ground[::-1, ::-1])
    for place in places:
        cv2.circle(face, place, 20, (240, 240, 240), -1, cv2.LINE_AA)
    return face


def test_a_ten_is_not_a_nine_the_other_way_up_that_lacks_one_shape(tmp_path: Path) -> None:
    nine = [(x, y) for x in (56, 126, 196) for y in (76, 176, 276)]
    deck = small_deck(tmp_path, [shapes(*nine), shapes(*nine, (126, 126)), shapes(*nine[:4])])
    faces = DeckFaces(deck)
    known = known_of(faces, ("card-1", HERE.half_turned))
    as_nine = fit_at(known, 0, HERE)
    assert as_nine.explained >= Explained.ALL, "it looks as a nine should"
    fit, identity = named(known, as_nine)
    assert (fit.face, identity.best) == (1, 1)


@pytest.mark.parametrize(("in_view_mm", "plainly"), [(63.0, True), (30.0, True), (2.0, False)])
def test_a_name_is_plain_by_what_is_in_view_and_not_by_what_was_believed(
    faces: DeckFaces, in_view_mm: float, plainly: bool
) -> None:
    """A card believed to be red-7 was red-1: a sixth of it was in view, and belief had kept the name sure."""
    scene = replace(scene_of(faces, ("card-3", HERE)), believed=((3, HERE),))
    known = Known.nothing_of(scene)
    covering = HERE.moved(np.array([*(in_view_mm * HERE.R[:, 0]), 0.0, 0.0, 0.0]))
    known.claims.add_polygon(scene.camera.project(covering.corners(63.0, 90.0)))
    fit = replace(fit_at(known, 3, HERE), explained=1.0)
    assert is_plainly_named(known, fit) is plainly


@pytest.mark.parametrize(("behind", "sure"), [(0.0, True), (1.5, True), (2.6, False), (5.0, False)])
def test_a_face_known_to_be_there_is_not_surely_where_another_shows_more_plainly(behind: float, sure: bool) -> None:
    after = boosted(Identity(np.array([0.0, -behind, -30.0]), 100), 1)
    assert after.best == 1
    assert bool(after.probabilities()[1] > 0.98) is sure


def test_a_face_that_alignment_leads_away_is_held_against_the_others_where_it_started(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An eight over a wall was laid millimetres beside the place where it suited the picture better than the seven."""
    known = known_of(faces, ("card-3", HERE))
    away = CardPose.flat(HERE.centre_mm[0] + 4.0, HERE.centre_mm[1], HERE.angle_deg)
    monkeypatch.setattr(naming, "fit_coarse", lambda known_, face, *_: fit_at(known_, face, away))
    fit, identity = named(known, fit_at(known, 1, HERE))
    assert (fit.face, identity.best) == (3, 3)
    assert np.abs(fit.pose.centre_mm - HERE.centre_mm)[:2].max() < 0.5


def test_a_face_that_shows_less_of_its_drawing_where_it_started_stays_where_alignment_led_it(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(faces, ("card-3", HERE))
    worse = fit_at(known, 3, CardPose.flat(HERE.centre_mm[0] + 9.0, HERE.centre_mm[1], HERE.angle_deg))
    beside = CardPose.flat(HERE.centre_mm[0] + 1.5, HERE.centre_mm[1], HERE.angle_deg)
    monkeypatch.setattr(naming, "fit_coarse", lambda known_, face, *_: fit_at(known_, face, beside))
    monkeypatch.setattr(naming, "fit_close", lambda *_: worse)
    there = Identity(np.where(np.arange(len(faces.names)) == 3, 0.0, -50.0), 100)
    at_a_pose = naming.compared
    monkeypatch.setattr(naming, "compared", lambda k, pose: there if pose is worse.pose else at_a_pose(k, pose))
    fit, _ = named(known, fit_at(known, 1, HERE))
    assert np.abs(fit.pose.centre_mm - beside.centre_mm)[:2].max() < 0.1
