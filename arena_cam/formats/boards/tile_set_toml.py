"""A set folder of boards and tiles, read and written: deck.toml with `game = "hexes"`, a picture a tile and a board."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from arena_cam.domain.errors import BadDeck, BadInput
from arena_cam.domain.tile_sets import BoardPrint, Tile, TileSet
from arena_cam.formats.checked_values import MOST_SHOWN, number, numbers, object_, part, refuse_twice, tables, text
from arena_cam.formats.messages import SetTrouble, ValueTrouble
from arena_cam.formats.set_file import read_set_file, refuse_missing

LONGEST_FILE_NAME = 255
CELLS = tuple(f"{c}{k + 1}" for c, n in zip("ABCDE", (3, 4, 5, 4, 3), strict=True) for k in range(n))
# Heights of hexagons that are flat at top and bottom, in widths: sqrt(3) / 2, and what a cutter or a rounding leaves.
FLAT_TOP = (0.84, 0.89)


def read_tile_set(folder: Path | str) -> TileSet:
    """The set in `folder`. Raises BadDeck, saying what is wrong and what to do, if it cannot be used."""
    file, data = read_set_file(folder)
    if data.get("game") != "hexes":
        raise BadDeck(SetTrouble.NO_TILE_SET(), about=file)
    try:
        made = _tile_set(data, file)
    except BadInput as error:
        raise BadDeck(SetTrouble.SET_NEEDS(why=error.said), about=file) from None
    refuse_missing(
        file,
        [*(t.image for t in made.tiles), *(b.image for b in made.boards), *(b.back for b in made.boards), made.back],
    )
    return made


def _tile_set(data: dict[str, Any], file: Path) -> TileSet:
    if data.get("shape", "card") != "hexagon":
        raise BadInput(ValueTrouble.NONE_OF(place="shape", words='"hexagon"'))
    width = number(part(data, "width_mm"), "width_mm", 10.0, 300.0)
    height = number(part(data, "height_mm"), "height_mm", 8.0, 300.0)
    if not FLAT_TOP[0] <= height / width <= FLAT_TOP[1]:
        raise BadInput(
            ValueTrouble.NO_HEXAGON(
                place="height_mm", given=f"{height:g}", width=f"{width:g}", height=f"{width * math.sqrt(3) / 2:.1f}"
            )
        )
    tiles = tuple(_tile(object_(each, "card"), file) for each in tables(data, "card"))
    boards = part(data, "board")
    entries = boards if isinstance(boards, list) else [boards]
    made = tuple(_board(object_(each, "board"), file, many=len(entries) > 1) for each in entries)
    for what, names in (("card", [t.id for t in tiles]), ("board", [b.colour or "" for b in made])):
        refuse_twice(what, names)
    if len(tiles) < 2:
        raise BadInput(ValueTrouble.FEW_TILES(written="[[card]]"))
    back, photographed = _picture(data, "back", file), data.get("photographed", False)
    if not isinstance(photographed, bool):
        raise BadInput(ValueTrouble.NONE_OF(place="photographed", words="true, false"))
    return TileSet(str(data.get("name", file.parent.name)), width, height, tiles, made, back, photographed)


def _tile(entry: dict[str, Any], file: Path) -> Tile:
    name = text(part(entry, "id", "[[card]] "), "[[card]] id")
    mark = entry.get("mark")
    if mark not in (None, "sun", "moon"):
        raise BadInput(ValueTrouble.NONE_OF(place=f"{name}: mark", words='"sun", "moon"'))
    image = file.parent / text(part(entry, "image", f"{name}: "), f"{name}: image", LONGEST_FILE_NAME)
    return Tile(name, image, mark)


def _board(entry: dict[str, Any], file: Path, *, many: bool) -> BoardPrint:
    colour = entry.get("colour")
    if colour is None and many:
        raise BadInput(ValueTrouble.BOARD_COLOUR(place="[[board]]"))
    of = f"board {colour}: " if colour is not None else "board: "
    width = number(part(entry, "width_mm", of), f"{of}width_mm", 50.0, 1000.0)
    height = number(part(entry, "height_mm", of), f"{of}height_mm", 50.0, 1000.0)
    given = object_(part(entry, "cells_mm", of), f"{of}cells_mm")
    missing, unknown = [c for c in CELLS if c not in given], [c for c in given if c not in CELLS]
    if missing or unknown:
        wrong = ValueTrouble.CELL_MISSING if missing else ValueTrouble.CELL_UNKNOWN
        raise BadInput(wrong(place=f"{of}cells_mm", cell=str((missing or unknown)[0])[:MOST_SHOWN]))
    cells = []
    for cell in CELLS:
        x, y = numbers(given[cell], f"{of}cells_mm {cell}", 2, 0.0, max(width, height))
        if x > width or y > height:
            raise BadInput(ValueTrouble.CELL_OUTSIDE(place=f"{of}cells_mm", cell=cell))
        cells.append((cell, (x, y)))
    return BoardPrint(
        None if colour is None else text(colour, f"{of}colour"),
        file.parent / text(part(entry, "image", of), f"{of}image", LONGEST_FILE_NAME),
        width,
        height,
        tuple(cells),
        _picture(entry, "back", file),
    )


def _picture(data: dict[str, Any], key: str, file: Path) -> Path | None:
    return file.parent / text(data[key], key, LONGEST_FILE_NAME) if data.get(key) else None


def write_tile_set(tile_set: TileSet, folder: Path) -> None:
    """Writes deck.toml of a set whose pictures lie in `folder`."""
    lines = [f"name = {json.dumps(tile_set.name)}", 'game = "hexes"', 'shape = "hexagon"']
    lines += [f"width_mm = {tile_set.width_mm:g}", f"height_mm = {tile_set.height_mm:.3f}"]
    lines += ["photographed = true"] if tile_set.photographed else []
    for board in tile_set.boards:
        cells = ", ".join(f"{name} = [{x:g}, {y:g}]" for name, (x, y) in board.cells_mm)
        lines += ["", "[[board]]"] if board.colour is not None else ["", "[board]"]
        lines += [f"colour = {json.dumps(board.colour)}"] if board.colour is not None else []
        lines += [f'image = "{board.image.name}"', f"width_mm = {board.width_mm:g}", f"height_mm = {board.height_mm:g}"]
        lines += [f"cells_mm = {{ {cells} }}"]
    for tile in tile_set.tiles:
        lines += ["", "[[card]]", f'id = "{tile.id}"', f'image = "{tile.image.name}"']
        lines += [f'mark = "{tile.mark}"'] if tile.mark is not None else []
    (folder / "deck.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
