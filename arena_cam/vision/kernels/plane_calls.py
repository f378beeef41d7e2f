"""The compiled functions about the plane of a photograph's cards, with arrays in and arrays out; None where nothing is
compiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.library import compiled, ptr


@dataclass(frozen=True, eq=False)
class Observed:
    """What is seen of cards on a plane, as bundle_adjustment has it: points of sides on their cards `local` (N, 2), the
    card of each of them and of each index (N + M,), where they are seen (N + M, 2), `across` (N, 2), the corner of each
    index (M, 2); R, t and the first two rows of K of a camera that is `held` (18,), or None; `rules`, a row of numbers
    in the order of the compiled twin."""

    local: Array
    card: NDArray[np.int64]
    seen: Array
    across: Array
    corner: Array
    held: Array | None
    rules: Array


def bundle_residuals(observed: Observed, parameters: Array) -> Array | None:
    """What each row of `parameters` (K, P) leaves of the observations: (K, N + 2 M)."""
    library = compiled()
    if library is None:
        return None
    rows = np.ascontiguousarray(parameters)
    sides, indices = len(observed.local), len(observed.corner)
    found = np.empty((len(rows), sides + 2 * indices))
    library.arena_bundle(
        *(ptr(rows), *rows.shape, ptr(observed.local), sides, ptr(observed.card), ptr(observed.seen)),
        *(ptr(observed.across), ptr(observed.corner), indices, ptr(observed.held), ptr(observed.rules), ptr(found)),
    )
    return found


def plane_support(planes: Array, corners: tuple[Array, Array, Array], whole: Array, rules: Array) -> Array | None:
    """How much of the evidence fits each of `planes` (M, 3): (M,). `corners`: rays (N, 3) to each and to points on both
    its sides; `whole` (W, 2, 3): rays to both ends of whole sides; `rules`: a row of numbers in the order of the
    compiled twin."""
    library = compiled()
    if library is None:
        return None
    planes = np.ascontiguousarray(planes)
    rays = [np.ascontiguousarray(each) for each in (*corners, whole)]
    found = np.empty(len(planes))
    library.arena_plane_support(
        *(ptr(planes), len(planes), *map(ptr, rays[:3]), len(rays[0]), ptr(rays[3]), len(rays[3])),
        *(ptr(rules), ptr(found)),
    )
    return found
