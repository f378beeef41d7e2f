"""The compiled functions of faces told apart where they differ, with arrays in and arrays out; None where nothing is
compiled, or it failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey
from arena_cam.vision.kernels.library import compiled, ptr

Numbers = NDArray[np.intp]


def told_at(
    points: tuple[Grey, Numbers, Numbers], spread: Grey, common: Grey, slopes: Array, rules: tuple[float, float]
) -> NDArray[np.bool_] | None:
    """At which (P,) of some points faces are told apart. `points`: all faces (K, H, W, 3), the numbers (J,) of those
    that are asked about, and those of the points (P,). `spread` (H, W): by how much these faces differ, `common`
    (H, W, 3) their mean, and `slopes` (K, P) how steep all faces are at the points. `rules`: by how many grey levels
    more faces differ, and by how many points of the grid a displacement tells nothing."""
    library = compiled()
    if library is None:
        return None
    faces, spread, common = (np.ascontiguousarray(of, np.float32) for of in (points[0], spread, common))
    these, at = map(_whole, points[1:])
    slopes, told = np.ascontiguousarray(slopes), np.empty(len(at), np.bool_)
    done = library.arena_apart(
        *(ptr(faces), ptr(these), len(these), *spread.shape, ptr(spread), ptr(common)),
        *(ptr(at), len(at), ptr(slopes), *rules, ptr(told)),
    )
    return told if done else None


def lit_apart(
    points: tuple[Grey, Numbers, Numbers],
    alike: tuple[Grey, Array, NDArray[np.bool_]],
    places: tuple[Array, Array],
    white: Array,
    rules: Array,
    numbers: tuple[int, int, int],
) -> tuple[Array, Array, Array] | None:
    """Faces at some points in the light that a picture shows where they look alike (J, N, 3), what is printed round
    about each point (N, 3), and the variance of the light (N,); in grey levels. `points`: all faces (K, H, W, 3), the
    numbers (J,) of those that are asked about, and those of the points (N,). `alike`: what is drawn and what is seen
    (each (H, W, 3)), and where faces look alike (H, W), which is not nowhere. `places`: where all points lie, x and y
    (each (H, W)). `white` (3,): how much light paper sends. `rules` is a row of numbers, in the order of the compiled
    twin; `numbers`: rounds of reweighting, how many points tell the light, and over how many it is even."""
    library = compiled()
    if library is None:
        return None
    faces, drawn = (np.ascontiguousarray(part, np.float32) for part in (points[0], alike[0]))
    these, at = map(_whole, points[1:])
    flat = [np.ascontiguousarray(part, np.float64) for part in (alike[1], *places, white, rules)]
    mask, whole = np.ascontiguousarray(alike[2]), np.array(numbers, np.int64)
    lit, about, doubt2 = np.empty((len(these), len(at), 3)), np.empty((len(at), 3)), np.empty(len(at))
    done = library.arena_lit(
        *(ptr(faces), ptr(these), len(these), ptr(at), len(at), *mask.shape, ptr(drawn), ptr(flat[0]), ptr(mask)),
        *(*map(ptr, flat[1:]), ptr(whole), ptr(lit), ptr(about), ptr(doubt2)),
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
    `lit`: what `lit_apart` gives for them. `spread` (H, W): by how much the faces differ. `slopes` (K, P): how steep
    all faces are, `shown` (M, 3, P): what is seen. `rules` is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    numbers = [_whole(part) for part in points]
    rows = [np.ascontiguousarray(part, np.float64) for part in (*lit, slopes, shown, rules)]
    spread = np.ascontiguousarray(spread, np.float32)
    said = np.empty((len(numbers[0]), len(shown)))
    done = library.arena_told(
        *(ptr(numbers[0]), len(numbers[0]), ptr(numbers[1]), len(numbers[1]), *map(ptr, rows[:3]), ptr(spread)),
        *(ptr(rows[3]), ptr(rows[4]), len(shown), shown.shape[2], ptr(numbers[2]), ptr(rows[5]), ptr(said)),
    )
    return said if done else None


def said_between(
    points: tuple[Numbers, Numbers, Numbers],
    lit: tuple[Array, Array, Array],
    spread: Grey,
    slopes: Array,
    shown: Array,
    rules: Array,
    face: tuple[int, Numbers, tuple[int, float, float]],
) -> tuple[float, Array] | None:
    """What is said a point for one of some faces laid between the views of a card, and by how many steps (2,) it is,
    rightwards and upwards. `face`: its number among those compared; the numbers of the view that suits it best and of
    those next to it, right, left, up and down (5,); and how many steps of Gauss-Newton are taken, the ridge, and how
    far they go at most. The rest as `said_apart` has it."""
    library = compiled()
    if library is None:
        return None
    numbers = [_whole(part) for part in (*points, face[1])]
    rows = [np.ascontiguousarray(part, np.float64) for part in (*lit, slopes, shown, rules)]
    spread, said = np.ascontiguousarray(spread, np.float32), np.empty(3)
    done = library.arena_between(
        *(ptr(numbers[0]), len(numbers[0]), face[0], ptr(numbers[1]), len(numbers[1]), *map(ptr, rows[:3])),
        *(ptr(spread), ptr(rows[3]), ptr(rows[4]), ptr(numbers[3]), shown.shape[2], ptr(numbers[2]), ptr(rows[5])),
        *(*face[2], ptr(said)),
    )
    return (float(said[0]), said[1:]) if done else None


def shares_of(
    ink: Array, about: Array, shown: Array, among: Numbers, rules: Array, in_haze: tuple[float, float]
) -> Array | None:
    """The shares (M, 2) of the contrast that each of M views shows which an `ink` (N, 3) explains, in its light and
    colour, and in its light alone in whatever haze. `about` (N, 3): what is printed round about. `shown` (M, 3, P):
    what is seen, at P points of which those compared are the ones numbered `among` (N,). `rules` is a row of numbers as
    for `said_apart`; `in_haze`: the least and the most that a haze leaves of a contrast."""
    library = compiled()
    if library is None:
        return None
    ink, about, shown = (np.ascontiguousarray(part, np.float64) for part in (ink, about, shown))
    numbers, shares = _whole(among), np.empty((len(shown), 2))
    done = library.arena_shares(
        *(ptr(ink), ptr(about), len(ink), ptr(shown), len(shown), shown.shape[2], ptr(numbers), ptr(rules)),
        *(*in_haze, ptr(shares)),
    )
    return shares if done else None


def grouped(faces: Grey, order: Numbers, at: Numbers, rules: tuple[float, float]) -> NDArray[np.int64] | None:
    """To which group (K,), from 0, each of `faces` (K, H, W, 3) belongs: in their `order` (K,) each joins the first
    group whose first face looks like it at most of the points numbered `at` (N,), or begins another. `rules`: by how
    many grey levels less than which points are alike, and the share of the points that has to be."""
    library = compiled()
    if library is None:
        return None
    faces, groups = np.ascontiguousarray(faces, np.float32), np.empty(len(faces), np.int64)
    numbers = [_whole(part) for part in (order, at)]
    count, height, width, _ = faces.shape
    done = library.arena_grouped(
        *(ptr(faces), height * width, ptr(numbers[0]), count, ptr(numbers[1]), len(at), *rules, ptr(groups)),
    )
    return groups if done else None


def laid_beside(
    pixels: Array, apart_mm: tuple[float, float], steps: Grey, picture: tuple[float, int, int]
) -> tuple[Grey, Grey, Grey, NDArray[np.bool_]] | None:
    """The `pixels` (2, H, W) of a card's points, `apart_mm` from each other down and across; how far a millimetre
    rightwards and one upwards moves each (2, H, W); and which (H, W) lie in a `picture`, its pixels for one of the
    frame's, its height and width, by how many of `steps` (M, 2) mm ever the card is laid beside its place."""
    library = compiled()
    if library is None:
        return None
    pixels, apart, steps = np.ascontiguousarray(pixels), np.array(apart_mm), np.ascontiguousarray(steps, np.float32)
    at, right, up = (np.empty(pixels.shape, np.float32) for _ in range(3))
    inside, (scale, height, width) = np.empty(pixels.shape[1:], np.bool_), picture
    done = library.arena_beside(
        *(ptr(pixels), *pixels.shape[1:], ptr(apart), ptr(steps), len(steps), scale, width - 1.0, height - 1.0),
        *(ptr(at), ptr(right), ptr(up), ptr(inside)),
    )
    return (at, right, up, inside) if done else None


