"""The compiled functions of faces told apart where they differ, with arrays in and arrays out; None where nothing is
compiled, or it failed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.vision.kernels.library import compiled, ptr

Numbers = NDArray[np.intp]


def lit_at(
    points: tuple[Grey, Numbers, Numbers],
    places: tuple[Array, Array],
    light: Array,
    near: tuple[Grey, Grey, Grey],
    rules: tuple[float, float],
) -> tuple[Array, Array, Array] | None:
    """Faces at some points in a `light` (3, 6) as `light_of` gives it (J, N, 3), what is printed round about each point
    (N, 3), and the variance of the light (N,); in grey levels. `points`: all faces (K, H, W, 3), the numbers (J,) of
    those that are asked about, and those of the points (N,); `places`: where all points lie, x and y (each (H, W)).
    `near`: of what lies round about each point the share that looks alike (N, 1), what the light leaves there of what
    is seen (N, 3), and what is drawn there in the light (N, 3), as light. `rules`: the mean square of all that is left,
    and the light of less than which none is known better."""
    library = compiled()
    if library is None:
        return None
    rows = [np.ascontiguousarray(part, np.float32) for part in (points[0], *near)]
    these, at = (np.ascontiguousarray(part, np.int64) for part in points[1:])
    flat = [np.ascontiguousarray(part, np.float64) for part in (*places, light)]
    lit, about, doubt2 = np.empty((len(these), len(at), 3)), np.empty((len(at), 3)), np.empty(len(at))
    done = library.arena_lit(
        *(ptr(rows[0]), ptr(these), len(these), ptr(at), len(at), flat[0].size),
        *(*map(ptr, flat), *map(ptr, rows[1:]), *rules, ptr(lit), ptr(about), ptr(doubt2)),
    )
    return (lit, about, doubt2) if done else None


def said_apart(
    points: tuple[Numbers, Numbers, Numbers],
    lit: tuple[Array, Array, Array],
    spread: Grey,
    slopes: Array,
    shown: Array,
    rules: Array,
) -> Array | None:
    """What is said (J, M) a point for each of some faces by M views of a card. `points`: the numbers (J,) of those that
    are compared, those of the points (N,), and which of the P points these are at which all faces are told apart (N,).
    `lit`: what `lit_at` gives for them. `spread` (H, W): by how much the faces differ. `slopes` (K, P): how steep all
    faces are, `shown` (M, 3, P): what is seen. `rules` is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    numbers = [np.ascontiguousarray(part, np.int64) for part in points]
    rows = [np.ascontiguousarray(part, np.float64) for part in (*lit, slopes, shown, rules)]
    spread = np.ascontiguousarray(spread, np.float32)
    said = np.empty((len(numbers[0]), len(shown)))
    done = library.arena_told(
        *(ptr(numbers[0]), len(numbers[0]), ptr(numbers[1]), len(numbers[1]), *map(ptr, rows[:3]), ptr(spread)),
        *(ptr(rows[3]), ptr(rows[4]), len(shown), shown.shape[2], ptr(numbers[2]), ptr(rows[5]), ptr(said)),
    )
    return said if done else None


def grouped(faces: Grey, order: Numbers, at: Numbers, rules: tuple[float, float]) -> NDArray[np.int64] | None:
    """To which group (K,), from 0, each of `faces` (K, H, W, 3) belongs: in their `order` (K,) each joins the first
    group whose first face looks like it at most of the points numbered `at` (N,), or begins another. `rules`: by how
    many grey levels less than which points are alike, and the share of the points that has to be."""
    library = compiled()
    if library is None:
        return None
    faces, groups = np.ascontiguousarray(faces, np.float32), np.empty(len(faces), np.int64)
    numbers = [np.ascontiguousarray(part, np.int64) for part in (order, at)]
    count, height, width, _ = faces.shape
    done = library.arena_grouped(
        *(ptr(faces), height * width, ptr(numbers[0]), count, ptr(numbers[1]), len(at), *rules, ptr(groups)),
    )
    return groups if done else None
