"""The compiled functions of cards on a table seen from straight above; None where nothing is compiled, or it failed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.library import compiled, ptr

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FromAbove:
    """A table from above: `pixels` (h, w, 3), and `inside` (h, w), where the photograph reaches; the first pixel's
    corner lies at `origin_mm` (2,)."""

    pixels: Grey
    inside: Mask
    origin_mm: Array
    px_per_mm: float


@dataclass(frozen=True, eq=False)
class Cover:
    """What of a card is hidden: where `table` (h, w) at 1 px/mm from `origin_mm` on is not 0, or where `mask` (h, w) of
    the card's own pixels is true; nothing where both are None."""

    table: NDArray[np.uint8] | None = None
    origin_mm: Array | None = None
    mask: Mask | None = None


@dataclass(frozen=True, eq=False)
class CardPixels:
    """Some pixels of a card's picture of `shape` (rows, columns), `size_mm` (width, height) large: their numbers
    `which` (N,), their values `grey` (N,), how these change with each of D motions, `jacobian` (D, N), and by how much
    motions, gain and offset are drawn to 0, `pull` (D + 2,)."""

    shape: tuple[int, int]
    px_per_mm: float
    size_mm: tuple[float, float]
    which: NDArray[np.int64]
    grey: Array
    jacobian: Array
    pull: Array


def laid_card(
    view: FromAbove, cover: Cover, card: CardPixels, motion: Array, plan: Array, luma: Array, light: Array
) -> Array | None:
    """The motion (2, 3) from the card's mm to the table's, near `motion`, in which its pixels are seen. `plan` (5,),
    `luma` (3,) and `light` (6,) are rows of numbers, in the order of the compiled twin, but for the plan's first."""
    library = compiled()
    if library is None:
        return None
    began = np.zeros(2) if cover.origin_mm is None else cover.origin_mm
    numbers = np.array([*view.origin_mm, view.px_per_mm, *began, *card.shape, card.px_per_mm, *card.size_mm])
    table = None if cover.table is None else np.ascontiguousarray(cover.table)
    mask = None if cover.mask is None else np.ascontiguousarray(cover.mask)
    pixels, inside = np.ascontiguousarray(view.pixels), np.ascontiguousarray(view.inside)
    rows = [np.ascontiguousarray(a, np.float64) for a in (card.grey, card.jacobian, card.pull, luma, light)]
    plan = np.array([len(card.jacobian), *plan], np.float64)
    found = np.array(motion, np.float64, order="C")
    done = library.arena_lay_card(
        *(ptr(pixels), ptr(inside), *inside.shape),
        *(ptr(table), *((0, 0) if table is None else table.shape), ptr(mask), ptr(numbers)),
        *(len(card.which), ptr(card.which), *map(ptr, rows[:3]), ptr(plan), *map(ptr, rows[3:]), ptr(found)),
    )
    return found if done else None


def card_patch(
    view: FromAbove, cover: Cover, on_card: Mask, size: tuple[float, float, float], motion: Array
) -> tuple[Grey, Mask] | None:
    """The picture (h, w, 3) of a card at `motion` (2, 3), and which of its pixels `on_card` (h, w) the photograph has
    and nothing hides. `size`: pixels a mm, width and height in mm."""
    library = compiled()
    if library is None:
        return None
    began = np.zeros(2) if cover.origin_mm is None else cover.origin_mm
    numbers = np.array([*view.origin_mm, view.px_per_mm, *began, *on_card.shape, *size])
    table = None if cover.table is None else np.ascontiguousarray(cover.table)
    mask = None if cover.mask is None else np.ascontiguousarray(cover.mask)
    pixels, inside = np.ascontiguousarray(view.pixels), np.ascontiguousarray(view.inside)
    on_card, motion = np.ascontiguousarray(on_card), np.ascontiguousarray(motion, np.float64)
    patch, is_open = np.empty((*on_card.shape, 3), np.float32), np.empty(on_card.shape, bool)
    library.arena_card_patch(
        *(ptr(pixels), ptr(inside), *inside.shape),
        *(ptr(table), *((0, 0) if table is None else table.shape), ptr(mask)),
        *map(ptr, (numbers, on_card, motion, patch, is_open)),
    )
    return patch, is_open


