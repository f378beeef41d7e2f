"""Cards of any pack brought to where their sides are seen, and what speaks for each there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed.index_views import moved
from arena_cam.vision.photographs.indexed.indexed_cards import LIKELIER_THAN_NOT, IndexedCard, joined, touches
from arena_cam.vision.photographs.indexed.leftovers import Patch, places_beside, whole_cards
from arena_cam.vision.photographs.indexed.papers import ONLY_CLOTH, places_among
from arena_cam.vision.picture.sampling import sample_at
from arena_cam.vision.planes.bundle_adjustment import INSET_MM, OutlineFit, PlacedCard, fit_outlines
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.planes.side_search import HALVES, SeenSide, find_sides

_ON_SIDE_MM = 1.0  # a side is seen where the fit has it
# Of a card that lies under another so exactly no index is in full view.
_SAME_MM, _SAME_DEG = 17.0, 6.0
_HALF_TURN_DEG = 25.0
# What the outline says, in nats for a card that lies there and against a mark that was taken for an index: a card
# nearly always shows its corner and five halves of its sides, a mark seldom. Set by hand on 28 pictures, not by a fit.
_CORNER, _NO_CORNER, _FIVE_HALVES, _FEW_HALVES = 1.0, -1.6, 1.7, -2.2
_HALVES = 2.5  # sides
# All indices of a pack are as high (mm); other marks have any height within some 20 mm.
_HEIGHT_SD_MM, _HEIGHTS_MM, _MOST_SD = 0.9, 20.0, 3.5
# A suit takes at most 0.6 of an index; where half of that is covered the index is so much lower.
_LEAST_IN_VIEW = 0.7
_WELL_READ = 0.9
_PLAINLY_READ = 0.99  # a card's other print is hardly ever read as an index so surely
# Of a card's corner, across and along, what holds its index (mm); and where an index has its rank, from its top.
_CORNER_MM, _RANK_AT = (14.0, 27.0), 0.25
# Indices of drawn cards were turned by less than this against their cards, on planes some degrees off, too.
_OWN_INDEX_DEG = 12.0
# On planes that were right the indices at the ends of 106 cards were 0 to 2.7 mm unlike far from them, on planes that
# were not 9.9 mm and more.
_UNEVEN_MM = 5.0
# A card that is not among those found shows a corner and so many halves of its sides within so much of where a corner
# of the picture puts it.
# One whose corner is inside a card that was found lies over it, and shows more.
_UNEXPLAINED, _ABOVE, _LOOKED_AT_MM, _WITHIN_MM, _APART_MM, _MOST_PLACES = 4, 6, 2.0, 3.0, 35.0, 36
# Places nearer than the first are one; a known outline is off by the second; a millimetre costs so much of half a side.
# So far within its sides a card is blank, and there of one brightness to this share, but for a shadow on a part; it
# differs from the table as much as the other cards do, but for a half.
_MARGIN_MM, _MARGIN_POINTS, _MARGIN_SPREAD, _AS_PLAIN = 1.6, 9, 0.14, 0.5
_MOVED_MM, _KNOWN_SIDE_MM, _OFF_COSTS = 3.0, 0.5, 0.5
# Where on a side points of its first half are, 0 at its beginning and 1 at its end: one is hidden, and much of it is.
_ALONG_HALF = (0.1, 0.25, 0.4)
_BENEATH_MM = 2 * _ON_SIDE_MM  # within a card's sides: two sides, each seen where the fit has it, are no nearer
# Half a side that is in the picture and not seen costs so much of one: a card that the picture cuts off, laid across,
# would else be as good as laid along. Only places are compared, so that cards above it count alike.
_UNSEEN_COSTS = 0.5


def fit_to_sides(
    grey: NDArray[np.float32],
    camera: Camera,
    cards: Sequence[IndexedCard],
    card_mm: tuple[float, float],
    widths_mm: Sequence[float] = (),
    *,
    camera_is_known: bool = False,
) -> tuple[OutlineFit, list[IndexedCard]]:
    """The plane and the cards where their sides are seen; two that come to lie in one place are one."""
    placed = [PlacedCard(card.pose, tuple(index.top for index in card.indices)) for card in cards]
    fit = fit_outlines(grey, camera, placed, card_mm, widths_mm, camera_is_known=camera_is_known)
    settled: list[IndexedCard] = []
    for n, card in enumerate(cards):
        own = [side for side in fit.sides if side.card == n and abs(side.off_mm) < _ON_SIDE_MM]
        indices = tuple(moved(index, camera, fit.camera) for index in card.indices)
        halves = frozenset((side.side, side.half) for side in own)
        card = replace(card, pose=fit.poses[n], indices=indices, halves=halves, cornered=_has_corner(halves))
        same = next((k for k, other in enumerate(settled) if _may_be_one(card, other)), None)
        if same is None:
            settled.append(card)
        else:
            settled[same] = joined(settled[same], card)
    return fit, settled


def _may_be_one(card: IndexedCard, other: IndexedCard) -> bool:
    """Whether two lie in one place and do not plainly bear two names."""
    contradict = card.card != other.card and min(card.probability, other.probability) > _WELL_READ
    return not contradict and _is_one_place(card.pose, other.pose)


def in_one_place(cards: Sequence[IndexedCard]) -> set[int]:
    """The numbers of cards that lie in one place with another: one of them is not there, or the plane is another."""
    return {
        n
        for n, card in enumerate(cards)
        for other in cards
        if other is not card and _is_one_place(card.pose, other.pose)
    }


def without_half_covered(
    cards: Sequence[IndexedCard], card_mm: tuple[float, float], covers: Collection[tuple[int, int]]
) -> list[int]:
    """The numbers of the cards but those that lie in one place with another and whose index an upper card touches:
    part of that other's second index, which reads as another name. `covers`: (upper, lower)."""
    crowded = in_one_place(cards)
    return [
        n
        for n, card in enumerate(cards)
        if n not in crowded
        or not all(
            any(
                touches(cards[upper], index, card_mm)
                for upper, low in covers
                if low in crowded and upper not in crowded
            )
            for index in card.indices
        )
    ]


