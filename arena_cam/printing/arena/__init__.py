"""Printed matter for the arena, to be cut out: cards, rules, blocks, a score sheet, a box.

Belongs here: how these things look. Does not: how pages of paper are filled (`printing/pdf.py`), the faces of the deck
(`printing/deck.py`), the marks that the camera looks for (`printing/sheets.py`).
"""

from arena_cam.printing.arena.sheets_of_paper import LANGUAGES, PARTS, print_set, write_own_deck
from arena_cam.printing.game_print import GamePrint

PRINT = GamePrint(parts=PARTS, languages=LANGUAGES, add_pages=print_set, write_folder=write_own_deck)
