"""One board at a guessed place: straightened, fitted to its tiles and its print, lit, and its cells read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.between_tiles import BetweenTiles, outlines_of
from arena_cam.vision.boards.cells import cell_evidence, matching, tile_alignment
from arena_cam.vision.boards.cells.cell_evidence import CellEvidence, CloseLook
from arena_cam.vision.boards.cells.matching import CellMatch, Matcher
from arena_cam.vision.boards.cells.tile_alignment import TileAlignment
from arena_cam.vision.boards.compared_pixels import ComparedPixels
from arena_cam.vision.boards.straight import print_alignment
from arena_cam.vision.boards.straight.board_colour import WhichBoard, which_board
from arena_cam.vision.boards.straight.board_hue import HUE_PX, second_opinion
from arena_cam.vision.boards.straight.print_alignment import LumaPart
from arena_cam.vision.boards.straight.print_places import (
    BETTER_PRINT,
    CLEAR_PRINT,
    LEAST_TILES,
    MANY_TILES,
    PrintPlaces,
)
from arena_cam.vision.boards.straight.prints import SetPrints, linear_light
from arena_cam.vision.boards.straight.straight_board import Halvings, StraightBoard, scale_px_per_mm
from arena_cam.vision.boards.straight.tile_cover import TileCover, hexagon
from arena_cam.vision.boards.straight.tile_cover import moved as moved_by

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

NO_TILES = np.zeros(0, np.intp)

MARGIN_MM = 8.0
TILE_THERE = 0.55  # correlation from which a cell's pixels are taken for a tile's while place and light are fitted
CLOSE_REACH_MM = 3
# Fewer tiles than this say no more of their plane than a shift, which changes a little over the board: a tile's height
# is seen at another slant (by up to 2 mm in 100 of a near wide lens). Tiles slip by 1 mm (standard deviation).
FEW, LINEAR_SD, SLIP_SD_MM = 6, 0.02, 1.0
LENS_PX = 0.4  # the blur of a photograph, standard deviation
# Plain paper explains an empty cell as well as any; three tiles that lie as cells do, or lines of print, it does not.
LEAST_PRINT_ALIKE = 0.35
REFIT_MM = 1.5  # from its outline; if the print says that it lies further away, so do its tiles
# Share of area by which tiles may say that a board is larger than its place was: an outline may be the inner border of
# a frame, up to 10 mm wide. Only tiles in most cells say so: those of one side were seen to lead astray beyond it.
MOST_LARGER_OF_FEW, MOST_LARGER, MANY = 0.08, 0.25, 12
UNIT_MM, PLANE_SD = 100.0, 0.02  # parameters of a homography are of this length; how far they are off beforehand
PLAIN_PLACE = 0.9  # share of its cells that is explained; below it a board's place is wrong, and its gaps are elsewhere
PLAIN_MARGIN, PLAIN_BLOCKS = 0.5, 6.0  # beyond both the pixels' colours alone say which board it is


@dataclass(frozen=True, eq=False)
class PlacedBoard:
    """A board found: `px_from_mm` (3, 3) from the board frame, of its print; its cells' evidence.

    `print_alike`: correlation of the board's print where no tile lies. `hidden` (19,): share of each cell outside the
    photograph. `colour`: which of the set's boards, and how clearly. `rest_mm` (19, 2): a tile's shift
    that has not slipped.
    """

    px_from_mm: Floats
    cells: tuple[CellEvidence, ...]
    matches: tuple[CellMatch, ...]
    print_alike: float
    hidden: Floats
    colour: WhichBoard
    rest_mm: Floats

    @property
    def which(self) -> int:
        return self.colour.which

    @property
    def explained(self) -> float:
        """The share of the visible cells' pixels that the reading explains."""
        told = [each.best.explained for each, hidden in zip(self.cells, self.hidden, strict=True) if hidden < 0.5]
        return float(np.mean(told)) if told else 0.0

    @property
    def tiles_alike(self) -> list[float]:
        """Correlations of the cells that hold a tile."""
        both = zip(self.cells, self.matches, strict=True)
        return [float(match.alike.max()) for cell, match in both if cell.best.tile is not None]


