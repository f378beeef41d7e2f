"""What the corners of a card's markers say of its tilt, on their own and as the start of reading a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing, Reading
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.reading.guesses.marker_pose import leaning_by_markers
from arena_cam.vision.reading.table_reader import TableReader

THICK_MM = 0.35
SIDE_MM = 11.0
PLACES = [(-23.0, 36.0), (23.0, 36.0), (23.0, -36.0), (-23.0, -36.0)]


def _camera() -> Camera:
    """At 700 mm over the floor, looking straight down."""
    K = np.array([[1400.0, 0.0, 767.5], [0.0, 1400.0, 431.5], [0.0, 0.0, 1.0]])
    return Camera(K, np.array([-0.1, 0.02, 0.0, 0.0, 0.0]), np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, 700.0]))


def _leaning(tilt_deg: float, x_mm: float, turned_deg: float = 20.0) -> CardPose:
    """A card whose right border is raised by `tilt_deg`, its lower one on the floor."""
    flat = CardPose.flat(x_mm, 30.0, turned_deg)
    raised = flat.moved(np.array([0.0, 0.0, np.sin(np.radians(tilt_deg)) * 40.0, 0.0, -np.radians(tilt_deg), 0.0]))
    assert raised.tilt_deg == pytest.approx(tilt_deg)
    return raised


def _seen(pose: CardPose, camera: Camera, count: int, noise_px: float) -> list[tuple[SeenMarker, float, float, float]]:
    rng = np.random.default_rng(5)
    half = 0.5 * SIDE_MM * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    markers = []
    for x, y in PLACES[:count]:
        corners = camera.project(pose.points(x + half[:, 0], y + half[:, 1]))
        markers.append((SeenMarker(7, corners + rng.normal(0.0, noise_px, corners.shape)), x, y, SIDE_MM))
    return markers


@pytest.mark.parametrize("tilt_deg", [14.0, 20.0, 28.0])
@pytest.mark.parametrize("count", [3, 4])
def test_a_leaning_card_is_told_by_its_markers(tilt_deg: float, count: int) -> None:
    camera, true = _camera(), _leaning(tilt_deg, 150.0)
    pose = leaning_by_markers(_seen(true, camera, count, 0.3), camera, 2.0)
    assert pose is not None
    assert np.degrees(np.arccos(pose.R[:, 2] @ true.R[:, 2])) < 4.0
    assert pose.centre_mm == pytest.approx(true.centre_mm, abs=4.0)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_flat_card_is_not_said_to_lean(count: int) -> None:
    camera = _camera()
    for x_mm in (-200.0, 0.0, 150.0):
        for height_mm in (0.3, 2.5):
            flat = CardPose.flat(x_mm, 30.0, 20.0, height_mm)
            assert leaning_by_markers(_seen(flat, camera, count, 0.4), camera, 2.0) is None


def test_two_markers_say_nothing_of_the_tilt() -> None:
    camera = _camera()
    assert leaning_by_markers(_seen(_leaning(25.0, 150.0), camera, 2, 0.0), camera, 2.0) is None


@pytest.mark.parametrize(
    "turned_deg", [0.0, 88.0, *(pytest.param(turned, marks=pytest.mark.thorough) for turned in (12.0, -95.0, 182.0))]
)
def test_a_steep_card_in_full_view_is_measured(
    still_table: StillTable, deck: Deck, empty_arena: Path, turned_deg: float
) -> None:
    """Its raised side touches the top of the east wall: what is seen from above begins with no idea of its tilt."""
    arena, size = still_table.scene.table.arena, (deck.width_mm, deck.height_mm)
    reach = np.ptp(CardPose.flat(0.0, 0.0, turned_deg).corners(*size)[:, 0])
    tilt_deg = float(np.degrees(np.arcsin(arena.wall_height_mm / reach)))
    pose = _leaning(tilt_deg, 0.0, turned_deg)
    corners = pose.corners(*size)
    to_wall = np.array([arena.inner_mm[0] / 2 - corners[:, 0].max(), 0.0, THICK_MM - corners[:, 2].min()])
    still_table.renderer.clear()
    still_table.renderer.lay(
        still_table.faces.face(deck.cards[25].id), replace(pose, centre_mm=pose.centre_mm + to_wall)
    )
    still_table.renderer.settle()
    reader = TableReader(replace(still_table.scene.table, empty=empty_arena), deck, hold_pose=False)
    reading = reader.read(Frame(still_table.renderer.picture(), 0.0, 0, "test", "still.jpg"))
    assert isinstance(reading, Reading)
    (lie,) = reading.lies
    assert (lie.card, lie.landing) == (deck.cards[25].id, Landing.DIAGONAL)
    assert lie.tilt_deg == pytest.approx(tilt_deg, abs=1.5)
