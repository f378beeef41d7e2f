"""Where a thick disc that is seen askew shows its side."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.discs.sides import THICKEST, Sides
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.table_view import TableView

TOKEN = SeenDisc(0, np.array([0.0, 0.0]), 10.0, 1.0, 1.0, 1.0, 0.5, 1.0)


def test_the_side_is_turned_to_the_camera() -> None:
    sides = Sides(np.array([400.0, 0.0]), 400.0)
    reach = 10.0 + THICKEST * 10.0
    points = np.array([[reach - 0.1, 0.0], [reach + 0.1, 0.0], [-10.1, 0.0], [0.0, 10.1], [5.0, 0.0]])
    assert sides.on(TOKEN, points).tolist() == [True, False, False, False, False]


def test_from_straight_above_no_side_is_seen() -> None:
    sides = Sides(np.zeros(2), 400.0)
    assert not sides.on(TOKEN, np.array([[10.01, 0.0], [0.0, -10.01], [0.0, 0.0]])).any()


def test_the_foot_is_where_a_camera_sees_it() -> None:
    tilt = 0.6
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    camera = TableView(1000.0, np.zeros(2), 0.0, turn, np.array([20.0, -30.0, 500.0]))
    thick = THICKEST * TOKEN.radius_mm
    face = camera.to_mm(camera.to_px(np.array([[60.0, 40.0]]), thick))[0]
    token = SeenDisc(0, face, TOKEN.radius_mm, 1.0, 1.0, 1.0, 0.5, 1.0)
    assert np.allclose(face + Sides.of(camera).foot(token), [60.0, 40.0], atol=0.05)
