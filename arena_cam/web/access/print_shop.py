"""The interface by which pages have sheets drawn. The command that serves the pages implements it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

PAPERS = ("a4", "letter")


@dataclass(frozen=True)
class Sheet:
    """Sheets that are printed together: one part of a game's set, in each of `languages`."""

    game: str
    part: str
    languages: tuple[str, ...]


class PrintShop(Protocol):
    """Draws sheets, each once; the second asker gets the same file."""

    @property
    def sheets(self) -> Sequence[Sheet]: ...

    def pdf(self, sheet: Sheet, paper: str, language: str) -> Path:
        """The file of `sheet`. Raises CannotDo if it cannot be drawn or written."""
        ...
