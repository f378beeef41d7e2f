"""Whether what looked like a token is the print of a card: words and bands may look a little like one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.lit_faces import lit_at, tolerance
from arena_cam.vision.tokens.cards.table_claims import HALO
from arena_cam.vision.tokens.discs.rims import ROUND
from arena_cam.vision.tokens.discs.token_search import SeenDisc

Floats = NDArray[np.float64]

WITHIN = 0.9  # of the radius: beyond it lie the rim's shadow and the blur of its edge
PRINT = 0.75  # of what is open of it must be as the cards have it: a token shares a patch of paper or of a band at most
LEAST_POINTS = 12
# On a dark card all colours are near each other: there a token differs from the print by little, but in its own figure.
# Grey levels of noise within which what is seen is the print, and by how much the print may correlate worse.
NOISE, AS_ALIKE = 6.0, 0.15
# A circle that is printed there: its radius, in the disc's, its edge in grey levels of the print over twice RIM_MM, and
# how much of it is one. A lamp's reflection paled three printed seals by 30 levels, and they were asked about; stripes
# and words are no edge all round.
PRINTED_RADII, RIM_MM, PRINTED_EDGE, ALL_ROUND = np.arange(0.82, 1.19, 0.04), 1.0, 25.0, 0.85
EDGE_MM = 1.0  # of a card: a blurred picture shows the cloth there
LEAST_PRINT = 240.0  # grey levels of three channels together: darker print tells of no shade


@dataclass(frozen=True, eq=False)
class PrintThere:
    """How the cards' print explains what is seen of a disc: the `share` of it within what a card may be off, by how
    many grey levels it is `off` (root mean square), and its correlation `alike`."""

    share: float
    off: float
    alike: float


class CardPrint:
    """The print of the cards on one table, and what of discs it explains: each disc beneath the same others is looked
    at once."""

    def __init__(self, search: CardSearch, table: SeenTable) -> None:
        self._search, self._table = search, table
        # A disc and those above it by their middles and radii.
        self._looked: dict[tuple[tuple[float, ...], ...], PrintThere | None] = {}

    def explains(self, disc: SeenDisc, others: Sequence[SeenDisc]) -> bool:
        """Whether the cards alone explain what is seen of the disc, where none of the `others` lies."""
        there = self.there(disc, others)
        if there is None or there.share <= PRINT:
            return False
        return there.off < NOISE or there.alike > disc.alike - AS_ALIKE

    def has_rim(self, middle: Floats, radius_mm: float) -> bool:
        """Whether a circle of about that radius is printed about there (2,), so that the rim that is seen is
        the print's own, whatever the light."""
        prints = self._search.prints
        grid, half = prints.cards(1.0), np.asarray(prints.size_mm) / 2
        last = np.array(grid.mask.shape[::-1]) - 1
        radii = PRINTED_RADII * radius_mm
        for card in self._table.cards:
            local = (middle - card.motion[:, 2]) @ np.linalg.inv(card.motion[:, :2]).T
            if (np.abs(local) + radius_mm > half).any():  # a printed circle lies wholly on its card
                continue
            inner, outer = (local + (radii[:, None, None] + aside) * ROUND for aside in (-RIM_MM, RIM_MM))
            cells = [np.clip(np.round(at + half - 0.5).astype(int), 0, last) for at in (inner, outer)]
            first, second = (grid.faces[card.face][cell[..., 1], cell[..., 0]] for cell in cells)
            if ((greatest(np.abs(second - first)) > PRINTED_EDGE).mean(axis=1) > ALL_ROUND).any():
                return True
        return False

    def there(self, disc: SeenDisc, others: Sequence[SeenDisc]) -> PrintThere | None:
        """How well the cards explain what is seen of the disc, where none of the `others` lies; None where that is next
        to nothing."""
        reach = WITHIN * disc.radius_mm
        near = [each for each in others if math.dist(each.middle, disc.middle) < reach + HALO * each.radius_mm]
        key = tuple((*each.middle.tolist(), each.radius_mm) for each in (disc, *near))
        if key not in self._looked:
            self._looked[key] = _print_there(self._search, self._table, disc, near)
        return self._looked[key]


