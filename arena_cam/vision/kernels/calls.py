"""The compiled functions with arrays in and arrays out; None where nothing is compiled, or where it failed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Grey, Mask
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.library import compiled, ptr


@dataclass(frozen=True, eq=False)
class Sampled:
    """What is to be seen of a face: the picture (H, W) at a pyramid's `level`, the camera, and the card's pose."""

    picture: Grey
    level: int
    camera: Camera
    pose: CardPose

    @property
    def arguments(self) -> tuple[int | float, ...]:
        return ptr(self.picture), *self.picture.shape, 0.5**self.level, ptr(self.camera.flat)

    @property
    def flat_pose(self) -> Array:
        return np.concatenate([self.pose.R.ravel(), self.pose.centre_mm])


def aligned(
    seen: Sampled,
    points: tuple[Array, Array, Array, Array],
    weights: Array | None,
    motion: Array,
    prior: Array | None,
    plan: Array,
    rules: Array,
) -> tuple[CardPose, Array, float, Array] | None:
    """Pose, information (6, 6), rms and pull (6,) of an alignment. `points` are places (3, N), light (6, N), motion
    (10, N) and doubt (N,); `plan` and `rules` are rows of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    pose, found = seen.flat_pose, np.empty(43)
    motion = np.ascontiguousarray(motion)
    done = library.arena_align(
        *(*seen.arguments, points[0].shape[1], *map(ptr, points), ptr(weights), ptr(motion), motion.shape[1]),
        *(ptr(prior), ptr(plan), ptr(rules), ptr(pose), ptr(found)),
    )
    if not done:
        return None
    return CardPose(pose[:9].reshape(3, 3), pose[9:]), found[:36].reshape(6, 6), float(found[36]), found[37:]


@dataclass(frozen=True, eq=False)
class CutFace:
    """A face cut into tiles: places (3, N), basis (6, N) of its light, the number of each point's tile (N,); of each
    tile how many points it has and whether it is even (tiles,); how many points must be in view."""

    places: Array
    basis: Array
    tile: NDArray[np.intp]
    full: Array
    even: Mask
    least: float


def tiles_shown(
    seen: Sampled, face: CutFace, claimed: NDArray[np.uint8] | None, step: int, rules: Array
) -> tuple[Array, Mask, Mask] | None:
    """For each tile (tiles,) the nats, whether it is shown, and whether enough of it is in view. `claimed` (h, w), in
    1/`step` of the frame, says where other cards are; None is nowhere."""
    library = compiled()
    if library is None or face.tile.dtype != np.int64:
        return None
    count, pose = len(face.full), seen.flat_pose
    nats, shown, enough = np.empty(count), np.empty(count, bool), np.empty(count, bool)
    height, width = (0, 0) if claimed is None else claimed.shape
    done = library.arena_tiles(
        *(*seen.arguments, ptr(pose), ptr(claimed), height, width, step),
        *(len(face.tile), ptr(face.places), ptr(face.basis), ptr(face.tile)),
        *(count, ptr(face.full), face.least, ptr(face.even), ptr(rules)),
        *(ptr(nats), ptr(shown), ptr(enough)),
    )
    return (nats, shown, enough) if done else None


