"""Simulated players who play round after round at a table that nobody referees."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena_cam.domain.colours import COLOURS
from arena_cam.domain.lies import Face
from arena_cam.simulation.arena import actions as act
from arena_cam.simulation.arena.table import SimulatedTable

NAMES = ("Anna", "Bernhard", "Clara", "David", "Eric")
CARDS_EACH = 10

# How people play: how many throws a challenge draws, how often two fly at once, how often a card lands on its face,
# how often a hand reaches in for nothing.
THROWS_SHARES = (0.06, 0.30, 0.30, 0.22, 0.12)
TOGETHER_SHARE = 0.12
FACE_DOWN_SHARE = 0.05
REACH_SHARE = 0.08
THINKING_S = (0.8, 2.6)


class Evening:
    """Three to five players, game after game: challenges in turn, throws from the hands, the arena swept in between.

    A `Director` of a SimulatedSource. Nobody rules: cards leave the hands as they are played and do not come back,
    duels are left out, and a game ends when at most one player holds cards. `games` ends the evening after so many.
    """

    def __init__(self, players: int = 4, seed: int = 1, *, quiet_s: float = 2.5, games: int | None = None) -> None:
        self.players = NAMES[:players]
        self._rng = np.random.default_rng([seed, 47])
        self._quiet_s = quiet_s
        self._games_left = games
        self._hands = self._dealt()
        self._provocateur = -1
        self._throws_left: int | None = None

    def header(self) -> dict[str, Any]:
        """The header of a game's record."""
        seats = [{"name": n, "colour": c} for n, c in zip(self.players, COLOURS, strict=False)]
        return {"game": "arena", "version": 1, "players": seats}

    @property
    def over(self) -> bool:
        """Whether the last game asked for has been played and cleared away."""
        return self._games_left == 0

    def direct(self, table: SimulatedTable) -> None:
        """Queues what happens next as soon as the table is idle."""
        if self.over or not table.idle:
            return
        if self._throws_left is None:
            self._open(table)
        elif self._throws_left > 0 and self._holders():
            self._throw(table)
        else:
            table.perform(act.Wait(self._quiet_s), act.Sweep(), act.Wait(0.8))
            self._throws_left = None

    def _open(self, table: SimulatedTable) -> None:
        """The next player with cards lays a challenge; with fewer than two of them the next game is dealt."""
        holding = [k for k, name in enumerate(self.players) if self._hands[name]]
        if len(holding) <= 1:
            self._games_left = None if self._games_left is None else self._games_left - 1
            self._hands, self._provocateur = self._dealt(), -1
            table.perform(act.Wait(3.0))
            return
        turn = [(self._provocateur + k) % len(self.players) for k in range(1, len(self.players) + 1)]
        self._provocateur = next(k for k in turn if k in holding)
        card = self._play_from(self.players[self._provocateur])
        self._throws_left = int(self._rng.choice(len(THROWS_SHARES), p=THROWS_SHARES))
        table.perform(act.Wait(self._thinking()), act.LayChallenge(card))

    def _throw(self, table: SimulatedTable) -> None:
        """Somebody throws, now and then two at once, now and then after a hand that thought better of it."""
        table.perform(act.Wait(self._thinking()))
        if self._rng.random() < REACH_SHARE:
            table.perform(act.ReachIn(0.6))
        together = False
        while self._throws_left and self._holders():
            card = self._play_from(str(self._rng.choice(self._holders())))
            face = Face.DOWN if self._rng.random() < FACE_DOWN_SHARE else Face.UP
            table.perform(act.Throw(card, face=face, together=together))
            self._throws_left -= 1
            together = True
            if self._rng.random() >= TOGETHER_SHARE:
                break

    def _holders(self) -> list[str]:
        """The players who may throw: all with cards but the provocateur."""
        provocateur = self.players[self._provocateur]
        return [name for name in self.players if name != provocateur and self._hands[name]]

    def _play_from(self, name: str) -> str:
        hand = self._hands[name]
        return hand.pop(int(self._rng.integers(len(hand))))

    def _dealt(self) -> dict[str, list[str]]:
        return {
            name: [f"{colour}-{value}" for value in range(1, CARDS_EACH + 1)]
            for name, colour in zip(self.players, COLOURS, strict=False)
        }

    def _thinking(self) -> float:
        return float(self._rng.uniform(*THINKING_S))
