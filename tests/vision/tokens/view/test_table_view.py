"""The view of a table is found from flat prints, whatever the camera's tilt."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.vision.tokens.view.table_view import SeenPrint, TableView, fit_table, offs_px, placed, rigid


def tilted(degrees: float) -> TableView:
    rotation = np.asarray(cv2.Rodrigues(np.array([math.radians(degrees), 0.0, 0.1]))[0], np.float64)
    return TableView(1200.0, np.array([767.5, 431.5]), 0.0, rotation, np.array([5.0, -10.0, 520.0]))


def prints(view: TableView) -> list[SeenPrint]:
    mm = np.random.default_rng(1).uniform([-28, -42], [28, 42], (30, 2))
    places = np.array([[0.0, 0.0, 0.0], [150.0, -60.0, 1.2], [-140.0, 70.0, -0.6]])
    return [SeenPrint(mm, view.to_px(placed(mm, place))) for place in places]


def test_pixels_and_millimetres_are_each_others_way_back() -> None:
    view = tilted(25.0)
    mm = np.array([[0.0, 0.0], [120.0, -80.0]])
    assert np.allclose(view.to_mm(view.to_px(mm)), mm, atol=1e-6)


def test_a_moved_frame_shows_the_same_points() -> None:
    view = tilted(25.0)
    moved = view.shifted(np.array([30.0, 10.0]), 0.4)
    mm = np.array([[12.0, -7.0]])
    assert np.allclose(moved.to_px(mm), view.to_px(placed(mm, np.array([30.0, 10.0, 0.4]))), atol=1e-6)


@pytest.mark.parametrize("degrees", [0.0, 12.0, 30.0])
def test_the_view_is_found_from_three_prints(degrees: float) -> None:
    view = tilted(degrees)
    found = fit_table(prints(view), (1536, 864))
    assert found is not None
    assert found.tilt_deg == pytest.approx(view.tilt_deg, abs=2.5)
    for each in prints(view):
        there = placed(each.mm, rigid(each.mm, found.to_mm(each.px)))
        assert np.abs(found.to_px(there) - each.px).max() < 0.6


def test_a_fit_goes_on_from_a_view_in_another_frame() -> None:
    view = tilted(20.0)
    start = view.shifted(np.array([70.0, 20.0]), 0.9)
    found = fit_table(prints(view), (1536, 864), start)
    assert found is not None
    assert found.tilt_deg == pytest.approx(view.tilt_deg, abs=2.5)


def test_an_unusual_lens_that_explains_the_prints_no_better_is_left_again() -> None:
    """Its cost has no bound: keypoints in some corner of the picture hardly tell the focal length."""
    view = tilted(12.0)
    start = replace(view, focal=600.0, place=view.place * np.array([1.0, 1.0, 0.5]), radial=0.8)
    found = fit_table(prints(view)[:2], (1536, 864), start)
    assert found is not None
    assert found.focal == pytest.approx(view.focal, rel=0.1)
    assert offs_px(found, prints(view)[:2]).max() < 0.1


def test_nothing_seen_is_no_view() -> None:
    assert fit_table([], (1536, 864)) is None