def views_of(
    picture: NDArray[np.uint8],
    scale: float,
    grid: tuple[Grey, Grey, Grey],
    part: tuple[Numbers, Numbers],
    steps: Grey,
    asked: NDArray[np.uint8],
) -> NDArray[np.uint8] | None:
    """What a picture (height, width, 3), whose pixels are `scale` of one of the frame's, shows of some rows (R,) and
    columns (C,), the `part`, of a `grid`: (M, R, C, 3), black outside it; anything where `asked` (R, C) is 0. `grid`:
    the frame's pixels of its points, and how far a millimetre rightwards and one upwards moves them (each (2, H, W)).
    `steps` (M, 2): by how many it is."""
    library = compiled()
    if library is None:
        return None
    at, right, up = (np.ascontiguousarray(of, np.float32) for of in grid)
    rows, columns = map(_whole, part)
    picture, steps = np.ascontiguousarray(picture), np.ascontiguousarray(steps, np.float32)
    asked, shown = np.ascontiguousarray(asked), np.empty((len(steps), len(rows), len(columns), 3), np.uint8)
    done = library.arena_views(
        *(ptr(picture), *picture.shape[:2], scale, ptr(at), ptr(right), ptr(up), *at.shape[1:]),
        *(ptr(rows), len(rows), ptr(columns), len(columns), ptr(asked), ptr(steps), len(steps), ptr(shown)),
    )
    return shown if done else None


