"""Thin print is told by its mean hue, however pale and displaced its colour is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.print_hue import told_by_hue, weights_of_print
from arena_cam.vision.faces.softness import LUMA, Faces, Softly
from vision.small import softly

INKS = ((150, 60, 40), (130, 40, 110), (50, 100, 20), (40, 40, 190))  # blue, violet, green, red
SHAPE = (126, 90)


def printed(ink: tuple[int, int, int], paper: int = 245) -> Faces:
    """A face (126, 90, 3) with a thin frame and a figure."""
    face = np.full((*SHAPE, 3), paper, np.uint8)
    cv2.rectangle(face, (6, 6), (83, 119), ink, 1)
    cv2.putText(face, "6", (10, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1)
    cv2.putText(face, "6", (70, 112), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1)
    return face.astype(np.float32)


def pale(face: Faces, light: tuple[float, float, float] = (0.9, 1.0, 1.05)) -> Array:
    """A face in a light, its colour at half the scale, beside its place and at a third, with noise."""
    grey = np.repeat((face @ LUMA)[:, :, None], 3, axis=2)
    colour = cv2.GaussianBlur(np.roll(face - grey, (1, 1), (0, 1)).astype(np.float32), (0, 0), 2.0)
    noise = np.random.default_rng(2).normal(0.0, 3.0, face.shape)
    return np.asarray(0.8 * (grey + 0.35 * colour) * np.array(light) + noise)


def view_of(ink: int, weight: Array, paper: int = 245) -> Softly:
    faces = np.stack([printed(of, paper) for of in INKS])
    return softly(faces, pale(faces[ink]), weight, None, 1.0, 1.0)


@pytest.mark.parametrize("ink", range(len(INKS)))
def test_thin_print_keeps_its_hue(ink: int) -> None:
    told = told_by_hue(view_of(ink, np.ones(SHAPE)), ink)
    assert int(np.argmax(told)) == ink
    assert told[ink] - np.sort(told)[-2] > 1.5, told
    assert int(np.argmax(told_by_hue(view_of(ink, np.ones(SHAPE)), (ink + 1) % 4))) == ink, "wherever it is looked from"


def test_on_dark_ground_and_where_no_print_is_in_view_hue_says_nothing() -> None:
    inside = np.zeros(SHAPE)
    inside[40:70, 20:60] = 1.0
    for view in (view_of(0, np.ones(SHAPE), paper=40), view_of(0, inside), view_of(0, np.zeros(SHAPE))):
        assert (told_by_hue(view, 0) == 0.0).all()


def test_weighted_points_say_what_each_face_held_against_its_own_paper_says() -> None:
    """The oracle holds every face against its paper by itself, and then against the print."""
    shown = np.ones(SHAPE, bool)
    shown[20:50, 60:] = shown[100:, :30] = shown[0] = False
    inside = shown.astype(np.float64)

    def evenly(values: Array) -> Array:
        return np.asarray(cv2.blur(cv2.blur(values, (9, 9)), (9, 9)), np.float64)

    def against_paper(channel: Array) -> Array:
        even = evenly(channel * inside) / np.maximum(evenly(inside), 1e-3)
        return np.asarray(inside * (channel - even), np.float64)

    print_ = against_paper(printed(INKS[0]).astype(np.float64) @ LUMA)
    weights = weights_of_print(print_.astype(np.float32), shown)
    for ink in INKS:
        for channel in np.moveaxis(printed(ink).astype(np.float64), 2, 0):
            expected = (print_ * against_paper(channel)).sum() / (print_**2).sum()
            assert (weights * channel).sum() == pytest.approx(expected, abs=1e-4)
    assert (weights_of_print(np.zeros(SHAPE, np.float32), shown) == 0.0).all()
