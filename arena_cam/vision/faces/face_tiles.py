"""How much of a face the picture shows: the face is cut into tiles, and each is compared with an even grey."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_points import light_basis
from arena_cam.vision.faces.light import CLEAR, FAR_OFF, FEWEST, LIGHT_RIDGE, ROUNDS, light_of_a_part, robust_light
from arena_cam.vision.kernels.calls import CutFace, Sampled, tiles_shown
from arena_cam.vision.picture.robust import median, robust_scale

TILE_MM = 8.0
# A tile speaks with about this many independent pixels: neighbouring residuals are alike because of blur and light.
_TILE_SAMPLES = 8.0
_LEAST_SHARE = 0.3  # of a tile's points in view, for it to have a say
_FLOOR = 6.0**2  # variance of a good fit: noise, print against picture, leftover shading (grey levels squared)
_EVEN = 30.0  # variance of a tile of the face (grey levels squared) that has no print to speak of
_WORST = 60.0**2  # a squared residual counts no more than this
# The edge of a shadow over a card: beyond it a tile may be darker than the card's light says, by one factor. It has to
# explain the tile twice as well, and costs what a guess of that factor is worth.
_SHADE, _DEEPEST_SHADE, _SHADE_NATS = 0.9, 0.25, 1.5
# A lamp's reflection on a card is a hill of haze, and a lamp that hangs low lights its near end more than a plane says:
# what is left of the tiles' means is a surface of the second degree. Over few tiles any surface is.
# Three numbers more cost three nats, and as much again for being chosen afterwards. Of 29 open cards of five decks
# 19 gained that much (one has 41 nats instead of -57); the same cards 32 mm away all stayed at -19 or below.
_CURVED_OF, _CURVED_NATS, _CURVED_RIDGE, _LEAST_CURVED = 1 / 3, 6.0, 0.02, 4.0
# Of the tiles in view: a face that shows less is not there; one that shows all needs no other light.
_HARDLY_SHOWN = 0.3
# All of these, and those of the light, in the order of the compiled twin.
_RULES = np.array(
    [
        *(*LIGHT_RIDGE, ROUNDS, CLEAR, FAR_OFF, FEWEST),
        *(_TILE_SAMPLES, _FLOOR, _WORST, _SHADE, _DEEPEST_SHADE, _SHADE_NATS),
        *(_CURVED_OF, _CURVED_NATS, _CURVED_RIDGE, _LEAST_CURVED, _HARDLY_SHOWN),
    ]
)


@dataclass(frozen=True, eq=False)
class FaceTiles:
    """The points of one face by which its tiles are judged.

    `places` (3, N) and `light` (6, N) as in FacePoints, `few` (6, n) every third of it; `tile` (N,) numbers the tiles
    row by row, `shape` is (rows, columns), `full` (tiles,) how many points each has, `least` how many of them must be
    in view for a tile to have a say, `even` (tiles,) those without print.
    """

    places: Array
    light: Array
    few: Array
    tile: NDArray[np.intp]
    shape: tuple[int, int]
    full: Array
    least: float
    even: Mask

    def shown_at(self, seen: Sampled, claimed: NDArray[np.uint8] | None, step: int) -> tuple[Array, Mask, Mask] | None:
        """`shown_tiles` of what a pose shows of the face outside `claimed` (h, w), a mask in 1/`step` of the frame,
        compiled; None where that cannot be."""
        face = CutFace(self.places, self.light, self.tile, self.full, self.even, self.least)
        found = tiles_shown(seen, face, claimed, step, _RULES)
        if found is None:
            return None
        return found[0].reshape(self.shape), found[1].reshape(self.shape), found[2].reshape(self.shape)


def cut_face(faces: DeckFaces, face: int, px_per_mm: float) -> FaceTiles:
    """The tiles of face number `face`, with every other point of its grid at `px_per_mm`, as on a chessboard."""
    grid, deck = faces.grid(px_per_mm), faces.deck
    rows, columns = np.indices(grid.mask.shape)
    chosen = (grid.inner if faces.are_alike else grid.mask) & ((rows + columns) % 2 == 0)
    x, y = grid.x_mm[chosen].astype(np.float64), grid.y_mm[chosen].astype(np.float64)
    value = grid.grey_of(face)[chosen].astype(np.float64)
    across, down = int(deck.width_mm / TILE_MM), int(deck.height_mm / TILE_MM)
    column = np.minimum(((x / deck.width_mm + 0.5) * across).astype(np.intp), across - 1)
    row = np.minimum(((0.5 - y / deck.height_mm) * down).astype(np.intp), down - 1)
    tile = row * across + column
    full = np.bincount(tile, minlength=across * down).astype(np.float64)
    spread = _means(tile, value**2, full) - _means(tile, value, full) ** 2
    places = np.stack([x, y, np.ones_like(x)])
    light = light_basis(value, places)
    least = _LEAST_SHARE * median(full)
    return FaceTiles(
        places, light, np.ascontiguousarray(light[:, ::3]), tile, (down, across), full, least, spread < _EVEN
    )


def shown_tiles(tiles: FaceTiles, seen: Array, good: Mask | None) -> tuple[Array, Mask, Mask]:
    """For each tile (rows, columns): the nats by which the face explains the picture better than an even grey, whether
    the picture shows the face there, and whether enough of the tile is visible to decide that.

    `seen` (N,) is the picture at the tiles' points, `good` (N,) a mask of the points to use; None is all.
    """
    tile = tiles.tile
    n, weight = tiles.full, None
    if good is not None:
        seen = np.where(good, seen, 0.0)
        weight = good.astype(np.float64)
        n = np.asarray(np.bincount(tile, weight, len(tiles.full)), dtype=np.float64)
    asked = (tiles.few, seen[::3], None if weight is None else weight[::3])
    light = robust_light(*asked)
    found = _judged(tiles, seen, weight, n, light @ tiles.light)
    if found[1].sum() < CLEAR * found[2].sum():
        other = light_of_a_part(*asked, than=light)
        if other is not None:
            other = robust_light(*asked, other)
            again = _judged(tiles, seen, weight, n, other @ tiles.light)
            found, light = (again, other) if again[0].sum() > found[0].sum() else (found, light)
    shows, could = int(found[1].sum()), int(found[2].sum())
    tried = _HARDLY_SHOWN * could <= shows < could
    curved = _in_curved_light(tiles, seen, weight, n, light @ tiles.light) if tried else None
    if curved is not None:
        again = _judged(tiles, seen, weight, n, curved)
        found = again if again[0].sum() > found[0].sum() + _CURVED_NATS else found
    nats, shown, enough = found
    return nats.reshape(tiles.shape), shown.reshape(tiles.shape), enough.reshape(tiles.shape)


def _in_curved_light(tiles: FaceTiles, seen: Array, weight: Array | None, n: Array, lit: Array) -> Array | None:
    """The face as it is `lit` (N,), in a haze that is curved over the card; None if too little of it is in view to
    tell. Tiles that agree with no such haze are left out."""
    enough = (n > tiles.least).astype(np.float64)
    if enough.sum() < _CURVED_OF * len(n):
        return None
    x, y = tiles.light[4:]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    count = np.maximum(n, 1.0)
    off = np.clip(seen - lit, -math.sqrt(_WORST), math.sqrt(_WORST))
    left, basis = _means(tiles.tile, off if weight is None else off * weight, count), np.empty((6, len(n)))
    for row, term in zip(basis, terms, strict=True):
        row[:] = _means(tiles.tile, term if weight is None else term * weight, count)
    agree, haze = enough, np.zeros(6)
    for _ in range(ROUNDS):
        normal = (basis * agree) @ basis.T
        normal.flat[::7] += 1e-3 + np.diag(normal) * _CURVED_RIDGE
        haze = np.asarray(np.linalg.solve(normal, (basis * agree) @ left))
        rest = left - haze @ basis
        scale = 1.5 * robust_scale(rest, enough, _LEAST_CURVED)
        agree = enough / (1.0 + (rest / scale) ** 2) ** 2
    return np.asarray(lit + haze @ terms)


def _judged(tiles: FaceTiles, seen: Array, weight: Array | None, n: Array, lit: Array) -> tuple[Array, Mask, Mask]:
    """`shown_tiles`, tile by tile, of a face as it is `lit` (N,); `n` (tiles,) is how much of each tile is in view."""
    tile = tiles.tile
    enough = n > tiles.least
    count = np.maximum(n, 1.0)

    def mean(a: Array) -> Array:
        return _means(tile, a if weight is None else a * weight, count)

    spread = mean(seen * seen) - mean(seen) ** 2
    off = mean(np.minimum((seen - lit) ** 2, _WORST))
    shade = np.clip(mean(lit * seen) / np.maximum(mean(lit * lit), 1.0), _DEEPEST_SHADE, 1.0)
    shaded = (shade < _SHADE) & ~tiles.even
    if shaded.any():
        in_shade = mean(np.minimum((seen - shade[tile] * lit) ** 2, _WORST))
        shaded &= in_shade < 0.5 * off
        off = np.where(shaded, in_shade, off)
    gain_in_nats = 0.5 * _TILE_SAMPLES * np.log((np.maximum(spread, 0.0) + _FLOOR) / (off + _FLOOR))
    gain_in_nats -= np.where(shaded, _SHADE_NATS, 0.0)
    # even tiles say little either way unless their grey is wrong
    at_a_rim = tiles.even & (n < tiles.full)
    if at_a_rim.any():
        off = np.where(at_a_rim, mean(np.minimum(_off_in_shade(seen, lit) ** 2, _WORST)), off)
    shown = enough & ((off < 0.4 * spread + _FLOOR) | (off < 1.5 * _FLOOR))
    nats = np.where(enough, np.clip(gain_in_nats, -2.0, 8.0), 0.0)
    return np.where(tiles.even & (nats > 0), 0.0, nats), shown, enough


def _off_in_shade(seen: Array, lit: Array) -> Array:
    """By how much (N,) what is seen is off the lit face, in whatever shade. Every card throws a narrow one on what it
    covers, whose edge no single factor for a tile explains. On bare paper there this does not speak against the face,
    though it does not speak for it either: it may be print of another one."""
    off = seen - lit
    return np.where(off < 0.0, np.minimum(seen - _DEEPEST_SHADE * lit, 0.0), off)


def _means(tile: NDArray[np.intp], values: Array, count: Array) -> Array:
    return np.asarray(np.bincount(tile, values, len(count)) / count)
