"""The project's own set of the hexagon game on sheets of paper: six boards, and a sheet of tiles for each."""

from __future__ import annotations

from pathlib import Path

from arena_cam.printing.hexes.art import TILES, board_face, default_mark, tile_back, tile_face
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.printing.hexes.style import Style
from arena_cam.printing.pdf import Sheets
from arena_cam.printing.sheets import Piece

PARTS = ("boards", "tiles")
LANGUAGES = ("en", "fr", "is")  # the set bears numbers and no words
OWN = Style()
TILE_GAP_MM = 2.0  # a knife needs room between hexagons


def print_set(pages: Sheets, language: str, parts: tuple[str, ...] = PARTS) -> None:
    """Adds the pages of those parts: a board a page; a player's 27 tiles on a page, followed by their backs."""
    del language
    for colour in OWN.colours:
        if "boards" in parts:
            pages.pieces([Piece(board_face(OWN, colour), *OWN.board_mm, f"{colour}: glue it onto stiff card")])
        if "tiles" in parts:
            faces = [tile_face(OWN, tile, default_mark(tile)) for tile in TILES]
            height = faces[0].shape[0] / faces[0].shape[1] * OWN.tile_mm
            pages.both_sides(faces, tile_back(OWN, colour), OWN.tile_mm, height, gap_mm=TILE_GAP_MM)


def write_own_set(folder: Path, language: str) -> Path:
    """Writes the set's folder; its pictures are the same in every language. Raises CannotDo."""
    del language
    return write_set(folder, OWN)
