"""A face placed in the picture: the light on it, and the tiles of it that show something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.face_points import HALF_CARD_MM
from arena_cam.vision.faces.light import lit_face, robust_lights
from arena_cam.vision.faces.telling import AGAINST_PAPER
from arena_cam.vision.kernels.overlap_calls import placed_tiles
from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.picture.robust import MAD_TO_SD, median, medians
from arena_cam.vision.reading.cards.known import Known, seen_at
from arena_cam.vision.reading.cards.scene import Scene

_CLEAR_MM = 2.0


@dataclass(frozen=True, eq=False)
class PlacedFace:
    """A face at a pose, with its outline in the picture (4, 2) and its light: for blue, green and red the factors of
    `light_basis` (3, 6) and the robust scale of the residual (3,). Light is None for a card that overlaps no other.
    `foreign` (rows, columns) are the tiles that show neither the face nor a shadow on it nor a card above, and
    `foreign_mm2` is the area of their largest connected patch. `own` (rows, columns) are the visible tiles that mostly
    show the face, in any shade; `except_` (3, N) are the places on these that do not."""

    face: int
    pose: CardPose
    outline_px: Array
    light: Array | None = None
    scale: Array | None = None
    foreign_mm2: float = 0.0
    foreign: NDArray[np.bool_] | None = None
    own: NDArray[np.bool_] | None = None
    except_: Array | None = None


def alone(scene: Scene, poses: Sequence[CardPose]) -> list[bool]:
    """For each of `poses`, whether its card is clear of all others by more than alignment may still move it."""
    deck = scene.faces.deck
    wide = [
        scene.camera.project(p.corners(deck.width_mm + 2 * _CLEAR_MM, deck.height_mm + 2 * _CLEAR_MM)) for p in poses
    ]
    shapes = [outline.astype(np.float32).reshape(-1, 1, 2) for outline in wide]
    return [
        all(i == j or cv2.intersectConvexConvex(a, b)[0] <= 0.0 for j, b in enumerate(shapes))
        for i, a in enumerate(shapes)
    ]


def outline_of(scene: Scene, pose: CardPose) -> Array:
    """The corners (4, 2) of a card at `pose` in the picture."""
    deck = scene.faces.deck
    return scene.camera.project(pose.corners(deck.width_mm, deck.height_mm))


def place_face(known: Known, face: int, pose: CardPose) -> PlacedFace:
    """Fits the light on `face` at `pose`, on the visible pixels that no other card claims."""
    scene, names = known.scene, known.scene.points.names
    places = names.rough_places
    pixels, free = seen_at(known, pose, places)
    seen = scene.sample_bgr(pixels)
    inside = np.isfinite(seen[:, 0])
    trusted = inside
    if known.claims.any:
        trusted = inside & (free > 0.0)
        if trusted.sum() < _LEAST_LIT:
            trusted = inside
    if not inside.all():
        seen[~inside] = 0.0
    some = slice(None, None, _LIT_STEP)
    drawn, shown, asked = names.rough[face][:, some], seen[some].T, trusted[some]
    usual = _usual_gain(scene.white, drawn[:, asked], shown[:, asked])
    light = robust_lights(drawn, places[:, some], shown, asked.astype(np.float64), usual)
    scale, (own, foreign, except_) = _own_and_foreign(scene, (names.rough[face], places, light), seen, trusted)
    patch_mm2 = _largest_mm2(scene, foreign)
    return PlacedFace(face, pose, outline_of(scene, pose), light, scale, patch_mm2, foreign, own, except_)


def _usual_gain(white: Array, drawn: NDArray[np.float32], seen: Array) -> Array:
    """The gain (3,) of grey levels round about those of a face, `drawn` (3, N), that is `seen` so (3, N), if the light
    on it is that of the fiducials' paper, of which `white` (3,) is the share of full light that this sends. In a shade
    there is less light, and what is brighter than that is haze: light adds, and levels are about its root."""
    if not drawn.shape[1]:
        return np.sqrt(white)
    value, level = np.maximum(drawn.mean(axis=1, dtype=np.float64), 1.0), np.maximum(seen.mean(axis=1), 1.0)
    return np.asarray(np.minimum(AGAINST_PAPER * white, (level / value) ** 2) * value / level)


# What lies on a card differs from it by so many robust standard deviations, and grey levels, whatever shade falls on
# it.
_FOREIGN_SCALES, _FOREIGN_LEVELS, _DEEPEST_SHADE, _BRIGHTEST = 5.0, 35.0, 0.25, 1.1
_LEAST_SCALE = 5.0  # grey levels


_Drawn = tuple[NDArray[np.float32], Array, Array]  # a face's colours (3, N), where they lie (3, N), its light (3, 6)


def _own_and_foreign(
    scene: Scene, drawn: _Drawn, seen: Array, asked: NDArray[np.bool_]
) -> tuple[Array, tuple[NDArray[np.bool_], NDArray[np.bool_], Array]]:
    """The scale (3,) of what the light on a face leaves of the picture, and its tiles classified: the visible ones
    (rows, columns) most of whose points show the face in some shade of grey, those that show something else, and the
    foreign places (3, M) in mixed tiles. What is `seen` (N, 3) is compared with the face as it is `drawn` and lit,
    where `asked` (N,) is set."""
    rows, columns = scene.points.tiles(0).shape
    places, tiles = drawn[1], partial(_tile_of_each, scene, drawn[1], (rows, columns))
    of_all = places is scene.points.names.rough_places  # of any card of the deck
    tile = scene.once("tile of each rough place", tiles) if of_all else tiles()
    white = np.sqrt(scene.white)
    rules = np.append(_RULES, _TONE if scene.faces.are_alike else 0.0)
    asked_of = seen, asked, (tile, rows * columns), white / np.linalg.norm(white), rules
    scale, foreign, count, odd, in_ink = placed_tiles(drawn, *asked_of) or _compared(drawn, *asked_of)
    if in_ink.any() and _largest_mm2(scene, in_ink.reshape(rows, columns)) <= _ANOTHER_INK_MM2:
        in_ink[:] = False
    own, strange = (count > _FEW) & (odd <= 0.5 * count), (count > _ENOUGH) & (odd > 0.5 * count)
    own, strange = own & ~in_ink, strange | in_ink
    both = foreign & (own & (odd > _MIXED * count))[tile]
    return scale, (own.reshape(rows, columns), strange.reshape(rows, columns), places[:, both])


def _compared(
    drawn: _Drawn,
    seen: Array,
    asked: NDArray[np.bool_],
    tiles: tuple[NDArray[np.intp], int],
    white: Array,
    rules: Array,
) -> tuple[Array, NDArray[np.bool_], Array, Array, NDArray[np.bool_]]:
    """As `placed_tiles`."""
    lit = lit_face(*drawn).T
    left = np.abs(seen - lit)[asked]
    scale = np.maximum(_LEAST_SCALE, MAD_TO_SD * medians(left)) if len(left) else np.full(3, _LEAST_SCALE)
    shade = summed(seen * lit) / np.maximum(summed(lit * lit), 1.0)
    off = greatest(np.abs(seen - np.clip(shade, _DEEPEST_SHADE, _BRIGHTEST)[:, None] * lit))
    tone = rules[-1] * greatest(np.abs(lit - medians(lit)))
    foreign = asked & (off > max(_FOREIGN_LEVELS, _FOREIGN_SCALES * median(scale)) + tone)
    tile, many = tiles
    count, odd = (np.asarray(np.bincount(tile, each, many), np.float64) for each in (asked, foreign))
    return scale, foreign, count, odd, _in_another_ink(seen, lit, (tile, asked, count), white)


def _tile_of_each(scene: Scene, places: Array, shape: tuple[int, int]) -> NDArray[np.intp]:
    """The numbers (N,), row by row, of the tiles of some `shape` in which places (3, N) on a card lie."""
    (rows, columns), deck = shape, scene.faces.deck
    column = np.clip((places[0] / deck.width_mm + 0.5) * columns, 0, columns - 1).astype(np.intp)
    row = np.clip((0.5 - places[1] / deck.height_mm) * rows, 0, rows - 1).astype(np.intp)
    return np.asarray(row * columns + column)


def _in_another_ink(
    seen: Array, lit: Array, tiles: tuple[NDArray[np.intp], NDArray[np.bool_], Array], white: Array
) -> NDArray[np.bool_]:
    """The tiles (T,) of a face whose mean colour is that of another ink. Of a card with thin lines most points are
    paper, as they are on any other card: of a frame of green rings a red one's lay over a third, half of whose points
    were cream on cream, and nothing was said to lie there. `seen` and `lit` (N, 3) are points of the `tiles`: of
    which each is (N,), whether it is asked (N,), and how many of each are (T,). Neither haze, which has white's
    colour, nor shade, nor lines a little beside their place change what is compared: the means without their white,
    however much of the ink's colour is seen."""
    tile, asked, count = tiles

    def colour(values: Array) -> Array:
        sums = np.stack([np.bincount(tile, part * asked, len(count)) for part in values.T], axis=1)
        means = sums / np.maximum(count, 1.0)[:, None]
        return np.asarray(means - (means @ white)[:, None] * white)

    shown, ink = colour(seen), colour(lit)
    share = np.clip((shown * ink).sum(axis=1) / np.maximum((ink * ink).sum(axis=1), _HARDLY_ANY), 0.0, _MOST_INK)
    off = np.linalg.norm(shown - share[:, None] * ink, axis=1)
    told = count > _ENOUGH
    usual = median(off[told]) if told.any() else 0.0
    return np.asarray(told & (off > max(_ANOTHER_INK, _FOREIGN_SCALES * usual)))


