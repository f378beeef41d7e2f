"""Whether what looked like a token is the print of a card: words and bands may look a little like one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.cards.table_claims import HALO, Claims
from arena_cam.vision.tokens.discs.token_search import SeenDisc

Floats = NDArray[np.float64]

WITHIN = 0.9  # of the radius: beyond it lie the rim's shadow and the blur of its edge
PRINT = 0.75  # of what is open of it must be as the cards have it: a token shares a patch of paper or of a band at most
LEAST_POINTS = 12


def is_print(search: CardSearch, table: SeenTable, disc: SeenDisc, others: Sequence[SeenDisc]) -> bool:
    """Whether the cards alone explain what is seen of the disc, where none of the `others` lies."""
    points = _points(disc, others)
    if len(points) < LEAST_POINTS:
        return False
    explained = np.zeros(len(points), bool)
    claims = Claims(table.view, search.prints.size_mm, (), others)
    half = np.asarray(search.prints.size_mm) / 2
    for card in table.cards:
        if np.linalg.norm(card.middle - disc.middle) > float(np.hypot(*half)) + disc.radius_mm:
            continue
        seen = search.looked_at(table.view, card.motion, card.face, card.votes, claims).explained
        local = (points - card.motion[:, 2]) @ np.linalg.inv(card.motion[:, :2]).T
        cell = np.clip(np.round(local + half - 0.5).astype(int), 0, np.array(seen.shape[::-1]) - 1)
        explained |= (np.abs(local) < half).all(axis=1) & seen[cell[:, 1], cell[:, 0]]
    return bool(explained.mean() > PRINT)


def _points(disc: SeenDisc, others: Sequence[SeenDisc]) -> Floats:
    """Points (N, 2) of the disc, a millimetre apart, that no other disc covers, in mm of the table."""
    reach = WITHIN * disc.radius_mm
    x, y = np.meshgrid(*[np.arange(-reach, reach + 0.1)] * 2)
    points = disc.middle + np.column_stack([x.ravel(), y.ravel()])[np.hypot(x, y).ravel() < reach]
    for other in others:
        points = points[np.linalg.norm(points - other.middle, axis=1) > HALO * other.radius_mm]
    return np.asarray(points)
