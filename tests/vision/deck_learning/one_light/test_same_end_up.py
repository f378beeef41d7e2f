"""Cards that lay across are turned by the print that they share with the others."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.deck_learning.one_light.same_end_up import same_end_up

SIZE = 352, 252  # 44 by 31.5 mm
Faces = list[NDArray[np.uint8]]


def drawn(number: int, *, sky: bool) -> NDArray[np.uint8]:
    """A figure of its own on a sky that is darker above, or on plain paper; in another exposure each."""
    shade = np.linspace(60.0, 190.0, SIZE[0]) if sky else np.full(SIZE[0], 150.0)
    exposure = 1.0 + 0.02 * (number % 3 - 1)
    face = np.empty((*SIZE, 3), np.uint8)
    face[:] = (shade * exposure)[:, None, None]
    cv2.putText(face, str(number), (90, 200), cv2.FONT_HERSHEY_SIMPLEX, 3.0, (40, 30, 120), 14)
    return face


def upside_down(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(face[::-1, ::-1])


@pytest.fixture
def deck() -> Faces:
    return [drawn(number, sky=True) for number in range(1, 9)]


def test_cards_that_lay_across_are_turned_as_those_that_lay_upright(deck: Faces) -> None:
    wrong = {1, 2, 3, 5, 6}  # most of the deck
    seen = [upside_down(face) if k in wrong else face for k, face in enumerate(deck)]
    turned = same_end_up(seen, 8.0, [k in wrong or k == 7 for k in range(8)])
    assert all((face == right).all() for face, right in zip(turned, deck, strict=True))


def test_where_all_lay_across_most_say_which_end_is_up(deck: Faces) -> None:
    seen = [upside_down(face) if k in (2, 6) else face for k, face in enumerate(deck)]
    turned = same_end_up(seen, 8.0, [True] * 8)
    assert all((face == right).all() for face, right in zip(turned, deck, strict=True))


def test_what_lay_upright_is_left_as_the_photographer_had_it(deck: Faces) -> None:
    seen = [upside_down(face) if k in (2, 6) else face for k, face in enumerate(deck)]
    turned = same_end_up(seen, 8.0, [False] * 8)
    assert all((face == before).all() for face, before in zip(turned, seen, strict=True))


def test_print_that_is_the_same_both_ways_turns_none() -> None:
    seen = [drawn(number, sky=False) for number in range(1, 9)]
    seen[3] = upside_down(seen[3])
    turned = same_end_up(seen, 8.0, [k % 2 == 1 for k in range(8)])
    assert all((face == before).all() for face, before in zip(turned, seen, strict=True))
