"""Where might a card lie, whatever is printed on it? Where straight edges are its sides.

What differs from the empty table is a card, a hand or a stranger. A card has straight sides of known length and right
corners. Each straight segment there is taken for a part of a side, each end of it and each place where another
crosses it squarely for a corner: that leaves a few places for a card. Each is held against the picture along all four
sides. Sides may lie under other cards, and under cards not yet known; but where bare floor lies outside, a side shows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.side_calls import FloorAbove, bare_under, sides_said, sloping
from arena_cam.vision.picture.robust import median
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.line_segments import ColourView, straight_segments

Mask = NDArray[np.uint8]

_SQUARE_DEG = 5.0  # sides of a card that lies flat meet at a right angle; seen leaning, nearly
_REACH_MM = 14.0  # so far from a segment's end a corner may be that it leads to: the corner may be covered
_MOST_SEGMENTS = 160
_SAMPLES_MM = 4.0  # along the sides
_OFF_MM = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # where a side is looked for, across it
_OUTSIDE_MM, _INSIDE_MM = 3.5, 3.5  # from a side, to say what lies there: the rim of the change is blurred by less
# What a sample of a side says (nats) that shows an edge, that shows none where a card not yet known may lie over it,
# and that shows none though bare floor lies outside. Samples are correlated: two are one.
_EDGE_NATS, _NO_EDGE_NATS, _BARE_NATS = 0.6, -0.35, -1.2
_UNLIKE, _SURELY = 0.35, 0.65  # the slope of no edge and that of an edge, as a share of it and of what noise makes
SIDE_REACHES_MM = _INSIDE_MM + float(_OFF_MM.max()) + 1.0  # of what is asked about a side, with the slope's two pixels
_RULES = np.array([_OUTSIDE_MM, _INSIDE_MM, _EDGE_NATS, _NO_EDGE_NATS, _BARE_NATS, _UNLIKE, _SURELY])
_LEAST_NATS = 4.0
# Of what would be seen of a card so much may look like the bare floor: a grey card on grey cardboard does where the
# light on both is alike.
_MOST_BARE = 0.5
_APART_MM, _APART_DEG = 5.0, 6.0


class SidesInView:
    """The straight edges of one frame's view from above, by which cards are guessed as often as more of it is known:
    `segments` (N, 2, 2), their ends in mm in the plane at GUESS_HEIGHT_MM."""

    def __init__(
        self,
        view: ColourView,
        changed: Mask,
        bare: Mask,
        deck: Deck,
        asked: Mask | None = None,
        beyond: Mask | None = None,
    ) -> None:
        """`changed` and `bare` (h, w), of any scale: where the view differs from the empty table, and where it shows
        the same. `asked` (h, w): where edges are looked for; None is wherever it differs. `beyond` (h, w): beyond the
        picture and at its border, which is no edge."""
        self._view, self._deck = view, deck
        size = view.bgr.shape[1::-1]
        self._bare = _scaled(bare, size)
        self._known = np.maximum(self._bare, _scaled(changed, size))
        where = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((_SPECK, _SPECK), np.uint8))
        where = _mask(where) if asked is None else _mask(where) & asked
        near = _scaled(_mask(cv2.dilate(where, np.ones((_ROUND, _ROUND), np.uint8))), size)
        self.segments = straight_segments(view, near, _MOST_SEGMENTS)
        if beyond is not None and len(self.segments):
            at_border = _of(view, _scaled(beyond, size), self.segments).all(axis=1)
            self.segments = self.segments[~at_border]
        self._places = _hypotheses(self.segments, deck) if len(self.segments) else np.empty((0, 3))
        self._slopes = _Slopes.of(view, _around(view, self._places, deck), self._bare)

    def places_of_cards(self, claimed: Mask, most: int = 12) -> list[tuple[CardPose, float]]:
        """Poses, flat, that cards may have whose sides show where no card is `claimed` (h, w), of any scale, to be
        seen; the likeliest first, each with what its sides say for it (nats). Which way up is left open: each stands
        for its half turn too."""
        if not len(self._places):
            return []
        view, deck = self._view, self._deck
        claimed = _scaled(claimed, view.bgr.shape[1::-1])
        around = FloorAbove(view.left_mm, view.top_mm, view.px_per_mm, self._bare, self._known, claimed)
        places = self._places[_is_no_floor(view, around, self._places, deck)]
        likely = _likeliest(_support(view, self._slopes, around, places, deck, 3))[: 40 * most]
        places = places[likely]
        nats = _support(view, self._slopes, around, places, deck, 1)
        found: list[tuple[CardPose, float]] = []
        taken: list[tuple[float, float, float]] = []
        for number in _likeliest(nats):
            if nats[number] < _LEAST_NATS or len(found) == most:
                break
            x, y, degrees = places[number].tolist()
            if not any(_is_near((x, y, degrees), place) for place in taken):
                found.append((CardPose.flat(x, y, degrees, GUESS_HEIGHT_MM), float(nats[number])))
                taken.append((x, y, degrees))
        return found


def _is_near(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
    """Whether two places, x, y (mm) and direction (deg), are those of one card, whichever way up: of plain numbers, as
    most of a hundred places are near one that is likelier."""
    return math.hypot(a[0] - b[0], a[1] - b[1]) < _APART_MM and abs((a[2] - b[2] + 90.0) % 180.0 - 90.0) < _APART_DEG


def _likeliest(nats: Array) -> NDArray[np.intp]:
    """The numbers (N,) of places in the order of their evidence, as they stand where but rounding tells them apart."""
    return np.argsort(-np.round(nats, _DECIMALS), kind="stable")


_DECIMALS = 4  # numpy has slopes in single precision
SIDES_PX_PER_MM = 1.5
_SPECK, _ROUND = 5, 13  # pixels of the changes: what is smaller is no card; and a side lies no farther from one


def _mask(mask: NDArray[Any]) -> Mask:
    return np.asarray(mask, dtype=np.uint8)


def _scaled(mask: Mask, size: tuple[int, int]) -> Mask:
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)


def _hypotheses(segments: Array, deck: Deck) -> Array:
    """Places (N, 3): x, y (mm) and direction (deg) of cards that have a segment for a part of a side, and a corner at
    its end or where another crosses it squarely."""
    corners = np.concatenate([_at_ends(segments, deck.corner_radius_mm), _at_crossings(segments)])
    corner, along, across = corners[:, :2], corners[:, 2:4], corners[:, 4:6]
    found = []
    for first, second, turn in ((deck.width_mm, deck.height_mm, 0.0), (deck.height_mm, deck.width_mm, 90.0)):
        middle = corner + along * (first / 2) + across * (second / 2)
        degrees = np.degrees(np.arctan2(along[:, 1], along[:, 0])) + turn
        found.append(np.column_stack([middle, (degrees + 90.0) % 180.0 - 90.0]))
    return np.concatenate(found)


def _at_ends(segments: Array, radius_mm: float) -> Array:
    """Corners (N, 6): place, direction of one side, direction of the other. A side's straight part ends where the
    corner begins to be round."""
    along = segments[:, 1] - segments[:, 0]
    unit = along / np.hypot(*along.T)[:, None]
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    found = []
    for end, way in ((0, 1.0), (1, -1.0)):
        corner = segments[:, end] - way * radius_mm * unit
        found += [np.column_stack([corner, way * unit, side * normal]) for side in (1.0, -1.0)]
    return np.concatenate(found)


def _at_crossings(segments: Array) -> Array:
    """Corners (N, 6), as `_at_ends`, where two segments that are square to each other meet, or would."""
    along = segments[:, 1] - segments[:, 0]
    length = np.hypot(*along.T)
    unit = along / length[:, None]
    cosine = unit @ unit.T
    i, j = np.nonzero(np.triu(np.abs(cosine) < np.sin(np.radians(_SQUARE_DEG)), 1))
    gap = segments[j, 0] - segments[i, 0]
    determinant = unit[i, 0] * unit[j, 1] - unit[i, 1] * unit[j, 0]
    at_i = (gap[:, 0] * unit[j, 1] - gap[:, 1] * unit[j, 0]) / determinant
    at_j = (gap[:, 0] * unit[i, 1] - gap[:, 1] * unit[i, 0]) / determinant
    found = []
    for way_i, off_i in ((1.0, at_i), (-1.0, length[i] - at_i)):
        for way_j, off_j in ((1.0, at_j), (-1.0, length[j] - at_j)):
            here = (np.abs(off_i) < _REACH_MM) & (np.abs(off_j) < _REACH_MM)
            if not here.any():
                continue
            corner = segments[i, 0] + at_i[:, None] * unit[i]
            # the longer of both shows the direction
            longer = (length[i] >= length[j])[:, None]
            first = way_i * unit[i]
            square = np.stack([-unit[j, 1], unit[j, 0]], axis=1) * way_j
            square *= np.sign((square * first).sum(axis=1))[:, None]
            side = np.where(longer, first, square)
            other = np.stack([-side[:, 1], side[:, 0]], axis=1)
            other *= np.sign((other * way_j * unit[j]).sum(axis=1))[:, None]
            found.append(np.column_stack([corner, side, other])[here])
    return np.concatenate(found) if found else np.empty((0, 6))


@dataclass(frozen=True, eq=False)
class _Slopes:
    """How steep the view is (H, W), right and down, in the channel where it is steepest; `faint`: what noise does. They
    are known where they were asked for."""

    right: NDArray[np.float32]
    down: NDArray[np.float32]
    faint: float

    @staticmethod
    def of(view: ColourView, within: tuple[slice, slice], bare: Mask) -> _Slopes:
        """`within` these rows and columns; `bare` (H, W) is 1 where the view shows the floor.

        Floor with a grain is steep everywhere: where it is steeper than most of the view, slopes there say as much
        less. On cork beside a smooth table the noise was the table's: wherever a card was thought to lie two thirds of
        its sides showed an edge, and a brown one, of 12 guesses none."""
        compiled = sloping(view.bgr, _EVERY_PX, within)
        right, down, some = _slopes_in_numpy(view) if compiled is None else compiled
        faint = 2.0 * median(some) + _FAINT
        share = _less_in_grain(some, bare[::_EVERY_PX, ::_EVERY_PX], faint)
        if share.size and float(share.min()) < 1.0:
            size = view.bgr.shape[1::-1]
            part = np.asarray(cv2.resize(share, size, interpolation=cv2.INTER_LINEAR), np.float32)[within]
            right[within] *= part
            down[within] *= part
        return _Slopes(right, down, faint)


def _slopes_in_numpy(view: ColourView) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    right, down, steep = _sloping(view.bgr[:, :, 0])
    for channel in (1, 2):
        *slopes, steeper = _sloping(view.bgr[:, :, channel])
        more = cv2.compare(steeper, steep, cv2.CMP_GT)
        for of, where in zip((*slopes, steeper), (right, down, steep), strict=True):
            cv2.copyTo(of, more, where)
    return right, down, np.sqrt(steep[::_EVERY_PX, ::_EVERY_PX])


def _less_in_grain(some: NDArray[np.float32], bare: Mask, faint: float) -> NDArray[np.float32]:
    """What noise does in all of the view, `faint`, as a share (h, w), 1 at most, of what the floor's grain does round
    about: by how steep `some` (h, w) of the view is where it is `bare` (h, w)."""
    is_bare = bare.astype(np.float32)
    size = (2 * round(_GRAIN_MM * SIDES_PX_PER_MM / _EVERY_PX / 2) + 1,) * 2
    near, steep = (cv2.blur(part, size, borderType=cv2.BORDER_CONSTANT) for part in (is_bare, some * is_bare))
    everywhere = float(steep.sum()) / max(float(near.sum()), 1.0)
    grain = (steep + _HARDLY * everywhere) / (near + _HARDLY)
    return np.asarray(np.minimum(1.0, _ROUGHER * faint / (2.0 * grain + _FAINT)), np.float32)


def _around(view: ColourView, places: Array, deck: Deck) -> tuple[slice, slice]:
    """The rows and columns of a view that hold the cards at `places` (N, 3), and what is looked at beside their
    sides."""
    if not len(places):
        return slice(0, 0), slice(0, 0)
    reach_mm = float(np.hypot(deck.width_mm, deck.height_mm)) / 2 + max(_OUTSIDE_MM, float(_OFF_MM.max()))
    ends = np.stack([places[:, :2].min(axis=0) - reach_mm, places[:, :2].max(axis=0) + reach_mm])
    columns, rows = (_pixels(view, ends)[way] for way in (0, 1))
    return slice(int(rows.min()), int(rows.max()) + 1), slice(int(columns.min()), int(columns.max()) + 1)


_FAINT = 0.5  # grey levels a pixel: in an even picture JPEG makes as much
_EVERY_PX = 4  # so many pixels tell the noise of all
_GRAIN_MM, _HARDLY = 60.0, 0.02  # the floor's grain is told round about; the share of bare floor that tells little
# Grain counts from so many times the noise of all of the view on: that of cork beside a smooth table is well above
# that. A mean is above a median of the same noise, and where all slopes said a little less, guesses came in another
# order: of 15 pictures a card that leaned by 20 degrees was laid at 5, and a back was lost.
_ROUGHER = 2.0


def _sloping(channel: Mask) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """How steep one channel (H, W) is right, down and, squared, altogether."""
    right, down = (
        np.asarray(cv2.Sobel(np.ascontiguousarray(channel), cv2.CV_32F, *way, scale=0.125), np.float32)
        for way in ((1, 0), (0, 1))
    )
    steep = right * right
    steep += down * down
    return right, down, steep


def _support(view: ColourView, slopes: _Slopes, around: FloorAbove, places: Array, deck: Deck, every: int) -> Array:
    """The evidence (N,), in nats, of the sides of cards at `places` (N, 3), from every so many of the samples."""
    samples, normals = (part[::every] for part in _sides(deck))
    compiled = sides_said(
        around, (slopes.right, slopes.down, slopes.faint), places, (samples, normals), _OFF_MM, _RULES
    )
    if compiled is not None:
        return every * compiled
    turn = _turned(places)
    at = samples @ turn.transpose(0, 2, 1) + places[:, None, :2]
    out = normals @ turn.transpose(0, 2, 1)
    steepest = np.zeros(at.shape[:2], np.float32)
    for off in _OFF_MM:
        column, row = _pixels(view, at + off * out)
        across = slopes.right[row, column] * out[:, :, 0] - slopes.down[row, column] * out[:, :, 1]
        np.maximum(steepest, np.abs(across), out=steepest)
    shown = steepest / (steepest + slopes.faint)
    free = _of(view, around.claimed, at - _INSIDE_MM * out) == 0
    bare = _of(view, around.bare, at + _OUTSIDE_MM * out) > 0
    none = np.where(bare, _BARE_NATS, _NO_EDGE_NATS)
    edge = np.clip((shown - _UNLIKE) / (_SURELY - _UNLIKE), 0.0, 1.0)
    nats = every * ((edge * _EDGE_NATS + (1 - edge) * none) * free).sum(axis=1)
    return np.asarray(nats)


def _turned(places: Array) -> Array:
    """The rotations (N, 2, 2) of cards at `places` (N, 3)."""
    c, s = np.cos(np.radians(places[:, 2])), np.sin(np.radians(places[:, 2]))
    return np.stack([np.stack([c, -s], axis=1), np.stack([s, c], axis=1)], axis=1)


def _is_no_floor(view: ColourView, around: FloorAbove, places: Array, deck: Deck) -> NDArray[np.bool_]:
    """Whether the visible part of each card (N,) would mostly not be bare floor, and is not empty."""
    u, v = np.meshgrid((np.arange(5) - 2) / 5 * deck.width_mm, (np.arange(7) - 3) / 7 * deck.height_mm)
    grid = np.stack([u.ravel(), v.ravel()], axis=1)
    seen, is_bare = bare_under(around, places, grid) or _bare_under(view, around, places, grid)
    return np.asarray((seen >= 2) & (is_bare <= _MOST_BARE * seen))


def _bare_under(
    view: ColourView, around: FloorAbove, places: Array, points: Array
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of the `points` (P, 2) of cards at `places` (N, 3) how many (N,) are seen, and how many of these are bare."""
    at = points @ _turned(places).transpose(0, 2, 1) + places[:, None, :2]
    known, claimed, bare = (_of(view, mask, at) > 0 for mask in (around.known, around.claimed, around.bare))
    return (known & ~claimed).sum(axis=1), (bare & ~claimed).sum(axis=1)


