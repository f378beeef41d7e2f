"""A card in a photograph or a scan: its corners where they were painted, or why there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.messages import Message
from arena_cam.vision.deck_learning.card_outline import CardOutline, PhotographedCard, find_card
from arena_cam.vision.deck_learning.taking_messages import NotFound
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, painted_at

SIZE_MM = (WIDTH_MM, HEIGHT_MM)
FELT = (70, 60, 40)
SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


def face() -> Image:
    """Blotches in a white frame of 3 mm."""
    print_ = blotches(6)
    for edge in (print_[:12], print_[-12:], print_[:, :12], print_[:, -12:]):
        edge[:] = 235
    return print_


def photograph(corners: np.ndarray, ground: tuple[int, int, int] = FELT, seed: int = 0) -> Image:
    scene = painted_at(np.full((480, 400, 3), ground, np.uint8), face(), corners)
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), 0.8), np.uint8)
    noise = np.random.default_rng(seed).normal(0, 1.5, scene.shape)
    return np.asarray(np.clip(scene + noise, 0, 255), np.uint8)


def seen(tilt: tuple[float, float, float], distance_mm: float = 170.0) -> np.ndarray:
    """The corners (4, 2) of a card turned by a rotation vector, before a phone's camera."""
    f = 0.75 * 480
    K = np.array([[f, 0.0, 199.5], [0.0, f, 239.5], [0.0, 0.0, 1.0]])
    card = np.column_stack([(SQUARE - 0.5) * SIZE_MM, np.zeros(4)])
    at = cv2.projectPoints(card, np.array(tilt), np.array([2.0, -3.0, distance_mm]), K, np.zeros(5))[0]
    return np.asarray(at, np.float64).reshape(4, 2)


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (240, 200)])
@pytest.mark.parametrize("level", [0, 120, 255])
def test_an_even_picture_shows_no_card(size: tuple[int, int], level: int) -> None:
    found = find_card(np.full((*size, 3), level, np.uint8), *SIZE_MM)
    assert found == NotFound.NO_CARD()


@pytest.mark.parametrize("tilt", [(0.4, 0.0, 0.1), (-0.2, 0.35, -0.3)], ids=str)
def test_a_card_is_found_to_half_a_pixel(tilt: tuple[float, float, float]) -> None:
    true = seen(tilt)
    found = find_card(photograph(true), *SIZE_MM)
    assert isinstance(found, CardOutline)
    assert np.abs(found.corners_px - true).max() < 0.7
    assert np.abs(found.pixels(SQUARE) - found.corners_px).max() < 1e-6
    assert found.misfit is not None
    assert found.misfit.by_focal_mm.min() < 0.15


def test_up_is_what_is_up_in_the_picture_and_plain_felt_makes_certain() -> None:
    true = seen((0.0, 0.0, 0.2))
    found = find_card(photograph(np.roll(true, 2, axis=0)), *SIZE_MM)  # painted upside down
    assert isinstance(found, CardOutline)
    assert np.abs(found.corners_px - true).max() < 0.7
    assert found.parted > 0.9
    assert found.certain


@pytest.mark.parametrize("turned_deg", [58.0, 80.0, 90.0, 100.0, 122.0])
def test_a_card_across_the_picture_has_its_top_on_the_right(turned_deg: float) -> None:
    true = seen((0.0, 0.0, np.radians(turned_deg)))
    found = find_card(photograph(true), *SIZE_MM)
    assert isinstance(found, CardOutline)
    assert found.corners_px[:2, 0].min() > found.corners_px[2:, 0].max()


@pytest.mark.parametrize("size_mm", [(88.0, 88.0), (40.0, 88.0)])
def test_a_sheet_of_other_proportions_is_no_card(size_mm: tuple[float, float]) -> None:
    assert isinstance(find_card(photograph(seen((0.0, 0.0, 0.0))), *size_mm), Message)


def test_a_card_that_the_picture_cuts_off_is_refused() -> None:
    assert isinstance(find_card(photograph(seen((0.0, 0.0, 0.0)) + np.array([150.0, 0.0])), *SIZE_MM), Message)


def test_on_a_sheet_of_the_cards_proportions_the_card_is_meant() -> None:
    true = seen((0.0, 0.0, 0.0), 330.0)
    middle = true.mean(axis=0)
    sheet = painted_at(
        np.full((480, 400, 3), FELT, np.uint8), np.full((8, 8, 3), 150, np.uint8), middle + 2.2 * (true - middle)
    )
    found = find_card(painted_at(sheet, face(), true), *SIZE_MM)
    assert isinstance(found, CardOutline)
    assert np.abs(found.corners_px - true).max() < 1.0


SCAN = np.full((880, 630, 3), 180, np.uint8)


@pytest.mark.parametrize(
    ("scan", "corners"),
    [
        (SCAN, [[0, 0], [630, 0], [630, 880], [0, 880]]),
        (SCAN.transpose(1, 0, 2), [[880, 0], [880, 630], [0, 630], [0, 0]]),
    ],
    ids=["upright", "across"],
)
def test_a_scan_is_the_card_from_edge_to_edge(scan: Image, corners: list[list[int]]) -> None:
    found = find_card(np.ascontiguousarray(scan), *SIZE_MM, scan=True)
    assert isinstance(found, CardOutline)
    assert (found.corners_px + 0.5).tolist() == corners
    assert found.traced is None
    assert found.certain
    assert found.pixels(np.array([[0.5, 0.5]]))[0] == pytest.approx(np.mean(corners, axis=0) - 0.5)


def test_a_scan_of_other_proportions_is_refused_with_its_size() -> None:
    found = find_card(SCAN[:800], *SIZE_MM, scan=True)
    assert found == NotFound.NO_SCAN(width_mm="63", height_mm="88", width_px=630, height_px=800)


def test_the_curve_starts_at_its_corners() -> None:
    curve = PhotographedCard(400, 480)
    true = seen((0.4, -0.2, 0.3))
    assert np.abs(curve(curve.start(true), SQUARE) - true).max() < 1e-3


def test_a_lens_moves_points_outwards_by_the_square_of_their_distance() -> None:
    curve = PhotographedCard(400, 480)
    straight = curve.start(seen((0.0, 0.0, 0.0)))
    bent = np.append(straight[:8], 0.05)
    middle = np.array([199.5, 239.5])
    at, moved = curve(straight, SQUARE) - middle, curve(bent, SQUARE) - middle
    distance = np.linalg.norm(at, axis=1) / curve.unit_px
    assert np.linalg.norm(moved, axis=1) / np.linalg.norm(at, axis=1) == pytest.approx(1 + 0.05 * distance**2)
