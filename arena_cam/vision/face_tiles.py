"""How much of a face the picture shows: the face is cut into tiles, and each is held against a patch of even grey."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.alignment import HALF_CARD_MM, light_basis
from arena_cam.vision.deck_faces import DeckFaces

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

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
# Slopes of gain and offset are held back: light changes slowly over a card.
_LIGHT_RIDGE = np.array([0.0, 0.02, 0.02, 0.0, 0.02, 0.02])
_ROUNDS = 4  # of reweighting
# Where less than this share of the tiles is shown another light may show more: what is off by more than _FAR_OFF (grey
# levels squared) is off altogether.
_CLEAR, _FAR_OFF, _FEWEST = 0.75, 20.0**2, 40


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


def cut_face(faces: DeckFaces, face: int, px_per_mm: float) -> FaceTiles:
    """The tiles of face number `face`, with every other point of its grid at `px_per_mm`, as on a chessboard."""
    grid, deck = faces.grid(px_per_mm), faces.deck
    rows, columns = np.indices(grid.mask.shape)
    chosen = grid.mask & ((rows + columns) % 2 == 0)
    x, y = grid.x_mm[chosen].astype(np.float64), grid.y_mm[chosen].astype(np.float64)
    value = grid.grey[face][chosen].astype(np.float64)
    across, down = int(deck.width_mm / TILE_MM), int(deck.height_mm / TILE_MM)
    column = np.minimum(((x / deck.width_mm + 0.5) * across).astype(np.intp), across - 1)
    row = np.minimum(((0.5 - y / deck.height_mm) * down).astype(np.intp), down - 1)
    tile = row * across + column
    full = np.bincount(tile, minlength=across * down).astype(np.float64)
    spread = _means(tile, value**2, full) - _means(tile, value, full) ** 2
    places = np.stack([x, y, np.ones_like(x)])
    light = light_basis(value, places)
    least = _LEAST_SHARE * float(np.median(full))
    return FaceTiles(
        places, light, np.ascontiguousarray(light[:, ::3]), tile, (down, across), full, least, spread < _EVEN
    )


def shown_tiles(tiles: FaceTiles, seen: Array, good: Mask | None) -> tuple[Array, Mask, Mask]:
    """For each tile (rows, columns): by how many nats the face explains the picture better than even grey does, whether
    the picture shows the face there, and whether enough of the tile is in view to say so.

    `seen` (N,) is the picture at the tiles' points, `good` (N,) where it may be asked; None is everywhere.
    """
    tile = tiles.tile
    n, weight = tiles.full, None
    if good is not None:
        seen = np.where(good, seen, 0.0)
        weight = good.astype(np.float64)
        n = np.asarray(np.bincount(tile, weight, len(tiles.full)), dtype=np.float64)
    asked = (tiles.few, seen[::3], None if weight is None else weight[::3])
    light = robust_light(*asked)
    nats, shown, enough = _judged(tiles, seen, weight, n, light)
    if shown.sum() < _CLEAR * enough.sum():
        other = _light_of_a_part(*asked, than=light)
        if other is not None:
            again = _judged(tiles, seen, weight, n, robust_light(*asked, other))
            nats, shown, enough = max((nats, shown, enough), again, key=lambda found: float(found[0].sum()))
    return nats.reshape(tiles.shape), shown.reshape(tiles.shape), enough.reshape(tiles.shape)


def _judged(tiles: FaceTiles, seen: Array, weight: Array | None, n: Array, light: Array) -> tuple[Array, Mask, Mask]:
    """`shown_tiles`, tile by tile, in one light (6,); `n` (tiles,) is how much of each tile is in view."""
    tile, lit = tiles.tile, light @ tiles.light
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
    shown = enough & ((off < 0.4 * spread + _FLOOR) | (off < 1.5 * _FLOOR))
    nats = np.where(enough, np.clip(gain_in_nats, -2.0, 8.0), 0.0)
    return np.where(tiles.even & (nats > 0), 0.0, nats), shown, enough


def _light_of_a_part(basis: Array, seen: Array, weight: Array | None, than: Array) -> Array | None:
    """The light of that half of the card by which more of all of it is as it should be `than` by another
    light; None if there is none. A hand over a part of a card pulls the light of the whole towards its own."""
    best = float(np.minimum((seen - than @ basis) ** 2, _FAR_OFF).mean())
    found = None
    for axis in (1, 2):
        place = basis[3 + axis]
        for part in (place < 0.0, place > 0.0):
            few = part if weight is None else part & (weight > 0.0)
            if few.sum() < _FEWEST:
                continue
            some = basis[:, few]
            light = _fitted(some, some, seen[few])
            off = np.minimum((seen - light @ basis) ** 2, _FAR_OFF)
            mean = float(off.mean() if weight is None else (off * weight).mean())
            if mean < best:
                best, found = mean, light
    return found


def _fitted(weighted: Array, basis: Array, seen: Array) -> Array:
    """The light (6,) that brings a face to the picture by weighted least squares; `weighted` is `basis` times that."""
    normal = weighted @ basis.T
    normal.flat[:: len(normal) + 1] += 1e-3 + np.diag(normal) * _LIGHT_RIDGE
    return np.asarray(np.linalg.solve(normal, weighted @ seen), dtype=np.float64)


def _means(tile: NDArray[np.intp], values: Array, count: Array) -> Array:
    return np.asarray(np.bincount(tile, values, len(count)) / count)


def robust_light(basis: Array, seen: Array, weight: Array | None, start: Array | None = None) -> Array:
    """Gain, offset and their slopes (6,) that bring a face to the picture `seen` (N,), fitted to the part that agrees
    with what was found before, at first with `start` (6,): else with the light of all of it.

    `basis` (6, N) is what they multiply; `weight` (N,) is 0 where the picture is not to be asked, None is nowhere.
    """
    agree = weight if start is None else _agreeing(basis, seen, weight, start)
    light: Array = np.zeros(len(basis)) if start is None else start
    for round_ in range(_ROUNDS):
        if agree is not None and not agree.any():
            break
        light = _fitted(basis if agree is None else basis * agree, basis, seen)
        if round_ < _ROUNDS - 1:
            agree = _agreeing(basis, seen, weight, light)
    return light


def _agreeing(basis: Array, seen: Array, weight: Array | None, light: Array) -> Array:
    """How much each point (N,) agrees with a light, by what the points are off by in the middle."""
    residual = seen - light @ basis
    off = np.abs(residual if weight is None else residual[weight > 0])
    if not len(off):
        return np.zeros(len(seen))
    off.partition(len(off) // 2)
    scale = max(4.0, 1.4826 * float(off[len(off) // 2]))
    residual *= 1.0 / (1.5 * scale)
    residual *= residual
    residual += 1.0
    residual *= residual
    return np.asarray(1.0 / residual if weight is None else weight / residual)


def robust_lights(faces: NDArray[np.float32], places: Array, seen: Array, weight: Array) -> Array:
    """`robust_light` for several pictures of one face at once, as its colours are: (C, 6) for values (C, N) at `places`
    (3, N) that are `seen` (C, N)."""
    basis = np.stack([light_basis(value, places) for value in faces.astype(np.float64)])
    agree = np.broadcast_to(weight, seen.shape)
    asked = weight > 0
    light: Array = np.zeros((len(faces), 6))
    for round_ in range(_ROUNDS):
        weighted = basis * agree[:, None, :]
        normal = weighted @ basis.transpose(0, 2, 1)
        diagonal = np.einsum("cii->ci", normal)
        diagonal += 1e-3 + diagonal * _LIGHT_RIDGE
        light = np.asarray(np.linalg.solve(normal, weighted @ seen[:, :, None])[:, :, 0], dtype=np.float64)
        if round_ == _ROUNDS - 1 or not asked.any():
            break
        residual = seen - (light[:, None, :] @ basis)[:, 0]
        off = np.abs(residual[:, asked])
        half = off.shape[1] // 2
        off.partition(half, axis=1)
        scale = np.maximum(4.0, 1.4826 * off[:, half])
        residual *= (1.0 / (1.5 * scale))[:, None]
        agree = weight / (1.0 + residual * residual) ** 2
    return light


def lit_face(faces: NDArray[np.floating], places: Array, light: Array) -> Array:
    """How values (C, N) of a face at `places` (3, N) look in `light` (C, 6): (C, N)."""
    plane = np.stack([np.ones(places.shape[1]), places[0] / HALF_CARD_MM, places[1] / HALF_CARD_MM])
    return np.asarray(faces * (light[:, :3] @ plane) + light[:, 3:] @ plane, dtype=np.float64)
