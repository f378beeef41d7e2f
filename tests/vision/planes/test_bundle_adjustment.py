"""The plane, the lens and the cards of a picture at once, from sides and indices."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.bundle_adjustment import OutlineFit, PlacedCard, fit_outlines
from arena_cam.vision.planes.card_plane import USUAL_FOCAL
from vision.small import camera_above

SIZE = (720, 600)
INSET = (5.0, 3.6)
TRUE = camera_above(2.0, SIZE, tilt_deg=20.0, height_mm=USUAL_FOCAL * SIZE[0] / 2.0)
POSES = [CardPose.flat(-55.0, -30.0, 20.0), CardPose.flat(-20.0, 15.0, -35.0), CardPose.flat(60.0, 10.0, 100.0)]


def photograph(card_mm: tuple[float, float]) -> np.ndarray:
    grey = np.full(SIZE[::-1], 70.0, np.float32)
    for level, pose in zip((225.0, 240.0, 232.0), POSES, strict=True):
        corners = np.round(TRUE.project(pose.corners(*card_mm)) * 16).astype(np.int32)
        cv2.fillConvexPoly(grey, corners, (level,), lineType=cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.7), np.float32)


def thought(start: Camera, card_mm: tuple[float, float]) -> list[PlacedCard]:
    """The cards on the plane of another camera, where their indices are seen, each a little off."""
    rng = np.random.default_rng(2)
    placed = []
    for pose in POSES:
        local = np.array([[-card_mm[0] / 2 + INSET[0]], [card_mm[1] / 2 - INSET[1]]])
        top = start.to_plane(TRUE.project(pose.points(*local)))[0, :2]
        corners = start.to_plane(TRUE.project(pose.corners(*card_mm)))
        seen = CardPose.of_corners(np.column_stack([corners[:, :2], np.zeros(4)]))
        x, y = seen.centre_mm[:2] + rng.normal(0.0, 1.5, 2)
        placed.append(PlacedCard(CardPose.flat(float(x), float(y), seen.angle_deg + rng.normal(0.0, 1.5)), (top,)))
    return placed


def fitted(start: Camera, card_mm: tuple[float, float] = (63.0, 88.0)) -> OutlineFit:
    return fit_outlines(photograph(card_mm), start, thought(start, card_mm), (63.0, 88.0), (63.0, 57.5))


def worst_px(fit: OutlineFit, card_mm: tuple[float, float]) -> float:
    off = [
        np.hypot(*(fit.camera.project(got.corners(*fit.card_mm)) - TRUE.project(true.corners(*card_mm))).T).max()
        for got, true in zip(fit.poses, POSES, strict=True)
    ]
    return float(max(off))


def test_a_plane_a_few_percent_off_is_brought_to_the_cards() -> None:
    start = replace(TRUE, tvec=TRUE.tvec * 1.03, rvec=TRUE.rvec + np.array([0.03, 0.0, 0.0]))
    fit = fitted(start)
    assert fit.card_mm == (63.0, 88.0)
    assert worst_px(fit, (63.0, 88.0)) < 1.5
    assert np.abs(fit.inset_mm - INSET).max() < 0.6, "all indices are as far from the corner"


def test_narrow_cards_are_told_by_their_sides() -> None:
    fit = fitted(TRUE, (57.5, 88.0))
    assert fit.card_mm == (57.5, 88.0)
    assert worst_px(fit, (57.5, 88.0)) < 1.5


def test_a_camera_that_is_known_is_kept() -> None:
    fit = fit_outlines(photograph((63.0, 88.0)), TRUE, thought(TRUE, (63.0, 88.0)), (63.0, 88.0), camera_is_known=True)
    assert fit.camera is TRUE
    assert worst_px(fit, (63.0, 88.0)) < 1.5
