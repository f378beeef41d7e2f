"""The order of overlapping cards, by whose face is visible in the overlap."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.vision.planes.candidates import Candidate, corners_px
from arena_cam.vision.planes.picture import mm_from_cell

# Outlines that share less than this part of a card touch at most: their order is nobody's question.
_LEAST_OVERLAP = 0.012
_DECIDED_NATS = 12.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """Cards `upper` and `lower` (indices) overlap; `nats` is the evidence for this order over the other."""

    upper: int
    lower: int
    nats: float

    @property
    def decided(self) -> bool:
        return self.nats >= _DECIDED_NATS


def outline(candidate: Candidate, size: tuple[int, int]) -> Mask:
    """The pixels (H, W) of a photograph of `size` (width, height) inside the card's outline."""
    return filled(corners_px(candidate.px_from_mm, candidate.templates), size)


def filled(corners_px: Array, size: tuple[int, int]) -> Mask:
    """The pixels (H, W) of a photograph of `size` (width, height) that lie in a convex outline (N, 2)."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    # Coordinates in sixteenths of a pixel: cards are small and borders matter.
    cv2.fillConvexPoly(mask, np.round(corners_px * 16).astype(np.int32), 1, shift=4)
    return mask > 0


def overlaps(cards: list[Candidate], size: tuple[int, int]) -> list[Overlap]:
    """Every overlapping pair, upper card first."""
    masks = [outline(card, size) for card in cards]
    found = []
    for a in range(len(cards)):
        for b in range(a):
            both = masks[a] & masks[b]
            if both.sum() > _LEAST_OVERLAP * min(masks[a].sum(), masks[b].sum()):
                nats = _speaks_for(cards[a], cards[b], both, size)
                found.append(Overlap(a, b, nats) if nats >= 0 else Overlap(b, a, -nats))
    return found


def _speaks_for(a: Candidate, b: Candidate, both: Mask, size: tuple[int, int]) -> float:
    """Log-likelihood ratio of `a` being visible in the overlap over `b`."""
    cost_a, known_a = _painted_cost(a, size)
    cost_b, known_b = _painted_cost(b, size)
    there = both & known_a & known_b
    # Costs were measured on each card's grid; a pixel of the photograph stands for its share of grid cells.
    per_pixel = a.comparison.nats_per_cell * a.templates.grid.mask.sum() / max(float(known_a.sum()), 1.0)
    return float((cost_b - cost_a)[there].sum() * per_pixel)


def _painted_cost(card: Candidate, size: tuple[int, int]) -> tuple[NDArray[np.float32], Mask]:
    cell = card.px_from_mm @ mm_from_cell(card.templates.grid)
    cost = cv2.warpPerspective(card.comparison.fits[0].cost, cell, size, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(card.comparison.inside.astype(np.uint8), cell, size, flags=cv2.INTER_NEAREST)
    return np.asarray(cost, np.float32), np.asarray(inside > 0)


def above(count: int, found: list[Overlap]) -> list[set[int]]:
    """For each card the cards that lie over it."""
    uppers: list[set[int]] = [set() for _ in range(count)]
    for pair in found:
        uppers[pair.lower].add(pair.upper)
    return uppers


def bottom_to_top(count: int, found: list[Overlap]) -> tuple[list[int], bool]:
    """An order in which no card comes before one that it covers, and whether there is one at all (no cycle)."""
    left, order, consistent = set(range(count)), [], True
    while left:
        free = [i for i in sorted(left) if not any(p.upper == i and p.lower in left for p in found)]
        if not free:
            consistent = False
            free = [min(left, key=lambda i: sum(p.nats for p in found if p.upper == i and p.lower in left))]
        order += free
        left -= set(free)
    return order, consistent


def rests_on(cards: list[Candidate], found: list[Overlap], size: tuple[int, int]) -> list[set[int]]:
    """For each card the cards it overlaps with no third one between them over at least part of the overlap."""
    masks = [outline(card, size) for card in cards]
    uppers = above(len(cards), found)
    result: list[set[int]] = [set() for _ in cards]
    for pair in found:
        contact = masks[pair.upper] & masks[pair.lower]
        area = contact.sum()
        for between in range(len(cards)):
            if pair.upper in uppers[between] and between in uppers[pair.lower]:
                contact &= ~masks[between]
        if contact.sum() > 0.02 * area:
            result[pair.upper].add(pair.lower)
    return result
