"""The compiled functions of what is in view, with numbers in and out; None where nothing is compiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.library import compiled, ptr

Mask = NDArray[np.uint8]
VIEW_STEP = 8  # pixels of a view from one whose place is projected to the next; as compiled


@dataclass(frozen=True, eq=False)
class ViewAbove:
    """The floor seen from above: where it can be compared with the empty table (h, w), where it is odd (h, w), half of
    its width and height (mm), and its pixels a millimetre."""

    valid: Mask
    odd: Mask
    half_mm: tuple[float, float]
    px_per_mm: float


def counted_in_view(
    camera: Camera,
    frame: tuple[int, int],
    pose: CardPose,
    places: Array,
    claims: tuple[Mask, int],
    above: ViewAbove | None,
) -> tuple[int, int, int] | None:
    """Of `places` (3, N; x, y in mm, and 1) on a card how many lie in the frame (height, width) where none of the
    `claims`, a mask in 1/step of the frame and its step, covers them; and, `above` given, at how many of these the
    floor can be compared, and is odd there."""
    library = compiled()
    if library is None:
        return None
    (claimed, step), counts = claims, np.empty(3, np.int64)
    row, size = np.concatenate([pose.R.ravel(), pose.centre_mm]), np.array(frame, np.float64)
    masks = (None, None) if above is None else tuple(map(np.ascontiguousarray, (above.valid, above.odd)))
    shape, half = ((0, 0), size) if above is None else (above.valid.shape, np.array(above.half_mm, np.float64))
    library.arena_in_view(
        *(ptr(camera.flat), ptr(row), ptr(places), places.shape[1], ptr(size), ptr(claimed), *claimed.shape, step),
        *(*map(ptr, masks), *shape, ptr(half), 1.0 if above is None else above.px_per_mm, ptr(counts)),
    )
    free, compared, odd = counts.tolist()
    return free, compared, odd


def seen_at(
    camera: Camera, pose: CardPose, places: Array, claims: tuple[Mask, int] | None
) -> tuple[Array, Array] | None:
    """The pixels (2, N) of `places` (3, N; x, y in mm, and 1) on a card, and 0.0 (N,) where one of the `claims`, as
    above, covers them, else 1.0; None is no claims."""
    library = compiled()
    if library is None:
        return None
    places, count = np.ascontiguousarray(places), places.shape[1]
    row, pixels, free = np.concatenate([pose.R.ravel(), pose.centre_mm]), np.empty((2, count)), np.empty(count)
    claimed, step = (None, 1) if claims is None else claims
    shape = (0, 0) if claimed is None else claimed.shape
    library.arena_seen_at(
        *(ptr(camera.flat), ptr(row), ptr(places), count, ptr(claimed), *shape, step, ptr(pixels), ptr(free)),
    )
    return pixels, free


def view_map(
    coarse: NDArray[np.float32], shape: tuple[int, int], scale: float, *, nearest: bool
) -> tuple[NDArray[np.int16], NDArray[np.uint16] | None] | None:
    """Where the pixels of a view of that `shape` (H, W) lie in the picture, times `scale`: whole pixels (H, W, 2), and
    32nds of them (H, W) as cv2.remap takes them, or None with the `nearest` pixels. `coarse` (rows, columns, 2) says it
    of every VIEW_STEP-th pixel, and of one beyond the last."""
    library = compiled()
    if library is None:
        return None
    coarse, whole = np.ascontiguousarray(coarse), np.empty((*shape, 2), np.int16)
    parts = None if nearest else np.empty(shape, np.uint16)
    done = library.arena_view_map(ptr(coarse), coarse.shape[1], *shape, scale, ptr(whole), ptr(parts))
    return (whole, parts) if done else None


def seen_from_above(
    image: NDArray[np.uint8], nodes: NDArray[np.float32], shape: tuple[int, int], *, as_floats: bool
) -> tuple[NDArray[np.uint8] | NDArray[np.float32], NDArray[np.bool_]] | None:
    """A view (H, W, 3) of that `shape` of a photograph (h, w, 3), in whole grey levels, as bytes or `as_floats`; and
    where the photograph reaches (H, W). `nodes` (rows, columns, 2) say of every 16th of its pixels, and of one beyond
    the last, where it lies in the photograph."""
    library = compiled()
    if library is None:
        return None
    image, nodes = np.ascontiguousarray(image), np.ascontiguousarray(nodes)
    pixels = np.empty((*shape, 3), np.float32 if as_floats else np.uint8)
    inside = np.empty(shape, bool)
    done = library.arena_from_above(
        *(ptr(image), *image.shape[:2], ptr(nodes), nodes.shape[1], *shape),
        *((None, ptr(pixels)) if as_floats else (ptr(pixels), None)),
        ptr(inside),
    )
    return (pixels, inside) if done else None


def plain_detail(
    detail: Mask, least: Mask, ratio: Grey, level: Grey, inside: NDArray[np.bool_], rules: NDArray[np.float32]
) -> Mask | None:
    """What the `detail` (H, W) of a view counts where it is more than the floor's own, `least` (H, W): by the log
    `ratio` (H, W) to the floor's log brightness `level` (H, W), `inside` (H, W) the arena and beyond it. `rules` (9,)
    are in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    parts = [np.ascontiguousarray(part) for part in (detail, least, ratio, level, inside)]
    found = np.empty(detail.shape, np.uint8)
    done = library.arena_plain(*map(ptr, parts), found.size, ptr(rules), ptr(found))
    return found if done else None


def even_light(few: Grey, bare: NDArray[np.bool_], fitted: Array, rules: Array) -> Array | None:
    """The polynomials of the second degree, (6, 3), fitted to the channels of `few` (H, W, 3) where it is `bare`
    (H, W), from their medians there, `fitted` (3,). `rules` (4,) are in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    few, bare = np.ascontiguousarray(few, np.float32), np.ascontiguousarray(bare)
    start, light = np.ascontiguousarray(fitted, np.float64), np.empty((6, 3))
    done = library.arena_even_light(ptr(few), ptr(bare), *bare.shape, ptr(start), ptr(rules), ptr(light))
    return light if done else None