def _print_there(search: CardSearch, table: SeenTable, disc: SeenDisc, near: Sequence[SeenDisc]) -> PrintThere | None:
    """How well the cards explain what is seen of the disc beneath those `near` it."""
    points = _points(disc, near)
    if len(points) < LEAST_POINTS:
        return None
    at = table.view.at(points).astype(np.float32)
    soft = table.view.softened(table.view.px_per_mm)
    seen = cv2.remap(soft, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR)[0].astype(np.float64)
    least = np.full(len(points), np.inf)
    printed, explained = seen.copy(), np.zeros(len(points), bool)
    for card, on_card, lit in prints_at(search, table, points):
        off = greatest(np.abs(lit - seen[on_card]))
        better = off < least[on_card]
        nearer = on_card[better]
        printed[nearer], least[nearer] = lit[better], off[better]
        explained[on_card] |= off < tolerance(card.light)
    on = np.isfinite(least)
    squares = float(np.square(printed[on] - seen[on]).mean()) if on.any() else 0.0
    return PrintThere(float(explained.mean()), squares**0.5, _alike(printed[on], seen[on]))


def _alike(a: Floats, b: Floats) -> float:
    """Correlation of two lists of colours (N, 3)."""
    if not len(a):
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / max(float(np.sqrt((a * a).sum() * (b * b).sum())), 1e-6))


def _points(disc: SeenDisc, near: Sequence[SeenDisc]) -> Floats:
    """Points (N, 2) of the disc, a millimetre apart, that none of those `near` it covers, in mm of the table."""
    points = disc.middle + _round_about(WITHIN * disc.radius_mm)
    for other in near:
        points = points[np.hypot(*(points - other.middle).T) > HALO * other.radius_mm]
    return np.asarray(points)


@lru_cache(maxsize=4)
def _round_about(reach: float) -> Floats:
    """Points (N, 2) nearer to 0 than `reach`, 1 apart from each other."""
    x, y = np.meshgrid(*[np.arange(-reach, reach + 0.1)] * 2)
    return np.asarray(np.column_stack([x.ravel(), y.ravel()])[np.hypot(x, y).ravel() < reach])


def prints_at(
    search: CardSearch, table: SeenTable, points: Floats, inside_mm: float = 0.0
) -> Iterator[tuple[LaidCard, NDArray[np.intp], Floats]]:
    """Each card on which some of the points (N, 2) lie, so far from its sides: the card, which points those are (M,),
    and their colours (M, 3) in its light."""
    if not len(points):
        return
    size = search.prints.size_mm
    grid, half = search.prints.cards(1.0), np.asarray(size) / 2
    last, middle = np.array(grid.mask.shape[::-1]) - 1, points.mean(axis=0)
    reach = math.hypot(*half) + float(np.hypot(*(points - middle).T).max())
    for card in table.cards:
        if math.dist(card.middle, middle) > reach:
            continue
        local = (points - card.motion[:, 2]) @ np.linalg.inv(card.motion[:, :2]).T
        on = np.flatnonzero((np.abs(local) < half - inside_mm).all(axis=1))
        if len(on):
            cell = np.clip(np.round(local[on] + half - 0.5).astype(int), 0, last)
            yield card, on, lit_at(grid, card.face, card.light, size, cell).astype(np.float64)


def light_on_cards(search: CardSearch, table: SeenTable, points: Floats) -> Floats:
    """(N,): how bright what is seen at points (N, 2), in mm, is beside the lit print of the card there: of two the one
    that is more like it. Not a number beside the cards, and on dark print."""
    at = table.view.at(points).astype(np.float32)
    seen = summed(cv2.remap(table.view.pixels, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR)[0].astype(np.float64))
    light, least = np.full(len(points), np.nan), np.full(len(points), np.inf)
    for _, on, printed in prints_at(search, table, points, EDGE_MM):
        lit = summed(printed)
        told = np.where(lit > LEAST_PRINT, seen[on] / np.maximum(lit, 1.0), np.nan)
        nearer = np.abs(told - 1.0) < least[on]
        light[on[nearer]], least[on[nearer]] = told[nearer], np.abs(told - 1.0)[nearer]
    return light
