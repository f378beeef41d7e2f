"""Cells in detail: the tiles that may lie in each, and the empty board, aligned and compared."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.cells.matching import CellMatch
from arena_cam.vision.boards.cells.open_cells import outline_alike
from arena_cam.vision.boards.cells.tile_alignment import PX_PER_MM, Placed, TileAlignment, correlations, patch
from arena_cam.vision.boards.straight.board_colour import lamp_colour, unexplained
from arena_cam.vision.boards.straight.straight_board import StraightBoard
from arena_cam.vision.boards.straight.tile_cover import TileCover
from arena_cam.vision.printed.ink_colours import TERMS, fit_ink_colours, mapped
from arena_cam.vision.printed.print_light import LUMA, PrintLight, in_own_light

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

NO_TILES = TileCover((), np.zeros((0, 6, 2)), np.zeros((0, 6, 2)))
BLUR_MM = 0.35  # both sides are softened so that a tenth of a millimetre of misalignment does not count
MOST_TILES, MOST_TRIED = 3, 5
INKS_ALIKE, INKS_EVERY = 0.6, 4  # a tile this much alike tells how inks look; one pixel in so many is asked
# Prints of a learned set may be some percent too small or too large, all alike: 1 % is 0.17 mm at a tile's rim. Of
# tiles as they were printed ten agree to 0.3 %.
LEAST_SIZED, SAME_SIZE, MOST_LARGER, MOST_SIZES = 4, 0.006, 0.03, 3
CLOSE_BEHIND = 0.15  # of what the likeliest tile leaves unexplained
# A third tile that leaves this much more unexplained than the first is not compared in detail; nor is the empty board
# where a tile is this much alike and the second leaves as much more. Without it 2500 cells were read the same.
FAR_BEHIND, PLAIN_ALIKE = 2.0, 0.8
TURNED_BEHIND = 0.12
SPOT_MM = 5.0  # as large as a figure: what lies there instead shows in one spot, lines that are a little off do not
STRANGE = 80.0  # grey levels (root mean square of the channels) beyond which more does not tell more
NOT_THAT = 30.0  # grey levels beyond which a pixel is not that print
CLEAR_WIN = 0.2  # of the way between two contenders; where the right one is told it is 0.4 and more
LEAST_ALIKE = 0.3  # correlation; of 1400 tiles on rendered photographs the least was 0.51, in glare
# A tile whose drawing is seen nowhere does not lie there, whatever its paper's colour: correlation of its fine print,
# which shadows and reflections leave, where that print has so many grey levels of contrast.
# Where it is seen plainly the cell is not empty: of tiles that were named rightly nearly all have 0.6 and more.
LEAST_DETAIL, PLAIN_DETAIL, DETAIL_DRAWN, DETAIL_MM = 0.25, 0.5, 6.0, 5.0
# ... and where the empty board leaves less than this share of it unexplained: half of a tile leaves 0.5 and more.
MOST_LEFT = 0.4
PAPER_ASKED = 8.0  # grey levels of `not_paper` from which an empty cell's outline is asked for
NOTHING_STRANGE = 0.5  # of the worst spot of a cell that is said to be empty: then nothing else covers the drawing


@dataclass(frozen=True, eq=False)
class Contender:
    """What a cell may hold: `tile` index, None for the empty board; `turned_deg` not 0: a tile the wrong way round.

    `alike`: the correlation of the first look, of the empty board 0. `expected` and `seen` are (pixels, 3).
    `explained`: share of the pixels that are as expected; `strange`: of the worst spot's, the share that are not.
    `not_paper`: of the empty board, how far in grey levels the colour is from its print's in any shadow or reflection,
    as far as no lines of it are seen; 0 of tiles. `free` (pixels,): of the empty board, what tiles beside it leave to
    be seen. `detail`: of a tile, how far its fine print correlates with what is seen; None where it has little or that
    was not asked. `is_absent`: none of it is seen, and the empty board leaves nothing like it unexplained.
    `outline`: of the empty board that is far from its print's colour, how far its cell's drawn outline is seen.
    """

    tile: int | None
    turned_deg: int
    alike: float
    expected: Grey
    seen: Grey
    off: Grey
    explained: float
    strange: float
    placed: Placed
    not_paper: float = 0.0
    free: Mask | None = None
    detail: float | None = None
    is_absent: bool = False
    outline: float = 0.0

    @property
    def cost(self) -> float:
        off = self.off if self.free is None or not self.free.any() else self.off[self.free]
        return float(np.minimum(off / STRANGE**2, 1.0).mean())


@dataclass(frozen=True, eq=False)
class CellEvidence:
    """The best contender, and how it stands against the one nearest to it.

    `margin`: where the seen pixels lie between what the two expect, 1 at the best one's, -1 at the rival's, of those
    pixels that tell them apart. `visible`: share of these that show either. `contrast`: their expected difference,
    root mean square in grey levels times the root of the area in mm. `agreed`: the first look found the same.
    `alike`: the correlation of the likeliest tile that lies upright. `lead`: what it leaves unexplained against what
    the next likeliest leaves, the logarithm of the ratio. `against` (R, 3): margin, visible and contrast of each rival.
    """

    best: Contender
    rivals: tuple[Contender, ...]
    margin: float
    visible: float
    contrast: float
    nearest: Contender
    agreed: bool
    alike: float
    lead: float
    against: Floats

    def but(self, tiles: Collection[int]) -> CellEvidence:
        """The same where these tiles cannot lie there: how the best one stands against the nearest of the others, which
        is far from it if none was compared."""
        left = [k for k, rival in enumerate(self.rivals) if rival.tile is None or rival.tile not in tiles]
        if self.nearest.tile not in tiles:
            return self
        if not left:
            return replace(self, margin=1.0)
        k = left[_worst(self.against[left])]
        margin, visible, contrast = (float(v) for v in self.against[k])
        return replace(self, margin=margin, visible=visible, contrast=contrast, nearest=self.rivals[k])


@dataclass(frozen=True, eq=False)
class Candidate:
    """What is to be compared in a cell: as in `Contender`, with its print before it is lit, (h, w, 3)."""

    cell: int
    tile: int | None
    turned_deg: int
    alike: float
    face: Grey
    placed: Placed


@dataclass(frozen=True, eq=False)
class _First:
    """The likeliest tile of a cell and where it lies; the correlation (T,) of each tile there."""

    tile: int
    placed: Placed
    alike: Grey


class CloseLook:
    """Looks at the cells of one straightened board under its light.

    `board` is straight in the tiles' plane, `bare` in that of the board's print; `cover`: what tiles hide of that.
    """

    def __init__(
        self,
        board: StraightBoard,
        bare: StraightBoard,
        tiles: TileAlignment,
        light: PrintLight,
        cover: TileCover = NO_TILES,
    ) -> None:
        self.board, self.bare, self.tiles, self.light, self.cover = board, bare, tiles, light, cover
        self.mask = tiles.mask

    def look(self, cells_mm: Floats, matches: Sequence[CellMatch], empties: Sequence[Grey]) -> list[CellEvidence]:
        """`empties`: the board's print (h, w, 3) in each cell."""
        firsts = self._firsts(cells_mm, matches)
        inks = self._inks(cells_mm, firsts)
        candidates: list[Candidate] = []
        for k, (at, match, empty) in enumerate(zip(cells_mm, matches, empties, strict=True)):
            candidates += self._candidates(k, at, match, empty, firsts[k], inks)
        contenders = self._compared(cells_mm, candidates)
        out = []
        for k, match in enumerate(matches):
            mine = [c for c, at in zip(contenders, candidates, strict=True) if at.cell == k]
            out.append(weighed(mine, match, PX_PER_MM))
        return out

    def _firsts(self, cells_mm: Floats, matches: Sequence[CellMatch]) -> list[_First]:
        """The likeliest tile of each cell, all of the size that they agree on."""
        for _ in range(MOST_SIZES):
            firsts = [self._first(at, match) for at, match in zip(cells_mm, matches, strict=True)]
            told = [
                self.tiles.larger(self.board, at, first.tile, first.placed)
                for at, first in zip(cells_mm, firsts, strict=True)
                if float(first.alike[first.tile]) > INKS_ALIKE
            ]
            if len(told) < LEAST_SIZED:
                break
            larger, weight = np.array(told).T
            by = float(weight @ larger / max(weight.sum(), 1.0))
            if abs(by) < SAME_SIZE:
                break
            self.tiles = self.tiles.scaled(1.0 + float(np.clip(by, -MOST_LARGER, MOST_LARGER)))
        return firsts

    def _first(self, at: Floats, match: CellMatch) -> _First:
        """The likeliest tile of a cell, where it lies, and how like each tile is there."""
        likest = match.best
        placed = self.tiles.aligned(self.board, at, likest, Placed(match.shift_mm, 0.0))
        alike = self.tiles.alike(self.board, at, placed) - match.handicap
        if int(alike.argmax()) != likest:
            likest = int(alike.argmax())
            placed = self.tiles.aligned(self.board, at, likest, placed)
            alike = self.tiles.alike(self.board, at, placed) - match.handicap
        return _First(int(alike.argmax()), placed, alike)

    def _inks(self, cells_mm: Floats, firsts: Sequence[_First]) -> Grey:
        """How the picture renders the tiles' inks, for each cell as the others say it (19, 9, 3)."""
        told = [k for k, first in enumerate(firsts) if float(first.alike[first.tile]) > INKS_ALIKE]
        if len(told) < 2:
            return np.zeros((len(firsts), TERMS, 3), np.float32)
        some = np.flatnonzero(self.mask.ravel())[::INKS_EVERY]
        prints = np.stack([self.tiles.faces[firsts[k].tile].reshape(-1, 3)[some] for k in told])
        at = cells_mm[told]
        seen = np.stack(
            [
                patch(self.board, middle, firsts[k].placed, self.mask.shape).reshape(-1, 3)[some]
                for k, middle in zip(told, at, strict=True)
            ]
        )
        inks = fit_ink_colours(prints, seen, self.light.gain_at(at[:, 0], at[:, 1]), INKS_EVERY)
        out = np.repeat(inks.all[None], len(firsts), axis=0)
        out[told] = inks.but_one
        return out

    def _candidates(
        self, k: int, at: Floats, match: CellMatch, empty: Grey, first: _First, inks: Grey
    ) -> list[Candidate]:
        likely = np.argsort(-first.alike)[:MOST_TRIED]
        faces = mapped(self.tiles.faces[likely], inks[k])
        seen = self._held(patch(self.board, at, first.placed, self.mask.shape)[None])[0]
        alike = correlations(self._held(faces), seen)
        alike -= np.broadcast_to(match.handicap, first.alike.shape)[likely]
        order = np.argsort(-alike)[:MOST_TILES]
        near = 1.0 - alike[order] < FAR_BEHIND * (1.0 - alike[order[0]])
        kept = [j for n, j in enumerate(order) if n < 2 or (near[n] and alike[j] > LEAST_ALIKE)]
        out = [Candidate(k, int(likely[j]), 0, float(alike[j]), faces[j], first.placed) for j in kept]
        if match.turned_alike > match.alike.max() - TURNED_BEHIND:
            tile, turned = match.turned
            there = self.tiles.aligned(self.board, at, tile, Placed(match.shift_mm, 0.0), turned)
            face = mapped(self.tiles.face(tile, turned), inks[k])
            out.append(Candidate(k, tile, turned, match.turned_alike, face, there))
        if alike[order[0]] > PLAIN_ALIKE and not near[1:2].any():
            return out
        return [*out, Candidate(k, None, 0, 0.0, mapped(empty, inks[k]), Placed(np.zeros(2), 0.0))]

    def _compared(self, cells_mm: Floats, candidates: list[Candidate]) -> list[Contender]:
        """Every candidate in its own light against the pixels where it lies."""
        at = cells_mm[[c.cell for c in candidates]]
        seen = np.stack(
            [
                patch(self.bare if c.tile is None else self.board, middle, c.placed, self.mask.shape)
                for c, middle in zip(candidates, at, strict=True)
            ]
        )
        x = (at[:, :1] + self.tiles.x_mm[None, :])[:, None, :]
        y = (at[:, 1:] + self.tiles.y_mm[None, :])[:, :, None]
        expected = np.stack([self.light.on(c.face, *at) for c, *at in zip(candidates, x, y, strict=True)])
        emptiness = [
            self._emptiness(c, cells_mm[c.cell], *at) for c, *at in zip(candidates, expected, seen, strict=True)
        ]
        own = in_own_light(expected, seen, self.mask, PX_PER_MM)
        free = self._free(cells_mm, candidates, expected, seen)
        details = self._details(candidates, expected, seen, own.lit, free)
        lit, seen = self._held(own.lit), self._held(seen)
        rest = seen - lit
        off = np.einsum("npc,npc->np", rest, rest) / np.float32(3.0)
        strange = (off > NOT_THAT**2) & free
        worst = self._worst_spots(strange)
        off += own.cost.reshape(len(off), -1).take(self.tiles.held, axis=1)
        shares = strange.sum(axis=1) / np.maximum(free.sum(axis=1), 1)
        return [
            Contender(
                c.tile,
                c.turned_deg,
                c.alike,
                lit[n],
                seen[n],
                off[n],
                1.0 - float(shares[n]),
                worst[n],
                c.placed,
                emptiness[n][0],
                free[n] if c.tile is None else None,
                *details[n],
                emptiness[n][1],
            )
            for n, c in enumerate(candidates)
        ]

    def _held(self, pictures: Grey) -> Grey:
        """The pixels (N, P, 3) of pictures (N, h, w, 3) that a tile covers."""
        return pictures.reshape(len(pictures), -1, 3).take(self.tiles.held, axis=1)

    def _emptiness(self, candidate: Candidate, middle_mm: Floats, expected: Grey, seen: Grey) -> tuple[float, float]:
        """Of an empty cell how little what is seen looks like its paper, and, where that is asked, how well its outline
        is met; zeros of a tile."""
        paper = 0.0 if candidate.tile is not None else self._not_paper(expected, seen)
        return paper, self._outline(candidate, middle_mm, expected, seen) if paper > PAPER_ASKED else 0.0

    def _free(self, cells_mm: Floats, candidates: Sequence[Candidate], expected: Grey, seen: Grey) -> Mask:
        """The pixels (N, P) that may show what each candidate expects: of an empty board those that no tile beside it
        hides, nor its shadow."""
        out = np.ones((len(candidates), int(self.mask.sum())), bool)
        for n, each in enumerate(candidates):
            if each.tile is None:
                over, beside = self.cover.over(each.cell, cells_mm[each.cell], self.mask.shape, PX_PER_MM)
                darker = (seen[n] @ LUMA) < (expected[n] @ LUMA)
                out[n] = ~(over | (beside & darker))[self.mask]
        return out

    def _details(
        self, candidates: Sequence[Candidate], expected: Grey, seen: Grey, lit: Grey, free: Mask
    ) -> list[tuple[float | None, bool]]:
        """Of each tile that may lie where the board may be empty, how far its fine print is seen, and whether it is
        absent: where something is seen that the empty board has not, it may be there."""
        left: dict[int, float] = {}
        for n, each in enumerate(candidates):
            if each.tile is None and free[n].any():
                fine = within_mm(seen[n] - lit[n])[self.mask][free[n]]
                left[each.cell] = float(np.sqrt((fine**2).mean()))
        out: list[tuple[float | None, bool]] = []
        for n, each in enumerate(candidates):
            alike, drawn = 0.0, 0.0
            if each.tile is not None and each.cell in left:
                alike, drawn = fine_print(expected[n], seen[n], self.mask)
            absent = drawn > DETAIL_DRAWN and alike < LEAST_DETAIL and left[each.cell] < MOST_LEFT * drawn
            out.append((alike if drawn > DETAIL_DRAWN else None, absent))
        return out

    def _not_paper(self, expected: Grey, seen: Grey) -> float:
        """As in `Contender`, of the empty board's print in the board's light (h, w, 3).

        A cell's own light may have any colour, so that plain dark paper would explain a plain brown hand.
        """
        printed, there = self._held(np.stack([expected, seen]))
        off = unexplained(there, np.clip(printed, 0.0, 255.0), lamp_colour(self.light))
        return math.sqrt(float(np.median(off))) * (1.0 - max(float(correlations(printed[None], there)[0]), 0.0))

    def _outline(self, candidate: Candidate, at_mm: Floats, expected: Grey, seen: Grey) -> float:
        """How far an empty cell's outline is seen where no tile beside it hides it."""
        hidden, _ = self.cover.over(candidate.cell, at_mm, self.mask.shape, PX_PER_MM)
        return outline_alike(expected, seen, self.mask, hidden)

    def _worst_spots(self, strange: Mask) -> list[float]:
        """Of each contender's pixels (N, P) the largest share within `SPOT_MM` that are strange."""
        side = round(SPOT_MM * PX_PER_MM) | 1
        inside = cv2.blur(self.mask.astype(np.float32), (side, side), borderType=cv2.BORDER_CONSTANT)
        whole = inside > 0.6
        out = []
        for each in strange:
            there = np.zeros(self.mask.shape, np.float32)
            there[self.mask] = each
            share = cv2.blur(there, (side, side), borderType=cv2.BORDER_CONSTANT)
            out.append(float((share[whole] / inside[whole]).max()))
        return out


