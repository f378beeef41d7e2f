"""The rulebooks as pure functions: no numpy, no input or output, no clock, no randomness.

This folder holds the frame that every game shares. A game is a folder of `games/` whose package has a constant `GAME`
and bears the game's name; nothing else lists them. A folder of games elsewhere is added to `games.__path__`.
"""

from __future__ import annotations

import importlib
import pkgutil

from arena_cam.rules.game import Game, Header, History, Legal, Ruling

_FOLDERS = f"{__name__}.games"

__all__ = ["USUAL_GAME", "Game", "Header", "History", "Legal", "Ruling", "all_games", "find_game"]

USUAL_GAME = "arena"  # where nobody says which


def all_games() -> dict[str, Game]:
    """All games by the name that a record calls them."""
    names = [module.name for module in pkgutil.iter_modules(importlib.import_module(_FOLDERS).__path__)]
    return {name: game for name in names if (game := _game(name)) is not None}


def find_game(name: str) -> Game:
    """The game that a record calls `name`; KeyError if there is none. Imports no other."""
    game = _game(name) if name.isidentifier() else None
    if game is None:
        raise KeyError(name)
    return game


def _game(name: str) -> Game | None:
    try:
        module = importlib.import_module(f"{_FOLDERS}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{_FOLDERS}.{name}":
            raise
        return None
    game = getattr(module, "GAME", None)
    return game if isinstance(game, Game) and game.name == name else None
