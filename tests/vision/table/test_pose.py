"""The camera's pose from the fiducials: how well, when it is held, and when they contradict each other."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import BadInput
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.table.pose import TablePoseFinder, white_of_paper
from vision.small import camera_above, empty_table, small_table

TABLE = small_table()
CAMERA = camera_above(tilt_deg=6.0, size=TABLE.image_size)


def grey(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return empty_table(TABLE, CAMERA)


def covered(picture: np.ndarray, *fiducials: int) -> np.ndarray:
    """The picture with a sleeve over some fiducials."""
    out = picture.copy()
    for number in fiducials:
        x, y = CAMERA.project(np.array([[*TABLE.fiducials.centres_mm[number], 0.0]]))[0].astype(int)
        out[max(y - 45, 0) : y + 45, max(x - 45, 0) : x + 45] = 60
    return out


def off_mm(camera: Camera) -> float:
    """How far the worst of some points on the floor is seen beside its place."""
    points = np.array([[x, y, 0.0] for x in (-100.0, 0.0, 100.0) for y in (-75.0, 0.0, 75.0)])
    return float(np.abs(camera.to_plane(CAMERA.project(points)) - points).max())


def test_a_picture_without_fiducials_has_no_pose_and_contradicts_nothing() -> None:
    finder = TablePoseFinder(TABLE)
    assert finder.find(np.full((480, 640), 120, np.uint8)) is None
    assert not finder.contradicted
    assert finder.held is None


@pytest.mark.parametrize(("sleeve", "most_mm"), [((), 0.1), ((1,), 0.1), ((2, 3), 0.3)])
def test_the_floor_is_where_it_is(picture: np.ndarray, sleeve: tuple[int, ...], most_mm: float) -> None:
    seen = TablePoseFinder(TABLE).find(grey(covered(picture, *sleeve)))
    assert seen is not None
    assert off_mm(seen.camera) < most_mm
    assert seen.pose.fiducials == tuple(sorted({1, 2, 3, 4} - set(sleeve)))
    assert seen.pose.reprojection_px < 1.0
    assert not seen.pose.held


def test_refining_is_better_than_corners_alone(picture: np.ndarray) -> None:
    rough = TablePoseFinder(TABLE).find(grey(picture), refine=False)
    fine = TablePoseFinder(TABLE).find(grey(picture))
    assert rough is not None
    assert fine is not None
    assert off_mm(fine.camera) < off_mm(rough.camera)


def test_one_fiducial_is_too_few_and_the_last_pose_is_kept_for_whoever_wants_it(picture: np.ndarray) -> None:
    finder = TablePoseFinder(TABLE)
    first = finder.find(grey(picture))
    assert finder.find(grey(covered(picture, 1, 2, 3))) is None
    assert finder.held is first
    assert not finder.contradicted


def test_one_that_was_pushed_aside_is_left_out() -> None:
    centres = dict(TABLE.fiducials.centres_mm)
    pushed = replace(
        TABLE, fiducials=replace(TABLE.fiducials, centres_mm={**centres, 2: (centres[2][0], centres[2][1] - 12.0)})
    )
    seen = TablePoseFinder(TABLE).find(grey(empty_table(pushed, CAMERA)))
    assert seen is not None
    assert seen.pose.fiducials == (1, 3, 4)
    assert off_mm(seen.camera) < 0.15


def test_the_description_of_another_table_is_contradicted(picture: np.ndarray) -> None:
    wrong = {1: (-90.0, 20.0), 2: (60.0, 95.0), 3: (-10.0, -70.0), 4: (130.0, -20.0)}
    finder = TablePoseFinder(replace(TABLE, fiducials=replace(TABLE.fiducials, centres_mm=wrong)))
    assert finder.find(grey(picture)) is None
    assert finder.contradicted


def test_a_camera_that_moved_is_followed(picture: np.ndarray) -> None:
    finder = TablePoseFinder(TABLE)
    finder.find(grey(picture))
    moved = camera_above(tilt_deg=2.0, size=TABLE.image_size)
    seen = finder.find(grey(empty_table(TABLE, moved)))
    assert seen is not None
    origin = np.zeros((1, 3))
    assert np.abs(seen.camera.project(origin) - moved.project(origin)).max() < 0.2


def test_a_dictionary_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="DICT_NO"):
        TablePoseFinder(replace(TABLE, fiducials=replace(TABLE.fiducials, dictionary="DICT_NO")))


def test_outlines_hold_the_paper_with_its_rim(picture: np.ndarray) -> None:
    seen = TablePoseFinder(TABLE).find(grey(picture))
    assert seen is not None
    sides = np.linalg.norm(seen.fiducial_outlines_px[0] - np.roll(seen.fiducial_outlines_px[0], -1, axis=0), axis=1)
    assert sides.mean() == pytest.approx(2.0 * 24.0 * 1.25, rel=0.05)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 1.0, 1.2), (1.2, 1.0, 0.7)])
def test_the_lights_colour_is_read_from_the_white_of_the_fiducials(
    picture: np.ndarray, light: tuple[float, float, float]
) -> None:
    coloured = np.clip(picture * 0.7 * np.array(light), 0, 255).astype(np.uint8)
    seen = TablePoseFinder(TABLE).find(grey(coloured))
    assert seen is not None
    assert np.allclose(white_of_paper(coloured, seen)[0], light, atol=0.03)


def test_without_any_white_the_light_is_taken_for_white(picture: np.ndarray) -> None:
    seen = TablePoseFinder(TABLE).find(grey(picture))
    assert seen is not None
    ratio, share = white_of_paper(np.full_like(picture, 90), seen)
    assert np.array_equal(ratio, np.ones(3))
    assert np.array_equal(share, np.ones(3))


@pytest.mark.parametrize("haze", [0.0, 90.0])
def test_paper_sends_its_share_of_light_under_whatever_haze(picture: np.ndarray, haze: float) -> None:
    seen = TablePoseFinder(TABLE).find(grey(picture))
    assert seen is not None
    white, black = float(np.percentile(picture, 99)), float(np.percentile(picture, 1))
    hazy = np.sqrt((0.7 * picture.astype(float)) ** 2 + haze**2).round().astype(np.uint8)
    share = white_of_paper(hazy, seen)[1]
    assert share == pytest.approx(np.full(3, 0.49 * (white**2 - black**2) / 255.0**2), rel=0.05)