def likeness_at(
    seen: Sampled, points: tuple[Array, Array], claimed: NDArray[np.uint8] | None, step: int, rules: Array
) -> tuple[float, float] | float | None:
    """What the light of a face and that of an even grey leave of the picture, mean squares; NaN where too little is in
    view. `points`: places (3, N) and the basis of their light (6, N); `claimed` as above; `rules` is a row of numbers
    in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    (places, basis), pose, left = map(np.ascontiguousarray, points), seen.flat_pose, np.empty(2)
    height, width = (0, 0) if claimed is None else claimed.shape
    done = library.arena_likeness(
        *(*seen.arguments, ptr(pose), ptr(claimed), height, width, step),
        *(places.shape[1], ptr(places), ptr(basis), ptr(rules), ptr(left)),
    )
    return None if not done else math.nan if done == _TOO_LITTLE else (float(left[0]), float(left[1]))


_TOO_LITTLE = 2


@dataclass(frozen=True, eq=False)
class SeenFloor:
    """A frame in which outlines are followed: the picture in colour (H, W, 3) at a pyramid's `level`, the camera, the
    frame's size (height, width); `claimed` (h, w), in 1/`step` of the frame, where other cards are; `bare` (h, w), with
    `bare_mm_px` (half of its width and height in mm, pixels a mm), where the floor is bare, None where nobody knows."""

    bgr: NDArray[np.uint8]
    level: int
    camera: Camera
    frame: tuple[int, int]
    claimed: NDArray[np.uint8]
    step: int
    bare: NDArray[np.uint8] | None
    bare_mm_px: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Looks:
    """Where the sides of an outline are looked for, look by look, the last of them to judge: `steps` (S,) across a
    side, how likely each is (`bell`), and how many belong to each look (`counts`)."""

    steps: Array
    bell: Array
    counts: NDArray[np.int64]


def outlined(
    seen: SeenFloor, points: tuple[Array, Array], pose: CardPose, prior: Array, looks: Looks, rules: Array
) -> tuple[CardPose, Array, float, float] | None:
    """Pose, information (6, 6), evidence (nats) of an outline, and the share of its sides that shows. `points` are
    places (N, 2) and directions outwards (N, 2); `rules` is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None or seen.bgr.dtype != np.uint8 or not seen.bgr.flags.c_contiguous:
        return None
    row, found = np.concatenate([pose.R.ravel(), pose.centre_mm]), np.empty(38)
    frame = np.array([seen.step, *seen.frame, *seen.bare_mm_px], np.float64)
    bare = None if seen.bare is None else np.ascontiguousarray(seen.bare)
    places, normals, prior = (np.ascontiguousarray(part, np.float64) for part in (*points, prior))
    done = library.arena_outline(
        *(ptr(seen.bgr), *seen.bgr.shape[:2], 0.5**seen.level, ptr(seen.camera.flat)),
        *(ptr(seen.claimed), *seen.claimed.shape, ptr(frame)),
        *(ptr(bare), *((0, 0) if bare is None else bare.shape), len(places), ptr(places), ptr(normals), ptr(prior)),
        *(ptr(looks.steps), ptr(looks.bell), ptr(looks.counts), len(looks.counts), ptr(rules), ptr(row), ptr(found)),
    )
    if not done:
        return None
    return CardPose(row[:9].reshape(3, 3), row[9:]), found[:36].reshape(6, 6), float(found[36]), float(found[37])


Chosen = tuple[NDArray[np.float32], NDArray[np.intp] | None]  # faces, and the numbers of some of them; None is all


def best_off(
    faces: Chosen, seen: Array, weight: Array, light: Array, white_ratio: Array, gain_ridge: float
) -> Array | None:
    """By how much (N,) even the best of `faces` (F, 3, N) misses what is `seen` (N, 3), in the worst channel; `light`
    (N, 3) is the plane that it may vary by. Infinity where `weight` (N,) is 0."""
    library = compiled()
    if library is None:
        return None
    (of_all, these), rows = _chosen(faces), _rows_of(seen, weight, light, white_ratio)
    best = np.empty(len(seen))
    done = library.arena_best_off(
        ptr(of_all), ptr(these), len(these), len(seen), *map(ptr, rows), gain_ridge, ptr(best)
    )
    return best if done else None


