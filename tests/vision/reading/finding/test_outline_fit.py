"""An outline laid on the picture of a blank card."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fitting import COVERED_PRIOR, START_PRIOR
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding import outline_fit
from arena_cam.vision.reading.finding.outline_fit import FAR_MM, fit_outline, has_no_sides
from arena_cam.vision.reading.scene_maker import SceneMaker, TableScene
from vision.small import (
    HEIGHT_MM,
    WIDTH_MM,
    camera_above,
    empty_table,
    frame,
    small_deck,
    small_table,
    with_card,
)

BLANK = np.full((352, 252, 3), 235, np.uint8)


def striped() -> NDArray[np.uint8]:
    """A card with oblique stripes 2.5 mm apart that run to its sides."""
    y, x = np.mgrid[0 : BLANK.shape[0], 0 : BLANK.shape[1]] / 4.0
    bright = 75.0 + 45.0 * np.sign(np.sin(2.0 * np.pi * (x + 0.6 * y) / 2.9))
    return np.repeat(bright.astype(np.uint8)[:, :, None], 3, axis=2)


def scene_of(folder: Path, *poses: CardPose, face: NDArray[np.uint8] = BLANK) -> Scene:
    """The scene of cards, blank ones, that lie one over another on an even table whose empty picture is known."""
    deck = small_deck(folder / "deck", [face, face])
    camera = camera_above(2.0, (640, 480))
    empty = empty_table(small_table(), camera)
    cv2.imwrite(str(folder / "empty.png"), empty)
    picture = empty
    for pose in poses:
        picture = with_card(picture, deck, "card-0", camera, pose)
    ready = SceneMaker(small_table(empty=folder / "empty.png"), DeckFaces(deck), True).make(
        frame(picture), (), None, None
    )
    assert isinstance(ready, TableScene)
    return ready.scene


def off_mm(a: CardPose, b: CardPose) -> float:
    """How far the corners lie apart, seen from above."""
    return float(np.abs(a.corners(WIDTH_MM, HEIGHT_MM) - b.corners(WIDTH_MM, HEIGHT_MM))[:, :2].max())


def tilted(degrees: float) -> Array:
    """The rotation (3, 3) of a card whose right side is raised."""
    return np.asarray(cv2.Rodrigues(np.array([0.0, np.radians(-degrees), 0.0]))[0], np.float64)


@pytest.mark.parametrize(("x", "y", "degrees"), [(1.5, -1.0, 1.5), (-1.0, 1.5, -2.0), (0.0, 0.0, 0.0)])
def test_a_blank_card_is_outlined_to_half_a_millimetre(tmp_path: Path, x: float, y: float, degrees: float) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    scene = scene_of(tmp_path, true)
    start = CardPose.flat(12.0 + x, -5.0 + y, 20.0 + degrees)
    outline = fit_outline(scene, start, Claims.none_in(scene), COVERED_PRIOR)
    assert off_mm(outline.pose, true) < 0.5
    assert outline.shown > 0.9


@pytest.mark.parametrize("compiled", [True, False])
def test_sides_show_through_fine_print_that_runs_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Stripes change by more than the sides do; in the mean along a side they are even."""
    if not compiled:
        monkeypatch.setattr(outline_fit, "outlined", lambda *_: None)
    true = CardPose.flat(12.0, -5.0, 20.0)
    scene = scene_of(tmp_path, true, face=striped())
    claims, start = Claims.none_in(scene), CardPose.flat(13.0, -6.0, 21.0)
    through = fit_outline(scene, start, claims, COVERED_PRIOR, through_print=True)
    assert off_mm(through.pose, true) < 0.6
    assert through.shown > 0.9
    assert fit_outline(scene, start, claims, COVERED_PRIOR).shown < 0.85


def test_a_leaning_card_shows_its_tilt_by_its_sides_alone(tmp_path: Path) -> None:
    true = CardPose(tilted(12.0), np.array([0.0, 0.0, 7.0]))
    scene = scene_of(tmp_path, true)
    start = CardPose(tilted(8.0), np.array([1.5, 1.0, 5.0]))
    outline = fit_outline(scene, start, Claims.none_in(scene), START_PRIOR, FAR_MM)
    assert outline.pose.tilt_deg == pytest.approx(12.0, abs=2.5)


def test_sides_under_another_card_have_no_say(tmp_path: Path) -> None:
    lower, upper = CardPose.flat(-15.0, 0.0, 0.0), CardPose.flat(25.0, 10.0, 30.0)
    scene = scene_of(tmp_path, lower, upper)
    claims = Claims.none_in(scene)
    claims.add_polygon(scene.camera.project(upper.corners(WIDTH_MM, HEIGHT_MM)))
    outline = fit_outline(scene, CardPose.flat(-14.0, 1.0, 1.0), claims, COVERED_PRIOR)
    assert off_mm(outline.pose, lower) < 0.7
    assert outline.shown > 0.9


@pytest.mark.parametrize("beyond_mm", [0.7, 1.3])
def test_the_border_of_the_picture_is_no_side(tmp_path: Path, beyond_mm: float) -> None:
    border_mm = 160.0  # the right side lies beyond it, whatever begins there
    true = CardPose.flat(border_mm + beyond_mm - WIDTH_MM / 2, 5.0, 0.0)
    scene = scene_of(tmp_path, true)
    outline = fit_outline(scene, true, Claims.none_in(scene), START_PRIOR, FAR_MM)
    assert outline.pose.tilt_deg < 2.0  # followed to the border: 3 to 5 degrees
    assert off_mm(outline.pose, true) < 1.2
    assert outline.shown > 0.9


def test_where_no_card_lies_hardly_a_side_is_seen(tmp_path: Path) -> None:
    scene = scene_of(tmp_path)
    outline = fit_outline(scene, CardPose.flat(0.0, 0.0, 0.0), Claims.none_in(scene), COVERED_PRIOR)
    assert outline.shown < 0.3
    assert outline.nats < 0.0


@pytest.mark.parametrize("turned", [30.0, 90.0])
def test_where_the_picture_shows_no_sides_of_a_card_there_is_none(tmp_path: Path, turned: float) -> None:
    true = CardPose.flat(12.0, -5.0, 20.0)
    scene = scene_of(tmp_path, true)
    none, claimed = Claims.none_in(scene), Claims.none_in(scene)
    astray = CardPose.flat(12.0, -5.0, 20.0 + turned)
    assert not has_no_sides(scene, true, none)
    assert has_no_sides(scene, astray, none)
    claimed.add_polygon(scene.camera.project(astray.corners(WIDTH_MM + 8.0, HEIGHT_MM + 8.0)))
    assert not has_no_sides(scene, astray, claimed)  # what others cover says nothing
