"""One light for all faces, by the print that they share: small faces, lit and hazed by known amounts."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.deck_learning.one_light.common_print import (
    in_one_light,
    most_like,
    softened,
    with_common_print,
)
from arena_cam.vision.picture.linear_light import linear_light, srgb

SIZE = 352, 252  # 44 by 31.5 mm
Faces = list[NDArray[np.uint8]]


def drawn(number: int, paper: tuple[int, int, int] = (90, 120, 150)) -> NDArray[np.uint8]:
    """Brown paper in a dark frame, with a figure of its own."""
    face = np.full((*SIZE, 3), paper, np.uint8)
    cv2.rectangle(face, (20, 20), (232, 332), (30, 30, 30), 6)
    cv2.putText(face, str(number), (90, 200), cv2.FONT_HERSHEY_SIMPLEX, 3.0, (40, 30, 120), 14)
    return face


def photographed(face: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    """The face in a light and under a gloss of its own, with a sensor's noise."""
    rng = np.random.default_rng(seed)
    y, x = np.meshgrid(*(np.linspace(-1.0, 1.0, side) for side in SIZE), indexing="ij")
    gain = 1.0 + rng.normal(0.0, 0.06) + rng.normal(0.0, 0.05) * x + rng.normal(0.0, 0.05) * y
    haze = 0.02 + 0.03 * rng.uniform() * np.exp(-((x - rng.normal()) ** 2 + (y - rng.normal()) ** 2))
    light = linear_light(face) * gain[:, :, None] + haze[:, :, None] + rng.normal(0.0, 0.004, (*SIZE, 3))
    return srgb(np.asarray(light, np.float32))


def apart(faces: Faces) -> NDArray[np.float64]:
    """By how many grey levels faces differ (H, W) at most, seen softly."""
    soft = np.stack([cv2.GaussianBlur(face.astype(np.float32), (0, 0), 2.0) for face in faces])
    return np.asarray((soft.max(axis=0) - soft.min(axis=0)).max(axis=2), np.float64)


@pytest.fixture(scope="module")
def deck() -> Faces:
    return [photographed(drawn(number), number) for number in range(1, 9)]


def test_the_light_of_each_photograph_is_told_by_the_print_that_all_share(deck: Faces) -> None:
    paper = np.s_[40:80, 40:210]
    before, after = apart(deck)[paper], apart(in_one_light(deck, 8.0))[paper]
    assert np.median(before) > 15.0
    assert np.median(after) < 4.0


def test_a_figure_is_not_taken_for_light(deck: Faces) -> None:
    drawings = [drawn(number) for number in range(1, 9)]
    figure = apart(drawings) > 60.0
    assert np.median(apart(in_one_light(deck, 8.0))[figure]) > 0.85 * np.median(apart(deck)[figure])


def test_common_print_is_the_same_on_all_and_a_figure_is_each_ones_own(deck: Faces) -> None:
    lit = in_one_light(deck, 8.0)
    shared = with_common_print(lit, 8.0)
    drawings = apart([drawn(number) for number in range(1, 9)])
    alike = cv2.dilate((drawings > 1.0).astype(np.uint8), np.ones((41, 41), np.uint8)) == 0
    assert apart(shared)[alike].max() < 1.0
    assert apart(lit)[alike].max() > 3.0
    figure = drawings > 60.0
    assert np.median(apart(shared)[figure]) > 0.9 * np.median(apart(lit)[figure])


def test_cards_of_two_backgrounds_are_each_compared_with_their_own() -> None:
    brown = [photographed(drawn(number), number) for number in range(1, 6)]
    blue = [photographed(drawn(number, (150, 90, 60)), 10 + number) for number in range(1, 6)]
    lit = in_one_light([*brown, *blue], 8.0)
    paper = np.s_[40:80, 40:210]
    assert np.median(apart(lit[:5])[paper]) < 4.0
    assert np.median(apart(lit[5:])[paper]) < 4.0
    assert np.abs(np.median(lit[0][paper], axis=(0, 1)) - (90, 120, 150)).max() < 25.0
    assert np.abs(np.median(lit[9][paper], axis=(0, 1)) - (150, 90, 60)).max() < 25.0


def test_a_band_in_each_colours_own_ink_on_white_paper_keeps_its_hue() -> None:
    """The median of the bands is a brown that no card has: only paper tells the light. They were off by up to 60."""
    inks = np.repeat([(40, 130, 70), (110, 50, 140), (190, 40, 48), (40, 90, 200), (220, 180, 40)], 10, axis=0)
    faces = []
    for number, ink in enumerate(inks):
        face = np.full((*SIZE, 3), 240, np.uint8)
        face[20:332, 10:120] = ink
        cv2.putText(face, str(number % 10), (150, 200), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (30, 30, 30), 10)
        faces.append(photographed(face, 40 + number))
    bands = [np.median(face[40:312, 30:100].reshape(-1, 3), axis=0) for face in in_one_light(faces, 8.0)]
    off = [np.abs((seen - seen.mean()) - (ink - ink.mean())).max() for seen, ink in zip(bands, inks, strict=True)]
    assert max(off) < 30.0