Softening = tuple[Grey, Grey]  # a Gaussian's weights (odd), and what its mean is to be multiplied by at each point (N,)


def softly_at(
    views: NDArray[Any],
    shown: Grey,
    points: Numbers,
    soft: Softening,
    light: Softening | None,
    luma: Grey,
    found: Array,
) -> bool:
    """Whether what `views` (M, R, C, 3) show where `shown` (R, C) is 1, seen softly, was written to `found` (M, 3, N):
    at the `points`, their numbers (N,) in order, all of which lie farther off the rim than what is mixed in. `soft` is
    how softly colour is seen, and light, too, but for `light`; `luma` (3,) is what each channel sends of that. Levels
    between whole ones are numpy's."""
    library = compiled()
    if library is None or views.dtype != np.uint8 or not found.flags.c_contiguous:
        return False
    views, numbers = np.ascontiguousarray(views), _whole(points)
    seen = np.ascontiguousarray(shown > 0).view(np.uint8)
    rows = [np.ascontiguousarray(of, np.float32) for of in (*soft, *(light or ((), ())), luma)]
    done = library.arena_softly(
        *(ptr(views), *views.shape[:3], ptr(seen), ptr(numbers), len(numbers), ptr(rows[0]), len(rows[0])),
        *(ptr(rows[1]), ptr(rows[2]), len(rows[2]), ptr(rows[3]), ptr(rows[4]), ptr(found)),
    )
    return bool(done)


def soft_faces(
    faces: Sequence[Grey], shown: NDArray[np.uint8], points: Numbers, weights: Grey, share: Grey, found: Grey
) -> bool:
    """Whether `faces` (K; H, W, 3 each), where `shown` (H, W) is 1, were written to `found` (K, H, W, 3) at the points
    numbered `points` (N,), in order, and nowhere else: as softly as a Gaussian's `weights` (odd) make them, times a
    `share` (H, W)."""
    library = compiled()
    apart = np.array([of.strides for of in faces], np.int64).reshape(-1, 3) // 4
    if library is None or not all(of.dtype == np.float32 for of in (*faces, found)) or (apart[:, 2] != 1).any():
        return False
    where, numbers = np.array([ptr(of) for of in faces], np.int64), _whole(points)
    apart, share, weights = (
        np.ascontiguousarray(apart[:, :2]),
        np.ascontiguousarray(share),
        np.ascontiguousarray(weights),
    )
    shown = np.ascontiguousarray(shown)
    done = library.arena_soft_faces(
        *(ptr(where), ptr(apart), len(faces), *shown.shape, ptr(shown), ptr(numbers), len(numbers)),
        *(ptr(weights), len(weights), ptr(share), ptr(found)),
    )
    return bool(done)


def _whole(numbers: Numbers) -> NDArray[np.int64]:
    return np.ascontiguousarray(numbers, np.int64)


def rendered_left(
    faces: Grey,
    in_view: NDArray[np.bool_],
    seen: tuple[Array, Array, NDArray[np.bool_], Array],
    usual: float,
    rules: Array,
) -> Array | None:
    """The summed squares (K,) that each of `faces` (K, H', W'), drawn finely, leaves of a picture's pixels `in_view`
    (H, W) where it suits them best. `seen`: their levels, what makes of a difference in light one in levels, whether
    they are as bright as a picture gets (each (N,)), and how far across they lie (2, N). `usual`: paper's gain; `rules`
    is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    faces, shown = np.ascontiguousarray(faces, np.float32), np.ascontiguousarray(in_view)
    levels, by_light, across = (np.ascontiguousarray(seen[part], np.float64) for part in (0, 1, 3))
    full, left = np.ascontiguousarray(seen[2]), np.empty(len(faces))
    done = library.arena_rendered(
        *(ptr(faces), *faces.shape, ptr(shown), *shown.shape, ptr(levels), ptr(by_light), ptr(full), ptr(across)),
        *(len(levels), usual, ptr(rules), ptr(left)),
    )
    return left if done else None
