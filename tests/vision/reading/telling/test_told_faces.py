"""Which of a few faces a card has, by the points at which they differ: small decks, small pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.softness import Softly, SoftView
from arena_cam.vision.faces.telling import told_apart
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.finding import told_names
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.telling import told_faces
from arena_cam.vision.reading.telling.looks import USUALLY, Looks
from arena_cam.vision.reading.telling.told_faces import alike_groups, told_by_ways
from vision.reading.finding.blank_cards import (
    TRUE,
    figured,
    known_as,
    known_of,
    outlined,
)
from vision.small import small_deck, softly


def test_a_card_is_looked_at_closely_only_about_where_it_suits_the_picture_best(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: list[int] = []
    told = told_faces.told_by_ways

    def counted(view: Softly, white: Array, ways: NDArray[np.intp], closely: bool = False) -> Array:
        views.append(len(view.nats))
        return np.zeros(len(ways)) if len(views) == 1 else told(view, white, ways, closely)

    monkeypatch.setattr(told_faces, "told_by_ways", counted)
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    assert named_in_place(known, *outlined(known, TRUE))[1].best == 1
    assert views[:2] == [25, 25], "places of 0.25 mm round about that of before, instead of 49"


@pytest.mark.parametrize(("others", "looks"), [([1, 2, 3], 2), ([0], 1)])
def test_one_face_that_may_lie_either_way_up_is_not_looked_at_more_closely(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: list[int], looks: int
) -> None:
    asked: list[int] = []

    def told(_: Softly, __: Array, ways: NDArray[np.intp], **___: bool) -> Array:
        asked.append(len(ways))
        return np.where(np.arange(len(ways)) == 0, 0.0, -7.0)

    known = known_of(blank, tmp_path, ("card-0", TRUE))
    fit, outline = outlined(known, TRUE)
    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(0, 0), *((face, 1) for face in others)])
    monkeypatch.setattr(told_faces, "told_by_ways", told)
    assert named_in_place(known, fit, outline)[1].best == 0
    assert asked.count(1 + len(others)) == looks


@pytest.mark.parametrize(
    ("alive", "closely"),
    [([0, 1], True), ([0, 2], False), ([0], False), ([0, 3], False), ([0, 2, 3, 5], False), ([0, 1, 3, 4], True)],
)
def test_faces_that_are_printed_alike_in_view_are_not_looked_at_closely(alive: list[int], closely: bool) -> None:
    """Those with the numbers 0 and 2 show the same, and differ where the card is covered; 3 to 5 are the same faces
    turned."""
    faces = np.full((3, 40, 30, 3), 230.0, np.float32)
    faces[1, 8:12, 8:12] = 40.0
    faces[2, 30:34, 8:12] = 40.0
    weight = np.ones((40, 30))
    weight[25:] = 0.0
    view = SoftView(faces[0], weight).against(np.concatenate([faces, faces[:, :, ::-1]]))
    likely = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert told_faces.may_be_told_closely(view, likely, np.array(alive)) == closely


@pytest.mark.parametrize(
    ("rows", "say", "least", "most"), [(3, 1.0, 0.9, 0.99), (1, 1.0, 0.999, 1.0), (1, 0.9, 0.9, 0.99)]
)
def test_a_name_from_a_part_beside_something_unknown_is_asked_again_later(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, say: float, least: float, most: float
) -> None:
    """A card that was laid 16 degrees too steep had its name from the part that fitted, surely, and was not looked at
    again. Across another one ran the edge of a shadow, and all the rest told its name."""
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, _ = outlined(known, TRUE)
    asked: list[object] = []

    def told(looks: object, likely: Sequence[tuple[int, int]], _view: object) -> object:
        asked.append(looks)
        nats = np.where(np.array([face for face, _ in likely]) == 1, 0.0, -60.0)
        hidden = np.arange(16)[:, None] < np.full(3, rows)
        return nats, say, 0.0, hidden if len(asked) % 2 else None

    monkeypatch.setattr(told_faces, "_told_of_parts", told)
    _, identity = named_in_place(known, fit, None)
    assert asked[0] is not asked[1]
    assert identity.best == 1
    assert least < identity.probabilities()[1] <= most


def test_faces_are_grouped_by_what_is_seen_of_them() -> None:
    """Two red faces that differ in a figure, and a blue one; where only the figure is in view all are different."""
    faces = np.zeros((3, 40, 30, 3), np.float32)
    faces[:2] = (40.0, 40.0, 190.0)
    faces[2] = (170.0, 90.0, 30.0)
    faces[1, 10:20, 10:20] = 240.0
    seen, whole = np.ones((40, 30), bool), np.array([-3.0, 0.0, -9.0])
    assert [list(group) for group in alike_groups(faces, seen, whole)] == [[1, 0], [2]]
    seen[:] = False
    seen[10:20, 10:20] = True
    assert [list(group) for group in alike_groups(faces, seen, whole)] == [[1], [0], [2]]
    assert [list(group) for group in alike_groups(faces, ~seen & False, whole)] == [[1, 0, 2]]


def test_what_differs_across_ways_up_says_nothing_of_faces_that_lie_one_way() -> None:
    """The drawing is not quite its own half turn; of two figures the lead is as if the two were asked about alone."""
    rng = np.random.default_rng(7)
    drawn = cv2.GaussianBlur(rng.uniform(120, 240, (120, 84, 3)).astype(np.float32), (0, 0), 3.0)
    drawn = 0.9 * drawn + 0.05 * (drawn + drawn[::-1, ::-1])
    faces = []
    for text in "85":
        face = drawn.astype(np.uint8)
        cv2.putText(face, text, (8, 16), cv2.FONT_HERSHEY_DUPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
        faces.append(face.astype(np.float32))
    upright_and_turned = np.stack([*faces, *(face[::-1, ::-1] for face in faces)])
    seen = np.asarray(0.7 * faces[0] + rng.normal(0.0, 2.0, drawn.shape), np.float64)
    view = softly(upright_and_turned, seen, np.ones((120, 84)))
    nats = told_by_ways(view, np.ones(3), np.array([0, 0, 1, 1]))
    alone = told_apart(view, np.ones(3), np.array([0, 1]))
    assert nats[0] - nats[1] == pytest.approx(alone[0] - alone[1])
    assert int(np.argmax(nats)) == 0
    assert nats[0] - max(nats[2:]) > 5.0


def test_a_frame_of_a_hairs_breadth_off_the_middle_makes_no_way_up_sure() -> None:
    """Turned, a frame that is 0.15 points off the middle lies 0.3 beside itself; the same way up it is another one."""
    across = np.arange(84)[:, None]
    frames = [np.exp(-0.5 * ((across - 20.5 - beside) / 0.5) ** 2) for beside in (-0.15, 0.15)]
    faces = np.stack([np.ones((120, 84, 3)) * (245.0 - 140.0 * frame) for frame in frames]).astype(np.float32)
    view = softly(faces, 0.7 * faces[0], np.ones((120, 84)))
    assert told_by_ways(view, np.ones(3), np.array([0, 0]))[1] < -50.0
    assert told_by_ways(view, np.ones(3), np.array([0, 1]), closely=True)[1] == pytest.approx(-4.0)


@pytest.mark.parametrize("runner_up", [1, 2])
def test_the_one_face_that_a_round_of_many_leaves_is_compared_with_the_next_alone(
    monkeypatch: pytest.MonkeyPatch, runner_up: int
) -> None:
    """Among many faces each point counts for less: a five was surely yellow that led so, and was violet alone."""
    asked: list[list[int]] = []

    def told(_: Softly, __: Array, these: NDArray[np.intp]) -> Array:
        asked.append([int(face) for face in these])
        if len(these) > 2:
            return np.array([0.0 if face == 0 else -26.0 if face == runner_up else -60.0 for face in these])
        return np.array([0.0 if face == 1 else -151.0 for face in these])

    monkeypatch.setattr(told_faces, "told_apart", told)
    monkeypatch.setattr(told_faces, "is_said_in_full", lambda *_: False)
    drawn = np.zeros((4, 8, 8, 3), np.float32)
    view = softly(drawn, drawn[0], np.ones((8, 8)))
    nats = told_by_ways(view, np.ones(3), np.zeros(4, np.intp))
    assert asked[1] == [0, runner_up]
    assert int(np.argmax(nats)) == (1 if runner_up == 1 else 0)


def test_two_faces_that_were_compared_alone_are_not_compared_so_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def told(_: Softly, __: Array, these: NDArray[np.intp]) -> Array:
        asked.append(len(these))
        return np.array([0.0, -26.0])

    monkeypatch.setattr(told_faces, "told_apart", told)
    monkeypatch.setattr(told_faces, "is_said_in_full", lambda *_: False)
    drawn = np.zeros((2, 8, 8, 3), np.float32)
    view = softly(drawn, drawn[0], np.ones((8, 8)))
    assert told_by_ways(view, np.ones(3), np.zeros(2, np.intp)).tolist() == [0.0, -26.0]
    assert asked == [2]


@pytest.mark.parametrize(("lies", "displaced"), [(0, False), (2, False), (2, True)])
def test_a_face_like_no_other_leads_surely_only_where_its_print_is_what_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: int, displaced: bool
) -> None:
    """Of a foil card the bare end with a clear 1 was surely the back, by 50 nats of the colours of a light in which no
    print shows: the back's frame was nowhere."""
    faces = [figured("1"), figured("7"), framed()]
    known = known_as(faces[lies], DeckFaces(small_deck(tmp_path, faces)), tmp_path, TRUE)
    whole = Identity(np.array([-50.0, -52.0, 0.0]), 100)
    monkeypatch.setattr(told_names, "compared_ways", lambda *_: (whole, whole))
    monkeypatch.setattr(told_names, "compared", lambda *_: whole)
    if displaced:  # a back that leaned, laid 5 degrees too flat, explained a fifth of its thin frame
        monkeypatch.setattr(told_faces, "_say", lambda *_: (0.0, 0.0))
    fit, outline = outlined(known, TRUE)
    _, identity = named_in_place(known, replace(fit, face=2), outline)
    assert bool(identity.probabilities()[2] > 0.99) == (lies == 2)


