"""Which of a set's boards lies there, and under which light: prints compared where no tile lies on them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PrintLight, fit_print_light

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

STRANGE = 80.0  # grey levels (root mean square of the channels) beyond which more does not tell more
SHARED = 12.0  # grey levels within which boards print the same: what they share tells the light
BLOCK_MM = 12.0  # pixels this near to each other share their errors: a block has one vote
MOST_FITTED = 4000
# A pixel may be darker than the board's light says, as shadows beside tiles are, or a little brighter.
SHADING = (0.4, 1.12)
MOST_VEIL = 70.0 * 3**0.5  # grey levels that a reflection adds
COLOURLESS = 100.0  # squared grey levels of colour below which only brightness tells the shade


@dataclass(frozen=True, eq=False)
class Pixels:
    """Pixels of a photograph (N, 3), their places (N, 2) in mm, and of each board its print there (B, N, 3) and where
    it has any (B, N)."""

    seen: Grey
    at_mm: Floats
    prints: Grey
    there: Mask


@dataclass(frozen=True, eq=False)
class TilePixels:
    """Pixels of tiles that are recognised: print (N, 3), photograph (N, 3), and their places (N, 2) in mm."""

    prints: Grey
    seen: Grey
    at_mm: Floats


@dataclass(frozen=True, eq=False)
class WhichBoard:
    """The board that lies there, its light, and how clearly it is not the one likest to it.

    `margin`: where the pixels lie between the two prints, 1 at its own, -1 at the other's. `blocks_for`: by how many
    standard errors the blocks vote for it. Both are large where there is one board only. `agreed`: the hue of the
    print's lines says the same.
    """

    which: int
    light: PrintLight
    margin: float
    blocks_for: float
    agreed: bool = False


def which_board(pixels: Pixels, tiles: TilePixels) -> WhichBoard:
    """The board that wins against each other by the pixels on which their prints differ, whatever their brightness.

    All are compared under one light, that of what they share: a light of its own would make a wrong board fit.
    """
    use = np.flatnonzero(pixels.there.all(axis=0))
    seen, at, prints = pixels.seen[use], pixels.at_mm[use], pixels.prints[:, use]
    light = _shared_light(seen, at, prints, tiles, white_balanced=True)
    lit = np.stack([light.on(each, at[:, 0], at[:, 1]) for each in prints])
    white = light.gain[:, 0] / np.linalg.norm(light.gain[:, 0])
    white = white.astype(np.float32)
    off = np.stack([_off(seen, each, white) for each in lit])
    blocks = np.floor(at / BLOCK_MM).astype(int)
    blocks = (blocks[:, 0] - blocks[:, 0].min(initial=0)) * 1000 + blocks[:, 1] - blocks[:, 1].min(initial=0)
    best = 0
    for other in range(1, len(lit)):
        if _told(lit, off, white, blocks, best, other)[0] < 0:
            best = other
    told = [_told(lit, off, white, blocks, best, other) for other in range(len(lit)) if other != best]
    margin, blocks_for = min(told, key=lambda both: both[1], default=(1.0, math.inf))
    return WhichBoard(best, _shared_light(seen, at, prints, tiles, white_balanced=False), margin, blocks_for)


def _shared_light(seen: Grey, at: Floats, prints: Grey, tiles: TilePixels, *, white_balanced: bool) -> PrintLight:
    """The light from tiles and from print that all boards have; from all print where that is almost nothing."""
    shared = np.flatnonzero((prints.max(axis=0) - prints.min(axis=0)).max(axis=1) < SHARED)
    if len(shared) + len(tiles.prints) < 200:
        shared = np.arange(len(seen))
    shared = shared[:: max(1, len(shared) // MOST_FITTED)]
    some = slice(None, None, max(1, len(tiles.prints) // MOST_FITTED))
    mean = prints[:, shared].mean(axis=0)
    return fit_print_light(
        np.concatenate([tiles.prints[some], mean]),
        np.concatenate([tiles.seen[some], seen[shared]]),
        np.concatenate([tiles.at_mm[some], at[shared]]),
        white_balanced=white_balanced,
    )


def _off(seen: Grey, lit: Grey, white: Grey) -> Grey:
    """Squared error (N,) of `lit` (N, 3) against `seen`, in any shadow and under a thin veil of the light's colour."""
    both = np.einsum("nc,nc->n", seen, lit) / np.maximum(np.einsum("nc,nc->n", lit, lit), np.float32(1.0))
    bare = seen - lit * np.clip(both, *SHADING)[:, None]
    flat_seen, flat_lit = seen - (seen @ white)[:, None] * white, lit - (lit @ white)[:, None] * white
    length = np.einsum("nc,nc->n", flat_lit, flat_lit)
    hue = (np.einsum("nc,nc->n", flat_seen, flat_lit) + both * COLOURLESS) / (length + np.float32(COLOURLESS))
    veiled = seen - lit * np.clip(hue, *SHADING)[:, None]
    veiled = veiled - np.clip(veiled @ white, 0.0, MOST_VEIL)[:, None] * white
    least = np.minimum(np.einsum("nc,nc->n", bare, bare), np.einsum("nc,nc->n", veiled, veiled))
    return np.asarray(np.minimum(least / np.float32(3.0), np.float32(STRANGE**2)))


def _told(lit: Grey, off: Grey, white: Grey, blocks: NDArray[np.intp], own: int, other: int) -> tuple[float, float]:
    """Where the pixels lie between two boards' prints, -1 to 1, and by how many standard errors blocks say so.

    A coloured line in shadow is nearly black, but black is never red: what each would look like to the other differs.
    The margin is a share of what would be seen if the board it speaks for lay there.
    """
    if_own, if_other = _off(lit[own], lit[other], white), _off(lit[other], lit[own], white)
    difference = np.clip(off[other] - off[own], -if_other, if_own)
    told, weight = (np.bincount(blocks, each, minlength=1) for each in (difference, (if_own + if_other) / 2))
    most = float((if_own if told.sum() > 0 else if_other).sum())
    # A block of much print, a title for one, has no more say than three times the usual one.
    usual = float(np.median(weight[weight > 0.01 * weight.max()])) if weight.max() > 0 else 1.0
    votes = told * np.minimum(1.0, 3.0 * usual / np.maximum(weight, 1e-6))
    return float(told.sum()) / max(most, 1e-6), float(votes.sum()) / max(math.sqrt(float((votes**2).sum())), 1e-6)
