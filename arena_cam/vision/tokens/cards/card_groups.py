"""Which cards lie together: a positive with a negative one, at most one neutral card beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_search import LaidCard

Floats = NDArray[np.float64]

POSITIVE, NEGATIVE, NEUTRAL = 0, 1, 2
MOST_GAP_MM = 22.0  # between the outlines of cards that lie together
_GRID = np.linspace(-1.0, 1.0, 15)
_OF_DISC = np.array([[x, y] for x in _GRID for y in _GRID if x * x + y * y <= 1.0])


@dataclass(frozen=True, eq=False)
class CardGroup:
    """The cards of one dilemma; None where one was not found."""

    positive: LaidCard | None
    negative: LaidCard | None
    neutral: LaidCard | None

    @property
    def cards(self) -> list[LaidCard]:
        return [card for card in (self.positive, self.negative, self.neutral) if card is not None]


def grouped(cards: Sequence[LaidCard], kinds: NDArray[np.intp], size_mm: tuple[float, float]) -> list[CardGroup]:
    """The cards in groups, the nearest pairs first; a card without a partner is a group of its own."""
    by_kind = [[card for card in cards if kinds[card.face] == kind] for kind in (POSITIVE, NEGATIVE, NEUTRAL)]
    pairs = _nearest(by_kind[POSITIVE], by_kind[NEGATIVE], size_mm)
    groups = [CardGroup(p, n, None) for p, n in pairs]
    paired = {id(card) for pair in pairs for card in pair}
    for kind in (POSITIVE, NEGATIVE):
        alone = [card for card in by_kind[kind] if id(card) not in paired]
        groups += [CardGroup(card, None, None) if kind == POSITIVE else CardGroup(None, card, None) for card in alone]
    near = [
        (min(gap_mm(neutral, card, size_mm) for card in group.cards), k, group)
        for neutral in by_kind[NEUTRAL]
        for k, group in [(id(neutral), group) for group in groups]
    ]
    taken: set[int] = set()
    filled: dict[int, LaidCard] = {}
    by_id = {id(card): card for card in by_kind[NEUTRAL]}
    for gap, k, group in sorted(near, key=lambda each: each[0]):
        if gap < MOST_GAP_MM and k not in taken and id(group) not in filled:
            taken.add(k)
            filled[id(group)] = by_id[k]
    return [CardGroup(group.positive, group.negative, filled.get(id(group))) for group in groups]


def _nearest(
    some: Sequence[LaidCard], others: Sequence[LaidCard], size_mm: tuple[float, float]
) -> list[tuple[LaidCard, LaidCard]]:
    """Pairs of one of each, each card once, those with the nearest outlines and middles first."""
    near = [
        (gap + 0.2 * float(np.linalg.norm(a.middle - b.middle)), i, j)
        for i, a in enumerate(some)
        for j, b in enumerate(others)
        for gap in [gap_mm(a, b, size_mm)]
        if gap < MOST_GAP_MM
    ]
    pairs: list[tuple[LaidCard, LaidCard]] = []
    used: set[tuple[int, int]] = set()
    for _, i, j in sorted(near):
        if not {(0, i), (1, j)} & used:
            used |= {(0, i), (1, j)}
            pairs.append((some[i], others[j]))
    return pairs


@lru_cache(maxsize=512)  # of each card of a table it is asked for some fifty times
def outline_mm(card: LaidCard, size_mm: tuple[float, float]) -> Floats:
    """The card's corners (4, 2) on the table: upper left, upper right, lower right, lower left."""
    outline = np.asarray(_corners(size_mm) @ card.motion[:, :2].T + card.motion[:, 2])
    outline.flags.writeable = False  # whoever asks has the same array
    return outline


@lru_cache(maxsize=4)
def _corners(size_mm: tuple[float, float]) -> Floats:
    """(4, 2): of a card, in mm from its middle."""
    w, h = size_mm[0] / 2, size_mm[1] / 2
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]])


