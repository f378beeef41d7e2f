"""A card whose print says little is found where its outline is seen."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.cards.card_rims import rim_points
from arena_cam.vision.tokens.cards.rim_places import rim_places
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

SIZE_MM = (60.0, 90.0)
RIM = rim_points(SIZE_MM, 3.0)
TRUE = np.array([100.0, 110.0, 0.3])


def table(*, card: bool = True) -> TopView:
    """A blank card on a grey table of 220 mm, at 2 px/mm."""
    rows, columns = np.indices((440, 440))
    mm = (np.stack([columns, rows], axis=-1) + 0.5) / 2.0
    pixels = np.full((440, 440, 3), 90.0, np.float32)
    motion = rigid_motion(TRUE)
    local = np.abs((mm - motion[:, 2]) @ motion[:, :2])
    if card:
        pixels[(local < np.array(SIZE_MM) / 2).all(axis=2)] = 150.0
    return TopView(pixels, np.ones((440, 440), bool), np.zeros(2), 2.0)


def free(left_mm: int = 0) -> np.ndarray:
    """What is open at 1 px/mm: all but the `left_mm` leftmost millimetres."""
    open_ = np.ones((220, 220), bool)
    open_[:, :left_mm] = False
    return open_


def test_the_outline_some_millimetres_and_degrees_aside_is_found() -> None:
    best = rim_places(table(), TRUE + np.array([4.0, -5.0, np.radians(4.0)]), RIM, free(), np.zeros(2))[0]
    assert np.linalg.norm(best[:2] - TRUE[:2]) < 1.5
    assert abs(best[2] - TRUE[2]) < 0.04


def test_half_of_the_outline_tells_it_too() -> None:
    best = rim_places(table(), TRUE + np.array([3.0, 3.0, 0.0]), RIM, free(left_mm=95), np.zeros(2))[0]
    assert np.linalg.norm(best[:2] - TRUE[:2]) < 2.0


def test_where_nearly_all_is_covered_nothing_is_said() -> None:
    assert rim_places(table(), TRUE, RIM, free(left_mm=219), np.zeros(2)) == []
