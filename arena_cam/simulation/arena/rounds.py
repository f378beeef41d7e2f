"""Endless rounds on the simulated table, for `watch sim`: throws alone, without choices and points."""

from __future__ import annotations

import random
from collections.abc import Iterator

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Face
from arena_cam.simulation.arena.actions import Action, LayChallenge, ReachIn, Sweep, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable

# One throw in so many lands face down, as at a table.
FACE_DOWN_SHARE = 0.06
HAND_SHARE = 0.15


class SimulatedRounds:
    """Keeps a table busy: a challenge, two to five throws, now and then a hand, and the arena swept clean."""

    def __init__(self, deck: Deck, seed: int) -> None:
        self._choice = random.Random(seed)
        self._actions = self._rounds([card.id for card in deck.cards])

    def direct(self, table: SimulatedTable) -> None:
        """Asks for the next action once the last has been acted out."""
        if table.idle:
            table.perform(next(self._actions))

    def _rounds(self, cards: list[str]) -> Iterator[Action]:
        while True:
            challenge, *thrown = self._choice.sample(cards, self._choice.randint(3, 6))
            yield LayChallenge(challenge)
            for card in thrown:
                yield Wait(self._choice.uniform(0.6, 2.0))
                if self._choice.random() < HAND_SHARE:
                    yield ReachIn(1.0)
                face = Face.DOWN if self._choice.random() < FACE_DOWN_SHARE else Face.UP
                yield Throw(card, face=face)
            yield Wait(1.5)
            yield Sweep()
            yield Wait(1.0)
