"""A face is aligned with the picture: back to where it was painted, with what it knows of its own doubt."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import FLAT_MOTION, FREE_MOTION, Alignment, Picture, Plan, align
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_points import FacePoints, PointTiles, choose_points
from arena_cam.vision.picture.sampling import Pyramid
from vision.small import HEIGHT_MM, WIDTH_MM, camera_above, small_deck, with_card

CAMERA = camera_above(2.0, (320, 320), tilt_deg=12.0)
TRUE = CardPose.flat(8.0, -5.0, 31.0, 0.3)
FLOOR = np.full((320, 320, 3), 90, np.uint8)


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck")))


@pytest.fixture(scope="module")
def picture(faces: DeckFaces) -> np.ndarray:
    """The first card on an even floor, in grey."""
    return grey(with_card(FLOOR, faces.deck, "card-0", CAMERA, TRUE))


def grey(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def points(faces: DeckFaces, px_per_mm: float, face: int = 0) -> FacePoints:
    grid = faces.grid(px_per_mm)
    return choose_points(grid.grey_of(face), PointTiles.of(grid.mask, 1500), grid.x_mm, grid.y_mm, px_per_mm)


def aligned(faces: DeckFaces, picture: np.ndarray, start: CardPose, *, free: bool = False, face: int = 0) -> Alignment:
    """Coarsely first, as guesses are, then finely."""
    view = Picture(Pyramid.of(picture, 3), 0, CAMERA)
    motion = FREE_MOTION if free else FLAT_MOTION
    coarse = align(view, points(faces, 1.0, face), start, Plan(1, motion, iterations=20))
    return align(view, points(faces, 2.0, face), coarse.pose, Plan(0, motion))


def off_px(pose: CardPose, true: CardPose = TRUE) -> float:
    """How far the farthest corner is from where it belongs."""
    at, should = (CAMERA.project(each.corners(WIDTH_MM, HEIGHT_MM)) for each in (pose, true))
    return float(np.linalg.norm(at - should, axis=1).max())


def astray(x_mm: float, y_mm: float, turn_deg: float) -> CardPose:
    return TRUE.moved(np.array([x_mm, y_mm, 0.0, 0.0, 0.0, np.radians(turn_deg)]))


@pytest.mark.parametrize("start", [(0.0, 0.0, 0.0), (3.0, 0.0, 5.0), (-2.0, 2.2, -5.0), (0.0, -3.0, 0.0)])
def test_a_guess_3_mm_and_5_deg_off_is_aligned_to_a_tenth_of_a_pixel(
    faces: DeckFaces, picture: np.ndarray, start: tuple[float, float, float]
) -> None:
    assert off_px(aligned(faces, picture, astray(*start)).pose) < 0.1


@pytest.mark.parametrize(("gain", "offset"), [(0.6, 10.0), (1.1, -15.0)])
def test_the_light_does_not_matter(faces: DeckFaces, picture: np.ndarray, gain: float, offset: float) -> None:
    lit = (gain * picture + offset).astype(np.float32)
    assert off_px(aligned(faces, lit, astray(2.0, -1.5, 4.0)).pose) < 0.1


def test_light_from_one_side_does_not_matter(faces: DeckFaces, picture: np.ndarray) -> None:
    falling = np.linspace(1.2, 0.6, 320, dtype=np.float32)[None, :]
    assert off_px(aligned(faces, picture * falling, astray(2.0, -1.5, 4.0)).pose) < 0.15


def test_a_part_that_something_covers_is_an_outlier(faces: DeckFaces, picture: np.ndarray) -> None:
    covered = picture.copy()
    covered[:, 195:] = 130.0  # a sixth of the card
    assert off_px(aligned(faces, covered, astray(1.5, -1.0, 3.0)).pose) < 0.2


def test_a_leaning_card_is_found_from_flat(faces: DeckFaces) -> None:
    leaning = TRUE.moved(np.array([0.0, 0.0, 4.0, np.radians(8.0), 0.0, 0.0]))
    seen = grey(with_card(FLOOR, faces.deck, "card-0", CAMERA, leaning))
    found = aligned(faces, seen, TRUE, free=True)
    assert found.pose.tilt_deg == pytest.approx(8.0, abs=0.5)
    assert off_px(found.pose, leaning) < 0.15


def test_the_right_face_leaves_less_than_another(faces: DeckFaces, picture: np.ndarray) -> None:
    right, wrong = (aligned(faces, picture, TRUE, face=face) for face in (0, 1))
    assert right.rms < 4.0
    assert wrong.rms > 3 * right.rms


def test_points_that_are_given_no_weight_have_no_say(faces: DeckFaces, picture: np.ndarray) -> None:
    """The right half shows the same card shifted by 2 mm; only the left half is asked."""
    shifted = grey(with_card(FLOOR, faces.deck, "card-0", CAMERA, TRUE.moved(np.array([2.0, 0, 0, 0, 0, 0]))))
    chosen = points(faces, 2.0)
    pixels = CAMERA.project_plane(TRUE.plane, chosen.places)
    both = np.where(np.arange(320)[None, :] < 170, picture, shifted).astype(np.float32)
    left = (pixels[0] < 165).astype(float)
    found = align(Picture(Pyramid.of(both, 1), 0, CAMERA), chosen, TRUE, Plan(motion=FLAT_MOTION), left)
    assert off_px(found.pose) < 0.15


def test_a_prior_holds_a_face_where_the_picture_says_nothing(faces: DeckFaces) -> None:
    even = np.full((320, 320), 120.0, np.float32)
    start = astray(1.0, 0.0, 0.0)
    plan = Plan(motion=FLAT_MOTION, prior=np.diag([1e4] * 6))
    held = align(Picture(Pyramid.of(even, 1), 0, CAMERA), points(faces, 2.0), start, plan)
    assert off_px(held.pose, start) < 0.05


def test_the_information_grows_as_noise_falls(faces: DeckFaces, picture: np.ndarray) -> None:
    rng = np.random.default_rng(0)
    noisy = (picture + rng.normal(0, 12, picture.shape)).astype(np.float32)
    clear, doubtful = (aligned(faces, each, TRUE) for each in (picture, noisy))
    assert clear.information[0, 0] > 4 * doubtful.information[0, 0]
    assert np.allclose(clear.information, clear.information.T, rtol=1e-6)


def test_a_camera_that_sees_nothing_of_the_face_moves_nothing(faces: DeckFaces) -> None:
    away = Camera(CAMERA.K, CAMERA.dist, CAMERA.rvec, CAMERA.tvec + np.array([5000.0, 0.0, 0.0]))
    even = np.zeros((320, 320), np.float32)
    found = align(Picture(Pyramid.of(even, 1), 0, away), points(faces, 2.0), TRUE, Plan())
    assert np.isfinite(found.pose.centre_mm).all()


@pytest.mark.parametrize(
    ("iteration", "step_px", "over"),
    [(0, 0.0, False), (9, 9.0, False), (10, 0.4, True), (10, 0.6, False), (29, 0.6, False), (30, 9.0, True)],
)
def test_a_face_still_on_its_way_is_given_time(iteration: int, step_px: float, over: bool) -> None:
    assert Plan(iterations=10, patience=3).is_over(iteration, step_px) is over


def test_a_face_mostly_covered_has_a_prior_of_its_own() -> None:
    free, covered = np.eye(6), 2 * np.eye(6)
    plan = Plan(prior=free, covered_prior=covered, covered_below=0.5)
    assert plan.prior_for(None) is free
    assert plan.prior_for(np.array([1.0, 1.0, 0.0])) is free
    assert plan.prior_for(np.array([1.0, 0.0, 0.0])) is covered


def test_an_alignment_settles_where_its_pull_leads_to() -> None:
    pull = np.array([0.0, 4.0, 0.0, 0.0, 0.0, 0.0])
    settled = Alignment(TRUE, 2.0 * np.eye(6), 1.0, pull).settled
    assert np.allclose(settled.pose.centre_mm - TRUE.centre_mm, [0.0, 2.0, 0.0])
    assert not settled.pull.any()
