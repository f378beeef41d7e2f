"""A face is brought from a guess to its place: within its plane, free, and finely."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.fitting import fit_coarse, fit_fine, slide
from arena_cam.vision.reading.cards.known import Known
from vision.scenes import CAMERA, HERE, WIDE, fit_at, known_of, moved, scene_of
from vision.small import HEIGHT_MM, WIDTH_MM


def off_px(pose: CardPose, true: CardPose) -> float:
    at, should = (CAMERA.project(each.corners(WIDTH_MM, HEIGHT_MM)) for each in (pose, true))
    return float(np.linalg.norm(at - should, axis=1).max())


@pytest.mark.parametrize("start", [(0.0, 0.0, 0.0), (3.0, 0.0, 5.0), (-2.0, 2.2, -4.0)])
def test_a_guess_is_brought_to_its_place(faces: DeckFaces, start: tuple[float, float, float]) -> None:
    known = known_of(faces, ("card-1", HERE))
    fit = fit_coarse(known, 1, moved(HERE, *start))
    assert off_px(fit.pose, HERE) < 1.0
    assert fit.explained > 0.9
    assert off_px(fit_fine(known, 1, fit.pose).pose, HERE) < 0.15


def test_sliding_keeps_the_plane(faces: DeckFaces) -> None:
    fit = slide(known_of(faces, ("card-1", HERE)), 1, moved(HERE, 2.0, -1.0, 3.0))
    assert off_px(fit.pose, HERE) < 1.0
    assert fit.pose.centre_mm[2] == pytest.approx(HERE.centre_mm[2])
    assert fit.pose.tilt_deg == pytest.approx(0.0, abs=1e-6)


def test_a_guess_of_nothing_explains_nothing(faces: DeckFaces) -> None:
    fit = fit_coarse(known_of(faces), 1, HERE)
    assert fit.evidence < 10.0


def test_an_exact_start_that_proves_right_is_kept(faces: DeckFaces) -> None:
    fit = fit_coarse(known_of(faces, ("card-1", HERE)), 1, HERE, close=True)
    assert off_px(fit.pose, HERE) < 0.5
    assert fit.explained > 0.93


def test_a_card_on_the_wall_is_found_leaning(faces: DeckFaces) -> None:
    rise = np.degrees(np.arctan2(WIDE.wall_height_mm, 50.0))
    leaning = CardPose.flat(WIDE.inner_mm[0] / 2 - 24.0, 0.0, 0.0, 8.0).moved(
        np.array([0.0, 0.0, 0.0, 0.0, -np.radians(rise), 0.0])
    )
    known = Known.nothing_of(scene_of(faces, ("card-1", leaning)))
    fit = fit_coarse(known, 1, CardPose.flat(WIDE.inner_mm[0] / 2 - 24.0, 0.0, 0.0), likely=True)
    assert fit.pose.tilt_deg == pytest.approx(rise, abs=3.0)
    assert off_px(fit.pose, leaning) < 1.5


def test_what_others_claim_has_no_say(faces: DeckFaces) -> None:
    """The upper card covers half of the lower one, which is then found by the other half alone."""
    upper = moved(HERE, 25.0, 15.0, 50.0)
    known = known_of(faces, ("card-1", HERE), ("card-2", upper))
    known = known.plus(fit_at(known, 2, upper), 2)
    fit = fit_coarse(known, 1, moved(HERE, 2.0, 1.0, 2.0))
    assert off_px(fit_fine(known, 1, fit.pose).pose, HERE) < 0.5