def _has_corner(halves: Set[tuple[int, int]]) -> bool:
    """Whether a corner that bears an index is seen, with both its sides."""
    return {(3, 1), (0, 0)} <= halves or {(1, 1), (2, 0)} <= halves


def height_of_indices(cards: Sequence[IndexedCard]) -> float | None:
    """How high (mm) the indices of the pack are; None unless two are read well on cards whose corner is seen."""
    heights = [_height(i) for card in cards if card.cornered for i in card.indices if i.probability > _WELL_READ]
    return float(np.median(heights)) if len(heights) > 1 else None


def as_high(indices: Sequence[SeenIndex], height: float | None) -> list[SeenIndex]:
    """Those of the indices that are as high as the pack's, where that is known."""
    return [i for i in indices if height is None or abs(_height(i) - height) < _MOST_SD * _HEIGHT_SD_MM]


def as_high_in_view(indices: Sequence[SeenIndex], height: float | None) -> list[SeenIndex]:
    """The same, with those that are certain and lower: another card covers a part of their suit."""
    high = {id(index) for index in as_high(indices, height)}
    return [i for i in indices if id(i) in high or (height is not None and _is_certain_part(i, height))]


def _is_certain_part(index: SeenIndex, height: float) -> bool:
    return index.probability > _PLAINLY_READ and _LEAST_IN_VIEW * height < _height(index) < height


def weighed_by_outline(cards: Sequence[IndexedCard], height: float | None) -> list[IndexedCard]:
    """The cards, each weighed by the sides that are seen and by whether its index is as high as the pack's."""
    return [_weighed(card, height) for card in cards]


def without_print(cards: Sequence[IndexedCard], card_mm: tuple[float, float]) -> list[IndexedCard]:
    """The cards but those whose index is print of another that is more certain: a card that lies over it shows more of
    its sides, and where all its indices are likelier none than one, none of the other's sides beneath it.

    Art of a king was an ace with 0.3, and a corner and four sides of the ace were those of a queen and of that king.
    """
    return [card for card in cards if not any(_is_print_of(other, card, card_mm) for other in cards)]


