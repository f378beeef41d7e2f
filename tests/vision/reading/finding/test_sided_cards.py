"""A nearly blank card by its sides: the outline first, then the face that is in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import laid_flat
from arena_cam.vision.reading.finding import sided_cards
from arena_cam.vision.reading.finding.outline_fit import FAR_MM, NEAR_MM
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from vision.reading.finding.blank_cards import FLOOR, deck_of_figures, known_of, known_with, off_mm

TRUE = CardPose.flat(12.0, -5.0, 20.0)


def moved_up(tilt_deg: float) -> CardPose:
    """The same card, its right side up."""
    return TRUE.moved(np.array([0.0, 0.0, 8.0, 0.0, -np.radians(tilt_deg), 0.0]))


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


def test_what_lies_under_a_card_not_yet_known_is_none_before_that_is_known(blank: DeckFaces, tmp_path: Path) -> None:
    lower, upper = CardPose.flat(-25.0, 0.0, 0.0), CardPose.flat(5.0, 12.0, 20.0)
    known = known_of(blank, tmp_path, ("card-0", lower), ("card-2", upper))
    assert fit_by_sides(known, lower) is None
    known.claims.add_polygon(known.scene.camera.project(upper.corners(63.0, 88.0)))
    assert fit_by_sides(known, lower) is not None


@pytest.mark.parametrize("darker", [6, 12])
def test_what_is_hardly_darker_than_the_floor_is_no_shade_if_all_its_sides_show(
    blank: DeckFaces, tmp_path: Path, darker: int
) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    fit = fit_by_sides(known_with(blank, tmp_path, FLOOR - darker, true), true)
    assert fit is not None
    assert fit.evidence < 0.0  # no print shows


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


LEANS, TURNED = moved_up(14.0), moved_up(42.0)


@pytest.mark.parametrize(("evidence", "leans"), [(100.0, True), (73.0, False)])
def test_of_two_outlines_that_are_seen_as_well_the_print_tells_and_a_little_of_it_does_not(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evidence: float, leans: bool
) -> None:
    """A back that leaned by 11 degrees was surely flat: both outlines had 35 nats, its print 72 flat and 98 leaning."""
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    true = fit_by_sides(known, TRUE)
    assert true is not None
    outlines = {pose: Outline(pose, np.eye(6), nats, 0.9) for pose, nats in ((TRUE, 35.0), (LEANS, 34.7))}
    says = {TRUE: 70.0, LEANS: evidence}

    def named(_known: Known, outline: Outline) -> Fit:
        return replace(true, alignment=replace(true.alignment, pose=outline.pose), evidence=says[outline.pose])

    monkeypatch.setattr(sided_cards, "leaning_starts", lambda *_: [LEANS])
    monkeypatch.setattr(sided_cards, "fit_outline", lambda _scene, start, *_: outlines[start])
    monkeypatch.setattr(sided_cards, "_named_in", named)
    fit = fit_by_sides(known, TRUE)
    assert fit is not None
    assert fit.pose is (LEANS if leans else TRUE)


def test_a_leaning_outline_that_was_followed_to_a_frame_inside_the_edge_is_looked_for_near_by(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame 5 mm inside the edge turned an outline from 10 to 42 degrees."""
    known = known_of(blank, tmp_path, ("card-1", TRUE))
    asked = []

    def followed(
        _scene: object, start: CardPose, _claims: object, _prior: object, reaches: object = NEAR_MM
    ) -> Outline:
        asked.append(reaches)
        if start is TRUE:
            return Outline(TRUE, np.eye(6), 20.0, 0.9)
        far = reaches == FAR_MM
        return Outline(TURNED if far else LEANS, np.eye(6), 16.0 if far else 35.0, 0.9)

    monkeypatch.setattr(sided_cards, "leaning_starts", lambda *_: [LEANS])
    monkeypatch.setattr(sided_cards, "fit_outline", followed)
    fit = fit_by_sides(known, TRUE)
    assert fit is not None
    assert fit.outline is not None
    assert fit.outline.pose.tilt_deg == pytest.approx(14.0, abs=0.1)
    assert asked[:3] == [NEAR_MM, FAR_MM, NEAR_MM]


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