# Grey levels; squared grey levels of a colour that is hardly any. Of 440 cards of sixteen drawn decks on which nothing
# unknown lay the tiles were off by 0.3 to 1 in the median; three on which a card lay that was not found had 210 mm2 and
# more that were off by 16. Along a card above, whose light falls on what it covers, a tile or two are off by 12 to 17,
# and four were by 12 to 14 along one that leaned.
_ANOTHER_INK, _HARDLY_ANY, _ANOTHER_INK_MM2 = 16.0, 25.0, 170.0
_MOST_INK = 1.2  # of its own, that a face's ink may be seen with


# By what share of its contrast with the paper a nearly blank face's print may look otherwise than drawn: the light is
# that of its paper, and a print's depth differs from printer to printer. Of other faces the light is fitted to the
# print. See the strengths that `telling` allows small print.
_TONE = 0.35

_MIXED = 0.15  # of a tile's points look otherwise where the edge of another card runs through it; a print's edges less
_FEW, _ENOUGH = 4, 10  # of some thirty points on a tile: to belong to the face, and to speak for a stranger
_RULES = np.array([HALF_CARD_MM, _LEAST_SCALE, MAD_TO_SD, _FOREIGN_SCALES, _FOREIGN_LEVELS, _DEEPEST_SHADE, _BRIGHTEST])
_RULES = np.append(
    _RULES, (_ENOUGH, _ANOTHER_INK, _HARDLY_ANY, _MOST_INK)
)  # as the compiled twin has them, the tone at the end


