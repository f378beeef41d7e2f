"""The compiled searches for matches of keypoints that agree; None where nothing is compiled, or it failed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.vision.kernels.library import compiled, ptr

Numbers = NDArray[np.intp]
Told = tuple[NDArray[np.float32], NDArray[np.float32]]  # descriptors (N, D), and in brief (N, B)

BOUNDED = 64  # descriptors that are compared in brief at once: of some thousand known ones a cache holds so much


@dataclass(frozen=True, eq=False)
class LaidMatches:
    """Matches on a table: places `mm` (N, 2) on their cards, where they lie `at` (N, 2), their `turn` (N,)
    and where each has its card's `middle` (N, 2); where these lie `across` (N,) the table from left to right, and whose
    (`order`, N) they are; the photograph's keypoint `seen` (N,), the `face` (N,), the number of the `cell` (N,) that
    the middle lies in, and how alike (N,) both keypoints are."""

    mm: Array
    at: Array
    turn: Array
    middle: Array
    across: Array
    order: Numbers
    seen: Numbers
    face: Numbers
    cell: Numbers
    alike: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class CrowdedPlaces:
    """P places (P, 3) on a table, as they were found: how many keypoints speak for each, `votes` (P,), the numbers of
    its matches, its faces, and after which place (N,) each match no longer counted, P or more if it always did."""

    at: Array
    votes: Numbers
    members: list[Numbers]
    faces: list[tuple[int, ...]]
    gone: Numbers


def places(matches: LaidMatches, rules: Array, most: int, least: int) -> CrowdedPlaces | None:
    """Where cards lie on which the matches agree, at most so many, as long as `least` keypoints agree; `rules` (11,) is
    a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    m = matches
    rows = [np.ascontiguousarray(each, np.float64) for each in (m.mm, m.at, m.turn, m.middle, m.across)]
    numbers = [np.ascontiguousarray(each, np.int64) for each in (m.order, m.seen, m.face, m.cell)]
    alike = np.ascontiguousarray(m.alike, np.float32)
    shape = np.array([len(alike), *(int(each.max(initial=-1)) + 1 for each in numbers[1:])], np.int64)
    at, told = np.empty((most, 3)), np.empty((most, 5), np.int64)
    members, gone = np.empty(len(alike), np.int64), np.empty(len(alike), np.int64)
    count = library.arena_places(
        *(*map(ptr, rows), *map(ptr, numbers), ptr(alike), ptr(shape), ptr(rules), most, least),
        *map(ptr, (at, told, members, gone)),
    )
    if count < 0:
        return None
    told = told[:count]
    each = np.split(members, np.cumsum(told[:, 1]))[:-1]
    faces = [tuple(face for face in row if face >= 0) for row in told[:, 2:].tolist()]
    return CrowdedPlaces(at[:count], told[:, 0], each, faces, gone)


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


def places_of(camera: Array, origin: Array, mm: Array, px: Array, ends: Numbers) -> Array | None:
    """(G, 3): where each card lies flat, as its keypoints with places `mm` (N, 2) are seen at `px` (N, 2); `ends` (G,):
    where each card's keypoints end. `camera` (16,) as for `offs_px`; `origin` (3,): the table's place in its own
    frame."""
    library = compiled()
    if library is None or not len(ends):
        return None
    camera, origin, mm, px = (np.ascontiguousarray(each, np.float64) for each in (camera, origin, mm, px))
    ends, places = np.ascontiguousarray(ends, np.int64), np.empty((len(ends), 3))
    done = library.arena_places_of(*map(ptr, (camera, origin, mm, px, ends)), len(ends), ptr(places))
    return places if done else None


def offs_px(camera: Array, mm: Array, px: Array, ends: Numbers) -> Array | None:
    """(G,): the median distance (px) between keypoints (N, 2) of each card and where that card, flat with places `mm`
    (N, 2), would show them; `ends` (G,): where each card's keypoints end. `camera` (16,): focal length, middle (2),
    radial term, rotation (9) and place (3) of the table."""
    library = compiled()
    if library is None:
        return None
    camera, mm, px = (np.ascontiguousarray(each, np.float64) for each in (camera, mm, px))
    ends, found = np.ascontiguousarray(ends, np.int64), np.empty(len(ends))
    done = library.arena_offs_px(ptr(camera), ptr(mm), ptr(px), ptr(ends), len(ends), ptr(found))
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
    return _by_rank(columns, found, counts)


def most_alike(
    seen: Told, known: Told, least: float, rounding: float, most: int
) -> tuple[Numbers, Numbers, NDArray[np.float32]] | None:
    """The same of the cosines of unit descriptors `seen` (N, D) with those `known` (M, D). The product of both in brief
    is no less than their cosine, but for `rounding`: few of them are computed."""
    library = compiled()
    if library is None:
        return None
    mine, theirs = (np.ascontiguousarray(each[0], np.float32) for each in (seen, known))
    columns, found = np.empty((len(mine), most), np.int64), np.empty((len(mine), most), np.float32)
    counts = np.empty(len(mine), np.int64)
    for start in range(0, len(mine), BOUNDED):
        part = slice(start, start + BOUNDED)
        bounds = seen[1][part] @ known[1].T
        done = library.arena_most_alike(
            *(ptr(bounds), ptr(mine[part]), ptr(theirs), *bounds.shape, theirs.shape[1], least, rounding, most),
            *(ptr(columns[part]), ptr(found[part]), ptr(counts[part])),
        )
        if not done:
            return None
    return _by_rank(columns, found, counts)


def _by_rank(
    columns: NDArray[np.int64], values: NDArray[np.float32], counts: NDArray[np.int64]
) -> tuple[Numbers, Numbers, NDArray[np.float32]]:
    """Rows, columns and values of the first so many (N,) of each row (N, K): the first of all rows, then the second."""
    rank, row = np.nonzero(np.arange(columns.shape[1])[:, None] < counts)
    return row, columns[row, rank].astype(np.intp), values[row, rank]
