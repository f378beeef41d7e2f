"""Of nearly blank faces the points at which they differ tell the name, either way up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces, FaceGrid
from arena_cam.vision.faces.softness import Softly
from arena_cam.vision.faces.telling import told_apart
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.finding import told_names
from arena_cam.vision.reading.finding.known_cards import is_told_from
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from arena_cam.vision.reading.finding.told_names import (
    _CLOSELY,
    _Look,
    _Looks,
    _with_hue,
    alike_groups,
    has_compared,
    named_in_place,
    told_by_ways,
)
from vision.reading.finding.blank_cards import deck_of_figures, figured, known_as, known_of, off_mm
from vision.scenes import moved
from vision.small import small_deck, softly

TRUE = CardPose.flat(12.0, -5.0, 20.0)
FOOT_MM = 29.4  # a millimetre above the lower end of a figure in a corner


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return deck_of_figures(tmp_path_factory.mktemp("deck"), "2357")


def outlined(known: Known, pose: CardPose) -> tuple[Fit, Outline]:
    fit = fit_by_sides(known, pose)
    assert fit is not None
    assert fit.outline is not None
    return fit, fit.outline


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
    monkeypatch.setattr(told_names, "alike_groups", lambda few, *_: [np.array([n]) for n in range(len(few))])
    assert named_in_place(known, fit, outline)[1].best == 1


def test_faces_far_behind_over_the_whole_card_are_not_compared_closely(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path)
    upright, turned = np.array([0.0, -70.0, -80.0, -140.0]), np.array([-90.0, -74.0, -100.0, -120.0])
    assert told_names.worth_telling(known, [upright, turned]) == [(0, 0), (1, 0), (1, 1)]


def test_a_card_is_looked_at_closely_only_about_where_it_suits_the_picture_best(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: list[int] = []
    told = told_names.told_by_ways

    def counted(view: Softly, white: Array, ways: NDArray[np.intp], closely: bool = False) -> Array:
        views.append(len(view.nats))
        return np.zeros(len(ways)) if len(views) == 1 else told(view, white, ways, closely)

    monkeypatch.setattr(told_names, "told_by_ways", counted)
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
    monkeypatch.setattr(told_names, "told_by_ways", told)
    assert named_in_place(known, fit, outline)[1].best == 0
    assert asked.count(1 + len(others)) == looks


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


@pytest.mark.parametrize(
    ("off_mm", "turned", "covered", "taken", "freed", "again"),
    [
        (0.2, False, None, (), (), False),
        (0.2, True, None, (2,), (), False),
        (0.8, False, None, (), (), True),
        (0.2, False, (9.0, 12.0), (), (), True),
        (0.2, False, (44.0, 20.0), (), (), False),
        (0.2, False, None, (1,), (), True),
        (0.2, False, None, (), (3,), True),
    ],
    ids=["hardly moved", "turned", "moved", "figure hidden", "paper hidden", "taken since", "no longer elsewhere"],
)
def test_a_card_that_has_hardly_moved_is_not_told_again(
    blank: DeckFaces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    off_mm: float,
    turned: bool,
    covered: tuple[float, float] | None,
    taken: tuple[int, ...],
    freed: tuple[int, ...],
    again: bool,
) -> None:
    """Of a doubtful card the name is asked when it is found, at the second look, and at its final pose."""
    known = replace(known_of(blank, tmp_path, ("card-1", TRUE)), taken=freed)
    fit, _ = outlined(known, TRUE)
    first, identity = named_in_place(known, fit, None)
    asked: list[Array] = []
    told = told_names.told_by_ways

    def counted(view: Softly, white: Array, ways: NDArray[np.intp], closely: bool = False) -> Array:
        asked.append(white)
        return told(view, white, ways, closely)

    monkeypatch.setattr(told_names, "told_by_ways", counted)
    pose = moved(fit.pose.half_turned if turned else fit.pose, off_mm, 0.0)
    later = replace(known, claims=known.claims.copy(), taken=taken)
    if covered is not None:
        x, y = covered[0] - 31.5, 44.0 - covered[1]
        at = TRUE.points(x + np.array([-7.0, 7.0, 7.0, -7.0]), y + np.array([7.0, 7.0, -7.0, -7.0]))
        later.claims.add_polygon(known.scene.camera.project(at))
    named, once_more = named_in_place(later, replace(fit, alignment=replace(fit.alignment, pose=pose)), None)
    assert bool(asked) == again
    if not again:
        assert named.face == first.face == 1
        assert once_more.best == identity.best


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


def test_where_the_figures_are_covered_every_name_is_as_likely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few were compared, and the rest, which nothing in view tells from them, were held to be out of question."""
    for most in ("_LIKE_THEM", "_OTHER_INKS"):
        monkeypatch.setattr(told_names, most, 3)
    faces = deck_of_figures(tmp_path / "deck", "ABCDEFGHJKLMNPQRSTUVXYZ3")
    known = known_of(faces, tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, TRUE)
    covered_figures(known)
    taken = replace(known, taken=(5,))
    probabilities = named_in_place(taken, fit, outline)[1].probabilities()
    assert probabilities.max() < 1.5 / 23
    assert probabilities[5] < 1e-6, "it lies elsewhere"
    open_to_view = known_of(faces, tmp_path, ("card-1", TRUE))
    assert named_in_place(open_to_view, fit, outline)[1].probabilities()[1] > 0.9


