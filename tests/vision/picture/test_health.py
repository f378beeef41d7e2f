"""When a picture shows nothing to judge by, and when it does again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.messages import Message
from arena_cam.vision.picture.health import EyeHealth, Trouble

STEP_S = 1 / 4


def pictures(light: float, seed: int = 1) -> Iterator[np.ndarray]:
    """A dark table on which white cards cover a tenth of the picture, each picture with noise of its own."""
    rng = np.random.default_rng(seed)
    scene = np.full((160, 240), 70.0)
    scene[40:80, 60:156] = 225.0
    while True:
        yield np.clip(scene * light + rng.normal(0.0, 1.0, scene.shape), 0, 255).astype(np.uint8)


def watched(health: EyeHealth, start_s: float, seconds: float, light: float) -> list[Trouble | None]:
    shown = pictures(light)
    return [health.trouble(next(shown), start_s + k * STEP_S) for k in range(round(seconds / STEP_S))]


def test_light_that_goes_out_over_white_cards_is_noticed_and_light_that_comes_back() -> None:
    health = EyeHealth()
    assert set(watched(health, 0.0, 5.0, 1.0)) == {None}
    dark = watched(health, 5.0, 60.0, 0.11)
    assert set(dark) == {(Doubt.LIGHT_OUT(), Doubt.LIGHT_ON_AGAIN())}, "white cards are not black even so"
    assert set(watched(health, 65.0, 2.0, 1.0)) == {None}


def test_clouds_and_evenings_are_no_trouble() -> None:
    health = EyeHealth()
    time_s = 0.0
    for light in (1.0, 0.7, 1.0, 0.55, 0.9):
        assert set(watched(health, time_s, 3.0, light)) == {None}
        time_s += 3.0
    for light in np.linspace(0.9, 0.25, 60):
        assert set(watched(health, time_s, 4.0, float(light))) == {None}
        time_s += 4.0


def test_a_weaker_lamp_is_got_used_to() -> None:
    health = EyeHealth()
    watched(health, 0.0, 5.0, 1.0)
    troubles = watched(health, 5.0, 90.0, 0.3)
    assert troubles[0]
    assert troubles[-1] is None


def test_a_flash_changes_nothing() -> None:
    health = EyeHealth()
    watched(health, 0.0, 3.0, 0.4)
    watched(health, 3.0, STEP_S, 1.1)
    assert set(watched(health, 3.1, 2.0, 0.4)) == {None}


@pytest.mark.parametrize(
    ("grey", "reason"),
    [
        (0, Doubt.PICTURE_BLACK()),
        (8, Doubt.PICTURE_BLACK()),
        (40, Doubt.PICTURE_GREY()),
        (128, Doubt.PICTURE_GREY()),
        (250, Doubt.PICTURE_WHITE()),
    ],
)
def test_a_picture_of_nothing_is_told_from_a_table(grey: int, reason: Message) -> None:
    trouble = EyeHealth().trouble(np.full((160, 240), grey, np.uint8), 0.0)
    assert trouble is not None
    assert trouble[0] == reason


def test_a_repeated_picture_is_frozen_after_a_while_and_fine_again_with_the_next() -> None:
    health = EyeHealth()
    shown = pictures(1.0)
    stuck = next(shown)
    said = [health.trouble(stuck, k * 0.25) for k in range(9)]
    assert said[:6] == [None] * 6
    assert said[6:] == [(Doubt.PICTURE_FROZEN(), Doubt.PLUG_IN_AGAIN())] * 3
    assert health.trouble(next(shown), 2.5) is None
