"""Inks are told by the light that each of them would need."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.ink_light import InkSeen, ink_seen, light_needed

INKS = np.array([(170.0, 90.0, 30.0), (140.0, 50.0, 110.0), (48.0, 40.0, 190.0), (70.0, 130.0, 40.0)])
DRAWN = INKS**2 / 255.0


@pytest.mark.parametrize("ink", range(len(INKS)))
@pytest.mark.parametrize("haze", [0.0, 40.0, 110.0])
def test_an_ink_needs_the_light_that_paper_tells(ink: int, haze: float) -> None:
    seen = InkSeen(1.1 * DRAWN[ink] + haze, DRAWN, np.full((4, 3), 1.1), np.full((4, 3), 0.2))
    needed = light_needed(seen)
    assert int(np.argmin(needed)) == ink
    assert np.sort(needed)[1] - needed[ink] > 9.0, needed


def test_what_figure_and_ground_differ_by_tells_the_gain_under_any_haze() -> None:
    rng = np.random.default_rng(5)
    face = np.tile(INKS[:1, :, None], (1, 1, 900))
    face[:, :, :150] += 0.5 * (255.0 - face[:, :, :150])
    white, plane = np.array([0.4, 0.42, 0.45]), _plane(900, rng)
    light = white[:, None] * (0.9 * face[0] ** 2 / 255.0 + 60.0 + 8.0 * plane[:, 1])
    seen = ink_seen(face.astype(np.float32), np.sqrt(light * 255.0).T, np.ones(900), plane, white, 3.0, 12.0)
    assert seen.gain[0] == pytest.approx(np.full(3, 0.9), abs=0.02)
    assert seen.seen - 0.9 * seen.drawn[0] == pytest.approx(np.full(3, 60.0), abs=1.0)
    assert (seen.gain_sd < 0.2).all()


def _plane(count: int, rng: np.random.Generator) -> Array:
    return np.column_stack([np.ones(count), rng.uniform(-1.0, 1.0, (count, 2))])
