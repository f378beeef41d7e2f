"""What is seen of a card at a pose, at the scales at which faces are compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.faces.deck_faces import DeckFaces, FaceGrid
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.telling.looks import CLOSELY, Look
from vision.reading.finding.blank_cards import (
    FOOT_MM,
    TRUE,
    known_of,
    outlined,
)
from vision.scenes import moved


def test_the_foot_of_a_figure_beside_the_edge_of_another_card_says_nothing(blank: DeckFaces, tmp_path: Path) -> None:
    known = known_of(blank, tmp_path, ("card-0", TRUE))
    fit, outline = outlined(known, TRUE)
    claims = known.claims.copy()
    for way in (1.0, -1.0):
        x, y = way * np.array([-31.5, -10.0, -10.0, -31.5]), way * np.array([44.0, 44.0, FOOT_MM, FOOT_MM])
        claims.add_polygon(known.scene.camera.project(TRUE.points(x, y)))
    _, identity = named_in_place(replace(known, claims=claims), fit, outline)
    assert identity.probabilities().max() < 0.5


def test_the_faces_that_covered_cards_may_be_are_drawn_once_a_frame(
    blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, drawn, bgr_of = known_of(blank, tmp_path, ("card-1", TRUE)), [], FaceGrid.bgr_of
    known.claims.add_polygon(known.scene.camera.project(moved(TRUE, 30.0, 40.0).corners(63.0, 88.0)))

    def counting(grid: FaceGrid, face: int) -> NDArray[np.float32]:
        drawn.append(face)
        return bgr_of(grid, face)

    monkeypatch.setattr(FaceGrid, "bgr_of", counting)
    looks = [Look(known, pose, CLOSELY, None) for pose in (TRUE, moved(TRUE, 5.0, 0.0))]
    faces = [look.soft([(0, 0), (1, 0), (1, 1)]) for look in looks]
    assert sorted(drawn) == [0, 1]
    assert all(each.shape[0] == 3 for each in faces)
