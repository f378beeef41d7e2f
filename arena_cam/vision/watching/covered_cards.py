"""Cards covered by something that is no card: a hand at rest, a sleeve, a glass, a sheet of paper.

They are believed to lie there still, until the place is visible again or the referee declares them gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import Message
from arena_cam.vision.watching.card_cells import Places
from arena_cam.vision.watching.stillness import CellMask, CellPicture

# Something that moves over so much of a card's place covers it.
MOSTLY = 0.5


class Covered:
    """The cards that are covered now, and how the picture looked before they were."""

    def __init__(self) -> None:
        self.lies: tuple[Lie, ...] = ()
        self._uncovered: dict[str, CellPicture | None] = {}
        self._moved_over: frozenset[str] = frozenset()

    @property
    def uncovered(self) -> Mapping[str, CellPicture | None]:
        """By key: the picture in which the card was last visible; None if that is out of date."""
        return self._uncovered

    def become(self, lies: Sequence[Lie], settled: CellPicture | None) -> None:
        """Sets the cards that are covered now. `settled` is the last picture that was read, which does not show what
        covers the new ones."""
        self.lies, self._moved_over = tuple(lies), frozenset()
        self._uncovered = {lie.key: self._uncovered.get(lie.key, settled) for lie in lies}

    def become_moved_over(self, lies: Sequence[Lie], settled: CellPicture | None) -> None:
        """The same for cards over which something moves, so that nothing was read since."""
        before = {lie.key for lie in self.lies} - self._moved_over
        self.become(lies, settled)
        self._moved_over = frozenset(lie.key for lie in lies) - before

    def uncover_moved_over(self) -> None:
        """Motion has ended, and everything looks as it did when last read."""
        self.become([lie for lie in self.lies if lie.key not in self._moved_over], None)

    def forget_looks(self) -> None:
        """The camera moved, so earlier pictures of the places are out of date."""
        self._uncovered = dict.fromkeys(self._uncovered)

    @property
    def why(self) -> tuple[Message, ...]:
        """What the eye waits for; empty if nothing is covered."""
        return tuple(Doubt.PLACE_COVERED(card=lie.card) for lie in self.lies)


def moved_over(lies: Iterable[Lie], places: Places, moving: CellMask) -> tuple[Lie, ...]:
    """Of `lies`, bottom to top, those in view over which something moves."""
    pile = list(lies)
    over = []
    for i, lie in enumerate(pile):
        shares = places.shares(places.fine(lie) & ~places.union(pile[i + 1 :]))
        if shares.sum() > 0 and shares[moving].sum() >= MOSTLY * shares.sum():
            over.append(lie)
    return tuple(over)
