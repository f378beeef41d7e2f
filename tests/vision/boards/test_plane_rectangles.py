"""Rectangles of a board's size on a known plane: found whichever way they lie, and no others."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.plane_rectangles import rectangles
from arena_cam.vision.boards.straight.straight_board import Halvings
from arena_cam.vision.boards.table_plane import TablePlane

SLANTED = np.array([[2.0, 0.2, 300.0], [-0.1, 1.7, 250.0], [0.0003, 0.0005, 1.0]])
PLANE = TablePlane(SLANTED)
SIZE = np.array([[140.0, 110.0]])
HALF = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * SIZE[0] / 2


def laid(at_mm: tuple[float, float], turn_deg: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return transformed(SLANTED, HALF @ np.array([[c, s], [-s, c]]) + at_mm)


def picture(*frames: NDArray[np.float64], sides: int = 4) -> NDArray[np.uint8]:
    """A grey table with blots on it, and thin dark frames."""
    random = np.random.default_rng(3)
    image = np.full((700, 900, 3), 150, np.uint8)
    for x, y in random.uniform(0, 900, (60, 2)):
        cv2.circle(image, (int(x), int(y)), int(random.integers(4, 20)), (120, 130, 140), -1)
    for corners in frames:
        points = np.append(corners, corners[:1], axis=0)[: sides + 1]
        cv2.polylines(image, [np.round(points).astype(np.int32)], False, (60, 40, 40), 3, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("turn_deg", "sides"), [(0.0, 4), (37.0, 4), (121.0, 3)])
def test_a_thin_frame_is_found_though_one_side_is_hidden(turn_deg: float, sides: int) -> None:
    frame = laid((190.0, 60.0), turn_deg)
    found = rectangles(Halvings(picture(frame, sides=sides)), PLANE, [], SIZE, 0.5)
    assert min(away(each.outline, frame) for each in found if each.plain) < 6.0


def away(outline: NDArray[np.float64], frame: NDArray[np.float64]) -> float:
    return float(min(np.abs(np.roll(outline, k, axis=0) - frame).max() for k in range(4)))


def test_of_a_frame_that_is_seen_in_parts_only_one_guess_is_left() -> None:
    """Speckled stone hides more than half of a dim frame: what lies there is to be read, or it is nothing."""
    frame = laid((190.0, 60.0), 37.0)
    image = picture(frame)
    for a, b in zip(frame, np.roll(frame, -1, axis=0), strict=True):
        for share in (0.25, 0.75):
            cv2.circle(image, np.round(a + share * (b - a)).astype(int).tolist(), 12, (150, 150, 150), -1)
    (found,) = rectangles(Halvings(image), PLANE, [], SIZE, 0.5)
    assert not found.plain
    assert away(found.outline, frame) < 8.0


def plain(image: NDArray[np.uint8], size: NDArray[np.float64], known: Sequence[NDArray[np.float64]] = ()) -> bool:
    return any(found.plain for found in rectangles(Halvings(image), PLANE, known, size, 0.5))


def test_a_known_board_and_a_frame_of_another_size_are_none() -> None:
    known = laid((190.0, 60.0), 20.0)
    assert not plain(picture(known), SIZE, [laid((190.0, 60.0), 20.0)])
    assert not plain(picture(known), SIZE * 1.3)


def test_two_sides_are_no_frame() -> None:
    assert not plain(picture(laid((190.0, 60.0), 20.0), sides=2), SIZE)
