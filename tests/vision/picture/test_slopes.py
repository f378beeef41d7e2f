"""How steep a picture is: right, and the same wherever in memory the numbers happen to lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena_cam.vision.picture.slopes import Slopes, gradient_magnitude


def _slopes(seed: int) -> tuple[Slopes, Slopes]:
    across, along = np.random.default_rng(seed).uniform(-900.0, 900.0, (2, 5, 61)).astype(np.float32)
    return across, along


def test_it_is_the_length_of_the_gradient() -> None:
    across, along = _slopes(0)
    before = across.copy(), along.copy()
    steep = gradient_magnitude(across, along)
    assert steep.dtype == np.float32
    assert np.allclose(steep, np.hypot(across.astype(np.float64), along), rtol=3e-7, atol=0.0)
    assert np.array_equal(across, before[0])
    assert np.array_equal(along, before[1])
    right_angled = np.array([[-3.0, 0.0], [4.0, 0.0]], np.float32)
    assert gradient_magnitude(*right_angled).tolist() == [5.0, 0.0]


def test_the_last_digit_does_not_hang_on_where_numbers_lie_in_memory() -> None:
    """Allocators put an array at any multiple of 16 bytes. All results are kept, and something of another size between
    them, so that they begin both where 32 bytes do and in their middle. Of a single array the last digits may agree by
    chance in either place."""
    kept: list[np.ndarray[Any, Any]] = []
    beginnings: set[int] = set()
    for seed in range(40):
        across, along = _slopes(seed)
        found = []
        for number in range(12):
            kept.append(np.empty(256 + 2 * (number % 5), np.float64))
            found.append(gradient_magnitude(_moved(across, number), _moved(along, 2 * number)))
        kept += found
        beginnings |= {steep.ctypes.data % 32 for steep in found}
        assert len({steep.tobytes() for steep in found}) == 1, seed
    assert len(beginnings) > 1, "nothing was tried: all results lay alike"


def _moved(numbers: Slopes, by: int) -> Slopes:
    """The same numbers, from so many later on in memory."""
    room = np.empty(numbers.size + by, np.float32)
    room[by:] = numbers.ravel()
    return room[by:].reshape(numbers.shape)
