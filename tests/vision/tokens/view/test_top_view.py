"""The table from above: pixels lie where the millimetres say."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import MOST_KEPT, TopView, away_mm, seen_box, squared, top_view


def view() -> TableView:
    return TableView(1000.0, np.array([319.5, 239.5]), 0.0, np.eye(3), np.array([0.0, 0.0, 500.0]))


def test_a_spot_of_the_photograph_lies_at_its_place_on_the_table() -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    image[299:302, 399:402] = 255
    seen = top_view(image, view(), np.array([[-100.0, -80.0], [100.0, 80.0]]), 2.0)
    row, column = np.argwhere(seen.pixels[..., 0] > 200).mean(axis=0)
    assert np.allclose(seen.at(view().to_mm(np.array([[400.0, 300.0]])))[0], [column, row], atol=0.6)
    assert seen.inside.all()


def test_a_patch_is_the_card_upright() -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    image[:, 320:] = 200
    seen = top_view(image, view(), np.array([[-100.0, -80.0], [100.0, 80.0]]), 2.0)
    patch, inside = seen.patch(np.array([0.0, 0.0, np.pi]), (40.0, 60.0), 1.0)
    assert inside.all()
    assert patch[:, :15].mean() == pytest.approx(200, abs=2)
    assert patch[:, 25:].mean() == pytest.approx(0, abs=2)


def test_slopes_over_two_millimetres_are_those_of_the_steepest_channel() -> None:
    """Blue rises by 1 a pixel to the right and green by 2 downwards, at 2 px/mm."""
    rows, columns = np.mgrid[0:80, 0:80].astype(np.float32)
    pixels = np.stack([columns, 2.0 * rows, np.zeros_like(rows)], axis=-1)
    seen = TopView(pixels, np.ones((80, 80), bool), np.array([-20.0, -20.0]), 2.0)
    along, down = seen.slopes_at_mm(np.array([-10.0, -10.0]), 20)
    assert along.shape == down.shape == (20, 20)
    assert np.allclose(along[2:-2, 2:-2], 0.0, atol=1e-3)
    assert np.allclose(down[2:-2, 2:-2], 8.0, atol=1e-3)


def test_the_box_ends_where_the_photograph_does() -> None:
    box = seen_box(view(), (640, 480), np.array([[0.0, 0.0]]))
    assert np.allclose(box, [[-160, -120], [160, 120]], atol=1.0)


@pytest.mark.parametrize("turn", [0.0, 0.6, 2.0])
def test_a_table_seen_askew_is_squared_to_all_that_the_photograph_shows(turn: float) -> None:
    squarely, box = squared(view().shifted(np.array([30.0, 10.0]), turn), (640, 480))
    assert sorted(box[1] - box[0]) == pytest.approx([240, 320], abs=1.5)
    corners = squarely.to_px(np.array([box[0], box[1]]))
    assert sorted(np.abs(corners - 0.5 * (np.array([640, 480]) - 1)).ravel()) == pytest.approx(
        [240, 240, 320, 320], abs=1.5
    )


def test_what_is_seen_too_small_to_be_read_is_left_out() -> None:
    """A table that recedes to the horizon, which is in the picture."""
    c, s = np.cos(1.35), np.sin(1.35)
    rotation = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    low = TableView(1000.0, np.array([319.5, 239.5]), 0.0, rotation, np.array([0.0, 0.0, 500.0]))
    squarely, box = squared(low, (640, 480))
    assert np.ptp(box, axis=0).max() < 1500.1
    assert np.linalg.det(squarely.px_per_mm(box.mean(axis=0)[None]))[0] > 0.25


def test_what_lies_in_a_card_is_the_same_without_its_pixels() -> None:
    seen = TopView(np.zeros((60, 80, 3), np.float32), np.arange(80) < np.full((60, 1), 50), np.zeros(2), 2.0)
    place = np.array([22.0, 12.0, 0.3])
    assert np.array_equal(seen.inside_card(place, (20.0, 30.0), 1.0), seen.patch(place, (20.0, 30.0), 1.0)[1])


def test_distances_to_outlines_are_told_as_far_as_they_are_asked_for() -> None:
    seen = TopView(np.zeros((90, 120, 3), np.float32), np.ones((90, 120), bool), np.zeros(2), 2.0)
    away = away_mm(seen, [np.array([[20.0, 15.0], [30.0, 15.0], [30.0, 25.0], [20.0, 25.0]])], 4.0)
    assert away[40, 50] == 0.0
    assert away[40, 66] == pytest.approx(3.0, abs=0.3)  # column 66 lies at 33.25 mm, and six pixels off
    assert np.isinf(away[40, 110])
    assert np.isinf(away_mm(seen, [], 4.0)).all()


def test_patches_are_kept_by_where_they_lie_and_how_large_they_are() -> None:
    """Whoever asks again has the same pixels, which nobody may write to; of many places the last ones are kept."""
    pixels = np.random.default_rng(2).uniform(0.0, 255.0, (60, 80, 3)).astype(np.float32)
    seen, size = TopView(pixels, np.ones((60, 80), bool), np.zeros(2), 2.0), (20.0, 30.0)
    place = np.array([22.0, 12.0, 0.3])
    first = seen.patch(place, size, 1.0)
    assert seen.patch(place.copy(), size, 1.0)[0] is first[0]
    assert not first[0].flags.writeable
    assert not first[1].flags.writeable
    assert seen.patch(place, size, 2.0)[0].shape == (60, 40, 3)
    assert not np.array_equal(seen.patch(place + np.array([1.0, 0.0, 0.0]), size, 1.0)[0], first[0])
    for k in range(MOST_KEPT):
        seen.patch(place + np.array([0.0, k + 1.0, 0.0]), size, 1.0)
    again = seen.patch(place, size, 1.0)
    assert again[0] is not first[0]
    assert np.array_equal(again[0], first[0])
