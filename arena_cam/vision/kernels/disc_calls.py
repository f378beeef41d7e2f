"""The compiled comparison of round prints with what is seen; None where nothing is compiled, or it failed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.vision.kernels.card_calls import FromAbove
from arena_cam.vision.kernels.library import compiled, ptr

Grey = NDArray[np.float32]

KINDS = 8  # prints that are compared at once


@dataclass(frozen=True, eq=False)
class DiscSpectra:
    """Prints `polar` (K, R, A, 3) of R rings, each a share `area` (R,) of the disc for one sample, as compiled code
    compares them: in the Fourier domain, where all turns are one product.

    `tables` (2, H, H): cosine and sine of frequency times sample, H = A / 2 + 1. `spectra`: of the prints, of their
    channels' sums, and of the sums of their squares, each (K / 8, H, rows, 2, 8), then both sums of whole discs."""

    shape: NDArray[np.int64]
    polar: Grey
    area: Grey
    tables: Grey
    spectra: Grey

    @staticmethod
    def of(polar: Grey, area: Array) -> DiscSpectra:
        kinds, rings, angles, _ = polar.shape
        groups = -(-kinds // KINDS)
        prints = np.zeros((groups * KINDS, rings, angles, 3))
        prints[:kinds] = polar - polar.mean(axis=(1, 2, 3), keepdims=True)
        half = np.arange(angles // 2 + 1)
        angle = 2.0 * np.pi * np.outer(half, half) / angles
        sums, squares = prints.sum(axis=3), np.square(prints).sum(axis=3)
        whole = [np.einsum("kra,ra->k", each, area) for each in (sums, squares)]
        by_row = prints.transpose(0, 1, 3, 2).reshape(groups * KINDS, rings * 3, angles)
        parts = [*(_spectrum(each) for each in (by_row, sums, squares)), *whole]
        spectra = np.concatenate([part.ravel() for part in parts]).astype(np.float32)
        tables = np.stack([np.cos(angle), np.sin(angle)]).astype(np.float32)
        shape = np.array([kinds, rings, angles], np.int64)[[1, 2, 0]]
        return DiscSpectra(shape, np.ascontiguousarray(polar), area[:, 0].astype(np.float32), tables, spectra)


def _spectrum(rows: Array) -> Array:
    """Rings (K, rows, A) as (K / 8, H, rows, 2, 8), scaled for the way back: real and imaginary parts."""
    kinds, count, angles = rows.shape
    found = np.fft.rfft(rows, axis=2) * (2.0 / angles)
    found[..., [0, -1]] *= 0.5
    both = np.stack([found.real, found.imag]).reshape(2, kinds // KINDS, KINDS, count, -1)
    return np.ascontiguousarray(both.transpose(1, 4, 3, 0, 2))


def disc_likeness(
    discs: DiscSpectra, seen: Grey, free: Mask, least_variance: float
) -> tuple[Array, NDArray[np.int64]] | None:
    """The best correlation (N, K) over all turns of samples (N, R, A, 3), where they are `free` (N, R, A), and its turn
    (N, K)."""
    library = compiled()
    if library is None:
        return None
    seen, free = np.ascontiguousarray(seen, np.float32), np.ascontiguousarray(free)
    count = len(seen), int(discs.shape[2])
    alike, turn = np.empty(count), np.empty(count, np.int64)
    done = library.arena_disc_likeness(
        *(ptr(seen), ptr(free), len(seen), *_of(discs)),
        *(least_variance, ptr(alike), ptr(turn)),
    )
    return (alike, turn) if done else None


@dataclass(frozen=True, eq=False)
class BestDisc:
    """The likeliest disc: at which of the `place`s, its kind and turn, its correlation, the `explained` share of what
    is visible, the `visible` share of it all, and by how much less the next kind correlates."""

    place: int
    kind: int
    turn: int
    alike: float
    explained: float
    visible: float
    margin: float


@dataclass(frozen=True, eq=False)
class DiscPlaces:
    """Groups of N places of discs in a view's pixels: their middles (G, N, 2), samples at `offsets_px` (M, 2) from
    each, the `light` (G, N, 6) there, gain and offset of each channel, and which of the circles `others_px` (K, 3) lie
    on each group, `on` (G, K)."""

    middles_px: Array
    offsets_px: Array
    light: Array
    others_px: Array
    on: Mask


def best_discs(
    discs: DiscSpectra, view: FromAbove, places: DiscPlaces, least_variance: float, rules: Array
) -> list[BestDisc] | None:
    """The likeliest disc about each group's places; of which nothing is visible, where too little of any is. `rules`
    (6,) is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    pixels, inside = np.ascontiguousarray(view.pixels), np.ascontiguousarray(view.inside)
    others = places.others_px[np.nonzero(places.on)[1]]
    each = (places.middles_px, places.offsets_px, places.light, others, rules)
    middles, offsets, light, others, rules = (np.ascontiguousarray(a, np.float64) for a in each)
    first = np.zeros(len(middles) + 1, np.int64)
    np.cumsum(places.on.sum(axis=1), out=first[1:])
    best = np.zeros((len(middles), 7))
    done = library.arena_best_discs(
        *(ptr(pixels), ptr(inside), *inside.shape, len(middles), ptr(middles), middles.shape[1]),
        *(ptr(offsets), ptr(light), ptr(first), ptr(others), *_of(discs)),
        *(ptr(discs.polar), least_variance, ptr(rules), ptr(best)),
    )
    if not done:
        return None
    return [BestDisc(int(place), int(kind), int(turn), *rest) for place, kind, turn, *rest in best.tolist()]


def edges(slopes: tuple[Grey, Grey, Grey], inside: Mask, rules: tuple[float, float, float]) -> Grey | None:
    """The edges (N, 5) of a picture in its order: column, row, unit slope along x and down y, weight. `slopes`: along
    x, down y, and their size (h, w), where the picture is `inside` (h, w). `rules`: the least slope, that of a full
    weight, and the least share of the steepest slope beside it."""
    library = compiled()
    if library is None:
        return None
    dx, dy, size = (np.ascontiguousarray(each, np.float32) for each in slopes)
    inside = np.ascontiguousarray(inside)
    found = np.empty((inside.size, 5), np.float32)  # what is not written costs nothing
    count = library.arena_edges(ptr(dx), ptr(dy), ptr(size), ptr(inside), *inside.shape, *rules, ptr(found))
    return found[:count].copy()


def round_votes(edges: Grey, radius_px: float, shape: tuple[int, int]) -> Array | None:
    """How many edges (N, 5) vote for a circle of that radius about each cell of two pixels (rows, columns)."""
    library = compiled()
    if library is None:
        return None
    edges, votes = np.ascontiguousarray(edges, np.float32), np.zeros((2, *shape))
    library.arena_round_votes(ptr(edges), len(edges), radius_px, *shape, ptr(votes))
    return np.asarray(votes[0] + votes[1])


def rim_strengths(
    view: FromAbove, free: Mask, places: Array, ways: Array, usual: tuple[Array, Array], rules: Array
) -> Array | None:
    """By how many spreads (N,) circles about the places (N, 2) in mm, of points on the unit `ways` (C, 2), change more
    across their rims than is `usual`: sorted changes (M,), and what one says that is above so many of them (M + 1,).
    `free` (h, w): where the view tells; `rules` (4,) is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    pixels, free = np.ascontiguousarray(view.pixels), np.ascontiguousarray(free)
    rows = (np.array([*view.origin_mm, view.px_per_mm, *rules]), places, ways, *usual)
    numbers, places, ways, changes, said = (np.ascontiguousarray(each, np.float64) for each in rows)
    found = np.empty(len(places))
    told = library.arena_rim_strengths(
        *(ptr(pixels), ptr(free), *free.shape, ptr(numbers), len(places), ptr(places)),
        *(len(ways), ptr(ways), len(changes), ptr(changes), ptr(said), ptr(found)),
    )
    return found if told else None


def _of(discs: DiscSpectra) -> tuple[int | None, ...]:
    return ptr(discs.shape), ptr(discs.area), ptr(discs.tables), ptr(discs.spectra)
