"""The view that the cards found so far tell together: each is seen as large and as askew as a wrong view makes it.

Keypoints tell the view where they are; far from them it may be off by a centimetre, and no card is found there. Whole
faces tell it better, each new one farther (a bundle adjustment of known planes: Triggs et al., "Bundle adjustment - a
modern synthesis", 1999).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.table_claims import Claims, Round
from arena_cam.vision.tokens.view.card_sides import seen_corners
from arena_cam.vision.tokens.view.table_view import (
    NOTHING_SEEN,
    SeenPrint,
    TableView,
    best_fit,
    fit_table,
    offs_px,
    placed,
    places_of,
    rigid,
)
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

Floats = NDArray[np.float64]

WELL_SEEN = 0.35  # score of a card that tells the view
ROUNDS, STILL_MM, TRIMMED = 3, 0.1, 6
# mm by which PRINT_NOISE leaves a card's corner uncertain (`print_sd`) where one that is seen counts as much: of
# 14 drawn sets faces full of print have 0.03 to 0.08, those with few words 0.1 to 0.2. In 63 photographs 0.06, 0.1 and
# 0.14 gave views as good. A corner counts no more than so often: it may be another thing's.
CORNER_SD, MOST_WEIGHT = 0.06, 9.0
CORNER_PX = 2.0  # by which a corner that is seen may be off: it is met within half a pixel, mostly
FITS_PX = 1.0  # of a card laid as it looks: in a true view of five cards each was off by 0.1 to 0.4


def settled_view(
    search: CardSearch,
    camera: TableView,
    view: TopView,
    cards: Sequence[LaidCard],
    size_px: tuple[int, int],
    covered: Sequence[Round] = (),
) -> TableView:
    """The camera as the well seen `cards` of its `view` tell it; the same camera where none is.

    A card that fits no view near the one so far was left out of it, or keypoints of a few words tilted it the wrong
    way, which one small card hardly tells: then the cards are asked anew for all views in which they may lie. Of two
    cards the second was 8 px off for ever, a fifth too long, and two of four dilemmas were not found."""
    good = [card for card in cards if card.score > WELL_SEEN]
    corners = _inner_corners(search.prints.size_mm)
    looks = [_as_it_looks(search, view, card, covered) for card in good]
    if not good:
        return camera
    prints = [as_print(camera, corners, card.motion) for card in looks]
    told = fit_table(prints, size_px, camera) or camera
    if offs_px(told, prints).max() >= FITS_PX:
        told = best_fit([told, fit_table(prints, size_px)], prints) or camera
    seen = [
        _SeenCard(told_so, *_seen_corners(search, camera, view, card, good, covered))
        for told_so, card in zip(prints, good, strict=True)
    ]
    return _held_by_corners(told, seen, size_px)


@dataclass(frozen=True, eq=False)
class _SeenCard:
    """Where a card's print is seen, its corners, and how often each of these counts against one of the print."""

    told: SeenPrint
    corners: SeenPrint
    weight: int

    def joined(self, fits: NDArray[np.bool_]) -> SeenPrint:
        """The print, and those of the corners that fit (N,), as often as they count."""
        parts = [self.told] + [SeenPrint(self.corners.mm[fits], self.corners.px[fits])] * self.weight
        return SeenPrint(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("mm", "px")))


def _seen_corners(
    search: CardSearch,
    camera: TableView,
    view: TopView,
    card: LaidCard,
    cards: Sequence[LaidCard],
    covered: Sequence[Round],
) -> tuple[SeenPrint, int]:
    """The corners of one of the `cards` that are seen where neither another nor what is `covered` lies; and how often
    each counts against one that its print tells, whose sd goes with how much of it is seen, and how far apart."""
    weight, sides = round(min((search.print_sd(card) / CORNER_SD) ** 2, MOST_WEIGHT)), search.sides(card.face)
    if not weight or np.count_nonzero(sides.bare) < 2:
        return NOTHING_SEEN, 0
    others = [other for other in cards if other is not card]
    free = Claims(view, search.prints.size_mm, others, covered).free
    mm, seen = seen_corners(view, card.motion, sides, free, view.origin_mm)
    return as_print(camera, seen, card.motion, mm), weight


