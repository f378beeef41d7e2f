"""The first comparison of cells: the likeliest tiles and their rough place, by normalised correlation at one pixel a
millimetre."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import StraightBoard

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

PX_PER_MM = 1.0
REACH_MM = 6  # a slip of 1.5, a tile's height seen at 45 degrees 2.4, and a place that is not yet fitted
TURNS_DEG = (-60, 60, 120, 180, -120)
UNDRAWN_BEHIND = 0.1  # correlation; no tile that was right has been seen 0.03 behind another
# Where no tile lies upright its likeliest place says nothing of one that is turned: it is looked for everywhere, if
# the cell's own place is known to some millimetres; a turned tile in glare was taken for an empty cell.
NONE_UPRIGHT, CLOSE_MM = 0.35, 3
EVERY = 2  # one pixel in so many, along x and y, is compared: pictures are softened by half a millimetre


@dataclass(frozen=True, eq=False)
class CellMatch:
    """What a cell is like: `alike` (T,) best correlation of each tile, `shift_mm` (2,) of the best one.

    `turned_alike` and `turned`: the best of the tiles turned by 60-degree steps, and which (tile, degrees). `handicap`:
    what each tile's correlation is lowered by, since it is not expected.
    """

    alike: Grey
    shift_mm: Floats
    turned_alike: float
    turned: tuple[int, int]
    handicap: Grey | float = 0.0

    def drawn_only(self, undrawn: NDArray[np.intp]) -> CellMatch:
        """The same where some tiles are not expected: they must be clearly more alike than any other."""
        handicap = np.zeros_like(self.alike)
        handicap[undrawn] = UNDRAWN_BEHIND
        return CellMatch(self.alike - handicap, self.shift_mm, self.turned_alike, self.turned, handicap)

    @property
    def best(self) -> int:
        return int(self.alike.argmax())


class Matcher:
    """Compares straightened cells with all tiles of a set."""

    def __init__(self, prints: SetPrints) -> None:
        grid = prints.tiles(PX_PER_MM, blur_mm=0.5)
        self.shape = grid.mask.shape
        thinned = np.zeros_like(grid.mask)
        thinned[::EVERY, ::EVERY] = grid.mask[::EVERY, ::EVERY]
        rows, columns = np.nonzero(thinned)
        self._at = (rows, columns)
        self._indices: dict[int, NDArray[np.intp]] = {}
        self.upright = _normalised(grid.faces[:, rows, columns])
        height, width = self.shape
        turned = []
        for degrees in TURNS_DEG:
            m = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
            faces = [cv2.warpAffine(f, m, (width, height), borderMode=cv2.BORDER_REPLICATE) for f in grid.faces]
            turned.append(np.stack(faces)[:, rows, columns])
        self.turned = _normalised(np.concatenate(turned))
        # One product of matrices tells the correlations and the sums of the channels.
        self._weights = np.ascontiguousarray(np.concatenate([self.upright, _channels(self.upright.shape[1]).T]).T)

    def match(self, board: StraightBoard, centre_mm: Floats, reach_mm: int = REACH_MM) -> CellMatch:
        """The tile about `centre_mm` (2,) of the board, at most `reach_mm` away in x and y."""
        seen, steps, rest = self._windows(board, centre_mm, reach_mm)
        products = seen @ self._weights
        length = _lengths(seen, products[:, -3:])
        alike = products[:, :-3] / length
        tile_best = alike.max(axis=0)
        where = int(alike[:, int(tile_best.argmax())].argmax())
        near = np.abs(steps - steps[where]).max(axis=1) <= 1
        if reach_mm <= CLOSE_MM and float(tile_best.max()) < NONE_UPRIGHT:
            near[:] = True
        turned = (seen[near] @ self.turned.T) / length[near]
        best = int(turned.max(axis=0).argmax())
        which = (best % len(self.upright), TURNS_DEG[best // len(self.upright)])
        return CellMatch(tile_best, steps[where] + rest, float(turned[:, best].max()), which)

    def _windows(self, board: StraightBoard, centre_mm: Floats, reach_mm: int) -> tuple[Grey, NDArray[np.intp], Floats]:
        """Every window (S, P * 3) about the centre, its shift (S, 2) in whole mm, and the rest in mm."""
        height, width = self.shape
        corner = board.at(centre_mm[None])[0] - (np.array([width, height]) - 1) / 2
        first = np.round(corner).astype(int)
        high, wide = board.pixels.shape[:2]
        rows = np.arange(first[1] - reach_mm, first[1] + height + reach_mm).clip(0, high - 1)
        columns = np.arange(first[0] - reach_mm, first[0] + width + reach_mm).clip(0, wide - 1)
        seen = board.pixels[rows[:, None], columns].ravel().take(self._of_windows(reach_mm))
        steps = np.mgrid[-reach_mm : reach_mm + 1, -reach_mm : reach_mm + 1].reshape(2, -1)[::-1].T
        return seen, steps, (first - corner) / PX_PER_MM

    def _of_windows(self, reach_mm: int) -> NDArray[np.intp]:
        """Which numbers (S, P * 3) of the part of a picture that all windows lie in are those of each window."""
        if reach_mm not in self._indices:
            dy, dx = np.mgrid[: 2 * reach_mm + 1, : 2 * reach_mm + 1].reshape(2, -1, 1)
            pixel = (dy + self._at[0]) * (self.shape[1] + 2 * reach_mm) + dx + self._at[1]
            self._indices[reach_mm] = (3 * pixel[..., None] + np.arange(3)).reshape(len(dx), -1)
        return self._indices[reach_mm]


def _channels(long: int) -> Grey:
    """What pixels (N, P * 3), `long` numbers each, are multiplied by for the sums (N, 3) of their channels: a product
    of matrices is many times as fast as a sum."""
    return np.tile(np.eye(3, dtype=np.float32), (long // 3, 1))


def _lengths(flat: Grey, sums: Grey) -> Grey:
    """Lengths (N, 1) of pixels (N, P * 3) without each channel's mean, by the channels' sums (N, 3); without contrast,
    as long as noise of 1."""
    square = np.einsum("ij,ij->i", flat, flat) - np.einsum("ij,ij->i", sums, sums) * np.float32(3.0 / flat.shape[1])
    return np.asarray(np.maximum(np.sqrt(np.maximum(square, 0.0)), np.sqrt(flat.shape[1]))[:, None], np.float32)


def _normalised(pixels: Grey) -> Grey:
    """(N, P, 3) without each channel's mean, flat, of length 1."""
    flat = (pixels - pixels.mean(axis=1, keepdims=True)).reshape(len(pixels), -1)
    whole = pixels.reshape(len(pixels), -1)
    return np.asarray(flat / _lengths(whole, whole @ _channels(whole.shape[1])), np.float32)