def _is_print_of(other: IndexedCard, card: IndexedCard, card_mm: tuple[float, float]) -> bool:
    """Whether an index of the card is print of the other."""
    inside = [index for index in card.indices if is_inside(index.middle, other.pose, card_mm)]
    if not inside or other.probability <= card.probability:
        return False
    if card.sides < _HALVES:
        return any(index.probability < _PLAINLY_READ for index in inside)
    is_faint = all(index.probability < LIKELIER_THAN_NOT for index in card.indices)
    return is_faint and _shows_side_beneath(other, card, card_mm)


def _shows_side_beneath(other: IndexedCard, card: IndexedCard, card_mm: tuple[float, float]) -> bool:
    """Whether half a side of the other card is seen where a card that lies over it would hide most of it."""
    corners = other.pose.corners(*card_mm)[:, :2]
    along = np.array(_ALONG_HALF)
    places = (
        corners[n] + (along + 0.5 * half)[:, None] * (corners[(n + 1) % 4] - corners[n]) for n, half in other.halves
    )
    return any(np.mean([is_inside(at, card.pose, card_mm, _BENEATH_MM) for at in half]) > 0.5 for half in places)


def unfounded(
    image_bgr: NDArray[np.uint8], camera: Camera, cards: Sequence[IndexedCard], card_mm: tuple[float, float]
) -> frozenset[int]:
    """The numbers of the cards of which one mark, likelier no index than one, says all, where no paper is seen that is
    theirs alone: what is there looks as the cloth round it does, is not blank along its sides, or is other cards'.

    A check has corners and sides where such a card would have them, and so have the cards over which it would lie.
    """
    places = places_among(image_bgr, camera, [card.pose for card in cards], card_mm)
    found = set()
    for n, (card, place) in enumerate(zip(cards, places, strict=True)):
        if len(card.indices) > 1 or card.indices[0].probability >= LIKELIER_THAN_NOT:
            continue
        if not place.is_blank_along_sides(place.paper()) or place.likeness_outside() > ONLY_CLOTH:
            found.add(n)
    return frozenset(found)


def bears(card: IndexedCard, index: SeenIndex, card_mm: tuple[float, float]) -> bool:
    """Whether the rank of an index is where a card bears one, and is that card's, or is turned as it is there: with
    what lies beneath that card's border, or over a part of it, it may read as another. One of another rank that is
    turned otherwise is none of that card's print: it is on a card that lies over that corner."""
    rank = index.top + _RANK_AT * (index.bottom - index.top)
    local = np.abs((np.array([*rank, 0.0]) - card.pose.centre_mm) @ card.pose.R)[:2]
    off = np.array(card_mm) / 2 - local
    turn = abs((index.angle_deg - card.pose.angle_deg + 90.0) % 180.0 - 90.0)
    own = index.card[0] == card.card[0] or turn < _OWN_INDEX_DEG
    return bool(own and (off > 0).all() and (off < np.array(_CORNER_MM)).all())


def is_inside(point: Array, pose: CardPose, card_mm: tuple[float, float], rim_mm: float = 0.0) -> bool:
    """Whether a point (2,) of the plane (mm) lies on the card at `pose`, at least `rim_mm` from its sides."""
    local = (np.array([*point, 0.0]) - pose.centre_mm) @ pose.R
    return bool((np.abs(local[:2]) < np.array(card_mm) / 2 - rim_mm).all())


def _weighed(card: IndexedCard, height: float | None) -> IndexedCard:
    nats = _CORNER if card.cornered else _NO_CORNER
    nats += _FIVE_HALVES if card.sides >= _HALVES else _FEW_HALVES
    if height is not None:
        off = min(abs(_height(index) - height) for index in card.indices) / _HEIGHT_SD_MM
        nats += float(np.log(_HEIGHTS_MM / (_HEIGHT_SD_MM * np.sqrt(2 * np.pi)))) - 0.5 * min(off, _MOST_SD) ** 2
    none = max(1.0 - float(card.probabilities.sum()), 1e-4) * float(np.exp(-nats))
    by_card = card.probabilities / (float(card.probabilities.sum()) + none)
    return replace(card, probabilities=by_card)


