"""The rulebooks as pure functions: no numpy, no input or output, no clock, no randomness.

This folder holds the frame that every game shares. A game is a folder of `games/` whose package has a constant `GAME`
and bears the game's name; nothing else lists them. A folder of games elsewhere is added to `games.__path__`.
"""

from __future__ import annotations

import importlib
import pkgutil

from arena_cam.rules.game import Game, Header, History, Legal, Ruling

__all__ = ["USUAL_GAME", "Game", "Header", "History", "Legal", "Ruling", "all_games", "find_game"]

USUAL_GAME = "arena"  # where nobody says which

_GAMES: dict[str, Game] = {}


def _folders() -> list[str]:
    """Where games lie: `games/` here, and whatever was added to its path."""
    return list(importlib.import_module(f"{__name__}.games").__path__)


def all_games() -> dict[str, Game]:
    """All games by the name that a record calls them."""
    for module in pkgutil.iter_modules(_folders()):
        _find(module.name)
    return dict(_GAMES)


def find_game(name: str) -> Game:
    """The game that a record calls `name`; KeyError if there is none. Imports no other."""
    if name not in _GAMES and any(module.name == name for module in pkgutil.iter_modules(_folders())):
        _find(name)
    return _GAMES[name]


def _find(name: str) -> None:
    found = getattr(importlib.import_module(f"{__name__}.games.{name}"), "GAME", None)
    if isinstance(found, Game):
        _GAMES[found.name] = found
