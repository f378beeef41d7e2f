"""Ordinary packs, drawn: indices where they are said to be, suits from fonts, tens of two kinds."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.simulation.things.ordinary_pack import (
    PX_PER_MM,
    draw_face,
    fonts_of_this_machine,
    fonts_with_suits,
    index_places,
    random_style,
    rank_mask,
    suit_outline,
)

STYLE = random_style(4)


def test_an_index_is_printed_where_it_is_said_to_be() -> None:
    face = draw_face(STYLE, "7S").astype(float)
    for x, y in index_places(STYLE, "7"):
        column, row = round((x + STYLE.width_mm / 2) * PX_PER_MM), round((y + STYLE.height_mm / 2) * PX_PER_MM)
        window = face[row - 12 : row + 12, column - 12 : column + 12]
        assert window.min() < 90
    assert np.abs(face - face[::-1, ::-1]).mean() < 12.0  # the same half a turn round, but for the middle pips


def test_a_ten_of_a_bar_and_a_ring_is_two_figures_apart() -> None:
    mask = rank_mask(replace(STYLE, bar_ten=True), "T") > 127
    middle = np.concatenate([[False], mask[mask.shape[0] // 2], [False]])
    assert np.count_nonzero(middle[1:] & ~middle[:-1]) == 3  # the bar, and both sides of the ring
    figures, _ = cv2.connectedComponents(mask.astype(np.uint8))
    assert figures == 3  # with the ground
    assert mask.shape[0] > mask.shape[1]


def test_suits_are_within_their_box_and_told_apart() -> None:
    outlines = {suit: np.concatenate(suit_outline(STYLE, suit)) for suit in "SHDC"}
    for points in outlines.values():
        assert np.abs(points).max() <= 1.1
    assert outlines["H"][:, 1].max() == pytest.approx(1.0)  # its point is below


def test_suits_of_a_font_are_as_large_as_those_drawn_here() -> None:
    fonts = fonts_with_suits(tuple(fonts_of_this_machine()))
    if not fonts:
        pytest.skip("no font here has suits")
    for suit in "SHDC":
        points = np.concatenate(suit_outline(replace(STYLE, suit_font=fonts[0], suit_wide=1.0), suit))
        assert np.abs(points).max() == pytest.approx(1.0, abs=0.02)


def test_a_spade_comes_to_a_point_and_a_club_does_not() -> None:
    """Two fonts have the one in the other's place: whoever learns from them takes clubs for spades."""
    for font in fonts_with_suits(tuple(fonts_of_this_machine())):
        wide = {}
        for suit in "SC":
            points = np.concatenate(suit_outline(replace(STYLE, suit_font=font, suit_wide=1.0), suit))
            wide[suit] = np.ptp(points[points[:, 1] < -0.75][:, 0])
        assert wide["S"] < 0.75 * wide["C"], font.stem


def test_a_seed_draws_the_same_pack_again() -> None:
    assert random_style(7) == random_style(7)
    assert random_style(7) != random_style(8)
    assert np.array_equal(draw_face(STYLE, "QD"), draw_face(STYLE, "QD"))
