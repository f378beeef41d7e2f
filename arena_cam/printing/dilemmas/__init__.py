"""Printed matter for pandaqi's Game of Dilemmas: cards, empty cards, tokens, owner discs.

Belongs here: the artwork of our own set and its texts. Does not: sheets and PDF (`printing/`), and rules.
"""

from __future__ import annotations

from arena_cam.printing.dilemmas.set_folder import write_set
from arena_cam.printing.dilemmas.sheets import PARTS, print_set
from arena_cam.printing.dilemmas.texts import LANGUAGES
from arena_cam.printing.game_print import GamePrint

PRINT = GamePrint(PARTS, LANGUAGES, print_set, write_set)
