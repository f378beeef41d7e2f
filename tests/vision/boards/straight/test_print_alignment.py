"""Where a print lies under tiles: found by its lines, to a fraction of a millimetre, in any light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.boards.straight.print_alignment import (
    PX_PER_MM,
    LumaPart,
    aligned,
    alike_at,
    alike_within,
    best_shift,
    evened,
    high_passed,
    own_print,
    shifted,
)
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.printed.print_light import LUMA

SIZE = 270  # pixels


def lines(seed: int = 1) -> np.ndarray:
    """A white print of dark lines, (h, w, 3)."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE, SIZE, 3), 235, np.uint8)
    for a in rng.integers(20, SIZE - 20, (24, 4)).tolist():
        cv2.line(picture, (a[0], a[1]), (a[2], a[3]), (60, 60, 60), 2, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32)


def part(pixels: np.ndarray, origin_mm: tuple[float, float] = (-90.0, -90.0)) -> LumaPart:
    there = np.ones(pixels.shape[:2], bool)
    return LumaPart(high_passed(pixels.astype(np.float32), there), there, np.array(origin_mm))


def seen_through(print_: np.ndarray, mm_of_print: np.ndarray) -> np.ndarray:
    """What is seen on the print's own grid where its millimetres lie as the homography says."""
    grid = np.array([[1 / PX_PER_MM, 0, -90.0], [0, 1 / PX_PER_MM, -90.0], [0, 0, 1.0]])
    px = np.linalg.inv(grid) @ mm_of_print @ grid
    return cv2.warpPerspective(print_, px, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)


def test_a_shift_is_found_by_correlation() -> None:
    move = np.array([[1, 0, 2.0], [0, 1, -4.0 / 3], [0, 0, 1.0]])
    shift, alike = best_shift(part(lines()), part(seen_through(lines(), move)))
    assert shift == pytest.approx([2.0, -4.0 / 3], abs=0.4)
    assert alike > 0.8


def test_no_print_like_it_correlates_little() -> None:
    assert best_shift(part(lines(1)), part(lines(2)))[1] < 0.4


def test_a_frame_alone_says_nothing_of_what_is_printed_within_it() -> None:
    framed, only = lines(), np.full((SIZE, SIZE, 3), 235, np.float32)
    for each in (framed, only):
        cv2.rectangle(each, (2, 2), (SIZE - 3, SIZE - 3), (20.0, 20.0, 20.0), 6)
    whole, plain, other = (alike_within(part(framed), part(seen), 14.0) for seen in (framed, only, lines(2)))
    assert None not in (whole, plain, other)
    assert (whole or 0.0) > 0.99
    assert (plain or 0.0) < 0.1
    assert (other or 0.0) < 0.2
    assert alike_within(part(only), part(framed), 14.0) is None


@pytest.mark.parametrize(
    "true",
    [
        np.eye(3),
        np.array([[1.004, 0.003, 1.6], [-0.002, 0.997, -1.1], [0, 0, 1.0]]),
        np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 2.1], [1.5e-5, -2e-5, 1.0]]),
    ],
    ids=["as it is", "affine", "perspective"],
)
def test_the_homography_is_found_under_a_shadow(true: np.ndarray) -> None:
    seen = seen_through(lines(), true) * 0.7
    seen[:, SIZE // 2 :] *= 0.6
    begin, _ = best_shift(part(lines()), part(seen))
    found, alike = aligned(part(lines()), part(seen), shifted(begin))
    corners = np.array([[-80.0, -80.0], [80, -80], [80, 80], [-80, 80]]).reshape(-1, 1, 2)
    away = cv2.perspectiveTransform(corners, found) - cv2.perspectiveTransform(corners, true)
    assert np.linalg.norm(away, axis=2).max() < 0.35
    assert alike > 0.7


def test_a_print_that_is_not_there_is_said_to_fit_badly() -> None:
    assert aligned(part(lines(1)), part(lines(2)), np.eye(3))[1] < 0.4


def test_a_print_without_lines_moves_nothing() -> None:
    plain = part(np.full((SIZE, SIZE, 3), 200.0, np.float32))
    found, alike = aligned(plain, plain, shifted(np.array([1.0, 2.0])))
    assert found[:2, 2] == pytest.approx([1.0, 2.0])
    assert alike == 0.0


def test_brightness_that_changes_slowly_is_passed_over() -> None:
    slope = np.linspace(40, 200, SIZE, dtype=np.float32)[None, :, None] * np.ones((SIZE, 1, 3), np.float32)
    inner = high_passed(slope, np.ones((SIZE, SIZE), bool))[20:-20, 20:-20]
    assert np.abs(inner).max() < 2.0


def test_a_boards_own_print_mixes_the_channels_in_which_it_stands_out(prints: SetPrints) -> None:
    """A board that is blue where it has colour: its lines have more contrast in its own mixture than in luma."""
    luma, weights = own_print(prints, 1)
    image = prints.board(1, PX_PER_MM, 0.4)
    plain = high_passed(image, np.ones(image.shape[:2], bool))
    assert np.linalg.norm(weights) == pytest.approx(float(np.linalg.norm(LUMA)), rel=1e-4)
    assert float((luma.luma**2).sum()) > float((plain**2).sum())


def test_evened_print_has_one_contrast_everywhere() -> None:
    half = lines()
    half[:, SIZE // 2 :] = 200.0 + (half[:, SIZE // 2 :] - 200.0) * 0.25
    there = np.ones(half.shape[:2], bool)
    even = evened(high_passed(half, there), there)
    strong, faint = (float(part_.std()) for part_ in (even[:, 20 : SIZE // 2 - 20], even[:, SIZE // 2 + 20 : -20]))
    assert faint > 0.6 * strong


def test_correlation_is_that_of_the_place_that_is_asked_for() -> None:
    printed = part(lines())
    assert alike_at(printed, printed, np.eye(3)) > 0.99
    assert alike_at(printed, printed, shifted(np.array([3.0, 0.0]))) < 0.5
