"""The compiled functions of faces that lie in the picture, one over another, with arrays in and arrays out; None where
nothing is compiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.library import compiled, ptr

Colours = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LaidFace:
    """A face laid in the picture: its colours and how steep it is, both (H, W, 3); the `homography` (3, 3) from pixels
    of the frame to mm on the card, x right and y up from its middle; its light (3, 6), and the scale (3,) of what that
    leaves."""

    value: Colours
    slope: Colours
    homography: Array
    light: Array
    scale: Array

    @property
    def numbers(self) -> Array:
        return np.concatenate([self.homography.ravel(), self.light.ravel(), self.scale])


def compared(
    pixels: Array, seen: Array, a: LaidFace, b: LaidFace, rules: Array, *, in_shade: bool = False
) -> Array | None:
    """At pixels (N, 2) of the frame that show `seen` (N, 3) the log-likelihood ratio (N,) of the first face over the
    second, NaN where nothing can be said. `rules` is a row of numbers in the order of the compiled twin. `in_shade`: a
    line of shadow may darken either everywhere, as it may along its edge."""
    library = compiled()
    if library is None:
        return None
    pixels, seen, found = np.ascontiguousarray(pixels), np.ascontiguousarray(seen), np.empty(len(pixels))
    of_a, of_b = a.numbers, b.numbers
    done = library.arena_overlap(
        *(ptr(pixels), ptr(seen), len(pixels), *a.value.shape[:2]),
        *(ptr(a.value), ptr(a.slope), ptr(of_a), ptr(b.value), ptr(b.slope), ptr(of_b), ptr(rules), in_shade),
        ptr(found),
    )
    return found if done else None


def relit(
    places: tuple[Array, Array], seen: Array, a: LaidFace, b: LaidFace, rules: tuple[Array, Array]
) -> Array | None:
    """As `compared`, either face as bright as suits the picture best, at `places`: pixels (N, 2), and how far they lie
    off their middle (N, 2), in half cards; both faces have a colour at all of them. `rules`: those of `compared`, and
    by which share the light may be off, the standard deviation of what it leaves, by how many points' worth it is held
    to what is known, and rounds of reweighting."""
    library = compiled()
    if library is None:
        return None
    pixels, across, seen = (np.ascontiguousarray(part, np.float64) for part in (*places, seen))
    of_a, of_b, found = a.numbers, b.numbers, np.empty(len(pixels))
    done = library.arena_overlap_relit(
        *(ptr(pixels), ptr(seen), ptr(across), len(pixels), *a.value.shape[:2]),
        *(ptr(a.value), ptr(a.slope), ptr(of_a), ptr(b.value), ptr(b.slope), ptr(of_b), *map(ptr, rules), ptr(found)),
    )
    return found if done else None


def lights_of(
    values: Colours, places: tuple[Array, Array], seen: Array, weight: Array, usual: Array, rules: Array, rounds: int
) -> Array | None:
    """The light (C, 6) in which `values` (C, N) of a face are `seen` (C, N) where `weight` (N,) is not 0, fitted to the
    part that agrees, so many `rounds`, its gain held to what is `usual` (C,). `places`: x and y (each (N,)), in half
    cards. `rules` is a row of numbers in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    values, light = np.ascontiguousarray(values, np.float32), np.empty((len(values), 6))
    rows = [np.ascontiguousarray(part, np.float64) for part in (*places, seen, weight, usual, rules)]
    done = library.arena_lights(ptr(values), *map(ptr, rows[:5]), *values.shape, ptr(rows[5]), rounds, ptr(light))
    return light if done else None


def placed_tiles(
    face: tuple[Colours, Array, Array],
    seen: Array,
    asked: NDArray[np.bool_],
    tiles: tuple[NDArray[np.intp], int],
    white: Array,
    rules: Array,
) -> tuple[Array, NDArray[np.bool_], Array, Array, NDArray[np.bool_]] | None:
    """The scale (3,) of what the light on a face leaves of what is `seen` (N, 3) where it is `asked` (N,); which points
    show something else (N,); and of each tile how many are asked (T,), how many of these show something else (T,), and
    whether its colour is another ink's (T,). `face`: its colours (3, N), where they lie (3, N), and its light (3, 6).
    `tiles`: the number of each point's (N,), and of all. `white` (3,): the colour of white in levels, of length 1.
    `rules` is a row of numbers in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    drawn, rows = np.ascontiguousarray(face[0]), [np.ascontiguousarray(part, np.float64) for part in (*face[1:], seen)]
    trusted, tile, count = np.ascontiguousarray(asked), np.ascontiguousarray(tiles[0], np.int64), tiles[1]
    foreign, in_ink, scale = np.empty(len(seen), np.bool_), np.empty(count, np.bool_), np.empty(3)
    points, odd = np.empty(count), np.empty(count)
    done = library.arena_placed(
        *(ptr(drawn), ptr(rows[0][0]), ptr(rows[0][1]), ptr(rows[1]), ptr(rows[2]), ptr(trusted), len(seen)),
        *(ptr(tile), count, ptr(white), ptr(rules), ptr(scale), ptr(foreign), ptr(points), ptr(odd), ptr(in_ink)),
    )
    return (scale, foreign, points, odd, in_ink) if done else None


def in_polygon(polygon: Array, x: Array, y: Array) -> NDArray[np.bool_] | None:
    """Whether points at x and y (each (N,)), or at all of x (1, N) in each of y (M, 1), lie in a convex polygon (K, 2):
    (N,) or (M, N)."""
    library = compiled()
    is_grid = y.ndim == 2
    if library is None or (is_grid and not x.shape[0] == y.shape[1] == 1) or (not is_grid and x.shape != y.shape):
        return None
    corners, across, down = (np.ascontiguousarray(part, np.float64) for part in (polygon, x, y))
    inside = np.empty((down.size, across.size) if is_grid else across.size, np.bool_)
    library.arena_inside(
        *(ptr(corners), len(corners), ptr(across), across.size, ptr(down), down.size if is_grid else 1),
        *(not is_grid, ptr(inside)),
    )
    return inside
