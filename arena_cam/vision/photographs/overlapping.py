"""Which of two overlapping cards of any pack lies above: the upper one's edges and its index are seen in the lower; and
how much of each is in view then."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import Lie
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard
from arena_cam.vision.photographs.laying_order import margins
from arena_cam.vision.photographs.singly.overlaps import filled
from arena_cam.vision.picture.robust import median, medians
from arena_cam.vision.picture.sampling import sample_at

_LEAST_OVERLAP_MM2 = 8.0  # outlines are off by a millimetre: what shares less may only touch
_OFF_MM = 1.5  # by which a card may lie beside where it is thought
_HALF_AN_INDEX_MM = 2.5  # ranks are 6 mm high and more, and most are as wide as that
_OUTLINED = 3.0  # sides
_A_SIDE = 1.0  # and more: of a card much is seen, of print on another that has the look of an index little
_ASKED_MM2 = 60.0  # a smaller overlap is none worth a question
# A side is looked at in pieces so long (mm), where it runs inside the other card, off its own corners and that card's
# sides.
_PIECE_MM, _OFF_CORNER_MM, _WITHIN_MM, _STEP_MM, _EDGE_MM, _ACROSS = 8, 3.0, 1.2, 1.0, 1.2, 7
# An edge is one step all along a piece, and print is not: what is seen across it, at the median point, is compared
# with how unlike that the points are, and with half a grey level. Of 1357 pieces of sides that are seen 1 % have less
# than 1.2 times that, of 1199 that lie under the other card 90 %; of packs printed on black, whose edges are steps of 3
# to 20 levels, 9 % of 176 and 84 % of 135. The odds are 20 to one from 0.4 and 3.5 on, and more on white paper. Of a
# piece that is seen and one that is not this told 99 % of pairs apart on white and 94 % on black; a step alone, however
# unlike along the piece, 94 and 87 %. Of fewer points than four it is not known how unlike they are: as of most edges.
_LEVELS, _EVEN, _NATS, _MOST_NATS, _FEW, _UNLIKE = 0.5, 1.4, 2.5, 3.0, 4, 1.5
_INDEX_NATS = 8.0  # an index is seen where its card is not covered
_TOLD_NATS = 2.0

_LONGEST_PX = 640  # of the picture in which shares are counted: a card in it has some thousand pixels

# Of a piece of a side the grey levels (N, 7) across it, and the third cards that lie at those N points, as bits.
Piece = tuple[Array, NDArray[np.int_]]


@dataclass(frozen=True, eq=False)
class Order:
    """Pairs (upper, lower) of some `cards`, and pairs of which it cannot be told."""

    cards: tuple[IndexedCard, ...]
    told: list[tuple[int, int]]
    untold: list[tuple[int, int]]

    def is_of(self, cards: Sequence[IndexedCard]) -> bool:
        """Whether it is that of other cards, too: they are the same, lie there, and bear those indices."""
        return len(cards) == len(self.cards) and all(
            one.card == other.card and one.pose is other.pose and one.indices == other.indices
            for one, other in zip(cards, self.cards, strict=True)
        )


def overlaps(
    image: NDArray[np.uint8], camera: Camera, cards: Sequence[IndexedCard], size: tuple[float, float]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs (upper, lower), and pairs of which it cannot be told. The upper card's index and edges are seen in the
    lower, but where a third lies over both; of all orders of the cards the one that explains most is meant."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    outlines = [card.pose.corners(*size)[:, :2].astype(np.float32) for card in cards]
    areas = _shared_areas(outlines)
    pieces = {pair: _pieces(grey, camera, outlines, *pair) for a, b in areas for pair in ((a, b), (b, a))}
    hiding = {pair: _hiding(those) for pair, those in pieces.items()}
    interleaved = {
        (a, b)
        for a, b in areas
        if _are_interleaved(cards[a], cards[b], size) or _are_interleaved(cards[b], cards[a], size)
    }
    indices = {(a, b): _index_covers(cards[a], cards[b], size) for pair in areas for a, b in (pair, pair[::-1])}

    @cache
    def edge_nats(a: int, b: int, above: int) -> float:
        return _edge_nats(pieces[a, b], pieces[b, a], above)

    def support(a: int, b: int, above: int) -> float:
        if {(a, b), (b, a)} & interleaved:
            return 0.0
        hide = above & (hiding[a, b] | hiding[b, a])
        edges = edge_nats(a, b, hide) if a > b else -edge_nats(b, a, hide)
        return edges + _INDEX_NATS * (indices[a, b] - indices[b, a])

    told, untold = [], []
    for (upper, lower), nats in margins(len(cards), list(areas), support).items():
        pair = (upper, lower) if (upper, lower) in areas else (lower, upper)
        if nats > _TOLD_NATS:
            told.append((upper, lower))
        elif areas[pair] > _ASKED_MM2 or pair in interleaved:
            untold.append(pair)
    return told, untold


def _shared_areas(outlines: Sequence[NDArray[np.float32]]) -> dict[tuple[int, int], float]:
    """The area (mm2) that each pair of outlines (4, 2) shares, if they overlap; of each pair the later card first."""
    areas = {}
    for a in range(len(outlines)):
        for b in range(a):
            area, _ = cv2.intersectConvexConvex(outlines[a].reshape(-1, 1, 2), outlines[b].reshape(-1, 1, 2))
            if area >= _LEAST_OVERLAP_MM2:
                areas[a, b] = float(area)
    return areas


def without_interleaved(
    cards: Sequence[IndexedCard], size: tuple[float, float]
) -> tuple[list[IndexedCard], list[IndexedCard]]:
    """The cards, and those that are none. Sheets cannot lie each over the other: where a card's index is seen within
    another's outline, and that one's within its own, the first is a mark, made of the other's print, if less of its
    indices and sides is seen, by a side or more. Of two as good both are kept, to be asked about."""
    gone: set[int] = set()
    for a in sorted(range(len(cards)), key=lambda n: _seen_of(cards[n])):
        for b in range(len(cards)):
            if a == b or b in gone or _seen_of(cards[b]) - _seen_of(cards[a]) < _A_SIDE:
                continue
            if _are_interleaved(cards[a], cards[b], size):
                gone.add(a)
                break
    return [card for n, card in enumerate(cards) if n not in gone], [cards[n] for n in sorted(gone)]


def _seen_of(card: IndexedCard) -> float:
    """How much is seen of a card, in sides: a second index is at its place by chance as seldom as two sides are."""
    return card.sides + 2.0 * (len(card.indices) - 1)


def _are_interleaved(card: IndexedCard, other: IndexedCard, size: tuple[float, float]) -> bool:
    """Whether each of two bears an index over the other, the first all of its own from end to end: a half covered index
    begins beside what covers it. The line of a border beneath it may be read as one, so half its width is enough, but
    of a card that shows its own corner and three sides: a rim of the other's index may lie beneath that."""
    beside = all(_reach(_points(index, 0.0), other, size) < _OFF_MM for index in card.indices)
    wide = 0.0 if card.cornered and card.sides >= _OUTLINED else _HALF_AN_INDEX_MM
    return beside and _index_covers(card, other, size, wide) and _index_covers(other, card, size, wide)