def _held_by_corners(told: TableView, seen: Sequence[_SeenCard], size_px: tuple[int, int]) -> TableView:
    """The camera as cards' print and corners tell it together, near the one `told` by the print.

    Corners that are other things' are left out, those that are farthest off first (a least trimmed fit); where most of
    them are, the print alone is believed."""
    every, camera, most = [np.ones(len(card.corners.mm), bool) for card in seen], told, math.inf
    count, kept = sum(map(len, every)), every
    for _ in range(TRIMMED if count else 0):
        both = [card.joined(fits) for card, fits in zip(seen, kept, strict=True)]
        camera = fit_table(both, size_px, camera) or camera
        places = places_of(camera, both)
        offs = [_off_px(camera, card.corners, place) for card, place in zip(seen, places, strict=True)]
        worst = max(float(off[fits].max(initial=0.0)) for off, fits in zip(offs, kept, strict=True))
        most = max(CORNER_PX, 0.5 * min(worst, most))
        before, kept = kept, [off < most for off in offs]
        if most == CORNER_PX and all((was == now).all() for was, now in zip(before, kept, strict=True)):
            break
    return camera if 2 * sum(int(fits.sum()) for fits in kept) > count else told


def _off_px(camera: TableView, corners: SeenPrint, place: Floats) -> Floats:
    """How far off (N,) the corners of a card are seen, if it lies there."""
    return np.asarray(np.hypot(*(camera.to_px(placed(corners.mm, place)) - corners.px).T))


def _as_it_looks(search: CardSearch, view: TopView, card: LaidCard, covered: Sequence[Round]) -> LaidCard:
    """The card as large and as askew as it looks, aligned until it moves no more, as long as it is seen as well."""
    corners = _inner_corners(search.prints.size_mm)
    for _ in range(ROUNDS):
        again = search.as_seen(view, card, covered)
        if again.score <= 0.9 * card.score:
            break  # once more would give the same
        before, card = card, again
        moved = corners @ (card.motion - before.motion)[:, :2].T + (card.motion - before.motion)[:, 2]
        if np.abs(moved).max() < STILL_MM:
            break
    return card


def _inner_corners(size_mm: tuple[float, float]) -> Floats:
    """Points (4, 2) of a card, mm: an affine motion is as good as three of them, and more would outweigh what is known
    of lenses."""
    return np.asarray(np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * 0.4 * np.asarray(size_mm))


def all_over(size_px: tuple[int, int]) -> Floats:
    """Pixels (N, 2) of a grid over a picture."""
    x, y = (np.linspace(0.1, 0.9, 7) * (side - 1) for side in size_px)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def moved_mm(before: TableView, after: TableView, px: Floats) -> float:
    """How far apart two views have what is seen at pixels (N, 2), but for a common motion: the most of them, mm."""
    a, b = before.to_mm(px), after.to_mm(px)
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    return float(np.linalg.norm(a @ u @ v - b, axis=1).max())


def carried(
    cards: Sequence[LaidCard], before: TableView, after: TableView, size_mm: tuple[float, float]
) -> list[LaidCard]:
    """The cards of one view where they lie, true to their size, in another."""
    grid = card_grid(size_mm)
    places = [rigid(grid, after.to_mm(as_print(before, grid, card.motion).px)) for card in cards]
    return [replace(card, motion=rigid_motion(place)) for card, place in zip(cards, places, strict=True)]


def card_grid(size_mm: tuple[float, float]) -> Floats:
    """Points (25, 2) all over a card, mm from its middle."""
    x, y = (np.linspace(-0.48, 0.48, 5) * side for side in size_mm)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def as_print(camera: TableView, grid: Floats, motion: Floats, of: Floats | None = None) -> SeenPrint:
    """Points of a card, mm, and where the card aligned shows them; `of`: the points that they are, if others."""
    return SeenPrint(grid if of is None else of, camera.to_px(grid @ motion[:, :2].T + motion[:, 2]))
