"""Sides of cards and paper, where a pose says that a card lies."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.photographs.sides_seen import is_same_paper, paper_of, sides_seen
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole

SIZE = (480, 480)
CARD_MM = (63.0, 88.0)


def straight_down() -> Camera:
    K = pinhole(SIZE)
    plane = CardPlane(np.array([0.0, 0.0, 2.0 / float(K[0, 0])]), 0.0)
    return camera_over(plane, K, np.zeros(5), np.array([239.5, 239.5]))


def card_at(pose: CardPose) -> Image:
    """A white card on a cloth with a weave."""
    cloth = np.random.default_rng(4).normal(90, 12, (*SIZE, 3))
    outline = straight_down().project(pose.corners(*CARD_MM))
    cv2.fillConvexPoly(cloth, np.round(outline).astype(np.int32), (235.0, 240.0, 244.0))
    return np.asarray(np.clip(cloth, 0, 255), np.uint8)


def sides(view: Image, pose: CardPose, card_mm: tuple[float, float] = CARD_MM) -> float:
    return sides_seen(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32), straight_down(), pose, card_mm)


def test_all_four_sides_of_a_card_that_lies_there() -> None:
    pose = CardPose.flat(10.0, -6.0, 27.0)
    assert sides(card_at(pose), pose) == 4.0


def test_a_card_half_as_large_again_shows_hardly_any() -> None:
    pose = CardPose.flat(0.0, 0.0, 0.0)
    assert sides(card_at(pose), pose, (95.0, 132.0)) == 0.0


def test_the_weave_of_a_cloth_is_no_side() -> None:
    view = card_at(CardPose.flat(70.0, 70.0, 0.0))
    assert sides(view, CardPose.flat(-60.0, -50.0, 15.0)) == 0.0


def test_what_lies_beyond_the_picture_is_not_seen() -> None:
    view = card_at(CardPose.flat(0.0, 0.0, 0.0))
    far = CardPose.flat(400.0, 0.0, 0.0)
    assert sides(view, far) == 0.0
    assert not paper_of(view, straight_down(), far, CARD_MM).any()


def test_paper_is_told_from_cloth() -> None:
    pose = CardPose.flat(20.0, 0.0, 0.0)
    view = card_at(pose)
    paper = paper_of(view, straight_down(), pose, CARD_MM)
    cloth = paper_of(view, straight_down(), CardPose.flat(-80.0, 0.0, 0.0), CARD_MM)
    assert is_same_paper(0.7 * paper, paper)
    assert not is_same_paper(cloth, paper)
    assert not is_same_paper(paper * [0.5, 1.0, 1.0], paper)
