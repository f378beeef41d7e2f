"""Cards from their corner indices: a visible index gives the card's name and its pose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.classifier import RANKS, SUITS
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.indices.pips import STRONGEST_PIPS, pip_evidence
from arena_cam.vision.planes.bundle_adjustment import INSET_MM
from arena_cam.vision.planes.outline_corners import Corners

_CORNER_REACH_MM = 9.0  # a corner so near to where the card's should be is the card's
_SQUARE_DEG = 10.0
SAME_MM, _SAME_DEG = 9.0, 12.0
# Of an index on a card, from the card's border: middle, across and along (mm).
_ACROSS_MM, _ALONG_MM = (2.0, 13.0), (4.0, 26.0)

# Two indices at a card's upper end: in one direction, in one line, and so far from its sides as indices of packs are.
READ_WELL = 0.9  # a mark that has the look of an index stands anywhere
_PARALLEL_DEG, _IN_LINE_MM, _SIDE_BY_SIDE_MM = 5.0, 3.0, (3.5, 10.0)


LIKELIER_THAN_NOT = 0.5
CERTAIN = 0.99  # an index read so surely is one: of fonts kept back 0.02 % were misread, and of other marks hardly any
FAINT = 0.2  # an index read with this probability may yet be one, where a card's outline fits
_OUTLINED = 2.5  # sides
# One index alone says a name well from here on, as in index_check. Two that agreed on a wrong name said 0.70 and 0.28;
# an ace read with 0.87 and 0.83 in a video of 1.2 px/mm was right.
_PLAIN_INDEX = 0.8
# A narrow ten, the only witness of its name, was read as a jack with 0.95. Of 2327 indices of drawn faces, reduced to
# 0.9 to 1.9 px/mm, blurred and dim, 4 of 98 read with 0.9 to 0.95 were wrong, 3 of 113 to 0.98, none of 114 to 0.99
# and none of 1849 above.
_ONLY_INDEX, _RANK_INDEX = 0.98, 0.97
# A blurred nine was read as a queen with 0.988 and 0.985 at its ends: both ends bear one print, so two say little more
# than one. Of those drawn faces courts were read at both ends with 0.99 and more 172 times, never wrongly.
_COURT_INDEX = 0.99
_INDEX_REACH_MM = 1.5  # half the width of its strokes
_ERRS = 0.01  # so often a reading errs that seems certain
_PLAINLY, _COURTS = 8.0, "JQK"  # times likelier than the other ranks on average; ranks that pips do not tell apart


@dataclass(frozen=True, eq=False)
class IndexedCard:
    """A card known by its indices: its `card`, flat `pose`, and the probability of each of CARDS (52,).

    `pips_agree`: whether what is seen between the indices speaks for the rank plainly; `pips_contradict`: whether it
    speaks for another as plainly as it can: then the card does not lie there, or on another plane. `halves`: those
    halves (side, half) of its four sides that the picture shows.
    """

    card: str
    pose: CardPose
    indices: tuple[SeenIndex, ...]
    probabilities: Array
    cornered: bool
    pips_agree: bool = False
    halves: frozenset[tuple[int, int]] = frozenset()
    pips_contradict: bool = False

    @property
    def sides(self) -> float:
        """How many of the card's four sides the picture shows."""
        return len(self.halves) / 2

    @property
    def probability(self) -> float:
        return float(self.probabilities[CARDS.index(self.card)])

    @property
    def beyond_index(self) -> CardPose:
        """How the card lies if its first index is in its right upper corner, or its left one if it was thought to be in
        the right: of a pack with an index in every corner."""
        across = self.pose.R[:2, 0]
        far = (self.pose.centre_mm[:2] - self.indices[0].middle) @ across
        x, y = self.pose.centre_mm[:2] - 2 * far * across
        return CardPose.flat(float(x), float(y), self.pose.angle_deg, 0.3)

    @property
    def is_plainly_read(self) -> bool:
        """Whether one index alone says the name well, and no index speaks for another suit.

        Both ends bear the same print: a club whose shape reads as a spade does so twice, and so does a rank. Two poor
        readings that agree are therefore less than their product says. One alone must say it better where what is seen
        between the indices does not agree: there is no other witness then.
        A court both of whose ends are seen shows enough of its picture: if that does not agree both must be certain.
        Then each of several must say the rank as well, of whatever suit: a blurred nine was a queen at both its ends.
        Where pips do agree and a corner of the card is seen there is a card with that rank, however poor its index
        looks: then only what else the index may say counts, not that it may be none.
        """
        name, suit = CARDS.index(self.card), SUITS.index(self.card[1])
        by_rank = [index.others.reshape(len(RANKS), len(SUITS)) for index in self.indices]
        suits = [each.sum(axis=0) for each in by_rank]
        ranks = [float(each[name // len(SUITS)].sum() / max(float(each.sum()), 1e-9)) for each in by_rank]
        least = _PLAIN_INDEX if len(self.indices) > 1 or self.pips_agree else _ONLY_INDEX
        known = self.pips_agree and self.cornered
        well = max(index.share_of(name) if known else float(index.others[name]) for index in self.indices) >= least
        least = _COURT_INDEX if len(self.indices) > 1 and self.card[0] in _COURTS else 0.0
        alike = self.pips_agree or (
            min(ranks) >= _RANK_INDEX and min(float(each[name // len(SUITS)].sum()) for each in by_rank) >= least
        )
        return well and alike and all(int(each.argmax()) == suit for each in suits)

    @property
    def is_spoken_of(self) -> bool:
        """Whether it is likelier than not that the card lies there: where an outline says so its name may be open."""
        outlined = self.cornered and self.sides > _OUTLINED
        return self.probability >= (FAINT if outlined else LIKELIER_THAN_NOT)


def pose_on_floor(camera: Camera, corners_px: Array) -> CardPose:
    """The flat pose of a card with these corners (4, 2) in the picture."""
    on = camera.to_plane(corners_px)[:, :2]
    across = on[1] + on[2] - on[0] - on[3]
    middle = on.mean(axis=0)
    return CardPose.flat(float(middle[0]), float(middle[1]), float(np.degrees(np.arctan2(across[1], across[0]))), 0.3)


def cards_of(
    indices: Sequence[SeenIndex],
    corners: Sequence[Corners],
    camera: Camera,
    card_mm: tuple[float, float],
    inset_mm: tuple[float, float] = INSET_MM,
) -> list[IndexedCard]:
    """The cards that bear the indices; those that belong to one card make one. Indices are `inset_mm` (middle from the
    side, top from the upper border) from the corner: from the left one, or, of a pack with an index in every corner,
    from the right one."""
    square = corners_on_plane(corners, camera)
    in_every = _are_in_every_corner(indices, card_mm)
    places = [_Placed(index, _poses_of(index, square, card_mm, inset_mm, in_every)) for index in indices]
    cards: list[IndexedCard] = []
    for placed in sorted(places, key=lambda each: -each.index.probability):
        index = placed.index
        other_end = next((n for n, card in enumerate(cards) if _is_other_end(card, index, card_mm)), None)
        if other_end is not None:
            cards[other_end] = _between_ends(cards[other_end], index)
            continue
        own = _own_card(cards, placed, card_mm)
        if own is None:
            pose, cornered = placed.likeliest(places)
            cards.append(IndexedCard(index.card, pose, (index,), index.others, cornered))
        else:
            n, pose, cornered = own
            cards[n] = _plus(cards[n], index, pose, cornered)
    return cards


def as_placed(card: IndexedCard, placed: Mapping[str, CardPose], card_mm: tuple[float, float]) -> IndexedCard:
    """The card where it is known to be `placed`, by name, if its index is where a card that lies so bears one."""
    pose = placed.get(card.card)
    if pose is None or not any(is_on_card(index, pose, card_mm) for index in card.indices):
        return card
    turned = float(pose.R[:, 0] @ card.pose.R[:, 0]) < 0
    return replace(card, pose=pose.half_turned if turned else pose)


def _own_card(
    cards: Sequence[IndexedCard], placed: _Placed, card_mm: tuple[float, float]
) -> tuple[int, CardPose, bool] | None:
    """The number of the card that bears an index, with the pose by that index and whether its corner is seen there."""
    for n, card in enumerate(cards):
        for pose, cornered in placed.poses:
            if _is_on(card, placed.index, pose, card_mm):
                return n, pose, cornered
    return None


@dataclass(frozen=True, eq=False)
class _Placed:
    """An index, and how its card may lie: each pose with whether that card's corner is seen there."""

    index: SeenIndex
    poses: tuple[tuple[CardPose, bool], ...]

    def likeliest(self, others: Sequence[_Placed]) -> tuple[CardPose, bool]:
        """The pose at which most other indices of that name have their card, too, and most corners are seen."""
        return max(self.poses, key=lambda at: sum(other.speaks_for(self, at[0]) for other in others))

    def speaks_for(self, one: _Placed, pose: CardPose) -> int:
        """1 where the index is of a card that bears `one` and lies at `pose`, 2 where a corner says so, else 0."""
        if self.index.card != one.index.card:
            return 0
        return max((1 + cornered for other, cornered in self.poses if _is_same_place(other, pose)), default=0)


def _are_in_every_corner(indices: Sequence[SeenIndex], card_mm: tuple[float, float]) -> bool:
    """Whether a card is seen to bear its index in two corners at one end or at one side."""
    read = [index for index in indices if index.probability > READ_WELL]
    return any(_are_side_by_side(a, b, card_mm) or _are_at_one_side(a, b, card_mm) for a in read for b in read)


def with_pips(
    cards: Sequence[IndexedCard],
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    card_mm: tuple[float, float],
    covers: Collection[tuple[int, int]],
) -> list[IndexedCard]:
    """The cards, each weighed by the pips that its face shows; `covers`: (upper, lower), or both where it is not known.

    What is no card shows anything: that is as likely as on average over the ranks.
    """
    weighed = []
    for n, card in enumerate(cards):
        above = [cards[upper].pose.corners(*card_mm)[:, :2].astype(np.float32) for upper, low in covers if low == n]
        weighed.append(_weighed(card, pip_evidence(image_bgr, camera, card.pose, card_mm, above)))
    return weighed


def _weighed(card: IndexedCard, evidence: Array) -> IndexedCard:
    likelihood = np.exp(evidence)
    by_card = card.probabilities * np.repeat(likelihood, len(SUITS))
    none = max(1.0 - float(card.probabilities.sum()), 0.0) * float(likelihood.mean())
    by_card = by_card / (by_card.sum() + none)
    best = CARDS[int(by_card.argmax())]
    alike = np.array([rank == best[0] or {rank, best[0]} <= set(_COURTS) for rank in RANKS])
    agree = likelihood[RANKS.index(best[0])] > _PLAINLY * likelihood[~alike].mean()
    own = float(evidence[RANKS.index(best[0])])
    contradict = best[0] not in _COURTS and own <= -STRONGEST_PIPS
    return replace(card, card=best, probabilities=by_card, pips_agree=bool(agree), pips_contradict=contradict)


def _are_side_by_side(left: SeenIndex, right: SeenIndex, card_mm: tuple[float, float]) -> bool:
    """Whether two indices of one name stand upright beside each other as the two of a card's upper corners do."""
    turned = abs((right.angle_deg - left.angle_deg + 180.0) % 360.0 - 180.0)
    if left is right or left.card != right.card or turned > _PARALLEL_DEG:
        return False
    a = np.radians(left.angle_deg)
    apart = right.middle - left.middle
    across, along = apart @ np.array([np.cos(a), np.sin(a)]), apart @ np.array([-np.sin(a), np.cos(a)])
    inset_mm = (card_mm[0] - across) / 2
    return bool(_SIDE_BY_SIDE_MM[0] < inset_mm < _SIDE_BY_SIDE_MM[1] and abs(along) < _IN_LINE_MM)


def _are_at_one_side(upper: SeenIndex, lower: SeenIndex, card_mm: tuple[float, float]) -> bool:
    """Whether two indices of one name stand at the ends of one side, the lower one half a turn round."""
    turned = abs((lower.angle_deg - upper.angle_deg) % 360.0 - 180.0)
    if upper is lower or lower.card != upper.card or turned > _PARALLEL_DEG:
        return False
    a = np.radians(upper.angle_deg)
    apart = lower.middle - upper.middle
    across, along = apart @ np.array([np.cos(a), np.sin(a)]), apart @ np.array([-np.sin(a), np.cos(a)])
    return bool(abs(across) < _IN_LINE_MM and _ALONG_MM[0] < (card_mm[1] + along) / 2 < _ALONG_MM[1])


def _is_other_end(card: IndexedCard, index: SeenIndex, card_mm: tuple[float, float]) -> bool:
    """Whether an index is the same card's in the opposite corner, half a turn round, where cards have theirs."""
    first = card.indices[0]
    if len(card.indices) > 1 or first.card != index.card:
        return False
    half_turn = abs((index.angle_deg - first.angle_deg) % 360.0 - 180.0) < _SAME_DEG
    a = np.radians(first.angle_deg)
    apart = index.middle - first.middle
    across, along = abs(apart @ np.array([np.cos(a), np.sin(a)])), abs(apart @ np.array([-np.sin(a), np.cos(a)]))
    inside = _ACROSS_MM[0] < (card_mm[0] - across) / 2 < _ACROSS_MM[1]
    return bool(half_turn and inside and _ALONG_MM[0] < (card_mm[1] - along) / 2 < _ALONG_MM[1])


def _between_ends(card: IndexedCard, index: SeenIndex) -> IndexedCard:
    """The card in whose opposite corners both indices are: its middle is theirs."""
    x, y = (card.indices[0].middle + index.middle) / 2
    turned = (index.angle_deg - card.indices[0].angle_deg - 180.0 + 180.0) % 360.0 - 180.0
    pose = CardPose.flat(float(x), float(y), card.indices[0].angle_deg + turned / 2, 0.3)
    return _plus(replace(card, pose=pose, cornered=True), index, pose, True)


def _plus(card: IndexedCard, index: SeenIndex, pose: CardPose, cornered: bool) -> IndexedCard:
    """The card with its other index, whose reading is independent of the first; each may be no index, which says
    nothing of the name."""
    none = [max(1.0 - float(p.sum()), _ERRS) for p in (card.probabilities, index.others)]
    both = (card.probabilities + none[0] / len(CARDS)) * (index.others + none[1] / len(CARDS))
    both = both / max(float(both.sum()), 1e-9) * (1 - none[0] * none[1])
    best = CARDS[int(both.argmax())]
    if cornered and not card.cornered:
        turned = float(pose.R[:, 0] @ card.pose.R[:, 0]) < 0
        card = replace(card, pose=pose.half_turned if turned else pose, cornered=True)
    return replace(card, card=best, indices=(*card.indices, index), probabilities=both)


def joined(card: IndexedCard, other: IndexedCard) -> IndexedCard:
    """The card with what is known of another that lies in the same place: indices read apart, or one read twice."""
    first, second = sorted((card, other), key=lambda c: -c.probability)
    apart = [i for i in second.indices if all(np.hypot(*(i.middle - o.middle)) > SAME_MM for o in first.indices)]
    for index in apart:
        first = _plus(first, index, first.pose, True)
    most = max(card, other, key=lambda each: each.sides)
    return replace(first, halves=most.halves, cornered=card.cornered or other.cornered)


def without_covered(
    cards: Sequence[IndexedCard], card_mm: tuple[float, float], covers: Collection[tuple[int, int]]
) -> list[IndexedCard]:
    """The cards by their indices that no upper card touches: of a covered rank or suit a part reads as another.

    `covers`: (upper, lower). A card all of whose indices are touched keeps them.
    """
    uncovered = []
    for n, card in enumerate(cards):
        above = [cards[upper] for upper, low in covers if low == n]
        free = [i for i in card.indices if not any(touches(other, i, card_mm) for other in above)]
        if 0 < len(free) < len(card.indices):
            alone = replace(card, card=free[0].card, indices=(free[0],), probabilities=free[0].others)
            for index in free[1:]:
                alone = _plus(alone, index, card.pose, True)
            card = alone
        uncovered.append(card)
    return uncovered


def touches(card: IndexedCard, index: SeenIndex, card_mm: tuple[float, float]) -> bool:
    """Whether a card reaches within half the width of an index of that index's line."""
    points = index.top + np.linspace(0.0, 1.0, 5)[:, None] * (index.bottom - index.top)
    local = np.abs((np.column_stack([points, np.zeros(5)]) - card.pose.centre_mm) @ card.pose.R)[:, :2]
    return bool((local < np.array(card_mm) / 2 + _INDEX_REACH_MM).all(axis=1).any())


def is_on_card(index: SeenIndex, pose: CardPose, card_mm: tuple[float, float]) -> bool:
    """Whether an index is where a card at a pose bears one, either way up."""
    local = (np.array([*index.middle, 0.0]) - pose.centre_mm) @ pose.R
    across, along = card_mm[0] / 2 - abs(local[0]), card_mm[1] / 2 - abs(local[1])
    turn = abs((index.angle_deg - pose.angle_deg + 90.0) % 180.0 - 90.0)
    upright = abs((index.angle_deg - pose.angle_deg + 180.0) % 360.0 - 180.0) < 90.0
    up = local[1] > 0
    inside = _ACROSS_MM[0] < across < _ACROSS_MM[1] and _ALONG_MM[0] < along < _ALONG_MM[1]
    return bool(inside and turn < _SAME_DEG and upright == up)


def _is_on(card: IndexedCard, index: SeenIndex, pose: CardPose, card_mm: tuple[float, float]) -> bool:
    near = _is_same_place(pose, card.pose)
    parallel = abs(float(pose.R[:, 0] @ card.pose.R[:, 0])) > np.cos(np.radians(_SAME_DEG))
    same = card.card == index.card or index.others[CARDS.index(card.card)] > 0.02 or card.probability < 0.9
    return same and parallel and (near or (card.cornered and is_on_card(index, card.pose, card_mm)))


def _is_same_place(pose: CardPose, other: CardPose) -> bool:
    """Whether two poses are one card's, either way up."""
    near = float(np.hypot(*(pose.centre_mm - other.centre_mm)[:2])) < SAME_MM
    return near and abs(float(pose.R[:, 0] @ other.R[:, 0])) > np.cos(np.radians(_SAME_DEG))


def corners_on_plane(found: Sequence[Corners], camera: Camera, least_arm_mm: float = 0.0) -> tuple[Array, Array, Array]:
    """Corners (N, 2) on the plane with the unit vectors (N, 2) along their two arms, each at least so long."""
    if not found:
        return np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2))
    at, before, after = (
        camera.to_plane(np.concatenate([getattr(corners, name) for corners in found]))[:, :2]
        for name in ("at", "before", "after")
    )
    d, e = before - at, after - at
    long = np.hypot(*d.T), np.hypot(*e.T)
    d, e = (arm / np.maximum(length, 1e-6)[:, None] for arm, length in zip((d, e), long, strict=True))
    off = np.abs(np.degrees(np.arcsin(np.clip((d * e).sum(axis=1), -1, 1))))
    square = (np.minimum(*long) >= least_arm_mm) & (off < _SQUARE_DEG)
    return at[square], d[square], e[square]


def _poses_of(
    index: SeenIndex,
    square: tuple[Array, Array, Array],
    card_mm: tuple[float, float],
    inset_mm: tuple[float, float],
    in_every: bool,
) -> tuple[tuple[CardPose, bool], ...]:
    """How the card may lie whose index is seen, each with whether the corner at that index is seen: the left one, or
    the right one where a pack has its indices `in_every` corner."""
    return tuple(_pose_of(index, square, card_mm, inset_mm, way) for way in ((1.0, -1.0) if in_every else (1.0,)))


def _pose_of(
    index: SeenIndex,
    square: tuple[Array, Array, Array],
    card_mm: tuple[float, float],
    inset_mm: tuple[float, float],
    way: float,
) -> tuple[CardPose, bool]:
    """How the card lies whose index is at its left (`way` 1) or right (-1), and whether its corner there is seen."""
    a = np.radians(index.angle_deg)
    right, up = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    corner = index.top + up * inset_mm[1] - way * right * inset_mm[0]
    apart = np.hypot(*(square[0] - corner).T)
    near = [n for n in np.flatnonzero(apart < _CORNER_REACH_MM) if _fits(square[1][n], square[2][n], way * right, up)]
    cornered = bool(near)
    if near:
        corner, d, e = (each[min(near, key=lambda n: float(apart[n]))] for each in square)
        along = d if abs(d @ right) > abs(e @ right) else e
        down = e if along is d else d
        right = _between(way * along, np.array([-down[1], down[0]]))
    middle = corner + way * right * card_mm[0] / 2 + np.array([right[1], -right[0]]) * card_mm[1] / 2
    angle = float(np.degrees(np.arctan2(right[1], right[0])))
    return CardPose.flat(float(middle[0]), float(middle[1]), angle, 0.3), cornered


def _between(a: Array, b: Array) -> Array:
    both = a + (b if a @ b > 0 else -b)
    return np.asarray(both / np.hypot(*both))


def _fits(d: Array, e: Array, right: Array, up: Array) -> bool:
    """Whether the arms of a corner run right and down from the top left corner of a card."""
    one = d @ right > 0.94 and e @ -up > 0.94
    other = e @ right > 0.94 and d @ -up > 0.94
    return bool(one or other)
