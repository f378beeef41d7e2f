"""Faces that are drawn as another one, a little turned."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.turned_drawings import TurnedDrawing, TurnedDrawings
from vision.small import blotches, small_deck


def rays(turned_deg: float, grey: int = 40) -> NDArray[np.uint8]:
    """A pale face (352, 252, 3) with twelve thin rays, turned counterclockwise about its middle."""
    face = np.full((352, 252, 3), 240, np.uint8)
    for way in np.radians(np.arange(0, 360, 30) - turned_deg):
        ends = [(round(125.5 + far * np.cos(way)), round(175.5 + far * np.sin(way))) for far in (30.0, 80.0)]
        cv2.line(face, ends[0], ends[1], (grey, grey, grey), 2, cv2.LINE_AA)
    return face


def test_the_same_drawing_a_little_turned_is_found_in_whatever_ink(tmp_path: Path) -> None:
    drawings = TurnedDrawings(DeckFaces(small_deck(tmp_path, [rays(0), rays(4, 90), blotches(1, cell=16), rays(15)])))
    assert drawings.of(0) == [TurnedDrawing(1, 4.0)]
    assert drawings.of(1) == [TurnedDrawing(0, -4.0)]
    assert drawings.of(2) == drawings.of(3) == [], "a star turned by half a ray is another one"


def test_a_drawing_that_lies_on_another_one_is_compared_in_its_place(tmp_path: Path) -> None:
    even = np.full((352, 252, 3), 90, np.uint8)
    drawings = TurnedDrawings(DeckFaces(small_deck(tmp_path, [rays(0), rays(0, 90), even, rays(0.5)])))
    assert all(drawings.of(face) == [] for face in range(4))