@pytest.mark.parametrize(("lead", "leads"), [(20.0, False), (220.0, True)])
def test_a_face_like_no_other_leads_against_the_points_at_which_it_differs_only_by_more_than_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lead: float, leads: bool
) -> None:
    """Of a brown card with half an 8 the tone of the paper was that of the back, and there was no frame."""
    faces = [figured("1"), figured("7"), framed()]
    known = known_as(faces[0], DeckFaces(small_deck(tmp_path, faces)), tmp_path, TRUE)
    whole = Identity(np.array([-lead, -lead - 2.0, 0.0]), 100)
    apart = told_apart

    def against_the_leader(view: Softly, white: Array, *more: Any, **how: Any) -> Array:
        of_two = not more and not how and len(view.faces) == 2
        return np.array([-188.0, 0.0]) if of_two else apart(view, white, *more, **how)

    monkeypatch.setattr(told_names, "compared_ways", lambda *_: (whole, whole))
    monkeypatch.setattr(told_names, "compared", lambda *_: whole)
    monkeypatch.setattr(told_faces, "_say", lambda *_: (1.0, 0.0))
    monkeypatch.setattr(told_faces, "told_apart", against_the_leader)
    fit, outline = outlined(known, TRUE)
    _, identity = named_in_place(known, replace(fit, face=2), outline)
    assert bool(identity.probabilities()[2] > 0.9) is leads