def _index_covers(card: IndexedCard, other: IndexedCard, size: tuple[float, float], wide_mm: float = 0.0) -> bool:
    """Whether an index of a card, `wide_mm` to either side of its line, is seen where the other one lies, too: then the
    card is the upper."""
    own = (index for index in card.indices if index.card == card.card)  # of a covered one a part reads otherwise
    return any(_reach(point[None], other, size) < -_OFF_MM for index in own for point in _points(index, wide_mm))


def _points(index: SeenIndex, wide_mm: float) -> Array:
    """Points (N, 2) of an index: its ends and its middle, and so far to either side of them."""
    down = index.bottom - index.top
    across = wide_mm / max(float(np.hypot(*down)), 1e-6) * np.array([-down[1], down[0]])
    line = (index.top, index.middle, index.bottom)
    return np.array([point + way * across for point in line for way in ((-1, 0, 1) if wide_mm else (0,))])


def _reach(points: Array, card: IndexedCard, size: tuple[float, float]) -> float:
    """How far (mm) the points (N, 2) reach out of a card at most; negative: how far they all lie within it."""
    local = (np.column_stack([points, np.zeros(len(points))]) - card.pose.centre_mm) @ card.pose.R
    return float((np.abs(local[:, :2]) - np.array(size) / 2).max())