def within_mm(pixels: Grey) -> Grey:
    """What pixels (h, w, 3) have less their mean over `DETAIL_MM`."""
    side = round(DETAIL_MM * PX_PER_MM) | 1
    return np.asarray(pixels - cv2.blur(pixels, (side, side)), np.float32)


def fine_print(expected: Grey, seen: Grey, mask: Mask) -> tuple[float, float]:
    """Correlation of a tile's fine print (h, w, 3) with what is seen (h, w, 3), whatever the light, and how strong
    that print is, root mean square in grey levels."""
    held = np.flatnonzero(mask)
    printed, there = (within_mm(each).reshape(-1, 3).take(held, axis=0) for each in (expected, seen))
    drawn = float(np.sqrt((printed**2).mean()))
    there = np.clip(there, -3.0 * drawn, 3.0 * drawn)  # the edge of a shadow is no print
    alike = float((printed * there).sum() / max(float(np.linalg.norm(printed) * np.linalg.norm(there)), 1.0))
    return alike, drawn


def weighed(contenders: list[Contender], match: CellMatch, px_per_mm: float) -> CellEvidence:
    """The tile that correlates best, unless another contender clearly wins against it and correlates about as well."""
    contenders = sorted(contenders, key=lambda c: c.cost)
    upright = sorted((c for c in contenders if c.tile is not None and not c.turned_deg), key=lambda c: -c.alike)
    likeliest = upright[0]
    if match.turned_alike > match.alike.max():
        likeliest = next((c for c in contenders if c.turned_deg), likeliest)
    best = likeliest
    for _ in range(3):
        rivals = [c for c in contenders if c is not best and (c.tile is None or _about_as_alike(c, likeliest))]
        if not rivals:
            break
        against = between(best, rivals, px_per_mm)
        k = _worst(against)
        if against[k, 0] >= (-CLEAR_WIN if rivals[k].tile is not None or best.alike > LEAST_ALIKE else 0.0):
            break
        best = rivals[k]
    if best.tile is not None and best.alike < LEAST_ALIKE:
        best = next(c for c in contenders if c.tile is None)
    rivals = [c for c in contenders if c is not best]
    against = between(best, rivals, px_per_mm)
    against[[_is_out(best, rival) for rival in rivals], :2] = 1.0
    k = _worst(against)
    margin, visible, contrast = (float(v) for v in against[k])
    lead = math.log(max(1.0 - upright[1].alike, 0.01) / max(1.0 - upright[0].alike, 0.01)) if len(upright) > 1 else 0.0
    agreed = best is likeliest
    return CellEvidence(
        best, tuple(rivals), margin, visible, contrast, rivals[k], agreed, upright[0].alike, lead, against
    )


