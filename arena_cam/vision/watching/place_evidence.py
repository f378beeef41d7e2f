"""What the pictures show at the places of cards, beside the reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import Lie
from arena_cam.vision.watching.card_cells import Places
from arena_cam.vision.watching.pile_changes import Place
from arena_cam.vision.watching.scene_memory import SceneMemory, groups
from arena_cam.vision.watching.stillness import CellMask, CellPicture

# A card's edges and print are in most of its cells; where more than this share looks the same, nothing happened to it.
MOST = 0.6


class PlaceEvidence:
    """Answers for one picture.

    `at_rest` are the cells in which nothing moved while the reading's frames were taken. `uncovered` has, for cards
    that something covered already when the picture was last read, how all looked before that. `long_still` are the
    cells that have been still for longer than any hand: what lies there over a card's place, and has lain as still in
    all its length, is no longer waited for.
    """

    def __init__(
        self,
        places: Places,
        memory: SceneMemory,
        picture: CellPicture,
        at_rest: CellMask,
        long_still: CellMask,
        uncovered: Mapping[str, CellPicture | None],
    ) -> None:
        self._places = places
        self._at_rest = at_rest
        self._unchanged = ~memory.changed(picture)
        self._unchanged_since_covered = {key: ~memory.differing(then, picture) for key, then in uncovered.items()}
        self._empty, self._empty_known = memory.looks_empty(picture)
        self._long_still = long_still

    def place(self, lie: Lie, above: Sequence[Lie]) -> Place:
        """What the visible part of the lie's place, not under `above`, looks like."""
        shares = self._places.shares(self._places.fine(lie) & ~self._places.union(above))
        if not shares.any():
            return Place.OTHER
        if _share(~self._at_rest, shares) > 1 - MOST:
            return Place.IN_MOTION
        if _share(self._unchanged_since_covered.get(lie.key, self._unchanged), shares) >= MOST:
            return Place.UNCHANGED
        if (
            self._is_furniture(shares)
            or _share(self._empty, shares) >= MOST * _share(self._empty_known, shares) > MOST / 2
        ):
            return Place.EMPTY
        return Place.OTHER

    def _is_furniture(self, shares: NDArray[np.float32]) -> bool:
        """Whether the whole connected thing over the place has been still for long."""
        place = shares > 0
        over = place | (self._empty_known & ~self._empty)
        return all(bool(self._long_still[group].all()) for group in groups(over) if (group & place).any())

    def fresh_share(self, lie: Lie, above: Sequence[Lie]) -> float:
        """The share of the card's visible part (not under `above`) that has changed; 0 if nothing of it is visible."""
        shares = self._places.shares(self._places.fine(lie) & ~self._places.union(above))
        return _share(~self._unchanged, shares) if shares.any() else 0.0

    def at_rest(self, lie: Lie) -> bool:
        """Whether nothing moved on the card while the frames of the reading were taken."""
        return _share(self._at_rest, self._places.shares(self._places.fine(lie))) >= 1.0


def _share(mask: CellMask, weights: NDArray[np.float32]) -> float:
    """The weighted share of `mask`; 1 where there is no weight (a card out of the picture)."""
    total = float(weights.sum())
    return float(weights[mask].sum()) / total if total > 0 else 1.0