def test_shades_that_no_light_makes_stay_apart() -> None:
    """Values that are told by a shade alone, a fifth darker each time: neighbours might be light, more is print."""
    shades = [srgb(np.full((*SIZE, 3), 0.7 * 0.8**step, np.float32)) for step in range(8)]
    lit = [float(linear_light(face)[176, 126, 0]) for face in in_one_light(shades, 8.0)]
    assert all(brighter > darker - 0.01 for brighter, darker in itertools.pairwise(lit))
    assert lit[0] > 1.8 * lit[-1]


def test_the_faces_most_alike_share_the_greatest_part() -> None:
    shown = np.zeros((4, 44, 32, 3), np.float32)
    shown[1, :10] = 0.5
    shown[2, :30] = 0.5
    shown[3] = 0.5
    near = [numbers.tolist() for numbers in most_like(shown, 3, 0.1)]
    assert near == [[1, 2], [0, 2], [3, 1, 0], [2]]


def test_a_few_faces_are_left_as_they_are(deck: Faces) -> None:
    assert all(np.array_equal(a, b) for a, b in zip(deck[:3], in_one_light(deck[:3], 8.0), strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(deck[:3], with_common_print(deck[:3], 8.0), strict=True))


def dusk(number: int) -> NDArray[np.uint8]:
    """Dim clouds of its own, nearly black here and there, with a white figure."""
    rng = np.random.default_rng([number, 7])
    clouds = cv2.GaussianBlur(rng.normal(0.0, 1.0, SIZE), (0, 0), 20.0)
    light = 0.004 + 0.15 * np.clip(0.5 + clouds / (4.0 * clouds.std()), 0.0, 1.0) ** 2
    face = srgb(np.repeat(light[:, :, None], 3, axis=2).astype(np.float32))
    cv2.putText(face, str(number), (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (220, 220, 220), 5)
    return face


def test_dim_clouds_of_each_card_are_not_taken_for_light_nor_for_print_that_all_share() -> None:
    seen = [photographed(dusk(number), number) for number in range(1, 9)]
    learned = with_common_print(in_one_light(seen, 8.0), 8.0)
    for before, after in zip(seen, learned, strict=True):
        assert np.abs(after.astype(int) - before).max() <= 1


def test_a_plain_back_is_none_of_the_faces_whose_grey_falls_off_past_its_own() -> None:
    falls = np.repeat(np.linspace(100, 150, SIZE[0])[:, None, None], SIZE[1], axis=1)
    foil = [np.repeat(falls, 3, axis=2).astype(np.uint8) for _ in range(8)]
    back = np.full((*SIZE, 3), 125, np.uint8)
    assert np.ptp(with_common_print(in_one_light([*foil, back], 8.0), 8.0)[-1]) <= 1


def test_where_cards_have_figures_of_their_own_a_glow_of_the_others_is_not_copied() -> None:
    faces = []
    for number in range(9):
        face = np.full((*SIZE, 3), 40, np.uint8)
        if number % 9 < 4:  # four in nine: the median is the others', with what glow they have
            face[100:200, 80:180] = 200
        elif number < 8:
            face[100:200, 80:180] = 48
        faces.append(face)
    assert np.ptp(with_common_print(faces, 8.0)[8][20:-20, 20:-20]) <= 1


@pytest.mark.parametrize("sd_px", [2.0, 16.0, 80.0])
def test_pictures_are_softened_as_by_a_gaussian(sd_px: float) -> None:
    rng = np.random.default_rng(3)
    pictures = [rng.uniform(0.0, 1.0, (59, 42, 3)).astype(np.float32) for _ in range(2)]
    for picture, soft in zip(pictures, softened(pictures, sd_px), strict=True):
        assert soft == pytest.approx(cv2.GaussianBlur(picture, (0, 0), sd_px), abs=1e-5)


@pytest.mark.parametrize("paper", [(60, 50, 45), (90, 120, 150)])
def test_no_ring_of_other_light_stays_round_a_figure(paper: tuple[int, int, int]) -> None:
    deck = [drawn(number, paper) for number in range(1, 9)]
    hazy = srgb(np.asarray(linear_light(deck[4]) + np.float32(0.008), np.float32))
    shared = with_common_print([*deck[:4], hazy, *deck[5:]], 8.0)[4]
    figure = (cv2.absdiff(deck[4], np.full_like(hazy, paper)).max(axis=2) > 3).astype(np.uint8)
    figure[:60] = figure[260:] = figure[:, :60] = figure[:, -60:] = 0  # the frame is common print
    ring = cv2.dilate(figure, np.ones((9, 9), np.uint8)) > figure
    assert np.abs(shared[ring].astype(float) - paper).mean() < 1.2
    own, before = (np.abs(picture.astype(float) - deck[4])[figure > 0].mean() for picture in (shared, hazy))
    assert own < before, "nor is the figure spoilt"
