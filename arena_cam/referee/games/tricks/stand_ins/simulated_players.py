"""The two players of a simulated evening: they deal, lay cards on the cloth, ask for suits, sweep, put cards aside.

They know their hands, which the referee does not, and what anybody at the table knows (the session's snapshot). Their
cards must be seen by the camera; deals and exchanges they tell as people do, by a button.
"""

from __future__ import annotations

import random

from arena_cam.referee.game.playing_thread import WHO, PlayingThread
from arena_cam.referee.games.tricks.tricks_told import value
from arena_cam.referee.games.tricks.values import TricksGame, tricks_game
from arena_cam.referee.interface import SessionPort, Snapshot
from arena_cam.rules.games.tricks.engine import CARDS, DRAWN, HAND_SIZE
from arena_cam.simulation.tricks.cloth import Clear, Cloth, LayCard, SweepTrick

NAMES = ("Anna", "Bernhard")
THINKING_S = (0.8, 2.0)
LOOKING_S = 2.5  # at a trick, before it is swept away
PATIENCE_S = 14.0  # a card that the referee has not spoken of by then is told by hand
QUESTION_PATIENCE_S = 25.0  # a question is left to a person for so long
BETWEEN_GAMES_S = 20.0


class SimulatedPlayers(PlayingThread):
    """Plays game after game on `cloth` until stopped. `pace` stretches their thinking: 0 for those who do not think."""

    plays = "tricks"

    def __init__(self, session: SessionPort, cloth: Cloth, seed: int = 1, pace: float = 1.0) -> None:
        super().__init__(session)
        self._cloth, self._pace = cloth, pace
        self._random = random.Random(seed)
        self._game, self._deal, self._trick = "", 0, 0
        self._hands: dict[str, list[str]] = {}
        self._stock: list[str] = []
        self._laid: str | None = None
        self._laid_at_s = self._until_s = 0.0
        self._over_since: float | None = None
        self._taken_back_s: float | None = None

    def play(self, snapshot: Snapshot, now_s: float) -> None:
        """Does one thing that is to be done now, if any; `now_s` from any start."""
        busy = snapshot["paused"] or now_s < self._until_s or not self._cloth.idle
        if busy or self._stands_aside(snapshot["game"]):
            return
        game = tricks_game(snapshot["game"]) if self._is_own(snapshot["game"]) else None
        question = snapshot["question"]
        if question is not None and question["blocking"]:
            self._answer(snapshot)
        elif game is None or game["over"] or game["ended"]:
            self._begin(game, now_s)
        else:
            self._over_since = None
            self._go_on(game, now_s)

    def _think(self, now_s: float, seconds: float | None = None) -> None:
        self._until_s = now_s + self._pace * (self._random.uniform(*THINKING_S) if seconds is None else seconds)

    def _begin(self, before: TricksGame | None, now_s: float) -> None:
        if before is not None and self._game:
            self._over_since = now_s if self._over_since is None else self._over_since
            if now_s - self._over_since < self._pace * BETWEEN_GAMES_S:
                return
        players = [{"name": name} for name in NAMES]
        args = {"game": self.plays, "players": players, "dealer": NAMES[1], "name": "Demonstration"}
        self._game = str(self._session.act("start_game", args, WHO)["game"])
        self._hands, self._laid, self._over_since = {}, None, None
        self._think(now_s)

    def _go_on(self, game: TricksGame, now_s: float) -> None:
        if game["awaiting"] == "deal":
            self._deal_cards(game)
            self._think(now_s)
        elif game["id"] != self._game or game["deal"] != self._deal:
            self._take_over(game, now_s)
        elif self._laid is not None and not _is_told(game, self._laid):
            if now_s - self._laid_at_s > PATIENCE_S:
                self._session.act("play", {"event": {"type": "play", "card": self._laid}}, WHO)
        elif (game["trick"] or 0) < self._trick:
            self._wait_for_redo(game, now_s)
        elif game["trick"] != self._trick:
            self._end_trick(game, now_s)
        else:
            self._laid = self._taken_back_s = None
            self._play(game, now_s)

    def _take_over(self, game: TricksGame, now_s: float) -> None:
        """A deal that somebody else began is played from here if no card was; of any other nobody knows the hands."""
        if game["trick"] == 1 and not game["table"]:
            self._shuffle(game)
        else:
            self._game = ""
            self._begin(None, now_s)

    def _wait_for_redo(self, game: TricksGame, now_s: float) -> None:
        """A trick that was swept away is open again: the referee took its last card back, and may do it again."""
        self._taken_back_s = now_s if self._taken_back_s is None else self._taken_back_s
        if now_s - self._taken_back_s > PATIENCE_S:
            self._taken_back_s = None
            self._take_over(game, now_s)

    def _deal_cards(self, game: TricksGame) -> None:
        if self._cloth.trick or any(self._cloth.heaps):
            self._cloth.perform(Clear())
            return
        self._shuffle(game)
        self._session.act("dealt", {}, game["dealer"])

    def _shuffle(self, game: TricksGame) -> None:
        pack = self._random.sample(CARDS, len(CARDS))
        names = [player["name"] for player in game["players"]]
        self._hands = {name: pack[i * HAND_SIZE : (i + 1) * HAND_SIZE] for i, name in enumerate(names)}
        self._stock = pack[2 * HAND_SIZE :]
        self._game, self._deal, self._trick, self._laid = game["id"], game["deal"], 1, None

    def _end_trick(self, game: TricksGame, now_s: float) -> None:
        """Looked at, swept away, the fourth card put aside; both draw from the stock."""
        last = game["last"]
        assert last is not None
        if self._laid is not None:
            self._laid = None
            self._think(now_s, LOOKING_S)
            return
        names = list(self._hands)
        winner = last["winner"]
        self._cloth.perform(SweepTrick(names.index(winner), last["cards"][3]["card"]))
        for name in sorted(names, key=lambda each: each != winner):
            self._hands[name] += self._stock[:DRAWN]
            del self._stock[:DRAWN]
        self._trick = game["trick"] or 0
        self._think(now_s)

    def _play(self, game: TricksGame, now_s: float) -> None:
        player = str(game["to_play"])
        hand = self._hands[player]
        owed = game["owed"]
        fitting = (
            [card for card in hand if card.endswith(owed) or owed == card[1]]
            if owed
            else [card for card in hand if card[1] in game["suits"]]
        )
        if not fitting and game["may_ask"]:
            self._ask(game, player)
            self._think(now_s)
            return
        card = self._chosen(game, player, fitting or hand)
        hand.remove(card)
        self._cloth.perform(LayCard(card, list(self._hands).index(player), len(game["table"])))
        self._laid, self._laid_at_s = card, now_s

    def _chosen(self, game: TricksGame, player: str, cards: list[str]) -> str:
        """The fourth card is high if it wins the trick, low if it is the other's; all others by chance."""
        if len(game["table"]) < 3:
            return self._random.choice(cards)
        own = sum(value(each["card"]) for each in game["table"] if each["player"] == player)
        others = sum(value(each["card"]) for each in game["table"] if each["player"] != player)
        best = max(cards, key=value)
        return best if own + value(best) > others else min(cards, key=value)

    def _ask(self, game: TricksGame, player: str) -> None:
        other = next(name for name in self._hands if name != player)
        suit = game["may_ask"][0]
        given = [card for card in self._hands[other] if card[1] == suit]
        if not given:
            self._session.act("exchange", {"suit": suit, "none": True}, player)
            return
        card, back = min(given, key=value), min(self._hands[player], key=value)
        self._session.act("exchange", {"suit": suit, "given": card, "returned": back}, player)
        self._hands[other].remove(card)
        self._hands[player].remove(back)
        self._hands[player].append(card)
        self._hands[other].append(back)

    def _answer(self, snapshot: Snapshot) -> None:
        """The answer is the card that was really laid."""
        question = snapshot["question"]
        if question is None or snapshot["at"] - question["asked_at"] < self._pace * QUESTION_PATIENCE_S:
            return
        choices = {choice["id"]: choice for choice in question["choices"]}
        wanted: dict[str, str | None] = {"id": question["id"], "choice": "taken_back", "card": None}
        if question["card"] == self._laid and "keep" in choices:
            wanted["choice"] = "keep"
        elif self._laid is not None and "other_card" in choices:
            wanted |= {"choice": "other_card", "card": self._laid}
        self._session.act("answer_question", wanted, WHO)


def _is_told(game: TricksGame, card: str) -> bool:
    """Whether the referee has spoken of a card: in this trick, or as the last of the one before in this deal."""
    last = game["last"]
    ended = [] if game["table"] or last is None or last["deal"] != game["deal"] else last["cards"]
    return card in {each["card"] for each in [*game["table"], *ended]}
