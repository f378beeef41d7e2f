"""Planes that are worth a look, the likeliest first; and photographs that are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes import plane_guesses
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, find_planes, pinhole
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.planes.plane_guesses import likeliest_planes, planes_in_turn, too_small
from vision.planes.test_card_plane import CARD_MM, MIDDLE, SIZE, K, corners_of, plane, seen
from vision.small import frame

NOTHING = Corners(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2, 2)), np.empty((0, 2, 2)))


@pytest.mark.parametrize(("height", "width"), [(39, 800), (800, 12), (1, 1)])
def test_a_photograph_of_a_few_pixels_is_refused_with_its_size_and_what_would_do(height: int, width: int) -> None:
    trouble = too_small(frame(np.zeros((height, width, 3), np.uint8)))
    assert trouble is not None
    assert [why.sentence for why in trouble.why] == [Doubt.SMALL_PHOTOGRAPH, Doubt.LARGER_PHOTOGRAPH]
    assert str(width) in str(trouble.why[0])
    assert str(height) in str(trouble.why[0])
    assert "40" in str(trouble.why[1])


def test_a_larger_one_is_not() -> None:
    assert too_small(frame(np.zeros((40, 40, 3), np.uint8))) is None


def test_a_guess_is_the_plane_and_the_middle_of_its_corners() -> None:
    true = plane(20.0, 30.0)
    camera = camera_over(true, K, np.zeros(5), MIDDLE)
    corners = corners_of(seen(camera, (-60.0, 10.0, 15.0), (60.0, -10.0, -40.0)))
    best = likeliest_planes([NOTHING, corners], K, CARD_MM)[0]
    assert best.plane.distance_mm == pytest.approx(true.distance_mm, rel=0.03)
    assert best.middle_px == pytest.approx(np.median(corners.at, axis=0))


def test_the_same_plane_from_two_pictures_of_edges_is_one_guess() -> None:
    camera = camera_over(plane(20.0, 30.0), K, np.zeros(5), MIDDLE)
    corners = corners_of(seen(camera, (-60.0, 10.0, 15.0), (60.0, -10.0, -40.0)))
    once, twice = (likeliest_planes([corners] * times, K, CARD_MM) for times in (1, 2))
    assert [g.plane.support for g in twice] == [g.plane.support for g in once]
    assert len(twice) <= 4


def test_what_hardly_anything_speaks_for_is_no_guess() -> None:
    camera = camera_over(plane(0.0, 0.0), pinhole(SIZE), np.zeros(5), MIDDLE)
    outline = camera.project(CardPose.flat(0.0, 0.0, 0.0).corners(*CARD_MM))
    one_corner = Corners(outline[:1], outline[3:], outline[1:2], np.empty((0, 2, 2)), np.empty((0, 2, 2)))
    assert likeliest_planes([one_corner], K, CARD_MM) == []
    assert likeliest_planes([], K, CARD_MM) == []


def test_a_plane_is_sought_only_among_corners_that_may_support_a_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most pictures are read on the first plane; all of both sizes were sought before, a tenth of the time."""
    camera = camera_over(plane(20.0, 30.0), K, np.zeros(5), MIDDLE)
    two, one = (
        corners_of(seen(camera, *places))
        for places in (((-60.0, 10.0, 15.0), (60.0, -10.0, -40.0)), ((-60.0, 10.0, 15.0),))
    )
    found, sizes, asked = [one, two, NOTHING, one], [CARD_MM, (57.5, 88.0)], list[int]()

    def counted(corners: Corners, *rest: Any) -> list[CardPlane]:
        asked.append(len(corners.at))
        return find_planes(corners, *rest)

    monkeypatch.setattr(plane_guesses, "find_planes", counted)
    planes = planes_in_turn(found, K, sizes)
    first, size = next(planes)
    assert set(asked) == {len(two.at)}
    in_turn = [(first.plane.support, size), *((guess.plane.support, size) for guess, size in planes)]
    of_each = [(guess.plane.support, size) for size in sizes for guess in likeliest_planes(found, K, size)]
    assert in_turn == sorted(of_each, key=lambda each: -each[0])[:4]
