"""A nearly blank card by its sides: the outline first, then the face that is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import Identity, compare_ways
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import COVERED_PRIOR, START_PRIOR
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import laid_flat
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding import sided_cards
from arena_cam.vision.reading.finding.outline_fit import fit_outline
from arena_cam.vision.reading.finding.sided_cards import (
    explaining,
    explains,
    fit_by_sides,
    flat_by_print,
    is_shadow_of,
    is_shadow_of_arm,
    laid_finely,
    laid_or_free,
    told_finely,
)
from arena_cam.vision.reading.floor.table_change import TableChange
from vision import scenes
from vision.reading.finding.blank_cards import FLOOR, deck_of_figures, framed, known_of, known_with, off_mm, outlined
from vision.scenes import fit_at, surely
from vision.small import blotches, small_deck


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return deck_of_figures(tmp_path_factory.mktemp("deck"))


@pytest.mark.parametrize(("x", "y", "degrees"), [(1.5, -1.0, 1.5), (-1.0, 1.5, -2.0)])
def test_a_blank_card_is_laid_where_its_sides_are(
    blank: DeckFaces, tmp_path: Path, x: float, y: float, degrees: float
) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    fit = fit_by_sides(known, CardPose.flat(12.0 + x, -5.0 + y, 20.0 + degrees))
    assert fit is not None
    assert off_mm(fit.pose, true) < 0.6
    assert fit.outline is not None
    assert fit.outline.shown > 0.9
    assert fit.evidence > 0.0


def test_what_a_card_above_covers_needs_not_be_seen(blank: DeckFaces, tmp_path: Path) -> None:
    lower, upper = CardPose.flat(-25.0, 0.0, 0.0), CardPose.flat(20.0, 10.0, 30.0)
    known = known_of(blank, tmp_path, ("card-0", lower), ("card-2", upper))
    known.claims.add_polygon(known.scene.camera.project(upper.corners(63.0, 88.0)))
    fit = fit_by_sides(known, CardPose.flat(-24.0, 1.0, 1.0))
    assert fit is not None
    assert off_mm(fit.pose, lower) < 0.8


@pytest.mark.parametrize("darker", [6, 12])
def test_what_is_hardly_darker_than_the_floor_is_no_shade_if_all_its_sides_show(
    blank: DeckFaces, tmp_path: Path, darker: int
) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    fit = fit_by_sides(known_with(blank, tmp_path, FLOOR - darker, true), true)
    assert fit is not None
    assert fit.evidence < 0.0  # no print shows


@pytest.mark.parametrize(
    ("nats", "shown", "named", "found"),
    [(29.0, 0.85, False, False), (31.0, 0.85, True, True), (29.0, 0.95, True, False)],
)
def test_where_nothing_differs_from_the_empty_table_a_name_is_asked_only_if_all_sides_show(
    blank: DeckFaces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nats: float,
    shown: float,
    named: bool,
    found: bool,
) -> None:
    """A blank one is none for all that: of sides so faint its print would have to show."""
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_with(blank, tmp_path, FLOOR - 6, true)
    outline = replace(fit_outline(known.scene, true, known.claims, START_PRIOR), nats=nats, shown=shown)
    asked: list[CardPose] = []

    def compared(known: Known, pose: CardPose) -> tuple[Identity, Identity]:
        asked.append(pose)
        return compare_ways(known, pose)

    monkeypatch.setattr(sided_cards, "fit_outline", lambda *_: outline)
    monkeypatch.setattr(sided_cards, "compare_ways", compared)
    assert (fit_by_sides(known, true) is not None) == found
    assert bool(asked) == named


def test_a_card_whose_frame_was_taken_for_its_sides_is_laid_off_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On cards of its colour a white card shows its frame alone: in full view it was found leaning, without a name."""
    pale = np.full((352, 252, 3), 222, np.uint8)
    faces = DeckFaces(small_deck(tmp_path / "deck", [*(framed(figure) for figure in "174"), pale]))
    true = CardPose.flat(12.0, -5.0, 20.0)
    about = [CardPose.flat(12.0 + x, -5.0 + y, 20.0) for x in (-40.0, 15.0) for y in (-55.0, 25.0)]
    known = known_of(faces, tmp_path, *(("card-3", pose) for pose in about), ("card-1", true))
    aside = CardPose(true.R, true.centre_mm + 3.0 * true.R[:, 0])
    fit = fit_by_sides(known, aside)
    assert fit is not None
    assert fit.face == 1
    assert off_mm(fit.pose, true) < 1.0
    monkeypatch.setattr(faces, "frames_mm", ())
    without = fit_by_sides(known, aside)
    assert without is None or off_mm(without.pose, true) > 2.0


