"""Creeping is told from flicker."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.watching.creeping import creeping
from arena_cam.vision.watching.stillness import CellPicture, from_pixels

SIZE = (128, 240)


def pictures(px_per_frame: float, flicker: float, frames: int = 5) -> list[CellPicture]:
    """A printed card on a dark floor that slides along x; `flicker` is noise along its edges, grey levels."""
    rng = np.random.default_rng(4)
    card = np.full((SIZE[0] * 8, SIZE[1] * 8), 50, np.float32)
    card[320:640, 640:860] = 220
    card[400:460, 680:800] = 40
    card[520:590, 700:840] = 90
    edges = cv2.resize((cv2.morphologyEx(card, cv2.MORPH_GRADIENT, np.ones((9, 9))) > 0).astype(np.float32), SIZE[::-1])
    out = []
    for frame in range(frames):
        warp = np.array([[1, 0, 8 * px_per_frame * frame], [0, 1, 0]], np.float64)
        moved = cv2.warpAffine(card, warp, card.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(moved, SIZE[::-1], interpolation=cv2.INTER_AREA)
        noise = rng.normal(0, 0.6, SIZE) + rng.normal(0, 1, SIZE) * edges * flicker
        out.append(from_pixels((small + noise).astype(np.float32)))
    return out


EVERYWHERE = np.ones((SIZE[0] // 8, SIZE[1] // 8), bool)


@pytest.mark.parametrize("px_per_frame", [0.02, 0.05, 0.2])
def test_a_slow_slide_is_creeping(px_per_frame: float) -> None:
    assert creeping(pictures(px_per_frame, flicker=0.0), EVERYWHERE)


@pytest.mark.parametrize("flicker", [0.0, 2.0, 8.0, 20.0])
def test_flicker_along_edges_is_not(flicker: float) -> None:
    assert not creeping(pictures(0.0, flicker), EVERYWHERE)


def test_a_slow_slide_under_flicker_is_creeping() -> None:
    assert creeping(pictures(0.05, flicker=4.0), EVERYWHERE)


def test_only_the_cells_asked_about_count() -> None:
    elsewhere = EVERYWHERE.copy()
    elsewhere[:, 8:16] = False
    assert not creeping(pictures(0.05, flicker=0.0), elsewhere)


def test_too_few_pictures_say_nothing() -> None:
    assert not creeping(pictures(0.2, flicker=0.0, frames=4), EVERYWHERE)
