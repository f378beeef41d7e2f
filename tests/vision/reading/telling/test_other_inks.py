"""A face drawn as the likeliest in another ink is compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.finding import told_names
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.telling import kept_tellings, other_inks
from arena_cam.vision.reading.telling.looks import Looks
from arena_cam.vision.reading.telling.other_inks import with_hue
from vision.reading.finding.blank_cards import (
    TRUE,
    figured,
    known_as,
    known_of,
    outlined,
    told_as,
)
from vision.small import small_deck


def test_the_hue_of_all_print_makes_a_name_surer_and_changes_none(tmp_path: Path) -> None:
    """Of a green six two corners and a thin frame were in view, and point by point it led the violet one by 2 nats."""
    inks = ((50, 100, 20), (130, 40, 110))
    inked = [np.where(figured("6") < 200, ink, 238).astype(np.uint8) for ink in inks]
    known = known_as(inked[0], DeckFaces(small_deck(tmp_path, inked)), tmp_path, TRUE)
    looks, likely = Looks(known, TRUE), [(0, 0), (1, 0), (1, 1)]
    told = with_hue(looks, likely, np.array([0.0, -2.0, -3.0]), 0)
    assert told[0] == 0.0
    assert (told[1:] < [-3.5, -4.5]).all(), told
    for before in (np.array([-2.0, 0.0, -1.0]), np.array([0.0, -20.0, -30.0])):
        assert with_hue(looks, likely, before, int(np.argmax(before))) == pytest.approx(before, abs=1e-6)


def test_the_same_figure_in_another_ink_is_compared_though_the_whole_card_left_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "3578"]
    deck = DeckFaces(small_deck(tmp_path, faces))
    known = known_of(deck, tmp_path, ("card-6", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(face, way) for face in range(4) for way in (0, 1)])
    named, identity = named_in_place(known, fit, outline)
    assert (named.face, identity.best) == (6, 6)
    assert identity.probabilities()[6] > 0.99


def test_the_light_that_an_ink_needs_is_told_whether_or_not_its_face_was_compared_closely(tmp_path: Path) -> None:
    """What was not is said to be ten nats behind, whatever its light: a violet card's end, beneath a green one, was
    yellow by 80 nats, as the grey levels' light for yellow was taken back, which nobody had held against it."""
    inks = ((140, 50, 110), (170, 90, 30))
    faces = [np.where(figured("8") < 128, 245, ink).astype(np.uint8) for ink in inks]
    known = known_as(faces[0], DeckFaces(small_deck(tmp_path, faces)), tmp_path, TRUE)
    known = replace(known, scene=replace(known.scene, white=np.full(3, 0.6)))
    told = [other_inks.in_light(Looks(known, TRUE), [(0, 0), (1, 0)], np.array([0.0, nats])) for nats in (-2.0, -10.0)]
    assert told[0][1] != -2.0
    assert told[0] == pytest.approx(told[1])


@pytest.mark.parametrize(("lead", "stays"), [(0.0, True), (1.0, True), (5.0, False)])
def test_another_ink_leads_by_some_nats_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lead: float, stays: bool
) -> None:
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(1, 0), (1, 1)])
    told_as(
        monkeypatch,
        lambda _looks, likely, _whole: np.array([0.0 if face == 1 else lead for face, _ in likely]),
    )
    named, _ = named_in_place(known, fit, outline)
    assert (named.face == 1) is stays