@dataclass(frozen=True, eq=False)
class _Coloured:
    """A board's place, straightened in the tiles' plane and in its own, which one it is, and the blur in mm. `moved`
    (3, 3) takes its print's millimetres to those of the tiles' plane."""

    moved: Floats
    board_px: Floats
    board: StraightBoard
    bare: StraightBoard
    colour: WhichBoard
    blur_mm: float


class Placer:
    """Places boards of one set in photographs."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self.matcher = Matcher(prints)
        size = np.array([prints.set.width_mm, prints.set.height_mm])
        cells_box = np.array([prints.cells_mm.min(axis=0) - size, prints.cells_mm.max(axis=0) + size])
        low = np.minimum(prints.corners_mm[:, 0].min(axis=0), cells_box[0]) - MARGIN_MM
        high = np.maximum(prints.corners_mm[:, 2].max(axis=0), cells_box[1]) + MARGIN_MM
        self._box = np.array([low, high])
        self._print = PrintPlaces(prints, self._box)
        self._compared = ComparedPixels(prints, self._print)
        self._between = BetweenTiles(prints, self._print)
        self._alignments: dict[float, TileAlignment] = {}

    @property
    def lumas(self) -> list[LumaPart]:
        return self._print.lumas

    def print_is_there(self, photograph: Halvings, px_from_mm: Floats) -> bool:
        """Whether a board's print correlates at all where its keypoints put it: the whole look costs ten times that."""
        return self._print.is_there(photograph, px_from_mm)

    def print_within_rim(self, photograph: Halvings, placed: PlacedBoard) -> float | None:
        """The correlation of the print of a board without its frame; None where it has nothing else."""
        filled = np.array([match.alike.max() > TILE_THERE for match in placed.matches])
        return self._print.within_rim(photograph, placed.px_from_mm, filled)

    def place(
        self, photograph: Halvings, px_from_mm: Floats, undrawn: NDArray[np.intp] = NO_TILES, *, outlined: bool = False
    ) -> PlacedBoard | None:
        """The board there, in all it shows; None where neither tiles nor print are recognised.

        `undrawn`: tiles that cannot lie there by what is known of the game. `outlined`: the place is that of the
        board's own outline, so that its print is looked for there only.
        """
        prints = self.prints
        tiles_px, rest, found = self._fitted(photograph, px_from_mm)
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        outline = _of_its_size(np.asarray(np.linalg.solve(tiles_px, px_from_mm))) if outlined else None
        moved, alike = self._print.of_any(photograph, tiles_px, filled, outline)
        if np.count_nonzero(filled) < LEAST_TILES and alike < LEAST_PRINT_ALIKE:
            return None
        if outline is None and alike < CLEAR_PRINT:
            tiles_px, rest, found, moved, alike = self._once_more(photograph, (tiles_px, rest, found, moved, alike))
        if outline is not None and alike > CLEAR_PRINT and self._away(outline, moved) > REFIT_MM:
            board_px = tiles_px @ moved
            tiles_px, rest, found = self._fitted(photograph, board_px)
            moved = np.asarray(np.linalg.solve(tiles_px, board_px))
        coloured = self._coloured(photograph, tiles_px, moved, found)
        if len(prints.boards) > 1 and alike < CLEAR_PRINT:
            alike, coloured = self._by_own_print(photograph, tiles_px, found, (alike, coloured), outline)
        colour = self._colour(coloured, found, alike)
        if not colour.is_told(alike) and np.count_nonzero(filled) >= MANY_TILES:
            alike, coloured, colour = self._as_each(photograph, tiles_px, found, (alike, coloured, colour))
        found = tuple(match.drawn_only(undrawn) for match in found)
        evidence = self._evidence(coloured, colour, found, rest)
        hidden = self._hidden(coloured.board)
        placed = PlacedBoard(coloured.board_px, evidence, found, alike, hidden, colour, rest)
        if not colour.is_told(alike) and placed.explained >= PLAIN_PLACE:
            placed = self._between_tiles(photograph, tiles_px, placed, coloured)
        return self._unless_absent(photograph, placed)

    def _unless_absent(self, photograph: Halvings, placed: PlacedBoard) -> PlacedBoard:
        """The board, whose colour counts as not told where its lines are not met and it has many that are not seen.

        A pixel may lie in any shadow and under any veil, so that brown paper is a yellow line in the dark as well; and
        lines that are not seen have no contrast whose hue could be asked.
        """
        if placed.print_alike >= CLEAR_PRINT or not placed.colour.is_told(placed.print_alike):
            return placed
        filled = np.array([match.alike.max() > TILE_THERE for match in placed.matches])
        if not self._print.is_absent(photograph, placed.px_from_mm, filled, placed.which):
            return placed
        return replace(placed, colour=replace(placed.colour, blocks_for=0.0, agreed=False))

    def _once_more(
        self, photograph: Halvings, before: tuple[Floats, Floats, tuple[CellMatch, ...], Floats, float]
    ) -> tuple[Floats, Floats, tuple[CellMatch, ...], Floats, float]:
        """The tiles' plane, their shifts and matches, and the print's place and correlation, fitted again from that
        place, where the print is then met better: a guess some millimetres aside leads both astray."""
        tiles_px, rest, found = self._fitted(photograph, before[0] @ before[3])
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        moved, alike = self._print.of_any(photograph, tiles_px, filled, None)
        return (tiles_px, rest, found, moved, alike) if alike > before[4] + BETTER_PRINT else before

    def _evidence(
        self, coloured: _Coloured, colour: WhichBoard, found: tuple[CellMatch, ...], rest_mm: Floats
    ) -> tuple[CellEvidence, ...]:
        cover = self._cover(coloured.moved, found, rest_mm)
        look = CloseLook(coloured.board, coloured.bare, self._alignment(coloured.blur_mm), colour.light, cover)
        empties = self._empties(colour.which, coloured.blur_mm, look.mask.shape)
        return tuple(look.look(self.prints.cells_mm, found, empties))

    def _cover(self, print_to_tiles: Floats, found: tuple[CellMatch, ...], rest_mm: Floats) -> TileCover:
        """The tiles that are recognised, as they hide the print beside them."""
        size = (self.prints.set.width_mm, self.prints.set.height_mm)
        cells = [k for k, match in enumerate(found) if match.alike.max() > TILE_THERE]
        places = [self.prints.cells_mm[k] + found[k].shift_mm for k in cells]
        faces = np.array([hexagon(size, at) for at in places]).reshape(-1, 6, 2)
        stand = faces - rest_mm[cells][:, None]
        return TileCover(cells, moved_by(np.asarray(np.linalg.inv(print_to_tiles)), faces), stand)

    def _between_tiles(
        self, photograph: Halvings, tiles_px: Floats, placed: PlacedBoard, coloured: _Coloured
    ) -> PlacedBoard:
        """The board as what shows between its tiles tells it; `placed` where that is not plain either."""
        faces = outlines_of(self.prints, placed.cells)
        if not len(faces):
            return placed
        rest = placed.rest_mm[[cell.best.tile is not None for cell in placed.cells]][:, None]
        start = np.asarray(np.linalg.solve(tiles_px, placed.px_from_mm))
        straight = photograph.straight(tiles_px, self._box, print_alignment.PX_PER_MM)
        # Where a board is full, sun and title alone may have drawn its print aside: its tiles lie no further than they
        # are high from where it is.
        places = [self._between.aligned(straight, each, faces, rest) for each in (start, np.eye(3))]
        place = max(places, key=lambda each: each[1])
        board_px = tiles_px @ place[0]
        board_px = board_px / board_px[2, 2]
        bare = self._softened(photograph, board_px)
        filled = np.array([m.alike.max() > TILE_THERE for m in placed.matches])
        pixels = self._compared.tile_pixels(coloured.board, placed.matches, filled, coloured.blur_mm)
        told = self._between.told(bare, place, (faces, rest, pixels), scale_px_per_mm(board_px), coloured.blur_mm)
        if told is None:
            return placed
        again = replace(coloured, moved=place[0], board_px=board_px, bare=bare, colour=told.colour)
        evidence = self._evidence(again, told.colour, placed.matches, placed.rest_mm)
        return replace(placed, px_from_mm=board_px, cells=evidence, print_alike=told.alike, colour=told.colour)

    def _away(self, outline: Floats, moved: Floats) -> float:
        """How far in mm a board's corners lie from where its outline says."""
        corners = self.prints.corners_mm[0]
        return float(np.linalg.norm(transformed(outline, corners) - transformed(moved, corners), axis=1).max())

    def tiles_alike(self, photograph: Halvings, px_from_mm: Floats) -> Floats:
        """For each cell (19,) of a board that would lie so, the correlation of the likeliest tile."""
        return np.array([match.alike.max() for match in self._fitted(photograph, px_from_mm)[2]])

    def _coloured(
        self, photograph: Halvings, tiles_px: Floats, moved: Floats, found: tuple[CellMatch, ...]
    ) -> _Coloured:
        """Which board it is, if its print lies `moved` from the tiles' plane."""
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        board_px = tiles_px @ moved
        board_px = board_px / board_px[2, 2]
        # A photograph of few pixels a millimetre is soft by itself.
        blur = round(float(np.hypot(cell_evidence.BLUR_MM, LENS_PX / max(scale_px_per_mm(board_px), 0.5))), 1)
        board, bare = self._softened(photograph, tiles_px), self._softened(photograph, board_px)
        colour = which_board(
            self._compared.print_pixels(bare, filled, blur), self._compared.tile_pixels(board, found, filled, blur)
        )
        return _Coloured(moved, board_px, board, bare, colour, blur)

    def _colour(self, coloured: _Coloured, found: tuple[CellMatch, ...], alike: float) -> WhichBoard:
        """Which board it is; by its lines' hue, too, where colours of single pixels do not say so plainly."""
        first = coloured.colour
        if is_plain(first) and alike > CLEAR_PRINT:
            return first
        bare, softer = coloured.bare, HUE_PX / max(scale_px_per_mm(coloured.board_px), 0.5)
        pixels = cv2.GaussianBlur(linear_light(bare.pixels), (0, 0), softer * bare.px_per_mm)
        soft = StraightBoard(np.asarray(pixels, np.float32), bare.inside, bare.origin_mm, bare.px_per_mm)
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        blur = round(float(np.hypot(coloured.blur_mm, softer)), 1)
        return second_opinion(self._compared.print_pixels(soft, filled, blur, linear=True), first)

    def _by_own_print(
        self,
        photograph: Halvings,
        tiles_px: Floats,
        found: tuple[CellMatch, ...],
        before: tuple[float, _Coloured],
        outline: Floats | None,
    ) -> tuple[float, _Coloured]:
        """As `before`, or better by the print of one board alone: if then its colours say that it is this board."""
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        own = [
            self._print.of_one(photograph, tiles_px, filled, which, outline) for which in range(len(self.prints.boards))
        ]
        which = max(range(len(own)), key=lambda k: own[k][1])
        moved, alike = own[which]
        if alike <= before[0]:
            return before
        again = self._coloured(photograph, tiles_px, moved, found)
        # A print a little aside correlates by chance; what was told plainly by colour is not given up for that.
        plainly = before[1].colour.which != which and is_plain(before[1].colour)
        return (alike, again) if again.colour.which == which and not plainly else before

    def _as_each(
        self,
        photograph: Halvings,
        tiles_px: Floats,
        found: tuple[CellMatch, ...],
        before: tuple[float, _Coloured, WhichBoard],
    ) -> tuple[float, _Coloured, WhichBoard]:
        """As `before`, or as the one board that is told where its own print lies: a title that has its paper's
        brightness is drawn aside by the print of all boards together, and the corner with it."""
        filled = np.array([m.alike.max() > TILE_THERE for m in found])
        told = []
        for which in range(len(self.prints.boards)):
            moved, alike = self._print.of_evened(photograph, tiles_px, filled, which)
            if alike > CLEAR_PRINT:
                coloured = self._coloured(photograph, tiles_px, moved, found)
                colour = self._colour(coloured, found, alike)
                if colour.which == which and colour.is_told(alike):
                    told.append((alike, coloured, colour))
        return told[0] if len(told) == 1 else before

    def _fitted(self, photograph: Halvings, px_from_mm: Floats) -> tuple[Floats, Floats, tuple[CellMatch, ...]]:
        """The homography moved to where the tiles are, the shift left for tiles that have not slipped, the matches."""
        coarse = photograph.straight(px_from_mm, self._box, matching.PX_PER_MM)
        found = [self.matcher.match(coarse, at) for at in self.prints.cells_mm]
        good = np.array([m.alike.max() > TILE_THERE for m in found])
        rest = np.zeros((len(found), 2))
        if good.any():
            shifts = np.array([m.shift_mm for m in found])[good]
            fitted = _plane(self.prints.cells_mm[good], shifts)
            if fitted is None:
                rest = slowly_changing(self.prints.cells_mm, good, shifts)
            else:
                px_from_mm = px_from_mm @ fitted
        coarse = photograph.straight(px_from_mm, self._box, matching.PX_PER_MM)
        both = list(zip(self.prints.cells_mm, rest, strict=True))
        again = [self.matcher.match(coarse, at + shift, CLOSE_REACH_MM) for at, shift in both]
        matches = tuple(
            CellMatch(m.alike, m.shift_mm + shift, m.turned_alike, m.turned)
            for m, shift in zip(again, rest, strict=True)
        )
        return px_from_mm, rest, matches

    def _softened(self, photograph: Halvings, px_from_mm: Floats) -> StraightBoard:
        px = tile_alignment.PX_PER_MM
        fine = photograph.straight(px_from_mm, self._box, px)
        soft = cv2.GaussianBlur(fine.pixels, (0, 0), cell_evidence.BLUR_MM * px)
        return StraightBoard(np.asarray(soft, np.float32), fine.inside, fine.origin_mm, px)

    def _alignment(self, blur_mm: float) -> TileAlignment:
        if blur_mm not in self._alignments:
            self._alignments[blur_mm] = TileAlignment(self.prints.tiles(tile_alignment.PX_PER_MM, blur_mm))
        return self._alignments[blur_mm]

    def _empties(self, which: int, blur_mm: float, shape: tuple[int, ...]) -> list[Grey]:
        """The board's print in each cell, as large as a tile's picture."""
        image = self.prints.board(which, tile_alignment.PX_PER_MM, blur_mm)
        height, width = shape[:2]
        out = []
        for at in self.prints.cells_mm - self.prints.corners_mm[which][0]:
            middle = at * tile_alignment.PX_PER_MM - 0.5
            shift = middle - (np.array([width, height]) - 1) / 2
            move = np.column_stack([np.eye(2), shift])
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            out.append(cv2.warpAffine(image, move, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE))
        return [np.asarray(each, np.float32) for each in out]

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


