"""The players of the simulated table: they lay challenges, throw, choose and sweep as the game awaits it.

They know what anybody at the table knows (the session's snapshot), and act through what anybody may do: their cards fly
on the simulated table, where the camera must see them, and so do their duelling blocks lie there. Who has a seat at a
real phone chooses for himself.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from arena_cam.referee.game.playing_thread import PlayingThread
from arena_cam.referee.games.arena.values import ArenaGame, ArenaPlayer, arena_game, arena_players
from arena_cam.referee.interface import SessionPort, Snapshot
from arena_cam.simulation.arena.actions import LayBlock, LayChallenge, Sweep, TakeBlock, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable

PLAYERS = (("Anna", "red"), ("Bernhard", "blue"), ("Christine", "green"), ("Daniel", "yellow"))
# A card that the referee has not spoken of by then was not seen: the players go on, as people would.
PATIENCE_S = 12.0
# A question is left to a person for so long; then somebody at the table answers it.
QUESTION_PATIENCE_S = 25.0
THINKING_S = (1.5, 3.5)
BETWEEN_GAMES_S = 20.0
# How many cards are thrown at a challenge, and how often that happens.
THROWS = ((0, 1), (1, 4), (2, 5), (3, 3), (4, 1))
AGAIN = ((0, 1), (1, 3), (2, 1))
CONFLICT_SHARE = 0.35  # people like peace somewhat better while life blocks are few


class SimulatedPlayers(PlayingThread):
    """Plays game after game on `table` until stopped. `seated` tells whether a player sits at a real phone."""

    plays = "arena"
    stops_within_s = 2.0

    def __init__(
        self,
        session: SessionPort,
        table: SimulatedTable,
        seated: Callable[[str], bool] = lambda _player: False,
        seed: int = 1,
    ) -> None:
        super().__init__(session)
        self._table, self._seated = table, seated
        self._random = random.Random(seed)
        self._moment: tuple[object, ...] = ()
        self._since = 0.0
        self._throws_left: int | None = None
        self._expected: set[str] = set()
        self._chosen: dict[str, str] = {}
        self._thinking_until = 0.0
        self._swept_at = float("-inf")

    def play(self, snapshot: Snapshot, now_s: float) -> None:
        """Does what is to be done now, if anything; `now_s` from any start."""
        if self._stands_aside(snapshot["game"]):
            return
        game = arena_game(snapshot["game"]) if self._is_own(snapshot["game"]) else None
        self._notice(game, now_s)
        if snapshot["paused"] or now_s < self._thinking_until or not self._table.idle:
            return
        question = snapshot["question"]
        if question is not None and question["blocking"]:
            self._answer(snapshot)
        elif game is None or game["over"] or game["ended"]:
            self._begin(game, now_s)
        elif game["awaiting"] == "challenge":
            self._challenge(game, snapshot, now_s)
        elif game["awaiting"] == "throws":
            self._throw(game, snapshot, now_s)
        elif game["awaiting"] == "duel":
            self._choose(game, now_s)

    def _notice(self, game: ArenaGame | None, now_s: float) -> None:
        """Starts anew to wait and to plan whenever the game stands elsewhere."""
        moment = (
            (game["id"], game["round"], game["awaiting"], game["challenge"], game["over"] or game["ended"])
            if game
            else ()
        )
        again = bool(game and game["hint"] and game["hint"]["code"] == "throw_again")
        if (*moment, again) != self._moment:
            self._moment = (*moment, again)
            self._since = now_s
            self._throws_left = None
            self._expected.clear()
            self._chosen.clear()
            self._think(now_s)

    def _think(self, now_s: float) -> None:
        self._thinking_until = now_s + self._random.uniform(*THINKING_S)

    def _begin(self, before: ArenaGame | None, now_s: float) -> None:
        if before is not None and now_s - self._since < BETWEEN_GAMES_S:
            return
        if self._table.pile.cards:
            self._table.perform(Sweep())
            return
        self._take_blocks()
        players = [{"name": name, "colour": colour} for name, colour in PLAYERS]
        self._session.act("start_game", {"players": players, "name": "Demonstration"}, "simulated players")

    def _challenge(self, game: ArenaGame, snapshot: Snapshot, now_s: float) -> None:
        if self._expected:
            if now_s - self._since < PATIENCE_S:
                return
            self._since = now_s
            self._expected.clear()
        if self._table.pile.cards or snapshot["cards"]:
            if self._table.pile.cards or now_s - self._swept_at > PATIENCE_S:
                # An arena that is empty is not swept again at once: the eye may need a quiet moment to be sure of it.
                self._table.perform(Sweep())
                self._swept_at = now_s
            self._take_blocks()
            self._table.perform(Wait(1.0))
            self._since = now_s
            self._think(now_s)
            return
        provocateur = _player(game, game["provocateur"])
        if provocateur is not None and provocateur["hand"]:
            card = self._random.choice(provocateur["hand"])
            self._table.perform(LayChallenge(card))
            self._expected.add(card)
            self._since = now_s

    def _throw(self, game: ArenaGame, snapshot: Snapshot, now_s: float) -> None:
        seen = {card["card"] for card in snapshot["cards"]}
        if self._expected - seen and now_s - self._since < PATIENCE_S:
            return
        self._expected.clear()
        if self._throws_left is None:
            again = self._moment[-1]
            numbers, weights = zip(*(AGAIN if again else THROWS), strict=True)
            self._throws_left = self._random.choices(numbers, weights)[0]
        lying = {placed.card for placed in self._table.pile.cards}
        hands = [
            [card for card in player["hand"] if card not in lying]
            for player in arena_players(game)
            if not player["is_provocateur"]
        ]
        hands = [hand for hand in hands if hand]
        if self._throws_left > 0 and hands:
            self._throws_left -= 1
            card = self._random.choice(self._random.choice(hands))
            self._table.perform(Throw(card))
            self._expected.add(card)
            self._since = now_s
            self._think(now_s)

    def _choose(self, game: ArenaGame, now_s: float) -> None:
        """By blocks laid on the table; by phone where the camera looks for none, or reads none for too long."""
        choosing = [name for name in game["may_choose"] if not self._seated(name)]
        if game["awaits_blocks"] and not self._chosen and choosing:
            self._take_blocks()
            for number, name in enumerate(choosing):
                player = _player(game, name)
                assert player is not None
                choice = self._chosen[name] = self._choice(game, name)
                self._table.perform(LayBlock(player["colour"], choice, together=number > 0))
            self._since = now_s
        elif not game["awaits_blocks"] or now_s - self._since >= PATIENCE_S:
            for name in choosing:
                choice = self._chosen.get(name) or self._choice(game, name)
                self._session.act("duel_choice", {"player": name, "choice": choice}, name)

    def _choice(self, game: ArenaGame, name: str) -> str:
        conflict = "conflict" in game["may_choose"][name] and self._random.random() < CONFLICT_SHARE
        return "conflict" if conflict else "peace"

    def _take_blocks(self) -> None:
        for colour in sorted({laid.block.colour for laid in self._table.blocks}):
            self._table.perform(TakeBlock(colour))

    def _answer(self, snapshot: Snapshot) -> None:
        question = snapshot["question"]
        if question is None or snapshot["at"] - question["asked_at"] < QUESTION_PATIENCE_S:
            return
        best = next((c for c in question["choices"] if c["recommended"] and not c["asks_card"]), None)
        best = best or next(c for c in question["choices"] if not c["asks_card"])
        self._session.act("answer_question", {"id": question["id"], "choice": best["id"]}, "simulated players")


def _player(game: ArenaGame, name: str | None) -> ArenaPlayer | None:
    return next((player for player in arena_players(game) if player["name"] == name), None)