def _pieces(
    grey: NDArray[np.float32], camera: Camera, outlines: Sequence[NDArray[np.float32]], one: int, other: int
) -> list[Piece]:
    """The sides of an outline where they run inside another, a piece at a time."""
    found = []
    for p, q in zip(outlines[one], np.roll(outlines[one], -1, axis=0), strict=True):
        long = float(np.hypot(*(q - p)))
        along = (q - p) / long
        across = np.array([-along[1], along[0]])
        at = p + np.arange(_OFF_CORNER_MM, long - _OFF_CORNER_MM, _STEP_MM)[:, None] * along
        at = at[_depths(at, outlines[other]) > _WITHIN_MM]
        if not len(at):
            continue
        lines = at[:, None] + np.linspace(-_EDGE_MM, _EDGE_MM, _ACROSS)[:, None] * across
        pixels = camera.project(np.column_stack([lines.reshape(-1, 2), np.zeros(lines.size // 2)]))
        levels = sample_at(grey, pixels.T).reshape(-1, _ACROSS)
        in_picture = np.isfinite(levels).all(axis=1)
        at, levels = at[in_picture], levels[in_picture]
        thirds = np.zeros(len(at), int)
        for n, outline in enumerate(outlines):
            if n not in (one, other):
                thirds |= (_depths(at, outline) > -_OFF_MM).astype(int) << n
        found += [(levels[i : i + _PIECE_MM], thirds[i : i + _PIECE_MM]) for i in range(0, len(at), _PIECE_MM)]
    return found


def _depths(points: Array, outline: NDArray[np.float32]) -> Array:
    """How far (mm) each of the points (N, 2) lies within a rectangle (4, 2); negative: outside, at least so far."""
    sides = np.roll(outline, -1, axis=0) - outline
    inward = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / np.hypot(*sides.T)[:, None]
    return np.asarray(((points[:, None] - outline) * inward).sum(axis=2).min(axis=1))


def _edge_nats(one: Sequence[Piece], other: Sequence[Piece], above: int) -> float:
    """How much more the pieces of one card's sides speak for an edge than those of the other's do, where none of the
    cards `above` (bits) hides them. Where neither card's sides are seen the light shows no edges: then neither their
    lengths nor that one of them is hidden says anything."""
    (mine, long), (yours, far) = (_seen_nats(pieces, above) for pieces in (one, other))
    mine, yours = _with_unseen(mine, long, yours, far), _with_unseen(yours, far, mine, long)
    long, far = max(long, 1.0), max(far, 1.0)
    return (mine / long - yours / far) * 2.0 * long * far / (long + far)


def _hiding(pieces: Sequence[Piece]) -> int:
    """The third cards, as bits, that hide any point of the pieces if they lie above."""
    return int(np.bitwise_or.reduce(np.concatenate([thirds for _, thirds in pieces]))) if pieces else 0


def _with_unseen(nats: float, long: float, others_nats: float, others: float) -> float:
    """The nats of less than a piece that is in view, made up to a piece: what is hidden is as blank as the other's."""
    return nats + max(1.0 - long, 0.0) * min(others_nats / max(others, 1.0), 0.0)


def _seen_nats(pieces: Sequence[Piece], above: int) -> tuple[float, float]:
    """The nats for an edge in what is in view of the pieces, and how many pieces that is."""
    nats = count = 0.0
    for levels, thirds in pieces:
        free = levels[(thirds & above) == 0]
        if len(free):
            across = medians(free)
            unlike = max(median(np.ptp(free - across, axis=1)), _UNLIKE if len(free) < _FEW else 0.0)
            step = max(float(np.ptp(across)) / (unlike + _LEVELS), 1e-3)
            nats += float(np.clip(_NATS * np.log(step / _EVEN), -_MOST_NATS, _MOST_NATS)) * len(free) / _PIECE_MM
            count += len(free) / _PIECE_MM
    return nats, count


def with_shares_in_view(
    lies: Sequence[Lie], covers: Collection[tuple[str, str]], size: tuple[int, int]
) -> tuple[Lie, ...]:
    """The lies, each with the share (0..1) of its card that lies in the picture of `size` (w, h) px and beneath none of
    the cards that are said to cover it: `covers` holds the keys of each upper and lower card."""
    scale = min(1.0, _LONGEST_PX / max(size))
    small = (round(size[0] * scale), round(size[1] * scale))
    outlines = {lie.key: np.array(lie.corners_px) * scale for lie in lies}
    drawn = {key: filled(outline, small) for key, outline in outlines.items()}
    shares = {}
    for key, outline in outlines.items():
        seen = drawn[key].copy()
        for upper in (upper for upper, lower in covers if lower == key and upper in drawn):
            seen &= ~drawn[upper]
        width, height = (int(side) + 2 for side in np.ceil(np.ptp(outline, axis=0)))
        whole = filled(outline - np.floor(outline.min(axis=0)), (width, height))
        shares[key] = min(1.0, float(seen.sum()) / max(float(whole.sum()), 1.0))
    return tuple(replace(lie, visible_fraction=shares[lie.key]) for lie in lies)