def is_plain(colour: WhichBoard) -> bool:
    """Whether the pixels' colours alone say which board it is."""
    return colour.margin > PLAIN_MARGIN and colour.blocks_for > PLAIN_BLOCKS


def _of_its_size(outline: Floats) -> Floats | None:
    """A board's outline in the tiles' plane (3, 3); None where it is that of something inside the board's own."""
    larger = abs(float(np.linalg.det(outline[:2, :2] / outline[2, 2])) - 1.0)
    return None if larger > MOST_LARGER_OF_FEW else outline


def _plane(at: Floats, shifts: Floats) -> Floats | None:
    """The affinity (3, 3) of the shifts of at least six tiles, or the homography of many; None if none is likely."""
    if len(at) < FEW:
        return None
    fitted, agreeing = cv2.estimateAffine2D(at, at + shifts, method=cv2.RANSAC, ransacReprojThreshold=2.5)
    if np.shape(fitted) != (2, 3):
        return None
    larger = abs(np.linalg.det(fitted[:, :2]) - 1.0)
    many = np.count_nonzero(agreeing) >= MANY
    if larger > (MOST_LARGER if many else MOST_LARGER_OF_FEW):
        return None
    affinity = np.asarray(np.vstack([fitted, [0.0, 0.0, 1.0]]), np.float64)
    if not many:
        return affinity
    # First where a tile lies by the affinity, from there to where it is seen.
    placed = transformed(affinity, at)
    return np.asarray(perspective(placed, at + shifts - placed) @ affinity)


