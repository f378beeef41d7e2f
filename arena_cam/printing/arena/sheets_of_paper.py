"""The set on sheets of paper: which things, how many of each, front and back."""

from __future__ import annotations

import tempfile
from pathlib import Path

from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.wording import LANGUAGES
from arena_cam.printing import sheets
from arena_cam.printing.arena.rules_card import rules_card
from arena_cam.printing.arena.things import box, life_blocks, score_sheet, stumbling_block
from arena_cam.printing.deck import write_deck
from arena_cam.printing.pdf import Sheets
from arena_cam.printing.scenes import HEIGHT_MM, WIDTH_MM

__all__ = ["LANGUAGES", "PARTS", "print_set", "write_own_deck"]

PARTS = ("cards", "rules", "blocks", "scores", "box", "fiducials", "board")
PLAYERS = 5
SCORE_SHEETS = 2


def print_set(pages: Sheets, language: str, parts: tuple[str, ...] = PARTS) -> None:
    """Adds the pages of those `parts` (of PARTS)."""
    if "cards" in parts:
        with tempfile.TemporaryDirectory() as scratch:
            pages.cards(read_deck(write_deck(Path(scratch))))
    if "rules" in parts:
        front, back = rules_card(language)
        pages.both_sides([front] * PLAYERS, back, WIDTH_MM, HEIGHT_MM)
    if "blocks" in parts:
        pages.pieces([*sheets.blocks(), stumbling_block(), *life_blocks()])
    if "scores" in parts:
        pages.pieces([score_sheet(language)] * SCORE_SHEETS)
    if "box" in parts:
        pages.pieces([box()])
    if "fiducials" in parts:
        pages.pieces(sheets.fiducials())
    if "board" in parts:
        pages.board(sheets.board())


def write_own_deck(folder: Path, language: str) -> Path:
    """Writes the deck's folder; its pictures are the same in every language. Raises CannotDo."""
    del language
    return write_deck(folder)
