"""The parts of the picture that differ from the empty arena: where cards may lie, and things that are no card.

The picture of the empty arena is brought to this frame's camera pose and compared with the frame, both seen from
straight above. A change of light and shadows change all colour channels alike, make nothing much brighter and leave the
floor's grain in its place. Anything that changes colour, brightens, turns black or hides the grain is odd. An odd area
that no card explains is a stranger: a card too much covered to be named, a hand, a phone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.kernels.view_calls import ViewAbove, even_light
from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.picture.components import components, part_round
from arena_cam.vision.picture.robust import MAD_TO_SD, median, medians
from arena_cam.vision.reading.floor.floor_comparison import (
    BRIGHTER,
    COLOUR,
    DARK,
    LIGHT_STEP,
    LOG,
    compared,
    everywhere,
    logarithms,
    mean_and_colour,
)
from arena_cam.vision.reading.floor.floor_texture import FloorGrain
from arena_cam.vision.reading.floor.view import drawn_from_above, outlines_above, reach_of_view, widened
from arena_cam.vision.reading.floor.view_maps import KeptMaps, ViewMaps

Grid = NDArray[np.float32]
Mask = NDArray[np.uint8]
Part = tuple[slice, slice]  # rows and columns of a view
T = TypeVar("T")

VIEW_PX_PER_MM = 1.0
FROM_WALL_MM = 7.0  # nearer the wall its shadow and reflection move with the light
_BEYOND_WALL_MM = 10.0  # behind the wall its height hides or shows the table as the camera moves
_ROUND_CARDS_MM = 3.5  # a card's own shadow and the doubt about its outline
_CLOSE_TO_CARDS_MM = 3.0  # what is plainly no play of light is believed so near a card
_WITHIN_MM = 2.0  # of a card's rim the view's blur, and the doubt about the outline, make floor
_LIGHT_MM = 60.0  # the light's own change is smooth: it is what the floor shows over this distance
# Of a card of 5000 mm2: what shows of one whose corner looks out by 13 mm; and what light and shade do not do.
_SMALLEST_MM2, _SMALLEST_PALE_MM2 = 90.0, 400.0
# What is plain counts from here on, but for specks, and all together that may be of one card. On 464 pictures of 54
# tables on which every card was known 6 mm2 were left over at most; of 110 cards that showed 2 to 25 % of themselves,
# taken for unknown, it tells of 100. (Of what is twice as far off and covers 90 mm2 in one piece a fifth fewer.)
_SMALLEST_PLAIN_MM2, _SPECK_MM2 = 25.0, 3.0
# What is nearer than this to a card may hide a part of another that touches it: the rim round cards that is not looked
# at, the strip along walls that is not, and the fringe of shadow.
HIDES_MM = 18.0
_ONE_CARD_MM = 110.0  # from one corner of a card to the other
_APART_MM = 60.0  # strangers nearer to each other are one
_FRINGE = 0.4  # of a small pale thing so much is plain, at least
_MOST_KEPT = 8  # answers of a frame, some a third of a megabyte
_CARD_REACH_MM = 22.0  # a card that shows anything odd at all shows it within this of all its features


@dataclass(frozen=True, eq=False)
class Stranger:
    """A piece of floor that shows something unknown: its area, its middle in the world frame, its number in a
    picture of labels, the sides of the rectangle round it, the longer first, and how much of the strip along the
    walls, where nothing is compared, it covers if it goes straight on."""

    area_mm2: float
    centre_mm: tuple[float, float]
    label: int
    sides_mm: tuple[float, float] = (0.0, 0.0)
    along_walls_mm2: float = 0.0


class EarlierTable:
    """The arena and the table round it as an earlier picture shows them, seen from above: empty, as at set-up, or as
    last read."""

    def __init__(
        self,
        bgr: NDArray[np.uint8],
        camera: Camera,
        arena: Arena,
        fiducial_outlines_px: Sequence[Array],
        maps: KeptMaps,
        half_mm: tuple[float, float] | None = None,
    ) -> None:
        """`maps` are those of this table; the view reaches `half_mm` from its middle, or as far as the picture does."""
        self.half_mm = half_mm or reach_of_view(camera, (bgr.shape[1], bgr.shape[0]), arena.inner_mm)
        self._maps = maps
        self._floor = self.from_above(bgr, camera)
        self._seen = np.empty(self._floor.shape, np.uint8)  # of every frame: fresh memory costs as much as all the sums
        shape = self._floor.shape[:2]
        self.strip_mm = FROM_WALL_MM + arena.wall_thickness_mm + _BEYOND_WALL_MM  # along walls, not compared
        self._inside = self._rectangle(shape, arena, -FROM_WALL_MM)
        self.round_floor: Part = self._part(arena, HIDES_MM + 1.0 - FROM_WALL_MM)  # and what lies near it
        level = np.asarray(summed(self._floor) * np.float32(1 / 3), dtype=np.float32)
        self._grain = FloorGrain.of(level, self._inside, VIEW_PX_PER_MM)
        walls = self._rectangle(shape, arena, arena.wall_thickness_mm + _BEYOND_WALL_MM) - self._inside
        self.valid: Mask = 1 - np.maximum(walls, self.drawn(fiducial_outlines_px, camera, 4.0))

    def look(self, bgr: NDArray[np.uint8], camera: Camera) -> TableChange:
        """Where a picture (H, W, 3) differs from the earlier one."""
        return self.held_against(self.seen(bgr, camera), camera)

    def seen(self, bgr: NDArray[np.uint8], camera: Camera) -> NDArray[np.uint8]:
        """The view from above of a picture (H, W, 3), as softly as it is compared, until the next one is seen."""
        return _softly(self._at(camera).picture(bgr), self._seen)

    def held_against(self, now: NDArray[np.uint8], camera: Camera) -> TableChange:
        """Where a picture differs from the earlier one, `now` being what is `seen` of it, for the same camera."""
        light, noise = self._light(now)
        seen = compared(now, self._floor, light, self.valid, noise)
        hidden = self._grain.hidden(seen.mean, seen.bare, seen.in_both) & self.valid
        unchanged = np.asarray(seen.bare & (hidden == 0), dtype=np.uint8)
        certain = _narrowed(hidden, _ROUND_CARDS_MM)  # where what hides it ends is known to some millimetres
        lit = np.asarray(certain & (seen.mean > DARK), dtype=np.uint8)  # deep shadow drowns the grain
        odd, pale, strange = _solid(seen.odd) | certain, _solid(seen.pale) | lit, _solid(seen.strange, 3)
        return TableChange(self, odd, pale, strange, self._inside, camera, unchanged, light)

    def _light(self, now: NDArray[np.uint8]) -> tuple[Grid, float]:
        """The change of the light since the set-up picture, for LIGHT_STEP pixels each way (H / step, W / step, 3),
        estimated on bare floor, and its noise (a standard deviation), of what is `seen` of a picture (H, W, 3)."""
        few = LOG[now[::LIGHT_STEP, ::LIGHT_STEP]] - self._floor[::LIGHT_STEP, ::LIGHT_STEP]
        bare = self.valid[::LIGHT_STEP, ::LIGHT_STEP] > 0
        field = _even_light(few, bare)
        sigma = _LIGHT_MM * VIEW_PX_PER_MM / LIGHT_STEP
        noise = 0.0
        for most in (1.0, 0.5):
            mean, colour = mean_and_colour(few - field)
            floor = bare & (np.abs(mean) < most * BRIGHTER) & (colour < most * COLOUR)
            if floor.sum() < 50:
                break
            noise = MAD_TO_SD * median(np.abs(mean[floor]))
            weight = cv2.GaussianBlur(floor.astype(np.float32), (0, 0), sigma) + np.float32(1e-3)
            smooth = cv2.GaussianBlur((few - field) * floor[:, :, None], (0, 0), sigma) / weight[:, :, None]
            field = np.asarray(field + smooth, dtype=np.float32)
        return field, noise

    def from_above(self, bgr: NDArray[np.uint8], camera: Camera) -> Grid:
        """Logarithms (H, W, 3) of a picture's grey levels as the view from above shows them."""
        view = self._at(camera).picture(bgr)
        return logarithms(_softly(view, view))

    def unlike_on_walls(self, now: Grid, light: Grid, most: float) -> Mask:
        """Where (H, W), of what is not compared otherwise, walls above all, a channel of the view `now` differs by more
        than `most` from the earlier one in this `light` (logarithms)."""
        (at, row, column), earlier = self._not_compared
        found, shown = np.zeros(self.valid.shape, np.uint8), now.reshape(-1, 3).take(at, axis=0)
        found.ravel()[at] = greatest(np.abs(shown - earlier - light[row, column])) > most
        return found

    @cached_property
    def _not_compared(self) -> tuple[tuple[NDArray[np.intp], ...], Grid]:
        """The pixels (N,) that are not compared otherwise, their numbers, rows and columns; and what the earlier
        picture shows there (N, 3)."""
        at = np.flatnonzero(self.valid == 0)
        return (at, *np.divmod(at, self.valid.shape[1])), self._floor.reshape(-1, 3).take(at, axis=0)

    def of_claims(self, claimed: Mask, step: int, camera: Camera, part: Part | None = None) -> Mask:
        """A mask in 1/step of the picture as the view from above shows it, or a part of that view."""
        return self._at(camera).mask(claimed, step, part)

    def rim(self, shape: tuple[int, ...], step: int, within_mm: float, camera: Camera) -> Mask:
        """What lies within a distance of the rim of the picture, or of the view, as seen from above (H, W); `shape` is
        that of a mask in 1/step of the picture. Whoever gets it leaves it as it is."""
        return self._at(camera).rim(shape, step, within_mm)

    def beyond(self, shape: tuple[int, ...], step: int, within_mm: float, camera: Camera) -> Mask:
        """The same and what the picture does not show at all."""
        return self._at(camera).rim(shape, step, within_mm, beyond=True)

    def _at(self, camera: Camera) -> ViewMaps:
        """Where the view's pixels lie in a camera's picture."""
        return self._maps.at(camera, self.half_mm, VIEW_PX_PER_MM)

    def drawn(self, outlines_px: Sequence[Array], camera: Camera, wider_mm: float) -> Mask:
        """The view's pixels inside outlines (4, 2) given in the picture, widened on every side by whole pixels: the rim
        may be half of one wider."""
        shape = self._floor.shape
        return drawn_from_above(outlines_px, camera, self.half_mm, VIEW_PX_PER_MM, shape, wider_mm)

    def _rectangle(self, shape: tuple[int, ...], arena: Arena, beyond_mm: float) -> Mask:
        mask = np.zeros(shape, np.uint8)
        mask[self._part(arena, beyond_mm)] = 1
        return mask

    def _part(self, arena: Arena, beyond_mm: float) -> Part:
        """The rows and columns of the view that show the arena's floor and so much more on every side."""
        reach = [arena.inner_mm[i] / 2 + beyond_mm for i in (0, 1)]
        left, top = (round((self.half_mm[i] - reach[i]) * VIEW_PX_PER_MM) for i in (0, 1))
        right, bottom = (round((self.half_mm[i] + reach[i]) * VIEW_PX_PER_MM) for i in (0, 1))
        return slice(max(top, 0), bottom), slice(max(left, 0), right)


