"""Several cards that lie apart in one photograph."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.vision.photographs.several_cards import alone, in_rows

CLOTH, PAPER = (60, 70, 40), (235, 240, 240)
PLACES = [(250, 180, 3.0), (650, 190, -4.0), (260, 540, -2.0), (640, 530, 5.0)]


def photograph() -> np.ndarray:
    """Two rows of two cards at 3 px/mm, each a little turned, a spot of its own on each."""
    image = np.full((720, 960, 3), CLOTH, np.uint8)
    for number, (x, y, turn) in enumerate(PLACES):
        box = cv2.boxPoints(((x, y), (189, 264), turn)).astype(np.float32)
        cv2.fillConvexPoly(image, np.round(box * 16).astype(np.int32), PAPER, cv2.LINE_AA, 4)
        cv2.circle(image, (x, y), 20, (40 * number, 0, 200), cv2.FILLED)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def test_the_others_are_painted_over() -> None:
    image = photograph()
    outlines = [cv2.boxPoints(((x, y), (189, 264), turn)).astype(np.float64) for x, y, turn in PLACES]
    for number in range(4):
        picture = alone(image, outlines, number)
        paper = (picture.min(axis=2) > 200).sum()
        assert 0.8 < paper / (189 * 264) < 1.05, "one card is left"
        x, y = np.round(outlines[number].mean(axis=0)).astype(int)
        assert (picture[y - 60 : y + 60, x - 60 : x + 60] == image[y - 60 : y + 60, x - 60 : x + 60]).all()


def test_rows_are_read_from_the_left_whatever_order_they_are_found_in() -> None:
    def card(x: float, y: float) -> np.ndarray:
        return np.array([[x, y], [x + 60, y], [x + 60, y + 90], [x, y + 90]])

    cards = [card(300, 210), card(100, 5), card(200, 0), card(100, 200), card(300, -5)]
    assert [int(each[0, 0]) for each in in_rows(cards)] == [100, 200, 300, 100, 300]