def perspective(at: Floats, shifts: Floats) -> Floats:
    """The homography (3, 3) near the identity of shifts (G, 2) in mm that many tiles have at places (G, 2).

    Least squares with `PLANE_SD` beforehand, and the weights of Geman and McClure. An affinity leaves a tenth of a tile
    to a guess that sees the board at another slant.
    """
    x, y = (at / UNIT_MM).T
    wanted = (shifts / UNIT_MM).T.ravel()
    one, none = np.ones_like(x), np.zeros_like(x)
    columns = np.concatenate(
        [
            np.column_stack([x, y, one, none, none, none, -x * x, -x * y]),
            np.column_stack([none, none, none, x, y, one, -x * y, -y * y]),
        ]
    )
    spread, fitted = SLIP_SD_MM / UNIT_MM, np.zeros(8)
    for _ in range(6):
        off = np.hypot(*(wanted - columns @ fitted).reshape(2, -1))
        weight = np.tile(1.0 / (1.0 + (off / (2.0 * spread)) ** 2) ** 2 / spread**2, 2)
        weighed = (columns * weight[:, None]).T
        fitted = np.linalg.solve(weighed @ columns + np.eye(8) / PLANE_SD**2, weighed @ wanted)
    scale = np.diag([UNIT_MM, UNIT_MM, 1.0])
    return np.asarray(scale @ (np.eye(3) + np.append(fitted, 0.0).reshape(3, 3)) @ np.linalg.inv(scale))


def slowly_changing(cells_mm: Floats, good: Mask, shifts: Floats) -> Floats:
    """The shift (19, 2) that a tile has in each cell by those of a few (G, 2), which are in the cells `good` (19,).

    Least squares with a shift's change of `LINEAR_SD` beforehand, and Cauchy's weights: one of them may be no tile.
    """
    columns = np.column_stack([cells_mm, np.ones(len(cells_mm))])
    mine, prior = columns[good], np.diag([1.0, 1.0, 0.0]) / LINEAR_SD**2
    off = np.linalg.norm(shifts - np.median(shifts, axis=0), axis=1)
    for _ in range(6):
        weight = 1.0 / (1.0 + (off / (2.0 * SLIP_SD_MM)) ** 2) / SLIP_SD_MM**2
        weighed = (mine * weight[:, None]).T
        fitted = np.linalg.solve(weighed @ mine + prior, weighed @ shifts)
        off = np.linalg.norm(shifts - mine @ fitted, axis=1)
    return np.asarray(columns @ fitted)