@dataclass(frozen=True, eq=False)
class TableChange:
    """One frame compared with the empty table, or with an earlier picture of it: `odd` (H, W) is 1 where something may
    have changed (a dark card, or a deep shadow), `sure` where it has, `plain` where that is beyond doubt; `light` (at
    least H, at least W, 3) is the change of the light, in logarithms."""

    table: EarlierTable
    odd: Mask
    sure: Mask
    plain: Mask
    inside: Mask
    camera: Camera
    unchanged: Mask
    light_of_cells: Grid
    _kept: dict[tuple[Hashable, ...], Any] = field(default_factory=dict, init=False, repr=False)
    _outlines: dict[tuple[bytes, float], NDArray[np.int32]] = field(default_factory=dict, init=False, repr=False)

    def once(self, asked: tuple[Hashable, ...], work: Callable[[], T]) -> T:
        """What `work` gives, worked out once while the same is `asked`, as it is by several in turn of the same claims
        and cards. Whoever gets it leaves it as it is."""
        if asked not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[asked] = work()
        return cast(T, self._kept[asked])

    def with_a_thing(self, thing: Mask) -> TableChange:
        """With what is known to be a thing (H, W), and no play of light, however dark it is."""
        seen = thing & self.table.valid
        odd, sure, plain = (np.asarray(part | seen, np.uint8) for part in (self.odd, self.sure, self.plain))
        return replace(self, odd=odd, sure=sure, plain=plain)

    @cached_property
    def light(self) -> Grid:
        """The change of the light (at least H, at least W, 3), in logarithms."""
        return everywhere(self.light_of_cells)

    @cached_property
    def above(self) -> ViewAbove:
        """Where the floor can be compared, and where it is odd, for compiled code."""
        return ViewAbove(self.table.valid, self.odd, self.table.half_mm, VIEW_PX_PER_MM)

    @property
    def changed(self) -> Mask:
        """1 where the picture differs from the empty table, if only by a shadow."""
        return np.asarray(self.table.valid & (1 - self.unchanged), dtype=np.uint8)

    def strangers(self, outlines_px: Sequence[Array]) -> list[tuple[Stranger, list[int]]]:
        """Unknown things on the arena's floor, outside the outlines (4, 2) of the cards found; with each the numbers of
        the outlines that a card hidden by it might touch."""
        asked = "strangers", *(np.asarray(outline).tobytes() for outline in outlines_px)
        return self.once(asked, lambda: self._strangers(outlines_px))

    def _strangers(self, outlines_px: Sequence[Array]) -> list[tuple[Stranger, list[int]]]:
        part = self.table.round_floor  # the rest of the table has none
        inside = self.inside[part]
        clear = inside & (1 - self.table.drawn(outlines_px, self.camera, _CLOSE_TO_CARDS_MM)[part])
        plain = self._together(self.plain[part] & clear)
        floor = inside & (1 - self.table.drawn(outlines_px, self.camera, _ROUND_CARDS_MM)[part])
        pale, of_pale = self._labelled(self.sure[part] & floor, _SMALLEST_PALE_MM2, part)
        near = [_nearest(piece, plain) for piece in pale]
        found = [
            self._with_the_pale(thing, [of_pale == p.label for p, n in zip(pale, near, strict=True) if n == number])
            for number, thing in enumerate(plain)
        ]
        found += [(p, of_pale == p.label) for p, n in zip(pale, near, strict=True) if n is None]
        cards = outlines_above(outlines_px, self.camera, self.table.half_mm, VIEW_PX_PER_MM, 0.0) if found else ()
        return [(self._measured(piece, shape), self._near(shape, cards)) for piece, shape in found]

    def _with_the_pale(
        self, thing: tuple[Stranger, NDArray[np.bool_]], pale: Sequence[NDArray[np.bool_]]
    ) -> tuple[Stranger, NDArray[np.bool_]]:
        """A plainly strange thing (its shape, H, W) with the pieces near it that are strange, too, and hardly any of
        them plainly: of a striped back as grey as the floor a corner was beyond doubt, and the card was none by its
        size. What is plain has a fringe that is not, which is none of it."""
        piece, shape = thing
        more = [each for each in pale if (each & shape).sum() < _FRINGE * each.sum()]
        if not more:
            return thing
        whole = np.asarray(np.any([shape, *more], axis=0))
        area = cv2.countNonZero(whole.view(np.uint8)) / VIEW_PX_PER_MM**2
        return replace(piece, area_mm2=area), whole

    def _measured(self, piece: Stranger, shape: NDArray[np.bool_]) -> Stranger:
        """A thing with the sides of its shape (H, W; a part of the view), and with what it covers of the strip along
        the walls."""
        walls = np.asarray(1 - self.inside[self.table.round_floor], dtype=np.uint8)
        edge = _widened(walls, 1.0 / VIEW_PX_PER_MM) & shape
        hidden = cv2.countNonZero(edge) / VIEW_PX_PER_MM * FROM_WALL_MM
        return replace(piece, sides_mm=_sides_round(shape), along_walls_mm2=hidden)

    def _together(self, mask: Mask) -> list[tuple[Stranger, NDArray[np.bool_]]]:
        """The plainly strange pieces of the arena's floor (H, W), each with its shape there. Pieces near each other are
        one thing that something covers in part."""
        pieces, labels = self._labelled(mask, _SPECK_MM2, self.table.round_floor)
        things: list[list[Stranger]] = []
        for piece in pieces:
            near = [t for t in things if any(math.dist(piece.centre_mm, p.centre_mm) < _ONE_CARD_MM for p in t)]
            things = [t for t in things if t not in near] + [[p for t in near for p in t] + [piece]]
        found = []
        for thing in things:
            areas = np.array([piece.area_mm2 for piece in thing])
            if areas.sum() >= _SMALLEST_PLAIN_MM2:
                x, y = areas @ np.array([piece.centre_mm for piece in thing]) / areas.sum()
                whole = Stranger(float(areas.sum()), (float(x), float(y)), thing[0].label)
                found.append((whole, marked(labels, [piece.label for piece in thing])))
        return found

    def _near(self, shape: NDArray[np.bool_], cards: Sequence[NDArray[np.int32]] | NDArray[np.int32]) -> list[int]:
        """The numbers of those of the `cards`, outlines (4, 2) in the view's pixels, near a piece (H, W) of the
        arena's floor."""
        reach, part = _widened(shape.astype(np.uint8), HIDES_MM), self.table.round_floor
        drawn = (cv2.fillConvexPoly(np.zeros_like(self.odd), card, (1,))[part] for card in cards)
        return [number for number, card in enumerate(drawn) if (reach & np.asarray(card, np.uint8)).any()]

    def unexplained(self, claimed: Mask, step: int) -> Mask:
        """A view of the odd pixels away from those that `claimed` (a mask in 1/step of the picture) explains."""
        return self.once(("unexplained", step, claimed.tobytes()), lambda: self._unexplained(claimed, step))

    def may_show(self, claimed: Mask, step: int, across_mm: float, least_mm2: float) -> Mask:
        """The places (H, W) at which the middle may lie of a card, `across_mm` from corner to corner, of which
        `least_mm2` or more may be in view: as much as is odd so near that `claimed` (a mask in 1/step of the picture)
        leaves unexplained; of the rim round known cards, which is not looked at, too. Specks far from each other are
        of no one card."""
        asked = "may show", step, across_mm, least_mm2, claimed.tobytes()
        return self.once(asked, lambda: self._may_show(claimed, step, across_mm, least_mm2))

    def _may_show(self, claimed: Mask, step: int, across_mm: float, least_mm2: float) -> Mask:
        known = self.table.of_claims(claimed, step, self.camera)
        near = _widened(self.unexplained(claimed, step), _ROUND_CARDS_MM)
        in_view, least = np.asarray(near & self.odd & (1 - known), np.uint8), least_mm2 * VIEW_PX_PER_MM**2
        if cv2.countNonZero(in_view) < least:
            return np.zeros_like(in_view)
        size = (2 * math.ceil(across_mm / 2 * VIEW_PX_PER_MM) + 1,) * 2
        near_by = cv2.boxFilter(in_view, cv2.CV_32F, size, normalize=False, borderType=cv2.BORDER_CONSTANT)
        return np.asarray(near_by >= least, dtype=np.uint8)

    def _unexplained(self, claimed: Mask, step: int) -> Mask:
        part, left = self._round_odd, np.zeros_like(self.odd)
        known = self.table.of_claims(claimed, step, self.camera, part)
        left[part] = _solid((self.odd[part] & (1 - _widened(known, _ROUND_CARDS_MM))) > 0)
        left.flags.writeable = False
        return left

    @cached_property
    def _round_odd(self) -> Part:
        """The rows and columns of all that is odd, and as much round about as is asked of there: in most pictures cards
        lie in a small part of the table, and this is asked again with each of them."""
        return _part_round(self.odd, _ROUND_CARDS_MM + _WITHIN_MM)

    def share_told(self, outline_px: Array, others_px: Sequence[Array]) -> float | None:
        """Of the arena's floor inside an outline (4, 2) and outside all `others_px`, without their rims, the share
        (0..1) that beyond doubt shows something else than floor; None if there is next to none."""
        card = self.table.drawn([outline_px], self.camera, -_CLOSE_TO_CARDS_MM)
        return self._share_plain(
            card & self.inside & (1 - self.table.drawn(others_px, self.camera, _CLOSE_TO_CARDS_MM))
        )

    def bare_within(self, outline_px: Array, others_px: Sequence[Array]) -> tuple[float, float]:
        """The largest piece (mm2) of the arena's bare floor, not even in a shade, that the picture shows inside an
        outline (4, 2) and outside all `others_px`, without their rims; and the share (0..1) of the rest that is odd."""
        (card_px,) = self._above([outline_px], -_WITHIN_MM)
        part = _part_of(card_px[None], self.odd.shape)
        near_px = self._above(others_px, _CLOSE_TO_CARDS_MM)
        card, others = (_drawn_in(part, self.odd.shape, outlines) for outlines in ([card_px], near_px))
        card = card & self.inside[part] & self.table.valid[part] & (1 - others)
        bare = np.asarray(card & self.unchanged[part], dtype=np.uint8)
        if not card.any():
            return 0.0, 0.0
        largest_mm2 = float(components(bare, connectivity=4).areas[1:].max(initial=0)) / VIEW_PX_PER_MM**2
        rest = cv2.countNonZero(card & (1 - bare))
        return largest_mm2, cv2.countNonZero(card & self.odd[part]) / rest if rest else 0.0

    def _above(self, outlines_px: Sequence[Array], wider_mm: float) -> NDArray[np.int32]:
        """Outlines (4, 2) given in the picture as the view's pixels have them, widened: (N, 4, 2). Each card is asked
        about beside all others in turn."""
        asked = [(np.asarray(outline).tobytes(), wider_mm) for outline in outlines_px]
        new = {key: outline for key, outline in zip(asked, outlines_px, strict=True) if key not in self._outlines}
        if new:
            above = outlines_above(list(new.values()), self.camera, self.table.half_mm, VIEW_PX_PER_MM, wider_mm)
            self._outlines.update(zip(new, above, strict=True))
        return np.array([self._outlines[key] for key in asked], np.int32).reshape(-1, 4, 2)

    def share_beyond_shadow(self, outline_px: Array, claimed: Mask, step: int) -> float | None:
        """Of what is compared with the empty table inside an outline (4, 2), without its rim, and what `claimed` (a
        mask in 1/step of the picture) does not cover, the share (0..1) that no shadow explains; None if there is next
        to none."""
        return self._share_plain(self._in_view_of(outline_px, claimed, step))

    def share_bare(self, outline_px: Array, claimed: Mask, step: int) -> float | None:
        """The share (0..1) of the same that shows the bare floor, not even in a shade; None if there is next to
        none."""
        return _share_of(self._in_view_of(outline_px, claimed, step), self.unchanged)

    def _in_view_of(self, outline_px: Array, claimed: Mask, step: int) -> Mask:
        """What is compared with the empty table inside an outline (4, 2), without its rim and what is `claimed`."""
        card = self.table.drawn([outline_px], self.camera, -_CLOSE_TO_CARDS_MM) & self.table.valid
        return np.asarray(card & (1 - self.table.of_claims(claimed, step, self.camera)), np.uint8)

    def _share_plain(self, part: Mask) -> float | None:
        """The share (0..1) of a part (H, W) of the view that beyond doubt shows something else than the table; None if
        it is next to nothing."""
        return _share_of(part, self.plain)

    def bare(self, half_mm: tuple[float, float]) -> Mask:
        """1 where the picture shows the empty table's floor, in a view that reaches `half_mm` from the middle."""
        floor = self.table.valid & (1 - self.odd)
        cut = [round((self.table.half_mm[i] - half_mm[i]) * VIEW_PX_PER_MM) for i in (0, 1)]
        size = [int(2 * half_mm[i] * VIEW_PX_PER_MM) for i in (0, 1)]
        return floor[cut[1] : cut[1] + size[1], cut[0] : cut[0] + size[0]]

    def worth_a_look(self, claimed: Mask, step: int) -> Mask | None:
        """Pixels of the view near something odd that `claimed` (a mask in 1/step of the picture) does not cover.

        None if there is nothing odd left.
        """
        left = self._left(claimed, step)
        if left is None:
            return None
        part, where = _part_round(left, _CARD_REACH_MM), np.zeros_like(left)
        where[part] = _widened(left[part], _CARD_REACH_MM)
        return where

    def all_explained(self, claimed: Mask, step: int) -> bool:
        """Whether `claimed` (a mask in 1/step of the picture) explains every odd pixel."""
        return self._left(claimed, step) is None

    def _left(self, claimed: Mask, step: int) -> Mask | None:
        """A view of the odd pixels that are not explained; None if no connected piece is large enough."""

        def some_left() -> Mask | None:
            left = self.unexplained(claimed, step)
            part = _part_round(left, 0.0)
            return left if self._labelled(left[part], part=part)[0] else None

        return self.once(("left", step, claimed.tobytes()), some_left)

    def within(self, mask: Mask, x_mm: Array, y_mm: Array) -> NDArray[np.bool_]:
        """Which points (N,) of the floor lie where `mask` (a view from above) is set; outside the view none do."""
        return self.within_each((mask,), x_mm, y_mm)[0]

    def within_each(self, masks: Sequence[Mask], x_mm: Array, y_mm: Array) -> list[NDArray[np.bool_]]:
        """As `within`, for each of some masks of one shape."""
        height, width = masks[0].shape
        column = np.round((x_mm + self.table.half_mm[0]) * VIEW_PX_PER_MM).astype(np.intp)
        row = np.round((self.table.half_mm[1] - y_mm) * VIEW_PX_PER_MM).astype(np.intp)
        inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
        at = row.clip(0, height - 1) * width + column.clip(0, width - 1)
        return [inside & (mask.take(at) > 0) for mask in masks]

    def light_at(self, x_mm: Array, y_mm: Array) -> NDArray[np.float32]:
        """The change of the light (N, 3), in logarithms, at points (N,) of the view."""
        row = ((self.table.half_mm[1] - y_mm) * VIEW_PX_PER_MM).astype(np.intp)
        column = ((x_mm + self.table.half_mm[0]) * VIEW_PX_PER_MM).astype(np.intp)
        return np.asarray(self.light.reshape(-1, 3).take(row * self.light.shape[1] + column, axis=0), np.float32)

    def _labelled(
        self, mask: Mask, smallest_mm2: float = _SMALLEST_MM2, part: Part = (slice(0, None), slice(0, None))
    ) -> tuple[list[Stranger], NDArray[np.int32]]:
        """The pieces of a mask (H, W), which is a part of the view, that are large enough, and the picture of their
        labels."""
        if cv2.countNonZero(mask) < smallest_mm2 * VIEW_PX_PER_MM**2:
            return [], np.zeros(mask.shape, np.int32)
        found = components(mask)
        (rows, columns), half = part, self.table.half_mm
        left, top = columns.start / VIEW_PX_PER_MM - half[0], half[1] - rows.start / VIEW_PX_PER_MM
        pieces = [
            Stranger(
                area / VIEW_PX_PER_MM**2,
                (left + column / VIEW_PX_PER_MM, top - row / VIEW_PX_PER_MM),
                number,
            )
            for number, (area, (column, row)) in enumerate(
                zip(found.areas.tolist(), found.middles.tolist(), strict=True)
            )
            if number > 0 and area / VIEW_PX_PER_MM**2 >= smallest_mm2
        ]
        return pieces, found.labels