@pytest.mark.parametrize(
    ("evidence", "explained", "shown", "asked"),
    [(-30.0, 0.4, 0.7, False), (-30.0, 0.4, 0.8, True), (3.0, 0.4, 0.7, True), (-30.0, 0.8, 0.7, True)],
)
def test_a_card_is_not_tried_off_its_frame_where_print_and_sides_speak_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evidence: float, explained: float, shown: float, asked: bool
) -> None:
    """A frame goes all round: what shows on three sides was hardly followed along one."""
    faces = DeckFaces(small_deck(tmp_path / "deck", [framed(figure) for figure in "17"]))
    assert faces.frames_mm
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(faces, tmp_path, ("card-1", true))
    outline = replace(outline_from(known, true), nats=20.0, shown=shown)
    fit = replace(fit_at(known, 1, true), outline=outline, evidence=evidence, explained=explained)
    looked_at: list[CardPose] = []

    def fitted(_: Scene, at: CardPose, *__: object) -> Outline:
        looked_at.append(at)
        return outline

    monkeypatch.setattr(sided_cards, "_outlines", lambda *_: [outline])
    monkeypatch.setattr(sided_cards, "_named_in", lambda *_: fit)
    monkeypatch.setattr(sided_cards, "fit_outline", fitted)
    assert fit_by_sides(known, true) is fit
    assert bool(looked_at) == asked


def outline_from(known: Known, pose: CardPose) -> Outline:
    return fit_outline(known.scene, pose, known.claims, START_PRIOR)


@pytest.mark.parametrize(
    ("uncovered", "evidence", "shown", "named"),
    [(0.9, -20.0, 0.8, False), (0.9, 20.0, 0.8, True), (0.2, -20.0, 0.8, True), (0.9, -20.0, 0.95, True)],
)
def test_what_explains_the_unknown_is_not_named_where_print_and_sides_speak_against_it(
    blank: DeckFaces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    uncovered: float,
    evidence: float,
    shown: float,
    named: bool,
) -> None:
    """With most of it in view. Of a covered card the likeliest face may be another than its own, and sides that all
    show are those of a card whatever its print says."""
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    outline = replace(outline_from(known, true), nats=28.0, shown=shown)
    fit = replace(fit_at(known, 1, true), uncovered=uncovered, evidence=evidence, explained=0.7, outline=outline)
    fit = replace(fit, explained=0.85) if shown > 0.9 else fit
    asked: list[Fit] = []

    def name(fit: Fit) -> Found:
        asked.append(fit)
        return Found(fit, surely(blank, 1))

    monkeypatch.setattr(sided_cards, "fit_by_sides", lambda *_: fit)
    monkeypatch.setattr(sided_cards, "explains", lambda *_, **__: True)
    explaining(known, [true], [], name)
    assert bool(asked) == named


@pytest.mark.parametrize(("odd", "shown", "named"), [(0.65, 0.7, False), (0.75, 0.7, True), (0.65, 0.8, True)])
def test_an_outline_that_lacks_a_side_and_encloses_floor_is_not_named(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: float, shown: float, named: bool
) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    outline = replace(fit_outline(known.scene, true, known.claims, START_PRIOR), nats=20.0, shown=shown)
    monkeypatch.setattr(sided_cards, "fit_outline", lambda *_: outline)
    monkeypatch.setattr(sided_cards, "in_view", lambda *_: (1.0, odd))
    assert (fit_by_sides(known, true) is not None) == named


@pytest.mark.parametrize(("shown", "named"), [(0.58, False), (0.66, True)])
def test_an_outline_of_which_two_fifths_of_the_sides_do_not_show_is_not_named(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: float, named: bool
) -> None:
    """One outline in ten of those that were named showed less, and none of them was a card's."""
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    outline = replace(fit_outline(known.scene, true, known.claims, START_PRIOR), nats=20.0, shown=shown)
    monkeypatch.setattr(sided_cards, "fit_outline", lambda *_: outline)
    assert (fit_by_sides(known, true) is not None) == named