def contradicted_mm2(known: Known, face: int, pose: CardPose, nats: Array) -> float:
    """The area of the largest connected patch of tiles of a face at a pose that have print and show something else, by
    what each tile says for the face (rows, columns), in nats. Another card of the same colours lies there, whose sides
    do not show: a black one on a black one. 0 of a face most of whose tiles are even: on white paper sides show, and a
    pale frame that light or blur takes away is no card.
    """
    even = np.asarray(known.scene.points.tiles(face).even, dtype=np.bool_).reshape(nats.shape)
    if even.mean() > 0.5:
        return 0.0
    against = (nats < _CONTRADICTED_NATS) & ~even
    if against.any():
        against &= _print_in_light_of_its_own(known, face, pose, against) < _IS_ITS_PRINT
    return _largest_mm2(known.scene, against)


_CONTRADICTED_NATS = -1.0
_IS_ITS_PRINT = 0.7  # correlation: half of what varies in a tile


def _print_in_light_of_its_own(known: Known, face: int, pose: CardPose, asked: NDArray[np.bool_]) -> Array:
    """How well each of the tiles of a face that are `asked` about (rows, columns) shows its print in a light of its
    own, which varies evenly over the tile: the correlation of what is left of both, where it lies at most a millimetre
    beside its place; 0 of others. In the shade of a wall the lines of a frame were all there, and no light that varies
    evenly over the whole card explained them. Of a card over a wall the farther side lay a millimetre too low, by its
    edge, which was white on white, and no line of its frame was there."""
    tiles = known.scene.points.tiles(face)
    found = np.zeros(len(tiles.full))
    for number in np.flatnonzero(asked):
        here = np.flatnonzero(tiles.tile == number)
        found[number] = _correlations(known, face, pose, here, _BESIDE_MM[:1]).max()
        if found[number] < _IS_ITS_PRINT:  # that much is asked about alone, and most tiles show it in their place
            found[number] = max(found[number], _correlations(known, face, pose, here, _BESIDE_MM[1:]).max())
    return found.reshape(tiles.shape)