def _height(index: SeenIndex) -> float:
    return float(np.hypot(*(index.top - index.bottom)))


def scale_by_twins(cards: Sequence[IndexedCard], height_mm: float) -> float | None:
    """By how much lengths on the plane must grow so that two indices of one name, half a turn apart, are those of one
    card, whether they were taken for two cards' or not; None where there are no such two."""
    pairs = [
        (card.indices[0], other.indices[0])
        for n, card in enumerate(cards)
        for other in cards[:n]
        if card.card == other.card
    ]
    pairs += [(card.indices[0], end) for card in cards for end in card.indices[1:]]
    scales = []
    for a, b in pairs:
        turn = abs((a.angle_deg - b.angle_deg) % 360.0 - 180.0)
        if turn > _HALF_TURN_DEG:
            continue
        up = np.array([-np.sin(np.radians(a.angle_deg)), np.cos(np.radians(a.angle_deg))])
        apart = float((a.top - b.top) @ up)
        if apart > 0:
            scales.append((height_mm - 2 * INSET_MM[1]) / apart)
    return float(np.median(scales)) if scales else None


def has_uneven_ends(card: IndexedCard, card_mm: tuple[float, float]) -> bool:
    """Whether the indices at a card's two ends are unlike far from those ends, or its sides: no pack is printed so,
    and the plane on which the card lies so is of another scale or tilt."""
    tops = np.array([[*index.top, 0.0] for index in card.indices])
    local = (tops - card.pose.centre_mm) @ card.pose.R
    inset = np.array(card_mm) / 2 - np.abs(local[:, :2])
    well = np.array([index.probability > _WELL_READ for index in card.indices])
    for axis, counts in ((1, np.ones(len(tops), bool)), (0, well)):  # a doubtful mark may be beside the card's end
        upper, lower = inset[counts & (local[:, 1] > 0), axis], inset[counts & (local[:, 1] <= 0), axis]
        if len(upper) and len(lower) and abs(float(upper.mean() - lower.mean())) > _UNEVEN_MM:
            return True
    return False


@dataclass(frozen=True, eq=False)
class SeenOutline:
    """A place where the picture shows a corner and sides of a card; `has_margin`: beside them it is as blank within as
    cards are, and as unlike what is outside."""

    pose: CardPose
    has_margin: bool


def unexplained_outlines(
    grey: NDArray[np.float32],
    camera: Camera,
    card_mm: tuple[float, float],
    corners: Sequence[Corners],
    outlines_px: Sequence[Array],
    paper: Sequence[Patch],
) -> list[SeenOutline]:
    """Places of cards that none of the outlines (4, 2) is, but whose corner and sides are seen, or a corner and a patch
    of paper within it; those seen best first. Several may be places of one card."""
    places = whole_cards(camera, card_mm, corners, outlines_px)
    whole = len(places)
    for pose in places_beside(corners, camera, card_mm, outlines_px):
        if len(places) < _MOST_PLACES and not any(_is_one_place(pose, other, _MOVED_MM) for other in places):
            places.append(pose)
    known = _on_plane(camera, outlines_px)
    contrast = _contrast(grey, camera, card_mm, outlines_px, known)
    flat = [CardPose(pose.R, pose.centre_mm * [1.0, 1.0, 0.0]) for pose in places]
    sides = find_sides(grey, camera, flat, card_mm, _LOOKED_AT_MM)
    shows: list[tuple[float, SeenOutline]] = []
    for n, pose in enumerate(flat):
        own = [side for side in sides if side.card == n and abs(side.off_mm) < _ON_SIDE_MM]
        own = [side for side in own if not _is_known_side(side, camera, known)]
        beside = any(not _is_in(corner, known) for corner in _corners_seen(own, pose, card_mm))
        paper_seen = any(is_inside(np.array([patch.x_mm, patch.y_mm]), pose, card_mm) for patch in paper)
        least = _UNEXPLAINED if beside else _ABOVE
        if len(own) >= least or (beside and paper_seen):
            at, within, outside = _beside_sides(grey, camera, pose, card_mm, {(side.side, side.half) for side in own})
            free = np.array([not _is_in(point, known) for point in at], bool)
            outline = SeenOutline(pose, _has_margin(within, outside, free, contrast))
            unseen = halves_in_view(grey, camera, pose, card_mm) - len(own)
            fits = sum(1.0 - _OFF_COSTS * abs(side.off_mm) for side in own)
            shows.append(((HALVES if n < whole else 0) + fits - _UNSEEN_COSTS * unseen, outline))
    return [outline for _, outline in sorted(shows, key=lambda each: -each[0])]


