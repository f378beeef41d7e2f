"""One board at a place that keypoints speak for: straightened, fitted to its tiles, lit, and its cells looked at."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards import cells, matching
from arena_cam.vision.boards.board_light import BoardLight, fit_board_light
from arena_cam.vision.boards.cells import CellEvidence, CloseLook
from arena_cam.vision.boards.matching import CellMatch, Matcher
from arena_cam.vision.boards.prints import SetPrints
from arena_cam.vision.boards.seeds import Seed
from arena_cam.vision.boards.straight_board import Halvings, StraightBoard, scale_px_per_mm

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

MARGIN_MM = 8.0
NOWHERE: Floats = np.zeros(2)
MOST_ASIDE_MM = 4.0  # a tile of 2.4 mm seen at 45 degrees, and what the place may be wrong by
TILE_THERE = 0.55  # correlation from which a cell's pixels are taken for a tile's while place and light are fitted
CLOSE_REACH_MM = 3
LEAST_BEYOND = 1.15  # a softer photograph than this many pixels a millimetre is compared softened, too


@dataclass(frozen=True, eq=False)
class PlacedBoard:
    """A board found: `px_from_mm` (3, 3) from the board frame, `which` of the set's boards, and its cells' evidence.

    `print_alike`: correlation of the board's print where no tile lies. `hidden` (19,): share of each cell outside the
    photograph. `told_apart`: where the pixels lie between this board's print and the likest other's where they differ:
    1 on its own, -1 on the other's; 1 where there is one board only. `rest_mm`: a tile's shift that has not slipped.
    """

    px_from_mm: Floats
    which: int
    cells: tuple[CellEvidence, ...]
    matches: tuple[CellMatch, ...]
    print_alike: float
    hidden: Floats
    told_apart: float
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

    def recounted(self, photograph: Halvings, seeds: list[Seed]) -> list[Seed]:
        """Of places that differ by which cell is the middle, those with most tiles on the board; with what is filled.

        Keypoints miss tiles that glare or slant makes dim; the tiles' pictures find them.
        """
        places = {tuple(np.round(np.linalg.solve(seeds[0].px_from_mm, s.px_from_mm)[:2, 2], 1)) for s in seeds}
        shifts = [np.array(place) for place in places]
        spots = np.unique(np.round(np.concatenate([self.prints.cells_mm + s for s in shifts]), 0), axis=0)
        low, high = spots.min(axis=0) - 40.0, spots.max(axis=0) + 40.0
        board = photograph.straight(seeds[0].px_from_mm, np.array([low, high]), matching.PX_PER_MM)
        tiles = spots[[self.matcher.match(board, spot, 4).alike.max() > TILE_THERE for spot in spots]]
        out = []
        for shift in shifts:
            cells_at = self.prints.cells_mm + shift
            away = np.linalg.norm(cells_at[:, None] - tiles[None], axis=2) if len(tiles) else np.full((19, 1), 99.0)
            filled = tuple(bool(b) for b in away.min(axis=1) < 5.0)
            moved = np.eye(3)
            moved[:2, 2] = shift
            out.append(Seed(seeds[0].px_from_mm @ moved, sum(filled), filled))
        most = max(seed.votes for seed in out)
        return [seed for seed in out if seed.votes == most]

    def place(self, photograph: Halvings, px_from_mm: Floats) -> PlacedBoard:
        """The board there, in all it shows."""
        prints = self.prints
        fitted, rest = self._fitted(photograph, px_from_mm)
        coarse = photograph.straight(fitted, self._box, matching.PX_PER_MM)
        found = tuple(self.matcher.match(coarse, at + rest, CLOSE_REACH_MM) for at in prints.cells_mm)
        found = tuple(CellMatch(m.alike, m.shift_mm + rest, m.turned_alike, m.turned) for m in found)
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        aside = self._print_shift(coarse, filled)
        which, light, told = self._lit(coarse, found, filled, aside)
        soft = cells.BLUR_MM
        fine = photograph.straight(fitted, self._box, cells.PX_PER_MM)
        softened = cv2.GaussianBlur(fine.pixels, (0, 0), soft * cells.PX_PER_MM)
        fine = StraightBoard(np.asarray(softened, np.float32), fine.inside, fine.origin_mm, fine.px_per_mm)
        # A photograph of few pixels a millimetre is soft by itself.
        blur = round(float(np.hypot(soft, 0.4 / max(scale_px_per_mm(fitted), 0.5))), 1)
        look = CloseLook(fine, prints.tiles(cells.PX_PER_MM, blur), light)
        empties = self._empties(which, blur, look.mask.shape, aside)
        evidence = tuple(
            look.look(at, match, empty) for at, match, empty in zip(prints.cells_mm, found, empties, strict=True)
        )
        hidden = self._hidden(fine)
        taken = np.array([e.best.tile is not None for e in evidence])
        image, there = self._print_on(coarse, which, aside)
        alike = _correlation(image, coarse.pixels, there & ~self._tile_area(coarse, taken) & coarse.inside)
        return PlacedBoard(fitted, which, evidence, found, alike, hidden, told, rest)

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

    def _print_on(self, board: StraightBoard, which: int, aside_mm: Floats = NOWHERE) -> tuple[Grey, Mask]:
        """A board's print on the grid of a straightened photograph, and where there is any."""
        image = self.prints.board(which, board.px_per_mm, 0.4)
        left, top = np.round(board.at(self.prints.corners_mm[which][:1] + aside_mm)[0] + 0.5).astype(int)
        high, wide = board.pixels.shape[:2]
        out = np.zeros((high, wide, 3), np.float32)
        there = np.zeros((high, wide), bool)
        height, width = min(image.shape[0], high - top), min(image.shape[1], wide - left)
        out[top : top + height, left : left + width] = image[:height, :width]
        there[top : top + height, left : left + width] = True
        return out, there

    def _print_shift(self, board: StraightBoard, filled: Mask) -> Floats:
        """How far the print lies (x, y in mm) from where tiles' places say: seen askew, tiles stand above it."""
        free = board.inside & ~self._tile_area(board, filled)
        likest = max(range(len(self.prints.boards)), key=lambda k: self._alike_there(board, free, k, NOWHERE))
        best = NOWHERE
        for step in (2.0, 1.0):
            around = [best + step * np.array([x, y]) for x in (0, -1, 1, -2, 2) for y in (0, -1, 1, -2, 2)]
            around = [at for at in around if np.abs(at).max() <= MOST_ASIDE_MM]
            best = max(around, key=lambda at: self._alike_there(board, free, likest, at))
        return best

    def _alike_there(self, board: StraightBoard, free: Mask, which: int, aside_mm: Floats) -> float:
        image, there = self._print_on(board, which, aside_mm)
        return _correlation(image[::2, ::2], board.pixels[::2, ::2], (there & free)[::2, ::2])

    def _tile_area(self, board: StraightBoard, filled: Mask) -> Mask:
        """Pixels that tiles in the filled cells may cover, their sides seen askew and their shadow included."""
        out = np.zeros(board.pixels.shape[:2], np.uint8)
        radius = 0.56 * self.prints.set.width_mm * board.px_per_mm
        for x, y in board.at(self.prints.cells_mm[filled]):
            cv2.circle(out, (round(float(x)), round(float(y))), round(radius), 1, -1)
        return out > 0

    def _lit(
        self, board: StraightBoard, found: tuple[CellMatch, ...], filled: Mask, aside_mm: Floats
    ) -> tuple[int, BoardLight, float]:
        """Which board of the set it is, its light, and how clearly it is not another one."""
        prints, seen, at = self._tile_pixels(board, found, filled)
        free = board.inside & ~self._tile_area(board, filled)
        y, x = np.nonzero(free)
        mm = board.origin_mm + (np.column_stack([x, y]) + 0.5) / board.px_per_mm
        pixels = cv2.GaussianBlur(board.pixels, (0, 0), 0.7)[free]
        tried = []
        for which in range(len(self.prints.boards)):
            image, there = self._print_on(board, which, aside_mm)
            use = there[free]
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.5)[free], np.float32)
            light = fit_board_light(
                np.concatenate([prints, image[use][::3]]),
                np.concatenate([seen, pixels[use][::3]]),
                np.concatenate([at, mm[use][::3]]),
            )
            lit = light.on(image, mm[:, 0], mm[:, 1])
            off = np.minimum(((lit - pixels) ** 2).mean(axis=1), cells.STRANGE**2)
            tried.append((lit, off, use, light))
        return self._told_apart(tried)

    @staticmethod
    def _told_apart(tried: list[tuple[Grey, Grey, Mask, BoardLight]]) -> tuple[int, BoardLight, float]:
        """The board that wins against each other by the pixels on which their prints differ."""
        best, margin = 0, 1.0
        for other in range(1, len(tried)):
            if _board_margin(tried[best], tried[other]) < 0:
                best = other
        for other in range(len(tried)):
            if other != best:
                margin = min(margin, _board_margin(tried[best], tried[other]))
        return best, tried[best][3], margin

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
            corner = np.round(board.at((at + match.shift_mm)[None])[0] - (np.array([width, height]) - 1) / 2).astype(
                int
            )
            y = np.clip(rows + corner[1], 0, board.pixels.shape[0] - 1)
            x = np.clip(columns + corner[0], 0, board.pixels.shape[1] - 1)
            mm = board.origin_mm + (np.column_stack([x, y]) + 0.5) / board.px_per_mm
            parts.append((grid.faces[match.best][rows, columns], board.pixels[y, x], mm))
        a, b, c = zip(*parts, strict=True)
        return np.concatenate(a), np.concatenate(b), np.concatenate(c)

    def _empties(self, which: int, blur_mm: float, shape: tuple[int, int], aside_mm: Floats) -> list[Grey]:
        """The board's print in each cell, as large as a tile's picture."""
        image = self.prints.board(which, cells.PX_PER_MM, blur_mm)
        height, width = shape
        out = []
        for at in self.prints.cells_mm - self.prints.corners_mm[which][0] - aside_mm:
            corner = np.round(at * cells.PX_PER_MM - np.array([width, height]) / 2).astype(int)
            y = np.clip(np.arange(corner[1], corner[1] + height), 0, image.shape[0] - 1)
            x = np.clip(np.arange(corner[0], corner[0] + width), 0, image.shape[1] - 1)
            out.append(image[y[:, None], x[None, :]])
        return out

    def _hidden(self, board: StraightBoard) -> Floats:
        """The share of each cell that lies outside the photograph, (19,)."""
        half = 0.4 * self.prints.set.width_mm
        grid = np.mgrid[-half:half:5j, -half:half:5j].reshape(2, -1).T
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
    return float((a * b).sum() / max(norm, 4.0 * a.size))


def _board_margin(own: tuple[Grey, Grey, Mask, BoardLight], other: tuple[Grey, Grey, Mask, BoardLight]) -> float:
    """Where the pixels lie between two boards' prints, -1 to 1."""
    both = own[2] & other[2]
    apart = ((own[0][both] - other[0][both]) ** 2).mean(axis=1)
    difference = np.clip(other[1][both] - own[1][both], -apart, apart)
    return float(difference.sum() / max(float(apart.sum()), 1e-6))
