"""What is compiled about sides seen from above answers as its twins in numpy do."""

from __future__ import annotations

import ctypes
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import Deck
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.kernels.side_calls import lying_alone, sloping
from arena_cam.vision.reading.guesses import rectangles
from arena_cam.vision.reading.guesses.line_segments import ColourView, straight_segments
from arena_cam.vision.reading.guesses.rectangles import SIDES_PX_PER_MM, SidesInView, _around
from vision.small import small_deck

SIZE = (450, 360)  # of the view: 300 by 240 mm


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return small_deck(tmp_path)


def litter(seed: int) -> tuple[ColourView, np.ndarray, np.ndarray]:
    """A view of a dozen rectangles of paper that lie one over another, some cut off by the view's rim; where they lie;
    and where one of them is claimed."""
    random = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    covered, claimed = np.zeros(picture.shape[:2], np.uint8), np.zeros(picture.shape[:2], np.uint8)
    for number in range(12):
        middle = random.uniform(0.0, 1.0, 2) * SIZE
        sides = (63.0 * SIDES_PX_PER_MM, 88.0 * SIDES_PX_PER_MM)
        corners = cv2.boxPoints((tuple(middle), sides, float(random.uniform(0.0, 180.0))))
        shape = np.asarray(np.round(corners), np.int32)
        cv2.fillPoly(picture, [shape], [int(level) for level in random.integers(20, 240, 3)])
        cv2.fillPoly(covered, [shape], (1,))
        if number == 11:
            cv2.fillPoly(claimed, [shape], (1,))
    noise = random.normal(0.0, 2.0, picture.shape)
    picture = np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255), np.uint8)
    return ColourView(picture, SIDES_PX_PER_MM, -150.0, 120.0), covered, claimed


@pytest.mark.parametrize("size", [(3, 3), (40, 31), (33, 64)])
def test_a_view_is_as_steep_as_its_steepest_channel(library: ctypes.CDLL, size: tuple[int, int]) -> None:
    """Held against Sobel's slopes of each channel, to the last bit; where two are as steep the first tells the way."""
    picture = np.random.default_rng(3).integers(0, 256, (*size, 3)).astype(np.uint8)
    picture[: size[0] // 2] //= 64  # a few levels: many channels are as steep as each other
    whole = slice(0, size[0]), slice(0, size[1])
    with computing_with(library):
        found = sloping(picture, 2, whole)
    assert found is not None
    ways = [[cv2.Sobel(part, cv2.CV_32F, *way, scale=0.125) for part in cv2.split(picture)] for way in ((1, 0), (0, 1))]
    right, down = (np.stack(way) for way in ways)
    most = np.argmax(right**2 + down**2, axis=0)[None]
    for slopes, expected in zip(found, (right, down), strict=False):
        assert np.array_equal(slopes, np.take_along_axis(expected, most, 0)[0])
    assert found[2] == pytest.approx(np.sqrt((found[0] ** 2 + found[1] ** 2)[::2, ::2]), rel=1e-6)
    with computing_with(None):
        assert sloping(picture, 2, whole) is None


@pytest.mark.parametrize(
    "part", [(slice(0, 7), slice(0, 9)), (slice(5, 24), slice(11, 30)), (slice(20, 31), slice(9, 40))]
)
def test_a_part_of_a_view_is_as_steep_as_in_the_whole_of_it(library: ctypes.CDLL, part: tuple[slice, slice]) -> None:
    picture = np.random.default_rng(5).integers(0, 256, (31, 40, 3)).astype(np.uint8)
    with computing_with(library):
        whole, found = sloping(picture, 4, (slice(0, 31), slice(0, 40))), sloping(picture, 4, part)
    assert whole is not None
    assert found is not None
    for of_part, of_whole in zip(found[:2], whole[:2], strict=True):
        assert np.array_equal(of_part[part], of_whole[part])
    assert np.array_equal(found[2], whole[2])


def test_slopes_are_told_where_sides_are_looked_for(library: ctypes.CDLL, deck: Deck) -> None:
    """What the view shows anywhere else is not told: a card at the rim of what is, with all that is asked beside it."""
    view, covered, claimed = litter(2)
    left = covered.copy()
    left[:, SIZE[0] // 2 :] = 0
    ends = []
    for part in (_around, lambda *_: (slice(0, SIZE[1]), slice(0, SIZE[0]))):
        with computing_with(library), pytest.MonkeyPatch.context() as patch:
            patch.setattr(rectangles, "_around", part)
            found = SidesInView(view, left, 1 - covered, deck).places_of_cards(0 * claimed)
            ends.append([(pose.centre_mm.tolist(), nats) for pose, nats in found])
    assert ends[0] == ends[1] != []


@pytest.mark.parametrize("seed", range(6))
def test_cards_are_guessed_in_the_same_places_for_the_same_reasons(library: ctypes.CDLL, deck: Deck, seed: int) -> None:
    view, covered, claimed = litter(seed)
    answers = []
    for each in (library, None):
        with computing_with(each):
            sides = SidesInView(view, covered, 1 - covered, deck)
            answers.append([found for mask in (claimed, 0 * claimed) for found in sides.places_of_cards(mask)])
    assert len(answers[1]) > 4
    assert [pose.centre_mm.tolist() for pose, _ in answers[0]] == [pose.centre_mm.tolist() for pose, _ in answers[1]]
    # numpy has slopes in single precision
    np.testing.assert_allclose([nats for _, nats in answers[0]], [nats for _, nats in answers[1]], atol=1e-4)


@pytest.mark.parametrize("most", [None, 9])
@pytest.mark.parametrize("seed", range(6))
def test_the_same_segments_lie_alone(library: ctypes.CDLL, seed: int, most: int | None) -> None:
    view, covered, _ = litter(seed)
    answers = []
    for each in (library, None):
        with computing_with(each):
            answers.append(straight_segments(view, np.ones_like(covered), most))
    assert len(answers[1]) == (most or len(answers[1])) > 8
    np.testing.assert_array_equal(answers[0], answers[1])


def test_of_no_segments_none_lies_alone(library: ctypes.CDLL) -> None:
    with computing_with(library):
        alone = lying_alone(np.empty((0, 2, 2)), 0, 0.8, 1.0)
    assert alone is not None
    assert len(alone) == 0