def apart(poses: Iterable[CardPose], others: Sequence[CardPose] = ()) -> list[CardPose]:
    """Those of the poses that are places of other cards than those before them and than `others`."""
    found: list[CardPose] = []
    for pose in poses:
        if all(np.hypot(*(pose.centre_mm - other.centre_mm)[:2]) > _APART_MM for other in [*others, *found]):
            found.append(pose)
    return found


def _beside_sides(
    grey: NDArray[np.float32],
    camera: Camera,
    pose: CardPose,
    card_mm: tuple[float, float],
    halves: Collection[tuple[int, int]],
) -> tuple[Array, Array, Array]:
    """Points (N, 2) along the halves (side, half) of a card's sides on the plane, and the grey levels (N,) just within
    and just outside them."""
    corners = pose.corners(*card_mm)[:, :2]
    points, outward = [np.empty((0, 2))], [np.empty((0, 2))]
    for side, half in sorted(halves):
        a, b = corners[side], corners[(side + 1) % 4]
        along = (b - a) / np.hypot(*(b - a))
        t = np.linspace(0.1, 0.45, _MARGIN_POINTS) + 0.45 * half
        points.append(a + t[:, None] * (b - a))
        outward.append(np.tile([-along[1], along[0]], (_MARGIN_POINTS, 1)))
    at, out = np.concatenate(points), _MARGIN_MM * np.concatenate(outward)
    both = np.concatenate([at - out, at + out])
    levels = sample_at(grey, camera.project(np.column_stack([both, np.zeros(len(both))])).T)
    return at, levels[: len(at)], levels[len(at) :]


def _has_margin(within: Array, outside: Array, is_free: NDArray[np.bool_], contrast: float) -> bool:
    """Whether what is seen just within sides is of one brightness, as the margin of a face or a back is, and differs
    from what `is_free` of known cards outside, as much as known cards' margins do. Lines of a chequered cloth, of a
    weave or of marble do not."""
    seen = within[np.isfinite(within)]
    if not len(seen):
        return False
    low, middle, high = np.percentile(seen, [15.0, 50.0, 85.0])
    steps = np.abs(within - outside)[is_free & np.isfinite(within - outside)]
    plain = len(steps) < _MARGIN_POINTS or float(np.median(steps)) > _AS_PLAIN * contrast
    return bool(plain and high - low < _MARGIN_SPREAD * max(middle, 1.0))


def _contrast(
    grey: NDArray[np.float32],
    camera: Camera,
    card_mm: tuple[float, float],
    outlines_px: Sequence[Array],
    known: Sequence[NDArray[np.float32]],
) -> float:
    """By how many grey levels the known cards' margins differ from what lies outside them, where no card does;
    `known`: the same outlines on the plane."""
    every = [(side, half) for side in range(4) for half in range(2)]
    steps = [np.zeros(1)]
    for n, outline in enumerate(outlines_px):
        others = [other for k, other in enumerate(known) if k != n]
        at, within, outside = _beside_sides(grey, camera, _pose_of(camera, outline), card_mm, every)
        free = np.array([not _is_in(point, others) for point in at]) & np.isfinite(within - outside)
        steps.append(np.abs(within - outside)[free])
    return float(np.median(np.concatenate(steps)))