def named(
    faces: Chosen,
    seen: Array,
    weight: Array,
    light: Array,
    white_ratio: Array,
    stands_for: float,
    rules: Array,
) -> Array | None:
    """The log-likelihoods (F,) of `faces` (F, 3, N), each in the light that suits it best, by what is `seen` (N, 3), by
    `weight` (N,), beside a plane of `light` (N, 3); `stands_for`: how many points of the grid each of them stands for.
    `rules` is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    (of_all, these), rows = _chosen(faces), _rows_of(seen, weight, light, white_ratio)
    found = np.empty(len(these))
    done = library.arena_named(
        ptr(of_all), ptr(these), len(these), len(seen), *map(ptr, rows), stands_for, ptr(rules), ptr(found)
    )
    return found if done else None


def _chosen(faces: Chosen) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Faces, next to one another in memory, and the numbers of those that are asked about."""
    of_all, these = faces
    numbers = np.arange(len(of_all), dtype=np.int64) if these is None else np.ascontiguousarray(these, np.int64)
    return np.ascontiguousarray(of_all, np.float32), numbers


def _rows_of(seen: Array, weight: Array, light: Array, white_ratio: Array) -> list[NDArray[Any]]:
    """Points (N, 3) and their weights (N,) as they lie in memory, every so many of a grid or from its last to its
    first, and how many numbers it is from one to the next of each (2,): copies of rows of three numbers take long.
    Then the light and the white, which are small."""
    if seen.dtype != np.float64 or seen.strides[1] != seen.itemsize or seen.strides[0] % seen.itemsize:
        seen = np.ascontiguousarray(seen, np.float64)
    if weight.dtype != np.float64 or weight.strides[0] % weight.itemsize:
        weight = np.ascontiguousarray(weight, np.float64)
    apart = np.array([seen.strides[0], weight.strides[0]], np.int64) // seen.itemsize
    return [seen, weight, apart, *(np.ascontiguousarray(a, np.float64) for a in (light, white_ratio))]


def light_of(
    shown: Array,
    seen: Array,
    places: tuple[Array, Array],
    usual: Array,
    held: Array,
    rules: tuple[float, float, float, float, int],
) -> Array | None:
    """The light (C, 6) in which `shown` (C, N) looks as it is `seen` (C, N), both as light: the gain and its slopes
    along x and y (`places`, each (N,)), and the haze and its slopes. `held` (C, 6): how much each is held back for each
    squared grey level of the residuals' scale, the gain to the `usual` one (C,). `rules`: the light of less than which
    none is known better, the scale at first, its least, what the median residual is multiplied by for it, and the
    rounds of reweighting."""
    library = compiled()
    if library is None:
        return None
    rows = [np.ascontiguousarray(a, np.float64) for a in (shown, seen, *places)]
    sides = [np.ascontiguousarray(a, np.float64) for a in (usual, held)]
    light = np.empty((len(shown), 6))
    done = library.arena_light(*map(ptr, rows), *shown.shape, *map(ptr, sides), *rules, ptr(light))
    return light if done else None


def spread_and_mean(
    faces: NDArray[np.float32], these: NDArray[np.intp]
) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """Of the faces (K, H, W, 3) with the numbers `these` (J,): by how much they differ at each point (H, W), in the
    channel in which they differ most, and their mean (H, W, 3)."""
    library = compiled()
    if library is None or not len(these):
        return None
    faces, numbers = np.ascontiguousarray(faces), np.ascontiguousarray(these, np.int64)
    spread, mean = np.empty(faces.shape[1:3], np.float32), np.empty(faces.shape[1:], np.float32)
    done = library.arena_spread(ptr(faces), ptr(numbers), len(numbers), spread.size, ptr(spread), ptr(mean))
    return (spread, mean) if done else None


def slopes_of(faces: NDArray[np.float32], points: NDArray[np.intp]) -> Array | None:
    """How steep (K, N) each of `faces` (K, H, W, 3) is at the points numbered `points` (N,), grey levels a point of the
    grid, in the channel in which it is steepest."""
    library = compiled()
    if library is None:
        return None
    faces, numbers = np.ascontiguousarray(faces), np.ascontiguousarray(points, np.int64)
    slopes = np.empty((len(faces), len(numbers)))
    done = library.arena_slopes(ptr(faces), *faces.shape[:3], ptr(numbers), len(numbers), ptr(slopes))
    return slopes if done else None


