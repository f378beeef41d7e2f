"""Draws sheets for the pages in a process of its own, so that the referee neither waits for it nor grows."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from arena_cam import __version__
from arena_cam.domain.errors import CannotDo
from arena_cam.printing.game_print import find_game_print, printable_games
from arena_cam.rules import USUAL_GAME
from arena_cam.web.access.print_shop import PAPERS, Sheet
from arena_cam.web.words.messages import PageRefusal

LONGEST_S = 300.0  # a Pi 4 draws all 50 cards in about a minute


class OwnPrintShop:
    """Keeps what was drawn in `folder`; one sheet is drawn at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._drawing = threading.Lock()
        games = sorted(printable_games(), key=lambda game: game != USUAL_GAME)  # what is played most stands first
        self.sheets = tuple(
            Sheet(game, part, find_game_print(game).languages) for game in games for part in find_game_print(game).parts
        )

    def pdf(self, sheet: Sheet, paper: str, language: str) -> Path:
        """The file of `sheet`, drawn if it is not there. Raises CannotDo."""
        assert sheet in self.sheets
        assert paper in PAPERS
        file = self._folder / f"{sheet.game}-{sheet.part}-{language}-{paper}-{__version__}.pdf"
        with self._drawing:
            if not file.is_file():
                self._draw(sheet, paper, language, file)
        return file

    def _draw(self, sheet: Sheet, paper: str, language: str, file: Path) -> None:
        game = ["--game", sheet.game, "--language", language]
        words = ["deck", "print", "--out", str(file.resolve()), "--paper", paper, "--only", sheet.part, *game]
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(
                [sys.executable, "-m", "arena_cam", *words],
                check=True,
                capture_output=True,
                text=True,
                timeout=LONGEST_S,
            )
        except subprocess.CalledProcessError as error:
            raise CannotDo(PageRefusal.SHEET(text=_last_line(error.stderr) or str(error))) from None
        except (subprocess.TimeoutExpired, OSError) as error:
            raise CannotDo(PageRefusal.SHEET(text=str(error))) from None


def _last_line(text: str) -> str:
    return "".join(text.strip().splitlines()[-1:])
