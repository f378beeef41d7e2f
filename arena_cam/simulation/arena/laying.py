"""Somebody who lays the cards of a deck into the simulated arena one after another, then one of them face down."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena_cam.camera.frame import Frame
from arena_cam.domain.errors import BadInput
from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import default_deck
from arena_cam.simulation.arena.actions import LayChallenge, RemoveCard, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.source import SimulatedSource

SHOWN_S = 1.2  # how long each card is left alone


class LaidInOrder:
    """Directs a simulated table: lays the cards in the order of `names`, and the first again, face down."""

    def __init__(self, names: Sequence[str]) -> None:
        self._to_lay = [*names]
        self._back_of: str | None = names[0]
        self._started = False
        self.done = False

    def direct(self, table: SimulatedTable) -> None:
        """Called before every frame."""
        if not table.idle:
            return
        if not self._started:
            self._started = True
            table.perform(Wait(SHOWN_S))  # the empty arena
        elif self._to_lay:
            card = self._to_lay.pop(0)
            table.perform(LayChallenge(card), Wait(SHOWN_S), RemoveCard(card))
        elif self._back_of is not None:
            card, self._back_of = self._back_of, None
            table.perform(Throw(card, Landing.FLAT, Face.DOWN, (0.0, 0.0)), Wait(SHOWN_S), RemoveCard(card))
        else:
            self.done = True


class LaidInOrderSource(SimulatedSource[SimulatedTable]):
    """The frames of that, as fast as they are read; ends with the last card."""

    def __init__(self, table: SimulatedTable, director: LaidInOrder) -> None:
        super().__init__(table, director, live=False)
        self._laying = director

    def read(self) -> Frame | None:
        return None if self._laying.done else super().read()


def simulated_laying(names: Sequence[str], folder: Path) -> tuple[LaidInOrderSource, Table]:
    """The simulated table with the project's own deck, drawn into `folder`, and its director; as fast as it is read."""
    deck = read_deck(default_deck(folder / "deck"))
    strange = [name for name in names if name not in deck.by_id]
    if strange:
        raise BadInput(SimulatedTrouble.OWN_DECK(name=strange[0]))
    table = SimulatedTable(deck, supersample=1)
    return LaidInOrderSource(table, LaidInOrder(names)), table.table()
