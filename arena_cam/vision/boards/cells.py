"""One cell looked at closely: the tiles that may lie in it and the empty board, each aligned and compared."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.board_light import LUMA, BoardLight, in_own_light
from arena_cam.vision.boards.matching import CellMatch
from arena_cam.vision.boards.prints import TileGrid
from arena_cam.vision.boards.straight_board import StraightBoard

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

PX_PER_MM = 2.0
BLUR_MM = 0.35  # both sides are softened so that a tenth of a millimetre of misalignment does not count
MOST_RIVALS = 4
FAR_BEHIND = 0.25  # correlation; of 1400 tiles on rendered photographs none that was right was 0.03 behind another
STRANGE = 80.0  # grey levels (root mean square of the channels) beyond which more does not tell more
NOT_THAT = 30.0  # grey levels beyond which a pixel is not that print
STEPS = 6
CLEARLY_A_TILE = 0.8
CLEAR_WIN = 0.2  # of the way between two contenders; where the right one is told it is 0.4 and more
LEAST_ALIKE = 0.3  # correlation; of 1400 tiles on rendered photographs the least was 0.51, in glare
EMPTY_SHIFTS = ((0.0, 0.0), (-1.5, 0.0), (1.5, 0.0), (0.0, -1.5), (0.0, 1.5))  # mm


@dataclass(frozen=True, eq=False)
class Placed:
    """Where a tile lies: shift (2,) in mm from its cell's middle, turned clockwise by `turn_rad`."""

    shift_mm: Floats
    turn_rad: float


@dataclass(frozen=True, eq=False)
class Contender:
    """What a cell may hold: `tile` index, None for the empty board; `turned_deg` not 0: a tile the wrong way round."""

    tile: int | None
    turned_deg: int
    expected: Grey
    seen: Grey
    cost: float
    explained: float
    placed: Placed


@dataclass(frozen=True, eq=False)
class CellEvidence:
    """The best contender, and how it stands against the one nearest to it.

    `margin`: where the seen pixels lie between what the two expect, 1 at the best one's, -1 at the rival's, of those
    pixels that tell them apart. `visible`: share of these that show either. `contrast`: their expected difference,
    root mean square in grey levels times the root of the area in mm. `agreed`: the first look found the same.
    """

    best: Contender
    rivals: tuple[Contender, ...]
    margin: float
    visible: float
    contrast: float
    nearest: Contender
    agreed: bool


