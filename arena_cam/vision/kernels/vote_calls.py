"""The compiled searches for matches of keypoints that agree; None where nothing is compiled, or it failed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.vision.kernels.library import compiled, ptr

Numbers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LaidMatches:
    """Matches on a table: places `mm` (N, 2) on their cards, where they lie `at` (N, 2), their `turn` (N,)
    and where each has its card's `middle` (N, 2); where these lie `across` (N,) the table from left to right, and whose
    (`order`, N) they are; the photograph's keypoint `seen` (N,) and how alike (N,) it is."""

    mm: Array
    at: Array
    turn: Array
    middle: Array
    across: Array
    order: Numbers
    seen: Numbers
    alike: NDArray[np.float32]


def crowd(matches: LaidMatches, left: Mask, seeds: Numbers, rules: Array) -> Numbers | None:
    """The numbers of the most matches, of those `left` (N,), that agree with one of the `seeds` about its card; `rules`
    (4,) is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    m = matches
    rows = [np.ascontiguousarray(each, np.float64) for each in (m.mm, m.at, m.turn, m.middle, m.across)]
    order, seen = np.ascontiguousarray(m.order, np.int64), np.ascontiguousarray(m.seen, np.int64)
    alike = np.ascontiguousarray(m.alike, np.float32)
    left, seeds, found = (
        np.ascontiguousarray(left),
        np.ascontiguousarray(seeds, np.int64),
        np.empty(len(seen), np.int64),
    )
    keypoints = int(seen.max(initial=-1)) + 1
    count = library.arena_crowd(
        *(*map(ptr, rows), ptr(order), ptr(seen), ptr(alike), ptr(left), len(seen), keypoints),
        *(ptr(seeds), len(seeds), ptr(rules), ptr(found)),
    )
    return found[:count].astype(np.intp) if count >= 0 else None


def agreed(
    mm: Array, at: Array, seen: Numbers, pairs: tuple[Numbers, Numbers], rules: Array
) -> tuple[int, Array, Mask] | None:
    """Of the places that pairs of N matches tell, with places `mm` (N, 2) on a card that lie `at` (N, 2), that with
    which most of the keypoints `seen` (N,) agree: how many do, the place (3,), which matches agree (N,). `rules` (4,)
    is a row, in the compiled twin's order."""
    library = compiled()
    if library is None:
        return None
    rows = [np.ascontiguousarray(each, np.float64) for each in (mm, at, rules)]
    seen, first, second = (np.ascontiguousarray(each, np.int64) for each in (seen, *pairs))
    place, inside, keypoints = np.empty(3), np.empty(len(seen), bool), int(seen.max(initial=-1)) + 1
    count = library.arena_agreed(
        *(ptr(rows[0]), ptr(rows[1]), ptr(seen), len(seen), keypoints),
        *(ptr(first), ptr(second), len(first), ptr(rows[2]), ptr(place), ptr(inside)),
    )
    return (int(count), place, inside) if count >= 0 else None


def fitting(mm: Array, at: Array, place: Array, within_mm: float) -> Numbers | None:
    """Which of the matches with places `mm` (N, 2) lie `at` (N, 2) nearer than that to where a card at `place` (3,) has
    them."""
    library = compiled()
    if library is None:
        return None
    rows, found = [np.ascontiguousarray(each, np.float64) for each in (mm, at, place)], np.empty(len(mm), np.int64)
    count = library.arena_fitting(ptr(rows[0]), ptr(rows[1]), len(mm), ptr(rows[2]), within_mm, ptr(found))
    return found[:count].astype(np.intp)


def climbed(mm: Array, px: Array, which: Numbers, parameters: Array, rules: Array) -> Array | None:
    """The parameters (8 + 3 C,) of a table's view and of the places of all its cards but the first, improved: keypoints
    with places `mm` (N, 2) on the cards `which` (N,) are seen at `px` (N, 2). `rules` (8,) is a row, in the compiled
    twin's order."""
    library = compiled()
    if library is None:
        return None
    rows = [np.ascontiguousarray(each, np.float64) for each in (mm, px, rules)]
    which, found = np.ascontiguousarray(which, np.int64), np.array(parameters, np.float64)
    done = library.arena_table_fit(
        len(which), ptr(rows[0]), ptr(rows[1]), ptr(which), ptr(rows[2]), len(found), ptr(found)
    )
    return found if done else None


@dataclass(frozen=True, eq=False)
class SeenMatches:
    """Matches in a photograph: places `mm` (N, 2) on their cards, `px` (N, 2), and the affinity `affine` (N, 2, 2)
    there with its `turn` (N,) and the logarithm of its scale (N,); the keypoint `seen` (N,) and the `face` (N,)."""

    mm: Array
    px: Array
    affine: Array
    turn: Array
    log_scale: Array
    seen: Numbers
    face: Numbers


def agreeing(matches: SeenMatches, left: Mask, seeds: Numbers, rules: Array, *, one_face: bool) -> Numbers | None:
    """The numbers of the most matches, of those `left` (N,), that the affinity of one of the `seeds` explains, all of
    one face if `one_face`; none where too few agree. `rules` (5,) is a row, in the compiled twin's order."""
    library = compiled()
    if library is None:
        return None
    m = matches
    rows = [np.ascontiguousarray(each, np.float64) for each in (m.mm, m.px, m.affine, m.turn, m.log_scale)]
    seen, face, seeds = (np.ascontiguousarray(each, np.int64) for each in (m.seen, m.face, seeds))
    left, found = np.ascontiguousarray(left), np.empty(len(seen), np.int64)
    keypoints, faces = int(seen.max(initial=-1)) + 1, int(face.max(initial=-1)) + 1
    count = library.arena_agreeing(
        *(*map(ptr, rows), ptr(seen), ptr(face), ptr(left), len(seen), keypoints, faces),
        *(ptr(seeds), len(seeds), one_face, ptr(rules), ptr(found)),
    )
    return found[:count].astype(np.intp) if count >= 0 else None


def highest(
    values: NDArray[np.float32], least: float, most: int
) -> tuple[Numbers, Numbers, NDArray[np.float32]] | None:
    """Rows, columns and values of at most `most` a row of values (N, M) above `least`: the highest of all rows first,
    then the second highest, and so on; of equal ones the first."""
    library = compiled()
    if library is None:
        return None
    values = np.ascontiguousarray(values)
    columns, found = np.empty((len(values), most), np.int64), np.empty((len(values), most), np.float32)
    counts = np.empty(len(values), np.int64)
    done = library.arena_highest(
        *(ptr(values), *values.shape, least, most, ptr(columns), ptr(found), ptr(counts)),
    )
    if not done:
        return None
    rank, row = np.nonzero(np.arange(most)[:, None] < counts)
    return row, columns[row, rank].astype(np.intp), found[row, rank]
