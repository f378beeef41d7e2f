"""Marks of ink on paper: how dark, how large, where."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.indices.ink import (
    VIEW_PX_PER_MM,
    find_ink,
    find_marks,
    with_light_inverted,
    with_tints_bleached,
)
from vision.indices.cards import BLACK, CLOTH, PAPER, RED, mm, paper, with_rectangle


def test_ink_is_dark_against_the_paper_it_is_on() -> None:
    ink = find_ink(with_rectangle(paper(), 20, 20, 5, 7))
    assert ink.darkness[mm(23.0)[0], mm(22.0)[0]] == pytest.approx(1 - 30 / 240, abs=0.05)
    assert ink.darkness[mm(5.0)[0], mm(50.0)[0]] < 0.05


@pytest.mark.parametrize("level", [1.0, 0.45])
def test_dim_light_makes_no_ink(level: float) -> None:
    """Paper half in the shade: neither side is ink, the mark in the shade is as dark as the one in the light."""
    view = with_rectangle(with_rectangle(paper(), 10, 25, 5, 7), 45, 25, 5, 7)
    fall = np.linspace(1.0, level, view.shape[1])[None, :, None]
    ink = find_ink((view * fall).astype(np.uint8))
    row = mm(28.0)[0]
    assert ink.darkness[row, mm(12.0)[0]] == pytest.approx(ink.darkness[row, mm(47.0)[0]], abs=0.06)
    assert ink.darkness[mm(10.0)[0]].max() < 0.2


def test_red_ink_is_dark_in_green_and_blue_but_not_in_red() -> None:
    ink = find_ink(with_rectangle(paper(), 20, 20, 5, 7, RED))
    blue, green, red = ink.colour[mm(23.0)[0], mm(22.0)[0]] / 255.0
    assert min(blue, green) > 0.7
    assert red < 0.3
    assert ink.darkness[mm(23.0)[0], mm(22.0)[0]] == pytest.approx(max(blue, green))


def test_a_mark_has_its_size_place_and_colour() -> None:
    marks = find_marks(find_ink(with_rectangle(paper(), 20, 15, 4, 7)))
    assert marks
    for mark in marks:
        assert mark.centre / VIEW_PX_PER_MM == pytest.approx([22.0, 18.5], abs=0.4)
        assert mark.size_mm == pytest.approx(7.0, abs=0.8)
        assert mark.points.min(axis=0) / VIEW_PX_PER_MM == pytest.approx([20.0, 15.0], abs=0.7)
        assert mark.points.max(axis=0) / VIEW_PX_PER_MM == pytest.approx([24.0, 22.0], abs=0.7)
        assert mark.colour == pytest.approx(1 - np.array(BLACK) / PAPER, abs=0.15)


@pytest.mark.parametrize(("w", "h"), [(1.0, 1.0), (25.0, 4.0), (2.6, 0.0)])
def test_specks_stripes_and_hairs_are_no_marks_of_an_index(w: float, h: float) -> None:
    assert find_marks(find_ink(with_rectangle(paper(), 20, 20, w, h))) == []


def test_the_two_figures_of_a_ten_are_one_mark_and_two() -> None:
    """They lie a millimetre apart: whether they are joined is left to whoever reads them."""
    view = with_rectangle(with_rectangle(paper(), 20, 20, 1.5, 6), 22.3, 20, 3, 6)
    centres = sorted(round(float(mark.centre[0] / VIEW_PX_PER_MM)) for mark in find_marks(find_ink(view)))
    assert {21, 24} <= set(centres)
    assert any(22 <= centre <= 23 for centre in centres)


def test_a_large_ten_has_its_figures_farther_apart() -> None:
    view = with_rectangle(with_rectangle(paper(), 20, 20, 2, 13), 24.5, 20, 6, 13)
    marks = find_marks(find_ink(view))
    assert any(mark.centre / VIEW_PX_PER_MM == pytest.approx([25.2, 26.5], abs=0.5) for mark in marks)


def test_a_mark_is_in_the_middle_of_what_it_spans() -> None:
    """Most ink of a seven is in its bar."""
    view = with_rectangle(with_rectangle(paper(), 20, 20, 8, 2), 26.5, 20, 1.5, 12)
    (middle,) = {tuple(np.round(mark.centre / VIEW_PX_PER_MM)) for mark in find_marks(find_ink(view))}
    assert middle == (24.0, 26.0)


def test_what_has_no_paper_around_it_is_no_mark() -> None:
    view = with_rectangle(paper(), 20, 20, 4, 6)
    crowded = view
    for x in (14.5, 25.5):
        crowded = with_rectangle(crowded, x, 15, 4, 16)
    for y in (14.5, 27.5):
        crowded = with_rectangle(crowded, 19, y, 6, 4)
    small = [mark for mark in find_marks(find_ink(crowded)) if abs(mark.size_mm - 6.0) < 0.8]
    assert find_marks(find_ink(view)) != []
    assert all(np.hypot(*(mark.centre / VIEW_PX_PER_MM - [22.0, 23.0])) > 1.0 for mark in small)


def test_marks_farther_apart_stay_two() -> None:
    view = with_rectangle(with_rectangle(paper(), 20, 20, 4, 6), 28, 20, 4, 6)
    assert {round(float(m.centre[0] / VIEW_PX_PER_MM)) for m in find_marks(find_ink(view))} == {22, 30}


@pytest.mark.parametrize("colour", [PAPER, CLOTH, (0, 0, 0)])
def test_an_even_view_has_no_mark(colour: tuple[int, int, int]) -> None:
    view = np.full((*mm(40.0, 50.0), 3), colour, np.uint8)
    assert find_marks(find_ink(view)) == []


def test_a_view_full_of_specks_gives_no_endless_list() -> None:
    noise = np.random.default_rng(0).integers(0, 2, (150, 200, 1)).repeat(3, axis=2)
    view = (235 - 200 * np.kron(noise, np.ones((8, 8, 1)))[:1000, :1400]).astype(np.uint8)
    assert len(find_marks(find_ink(view))) <= 400


def test_print_comes_before_the_weave_of_a_dark_cloth() -> None:
    weave = np.random.default_rng(3).integers(0, 2, (36, 60)) * 34 + 20
    view = np.kron(weave, np.ones((10, 10)))[:, :, None].repeat(3, axis=2).astype(np.uint8)
    view[200:320, 380:520] = with_rectangle(paper(140 / VIEW_PX_PER_MM, 120 / VIEW_PX_PER_MM), 20, 18, 4, 6)
    marks = find_marks(find_ink(view))
    assert len(marks) > 5
    assert np.hypot(*(marks[0].centre - (380 + 22 * VIEW_PX_PER_MM, 200 + 21 * VIEW_PX_PER_MM))) < 6.0
    assert marks[0].contrast > 1.5 * marks[5].contrast


def test_light_is_inverted_and_hues_stay() -> None:
    shades = np.array([[(30, 20, 25), (240, 240, 240), (70, 60, 235), (128, 127, 127)]], np.uint8)
    inverted = with_light_inverted(shades)
    assert inverted[0, 0].min() > 220
    assert inverted[0, 1].max() < 20
    blue, green, red = inverted[0, 2].tolist()
    assert red > 190
    assert max(blue, green) < 35
    assert np.abs(inverted[0, 3].astype(int) - 127).max() <= 1
    assert np.array_equal(with_light_inverted(inverted), shades)


@pytest.mark.parametrize("tint", [(150, 235, 250), (250, 225, 175), (190, 235, 185), (200, 190, 250)])
@pytest.mark.parametrize("ink", [BLACK, RED])
def test_print_on_a_pale_plate_is_print_on_paper_once_the_plate_is_bleached(
    tint: tuple[int, int, int], ink: tuple[int, int, int]
) -> None:
    plate = paper()
    plate[mm(12.0)[0] : mm(41.0)[0], mm(20.0)[0] : mm(35.0)[0]] = np.array(PAPER) * np.array(tint) / 255.0
    view = with_rectangle(with_rectangle(plate, 24, 16, 6, 10, ink), 24, 29, 6, 6, ink)
    middles = [find_ink(each).darkness[mm(39.0)[0], mm(27.0)[0]] for each in (view, with_tints_bleached(view))]
    assert middles[0] > 0.15
    assert middles[1] < 0.1
    found = [mark.centre / VIEW_PX_PER_MM for mark in find_marks(find_ink(with_tints_bleached(view)))]
    for middle in ([27.0, 21.0], [27.0, 32.0]):
        assert min(np.hypot(*(at - middle)) for at in found) < 0.5
    red = find_ink(with_tints_bleached(view)).colour[mm(21.0)[0], mm(27.0)[0], 2] / 255.0
    assert (red < 0.35) == (ink is RED)
