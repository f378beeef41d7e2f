"""Reads photographs of boards: finds the boards of a set and names the tile of each cell, with its confidence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.board_doubts import BoardDoubt
from arena_cam.domain.board_readings import BoardsReading
from arena_cam.domain.tile_sets import TileSet
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.board_outlines import as_large, outlines_in
from arena_cam.vision.boards.board_trust import IN_PLACE, board_reading
from arena_cam.vision.boards.lattice_shift import LatticeShift
from arena_cam.vision.boards.outline_seeds import OutlineSeeds
from arena_cam.vision.boards.placing import FEW, MANY, TILE_THERE, PlacedBoard, Placer
from arena_cam.vision.boards.plane_rectangles import rectangles
from arena_cam.vision.boards.seeds import Lattice, Seed, board_seeds
from arena_cam.vision.boards.straight.print_places import CLEAR_PRINT
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings, scale_px_per_mm
from arena_cam.vision.boards.table_plane import TablePlane, of_their_size
from arena_cam.vision.boards.way_up import better_way_up, tiles_turned, turned_by
from arena_cam.vision.printed import keypoints

Floats = NDArray[np.float64]

MOST_BOARDS = 6
CLEAR = 0.9  # share of a board's cells that are explained; then no other place is tried
HALF_TURN_DEG = 180  # an outline with four sides looks alike at no other turn of a lattice's
ROOM_TILES, FURTHER = 1.7, 0.6  # three tiles that lie as cells do are so wide; a board further away looks smaller
# Of a board as keypoints are looked for: one that is seen smaller is looked for in the larger picture, and one seen
# smaller than `TOO_SMALL_PX_PER_MM` there could not be read either.
SMALL_PX_PER_MM, TOO_SMALL_PX_PER_MM = 0.7, 0.6
# Beside a board the picture is first reduced so far that prints are so large where it lies, then each time less by
# `FINER`; where one look ends the next begins a little before.
BESIDE_PX_PER_MM, FINER, OVERLAP = 1.1, 1.75, 1.2
# Of a picture so reduced. A dim board on a chequered cloth had 7 keypoints that agree with it where there were 0.007,
# 35 where there were 0.0085.
KEYPOINTS_PER_PX, MOST_BESIDE = 0.01, 3000
# Where the first look finds no board each part of the picture has its share: of 1500 keypoints on a flowered cloth 12
# lay on a dim board, of 4000 that are shared 315, which agree on its place.
MOST_SHARED = 4000


@dataclass(frozen=True, eq=False)
class _Looking:
    """A photograph that is looked at, and the tiles (indices) that are not expected in it.

    `small`: as it is reduced for outlines and for the first look at keypoints, and by what factor.
    """

    photograph: Halvings
    undrawn: NDArray[np.intp]
    small: tuple[NDArray[np.uint8], float]


@dataclass(frozen=True, eq=False)
class _Found:
    """The boards of a photograph, and whether something in it may be one more that is not read."""

    boards: list[PlacedBoard]
    unread: bool


class BoardReader:
    """Reads photographs with the boards of one set."""

    def __init__(self, tile_set: TileSet) -> None:
        self.prints = SetPrints(tile_set)
        self._tiles = self.prints.tile_keypoints()
        self._boards = self.prints.board_keypoints()
        self._lattice = Lattice(self.prints.cells_mm, self.prints.cell_names)
        self._placer = Placer(self.prints)
        self._outlined = OutlineSeeds(self.prints, self._placer.matcher, self._placer.lumas)
        self._shift = LatticeShift(self.prints, self._placer.matcher, self._placer.lumas)

    def read(self, image_bgr: NDArray[np.uint8], frame: str, drawn: Collection[str] | None = None) -> BoardsReading:
        """All boards seen in a photograph (h, w, 3).

        `drawn`: the tiles that were drawn in this round, if known: others are named only where the picture is clear,
        and asked about.
        """
        found = self._found(image_bgr, drawn)
        boards = tuple(board_reading(self.prints, placed, drawn) for placed in found.boards)
        if not boards:
            return BoardsReading(frame, (), False, (BoardDoubt.NO_BOARD(),))
        doubts = [doubt for board in boards for doubt in board.doubts]
        if found.unread:
            doubts.append(BoardDoubt.ANOTHER())
        return BoardsReading(frame, boards, not doubts, tuple(dict.fromkeys(doubts)))

    def find(self, image_bgr: NDArray[np.uint8], drawn: Collection[str] | None = None) -> list[PlacedBoard]:
        """The boards, each placed and looked at, largest first."""
        return self._found(image_bgr, drawn).boards

    def _found(self, image_bgr: NDArray[np.uint8], drawn: Collection[str] | None) -> _Found:
        undrawn = [k for k, name in enumerate(self.prints.names) if drawn is not None and name not in drawn]
        small = keypoints.reduced(image_bgr, keypoints.LONGEST_SIDE_PX[0])
        looking = _Looking(Halvings(image_bgr), np.array(undrawn, np.intp), small)
        seen_outlines = outlines_in(*small)
        outlined = self._by_outlines(looking, seen_outlines)
        found = [board for board in outlined if board.print_alike > LEAST_PRINT_ALIKE]
        found, beside = self._by_keypoints(looking, image_bgr, found)
        found = self._with_outlined(found, [board for board in outlined if board.print_alike <= LEAST_PRINT_ALIKE])
        found, framed = self._with_framed(looking, found)
        unread = beside or framed or len(found) > MOST_BOARDS or self._another_outline(found, seen_outlines)
        return _Found(found[:MOST_BOARDS], unread)

    def _by_keypoints(
        self, looking: _Looking, image_bgr: NDArray[np.uint8], found: list[PlacedBoard]
    ) -> tuple[list[PlacedBoard], bool]:
        """`found` and the boards that keypoints speak for; and whether more tiles lie as cells do.

        A few tiles seen in a reduced picture may put a board one cell aside: where it does not explain its cells, it is
        looked for in the larger picture as if nothing were known.
        """
        doubtful: list[PlacedBoard] = []
        beside: list[Floats] = []
        for longest in keypoints.LONGEST_SIDE_PX:
            if (found and not doubtful) or (doubtful and longest > max(image_bgr.shape[:2]) * 1.3):
                break
            seen = self._seen(looking, image_bgr, longest, found)
            found = self._search(looking, seen, found, beside)
            doubtful += [board for board in found if not is_in_place(board)]
            found = [board for board in found if is_in_place(board)]
        if found:
            found = self._beside(looking, image_bgr, found, beside)
        for board in sorted(doubtful, key=_told_by, reverse=True):
            if not any(self._same_place(board, other) for other in found):
                found.append(board)
        left = [at for at in beside if not any(_holds(self._outline(board), at) for board in found)]
        return found, bool(left)

    def _seen(
        self, looking: _Looking, image_bgr: NDArray[np.uint8], longest_px: int, found: list[PlacedBoard]
    ) -> keypoints.Keypoints:
        """The keypoints beside the boards that are found; where the first look found none, each part's share."""
        shared = longest_px != keypoints.LONGEST_SIDE_PX[0]
        if not found and not shared:
            return keypoints.of_reduced(*looking.small)
        known, most = [self._outline(board) for board in found], MOST_SHARED if shared else keypoints.MOST_SEEN
        room = self._room_px(found)
        return keypoints.of_photograph(image_bgr, longest_px, most, known, room_px=room, shared=shared)

    def _beside(
        self, looking: _Looking, image_bgr: NDArray[np.uint8], found: list[PlacedBoard], beside: list[Floats]
    ) -> list[PlacedBoard]:
        """Boards, and those that lie on their plane beside them: each part of it is looked at in a picture reduced so
        far that prints are large enough there. Adds to `beside` where tiles lie without a board."""
        size = (image_bgr.shape[1], image_bgr.shape[0])
        plane, looked = TablePlane(_clearest(found).px_from_mm), 0.0
        largest = min(1.0, keypoints.LONGEST_SIDE_PX[-1] / max(size))
        for factor in factors(scale_px_per_mm(plane.px_from_mm), largest):
            nearer = plane.nearer_than(OVERLAP * SMALL_PX_PER_MM / looked, size) if looked else np.zeros((0, 2))
            least = TOO_SMALL_PX_PER_MM if factor == largest else SMALL_PX_PER_MM
            further = plane.nearer_than(least / factor, size, further=True)
            but = [self._outline(board) for board in found]
            but += [np.asarray(part, np.float32) for part in (nearer, further) if len(part)]
            room = ROOM_TILES * least / factor * self.prints.set.width_mm
            longest = round(factor * max(size))
            most = round(min(KEYPOINTS_PER_PX * factor**2 * size[0] * size[1], MOST_BESIDE))
            seen = keypoints.of_photograph(image_bgr, longest, most, but, room_px=room)
            found = self._search(looking, seen, found, beside)
            looked = factor
        return found

    def _room_px(self, boards: list[PlacedBoard]) -> float:
        """How wide the free parts of a photograph must be for the tiles of one more board, which may lie further away
        than these."""
        scale = min((scale_px_per_mm(board.px_from_mm) for board in boards), default=0.0)
        return ROOM_TILES * FURTHER * scale * self.prints.set.width_mm

    def _with_outlined(self, found: list[PlacedBoard], doubtful: list[PlacedBoard]) -> list[PlacedBoard]:
        """Boards whose print is seen, and in other places those of an outline; then those of neither.

        What looks like a board's outline may be its frame's inner border, where its tiles fit as if they had slipped.
        """
        kept = [board for board in found if board.print_alike > LEAST_PRINT_ALIKE]
        for board in [*doubtful, *found]:
            if not any(self._same_place(board, other) for other in kept):
                kept.append(board)
        return kept

    def _with_framed(self, looking: _Looking, found: list[PlacedBoard]) -> tuple[list[PlacedBoard], bool]:
        """Boards and those whose frame is seen on the table's plane; whether such a frame is left that is not read."""
        if not found:
            return found, False
        plane, known = TablePlane(_clearest(found).px_from_mm), [self._outline(board) for board in found]
        outlined = [np.asarray(each, np.float64) for each in known]
        frames = rectangles(looking.photograph, plane, outlined, self.prints.sizes_mm, TOO_SMALL_PX_PER_MM)
        frames = [frame for frame in frames if not any(_holds(each, frame.outline.mean(axis=0)) for each in known)]
        framed = self._by_outlines(looking, [frame.outline for frame in frames])
        found = found + [board for board in framed if _more_than_a_frame(board)]
        plain = [frame.outline for frame in frames if frame.plain]
        unread = [f for f in plain if not any(_holds(self._outline(board), f.mean(axis=0)) for board in found)]
        return found, bool(unread)

    def _another_outline(self, found: list[PlacedBoard], seen: list[Floats]) -> bool:
        """Whether an outline beside the boards is as large as they are, lying on their table."""
        return any(
            not any(_holds(self._outline(board), outline.mean(axis=0)) for board in found)
            and any(as_large(outline, b.px_from_mm, self.prints.sizes_mm) for b in found)
            for outline in seen
        )

    def _by_outlines(self, looking: _Looking, seen: list[Floats]) -> list[PlacedBoard]:
        """Boards whose own outline is seen, and whose cells are explained in it."""
        found: list[PlacedBoard] = []
        for outline in seen:
            if any(_holds(self._outline(board), outline.mean(axis=0)) for board in found):
                continue
            for seed in self._outlined.seeds(looking.photograph, outline)[:2]:
                placed = self._outlined_by(looking, seed)
                if placed is not None and self._is_outlined_board(looking, placed):
                    found.append(placed)
                    break
        return found

    def _is_outlined_board(self, looking: _Looking, placed: PlacedBoard) -> bool:
        """Whether a board lies in an outline: a square of the floor resembles a print by its frame, and plain stone
        explains empty cells, but nothing within it is printed."""
        if not is_board(placed) or placed.explained <= CLEAR:
            return False
        if _tiles_in_place(placed) >= LEAST_TILES:
            return True
        within = self._placer.print_within_rim(looking.photograph, placed)
        return within is None or within > LEAST_WITHIN

    def _outlined_by(self, looking: _Looking, seed: Seed) -> PlacedBoard | None:
        """The board whose outline, or the inner border of whose frame, was seen there: where its print is met."""
        placed = self._placed(looking, seed.px_from_mm, outlined=True)
        inner = self._outlined.as_inner_border(seed)
        if inner is None or (placed is not None and (placed.print_alike > CLEAR_PRINT or _tiles_tell(placed))):
            return placed
        larger = self._placed(looking, inner.px_from_mm, outlined=True)
        if placed is None or (larger is not None and larger.print_alike > max(placed.print_alike, CLEAR_PRINT)):
            return larger
        return placed

    def _placed(self, looking: _Looking, px_from_mm: Floats, *, outlined: bool = False) -> PlacedBoard | None:
        """The board there, turned with its tiles if they are all turned; None where none is recognised."""
        placed = self._placer.place(looking.photograph, px_from_mm, looking.undrawn, outlined=outlined)
        degrees = 0 if placed is None else tiles_turned(placed)
        if placed is None or degrees == 0 or (outlined and degrees != HALF_TURN_DEG):
            return placed
        over = turned_by(placed.px_from_mm, degrees, self.prints.cells_mm.mean(axis=0))
        turned = self._placer.place(looking.photograph, over, looking.undrawn)
        if turned is None:
            return placed
        first, second = (self._placer.print_within_rim(looking.photograph, each) for each in (placed, turned))
        return better_way_up(placed, turned, (first, second))

    def _search(
        self, looking: _Looking, seen: keypoints.Keypoints, known: list[PlacedBoard], beside: list[Floats]
    ) -> list[PlacedBoard]:
        """`known` and the boards that keypoints speak for; adds to `beside` where, (2,) in pixels, more tiles lie as
        cells do."""
        for _ in range(3):
            news, left = self._news(looking, seen, known)
            if not news:
                break
            known, seen = known + news, self._outside(seen, news)
        beside += left
        return known

    def _news(
        self, looking: _Looking, seen: keypoints.Keypoints, known: list[PlacedBoard]
    ) -> tuple[list[PlacedBoard], list[Floats]]:
        """Boards that these keypoints speak for, and that do not lie on known ones; where tiles beside them lie as
        cells do, though no board is read there."""
        groups, on_print = self._seeds(seen, known)
        found: list[PlacedBoard] = []
        beside: list[Floats] = []
        for group in [*groups, *([seed] for seed in on_print)]:
            surely = [*known, *(board for board in found if is_in_place(board))]
            if any(self._overlaps(group[0], board) for board in surely):
                continue
            if known and not self._worth_placing(looking, group[0]):
                continue  # keypoints agreed by chance, or tiles on the table are left over
            placed = self._best_of(looking, group)
            if placed is not None and not any(self._same_place(placed, board) for board in known):
                found = self._with_better(found, placed)
            if placed is None and self._lie_as_cells(looking, group[0]):
                beside.append(transformed(group[0].px_from_mm, np.zeros((1, 2)))[0])
        return found, beside

    def _with_better(self, found: list[PlacedBoard], placed: PlacedBoard) -> list[PlacedBoard]:
        """`found` and another board; of those at one place the one that explains more: a few tiles leave open in which
        cells they lie, and the print may tell."""
        there = [board for board in found if self._same_place(placed, board)]
        if any(_told_by(board) >= _told_by(placed) for board in there):
            return found
        return [*(board for board in found if board not in there), placed]

    def _lie_as_cells(self, looking: _Looking, seed: Seed) -> bool:
        """Whether some tiles lie as cells do, whatever is beneath them."""
        filled = sum(seed.filled) >= LEAST_TILES
        return filled and self._tiles_there(looking, seed, LEAST_TILES_ALIKE) >= LEAST_TILES

    def _worth_placing(self, looking: _Looking, seed: Seed) -> bool:
        """Whether a first look finds tiles, or the print, where a board is guessed beside others."""
        if seed.filled:
            return self._tiles_there(looking, seed, TILE_THERE) >= LEAST_TILES
        return self._placer.print_is_there(looking.photograph, seed.px_from_mm)

    def _seeds(self, seen: keypoints.Keypoints, known: list[PlacedBoard]) -> tuple[list[list[Seed]], list[Seed]]:
        """Places that tiles' keypoints speak for, and those that boards' do; beside a board those of its plane."""
        if not known:
            return self._lattice.seeds(self._tiles.matches(seen)), board_seeds(self._boards.matches(seen))
        plane = TablePlane(_clearest(known).px_from_mm)
        there = plane.keypoints(seen)
        groups = self._lattice.seeds(of_their_size(self._tiles.matches(there)))
        # What lies beside boards are tiles that are left over; one of them is no board without its print.
        groups = [group for group in groups if sum(group[0].filled) >= LEAST_BESIDE]
        on_print = board_seeds(of_their_size(self._boards.matches(there)))
        photographed = plane.photographed
        return [[photographed(seed) for seed in group] for group in groups], [photographed(seed) for seed in on_print]

    def _tiles_there(self, looking: _Looking, seed: Seed, alike: float) -> int:
        """In how many cells of a board that would lie so a tile is `alike`: a look at a fourth of a placing's cost."""
        return int(np.count_nonzero(self._placer.tiles_alike(looking.photograph, seed.px_from_mm) > alike))

    def _best_of(self, looking: _Looking, group: list[Seed]) -> PlacedBoard | None:
        """The shift of a lattice whose board is there; None if none is."""
        ranked = group if len(group) == 1 else self._shift.ranked(looking.photograph, group)[:2]
        best: PlacedBoard | None = None
        for seed in ranked:
            placed = self._placed(looking, seed.px_from_mm)
            if placed is not None and is_board(placed) and (best is None or placed.explained > best.explained):
                best = placed
            if best is not None and best.explained > CLEAR:
                break
        return best

    def _outside(self, seen: keypoints.Keypoints, boards: list[PlacedBoard]) -> keypoints.Keypoints:
        """The keypoints that lie on none of the boards."""
        free = np.ones(len(seen.xy), bool)
        for board in boards:
            outline = self._outline(board)
            inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in seen.xy]
            free &= ~np.array(inside, bool)
        return keypoints.Keypoints(seen.xy[free], seen.frame[free], seen.descriptor[free])

    def _outline(self, board: PlacedBoard) -> NDArray[np.float32]:
        return transformed(board.px_from_mm, self.prints.corners_mm[board.which]).astype(np.float32)

    def _overlaps(self, seed: Seed, board: PlacedBoard) -> bool:
        return _holds(self._outline(board), transformed(seed.px_from_mm, np.zeros((1, 2)))[0])

    def _same_place(self, placed: PlacedBoard, board: PlacedBoard) -> bool:
        return self._overlaps(Seed(placed.px_from_mm, 0), board)


