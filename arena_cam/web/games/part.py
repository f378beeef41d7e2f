"""One game's part of the pages, found by the game's name; what a game without one shows.

A game's folder here may hold a constant `PART`, and templates: `scoreboard/_ruling.html` in it stands in for the one in
`any_game/`. Nothing else lists the games that have a folder.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from arena_cam.referee.interface import (
    CardSnapshot,
    GameDetail,
    GameSnapshot,
    Phrase,
    RulingSnapshot,
    Snapshot,
    ThrowDetail,
)
from arena_cam.rules import all_games
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import N_, Words

FOLDERS = "arena_cam.web.games"
ANY_GAME = "any_game"
AMENDED = "amended"  # the ruling of a correction: it says that a line was corrected, not what follows from that


class WebPart:
    """A game's part of the pages; as it stands, it serves any game."""

    words = Words()
    kept = N_("Pictures")  # what the page of kept pictures is called, in the menu, too
    films_throws = False  # whether a throw that was ruled is shown again on the scoreboard, in slow motion
    none_kept = N_("Nothing has been seen yet.")
    here_comes = N_("Here stands what was ruled.")  # what the scoreboard shows in its largest place, before any game
    NO_PHOTOGRAPHS = N_("Nothing has been photographed yet.")
    tables: tuple[str, ...] = ()  # of `throws` and `choices`: what can be downloaded of a game as CSV beside its points

    def hint(self, game: GameSnapshot) -> Phrase | None:
        """The hint with the params that its sentence wants."""
        return game["hint"]

    def headline(self, game: GameSnapshot | None) -> tuple[RulingSnapshot | None, list[RulingSnapshot]]:
        """The ruling that says how it went, and the other ones of late, newest first."""
        rulings = without_corrections(game)
        chosen = rulings[-1] if rulings else None
        return chosen, [ruling for ruling in reversed(rulings) if ruling is not chosen]

    def newest(self, cards: list[CardSnapshot], game: GameSnapshot | None) -> CardSnapshot | None:
        """The card that is to be shown before anything is ruled."""
        del cards, game
        return None

    def all_cards(self, game: GameSnapshot | None) -> list[str]:
        """Every card that is played, for the lists to choose from."""
        del game
        return []

    def new_game(self) -> dict[str, Any]:
        """The context of the game's own `referee/_new_game.html`."""
        return {}

    def helpers(self) -> dict[str, Any]:
        """The names that all of the game's own templates may call or look up."""
        return {}

    def possible_cards(self, game: GameSnapshot | None) -> list[str]:
        """The cards that a card on the table can still turn out to be."""
        return self.all_cards(game)

    def board(self, snapshot: Snapshot, _: Translate) -> dict[str, Any]:
        """The context of the game's own templates of scoreboard and overlay."""
        del snapshot
        return {}

    def past_board(self, throws: Sequence[ThrowDetail], snapshot: Snapshot) -> dict[str, Any]:
        """The context of `games/_round.html`: the table as `throws` of one round left it."""
        del throws, snapshot
        return {}

    def colours(self, detail: GameDetail) -> dict[str, str]:
        """By player the colour in which the game's pages show the player; a chart has colours for all others."""
        return detail["colours"]

    def how_to_play(self) -> dict[str, Any]:
        """The context of the game's own `how/_rules.html`: its drawings."""
        return {}

    def rematch(self, game: GameSnapshot) -> dict[str, Any]:
        """The arguments of `start_game` for another game of the same players, by the same house rules."""
        players = [{"name": player["name"]} for player in game["players"]]
        return {"game": game["game"], "players": players, "options": game["options"]}


def without_corrections(game: GameSnapshot | None) -> list[RulingSnapshot]:
    """The rulings of late that rule something, oldest first."""
    return [ruling for ruling in game["rulings"] if ruling["code"] != AMENDED] if game is not None else []


def find_web_part(game: str) -> WebPart:
    """The part of the game that a record calls so; of one without a folder of its own, what serves any game."""
    try:
        module = importlib.import_module(f"{FOLDERS}.{game}")
    except ModuleNotFoundError as error:
        if error.name != f"{FOLDERS}.{game}":
            raise
        return WebPart()
    return cast(WebPart, getattr(module, "PART", None) or WebPart())


def own_templates(game: str, name: str) -> list[str]:
    """The places at which the template `name` is looked for, in this order."""
    return [f"{game}/{name}", f"{ANY_GAME}/{name}", name]


def template_folders() -> list[str]:
    """The folders with games' templates."""
    return list(importlib.import_module(FOLDERS).__path__)


def style_sheet(game: str) -> Path | None:
    """The game's own style sheet, if its folder has one."""
    files = (Path(folder) / game / "style.css" for folder in template_folders())
    return next((file for file in files if file.is_file()), None)


def games_to_begin(usual: str) -> dict[str, list[tuple[str, str, range]]]:
    """(name, title, how many may play) of the usual game and of those that can be begun beside it, for templates."""
    known = [(game.name, game.title, game.players) for game in all_games().values()]
    return {
        "usual_games": [each for each in known if each[0] == usual],
        "other_games": [each for each in known if each[0] != usual],
    }
