"""The rulebooks as pure functions: one file a game; no numpy, no input or output, no clock, no randomness.

Every module of this package with a constant `GAME` is a game and bears its name; nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil

from arena_cam.rules.game import Game, Header, History, Legal, Ruling

__all__ = ["Game", "Header", "History", "Legal", "Ruling", "game", "games"]

_GAMES: dict[str, Game] = {}


def games() -> dict[str, Game]:
    """All games by the name that a record calls them."""
    for module in pkgutil.iter_modules(__path__):
        _find(module.name)
    return dict(_GAMES)


def game(name: str) -> Game:
    """The game that a record calls `name`; KeyError if there is none. Imports no other."""
    if name not in _GAMES and any(module.name == name for module in pkgutil.iter_modules(__path__)):
        _find(name)
    return _GAMES[name]


def _find(name: str) -> None:
    found = getattr(importlib.import_module(f"{__name__}.{name}"), "GAME", None)
    if isinstance(found, Game):
        _GAMES[found.name] = found
