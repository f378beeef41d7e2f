"""The hexagon game's artwork: boards and tiles drawn to scale, in any style of art, as a set folder.

Here belongs what is drawn for that game. Not how sheets become a PDF: that is `printing/pdf.py`.
"""

from __future__ import annotations

from arena_cam.printing.game_print import GamePrint
from arena_cam.printing.hexes.sheets import LANGUAGES, PARTS, print_set, write_own_set

PRINT = GamePrint(PARTS, LANGUAGES, print_set, write_own_set)
