"""The players round the simulated table: they choose cards, throw, duel and clear up. They know no rules.

Whoever referees tells them what is awaited (`act`); an `Evening` lets them play on by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from arena_cam.domain.lies import Face
from arena_cam.simulation import actions as act
from arena_cam.simulation.table import SimulatedTable

NAMES = ("Anna", "Bernhard", "Clara", "David", "Eric")
COLOURS = ("red", "blue", "green", "yellow", "violet")
CARDS_EACH = 10

# How people play: how many throws a challenge draws, how often two fly at once, how often a card lands on its face.
THROWS_SHARES = (0.06, 0.30, 0.30, 0.22, 0.12)
TOGETHER_SHARE = 0.12
FACE_DOWN_SHARE = 0.05
CONFLICT_SHARE = 0.45
THINKING_S = (0.8, 2.6)  # between one throw and the next, at speed 1


class Actors:
    """Three to five players with the colours of COLOURS in seat order."""

    def __init__(self, table: SimulatedTable, players: int = 4, seed: int = 1) -> None:
        self.table = table
        self.players = NAMES[:players]
        self._rng = np.random.default_rng([seed, 47])
        self._round: str | None = None
        self._throws_left = 0
        self._thrown: set[str] = set()

    def header(self) -> dict[str, Any]:
        """The header of the game's record."""
        seats = [{"name": n, "colour": c} for n, c in zip(self.players, COLOURS, strict=False)]
        return {"game": "arena", "version": 1, "players": seats}

    def dealt(self) -> dict[str, list[str]]:
        """Everyone's ten cards at the start, by player."""
        return {
            name: [f"{colour}-{value}" for value in range(1, CARDS_EACH + 1)]
            for name, colour in zip(self.players, COLOURS, strict=False)
        }

    def act(
        self,
        awaiting: str,
        *,
        provocateur: str | None = None,
        hands: Mapping[str, Sequence[str]] | None = None,
        challenge: str | None = None,
        duellists: Mapping[str, int] | None = None,
    ) -> dict[str, str]:
        """Does what is awaited next, if the table is idle; to be called again and again.

        `awaiting` is "challenge", "throws", "duel" or "nothing"; `hands` the cards still held by player; `challenge`
        the card that lies as the challenge; `duellists` the life blocks of the two who duel. Returns the duellists'
        choices ("peace" or "conflict") when a duel is awaited, otherwise nothing.
        """
        hands = hands or {}
        if awaiting == "duel":
            return {name: self._choice(lives) for name, lives in (duellists or {}).items()}
        if not self.table.idle:
            return {}
        if awaiting == "challenge" and provocateur is not None and hands.get(provocateur):
            self.open_round(provocateur, hands)
        elif awaiting == "throws" and challenge is not None:
            self.throw_next(challenge, provocateur, hands)
        return {}

    def open_round(self, provocateur: str, hands: Mapping[str, Sequence[str]]) -> str:
        """Clears the arena if need be and lays a challenge; returns its card."""
        if self.table.pile.cards:
            self.table.perform(act.Sweep(), act.Wait(0.8))
        card = self._pick(hands[provocateur])
        self._begin(card)
        self.table.perform(act.Wait(self._pause()), act.LayChallenge(card))
        return card

    def throw_next(self, challenge: str, provocateur: str | None, hands: Mapping[str, Sequence[str]]) -> list[str]:
        """The next throw of this round, if anybody still wants to: the cards thrown now (two if at once)."""
        if challenge != self._round:
            self._begin(challenge)
        thrown: list[str] = []
        while self._throws_left > 0:
            holders = [n for n, cards in hands.items() if n != provocateur and set(cards) - self._thrown]
            if not holders:
                self._throws_left = 0
                break
            name = str(self._rng.choice(holders))
            card = self._pick([c for c in hands[name] if c not in self._thrown])
            face = Face.DOWN if self._rng.random() < FACE_DOWN_SHARE else Face.UP
            if not thrown:
                self.table.perform(act.Wait(self._pause()))
            self.table.perform(act.Throw(card, face=face, together=bool(thrown)))
            self._thrown.add(card)
            thrown.append(card)
            self._throws_left -= 1
            if self._rng.random() >= TOGETHER_SHARE:
                break
        return thrown

    @property
    def done_throwing(self) -> bool:
        """Whether nobody wants to throw any more in this round."""
        return self._throws_left <= 0

    def _begin(self, challenge: str) -> None:
        self._round = challenge
        self._thrown = {challenge}
        self._throws_left = int(self._rng.choice(len(THROWS_SHARES), p=THROWS_SHARES))

    def _pick(self, cards: Sequence[str]) -> str:
        return str(cards[int(self._rng.integers(len(cards)))])

    def _pause(self) -> float:
        return float(self._rng.uniform(*THINKING_S))

    def _choice(self, lives: int) -> str:
        return "conflict" if lives > 0 and self._rng.random() < CONFLICT_SHARE else "peace"


class Evening:
    """The actors playing by themselves, for a source that nobody referees: rounds until at most one holds cards.

    A `Director` of a SimulatedSource. Cards leave the hands as they are thrown; duels are left out.
    """

    def __init__(self, actors: Actors, *, quiet_s: float = 2.5, games: int | None = None) -> None:
        self.actors = actors
        self._hands = actors.dealt()
        self._provocateur = 0
        self._challenge: str | None = None
        self._quiet_s = quiet_s
        self._games_left = games

    @property
    def over(self) -> bool:
        """Whether the last game asked for has been played and cleared away."""
        return self._games_left == 0

    def direct(self, table: SimulatedTable) -> None:
        """Queues what happens next as soon as the table is idle."""
        if self.over or not table.idle:
            return
        if self._challenge is None:
            self._open(table)
        elif not self.actors.done_throwing:
            name = self.actors.players[self._provocateur]
            for card in self.actors.throw_next(self._challenge, name, self._hands):
                self._leave_hand(card)
        else:
            table.perform(act.Wait(self._quiet_s))
            self._challenge = None
            self._provocateur = (self._provocateur + 1) % len(self.actors.players)

    def _open(self, table: SimulatedTable) -> None:
        holding = [k for k, name in enumerate(self.actors.players) if self._hands[name]]
        if len(holding) <= 1:
            table.perform(act.Sweep(), act.Wait(3.0))
            self._hands = self.actors.dealt()
            self._games_left = None if self._games_left is None else self._games_left - 1
            return
        while self._provocateur not in holding:
            self._provocateur = (self._provocateur + 1) % len(self.actors.players)
        self._challenge = self.actors.open_round(self.actors.players[self._provocateur], self._hands)
        self._leave_hand(self._challenge)

    def _leave_hand(self, card: str) -> None:
        for cards in self._hands.values():
            if card in cards:
                cards.remove(card)
