"""This game's part of the pages, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_cam.domain.colours import COLOURS
from arena_cam.referee.games.arena.values import arena_game, arena_players
from arena_cam.referee.interface import CardSnapshot, GameSnapshot, Phrase, RulingSnapshot, Snapshot, ThrowDetail
from arena_cam.web.games.arena.arena_view import draw_arena
from arena_cam.web.games.arena.house_rules import house_rules_said
from arena_cam.web.games.arena.how_to_play import COUNTS, SAME_VALUE, example
from arena_cam.web.games.arena.past_table import past_table
from arena_cam.web.games.arena.words import WORDS
from arena_cam.web.games.part import WebPart, without_corrections
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import N_

# The rulings that say how a round went, the most telling first; all others concern a single card.
HEADLINES = (
    "both_conflict",
    "one_conflict",
    "both_peace",
    "duelling",
    "rethrow",
    "unanswered",
    "wasted",
)

CARDS_A_COLOUR = 10


class ArenaPages(WebPart):
    """Scoreboard, desk and phones of the arena game."""

    words = WORDS
    kept = N_("Throws")
    none_kept = N_("Nothing has been thrown yet.")
    here_comes = N_("Here the arena is drawn from above, with each card as it lies and what counts of it.")
    films_throws = True
    tables = ("throws", "choices")

    def hint(self, game: GameSnapshot) -> Phrase | None:
        """The hint; the duellists by name, to be joined as the language joins names."""
        said = game["hint"]
        if said is None or said["code"] not in ("duel", "duel_blocks"):
            return said
        duellists = [arena_game(game)["provocateur"], arena_game(game)["opponent"]]
        return {**said, "params": {**said["params"], "players": duellists}}

    def headline(self, game: GameSnapshot | None) -> tuple[RulingSnapshot | None, list[RulingSnapshot]]:
        """The ruling that says how the round went, and the others of the last close or duel, newest first."""
        rulings = without_corrections(game)
        telling = [ruling for ruling in rulings if ruling["code"] in HEADLINES]
        chosen = telling[-1] if telling else (rulings[-1] if rulings else None)
        return chosen, [ruling for ruling in reversed(rulings) if ruling is not chosen]

    def newest(self, cards: list[CardSnapshot], game: GameSnapshot | None) -> CardSnapshot | None:
        """The card thrown last while throws are awaited."""
        if game is None or game["awaiting"] != "throws":
            return None
        thrown = [card for card in cards if card["in_round"] and card["line"] is not None and card["verdict"]]
        return max(thrown, key=lambda card: card["line"] or 0) if thrown else None

    def all_cards(self, game: GameSnapshot | None) -> list[str]:
        """Every card of every colour that is played."""
        players = arena_players(game) if game is not None else []
        return [f"{player['colour']}-{value}" for player in players for value in range(1, CARDS_A_COLOUR + 1)]

    def new_game(self) -> dict[str, Any]:
        return {"colours": COLOURS, "house_rules": house_rules_said}

    def how_to_play(self) -> dict[str, Any]:
        return {"counts": example(COUNTS), "same_value": example(SAME_VALUE)}

    def possible_cards(self, game: GameSnapshot | None) -> list[str]:
        """The cards still in a hand, as the players sit: what has been played or won lies elsewhere."""
        players = arena_players(game) if game is not None else []
        return [card for player in players for card in player["hand"]]

    def rematch(self, game: GameSnapshot) -> dict[str, Any]:
        """The same players with their colours, in the same seats."""
        players = [{"name": player["name"], "colour": player["colour"]} for player in arena_players(game)]
        return {**super().rematch(game), "players": players}

    def past_board(self, throws: Sequence[ThrowDetail], snapshot: Snapshot) -> dict[str, Any]:
        """The drawing of the round's end, from what was measured at its last throw."""
        return {"drawing": past_table(throws, snapshot["arena"])}

    def board(self, snapshot: Snapshot, _: Translate) -> dict[str, Any]:
        """The drawing from above, and what a duel brought whom."""
        headline, _others = self.headline(snapshot["game"])
        return {"drawing": draw_arena(snapshot), "gains": gains(headline), "revealed": revealed(headline)}


def gains(ruling: RulingSnapshot | None) -> list[tuple[str, list[str], bool]]:
    """(player, cards won, whether a life block was given up) of a duel, for each to whom something happened."""
    details = ruling["details"] if ruling is not None else {}
    won, lost = details.get("cards") or {}, details.get("lost_block") or []
    players = dict.fromkeys([*(winner for winner in won.values() if winner), *lost])
    return [(name, [card for card, winner in won.items() if winner == name], name in lost) for name in players]


def revealed(ruling: RulingSnapshot | None) -> list[tuple[str, str]]:
    """(player, "peace" or "conflict") of both duellists, once the duel is ruled."""
    said = ruling.get("said") if ruling is not None else None
    if ruling is None or said is None or ruling["code"] not in ("both_conflict", "one_conflict", "both_peace"):
        return []
    fought = ruling["details"].get("lost_block") or []
    duellists = (said["params"].get("player"), said["params"].get("player_other"))
    return [(str(name), "conflict" if name in fought else "peace") for name in duellists] if all(duellists) else []


PART = ArenaPages()
