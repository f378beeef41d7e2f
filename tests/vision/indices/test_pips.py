"""Pips between the indices tell a card's rank, whatever its art."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.things.ordinary_pack import draw_face, random_style
from arena_cam.vision.indices.classifier import RANKS
from arena_cam.vision.indices.pips import pip_evidence
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole

SIZE = (480, 480)
PX_PER_MM = 3.0


def straight_down() -> Camera:
    K = pinhole(SIZE)
    plane = CardPlane(np.array([0.0, 0.0, PX_PER_MM / float(K[0, 0])]), 0.0)
    return camera_over(plane, K, np.zeros(5), np.array([239.5, 239.5]))


def evidence(card: str, covered: list[np.ndarray] | None = None, turned: bool = False) -> np.ndarray:
    """What the pips say of a drawn card that lies in the middle of a dark cloth."""
    import cv2

    style = random_style(3)
    face = cv2.resize(draw_face(style, card), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    view: Image = np.full((*SIZE, 3), 60, np.uint8)
    h, w = face.shape[:2]
    top, left = (SIZE[1] - h) // 2, (SIZE[0] - w) // 2
    view[top : top + h, left : left + w] = face
    pose = CardPose.flat(0.0, 0.0, 180.0 if turned else 0.0)
    return pip_evidence(view, straight_down(), pose, (style.width_mm, style.height_mm), covered or [])


@pytest.mark.parametrize("rank", "23456789T")
def test_a_number_card_is_told_by_its_pips(rank: str) -> None:
    said = evidence(rank + "S")
    assert said[RANKS.index(rank)] == 0.0
    assert sum(said > -1.0) == 1


def test_a_seven_is_one_either_way_up() -> None:
    assert evidence("7D", turned=True)[RANKS.index("7")] == 0.0


def test_an_ace_is_no_three_and_no_court() -> None:
    said = evidence("AC")
    assert said[RANKS.index("A")] == 0.0
    assert all(said[RANKS.index(rank)] < -1.0 for rank in "23JQK")


def test_courts_are_alike() -> None:
    said = evidence("QH")
    assert said[RANKS.index("J")] == said[RANKS.index("Q")] == said[RANKS.index("K")]


def test_what_is_covered_says_nothing() -> None:
    everything = np.array([[-60, 60], [60, 60], [60, -60], [-60, -60]], np.float32)
    assert not evidence("5H", [everything]).any()
