"""Which of a set's boards lies there, and under which light: prints compared where no tile lies on them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.straight.block_votes import standard_errors
from arena_cam.vision.boards.straight.prints import GAMMA
from arena_cam.vision.printed.print_light import PrintLight, fit_print_lights

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

STRANGE = 80.0  # grey levels (root mean square of the channels) beyond which more does not tell more
SHARED = 12.0  # grey levels within which boards print the same: what they share tells the light
BLOCK_MM = 12.0  # pixels this near to each other share their errors: a block has one vote
MOST_FITTED = 4000
# Light of a pixel, as a share: it may be darker than the board's light says, as beside tiles, or a little brighter.
SHADING = (0.13, 1.28)
MOST_VEIL = 0.6  # of white paper's light, that a reflection adds; beyond it the picture is white
# The least, where the print itself was photographed: what a reflection added to it then, and was not told from print.
PRINT_VEILED = -0.1
DARK = 0.01  # share of light (grey level 31) below which noise does not fall any more
NOISE = 2.0  # grey levels (standard deviation) of a photograph's pixels
# A board is told by the margin of its pixels (how much less its print leaves unexplained), standard errors of blocks,
# and correlation of its lines with the print; the last may be less where the lines' hue says the same. Of 62 boards in
# nine styles, many of thin lines, pixels and hue said one together in a wrong colour: by 4.6 standard errors. Of 74
# more in ten styles (bench.board_pictures, seeds 3001, 4001) 58 are sure so, 72 with what shows between their tiles,
# none of them wrong.
APART, BLOCKS, ALIKE, ALIKE_AGREED = 0.2, 5.0, 0.7, 0.45
# A title alone is in three or four blocks, which cannot be five standard errors. Where it is met as exactly as this,
# and most of its colour is one board's in pixels and hue, few blocks do. Of 293 boards in 70 styles 16 were told by so
# few blocks and agreed: those told rightly had a margin of 0.58 and more where their print was met at all; two told
# wrongly had 0.29 and 0.33 (1.9 and 2.0 blocks), and nine whose print was met at 0.63 at most.
FEW_APART, FEW_BLOCKS, FEW_ALIKE = 0.5, 2.3, 0.75
COLOURLESS = 100.0  # squared grey levels of colour below which only brightness tells the shade


def least_veil(photographed: bool) -> float:
    """The least veil (share of white paper's light) that may lie on boards of a set whose print was `photographed`."""
    return PRINT_VEILED if photographed else 0.0


@dataclass(frozen=True, eq=False)
class Pixels:
    """Pixels of a photograph (N, 3), their places (N, 2) in mm, and of each board its print there (B, N, 3) and where
    it has any (B, N). `least_veil`: see there."""

    seen: Grey
    at_mm: Floats
    prints: Grey
    there: Mask
    least_veil: float = 0.0


@dataclass(frozen=True, eq=False)
class TilePixels:
    """Pixels of tiles that are recognised: print (N, 3), photograph (N, 3), and their places (N, 2) in mm."""

    prints: Grey
    seen: Grey
    at_mm: Floats


@dataclass(frozen=True, eq=False)
class WhichBoard:
    """The board that lies there, its light, and how clearly it is not the one likest to it.

    `margin`: how much less it leaves unexplained, 1 where the other explains nothing, 0 where both do alike.
    `blocks_for`: by how many standard errors the blocks vote for it. Both are large where there is one board only.
    `agreed`: the hue of the print's lines says the same.
    """

    which: int
    light: PrintLight
    margin: float
    blocks_for: float
    agreed: bool = False

    def is_told(self, print_alike: float) -> bool:
        """Whether it is clear which board it is; `print_alike`: the correlation of its lines with the print."""
        if math.isinf(self.blocks_for):
            return True
        if self.agreed and print_alike > FEW_ALIKE and self.margin > FEW_APART and self.blocks_for > FEW_BLOCKS:
            return True
        told = self.margin > APART and self.blocks_for > BLOCKS
        return told and print_alike > (ALIKE_AGREED if self.agreed else ALIKE)


def which_board(pixels: Pixels, tiles: TilePixels) -> WhichBoard:
    """The board that wins against each other by the pixels on which their prints differ, whatever their brightness.

    All are compared under one light, that of what they share: a light of its own would make a wrong board fit.
    """
    use = np.flatnonzero(pixels.there.all(axis=0))
    seen, at, prints = pixels.seen[use], pixels.at_mm[use], pixels.prints[:, use]
    own_light, light = _shared_lights(seen, at, prints, tiles)
    lit = np.stack([light.on(each, at[:, 0], at[:, 1]) for each in prints])
    white = lamp_colour(light)
    veils = (pixels.least_veil, MOST_VEIL)
    off = np.stack([unexplained(seen, each, white, veils) for each in lit])
    blocks = np.floor(at / BLOCK_MM).astype(int)
    blocks = (blocks[:, 0] - blocks[:, 0].min(initial=0)) * 1000 + blocks[:, 1] - blocks[:, 1].min(initial=0)
    best = 0
    for other in range(1, len(lit)):
        if _told(lit, off, (white, veils), blocks, best, other)[0] < 0:
            best = other
    told = [_told(lit, off, (white, veils), blocks, best, other) for other in range(len(lit)) if other != best]
    margin, blocks_for = min(told, key=lambda both: both[1], default=(1.0, math.inf))
    return WhichBoard(best, own_light, margin, blocks_for)


def lamp_colour(light: PrintLight) -> Grey:
    """The colour (3,) of what lights a board, of length 1."""
    return np.asarray(light.gain[:, 0] / np.linalg.norm(light.gain[:, 0]), np.float32)


def _shared_lights(seen: Grey, at: Floats, prints: Grey, tiles: TilePixels) -> tuple[PrintLight, PrintLight]:
    """The light from tiles and from print that all boards have, from all print where that is almost nothing; and the
    same with its white balanced."""
    shared = np.flatnonzero((prints.max(axis=0) - prints.min(axis=0)).max(axis=1) < SHARED)
    if len(shared) + len(tiles.prints) < 200:
        shared = np.arange(len(seen))
    shared = shared[:: max(1, len(shared) // MOST_FITTED)]
    some = slice(None, None, max(1, len(tiles.prints) // MOST_FITTED))
    mean = prints[:, shared].mean(axis=0)
    return fit_print_lights(
        np.concatenate([tiles.prints[some], mean]),
        np.concatenate([tiles.seen[some], seen[shared]]),
        np.concatenate([tiles.at_mm[some], at[shared]]),
    )


def unexplained(seen: Grey, lit: Grey, white: Grey, veils: tuple[float, float] = (0.0, MOST_VEIL)) -> Grey:
    """Squared error (N,), in grey levels, of `lit` (N, 3) against `seen` (N, 3), in any shadow and under any veil.

    Light adds up, grey levels do not: a lamp's reflection lays the same light of the lamp's colour `white` (3,) on each
    channel, which on bright paper is a few grey levels and on dark ink many. Least squares of shadow and veil within
    their bounds, closed: the free solution, or the best on one of the four bounds.
    """
    light, printed, lamp = ((np.maximum(each, 1.0) / 255.0) ** GAMMA for each in (seen, lit, white / white.max() * 255))
    # Grey levels a unit of light; in the dark noise is what counts, not the slope.
    slope = 255.0 / GAMMA * np.maximum(light, DARK) ** (1.0 / GAMMA - 1.0)
    light, printed, lamp = light * slope, printed * slope, lamp * slope
    a, b, c = (np.einsum("nc,nc->n", *each) for each in ((printed, printed), (printed, lamp), (lamp, lamp)))
    d, e = (np.einsum("nc,nc->n", each, light) for each in (printed, lamp))
    # Where it has no colour nothing parts shadow from veil: then none is likelier.
    a, d = a + COLOURLESS, d + COLOURLESS
    free = np.maximum(a * c - b * b, 1e-6)
    shadow, veil = np.clip((c * d - b * e) / free, *SHADING), np.clip((a * e - b * d) / free, *veils)
    tried = [
        (shadow, np.clip((e - shadow * b) / c, *veils)),
        (np.clip((d - veil * b) / a, *SHADING), veil),
    ]
    errors = [s * s * a + 2 * s * v * b + v * v * c - 2 * (s * d + v * e) for s, v in tried]
    least = np.minimum(*errors) + np.einsum("nc,nc->n", light, light) + COLOURLESS
    return np.asarray(np.clip(least / 3.0, 0.0, STRANGE**2), np.float32)


def _told(
    lit: Grey, off: Grey, lamp: tuple[Grey, tuple[float, float]], blocks: NDArray[np.intp], own: int, other: int
) -> tuple[float, float]:
    """How much less one of two prints leaves unexplained, -1 to 1, and by how many standard errors blocks say so.

    A coloured line in shadow is nearly black, but black is never red: what each would look like to the other differs.
    The margin is the difference of the two prints' errors as a share of their sum: under a reflection's veil both are
    small, and still one is a third of the other.
    """
    if_own, if_other = unexplained(lit[own], lit[other], *lamp), unexplained(lit[other], lit[own], *lamp)
    difference = np.clip(off[other] - off[own], -if_other, if_own)
    said = (np.bincount(blocks, each, minlength=1) for each in (difference, (if_own + if_other) / 2))
    told, weight = (np.asarray(each, np.float64) for each in said)
    differ = if_own + if_other > COLOURLESS
    left = float((off[own] + off[other] + NOISE**2)[differ].sum())
    return float(difference[differ].sum()) / max(left, 1e-6), standard_errors(told, weight)