def _holds(outline: NDArray[np.float32], at_px: Floats) -> bool:
    """Whether a point (2,) lies within an outline (4, 2)."""
    return cv2.pointPolygonTest(outline, (float(at_px[0]), float(at_px[1])), False) >= 0


def factors(px_per_mm: float, largest: float) -> list[float]:
    """By what to reduce a picture, in turn, to look beside a board that it shows so large, up to the `largest`."""
    out = [min(BESIDE_PX_PER_MM / px_per_mm, largest)]
    while out[-1] < largest:
        out.append(min(out[-1] * FINER, largest))
    return out


def _clearest(boards: list[PlacedBoard]) -> PlacedBoard:
    """The board that tells most surely where the table's plane is: the one whose print is met best."""
    return max(boards, key=lambda board: board.print_alike)


def _told_by(board: PlacedBoard) -> float:
    """How much speaks for a board's place: its cells that are explained, and its print."""
    return board.explained + board.print_alike


def _more_than_a_frame(board: PlacedBoard) -> bool:
    """Whether tiles or the print within it are met where a frame led to a board: it alone resembles a print."""
    return _tiles_in_place(board) >= LEAST_TILES or board.print_alike > CLEAR_PRINT


def _tiles_tell(board: PlacedBoard) -> bool:
    """Whether tiles in most cells say that the board lies there."""
    return len(board.tiles_alike) >= MANY and board.explained > IN_PLACE