def test_faces_as_likely_as_one_that_another_ink_leads_are_compared_with_that_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing told a blue three from a blue seven, where both were compared; a green three led the seven, surely."""
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-0", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))

    def told(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        asked = [face for face, _ in likely]
        return np.array([12.0 * (face in (0, 2)) if {0, 1} - set(asked) else 0.0 for face in asked])

    whole = Identity(np.array([-1.0, 0.0, -30.0, -30.0]), 100)
    monkeypatch.setattr(told_names, "compared_ways", lambda *_: (whole, whole))
    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(0, 0), (1, 0)])
    monkeypatch.setattr(kept_tellings, "in_light", lambda _looks, _likely, whole: whole)
    monkeypatch.setattr(kept_tellings, "with_hue", lambda _looks, _likely, told, _best: told)
    told_as(monkeypatch, told)
    named, identity = named_in_place(known, fit, outline)
    assert named.face == 0
    assert identity.probabilities()[[0, 2]] == pytest.approx([0.5, 0.5], abs=0.01)


@pytest.mark.parametrize(("turned_behind", "ways"), [(5.0, {0, 1}), (40.0, {0})])
def test_another_ink_is_asked_about_the_ways_up_that_the_drawing_may_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turned_behind: float, ways: set[int]
) -> None:
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(_with_a_top(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    asked: list[tuple[int, int]] = []

    def told(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        asked.extend(likely)
        return np.array([-turned_behind * turned for _, turned in likely])

    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(1, 0), (1, 1)])
    told_as(monkeypatch, told)
    named_in_place(known, fit, outline)
    assert {turned for face, turned in asked if face != 1} == ways


def _with_a_top(figure: str) -> Image:
    """A face (352, 252, 3) with a bar at its upper end."""
    face = figured(figure)
    face[20:50, 150:200] = 40
    return face


def test_another_ink_that_was_compared_the_other_way_up_alone_is_asked_about_as_the_drawing_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a pale card under a haze the likeliest were violet, upright, and blue, turned: it was surely the violet nine,
    and nobody had asked about the blue one as it lay."""
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-1", TRUE))
    asked: list[tuple[int, int]] = []

    def leads(_: object, __: object, ways: Sequence[tuple[int, int]]) -> Array:
        asked.extend(ways[1:])
        return np.full(len(ways) - 1, -30.0)

    monkeypatch.setattr(other_inks, "_leads", leads)
    whole, likely = Identity(np.zeros(4), 100), [(1, 0), (3, 1)]
    ways, told = other_inks.with_other_inks(Looks(known, TRUE), (whole, whole), likely, np.array([0.0, -40.0]))
    assert (3, 0) in asked
    assert len(ways) == len(told) == len({*ways})


@pytest.mark.parametrize(
    ("behind", "likely", "in_view_mm", "asked_about"),
    [
        (60.0, [(1, 0), (0, 0)], 88.0, {2, 3}),
        (90.0, [(1, 0), (0, 0)], 88.0, set()),
        (90.0, [(1, 0), (0, 0)], 30.0, {2, 3}),
        (90.0, [(1, 0)], 88.0, {0, 2, 3}),
    ],
    ids=["near", "far behind", "far behind by a part", "compared with nothing else"],
)
def test_an_ink_that_a_whole_card_speaks_plainly_against_is_not_asked_about(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    behind: float,
    likely: list[tuple[int, int]],
    in_view_mm: float,
    asked_about: set[int],
) -> None:
    """Of 460 inks asked about of cards full of ink 456 were so far behind over the whole card, and none led."""
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-1", TRUE))
    hidden = CardPose(TRUE.R, TRUE.centre_mm + in_view_mm * TRUE.R[:, 1])
    known.claims.add_polygon(known.scene.camera.project(hidden.corners(67.0, 88.0)))
    known.claims.any = in_view_mm < 88.0
    whole = Identity(np.array([-1.0 if len(likely) > 1 else -behind, 0.0, -behind, -behind]), 100)
    asked: list[int] = []

    def leads(_: object, __: object, ways: Sequence[tuple[int, int]]) -> Array:
        asked.extend(face for face, _ in ways[1:])
        return np.full(len(ways) - 1, -30.0)

    monkeypatch.setattr(other_inks, "_leads", leads)
    told = np.array([-30.0 * (face != 1) for face, _ in likely])
    ways, nats = other_inks.with_other_inks(Looks(known, TRUE), (whole, whole), likely, told)
    assert set(asked) == asked_about
    assert len(ways) == len(nats) == len(likely) + len(asked)
