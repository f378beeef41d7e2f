"""What a picture of a floor shows otherwise than before: bare, darker, brighter, coloured; compiled and not."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.reading.floor.floor_comparison import LOG, Compared, compared, everywhere, mean_and_colour

SHAPE = (6, 8)
EVERYWHERE = np.ones(SHAPE, np.uint8)


def seen(now: np.ndarray, floor: np.ndarray, valid: np.ndarray = EVERYWHERE, light: float = 0.0) -> Compared:
    """The comparison of two pictures (H, W, 3) in grey levels, in an even change of light."""
    changed = np.full((SHAPE[0] + 2, SHAPE[1] + 3, 3), light, np.float32)
    return compared(now, LOG[floor], changed, valid, noise=0.005)


FLOOR = np.full((*SHAPE, 3), 100, np.uint8)


@pytest.fixture(params=["compiled", "numpy"], autouse=True)
def _by(request: pytest.FixtureRequest) -> object:
    if request.param == "compiled":
        yield
        return
    with computing_with(None):
        yield


@pytest.mark.parametrize(
    ("bgr", "odd", "pale", "strange", "bare"),
    [
        ((100, 100, 100), False, False, False, True),
        ((108, 108, 108), False, False, False, False),  # lit a little
        ((130, 130, 130), True, True, True, False),
        ((100, 100, 160), True, True, True, False),
        ((35, 35, 35), True, False, False, False),  # as dark as a deep shadow
        ((5, 5, 5), True, True, True, False),
    ],
)
def test_a_pixel_is_bare_or_odd_and_may_be_a_shadow(
    bgr: tuple[int, int, int], odd: bool, pale: bool, strange: bool, bare: bool
) -> None:
    now = FLOOR.copy()
    now[2, 5] = bgr
    found = seen(now, FLOOR)
    here = [bool(mask[2, 5]) for mask in (found.odd, found.pale, found.strange, found.bare)]
    assert here == [odd, pale, strange, bare]
    assert found.bare.sum() == found.bare.size - (not bare)
    assert found.odd.sum() == odd


def test_the_light_s_own_change_is_taken_out() -> None:
    brighter = np.full_like(FLOOR, 150)
    assert not seen(brighter, FLOOR).bare.any()
    found = seen(brighter, FLOOR, light=float(LOG[150] - LOG[100]))
    assert found.bare.all()
    assert np.abs(found.mean).max() < 1e-6


def test_where_nothing_is_compared_nothing_is_said() -> None:
    valid = EVERYWHERE.copy()
    valid[:, 4:] = 0
    found = seen(np.full_like(FLOOR, 200), FLOOR, valid)
    for mask in (found.odd, found.pale, found.strange):
        assert mask[:, :4].all()
        assert not mask[:, 4:].any()


def test_black_beyond_the_picture_is_not_in_both() -> None:
    floor = FLOOR.copy()
    floor[:, 0] = 0
    found = seen(FLOOR, floor)
    assert not found.in_both[:, 0].any()
    assert found.in_both[:, 1:].all()


def test_mean_and_colour_are_over_the_channels() -> None:
    mean, colour = mean_and_colour(np.array([[[0.3, 0.6, 0.0]]], np.float32))
    assert float(mean[0, 0]) == pytest.approx(0.3)
    assert float(colour[0, 0]) == pytest.approx(0.3)


def test_light_known_on_a_grid_is_even_in_between() -> None:
    """Compiled it is spread out row by row, as the picture is compared; else by OpenCV, all at once."""
    light = np.random.default_rng(4).normal(0.0, 0.1, (4, 5, 3)).astype(np.float32)
    now, shape = np.full((29, 38, 3), 100, np.uint8), (29, 38)
    found = compared(now, LOG[now], light, np.ones(shape, np.uint8), noise=0.005)
    wanted = -mean_and_colour(everywhere(light)[:29, :38])[0]
    assert np.abs(found.mean - wanted).max() < 1e-6
    assert np.ptp(wanted) > 0.1
