"""The rulebooks as pure functions: one file a game; no numpy, no input or output, no clock, no randomness.

Every module of this package with a constant `GAME` is a game; nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil

from arena_cam.rules.game import Game, Header, History, Legal, Ruling

__all__ = ["Game", "Header", "History", "Legal", "Ruling", "game", "games"]

_GAMES: dict[str, Game] = {}


def games() -> dict[str, Game]:
    """All games by the name that a record calls them."""
    if not _GAMES:
        for module in pkgutil.iter_modules(__path__):
            found = getattr(importlib.import_module(f"{__name__}.{module.name}"), "GAME", None)
            if isinstance(found, Game):
                _GAMES[found.name] = found
    return _GAMES


def game(name: str) -> Game:
    """The game that a record calls `name`; KeyError if there is none."""
    return games()[name]
