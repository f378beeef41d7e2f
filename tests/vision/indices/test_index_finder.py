"""Corner indices are read from above, on packs that nobody has shown."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.simulation.things.ordinary_pack import draw_face, random_style
from arena_cam.vision.indices.classifier import index_classifier
from arena_cam.vision.indices.index_finder import CARDS, as_inked, find_indices
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM


def view_of(card: str, seed: int, turn_deg: float) -> np.ndarray:
    """A card of a drawn pack on green cloth, as a camera of 1.9 px/mm shows it, 150 mm wide and high."""
    style = random_style(seed)
    face = draw_face(style, card)
    scale = VIEW_PX_PER_MM * style.width_mm / face.shape[1]
    to: np.ndarray = cv2.getRotationMatrix2D((face.shape[1] / 2, face.shape[0] / 2), turn_deg, scale)
    side = round(150 * VIEW_PX_PER_MM)
    to[:, 2] = to[:, 2] + side / 2 - np.array([face.shape[1], face.shape[0]]) / 2
    view = cv2.warpAffine(face, to, (side, side), flags=cv2.INTER_AREA, borderValue=(60, 90, 40))
    small = cv2.resize(view, None, fx=1.9 / VIEW_PX_PER_MM, fy=1.9 / VIEW_PX_PER_MM, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


@pytest.mark.parametrize("card", ["AS", "TH", "7D", "KC", "QS", "9C", "2H", "5S"])
def test_both_indices_say_which_card_it_is_and_how_it_is_turned(card: str) -> None:
    found = find_indices(view_of(card, 12, 30.0), np.zeros(2), index_classifier())
    assert [index.card for index in found if index.probability > 0.9] != []
    assert {index.card for index in found if index.probability > 0.9} == {card}
    for index in found:
        off = (index.angle_deg - 30.0) % 180.0
        assert min(off, 180.0 - off) < 6.0


def test_a_cloth_has_no_index() -> None:
    cloth = np.full((300, 300, 3), (60, 90, 40), np.uint8)
    assert find_indices(cloth, np.zeros(2), index_classifier()) == []


def test_what_is_printed_in_red_is_no_spade_and_no_club() -> None:
    """A diamond half of which another card hides has the shape of a spade; green and blue inks are left as they are."""
    by_suit = np.zeros((3, 13, 4))
    by_suit[:, 7] = [0.92, 0.0, 0.02, 0.06]
    red, black, blue = (0.76, 0.77, 0.35), (0.76, 0.77, 0.75), (0.3, 0.6, 0.8)
    inked = as_inked(by_suit, np.array([red, black, blue])).reshape(3, 52)
    assert [CARDS[int(each.argmax())] for each in inked] == ["8D", "8S", "8S"]
    assert inked[0].max() > 0.9
    assert np.allclose(inked.sum(axis=1), 1.0)
    assert np.array_equal(inked[1:], by_suit[1:].reshape(2, 52))


def test_a_red_suit_that_looks_like_a_spade_alone_is_either_red_one() -> None:
    """Its shape had no doubt, and what was left of the others' probability went back to the spade."""
    by_suit = np.zeros((1, 13, 4))
    by_suit[:, 8] = [0.976, 0.0, 0.0, 0.001]
    inked = as_inked(by_suit, np.array([(0.63, 0.62, 0.26)]))[0, 8]
    spade, heart, diamond, club = inked
    assert heart == diamond
    assert spade < heart < 0.5
    assert club < 0.01
    assert np.isclose(inked.sum(), 0.977)
