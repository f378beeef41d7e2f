"""A face where it lies: its outline, the light on it, and what lies on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.placed_face import alone, contradicted_mm2, outline_of, place_face
from vision.scenes import BESIDE, CAMERA, HERE, known_of, scene_of
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, small_deck


def test_a_card_alone_is_clear_of_all_others(faces: DeckFaces) -> None:
    scene = scene_of(faces)
    near = CardPose.flat(-60.0 + WIDTH_MM + 3.0, 0.0, 0.0)
    poses = [CardPose.flat(-60.0, 0.0, 0.0), near, CardPose.flat(80.0, 0.0, 0.0)]
    assert alone(scene, poses) == [False, False, True]
    assert alone(scene, []) == []


def test_an_outline_is_that_of_the_corners(faces: DeckFaces) -> None:
    expected = CAMERA.project(BESIDE.corners(WIDTH_MM, HEIGHT_MM))
    assert np.allclose(outline_of(scene_of(faces), BESIDE), expected)


def test_the_light_on_a_card_is_found_and_nothing_strange(faces: DeckFaces) -> None:
    placed = place_face(known_of(faces, ("card-1", HERE)), 1, HERE)
    assert placed.light is not None
    assert placed.light[:, 0] == pytest.approx([1.0, 1.0, 1.0], abs=0.1)
    assert placed.foreign_mm2 == 0.0
    assert placed.own is not None
    assert placed.own.all()


def test_something_strange_on_a_card_is_measured(faces: DeckFaces) -> None:
    glass = np.zeros((400, 480, 3), np.uint8)
    x, y = CAMERA.project(HERE.centre_mm[None])[0].astype(int)
    glass[y - 32 : y + 32, x - 32 : x + 32] = (30, 250, 30)  # 32 mm square
    placed = place_face(Known.nothing_of(scene_of(faces, ("card-1", HERE), over=glass)), 1, HERE)
    assert placed.foreign_mm2 == pytest.approx(32 * 32, rel=0.5)


def _ringed(ink: tuple[int, int, int]) -> np.ndarray:
    """A face of thin lines in an ink, most of it paper."""
    picture = np.full((352, 252, 3), (206, 230, 242), np.uint8)
    for place in range(4, 352, 12):
        cv2.line(picture, (place, 0), (place, 351), ink, 3)
        cv2.line(picture, (0, place), (251, place), ink, 3)
    return picture


@pytest.mark.parametrize(("beside_mm", "ink"), [(0.0, "green"), (0.7, "green"), (0.0, "red")])
def test_thin_lines_in_another_ink_are_none_of_a_card(tmp_path: Path, beside_mm: float, ink: str) -> None:
    """Of a frame of green rings a red one's lay over a third: half of all points were paper on paper, and as grey the
    lines were the same. Lines of its own a little beside their place are its own all the same."""
    faces = DeckFaces(small_deck(tmp_path, [_ringed((70, 130, 40)), _ringed((48, 40, 190)), blotches(2)]))
    at = HERE.centre_mm + beside_mm * HERE.R[:, 0]
    lies = CardPose.flat(at[0], at[1], HERE.angle_deg)
    picture = scene_of(faces, ("card-0", lies)).bgr
    red = scene_of(faces, ("card-1", lies)).bgr
    if ink == "red":
        outline = CAMERA.project(
            CardPose.flat(HERE.centre_mm[0], HERE.centre_mm[1], HERE.angle_deg).corners(30.0, 40.0)
        )
        mask = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), np.round(outline).astype(np.int32), 1) > 0
        picture = np.where(mask[:, :, None], red, picture)
    known = Known.nothing_of(replace(scene_of(faces, ("card-0", lies)), bgr=picture))
    foreign_mm2 = place_face(known, 0, HERE).foreign_mm2
    assert foreign_mm2 == 0.0 if ink == "green" else foreign_mm2 > 600.0


def test_only_joined_tiles_with_print_contradict_a_face(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-2", HERE))
    tiles = known.scene.points.tiles(1)
    printed = ~tiles.even.reshape(tiles.shape)
    assert printed.any()
    against = np.where(printed, -2.0, 0.0)
    assert contradicted_mm2(known, 1, HERE, against) > 170.0
    assert contradicted_mm2(known, 1, HERE, np.where(printed, 0.0, -2.0)) == 0.0
    assert contradicted_mm2(known, 1, HERE, np.where(printed, -0.5, 0.0)) == 0.0


def test_a_tile_is_sampled_once_in_its_place_and_once_for_all_beside_it(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(faces, ("card-2", HERE))
    tiles = known.scene.points.tiles(1)
    against = np.where(tiles.even.reshape(tiles.shape), 0.0, -2.0)
    samples: list[int] = []
    sample_at = Pyramid.sample_at

    def counted(pyramid: Pyramid, pixels: np.ndarray, level: int) -> Any:
        samples.append(pixels.shape[1])
        return sample_at(pyramid, pixels, level)

    monkeypatch.setattr(Pyramid, "sample_at", counted)
    assert contradicted_mm2(known, 1, HERE, against) > 170.0
    asked = (against < 0.0).sum()
    assert asked < len(samples) <= 2 * asked
    assert len(set(samples)) > 1, "where it lies it is looked at alone"


def test_print_that_is_all_there_in_a_shade_contradicts_no_face(faces: DeckFaces) -> None:
    """The shade of a wall falls off over the end of a card: no light that varies evenly over the card explains it."""
    scene = scene_of(faces, ("card-1", HERE))
    tiles = scene.points.tiles(1)
    against = np.where(tiles.even.reshape(tiles.shape), 0.0, -2.0)
    falling_off = np.linspace(0.4, 1.0, scene.grey.shape[1]) ** 2
    shaded = replace(scene, pyramid=Pyramid.of(scene.pyramid.levels[0] * falling_off[None].astype(np.float32), 5))
    assert contradicted_mm2(Known.nothing_of(shaded), 1, HERE, against) == 0.0


def test_print_a_millimetre_beside_its_place_contradicts_no_face(tmp_path: Path) -> None:
    """Lines half a millimetre wide are not where the card was thought to lie, and all there all the same."""
    lines = np.full((352, 252, 3), 230, np.uint8)
    for place in (20, 29, 38):
        cv2.rectangle(lines, (place, place), (251 - place, 351 - place), (90, 90, 90), 2)
    known = known_of(DeckFaces(small_deck(tmp_path, [lines, blotches(2)])), ("card-0", HERE))
    beside = CardPose.flat(HERE.centre_mm[0] + 0.6, HERE.centre_mm[1] - 0.8, HERE.angle_deg)
    tiles = known.scene.points.tiles(0)
    against = np.where(tiles.even.reshape(tiles.shape), 0.0, -2.0)
    assert contradicted_mm2(known, 0, beside, against) == 0.0
    farther = CardPose.flat(HERE.centre_mm[0] + 4.0, HERE.centre_mm[1] - 1.0, HERE.angle_deg)
    assert contradicted_mm2(known, 0, farther, against) > 170.0
