"""Quadrilaterals among the edges of a photograph: cards that lie by themselves on something of another brightness."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.geometry.homography import transformed
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.quads import find_quads, guess_quads
from vision.planes.photographed import CARD_MM, SIZE, ground, outline_px
from vision.small import painted_at

POSES = (CardPose.flat(-60.0, 10.0, 15.0), CardPose.flat(55.0, -15.0, -50.0))
HALF = np.array(CARD_MM) / 2
CORNERS_MM = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * HALF


def papers(*outlines: Array, level: int = 60, paper: int = 230) -> Image:
    """Even papers on an even ground."""
    picture = ground(level)
    for outline in outlines:
        picture = painted_at(picture, np.full((8, 8, 3), paper, np.uint8), outline)
    return picture


def off_px(found: list[Array], outline: Array) -> float:
    """By how much the nearest of the quadrilaterals is off, wherever its corners begin and whichever way they run."""
    turned = [np.roll(way, n, axis=0) for way in (outline, outline[::-1]) for n in range(4)]
    return min(float(np.linalg.norm(quad - other, axis=1).max()) for quad in found for other in turned)


def without_rim(found: list[Array]) -> list[Array]:
    """Those that are not the photograph itself."""
    return [quad for quad in found if np.abs(np.ptp(quad, axis=0) - SIZE).max() > 20.0]


def test_the_corners_of_papers_are_found_to_a_pixel() -> None:
    outlines = [outline_px(pose) for pose in POSES]
    found = find_quads(papers(*outlines))
    assert [off_px(found, outline) < 1.0 for outline in outlines] == [True, True]


def test_dark_cards_on_a_light_table_are_found_too() -> None:
    outline = outline_px(POSES[0])
    assert off_px(find_quads(papers(outline, level=210, paper=70)), outline) < 1.5


def test_each_is_told_once() -> None:
    found = find_quads(papers(outline_px(POSES[0])))
    for n, quad in enumerate(found):
        assert not [other for other in found[:n] if np.linalg.norm(np.sort(quad, 0) - np.sort(other, 0)) < 1.0]


def test_rounded_corners_do_not_pull_the_sides_inwards() -> None:
    picture = ground()
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.rectangle(mask, (100, 112), (260, 288), 1, -1)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (17, 17))))
    picture[mask > 0] = 230
    outline = np.array([[99.5, 111.5], [260.5, 111.5], [260.5, 288.5], [99.5, 288.5]])
    assert off_px(find_quads(picture), outline) < 1.5


def test_an_even_ground_and_what_is_round_or_small_are_no_card() -> None:
    picture = np.full_like(ground(), 60)
    assert without_rim(find_quads(picture)) == []
    cv2.circle(picture, (240, 200), 70, (230, 230, 230), -1)
    cv2.rectangle(picture, (20, 20), (34, 34), (230, 230, 230), -1)
    assert without_rim(find_quads(picture)) == []


def test_a_mask_from_elsewhere_is_looked_in_too() -> None:
    outline = outline_px(POSES[1])
    even = np.full_like(ground(), 60)
    mask = np.zeros(even.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), (255,))
    assert without_rim(find_quads(even)) == []
    assert off_px(find_quads(even, [mask]), outline) < 1.5


@pytest.mark.parametrize("turn", [0.0, 90.0, 200.0])
def test_a_guess_lays_the_card_s_corners_on_the_outline(faces: DeckFaces, turn: float) -> None:
    outline = outline_px(CardPose.flat(0.0, 0.0, turn))
    guesses = guess_quads(papers(outline), faces.deck)
    assert guesses
    assert all(guess.face is None for guess in guesses)
    assert min(off_px([transformed(guess.px_from_mm, CORNERS_MM)], outline) for guess in guesses) < 1.0


def test_a_long_strip_is_no_card_of_the_deck(faces: DeckFaces) -> None:
    strip = np.array([[40.0, 100.0], [440.0, 100.0], [440.0, 180.0], [40.0, 180.0]])
    picture = papers(strip)
    assert off_px(find_quads(picture), strip) < 1.5
    places = [transformed(guess.px_from_mm, CORNERS_MM) for guess in guess_quads(picture, faces.deck)]
    assert without_rim(places) == []
