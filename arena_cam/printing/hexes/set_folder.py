"""A set folder of the hexagon game: deck.toml and a picture of every tile, back and board."""

from __future__ import annotations

import math
from pathlib import Path

import cv2

from arena_cam.domain.errors import CannotDo
from arena_cam.formats.messages import FileTrouble
from arena_cam.printing.hexes.art import TILES, board_face, cells_mm, default_mark, tile_back, tile_face
from arena_cam.printing.hexes.canvas import Image
from arena_cam.printing.hexes.style import Style


def write_set(folder: Path, style: Style) -> Path:
    """Writes the set (deck.toml last, so that a folder with one is complete). Raises CannotDo if it cannot."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for tile in TILES:
            _write(folder / f"{tile}.png", tile_face(style, tile, default_mark(tile)))
        for colour in style.colours:
            _write(folder / f"back-{colour}.png", tile_back(style, colour))
            _write(folder / f"board-{colour}.png", board_face(style, colour))
        (folder / "deck.toml").write_text(set_toml(style), encoding="utf-8")
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=folder) from None
    return folder


def set_toml(style: Style) -> str:
    """The text of the set's deck.toml."""
    lines = [f'name = "{style.name}"', 'game = "hexes"', 'shape = "hexagon"', f"width_mm = {style.tile_mm:g}"]
    lines += [f"height_mm = {style.tile_mm * math.sqrt(3) / 2:.3f}"]
    cells = ", ".join(f"{name} = [{x:g}, {y:g}]" for name, (x, y) in cells_mm(style).items())
    for colour in style.colours:
        lines += ["", "[[board]]", f'colour = "{colour}"', f'image = "board-{colour}.png"']
        lines += [f'back = "back-{colour}.png"', f"width_mm = {style.board_mm[0]:g}"]
        lines += [f"height_mm = {style.board_mm[1]:g}", f"cells_mm = {{ {cells} }}"]
    for tile in TILES:
        lines += ["", "[[card]]", f'id = "{tile}"', f'mark = "{default_mark(tile)}"', f'image = "{tile}.png"']
    return "\n".join(lines) + "\n"


def _write(file: Path, image: Image) -> None:
    file.write_bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())
