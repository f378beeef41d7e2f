"""The compiled function of the fiducials' print, with arrays in and arrays out; None where nothing is compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.kernels.library import compiled, ptr


def prints_seen(
    picture: Grey,
    camera: Camera,
    sheet_mm: float,
    bounds: NDArray[np.int64],
    points: tuple[Array, Array, Array],
    least_seen: float,
    least_scale: float,
) -> tuple[Array, Array] | None:
    """The normal equations (6, 6) and (6,) of a step of the world as a `camera` sees it in a picture (H, W). `points`
    of all fiducials, from `bounds` (F + 1,) to the next each, are places (3, N), values (N,) and slopes (2, N) on a
    sheet at that height. A fiducial counts from `least_seen` of it on, its residual's scale as `least_scale` at
    least."""
    library = compiled()
    if library is None:
        return None
    picture = np.ascontiguousarray(picture)
    normal, right = np.empty((6, 6)), np.empty(6)
    done = library.arena_fiducials(
        *(ptr(picture), *picture.shape, 1.0, ptr(camera.flat), sheet_mm, len(bounds) - 1, ptr(bounds)),
        *(*map(ptr, points), least_seen, least_scale, ptr(normal), ptr(right)),
    )
    return (normal, right) if done else None