def outlines_mm(cards: Sequence[LaidCard], size_mm: tuple[float, float]) -> list[Floats]:
    """The corners (4, 2) of each of the cards, as `outline_mm` has them."""
    return [outline_mm(card, size_mm) for card in cards]


@lru_cache(maxsize=512)  # all pairs of a table: cards are grouped anew as more are known of it
def gap_mm(a: LaidCard, b: LaidCard, size_mm: tuple[float, float]) -> float:
    """The distance between two cards' outlines, 0 where they overlap."""
    p, q = outline_mm(a, size_mm), outline_mm(b, size_mm)
    area = cv2.intersectConvexConvex(p.astype(np.float32), q.astype(np.float32))[0]
    if area > 0:
        return 0.0
    return min(float(distance_mm(q, p).min()), float(distance_mm(p, q).min()))


def distance_mm(points: Floats, outline: Floats) -> Floats:
    """How far points (N, 2) lie outside a convex outline (M, 2), 0 inside."""
    side_x, side_y = _sides(outline).T
    x, y = points[:, :1] - outline[:, 0], points[:, 1:] - outline[:, 1]
    length = np.maximum(side_x * side_x + side_y * side_y, 1e-12)
    along = np.clip((x * side_x + y * side_y) / length, 0.0, 1.0)
    x, y = x - along * side_x, y - along * side_y
    nearest = np.sqrt(x * x + y * y).min(axis=1)
    return np.where(_within(points, outline), 0.0, nearest)


def _within(points: Floats, outline: Floats) -> NDArray[np.bool_]:
    """(N,): which of points (N, 2) lie in a convex outline (M, 2), whichever way round it goes."""
    side = _sides(outline)
    x, y = points[:, :1] - outline[:, 0], points[:, 1:] - outline[:, 1]
    turned = side[:, 0] * y - side[:, 1] * x
    return np.asarray((turned >= 0.0).all(axis=1) | (turned <= 0.0).all(axis=1))


def _sides(outline: Floats) -> Floats:
    """(M, 2): from each corner of an outline (M, 2) to the next."""
    return np.concatenate([outline[1:], outline[:1]]) - outline


def share_on(middle: Floats, radius_mm: float, outlines: Sequence[Floats]) -> float:
    """How much of a disc lies on the cards with these outlines, 0..1."""
    x, y = middle.tolist()
    return _share_on(x, y, radius_mm, tuple([np.asarray(outline, np.float64).tobytes() for outline in outlines]))


@lru_cache(maxsize=1024)  # of some dozens of discs and the same few cards it is asked all the time
def _share_on(x: float, y: float, radius_mm: float, outlines: tuple[bytes, ...]) -> float:
    """The same, of outlines as the bytes of their corners (M, 2)."""
    across = []
    for each in outlines:
        outline = np.frombuffer(each).reshape(-1, 2)
        corners = outline.tolist()
        if _is_far(x, y, corners, radius_mm):
            continue
        inside = _inside_mm(x, y, corners)
        if inside > radius_mm:
            return 1.0
        if inside > -radius_mm:
            across.append(outline)
    if not across:
        return 0.0
    points = np.array([x, y]) + _OF_DISC * radius_mm
    on = [_within(points, outline) for outline in across]
    return float(np.any(on, axis=0).mean())


def _is_far(x: float, y: float, corners: list[list[float]], reach: float) -> bool:
    """Whether a point lies farther than that beside the upright box of an outline's corners."""
    across, down = zip(*corners, strict=True)
    beside = x < min(across) - reach or x > max(across) + reach
    return bool(beside or y < min(down) - reach or y > max(down) + reach)


def _inside_mm(x: float, y: float, corners: list[list[float]]) -> float:
    """How far a point lies on the inner side of that line of a convex outline's corners of which it is least so,
    whichever way round it goes; negative on the outer."""
    away: list[float] = []
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        across = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        away.append(across / max(math.hypot(bx - ax, by - ay), 1e-9))
    return max(min(away), -max(away))