def _correlations(known: Known, face: int, pose: CardPose, here: NDArray[np.intp], beside_mm: Array) -> Array:
    """How well a face at a pose, laid beside it by each of some steps (S, 2) in its plane, shows its print at the
    points with the numbers `here`, under a light that varies evenly over them; 0 where too few are in view."""
    scene, tiles = known.scene, known.scene.points.tiles(face)
    places, drawn = tiles.places[:, here], tiles.light[0, here]
    beside = places[:, None] + np.pad(beside_mm, ((0, 0), (0, 1))).T[:, :, None]
    pixels = scene.camera.project_plane(pose.plane, beside.reshape(3, -1))
    seen, inside = scene.pyramid.sample_at(pixels, scene.fine_level + scene.points.halvings(face))
    good = known.claims.at(pixels) == 0.0
    if inside is not None:
        good &= inside
    count = (len(beside_mm), len(here))
    weight, shown = good.reshape(count).astype(np.float64), np.where(good, seen, 0.0).reshape(count)
    normal = np.einsum("sn,in,jn->sij", weight, places, places)
    right = np.stack([(weight * each) @ places.T for each in (shown, drawn)], axis=2)
    light = np.linalg.pinv(normal, hermitian=True) @ right
    left = [weight * (each - light[:, :, n] @ places) for n, each in enumerate((shown, drawn))]
    both = np.sqrt((left[0] ** 2).sum(axis=1) * (left[1] ** 2).sum(axis=1))
    found = (left[0] * left[1]).sum(axis=1) / np.maximum(both, _LITTLE)
    return np.asarray(np.where(weight.sum(axis=1) > tiles.least, found, 0.0))


_BESIDE_MM = np.array([(x, y) for x in (0.0, -0.5, 0.5, -1.0, 1.0) for y in (0.0, -0.5, 0.5, -1.0, 1.0)])
_LITTLE = 1e-6


def _largest_mm2(scene: Scene, tiles: NDArray[np.bool_]) -> float:
    """The area of the largest patch of `tiles` (rows, columns) joined by their sides."""
    if not tiles.any():
        return 0.0
    deck = scene.faces.deck
    joined = cv2.connectedComponentsWithStats(tiles.astype(np.uint8), connectivity=4)[2]
    return float(joined[1:, cv2.CC_STAT_AREA].max(initial=0)) * deck.width_mm * deck.height_mm / tiles.size


_LEAST_LIT = 25  # points in view, of some 2500 on a card, that settle the light on it
_LIT_STEP = 4  # so many times fewer settle it as well: it has six parameters