def faces_alike(seen: Grey, is_open: Mask, which: NDArray[np.intp], normal: Grey) -> Grey | None:
    """(F,): how well faces correlate with what is `seen` (h, w, 3) of the pixels with numbers `which` (N,) that are
    open (h, w). `normal` (F, 3 N): those pixels of each face without each channel's mean, of length 1."""
    library = compiled()
    if library is None:
        return None
    seen, is_open, normal = np.ascontiguousarray(seen), np.ascontiguousarray(is_open), np.ascontiguousarray(normal)
    which, alike = np.ascontiguousarray(which, np.int64), np.empty(len(normal), np.float32)
    done = library.arena_faces_alike(
        *(ptr(seen), ptr(is_open), ptr(which), len(which), ptr(normal), len(normal), ptr(alike))
    )
    return alike if done else None


@dataclass(frozen=True, eq=False)
class Faces:
    """Faces of cards of one size: `prints` (F, h, w, 3) and where these have `ink` (F, h, w)."""

    prints: Grey
    ink: Mask
    px_per_mm: float
    size_mm: tuple[float, float]

    @cached_property
    def shape(self) -> Array:
        """Rows, columns, pixels a mm, width and height in mm."""
        return np.array([*self.ink.shape[1:], self.px_per_mm, *self.size_mm], np.float64)

    @cached_property
    def is_usable(self) -> bool:
        """Whether compiled code can read the prints as they lie in memory."""
        return bool(self.prints.flags.c_contiguous and self.ink.flags.c_contiguous and self.prints.dtype == np.float32)


def unexplained_by_faces(
    faces: Faces, which: NDArray[np.intp], seen: Grey, at: NDArray[np.intp], light: Array, within: float
) -> Array | None:
    """What each of the faces with numbers `which` (N,) leaves unexplained of what is `seen` (h, w, 3) at pixels with
    numbers `at` (P,), each counted up to 1. `light` (3, 6): of each channel gain and offset, each constant and per mm
    of x and y; `within`: the grey levels that count as 1."""
    library = compiled()
    if library is None or not faces.is_usable:
        return None
    numbers, at = (np.ascontiguousarray(each, np.int64) for each in (which, at))
    seen, light, costs = np.ascontiguousarray(seen), np.ascontiguousarray(light), np.empty(len(numbers))
    shape = faces.shape
    library.arena_face_costs(
        *(ptr(faces.prints), ptr(numbers), len(numbers), ptr(shape)),
        *(ptr(seen), ptr(at), len(at), ptr(light), within, ptr(costs)),
    )
    return costs


def explained_pixels(
    faces: Faces, face: int, seen: Grey, is_open: Mask, light: Array, within: float
) -> tuple[Mask, NDArray[np.int64]] | None:
    """Where (h, w) a face is `seen` (h, w, 3) as it is in that light (as above), within so many grey levels, of what is
    open (h, w); and how many pixels are explained, of these how many with ink, how many are open, of these with ink."""
    library = compiled()
    if library is None or not faces.is_usable:
        return None
    seen, is_open, light = np.ascontiguousarray(seen), np.ascontiguousarray(is_open), np.ascontiguousarray(light)
    explained, counts, shape = np.empty(is_open.shape, bool), np.empty(4, np.int64), faces.shape
    library.arena_explained(
        *(ptr(faces.prints[face]), ptr(faces.ink[face]), ptr(seen), ptr(is_open), ptr(shape)),
        *(ptr(light), within, ptr(explained), ptr(counts)),
    )
    return explained, counts