@pytest.mark.parametrize("next_best", [0, 1])
def test_of_faces_that_nobody_told_apart_the_one_that_suits_the_whole_card_best_is_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, next_best: int
) -> None:
    """A yellow scribble was in view, which the back has not; it was held against a green face without one there."""
    faces = [figured("1"), figured("7"), framed()]
    looks = Looks(known_as(faces[next_best], DeckFaces(small_deck(tmp_path, faces)), tmp_path, TRUE), TRUE)
    compared: list[Array] = []

    def recorded(view: Softly, *_: object, **__: object) -> Array:
        compared.append(view.faces[1])
        return np.array([-20.0, 0.0])

    monkeypatch.setattr(told_faces, "told_apart", recorded)
    whole = np.array([-14.0, -14.0, 0.0])
    whole[next_best] = -13.0
    likely = [(0, 0), (1, 0), (2, 0)]
    led = told_faces.told_of(looks, likely, whole)
    assert np.array_equal(compared[0], looks.at(USUALLY).soft(likely)[next_best])
    assert np.ptp(led) == 0.0


def framed() -> NDArray[np.uint8]:
    """A grey face (352, 252, 3) with a pale line along its sides."""
    face = np.full((352, 252, 3), 190, np.uint8)
    cv2.rectangle(face, (16, 16), (235, 335), (245, 245, 245), 3, cv2.LINE_AA)
    return face
