"""The parts of a picture in which faces of a card differ, and the faces laid there as finely as they are known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.telling.in_pixels import rendered_in_pixels
from arena_cam.vision.reading.telling.looks import Looks
from vision.reading.finding.blank_cards import TRUE, covered_figures, known_of
from vision.scenes import moved
from vision.small import blotches, small_deck


def small_figure(text: str) -> Image:
    """A face (352, 252, 3) that is blank but for a figure 5 mm high in two corners, half a turn apart."""
    face = np.full((352, 252, 3), 238, np.uint8)
    cv2.putText(face, text, (22, 40), cv2.FONT_HERSHEY_DUPLEX, 0.9, (60, 60, 60), 2, cv2.LINE_AA)
    return np.minimum(face, face[::-1, ::-1])


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("figures"), [small_figure(text) for text in "4568"]))


ALL = [(0, 0), (1, 0), (2, 0), (3, 0)]


def laid(x_mm: float = 0.0, y_mm: float = 0.0) -> np.ndarray:
    return np.full((len(ALL), 2), (x_mm, y_mm), np.float32)


def told(faces: DeckFaces, folder: Path, card: int, pose: CardPose = TRUE, laid_mm: Array | None = None) -> Array:
    """What the pixels say of all faces of a card that lies at TRUE and is looked for at `pose`."""
    looks = Looks(known_of(faces, folder, (f"card-{card}", TRUE)), pose)
    found = rendered_in_pixels(looks, ALL, laid() if laid_mm is None else laid_mm.astype(np.float32))
    assert found is not None
    return found.nats


@pytest.mark.parametrize("card", range(4))
def test_figures_ten_pixels_high_are_told_apart(figures: DeckFaces, tmp_path: Path, card: int) -> None:
    nats = told(figures, tmp_path, card)
    assert int(np.argmax(nats)) == card
    assert np.sort(nats)[-2] < -8.0


def test_a_card_may_lie_a_little_beside_its_pose(figures: DeckFaces, tmp_path: Path) -> None:
    nats = told(figures, tmp_path, 3, moved(TRUE, 0.25, -0.2))
    assert int(np.argmax(nats)) == 3
    assert np.sort(nats)[-2] < -8.0


def test_a_face_is_laid_where_it_suited_the_picture_before(figures: DeckFaces, tmp_path: Path) -> None:
    """Two millimetres aside nobody looks for a figure; where the place is known, it is found."""
    astray = moved(TRUE, -2.0, 0.0)
    right, up = (2.0 * astray.R[0, :2]).tolist()
    there = told(figures, tmp_path, 3, astray, np.array(laid(right, up)))
    assert int(np.argmax(there)) == 3
    assert np.sort(there)[-2] < -8.0
    here = told(figures, tmp_path, 3, astray)
    assert np.sort(here)[-2] > -4.0


def test_a_turned_face_is_drawn_turned(figures: DeckFaces, tmp_path: Path) -> None:
    looks = Looks(known_of(figures, tmp_path, ("card-0", TRUE)), TRUE.half_turned)
    ways = [(0, 0), (0, 1), (3, 1)]
    found = rendered_in_pixels(looks, ways, np.zeros((3, 2), np.float32))
    assert found is not None
    assert found.nats[:2] == pytest.approx([0.0, 0.0], abs=0.5), "the figures of one corner and the other are the same"
    assert found.nats[2] < -8.0


def test_of_figures_that_are_covered_nothing_is_said(figures: DeckFaces, tmp_path: Path) -> None:
    known = known_of(figures, tmp_path, ("card-0", TRUE))
    covered_figures(known)
    assert rendered_in_pixels(Looks(known, TRUE), ALL, laid()) is None


def test_faces_that_differ_all_over_are_left_to_the_grid(tmp_path: Path) -> None:
    faces = DeckFaces(small_deck(tmp_path / "deck", [blotches(seed) for seed in (1, 2)]))
    looks = Looks(known_of(faces, tmp_path, ("card-0", TRUE)), TRUE)
    assert rendered_in_pixels(looks, [(0, 0), (1, 0)], np.zeros((2, 2), np.float32)) is None