def _nearest(piece: Stranger, things: Sequence[tuple[Stranger, NDArray[np.bool_]]]) -> int | None:
    """The number of the nearest of the `things` that a piece is one with; None if none is so near."""
    off = [math.dist(piece.centre_mm, thing.centre_mm) for thing, _ in things]
    return int(np.argmin(off)) if off and min(off) <= _APART_MM else None


def marked(labels: NDArray[np.int32], chosen: Sequence[int] | NDArray[np.int32]) -> NDArray[np.bool_]:
    """Where a picture of labels (H, W) has one of the `chosen`."""
    is_chosen = np.zeros(int(labels.max()) + 1, bool)
    is_chosen[chosen] = True
    return np.asarray(is_chosen.take(labels))


def _share_of(part: Mask, mask: Mask) -> float | None:
    """The share (0..1) of a part (H, W) of the view that is set in a mask of it; None if it is next to nothing."""
    area = cv2.countNonZero(part)
    return cv2.countNonZero(part & mask) / area if area >= _SMALLEST_MM2 * VIEW_PX_PER_MM**2 else None


def _sides_round(shape: NDArray[np.bool_]) -> tuple[float, float]:
    """The sides (mm) of the least rectangle round a shape (H, W) of the view, the longer first."""
    rows = np.flatnonzero(shape.any(axis=1))
    within = shape[rows]  # a rectangle round the first and the last of each row is one round all
    first, last = within.argmax(axis=1), shape.shape[1] - 1 - within[:, ::-1].argmax(axis=1)
    ends = np.concatenate([np.stack([column, rows], axis=1) for column in (first, last)])  # column and row
    _, (width, height), _ = cv2.minAreaRect(ends.astype(np.float32))
    return max(width, height) / VIEW_PX_PER_MM, min(width, height) / VIEW_PX_PER_MM