def test_what_shows_its_drawing_shows_that_of_all_that_are_drawn_like_it(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a card with a coloured end, whose figure was hidden, the one that was tried first was surely the challenge."""
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, _ = outlined(known, TRUE)
    covered_figures(known)

    def other_way(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        return np.array([0.0 if way == (3, 1) else -5.0 for way in likely])

    monkeypatch.setattr(told_names, "_told", other_way)
    monkeypatch.setattr(told_names, "_drawn_plainer", lambda *_, than: replace(fit, evidence=than.evidence + 40.0))
    identity = named_in_place(known, fit, None)[1]
    assert identity.probabilities().max() < 0.4
    assert identity.may_be(fit.face)


def covered_figures(known: Known) -> None:
    """Claims both ends of the card at TRUE, in which the figures stand."""
    world = TRUE.corners(63.0, 88.0)
    for ends in ((world[0], world[1], 1.0), (world[3], world[2], -1.0)):
        inner = [end - ends[2] * 30.0 * TRUE.R[:, 1] for end in ends[:2]]
        known.claims.add_polygon(known.scene.camera.project(np.array([ends[0], ends[1], inner[1], inner[0]])))


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


def test_the_foot_of_a_figure_beside_the_edge_of_another_card_says_nothing(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-0", TRUE))
    fit, outline = outlined(known, TRUE)
    claims = known.claims.copy()
    for way in (1.0, -1.0):
        x, y = way * np.array([-31.5, -10.0, -10.0, -31.5]), way * np.array([44.0, 44.0, FOOT_MM, FOOT_MM])
        claims.add_polygon(known.scene.camera.project(TRUE.points(x, y)))
    _, identity = named_in_place(replace(known, claims=claims), fit, outline)
    assert identity.probabilities().max() < 0.5


def test_a_name_from_a_part_beside_something_unknown_is_asked_again_later(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that was laid 16 degrees too steep had its name from the part that fitted, surely, and was not looked at
    again."""
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    fit, _ = outlined(known, TRUE)
    asked: list[object] = []

    def told(looks: object, likely: Sequence[tuple[int, int]], _view: object) -> object:
        asked.append(looks)
        nats = np.where(np.array([face for face, _ in likely]) == 1, 0.0, -60.0)
        return nats, 1.0, 0.0, np.zeros((4, 3), bool) if len(asked) % 2 else None

    monkeypatch.setattr(told_names, "_told_of_parts", told)
    _, identity = named_in_place(known, fit, None)
    assert asked[0] is not asked[1]
    assert identity.best == 1
    assert 0.9 < identity.probabilities()[1] < 0.99


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

    monkeypatch.setattr(told_names, "told_apart", told)
    monkeypatch.setattr(told_names, "is_said_in_full", lambda *_: False)
    drawn = np.zeros((4, 8, 8, 3), np.float32)
    view = softly(drawn, drawn[0], np.ones((8, 8)))
    nats = told_by_ways(view, np.ones(3), np.zeros(4, np.intp))
    assert asked[1] == [0, runner_up]
    assert int(np.argmax(nats)) == (1 if runner_up == 1 else 0)


@pytest.mark.parametrize("in_view", [True, False])
def test_points_in_a_shade_do_not_rename_what_shows_its_drawing(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_view: bool
) -> None:
    known = known_of(detailed, tmp_path, ("card-1", TRUE))
    fit = fit_coarse(known, 1, TRUE, close=True)

    def for_another(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        return np.array([5.0 * (face == 2) for face, _ in likely])

    monkeypatch.setattr(told_names, "_told", for_another)
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
    monkeypatch.setattr(told_names, "_told", lambda _looks, likely, _whole: told_for(1, likely))
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
    monkeypatch.setattr(told_names, "_told", lambda _looks, likely, _whole: told_for(1, likely))
    monkeypatch.setattr(told_names, "_fitted", lambda *_: replace(found, face=1, evidence=shown))
    named, identity = named_in_place(known, little, outline)
    assert (named.face, identity.best) == (1, 1)
    assert bool(identity.probabilities()[1] > 0.99) is sure


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
        monkeypatch.setattr(told_names, "_say", lambda *_: (0.0, 0.0))
    fit, outline = outlined(known, TRUE)
    _, identity = named_in_place(known, replace(fit, face=2), outline)
    assert bool(identity.probabilities()[2] > 0.99) == (lies == 2)


def test_a_face_like_no_other_does_not_lead_against_the_points_at_which_it_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a brown card with half an 8 the tone of the paper was that of the back, and there was no frame."""
    faces = [figured("1"), figured("7"), framed()]
    known = known_as(faces[0], DeckFaces(small_deck(tmp_path, faces)), tmp_path, TRUE)
    whole = Identity(np.array([-20.0, -22.0, 0.0]), 100)
    apart = told_apart

    def against_the_leader(view: Softly, white: Array, *more: Any, **how: Any) -> Array:
        of_two = not more and not how and len(view.faces) == 2
        return np.array([-188.0, 0.0]) if of_two else apart(view, white, *more, **how)

    monkeypatch.setattr(told_names, "compared_ways", lambda *_: (whole, whole))
    monkeypatch.setattr(told_names, "compared", lambda *_: whole)
    monkeypatch.setattr(told_names, "_say", lambda *_: (1.0, 0.0))
    monkeypatch.setattr(told_names, "told_apart", against_the_leader)
    fit, outline = outlined(known, TRUE)
    _, identity = named_in_place(known, replace(fit, face=2), outline)
    assert identity.probabilities()[2] < 0.9


def test_the_hue_of_all_print_makes_a_name_surer_and_changes_none(tmp_path: Path) -> None:
    """Of a green six two corners and a thin frame were in view, and point by point it led the violet one by 2 nats."""
    inks = ((50, 100, 20), (130, 40, 110))
    inked = [np.where(figured("6") < 200, ink, 238).astype(np.uint8) for ink in inks]
    known = known_as(inked[0], DeckFaces(small_deck(tmp_path, inked)), tmp_path, TRUE)
    looks, likely = _Looks(known, TRUE), [(0, 0), (1, 0), (1, 1)]
    told = _with_hue(looks, likely, np.array([0.0, -2.0, -3.0]), 0)
    assert told[0] == 0.0
    assert (told[1:] < [-3.5, -4.5]).all(), told
    for before in (np.array([-2.0, 0.0, -1.0]), np.array([0.0, -20.0, -30.0])):
        assert _with_hue(looks, likely, before, int(np.argmax(before))) == pytest.approx(before, abs=1e-6)


def framed() -> NDArray[np.uint8]:
    """A grey face (352, 252, 3) with a pale line along its sides."""
    face = np.full((352, 252, 3), 190, np.uint8)
    cv2.rectangle(face, (16, 16), (235, 335), (245, 245, 245), 3, cv2.LINE_AA)
    return face


def told_for(face: int, likely: Sequence[tuple[int, int]]) -> Array:
    return np.array([20.0 * (way == (face, 0)) for way in likely])


def test_a_face_told_in_an_outline_that_is_not_its_own_lies_where_its_print_does(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(detailed, tmp_path, ("card-1", TRUE))
    _, outline = outlined(known, TRUE)
    steep = TRUE.moved(np.array([0.0, 4.0, 12.0, np.radians(16.0), 0.0, 0.0]))
    led_astray = replace(outline, pose=steep)
    monkeypatch.setattr(told_names, "_told", lambda _looks, likely, _whole: told_for(1, likely))
    named, identity = named_in_place(known, laid_into(known, 0, led_astray), led_astray)
    assert (named.face, identity.best) == (1, 1)
    assert off_mm(named.pose, TRUE) < 1.0
    assert named.outline is not None


def test_a_face_drawn_like_another_but_turned_a_little_is_compared_in_its_own_place(tmp_path: Path) -> None:
    faces = DeckFaces(small_deck(tmp_path, [star(0.0, (160, 80, 20)), star(2.5, (60, 120, 20))]))
    known = known_as(star(0.0, (160, 80, 20)), faces, tmp_path, TRUE)
    as_the_other = fit_coarse(known, 1, TRUE)
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


@pytest.mark.parametrize(("lead", "stays"), [(0.0, True), (1.0, True), (5.0, False)])
def test_another_ink_leads_by_some_nats_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lead: float, stays: bool
) -> None:
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(1, 0), (1, 1)])
    monkeypatch.setattr(
        told_names,
        "_told",
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
    monkeypatch.setattr(told_names, "_in_light", lambda _looks, _likely, whole: whole)
    monkeypatch.setattr(told_names, "_with_hue", lambda _looks, _likely, told, _best: told)
    monkeypatch.setattr(told_names, "_told", told)
    named, identity = named_in_place(known, fit, outline)
    assert named.face == 0
    assert identity.probabilities()[[0, 2]] == pytest.approx([0.5, 0.5], abs=0.01)


@pytest.mark.parametrize(("turned_behind", "ways"), [(5.0, {0, 1}), (40.0, {0})])
def test_another_ink_is_asked_about_the_ways_up_that_the_drawing_may_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turned_behind: float, ways: set[int]
) -> None:
    inks = {"blue": (170, 90, 30), "green": (70, 130, 40)}
    faces = [np.where(figured(figure) < 128, inks[ink], 238).astype(np.uint8) for ink in inks for figure in "37"]
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.5, -5.5, 21.0))
    asked: list[tuple[int, int]] = []

    def told(_: object, likely: Sequence[tuple[int, int]], __: Array) -> Array:
        asked.extend(likely)
        return np.array([-turned_behind * turned for _, turned in likely])

    monkeypatch.setattr(told_names, "worth_telling", lambda *_: [(1, 0), (1, 1)])
    monkeypatch.setattr(told_names, "_told", told)
    named_in_place(known, fit, outline)
    assert {turned for face, turned in asked if face != 1} == ways


def test_where_the_points_say_nothing_the_whole_card_names_it_and_it_is_not_sure(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(blank, tmp_path, ("card-2", TRUE))
    fit, outline = outlined(known, CardPose.flat(12.0, -5.0, 20.0))
    monkeypatch.setattr(told_names, "_told", lambda _looks, likely, _whole: np.zeros(len(likely)))
    named, identity = named_in_place(known, fit, outline)
    assert named.face == 2
    assert identity.probabilities()[2] < 0.5


def test_the_faces_that_covered_cards_may_be_are_drawn_once_a_frame(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, drawn, bgr_of = known_of(blank, tmp_path, ("card-1", TRUE)), [], FaceGrid.bgr_of
    known.claims.add_polygon(known.scene.camera.project(moved(TRUE, 30.0, 40.0).corners(63.0, 88.0)))

    def counting(grid: FaceGrid, face: int) -> NDArray[np.float32]:
        drawn.append(face)
        return bgr_of(grid, face)

    monkeypatch.setattr(FaceGrid, "bgr_of", counting)
    looks = [_Look(known, pose, _CLOSELY, None) for pose in (TRUE, moved(TRUE, 5.0, 0.0))]
    faces = [look.soft([(0, 0), (1, 0), (1, 1)]) for look in looks]
    assert sorted(drawn) == [0, 1]
    assert all(each.shape[0] == 3 for each in faces)