def _is_out(best: Contender, rival: Contender) -> bool:
    """Whether a rival is out of the question: a tile that is drawn nowhere, or no tile where one is drawn plainly."""
    if best.tile is None:
        return best.strange < NOTHING_STRANGE and rival.is_absent
    return rival.tile is None and best.detail is not None and best.detail > PLAIN_DETAIL


def _about_as_alike(contender: Contender, likeliest: Contender) -> bool:
    """Whether correlation leaves open which of the two it is."""
    if contender.turned_deg or likeliest.turned_deg:
        return contender.alike > LEAST_ALIKE
    return 1.0 - contender.alike < (1.0 - likeliest.alike) * (1.0 + CLOSE_BEHIND)


def _worst(against: Floats) -> int:
    return int(np.argmin(against[:, 0] * np.sqrt(np.maximum(against[:, 1], 1e-6))))


def between(best: Contender, rivals: Sequence[Contender], px_per_mm: float) -> Floats:
    """(R, 3): margin, visible share and contrast of a contender against each rival, each in its own alignment."""
    other = np.stack([r.off for r in rivals])
    difference = best.expected - np.stack([r.expected for r in rivals])
    apart = np.einsum("npc,npc->np", difference, difference) / np.float32(3.0) + np.float32(1e-3)
    weight = 1.0 - np.minimum(np.minimum(best.off, other) / np.float32(STRANGE**2), 1.0)
    for n, free in enumerate(r.free if best.free is None else best.free for r in rivals):
        if free is not None:
            weight[n] *= free
    # Where both agree nothing is decided: (other - own) / apart is 1 where the best is met exactly.
    telling = weight * apart
    told = (weight * np.clip(other - best.off, -apart, apart)).sum(axis=1)
    total = telling.sum(axis=1)
    area = best.off.size / px_per_mm**2
    return np.column_stack(
        [
            told / np.maximum(total, 1e-6),
            total / apart.sum(axis=1),
            np.sqrt(telling.mean(axis=1) * area),
        ]
    ).astype(np.float64)