def light_on_card(
    faces: Faces, face: int, seen: Grey, is_open: Mask, thinned: tuple[int, int], rules: tuple[Array, Array]
) -> tuple[Array, bool] | None:
    """The light (3, 6) in which a face is `seen` (h, w, 3), from one in so many of its open (h, w) pixels: of each
    channel gain and offset, each constant and per dm of x and y; and whether there are as many as `thinned` asks for at
    least. `rules` of a fit (13,) and of a veil (8,) are rows of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None or not faces.is_usable:
        return None
    seen, is_open = np.ascontiguousarray(seen), np.ascontiguousarray(is_open)
    light, shape = np.zeros((3, 6)), faces.shape
    done = library.arena_card_light(
        *(ptr(faces.prints[face]), ptr(faces.ink[face]), ptr(seen), ptr(is_open), ptr(shape)),
        *(*thinned, *map(ptr, rules), ptr(light)),
    )
    return (light, done == 1) if done else None


def disc_samples(
    view: FromAbove, middles_px: Array, offsets_px: Array, light: Array, others_px: Array
) -> tuple[Grey, Mask] | None:
    """Samples (N, M, 3) of discs about `middles_px` (N, 2), at `offsets_px` (M, 2) from each, in the print's own light;
    and which of them (N, M) the photograph has and none of the circles `others_px` (K, 3) covers: column, row, radius.
    `light` (N, 6): gain and offset of each channel."""
    library = compiled()
    if library is None:
        return None
    pixels, inside = np.ascontiguousarray(view.pixels), np.ascontiguousarray(view.inside)
    rows = [np.ascontiguousarray(a, np.float64) for a in (middles_px, offsets_px, light, others_px)]
    shape = len(rows[0]), len(rows[1])
    seen, free = np.empty((*shape, 3), np.float32), np.empty(shape, bool)
    library.arena_disc_samples(
        *(ptr(pixels), ptr(inside), *inside.shape, ptr(rows[0]), shape[0], ptr(rows[1]), shape[1]),
        *(ptr(rows[2]), ptr(rows[3]), len(rows[3]), ptr(seen), ptr(free)),
    )
    return seen, free


def coloured(pixels: Grey, colours: Grey, bright: tuple[float, float], within: float) -> Mask | None:
    """Which pixels (h, w, 3) have one of the colours (C, 3), between so many times as bright as it, within so many grey
    levels: (h, w)."""
    library = compiled()
    if library is None:
        return None
    pixels, colours = np.ascontiguousarray(pixels, np.float32), np.ascontiguousarray(colours, np.float32)
    found = np.empty(pixels.shape[:2], bool)
    library.arena_coloured(ptr(pixels), found.size, ptr(colours), len(colours), *bright, within, ptr(found))
    return found


def as_printed(
    pixels: Grey, box: tuple[slice, slice], lit: Grey, there: Mask, rules: Array, nearest: tuple[Grey, Grey]
) -> Mask | None:
    """Where (h, w) a card that lies `there` (h, w), with its print `lit` (h, w, 3), is seen as printed in that `box` of
    a picture (H, W, 3), by `rules` (4,), a row in the compiled twin's order; and there `nearest`, (H, W) and (H, W, 3),
    is written anew where it is nearer to what is seen than they are."""
    library = compiled()
    least, differs = nearest
    if library is None or not (pixels.flags.c_contiguous and least.flags.c_contiguous and differs.flags.c_contiguous):
        return None
    lit, there = np.ascontiguousarray(lit), np.ascontiguousarray(there)
    is_print, first = np.empty(there.shape, bool), (box[0].start, box[1].start)
    where = first[0] * pixels.shape[1] + first[1]  # the box's first pixel
    seen, near, far = (each.reshape(-1)[count * where :] for each, count in ((pixels, 3), (least, 1), (differs, 3)))
    library.arena_as_printed(
        *(ptr(seen), pixels.shape[1], ptr(lit), ptr(there), *there.shape),
        *(ptr(rules), ptr(near), ptr(far), ptr(is_print)),
    )
    return is_print


def steepest(picture: Grey) -> tuple[Grey, Grey, Grey] | None:
    """Sobel's slopes of a picture (h, w, 3) along x and down y, times a quarter, of the channel that is steepest there,
    and how steep that is: (h, w) each."""
    library = compiled()
    if library is None or min(picture.shape[:2]) < 3:
        return None
    picture = np.ascontiguousarray(picture)
    along, down, steep = (np.empty(picture.shape[:2], np.float32) for _ in range(3))
    done = library.arena_steepest(ptr(picture), *picture.shape[:2], ptr(along), ptr(down), ptr(steep))
    return (along, down, steep) if done else None


def rim_changes(
    view: FromAbove, free: tuple[Mask, Array], outline: tuple[Array, Array], motion: Array, aside: tuple[float, float]
) -> tuple[int, int] | None:
    """Of an outline, points (N, 2) in mm and the ways out there, of a card at `motion` (2, 3): how many points are open
    on both sides, where `free` says so, (h, w) at 1 px/mm and where it begins; and at how many of these the picture
    changes. `aside`: how many mm off the rim both sides are, and by how many grey levels a change differs."""
    library = compiled()
    if library is None:
        return None
    pixels, inside = np.ascontiguousarray(view.pixels), np.ascontiguousarray(view.inside)
    numbers = np.array([*view.origin_mm, view.px_per_mm, *free[1], *aside])
    rows = [np.ascontiguousarray(each, np.float64) for each in (numbers, *outline, motion)]
    is_free, found = np.ascontiguousarray(free[0]), np.empty(2, np.int64)
    library.arena_rim(
        *(ptr(pixels), ptr(inside), *inside.shape, ptr(is_free), *is_free.shape),
        *(ptr(rows[0]), len(rows[1]), ptr(rows[1]), ptr(rows[2]), ptr(rows[3]), ptr(found)),
    )
    return int(found[0]), int(found[1])


def outline_steps(
    slopes: tuple[Grey, Grey, Mask | None], free: Mask, numbers: Array, outline: tuple[Array, Array], shifts: Array
) -> tuple[Array, Array, NDArray[np.int64]] | None:
    """How much of an outline, points (N, 2) in mm and the ways out there, is an edge where it is moved by each of the
    S shifts (S, 2): of the open points the mean step, up to 1; that of steps s as s / (1 + s); how many are open.

    `slopes` (h, w) along x and down y, and where the picture reaches; `free` (h, w): where nothing lies. `numbers`
    (6,): where the slopes begin in mm, their pixels a mm, where `free` begins, the slope of a full step."""
    library = compiled()
    if library is None:
        return None
    along, down = (np.ascontiguousarray(each, np.float32) for each in slopes[:2])
    inside, free = None if slopes[2] is None else np.ascontiguousarray(slopes[2]), np.ascontiguousarray(free)
    rows = [np.ascontiguousarray(each, np.float64) for each in (numbers, *outline, shifts)]
    clear, steep, count = np.empty(len(shifts)), np.empty(len(shifts)), np.empty(len(shifts), np.int64)
    library.arena_outlines(
        *(ptr(along), ptr(down), ptr(inside), *along.shape, ptr(free), *free.shape, ptr(rows[0])),
        *(len(rows[1]), ptr(rows[1]), ptr(rows[2]), len(shifts), ptr(rows[3]), ptr(clear), ptr(steep), ptr(count)),
    )
    return clear, steep, count


def sums_along_sides(
    slopes: Grey | None, free: Grey | None, linear: Array, rules: tuple[float, float], outline: tuple[int, int, int]
) -> Grey | None:
    """Sums (K, K) along the sides of upright outlines about each middle, of steps in the directions of `linear` (2, 2)
    of slopes (h, w, 2), times `free` (h, w), if it is given; without slopes those of `free`. `rules`: the slope of a
    full step, and the share of a slope's square that is its side's. `outline`: its width, its height, and K, in
    pixels."""
    library = compiled()
    if library is None:
        return None
    linear = np.ascontiguousarray(linear, np.float64)
    slopes, free = (None if each is None else np.ascontiguousarray(each, np.float32) for each in (slopes, free))
    shape = (free if slopes is None else slopes).shape[:2]  # type: ignore[union-attr]
    found = np.empty((outline[2], outline[2]), np.float32)
    done = library.arena_along_sides(ptr(slopes), ptr(free), *shape, ptr(linear), *rules, *outline, ptr(found))
    return found if done else None
