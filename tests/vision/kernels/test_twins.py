"""What is compiled answers as its twin in numpy does, to far less than anything that is decided by it."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import FLAT_MOTION, Alignment, Picture, Plan, align
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_points import FacePoints, PointTiles, choose_points
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.picture.sampling import Pyramid
from vision.small import camera_above, small_deck, with_card

# a lens with every term of distortion
CAMERA = replace(camera_above(2.0, (320, 320), tilt_deg=12.0), dist=np.array([-0.08, 0.03, 4e-4, -6e-4, 0.01]))
TRUE = CardPose.flat(8.0, -5.0, 31.0, 0.3)
HELD = np.diag([0.0, 0.0, 4.0**-2, 0.08**-2, 0.08**-2, 0.0])


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck")))


@pytest.fixture(scope="module")
def picture(faces: DeckFaces) -> np.ndarray:
    """The first card on an even floor, with noise, in colour."""
    seen = with_card(np.full((320, 320, 3), 90, np.uint8), faces.deck, "card-0", CAMERA, TRUE)
    noise = np.random.default_rng(5).normal(0.0, 3.0, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


def grey(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def points(faces: DeckFaces, px_per_mm: float, face: int) -> FacePoints:
    grid = faces.grid(px_per_mm)
    return choose_points(grid.grey[face], PointTiles.of(grid.mask, 1500), grid.x_mm, grid.y_mm, px_per_mm)


STARTS = {
    "near": TRUE.moved(np.array([1.5, -1.0, 0.0, 0.0, 0.0, 0.04])),
    "leaning": TRUE.moved(np.array([0.5, -1.0, 3.0, 0.1, -0.05, 0.02])),
    "half outside": CardPose.flat(72.0, 5.0, 31.0, 0.3),
    "outside": CardPose.flat(400.0, 5.0, 31.0, 0.3),
    "behind the camera": CardPose.flat(0.0, 5.0, 31.0, 900.0),
}
PLANS = {
    "slide": Plan(1, FLAT_MOTION, iterations=8, converged_px=0.1),
    "free, held": Plan(1, prior=HELD, iterations=8, converged_px=0.12),
    "fine, tolerant, patient": Plan(0, prior=HELD, iterations=10, patience=3, converged_px=0.03, tolerant=True),
    "one look": Plan(0, iterations=0),
}


def both(library: ctypes.CDLL, task: tuple[Picture, FacePoints, CardPose, Plan, np.ndarray | None]) -> list[Alignment]:
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(align(*task))
    return found


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize(("face", "in_view"), [(0, 1.0), (0, 0.7), (0, 0.3), (1, 1.0)])
def test_an_alignment_ends_in_the_same_place(
    library: ctypes.CDLL,
    samples_exactly: bool,
    faces: DeckFaces,
    picture: np.ndarray,
    start: CardPose,
    plan: Plan,
    face: int,
    in_view: float,
) -> None:
    of_face = points(faces, 1.0 if plan.halvings else 2.0, face)
    some = None if in_view == 1.0 else (of_face.places[0] < np.quantile(of_face.places[0], in_view)).astype(np.float64)
    task = Picture(Pyramid.of(grey(picture), 3), 0, CAMERA), of_face, start, plan, some
    if face == 1 or start is STARTS["half outside"]:
        # a fit of nothing wanders: after some steps it hangs on the last digit of every sample
        task = *task[:3], replace(plan, iterations=4 if samples_exactly else 0, patience=1), some
    compiled, twin = both(library, task)
    near, alike = (1e-6, 1e-6) if samples_exactly else (0.1, 0.05)
    assert compiled.pose.centre_mm == pytest.approx(twin.pose.centre_mm, abs=near, nan_ok=True)
    assert np.allclose(compiled.pose.R, twin.pose.R, atol=near, equal_nan=True)
    assert compiled.rms == pytest.approx(twin.rms, rel=alike, abs=alike, nan_ok=True)
    scale = float(np.abs(twin.information).max())
    assert compiled.information == pytest.approx(twin.information, abs=alike * scale, nan_ok=True)
    if samples_exactly:
        assert compiled.pull == pytest.approx(twin.pull, abs=1e-5 * max(1.0, float(np.abs(twin.pull).max())))


def test_an_aligned_card_lies_where_it_was_painted(library: ctypes.CDLL, faces: DeckFaces, picture: np.ndarray) -> None:
    """The twins agree on something: not on nothing."""
    view = Picture(Pyramid.of(grey(picture), 3), 0, CAMERA)
    with computing_with(library):
        coarse = align(view, points(faces, 1.0, 0), STARTS["near"], PLANS["slide"])
        fine = align(view, points(faces, 2.0, 0), coarse.pose, PLANS["fine, tolerant, patient"])
    assert fine.pose.centre_mm[:2] == pytest.approx(TRUE.centre_mm[:2], abs=0.2)  # painted without the lens


def test_a_camera_in_one_row_is_the_camera() -> None:
    row = CAMERA.flat
    assert len(row) == 31
    assert np.array_equal(row[:9].reshape(3, 3), CAMERA.R)
    assert Camera(CAMERA.K, CAMERA.dist, CAMERA.rvec, CAMERA.tvec).flat == pytest.approx(row)