def test_an_outline_is_named_again_only_where_something_else_is_known_round_about(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    asked: list[CardPose] = []

    def compared(known: Known, pose: CardPose) -> tuple[Identity, Identity]:
        asked.append(pose)
        return compare_ways(known, pose)

    def claimed(x: float) -> Known:
        claims = known.claims.copy()
        claims.add_polygon(known.scene.camera.project(CardPose.flat(x, -5.0, 20.0).corners(20.0, 20.0)))
        return replace(known, claims=claims)

    monkeypatch.setattr(sided_cards, "compare_ways", compared)
    first = fit_by_sides(known, true)
    assert first is not None
    assert fit_by_sides(known, true) is first
    assert fit_by_sides(claimed(-90.0), true) is first
    assert len(asked) == 1
    fit_by_sides(claimed(12.0), true)
    assert len(asked) == 2


def test_sides_of_a_shade_that_do_not_show_all_round_are_those_of_no_card(blank: DeckFaces, tmp_path: Path) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_with(blank, tmp_path, FLOOR - 12, true)
    upper_half = np.array([[-40.0, 60.0, 0.0], [40.0, 60.0, 0.0], [40.0, -10.0, 0.0], [-40.0, -10.0, 0.0]])
    known.claims.add_polygon(known.scene.camera.project(true.points(upper_half[:, 0], upper_half[:, 1])))
    assert fit_by_sides(known, true) is None


@pytest.mark.parametrize("place", [CardPose.flat(60.0, 30.0, 45.0), CardPose.flat(-60.0, -30.0, 0.0)])
def test_where_no_card_lies_there_is_none(blank: DeckFaces, tmp_path: Path, place: CardPose) -> None:
    known = known_of(blank, tmp_path)
    assert fit_by_sides(known, place) is None


@pytest.mark.parametrize(("x", "tilt_deg", "off"), [(98.0, 24.0, 2.0), (108.0, 18.0, -2.0), (115.0, 18.0, -3.0)])
def test_a_card_over_a_wall_is_found_from_a_guess_that_has_one_of_its_sides(
    blank: DeckFaces, tmp_path: Path, x: float, tilt_deg: float, off: float
) -> None:
    """The wall stands at 100 mm. Of 45 such guesses six more are found than with the middle kept alone."""
    rise = np.radians(tilt_deg)
    turn = np.array([[np.cos(rise), 0.0, np.sin(rise)], [0.0, 1.0, 0.0], [-np.sin(rise), 0.0, np.cos(rise)]])
    true = CardPose(turn, np.array([x, 0.0, 31.5 * np.sin(rise)]))
    known = known_of(blank, tmp_path, ("card-1", true))
    flat = laid_flat(known.scene, true)
    fit = fit_by_sides(known, CardPose.flat(float(flat.centre_mm[0]) + off, 0.0, 0.0))
    assert fit is not None
    assert fit.pose.tilt_deg == pytest.approx(tilt_deg, abs=1.5)
    assert off_mm(fit.pose, true) < 1.0


def test_an_outline_that_reaches_through_the_floor_is_that_of_no_card(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sides followed along a frame printed beside them make a card smaller, and so farther off than the floor."""
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    sunk = true.moved(np.array([0.0, 0.0, -30.0, np.radians(12.0), 0.0, 0.0]))

    def followed(scene: Scene, start: CardPose, claims: Claims, prior: Array, *reaches: Sequence[float]) -> Outline:
        found = fit_outline(scene, start, claims, prior, *reaches)
        return replace(found, pose=sunk, nats=found.nats + 10.0) if start is steep else found

    steep = true.moved(np.array([0.0, 0.0, 5.0, np.radians(10.0), 0.0, 0.0]))
    monkeypatch.setattr(sided_cards, "fit_outline", followed)
    monkeypatch.setattr(sided_cards, "leaning_starts", lambda *_: [steep])
    fit = fit_by_sides(known, true)
    assert fit is not None
    assert off_mm(fit.pose, true) < 1.0


def test_print_that_leads_through_the_floor_does_not_take_a_card_out_of_its_outline(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its one shape a card lay 11 mm in the floor and explained a little more: it was turned away for that."""
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    fit, outline = outlined(known, true)
    laid = replace(fit, explained=0.7)
    sunk = true.moved(np.array([0.0, 0.0, -11.0, np.radians(20.0), 0.0, 0.0]))
    led = replace(fit, alignment=replace(fit.alignment, pose=sunk), explained=1.0, evidence=fit.evidence + 10.0)
    monkeypatch.setattr(sided_cards, "laid_into", lambda *_: laid)
    monkeypatch.setattr(sided_cards, "fit_coarse", lambda *_, **__: led)
    monkeypatch.setattr(sided_cards, "fit_outline", lambda *_: replace(outline, pose=sunk))
    assert laid_or_free(known, 1, outline) is laid


def test_a_card_that_seems_to_lean_lies_flat_if_its_print_shows_so(tmp_path: Path) -> None:
    """A golden frame on black stood out more than the edge, and the outline was followed along it."""
    faces = DeckFaces(small_deck(tmp_path / "deck", [blotches(seed, cell=12) for seed in range(2)]))
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(faces, tmp_path, ("card-1", true))
    leaning = true.moved(np.array([0.0, 0.0, 4.0, np.radians(9.0), 0.0, 0.0]))
    fit = fit_at(known, 1, leaning)
    flat = flat_by_print(known, fit)
    assert flat is not None
    assert flat.pose.tilt_deg < 1.0
    assert flat.outline is not None
    assert flat_by_print(known, fit_at(known, 0, leaning)) is None, "another face shows nothing there"


@pytest.mark.parametrize(
    ("high_mm", "aside", "evidence", "in_view", "shadow"),
    [
        (14.0, (9.0, -6.0, 3.0), -6.0, 0.2, True),
        (14.0, (9.0, -6.0, 40.0), -6.0, 0.2, False),  # cards that fell on each other lie at any angle
        (14.0, (50.0, 0.0, 3.0), -6.0, 0.2, False),  # no lamp hangs so low
        (14.0, (9.0, -6.0, 3.0), 60.0, 0.2, False),  # it shows its print
        (14.0, (9.0, -6.0, 3.0), 12.0, 0.2, True),  # it is as dark as an even back
        (14.0, (9.0, -6.0, 3.0), -6.0, 0.5, False),  # it is more than a strip
        (0.5, (0.8, -0.3, 3.0), -6.0, 0.2, False),  # what lies on the floor throws no shadow to speak of
    ],
)
def test_a_strip_along_a_raised_card_that_shows_no_print_is_its_shadow(
    blank: DeckFaces,
    tmp_path: Path,
    high_mm: float,
    aside: tuple[float, float, float],
    evidence: float,
    in_view: float,
    shadow: bool,
) -> None:
    x, y, degrees = aside
    raised, beside = CardPose.flat(0.0, 0.0, 20.0, high_mm), CardPose.flat(x, y, 20.0 + degrees, high_mm)
    known = known_of(blank, tmp_path)
    outline = Outline(beside, np.eye(6), 17.0, 0.93)
    fit = replace(fit_at(known, 0, beside), evidence=evidence, uncovered=in_view, outline=outline)
    above = fit_at(known, 1, raised)
    assert is_shadow_of(known, fit, above) == shadow
    assert (
        is_shadow_of(known, fit, replace(above, alignment=replace(above.alignment, pose=raised.half_turned))) == shadow
    )
    assert not is_shadow_of(known, replace(fit, outline=None), above)


@pytest.mark.parametrize(
    ("grey", "in_view", "has_arm", "shadow"),
    [
        (70, 0.3, True, True),  # darker than the floor, as a shadow makes it
        (240, 0.3, True, False),  # paper
        (70, 0.8, True, False),  # a dark card, of which the arm hides little
        (70, 0.3, False, False),
    ],
)
def test_what_lies_mostly_beneath_an_arm_and_shows_shadow_alone_is_no_card(
    blank: DeckFaces, tmp_path: Path, grey: int, in_view: float, has_arm: bool, shadow: bool
) -> None:
    """Beside sleeves and wrists, whose sides are straight, backs were found in the shadow, with print."""
    pose = CardPose.flat(0.0, 0.0, 20.0)
    known = known_with(blank, tmp_path, grey, pose)
    arm = known.claims.copy()
    arm.add_polygon(known.scene.camera.project(CardPose.flat(-25.0, 0.0, 20.0).corners(63.0, 88.0)))
    known = replace(known, claims=arm, scene=replace(known.scene, arm=arm.mask if has_arm else None))
    fit = replace(fit_at(known, 0, pose), evidence=60.0, uncovered=in_view)
    assert is_shadow_of_arm(known, fit) == shadow


def test_faces_that_the_coarse_scale_does_not_tell_apart_are_told_by_the_fine_one(detailed: DeckFaces) -> None:
    """Stripes in a dim light were as grey as eighteen faces. What is far behind is not asked again."""
    known = scenes.known_of(detailed, ("card-1", scenes.HERE))
    outline = fit_outline(known.scene, scenes.HERE, known.claims, START_PRIOR)
    fit = laid_finely(known, 1, outline)
    nobody = Identity(np.where(np.arange(len(detailed.names)) == 4, -40.0, 0.0), 500)
    told = told_finely(known, fit, nobody).log_likelihood
    assert told[1] == 0.0
    assert told[4] == -40.0
    assert np.delete(told, [1, 4]).max() < -50.0


def test_much_print_tells_the_tilt_where_its_sides_are_followed_to_another_one(
    detailed: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that leaned by 12 degrees was flat, surely: one of its sides lay in the shadow of the wall."""
    known = scenes.known_of(detailed, ("card-1", scenes.HERE))
    plain = fit_outline(known.scene, scenes.HERE, known.claims, START_PRIOR)
    led_off, led_back = (
        replace(plain, pose=scenes.HERE.moved(np.array([0, 0, 0, 0, way, 0]))) for way in (0.15, -0.15)
    )
    monkeypatch.setattr(sided_cards, "fit_outline", lambda *_: led_back)
    fit = laid_finely(known, 1, led_off)
    assert fit.pose.tilt_deg < 1.0
    assert fit.outline is not None
    assert fit.outline.pose.tilt_deg < 1.0
    assert fit.outline.shown > 0.9


def test_print_that_says_much_more_off_the_outline_tells_the_tilt_of_a_nearly_blank_card(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sides were followed to one side of its frame, eight degrees too steep."""
    true = CardPose.flat(12.0, -5.0, 20.0)
    known = known_of(blank, tmp_path, ("card-1", true))
    outline = replace(outlined(known, true)[1], pose=true.moved(np.array([0.0, 0.0, 0.0, 0.0, 0.15, 0.0])))
    poor = replace(fit_at(known, 1, outline.pose), evidence=50.0, explained=0.94)
    monkeypatch.setattr(sided_cards, "laid_into", lambda *_: poor)
    for more, tilt_deg in ((30.0, 0.0), (5.0, outline.pose.tilt_deg)):
        free = replace(fit_at(known, 1, true), evidence=50.0 + more)
        monkeypatch.setattr(sided_cards, "fit_fine", lambda *_, free=free: free)
        assert laid_finely(known, 1, outline).pose.tilt_deg == pytest.approx(tilt_deg, abs=0.5)
    monkeypatch.setattr(sided_cards, "laid_into", lambda *_: replace(poor, explained=0.98))
    assert laid_finely(known, 1, outline).explained == 0.98, "as it is seen there it explains itself"


class Change:
    """A change of which a card tells the share `told`; `unknown` mm2 are left without it, and none with it."""

    def __init__(self, told: float | None, unknown: float) -> None:
        self.told, self.unknown = told, unknown

    def share_told(self, *_: object) -> float | None:
        return self.told

    def strangers(self, outlines: Sequence[Array]) -> list[tuple[SimpleNamespace, list[int]]]:
        return [(SimpleNamespace(area_mm2=self.unknown if len(outlines) == 1 else 0.0), [])]


@pytest.mark.parametrize(
    ("told", "unknown", "shows_print", "explained"),
    [
        (0.97, 400.0, False, True),
        (0.9, 400.0, True, False),  # a part of it shows floor
        (0.97, 200.0, False, False),  # so little is never looked at
        (None, 400.0, False, False),
        (None, 200.0, True, True),  # it lies over the wall and shows its face
        (None, 0.0, True, False),  # nothing is unknown there
    ],
)
def test_what_explains_the_unknown_shows_no_floor_or_over_a_wall_its_face(
    told: float | None, unknown: float, shows_print: bool, explained: bool
) -> None:
    """Of a card that leaned over the wall 2 cm2 hid floor, and a picture with its face in full view was asked about."""
    change = cast(TableChange, Change(told, unknown))
    outline = np.zeros((4, 2))
    assert explains(change, outline, [outline], 63.0 * 88.0, shows_print=shows_print) == explained


@pytest.mark.parametrize(("x", "y"), [(1.0, -1.2), (1.5, 1.3)])
def test_a_card_whose_rim_is_lined_is_followed_along_its_sides(tmp_path: Path, x: float, y: float) -> None:
    """Lines beside its sides stand out more than these: from afar the sides are followed along them."""
    face = np.full((352, 252, 3), FLOOR + 60, np.uint8)
    for inside in range(9, 69, 12):  # 4 pixels are a millimetre
        cv2.rectangle(face, (inside, inside), (251 - inside, 351 - inside), (140, 40, 40), 3)
    faces = DeckFaces(small_deck(tmp_path / "deck", [face, *(framed(figure) for figure in "17")]))
    true = CardPose.flat(12.0, -5.0, 20.0)
    known, start = known_of(faces, tmp_path, ("card-0", true)), CardPose.flat(12.0 + x, -5.0 + y, 20.0)
    from_afar = fit_outline(known.scene, start, known.claims, COVERED_PRIOR)
    assert from_afar.nats < 28.0
    fit = fit_by_sides(known, start)
    assert fit is not None
    assert fit.outline is not None
    assert fit.outline.nats > 32.0
    assert off_mm(fit.pose, true) < 0.5
