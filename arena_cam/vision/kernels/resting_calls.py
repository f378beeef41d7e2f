"""The compiled function of how a card rests, with arrays in and arrays out; None where nothing is compiled, or it
failed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.library import compiled, ptr

_FOUND = 50  # numbers a hypothesis: pose (12), misfit, likelihood, covariance (36)


def rested(
    pose: CardPose,
    known: Array,
    wanted: Array,
    hypotheses: Sequence[tuple[float, ...]],
    rules: Array,
    outline: tuple[Array, Array],
) -> list[tuple[CardPose, float, float, Array]] | None:
    """For each hypothesis the likeliest pose, its misfit, its likelihood but for prior and unit, and the covariance
    (6, 6). `known` (6, 6) and `wanted` (6,) are what the pixels say of a step from `pose`; `hypotheses` and `rules` are
    rows of numbers in the order of the compiled twin, `outline` the x and the y (N,) of points round the card."""
    library = compiled()
    if library is None:
        return None
    flat, rows = np.concatenate([pose.R.ravel(), pose.centre_mm]), np.array(hypotheses)
    known, wanted, found = np.ascontiguousarray(known), np.ascontiguousarray(wanted), np.empty((len(rows), _FOUND))
    done = library.arena_resting(
        *(ptr(flat), ptr(known), ptr(wanted), ptr(rows), len(rows), ptr(rules)),
        *(ptr(outline[0]), ptr(outline[1]), len(outline[0]), ptr(found)),
    )
    if not done:
        return None
    return [
        (CardPose(row[:9].reshape(3, 3), row[9:12]), float(row[12]), float(row[13]), row[14:].reshape(6, 6))
        for row in found
    ]