def is_in_place(board: PlacedBoard) -> bool:
    """Whether a board surely lies where it was put: its cells are explained, and its print is met; or more than that is
    explained, and many tiles are there: a few leave open how the far side of the board lies."""
    if board.print_alike > CLEAR_PRINT:
        return board.explained > IN_PLACE
    return len(board.tiles_alike) >= FEW and board.explained > IN_PLACE_UNMET


# As `IN_PLACE`, where the print is not met: a full board put one cell aside explains 0.954, boards in place 0.98.
IN_PLACE_UNMET = 0.97
LEAST_EXPLAINED = 0.6
LEAST_TILES, LEAST_TILES_ALIKE = 3, 0.6
LEAST_BESIDE = 2  # tiles of a board whose keypoints are found: more are then looked for where they would lie
LEAST_PRINT_ALIKE = 0.35
# Correlation of the print without its frame: of two squares without print 0.06, of boards 0.5 to 0.98.
LEAST_WITHIN = 0.2


def is_board(placed: PlacedBoard) -> bool:
    """Whether a board lies there: most cells are explained, and tiles in their places or the print are recognised.

    Plain paper explains an empty cell as well as any; three tiles that lie as cells do, or lines of print, it does not.
    """
    if placed.explained < LEAST_EXPLAINED or np.count_nonzero(placed.hidden < 0.5) < 10:
        return False
    return _tiles_in_place(placed) >= LEAST_TILES or placed.print_alike > LEAST_PRINT_ALIKE


def _tiles_in_place(placed: PlacedBoard) -> int:
    return sum(alike > LEAST_TILES_ALIKE for alike in placed.tiles_alike)
