"""Players' strength from the order in which they finished: Weng and Lin's Bayesian method for games of several players.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), the Plackett-Luce model,
as the library openskill has it. A strength is a normal distribution; a game narrows it, chance keeps it wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

SCALE = 40.0  # the method's 25 +- 8.3 of a newcomer as 1000 +- 333, as people know ratings


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength: 19 times in 20 it lies within two `sd` of `mean`."""

    mean: float = 25.0 * SCALE
    sd: float = 25.0 / 3.0 * SCALE


Game = tuple[str, tuple[tuple[str, int], ...]]
"""A game's id, and (player, place) of each who played."""


class Ratings:
    """The ratings after a list of games. A list that only grew is rated from where it grew."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._rated: list[Game] = []
        self._history: dict[str, list[tuple[int, str, Rating]]] = {}

    def follow(self, games: Sequence[Game]) -> None:
        """Rates `games`, in the order in which they were played."""
        same = 0
        while same < min(len(games), len(self._rated)) and games[same] == self._rated[same]:
            same += 1
        for history in self._history.values():
            while history and history[-1][0] >= same:
                history.pop()
        del self._rated[same:]
        for game in games[same:]:
            self._rate(game)
            self._rated.append(game)

    def of(self, player: str) -> Rating:
        """The rating of `player` after all games; a newcomer's before the first."""
        history = self._history.get(player)
        return history[-1][2] if history else Rating()

    def after(self, player: str) -> dict[str, Rating]:
        """The rating of `player` after each game, by the game's id."""
        return {game: rating for _number, game, rating in self._history.get(player, ())}

    def _rate(self, game: Game) -> None:
        name, places = game
        if len(places) < 2:  # a game alone compares the player with nobody
            return
        number = len(self._rated)
        before = [self._model.rating(mu=r.mean / SCALE, sigma=r.sd / SCALE) for r in (self.of(p) for p, _ in places)]
        after = self._model.rate([[each] for each in before], ranks=[float(place) for _player, place in places])
        for (player, _place), (rated,) in zip(places, after, strict=True):
            rating = Rating(rated.mu * SCALE, rated.sigma * SCALE)
            self._history.setdefault(player, []).append((number, name, rating))