class CloseLook:
    """Looks at the cells of one straightened board under its light."""

    def __init__(self, board: StraightBoard, grid: TileGrid, light: BoardLight) -> None:
        self.board, self.grid, self.light = board, grid, light
        self.mask = grid.mask
        height, width = self.mask.shape
        self._x = (np.arange(width) - (width - 1) / 2) / PX_PER_MM
        self._y = (np.arange(height) - (height - 1) / 2) / PX_PER_MM

    def look(self, centre_mm: Floats, match: CellMatch, empty: Grey) -> CellEvidence:
        """`empty` (h, w, 3): the board's print in that cell."""
        order = [
            k for k in np.argsort(-match.alike)[: MOST_RIVALS + 1] if match.alike[k] > match.alike.max() - FAR_BEHIND
        ]
        first = self._aligned(centre_mm, int(order[0]), 0, Placed(match.shift_mm, 0.0))
        contenders = [first, *(self._aligned(centre_mm, int(k), 0, first.placed, steps=2) for k in order[1:])]
        if match.turned_alike > match.alike.max() - 0.12:
            contenders.append(self._aligned(centre_mm, *match.turned, Placed(match.shift_mm, 0.0)))
        contenders.append(self._empty(centre_mm, empty, thorough=match.alike.max() < CLEARLY_A_TILE))
        contenders.sort(key=lambda c: c.cost)
        alike = {False: float(match.alike.max()), True: match.turned_alike}
        possible = [c for c in contenders if c.tile is None or alike[c.turned_deg != 0] > LEAST_ALIKE]
        # The first look is right more often than not where the close one hardly tells two apart.
        likeliest = first if first in possible and not match.turned_alike > match.alike.max() else possible[0]
        return _weighed(contenders, possible, likeliest, self.mask)

    def patch(self, centre_mm: Floats, placed: Placed) -> Grey:
        """The straightened pixels (h, w, 3) of a tile that lies so."""
        middle = self.board.at((centre_mm + placed.shift_mm)[None])[0]
        c, s = math.cos(placed.turn_rad), math.sin(placed.turn_rad)
        linear = np.array([[c, -s], [s, c]])
        height, width = self.mask.shape
        shift = middle - linear @ np.array([(width - 1) / 2, (height - 1) / 2])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        out = cv2.warpAffine(
            self.board.pixels,
            np.column_stack([linear, shift]),
            (width, height),
            flags=flags,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(out, np.float32)

    def _lit(self, face: Grey, centre_mm: Floats) -> Grey:
        return self.light.on(face, self._x[None, :] + centre_mm[0], self._y[:, None] + centre_mm[1])

    def _aligned(self, centre_mm: Floats, tile: int, turned: int, start: Placed, steps: int = STEPS) -> Contender:
        face = self.grid.faces[tile]
        if turned:
            height, width = self.mask.shape
            m = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -turned, 1.0)
            face = np.asarray(cv2.warpAffine(face, m, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32)
        expected = self._lit(face, centre_mm)
        placed = self._gauss_newton(expected, centre_mm, start, steps)
        return self._contender(tile, turned, expected, centre_mm, placed)

    def _gauss_newton(self, expected: Grey, centre_mm: Floats, start: Placed, steps: int) -> Placed:
        """Shift and turn that make the luma agree best but for gain and offset (inverse compositional: Baker and
        Matthews, "Lucas-Kanade 20 years on", IJCV 2004)."""
        t = expected @ LUMA
        gy, gx = np.gradient(t)
        gx, gy = gx * PX_PER_MM, gy * PX_PER_MM
        columns = np.stack([gx, gy, gy * self._x[None, :] - gx * self._y[:, None]], axis=2)[self.mask]
        t = t[self.mask]
        t = t - t.mean()
        columns = columns - columns.mean(axis=0)
        spread = float(t @ t)
        # Held by 1 mm and 3 degrees for a print without structure.
        hold = np.diag([1.0, 1.0, 400.0]) * len(t) * 4.0
        inverse = np.linalg.inv(columns.T @ columns + hold)
        shift, turn = start.shift_mm.copy(), start.turn_rad
        for _ in range(steps if spread > 1.0 else 0):
            p = (self.patch(centre_mm, Placed(shift, turn)) @ LUMA)[self.mask]
            p = p - p.mean()
            gain = max(float(p @ t) / spread, 0.2)
            residual = p / gain - t
            weight = 1.0 / (1.0 + (residual / 25.0) ** 2)
            step = inverse @ (columns.T @ (residual * weight))
            step = np.clip(step, [-1.0, -1.0, -0.06], [1.0, 1.0, 0.06])
            c, s = math.cos(turn), math.sin(turn)
            shift = shift - np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
            turn -= float(step[2])
            if np.abs(step[:2]).max() < 0.02 and abs(step[2]) < 0.002:
                break
        lost = np.hypot(*(shift - start.shift_mm)) > 3.0 or abs(turn) > 0.3
        return start if lost else Placed(shift, turn)

    def _empty(self, centre_mm: Floats, empty: Grey, *, thorough: bool) -> Contender:
        """The board's print, which lies a tile's height lower: somewhere between the lattice's place and that of
        tiles."""
        expected = self._lit(empty, centre_mm)
        tried = [
            self._contender(None, 0, expected, centre_mm, Placed(np.array([dx, dy]), 0.0))
            for dx, dy in (EMPTY_SHIFTS if thorough else EMPTY_SHIFTS[:1])
        ]
        return min(tried, key=lambda c: c.cost)

    def _contender(self, tile: int | None, turned: int, expected: Grey, centre_mm: Floats, placed: Placed) -> Contender:
        seen = self.patch(centre_mm, placed)
        lit = in_own_light(expected, seen, self.mask, PX_PER_MM)
        off = ((seen - lit) ** 2).mean(axis=2)[self.mask]
        cost, explained = np.minimum(off / STRANGE**2, 1.0).mean(), (off < NOT_THAT**2).mean()
        return Contender(tile, turned, lit, seen, float(cost), float(explained), placed)


def _weighed(contenders: list[Contender], possible: list[Contender], likeliest: Contender, mask: Mask) -> CellEvidence:
    """The possible contender that no other one clearly wins against, the likeliest first, or the last of a circle."""
    best = likeliest
    for _ in range(3):
        rivals = [c for c in possible if c is not best]
        if not rivals:
            break
        against = [_between(best, rival, mask) for rival in rivals]
        k = min(range(len(rivals)), key=lambda k: against[k][0] * math.sqrt(max(against[k][1], 1e-6)))
        if against[k][0] >= -CLEAR_WIN:
            break
        best = rivals[k]
    rivals = [c for c in contenders if c is not best]
    against = [_between(best, rival, mask) for rival in rivals]
    k = min(range(len(rivals)), key=lambda k: against[k][0] * math.sqrt(max(against[k][1], 1e-6)))
    return CellEvidence(best, tuple(rivals), *against[k], rivals[k], best is likeliest and best.tile is not None)


def _between(best: Contender, rival: Contender, mask: Mask) -> tuple[float, float, float]:
    """(margin, visible, contrast) of two contenders, each in its own alignment."""
    own = ((best.seen - best.expected) ** 2).mean(axis=2)[mask]
    other = ((rival.seen - rival.expected) ** 2).mean(axis=2)[mask]
    apart = ((best.expected - rival.expected) ** 2).mean(axis=2)[mask] + 1e-3
    weight = 1.0 - np.minimum(np.minimum(own, other) / STRANGE**2, 1.0)
    # Where both agree nothing is decided: (other - own) / apart is 1 where the best is met exactly.
    margin = float((weight * np.clip(other - own, -apart, apart)).sum() / max((weight * apart).sum(), 1e-6))
    area = float(mask.sum()) / PX_PER_MM**2
    return margin, float((weight * apart).sum() / apart.sum()), math.sqrt(float((weight * apart).mean()) * area)