def _softly(view: NDArray[np.uint8], out: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A view (H, W, 3) as softly as it is compared, put into `out`."""
    return np.asarray(cv2.GaussianBlur(view, (0, 0), 1.5, dst=out), dtype=np.uint8)


def _solid(mask: NDArray[np.bool_], least_mm: int = 4) -> Mask:
    """The mask without specks and lines thinner than `least_mm`."""
    kernel = np.ones((round(least_mm * VIEW_PX_PER_MM),) * 2, np.uint8)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    return np.asarray(opened, dtype=np.uint8)


def _even_light(few: Grid, bare: NDArray[np.bool_]) -> Grid:
    """The light's change (H, W, 3) over the whole view as a polynomial of the second degree, fitted where `bare` (H, W)
    with Tukey's weights. It is too stiff to follow a card that is a little darker than the floor it lies on."""
    basis, fitted = _second_degree(bare.shape[0], bare.shape[1]), medians(few[bare])
    compiled = even_light(few, bare, fitted.astype(np.float64), _EVEN_RULES) if bare.any() else None
    light = _even_in_numpy(basis, few, bare, fitted) if compiled is None else compiled.astype(np.float32)
    return np.asarray((basis.reshape(-1, 6) @ light).reshape(few.shape), dtype=np.float32)


def _even_in_numpy(basis: Grid, few: Grid, bare: NDArray[np.bool_], fitted: Grid) -> Grid:
    """The factors (6, 3) of the terms `basis` (H, W, 6), from the medians (3,) of what is `few` (H, W, 3) on."""
    terms, seen, light = basis[bare], few[bare], np.zeros((6, 3), np.float32)
    for _ in range(_EVEN_STEPS):
        off = greatest(np.abs(seen - fitted))
        scale = max(_LEAST_OFF, _TUKEY * MAD_TO_SD * median(off))
        weighted = terms * ((1.0 - np.minimum(off / scale, 1.0) ** 2) ** 2)[:, None]
        normal = weighted.T @ terms + _EVEN_HELD * np.eye(6, dtype=np.float32)
        light = np.linalg.solve(normal, weighted.T @ seen)
        fitted = terms @ light  # of the bare floor: the rest of the view is not asked until the end
    return np.asarray(light, dtype=np.float32)


@lru_cache(maxsize=2)
def _second_degree(height: int, width: int) -> Grid:
    """The terms (H, W, 6) of a polynomial of the second degree over a view."""
    y, x = np.meshgrid(np.linspace(-1.0, 1.0, height), np.linspace(-1.0, 1.0, width), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).astype(np.float32)


_EVEN_STEPS, _TUKEY = 6, 4.685
_LEAST_OFF = 0.06  # what the bare floor stays within, see above
_EVEN_HELD = 1e-3  # where nothing tells a term
_EVEN_RULES = np.array([_TUKEY * MAD_TO_SD, _LEAST_OFF, _EVEN_HELD, _EVEN_STEPS])  # as the compiled twin has them


def _part_of(outlines: NDArray[np.int32], shape: tuple[int, ...]) -> Part:
    """The rows and columns of a view of that `shape` (H, W) that outlines (N, 4, 2) in its pixels reach."""
    low, high = outlines.min(axis=(0, 1)).clip(0), outlines.max(axis=(0, 1)).clip(-1) + 1
    return slice(int(low[1]), min(int(high[1]), shape[0])), slice(int(low[0]), min(int(high[0]), shape[1]))


def _drawn_in(part: Part, shape: tuple[int, ...], outlines: Sequence[NDArray[np.int32]] | NDArray[np.int32]) -> Mask:
    """1 at the pixels of a part of a view of some `shape` (H, W) inside outlines (4, 2) in its pixels. A card is a
    fiftieth of the view. What reaches out of the part is drawn as a whole first: cut off, a line would be drawn a
    little otherwise."""
    rows, columns = part
    drawn = np.zeros((max(rows.stop - rows.start, 0), max(columns.stop - columns.start, 0)), np.uint8)
    for outline in outlines:
        (left, top), (right, bottom) = outline.min(axis=0).clip(0), outline.max(axis=0)
        if left >= columns.stop or right < columns.start or top >= rows.stop or bottom < rows.start:
            continue
        left, top = min(int(left), columns.start), min(int(top), rows.start)
        end = min(max(int(bottom) + 1, rows.stop), shape[0]), min(max(int(right) + 1, columns.stop), shape[1])
        whole = np.zeros((end[0] - top, end[1] - left), np.uint8)
        cv2.fillConvexPoly(whole, outline - (left, top), (1,))
        drawn |= whole[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    return drawn


def _part_round(mask: Mask, by_mm: float) -> Part:
    """The rows and columns of a view in which a mask (H, W) is set, or will be once it is widened."""
    reach = round(by_mm * VIEW_PX_PER_MM) + 1
    return part_round(mask, reach) or (slice(0, reach), slice(0, reach))


def _narrowed(mask: Mask, by_mm: float) -> Mask:
    return np.asarray(1 - _widened(np.asarray(1 - mask, np.uint8), by_mm), dtype=np.uint8)


def _widened(mask: Mask, by_mm: float) -> Mask:
    return widened(mask, by_mm, VIEW_PX_PER_MM)
