"""Sums over the three channels of a picture: numpy takes ten times as long over a last axis that is so short."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)
Levels = TypeVar("Levels", np.float32, np.float64)


def greatest(channels: NDArray[Number]) -> NDArray[Number]:
    """The greatest (...) of three channels (..., 3)."""
    return np.asarray(np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2]))


def summed(channels: NDArray[Levels]) -> NDArray[Levels]:
    """The sum (...) of three channels (..., 3)."""
    return np.asarray(channels[..., 0] + channels[..., 1] + channels[..., 2])


def where_greatest(channels: NDArray[Any], *others: NDArray[Number]) -> list[NDArray[Number]]:
    """Of `others` (..., 3) the channel (...) in which `channels` (..., 3) is greatest, of equal ones the first."""
    first, second, third = (channels[..., channel] for channel in range(3))
    is_first, is_second = first >= np.maximum(second, third), second >= third
    return [np.where(is_first, of[..., 0], np.where(is_second, of[..., 1], of[..., 2])) for of in others]


def tells_something(seen: NDArray[Any]) -> NDArray[np.bool_]:
    """Which points (N,) of a card, `seen` (N, 3) in the picture, say what is printed there.

    In strong light white paper is as white as a picture gets, and that tells paper from ink. But where this is nearly
    all that is seen of a card, gloss has washed its ink out, and these points say nothing."""
    white = greatest(seen) >= _WHITEST
    return np.ones(len(seen), bool) if white.mean() < _WASHED_OUT else ~white


# Grey levels, JPEG's ringing left out. Of cards of white paper in full view up to 0.6 was so white, with all of their
# figures to be read; of glossy ones whose names nobody could tell 0.75 to 0.97.
_WHITEST, _WASHED_OUT = 252.0, 0.65