def print_light(
    prints: NDArray[np.float32],
    seen: NDArray[np.float32],
    places: tuple[Array, Array],
    usual: Array,
    pulls: Array,
    prior: Array,
    rules: Array,
) -> tuple[Array, Array] | None:
    """The light (C, 6) in which `prints` (N, C) look as they are `seen` (N, C): the gain and its slopes along x and y
    (`places`, each (N,)), and the offset and its slopes; and how much the print's spread says of the gain (C,). `usual`
    (C, 2), `pulls` (2,), `prior` (6,) and `rules` (3,) are in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    rows = [np.ascontiguousarray(a, np.float32) for a in (prints, seen)]
    rest = [np.ascontiguousarray(a, np.float64) for a in (*places, usual, pulls, prior, rules)]
    count = rows[0].shape[1]
    light, informed = np.empty((count, 6)), np.empty(count)
    done = library.arena_print_light(
        *(*map(ptr, rows), ptr(rest[0]), ptr(rest[1]), count, len(rows[0])),
        *(*map(ptr, rest[2:]), ptr(light), ptr(informed)),
    )
    return (light, informed) if done else None


def boxes_of(labels: NDArray[np.int32], count: int) -> tuple[NDArray[np.int32], Array] | None:
    """Of each of `count` pieces of `labels` (H, W) its first column and row, width, height and area: (count, 5), as
    cv2.connectedComponentsWithStats gives them in ten times the time; and the sums (count, 2) of its columns and of its
    rows. Of what has the number 0 zeros."""
    library = compiled()
    if library is None:
        return None
    labels = np.ascontiguousarray(labels)
    found, sums = np.empty((count, 5), np.int32), np.empty((count, 2))
    library.arena_boxes(ptr(labels), *labels.shape, count, ptr(found), ptr(sums))
    return found, sums


def marks_measured(
    labels: NDArray[np.int32],
    boxes: NDArray[np.int32],
    ink: tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.uint8]],
    rules: Array,
) -> Array | None:
    """Of pieces of ink the mean contrast, the share of paper just around them, and the mean colour: (N, 5). `labels`
    (H, W) are of `boxes` (N, 5): number, first column and row, width, height. `ink`: darkness (H, W), contrast (H, W)
    and colour (H, W, 3); `rules` is a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    labels, boxes = np.ascontiguousarray(labels), np.ascontiguousarray(boxes)
    parts = [np.ascontiguousarray(part) for part in ink]
    found = np.empty((len(boxes), 5))
    done = library.arena_marks(
        *(ptr(labels), *labels.shape, ptr(boxes), len(boxes), *map(ptr, parts), ptr(rules), ptr(found))
    )
    return found if done else None


