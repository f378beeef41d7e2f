"""Discs laid side by side are found, put in reading order and straightened; what is not round is none."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.board_learning.round_pieces import find_round_pieces, straight_disc

Image = NDArray[np.uint8]
PLACES = [(150, 140), (330, 150), (520, 145), (160, 330), (340, 320)]
COLOURS = [(40, 170, 60), (50, 50, 200), (200, 200, 40), (220, 220, 220), (160, 60, 120)]


def discs(*, askew: bool = False) -> Image:
    """Five discs of 100 px on a dark ground of some grain, each with a white dot right of its middle."""
    grain = np.random.default_rng(3).normal(0, 3, (480, 680, 1))
    picture = np.clip(np.array([60, 70, 50]) + grain, 0, 255).astype(np.uint8)
    for at, colour in zip(PLACES, COLOURS, strict=True):
        cv2.circle(picture, at, 50, colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (at[0] + 25, at[1]), 10, (250, 250, 250), -1, cv2.LINE_AA)
    if not askew:
        return picture
    seen = np.array([[90, 60], [600, 40], [660, 440], [20, 460]], np.float32)
    flat = np.array([[0, 0], [680, 0], [680, 480], [0, 480]], np.float32)
    px = cv2.getPerspectiveTransform(flat, seen)
    ground = tuple(int(v) for v in np.median(picture[:20], axis=(0, 1)))
    return np.asarray(cv2.warpPerspective(picture, px, (680, 480), borderValue=ground), np.uint8)


def test_discs_come_row_by_row_and_straight_also_when_seen_askew() -> None:
    for picture in (discs(), discs(askew=True)):
        found = find_round_pieces(picture)
        assert len(found) == len(PLACES)
        for piece, colour in zip(found, COLOURS, strict=True):
            face = straight_disc(picture, piece, 20.0, 6.0)
            assert face.shape == (120, 120, 4)
            assert np.abs(face[60, 30, :3].astype(int) - colour).max() < 6
            assert face[60, 90, :3].min() > 225  # the dot is still half a radius to the right
            assert face[60, 60, 3] == 255
            assert face[3, 3, 3] == 0
            rim = face[60, [2, 117], :3].astype(int)
            assert np.abs(rim - colour).max() < 40  # the circle is cut at the rim, not inside it or beyond


def test_squares_and_an_empty_ground_are_no_round_pieces() -> None:
    picture = np.full((480, 680, 3), (60, 70, 50), np.uint8)
    assert find_round_pieces(picture) == []
    for x, y in PLACES:
        picture[y - 50 : y + 50, x - 50 : x + 50] = (40, 170, 60)
    assert find_round_pieces(picture) == []


def test_a_piece_whose_rim_has_the_colour_of_the_ground_is_as_large_as_the_others() -> None:
    picture = discs()
    cv2.circle(picture, PLACES[1], 46, (60, 70, 50), 9, cv2.LINE_AA)  # its rim from 42 to 50 px can hardly be seen
    found = find_round_pieces(picture)
    assert len(found) == len(PLACES)
    widths = [np.sqrt(abs(np.linalg.det(piece.axes))) for piece in found]
    assert np.ptp(widths) < 2.0
