"""The printed matter of a game. A game with anything to print is a folder here whose package has a constant `PRINT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import arena_cam.printing
from arena_cam.printing.pdf import Sheets


@dataclass(frozen=True, slots=True)
class GamePrint:
    """The parts of a game's set, the languages it exists in, and how both become pages or a set folder."""

    parts: tuple[str, ...]
    languages: tuple[str, ...]
    add_pages: Callable[[Sheets, str, tuple[str, ...]], None]
    """Adds the pages of some parts in a language."""
    write_folder: Callable[[Path, str], object]
    """Writes the set folder in a language. Raises CannotDo."""


def printable_games() -> list[str]:
    """The names of all games that have anything to print, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(arena_cam.printing.__path__) if module.ispkg)


def find_game_print(name: str) -> GamePrint:
    """The printed matter of the game called `name`, one of `printable_games`."""
    found = importlib.import_module(f"arena_cam.printing.{name}").PRINT
    assert isinstance(found, GamePrint)
    return found