def _sides(deck: Deck) -> tuple[Array, Array]:
    """Places (N, 2) along a card's straight sides, card frame, and the directions (N, 2) that lead outwards there."""
    x, y, r = deck.width_mm / 2, deck.height_mm / 2, deck.corner_radius_mm
    across = np.linspace(r - x, x - r, round((2 * (x - r)) / _SAMPLES_MM) + 1)
    along = np.linspace(r - y, y - r, round((2 * (y - r)) / _SAMPLES_MM) + 1)
    sides = [(np.full_like(along, way * x), along, way, 0.0) for way in (1.0, -1.0)]
    sides += [(across, np.full_like(across, way * y), 0.0, way) for way in (1.0, -1.0)]
    samples = np.concatenate([np.stack([u, v], axis=1) for u, v, _, _ in sides])
    normals = np.concatenate([np.tile([[p, q]], (len(u), 1)) for u, _, p, q in sides])
    return samples, normals


def _pixels(view: ColourView, places: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    height, width = view.bgr.shape[:2]
    at = np.round(view.pixels(places)).astype(np.intp)
    return at[..., 0].clip(0, width - 1), at[..., 1].clip(0, height - 1)


def _of(view: ColourView, mask: Mask, places: Array) -> NDArray[np.uint8]:
    column, row = _pixels(view, places)
    return np.asarray(mask[row, column])
