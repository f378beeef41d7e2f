"""Games that are not part of this package: a folder with a folder a row, each with a folder a game.

    FOLDER/rules/NAME/       FOLDER/referee/NAME/       FOLDER/web/NAME/

They are found as our own are (docs/adding-a-game.md). Rows that a game does not need may be missing.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from arena_cam.commands.options.messages import OptionRefusal
from arena_cam.domain.errors import BadInput

ROWS = ("rules", "referee", "web")


def add_games(folder: Path) -> None:
    """Lets the program find the games in `folder`. Raises BadInput where there are none."""
    if not (folder / "rules").is_dir():
        raise BadInput(OptionRefusal.NO_GAMES(folder=str(folder / "rules" / "NAME")), about=folder)
    for row in ROWS:
        package = importlib.import_module(f"arena_cam.{row}.games")
        if (folder / row).is_dir() and str(folder / row) not in package.__path__:
            package.__path__.append(str(folder / row))
    importlib.invalidate_caches()


def add_games_of(folders: str) -> None:
    """Lets the program find the games in `folders`, separated as in PATH."""
    for folder in filter(None, folders.split(os.pathsep)):
        add_games(Path(folder))