def _on_plane(camera: Camera, outlines_px: Sequence[Array]) -> list[NDArray[np.float32]]:
    return [camera.to_plane(o)[:, :2].astype(np.float32).reshape(-1, 1, 2) for o in outlines_px]


def _pose_of(camera: Camera, outline_px: Array) -> CardPose:
    corners = camera.to_plane(outline_px)[:, :2]
    across, middle = corners[1] - corners[0], corners.mean(axis=0)
    return CardPose.flat(float(middle[0]), float(middle[1]), float(np.degrees(np.arctan2(across[1], across[0]))))


def _is_known_side(side: SeenSide, camera: Camera, outlines: Sequence[NDArray[np.float32]]) -> bool:
    """Whether what is seen is a side of one of the outlines on the plane."""
    points = camera.to_plane(side.seen_px)[:, :2]
    return any(
        all(
            abs(cv2.pointPolygonTest(outline, (float(x), float(y)), True)) < _ON_SIDE_MM + _KNOWN_SIDE_MM
            for x, y in points
        )
        for outline in outlines
    )


def sides_unseen(cards: Sequence[IndexedCard], card_mm: tuple[float, float]) -> list[float]:
    """How many sides of each card, in halves, are not seen though no other card of these can hide them, or the white of
    one be all that is beside them: they lie in the open."""
    outlines = [card.pose.corners(*card_mm)[:, :2].astype(np.float32).reshape(-1, 1, 2) for card in cards]
    unseen = []
    for n, card in enumerate(cards):
        others = outlines[:n] + outlines[n + 1 :]
        corners = card.pose.corners(*card_mm)[:, :2]
        missed = [(side, half) for side in range(4) for half in range(2) if (side, half) not in card.halves]
        along = [np.array(_ALONG_HALF) + 0.5 * half for _, half in missed]
        points = [
            corners[side] + t[:, None] * (corners[(side + 1) % 4] - corners[side])
            for (side, _), t in zip(missed, along, strict=True)
        ]
        unseen.append(sum(not any(_is_in(point, others) for point in half) for half in points) / 2)
    return unseen


def halves_seen(grey: NDArray[np.float32], camera: Camera, pose: CardPose, card_mm: tuple[float, float]) -> int:
    """How many halves of its sides the picture shows of a card that lies at `pose`."""
    return sum(abs(side.off_mm) < _ON_SIDE_MM for side in find_sides(grey, camera, [pose], card_mm, _LOOKED_AT_MM))


def halves_in_view(image: NDArray[np.generic], camera: Camera, pose: CardPose, card_mm: tuple[float, float]) -> int:
    """How many halves of its sides have their middle in the picture (H, W, ...)."""
    corners = pose.corners(*card_mm)
    after = np.roll(corners, -1, axis=0)
    middles = camera.project(np.concatenate([0.75 * corners + 0.25 * after, 0.25 * corners + 0.75 * after]))
    return int(((middles >= 0) & (middles < image.shape[1::-1])).all(axis=1).sum())


def _corners_seen(own: Sequence[SeenSide], pose: CardPose, card_mm: tuple[float, float]) -> list[Array]:
    """A point a little within each corner both of whose sides are seen."""
    halves = {(side.side, side.half) for side in own}
    within = pose.corners(card_mm[0] - 2 * _WITHIN_MM, card_mm[1] - 2 * _WITHIN_MM)[:, :2]
    return [within[n] for n in range(4) if {((n - 1) % 4, 1), (n, 0)} <= halves]


def _is_in(point: Array, outlines: Sequence[NDArray[np.float32]]) -> bool:
    at = float(point[0]), float(point[1])
    return any(cv2.pointPolygonTest(outline, at, False) > 0 for outline in outlines)


def _is_one_place(pose: CardPose, other: CardPose, near_mm: float = _SAME_MM) -> bool:
    near = float(np.hypot(*(pose.centre_mm - other.centre_mm)[:2])) < near_mm
    return near and abs(float(pose.R[:, 0] @ other.R[:, 0])) > np.cos(np.radians(_SAME_DEG))