def bleached(
    view: NDArray[np.uint8], plates: NDArray[np.uint8], level: NDArray[np.uint8], rules: NDArray[np.float32]
) -> NDArray[np.uint8] | None:
    """A view (H, W, 3) with the light of its `plates` divided out where they are pale, and no more light than the
    `level` of paper there, both of its size. `rules` (2,) are in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    view, plates, level = (np.ascontiguousarray(each) for each in (view, plates, level))
    found = np.empty_like(view)
    library.arena_bleached(ptr(view), ptr(plates), ptr(level), view.size // 3, ptr(rules), ptr(found))
    return found


def convolved_twice(
    pictures: NDArray[np.float32],
    first: tuple[NDArray[np.float32], NDArray[np.float32]],
    second: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> NDArray[np.float32] | None:
    """What two convolutions, given by weights and bias, see in `pictures` (N, H, W), pooled between them: (N, k)."""
    library = compiled()
    count, height, width = pictures.shape
    rows, columns = (height - 2) // 2 - 2, (width - 2) // 2 - 2
    if library is None or min(rows, columns) < 1:
        return None
    seen, *arrays = (np.ascontiguousarray(each, np.float32) for each in (pictures, *first, *second))
    channels = len(arrays[1]), len(arrays[3])
    found = np.empty((count, rows * columns * channels[1]), np.float32)
    done = library.arena_convolved(
        *(ptr(seen), count, height * width, height, width),
        *(ptr(arrays[0]), ptr(arrays[1]), channels[0], ptr(arrays[2]), ptr(arrays[3]), channels[1], ptr(found)),
    )
    return found if done else None


_MOST_NEAREST = 4


def nearest(
    words: NDArray[np.uint8], known: NDArray[np.uint8], count: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """For each of `words` (N, 32) the `count` among `known` (M, 32) that differ from it in the fewest bits: distance
    and number (N, count), as cv2.batchDistance gives them."""
    library = compiled()
    if library is None or not 0 < count <= min(len(known), _MOST_NEAREST):
        return None
    words, known = np.ascontiguousarray(words), np.ascontiguousarray(known)
    distance, number = (np.empty((len(words), count), np.int32) for _ in range(2))
    library.arena_nearest(ptr(words), len(words), ptr(known), len(known), count, ptr(distance), ptr(number))
    return distance, number


def details(
    values: NDArray[np.float32], size: int, steps: float, asked: NDArray[np.bool_] | None = None
) -> NDArray[np.uint8] | None:
    """By how many `steps` of 1 values (H, W) differ from the median of `size` by `size` round about each; 0, perhaps,
    of those that are not `asked` (H, W)."""
    library = compiled()
    if library is None:
        return None
    values, asked = np.ascontiguousarray(values), None if asked is None else np.ascontiguousarray(asked)
    found = np.empty(values.shape, np.uint8)
    return found if library.arena_detail(ptr(values), *values.shape, size, steps, ptr(asked), ptr(found)) else None


def floor_compared(
    now: NDArray[np.uint8],
    logs: NDArray[np.float32],
    floor: NDArray[np.float32],
    light: tuple[NDArray[np.float32], int],
    valid: NDArray[np.uint8],
    limits: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.bool_]] | None:
    """Of the levels `now` (H, W, 3) of a picture, whose logarithms are `logs` (256,), and of the logarithms of the
    floor (H, W, 3) the mean log ratio (H, W) without the light's change; and five masks (5, H, W): in both pictures,
    and where `valid` (H, W) odd, pale, strange, bare. `light`: its change (h, w, 3), and for how many pixels each way
    each of these stands. `limits` (9,) are in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    parts = [np.ascontiguousarray(part, np.float32) for part in (logs, floor, light[0])]
    mean, masks = np.empty(valid.shape, np.float32), np.empty((5, *valid.shape), bool)
    now, valid = (np.ascontiguousarray(part, np.uint8) for part in (now, valid))
    limits = np.ascontiguousarray(limits, np.float32)
    done = library.arena_floor(
        *(ptr(now), *map(ptr, parts), *parts[2].shape[:2], light[1], ptr(valid), *valid.shape, ptr(limits)),
        *(ptr(mean), ptr(masks)),
    )
    return (mean, masks) if done else None


_CELL_PX = 8  # a cell's side, as compiled


def cells_of(pixels: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Of each cell of pixels (H, W), which are whole cells, the means (3, H / 8, W / 8) of the pixels, of their
    squares, and of the squared steps from each to its neighbours."""
    library = compiled()
    if library is None:
        return None
    pixels = np.ascontiguousarray(pixels)
    found = np.empty((3, pixels.shape[0] // _CELL_PX, pixels.shape[1] // _CELL_PX), np.float32)
    return found if library.arena_cells(ptr(pixels), *pixels.shape, ptr(found)) else None
