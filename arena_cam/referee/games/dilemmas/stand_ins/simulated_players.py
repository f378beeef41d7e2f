"""The players of a simulated evening of dilemmas: each lays a card of our set against another, and votes in secret.

They do what any phone may do. Who has a seat at a real phone plays for himself.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from arena_cam.printing.dilemmas.texts import card_texts
from arena_cam.referee.game.playing_thread import WHO, PlayingThread
from arena_cam.referee.interface import SessionPort, Snapshot

NAMES = ("Anna", "Bernhard", "Guðrún", "Daniel")
THINKING_S = (1.5, 4.0)
LOOKING_S = 8.0  # at the votes of a round, before the next dilemma is laid
BETWEEN_GAMES_S = 20.0


class SimulatedPlayers(PlayingThread):
    """Plays game after game until stopped. `pace` stretches their thinking: 0 for players who do not think."""

    plays = "dilemmas"

    def __init__(
        self,
        session: SessionPort,
        seated: Callable[[str], bool] = lambda _player: False,
        seed: int = 1,
        pace: float = 1.0,
    ) -> None:
        super().__init__(session)
        self._seated, self._pace = seated, pace
        self._random = random.Random(seed)
        self._moment: tuple[object, ...] = ()
        self._thinking_until = 0.0

    def play(self, snapshot: Snapshot, now_s: float) -> None:
        """Does one thing that is to be done now, if any; `now_s` from any start."""
        if snapshot["paused"] or now_s < self._thinking_until or self._stands_aside(snapshot["game"]):
            return
        self._thinking_until = now_s + self._pace * self._random.uniform(*THINKING_S)
        game: Any = snapshot["game"] if self._is_own(snapshot["game"]) else None
        ended = game is not None and (game["over"] or game["ended"])
        moment = (game["id"], game["round"], ended) if game is not None else ()
        if moment != self._moment:  # first everybody looks at what came out
            looks = bool(self._moment) and game is not None
            self._moment = moment
            self._thinking_until = now_s + self._pace * (BETWEEN_GAMES_S if ended else LOOKING_S) * looks
            return
        if game is None or ended:
            players = [{"name": name} for name in NAMES]
            self._session.act("start_game", {"game": self.plays, "players": players, "name": "Demonstration"}, WHO)
        else:
            self._lay_or_vote(game)

    def _lay_or_vote(self, game: Any) -> None:
        simulated = [player["name"] for player in game["players"] if not self._seated(player["name"])]
        unlaid = [name for name in simulated if name not in game["laid"]]
        if game["awaiting"] == "dilemmas" and unlaid:
            name = self._random.choice(unlaid)
            sides = {kind: self._card(kind) for kind in ("positive", "negative")}
            self._session.act("lay_dilemma", {"player": name, **sides}, name)
        unvoted = [name for name in simulated if name in game["may_choose"]]
        if unvoted:
            name = self._random.choice(unvoted)
            self._session.act("vote_in_secret", {"player": name, "choice": self._ballot(game, name)}, name)

    def _card(self, kind: str) -> str:
        return self._random.choice([card.text for card in card_texts("en") if card.kind == kind])

    def _ballot(self, game: Any, voter: str) -> str:
        """As many of a kind as there are tokens, in any order; supervotes as soon as there are any."""
        owners = [player["name"] for player in game["players"]]
        letters = ["y", "n"] * game["each_kind"]
        self._random.shuffle(letters)
        if game["options"]["supervotes"]:
            letters = [each for each, token in (("Y", "super_yes"), ("N", "super_no"))
                       if [voter, token] not in game["supers_used"]] + letters  # fmt: skip
        return "".join("-" if owner == voter and not game["own_vote"] else letters.pop(0) for owner in owners)
