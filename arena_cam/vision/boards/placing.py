"""One board at a place that keypoints speak for: straightened, fitted to its tiles, lit, and its cells looked at."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards import cells, matching
from arena_cam.vision.boards.cells import CellEvidence, CloseLook
from arena_cam.vision.boards.light import BoardLight, fit_board_light
from arena_cam.vision.boards.matching import CellMatch, Matcher
from arena_cam.vision.boards.prints import SetPrints
from arena_cam.vision.boards.straightening import Halvings, StraightBoard, scale_px_per_mm

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

MARGIN_MM = 8.0
TILE_THERE = 0.55  # correlation from which a cell's pixels are taken for a tile's while place and light are fitted
CLOSE_REACH_MM = 3
LEAST_BEYOND = 1.15  # a softer photograph than this many pixels a millimetre is compared softened, too


@dataclass(frozen=True, eq=False)
class PlacedBoard:
    """A board found: `px_from_mm` (3, 3) from the board frame, `which` of the set's boards, and its cells' evidence.

    `print_alike`: correlation of the board's print where no tile lies. `hidden` (19,): share of each cell outside the
    photograph. `rivals_alike`: how well the other colours' prints explain the board, best first; `own_alike` its own.
    """

    px_from_mm: Floats
    which: int
    cells: tuple[CellEvidence, ...]
    matches: tuple[CellMatch, ...]
    print_alike: float
    hidden: Floats
    own_cost: float
    other_cost: float
    rest_mm: Floats

    @property
    def tiles_alike(self) -> list[float]:
        """Correlations of the cells that hold a tile."""
        both = zip(self.cells, self.matches, strict=True)
        return [float(match.alike.max()) for cell, match in both if cell.best.tile is not None]


class Placer:
    """Places boards of one set in photographs."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self.matcher = Matcher(prints)
        size = np.array([prints.set.width_mm, prints.set.height_mm])
        self._cells_box = np.array([prints.cells_mm.min(axis=0) - size, prints.cells_mm.max(axis=0) + size])
        low = np.minimum(prints.corners_mm[:, 0].min(axis=0), self._cells_box[0]) - MARGIN_MM
        high = np.maximum(prints.corners_mm[:, 2].max(axis=0), self._cells_box[1]) + MARGIN_MM
        self._box = np.array([low, high])

    def shift_score(self, photograph: Halvings, px_from_mm: Floats, filled: NDArray[np.bool_]) -> float:
        """How well the empty board's print fits there, -1 to 1; `filled` (19,) cells are left out."""
        coarse = 0.75
        board = photograph.straight(px_from_mm, self._box, coarse)
        best = -1.0
        for which in range(len(self.prints.boards)):
            prints, there = self._print_on(board, which)
            best = max(best, _correlation(prints, board.pixels, there & ~self._tile_area(board, filled) & board.inside))
        return best

    def place(self, photograph: Halvings, px_from_mm: Floats) -> PlacedBoard:
        """The board there, in all it shows."""
        prints = self.prints
        fitted, rest = self._fitted(photograph, px_from_mm)
        coarse = photograph.straight(fitted, self._box, matching.PX_PER_MM)
        found = tuple(self.matcher.match(coarse, at + rest, CLOSE_REACH_MM) for at in prints.cells_mm)
        found = tuple(CellMatch(m.alike, m.shift_mm + rest, m.turned_alike, m.turned) for m in found)
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        which, light, own, other = self._lit(coarse, found, filled)
        soft = cells.BLUR_MM
        fine = photograph.straight(fitted, self._box, cells.PX_PER_MM)
        softened = cv2.GaussianBlur(fine.pixels, (0, 0), soft * cells.PX_PER_MM)
        fine = StraightBoard(np.asarray(softened, np.float32), fine.inside, fine.origin_mm, fine.px_per_mm)
        # A photograph of few pixels a millimetre is soft by itself.
        blur = float(np.hypot(soft, 0.4 / max(scale_px_per_mm(fitted), 0.5)))
        look = CloseLook(fine, prints.tiles(cells.PX_PER_MM, blur), light)
        empties = self._empties(which, blur, look.mask.shape)
        evidence = tuple(
            look.look(at, match, empty)
            for at, match, empty in zip(prints.cells_mm, found, empties, strict=True)
        )
        hidden = self._hidden(fine)
        taken = np.array([e.best.tile is not None for e in evidence])
        image, there = self._print_on(coarse, which)
        alike = _correlation(image, coarse.pixels, there & ~self._tile_area(coarse, taken) & coarse.inside)
        return PlacedBoard(fitted, which, evidence, found, alike, hidden, own, other, rest)

    def _fitted(self, photograph: Halvings, px_from_mm: Floats) -> tuple[Floats, Floats]:
        """The homography moved to where the tiles are, and the shift that is left for tiles that have not slipped."""
        coarse = photograph.straight(px_from_mm, self._box, matching.PX_PER_MM)
        found = [self.matcher.match(coarse, at) for at in self.prints.cells_mm]
        good = np.array([m.alike.max() > TILE_THERE for m in found])
        if not good.any():
            return px_from_mm, np.zeros(2)
        shifts = np.array([m.shift_mm for m in found])[good]
        at = self.prints.cells_mm[good]
        if len(at) < 6:
            return px_from_mm, np.median(shifts, axis=0)
        fitted, _ = cv2.estimateAffine2D(at, at + shifts, method=cv2.RANSAC, ransacReprojThreshold=2.5)
        if np.shape(fitted) != (2, 3) or abs(np.linalg.det(fitted[:, :2]) - 1.0) > 0.08:
            return px_from_mm, np.median(shifts, axis=0)
        return px_from_mm @ np.vstack([fitted, [0.0, 0.0, 1.0]]), np.zeros(2)

    def _print_on(self, board: StraightBoard, which: int) -> tuple[Grey, Mask]:
        """A board's print on the grid of a straightened photograph, and where there is any."""
        image = self.prints.board(which, board.px_per_mm, 0.4)
        left, top = np.round(board.at(self.prints.corners_mm[which][:1])[0] + 0.5).astype(int)
        out = np.zeros(board.pixels.shape, np.float32)
        there = np.zeros(out.shape[:2], bool)
        height, width = min(image.shape[0], out.shape[0] - top), min(image.shape[1], out.shape[1] - left)
        out[top : top + height, left : left + width] = image[:height, :width]
        there[top : top + height, left : left + width] = True
        return out, there

    def _tile_area(self, board: StraightBoard, filled: Mask) -> Mask:
        """Pixels that tiles in the filled cells may cover, their sides seen askew and their shadow included."""
        out = np.zeros(board.pixels.shape[:2], np.uint8)
        radius = 0.56 * self.prints.set.width_mm * board.px_per_mm
        for x, y in board.at(self.prints.cells_mm[filled]):
            cv2.circle(out, (round(float(x)), round(float(y))), round(radius), 1, -1)
        return out > 0

    def _lit(
        self, board: StraightBoard, found: tuple[CellMatch, ...], filled: Mask
    ) -> tuple[int, BoardLight, float, float]:
        """Which board of the set it is, its light, and what that costs, and the next colour."""
        prints, seen, at = self._tile_pixels(board, found, filled)
        free = board.inside & ~self._tile_area(board, filled)
        tried = []
        for which in range(len(self.prints.boards)):
            image, there = self._print_on(board, which)
            use = free & there
            use[::2], use[:, ::2] = False, False
            y, x = np.nonzero(use)
            mm = board.origin_mm + (np.column_stack([x, y]) + 0.5) / board.px_per_mm
            light = fit_board_light(
                np.concatenate([prints, image[use]]), np.concatenate([seen, board.pixels[use]]), np.concatenate([at, mm])
            )
            off = ((light.on(image[use], mm[:, 0], mm[:, 1]) - board.pixels[use]) ** 2).mean(axis=1)
            tiles_off = ((light.on(prints, at[:, 0], at[:, 1]) - seen) ** 2).mean(axis=1)
            both = np.concatenate([off, tiles_off])
            tried.append((float(np.minimum(both / cells.STRANGE**2, 1.0).mean()) if len(both) else 1.0, which, light))
        tried.sort(key=lambda t: t[0])
        other = tried[1][0] if len(tried) > 1 else 1.0
        return tried[0][1], tried[0][2], tried[0][0], other

    def _tile_pixels(
        self, board: StraightBoard, found: tuple[CellMatch, ...], filled: Mask
    ) -> tuple[Grey, Grey, Floats]:
        """Print (N, 3) and photograph (N, 3) of tiles that are recognised, and their places (N, 2)."""
        grid = self.prints.tiles(board.px_per_mm, 0.5)
        height, width = grid.mask.shape
        rows, columns = np.nonzero(grid.mask)
        rows, columns = rows[::5], columns[::5]
        parts = [(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros((0, 2)))]
        for at, match in [(a, m) for a, m, f in zip(self.prints.cells_mm, found, filled, strict=True) if f]:
            corner = np.round(board.at((at + match.shift_mm)[None])[0] - (np.array([width, height]) - 1) / 2).astype(int)
            y = np.clip(rows + corner[1], 0, board.pixels.shape[0] - 1)
            x = np.clip(columns + corner[0], 0, board.pixels.shape[1] - 1)
            mm = board.origin_mm + (np.column_stack([x, y]) + 0.5) / board.px_per_mm
            parts.append((grid.faces[match.best][rows, columns], board.pixels[y, x], mm))
        a, b, c = zip(*parts, strict=True)
        return np.concatenate(a), np.concatenate(b), np.concatenate(c)

    def _empties(self, which: int, blur_mm: float, shape: tuple[int, int]) -> list[Grey]:
        """The board's print in each cell, as large as a tile's picture."""
        image = self.prints.board(which, cells.PX_PER_MM, blur_mm)
        height, width = shape
        out = []
        for at in self.prints.cells_mm - self.prints.corners_mm[which][0]:
            corner = np.round(at * cells.PX_PER_MM - np.array([width, height]) / 2).astype(int)
            y = np.clip(np.arange(corner[1], corner[1] + height), 0, image.shape[0] - 1)
            x = np.clip(np.arange(corner[0], corner[0] + width), 0, image.shape[1] - 1)
            out.append(image[y[:, None], x[None, :]])
        return out

    def _hidden(self, board: StraightBoard) -> Floats:
        """The share of each cell that lies outside the photograph, (19,)."""
        half = 0.4 * self.prints.set.width_mm
        grid = np.mgrid[-half : half : 5j, -half : half : 5j].reshape(2, -1).T  # type: ignore[misc]
        out = []
        for at in self.prints.cells_mm:
            x, y = np.round(board.at(at + grid)).astype(int).T
            inside = board.inside[np.clip(y, 0, board.inside.shape[0] - 1), np.clip(x, 0, board.inside.shape[1] - 1)]
            out.append(1.0 - float(inside.mean()))
        return np.array(out)


def _correlation(prints: Grey, seen: Grey, mask: Mask) -> float:
    """Normalised correlation of the masked pixels, each channel without its mean; 0 where print is of one colour."""
    if np.count_nonzero(mask) < 200:
        return 0.0
    a, b = prints[mask], seen[mask]
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    norm = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float((a * b).sum()) / max(norm, 4.0 * a.size)
