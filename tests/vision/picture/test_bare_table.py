"""What differs from a bare table but for the light, and a picture of it alone."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.picture.bare_table import differ, is_most, reaches_border, shown_alone, small_grey, what_differs

SIZE = (180, 320)
COLUMNS = np.linspace(-1.0, 1.0, SIZE[1])[None, :]
CHECKS = np.where((np.indices(SIZE) // 12).sum(axis=0) % 2, 130, 70).astype(np.int16)


def lit(factor: float, slope: float) -> np.ndarray:
    return ((CHECKS + 8.0) * factor * np.exp(slope * COLUMNS) - 8.0).astype(np.int16)


def with_card(small: np.ndarray, left: int = 100) -> np.ndarray:
    laid = small.copy()
    laid[60:110, left : left + 36] = 235
    return laid


def enlarged(small: np.ndarray) -> np.ndarray:
    return np.kron(small, np.ones((3, 3)))[..., None].repeat(3, axis=2).astype(np.uint8)


@pytest.mark.parametrize("now", [CHECKS, CHECKS + 4, lit(1.5, 0.0), lit(0.7, 0.3)])
def test_a_lamp_makes_no_difference_and_a_card_laid_in_its_light_does(now: np.ndarray) -> None:
    assert what_differs(now, CHECKS) is None
    differs = what_differs(with_card(now), CHECKS)
    assert differs is not None
    assert differs[60:110, 100:136].mean() > 0.9
    differs[60:110, 100:136] = False
    assert not differs.any()


def test_more_light_than_a_lamp_gives_is_another_table_and_so_is_another_size() -> None:
    for now in (lit(3.0, 0.0), CHECKS[:, :-1]):
        differs = what_differs(now, CHECKS)
        assert differs is not None
        assert is_most(differs)
    assert differ(CHECKS, CHECKS[:, :-1])


def test_an_arm_reaches_over_the_border_and_a_card_does_not() -> None:
    for left, reaches in ((100, False), (284, True), (0, True)):
        differs = what_differs(with_card(CHECKS, left), CHECKS)
        assert differs is not None
        assert (reaches_border(differs), is_most(differs)) == (reaches, False)


def test_only_what_differs_is_shown_with_a_card_s_length_round_it_and_no_pattern_elsewhere() -> None:
    bare, picture = (enlarged(small) for small in (CHECKS, with_card(CHECKS)))
    differs = what_differs(small_grey(picture), small_grey(bare))
    assert differs is not None
    alone = shown_alone(picture, differs)
    assert (alone[150:360, 270:440] == picture[150:360, 270:440]).all()
    far = alone[:, 600:, 0].astype(float)
    assert far.std() < 4.0 < 25.0 < picture[:, 600:, 0].std()
    assert max(np.abs(np.diff(alone[..., 0].astype(float), axis=axis))[:, 560:].max() for axis in (0, 1)) < 3.0
