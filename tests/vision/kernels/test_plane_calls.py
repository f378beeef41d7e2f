"""What is compiled about a photograph's plane answers as its twin in numpy does."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.classifier import PicturePart
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.kernels.plane_calls import plane_support
from arena_cam.vision.planes.bundle_adjustment import PlacedCard, fit_outlines
from arena_cam.vision.planes.card_plane import USUAL_FOCAL, find_planes, pinhole
from arena_cam.vision.planes.outline_corners import Corners
from vision.small import camera_above

SIZE = (720, 600)
CAMERA = camera_above(2.0, SIZE, tilt_deg=20.0, height_mm=USUAL_FOCAL * SIZE[0] / 2.0)
POSES = [CardPose.flat(-55.0, -30.0, 20.0), CardPose.flat(60.0, 10.0, 100.0)]


@pytest.mark.parametrize("held", [True, False])
def test_outlines_are_fitted_alike(library: ctypes.CDLL, held: bool) -> None:
    grey = np.random.default_rng(3).normal(120.0, 30.0, SIZE[::-1]).astype(np.float32)
    placed = [PlacedCard(pose, (pose.centre_mm[:2] + 5.0,)) for pose in POSES]
    fits = []
    for each in (library, None):
        with computing_with(each):
            fits.append(fit_outlines(grey, CAMERA, placed, (63.0, 88.0), camera_is_known=held))
    fast, exact = fits
    assert len(exact.sides) > 0
    assert np.allclose(fast.camera.tvec, exact.camera.tvec, atol=1e-4)
    assert np.allclose([p.centre_mm for p in fast.poses], [p.centre_mm for p in exact.poses], atol=1e-4)
    assert np.allclose(fast.inset_mm, exact.inset_mm, atol=1e-4)


@pytest.mark.parametrize("wholes", [0, 2])
def test_planes_have_the_same_support(library: ctypes.CDLL, wholes: int) -> None:
    outline = CAMERA.project(POSES[0].corners(63.0, 88.0))
    before, after = np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0)
    whole = np.stack([outline, after], axis=1)
    corners = Corners(outline, before, after, whole[:wholes], whole)
    answers = []
    for each in (library, None):
        with computing_with(each):
            answers.append(find_planes(corners, pinhole(SIZE), (63.0, 88.0)))
    fast, exact = answers
    assert len(fast) == len(exact) == (0 if wholes == 0 else len(exact))
    assert [p.support for p in fast] == pytest.approx([p.support for p in exact])
    assert np.allclose([p.normal for p in fast], [p.normal for p in exact], atol=1e-9)


def test_convolutions_see_the_same(library: ctypes.CDLL) -> None:
    random = np.random.default_rng(4)

    def layer(inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
        return random.normal(size=(inputs, outputs)).astype(np.float32), random.normal(size=outputs).astype(np.float32)

    part = PicturePart(3, 13, 16, (layer(9, 6), layer(54, 8)))  # an odd height: the last row is left out
    features = random.normal(size=(5, 3 + 13 * 16 + 7)).astype(np.float32)
    with computing_with(library):
        fast = part.of(features)
    with computing_with(None):
        exact = part.of(features)
    assert fast.shape == exact.shape
    assert np.abs(exact).max() > 1.0
    assert np.allclose(fast, exact, atol=1e-4)


def test_where_nothing_is_compiled_there_is_no_answer(library: ctypes.CDLL) -> None:
    rays = np.array([[0.0, 0.0, 1.0], [0.1, 0.0, 1.0]])
    asked = np.array([[0.0, 0.0, 1.0]]), (rays, rays, rays), np.zeros((0, 2, 3)), np.ones(8)
    with computing_with(library):
        assert plane_support(*asked) is not None
    with computing_with(None):
        assert plane_support(*asked) is None
