"""A board as shapes for templates: cells, tiles and scoring lines, on paper or over its photograph.

On paper a cell is a hexagon 40 from corner to corner, flat at top and bottom, and C3 lies at (0, 0), y down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CELL = 40.0  # from corner to corner
COLUMNS = {"A": 3, "B": 4, "C": 5, "D": 4, "E": 3}
PITCH = 42.0  # between the corners of neighbours there is some board to be seen
VIEW_BOX = "-94 -98 188 196"


def _places() -> dict[str, tuple[float, float]]:
    down = PITCH * math.sqrt(3) / 2
    return {
        f"{column}{row + 1}": (PITCH * 0.75 * (number - 2), down * (row - (rows - 1) / 2))
        for number, (column, rows) in enumerate(COLUMNS.items())
        for row in range(rows)
    }


PLACES = _places()


@dataclass(frozen=True)
class CellShape:
    """A cell and its middle. `doubt`: what must be looked at, as a message in JSON."""

    name: str
    x: float
    y: float
    tile: str | None
    doubt: Mapping[str, Any] | None
    mended: bool
    is_new: bool


@dataclass(frozen=True)
class LineShape:
    """A line that scores: its ends, `kind` (a number of a colour line, sun or moon), where its points are written."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str
    points: int
    at: tuple[float, float]


@dataclass(frozen=True)
class BoardShape:
    """A board with `unit`, the distance between the middles of neighbouring cells."""

    view_box: str
    unit: float
    cells: tuple[CellShape, ...]
    lines: tuple[LineShape, ...]


def draw_board(board: Mapping[str, Any]) -> BoardShape:
    """The board on paper."""
    last = list(board["cells"].values())[-1] if board["cells"] and not board["full"] else None
    return BoardShape(VIEW_BOX, PITCH * 0.87, _cells(board, PLACES, last), _lines(board["items"], PLACES, PITCH * 0.87))


def board_as_read(board: Mapping[str, Any]) -> dict[str, Any]:
    """What `draw_board` takes, of a board as a photograph was read: nothing has counted, and nobody has mended it."""
    cells = {cell: tile for cell, tile in board["cells"].items() if tile}
    return {"cells": cells, "doubts": board.get("doubts") or {}, "mended": [], "full": True, "items": []}


def draw_photo(board: Mapping[str, Any]) -> BoardShape | None:
    """The drawing over the board's photograph; None where the cells' places in it are not known."""
    if not board["cells_px"] or not all(board["size_px"]):
        return None
    places = {name: (float(x), float(y)) for name, (x, y) in board["cells_px"].items()}
    unit = math.dist(places["C2"], places["C4"]) / 2
    return BoardShape(
        _around(places, unit, board["size_px"]), unit, _cells(board, places, None), _lines(board["items"], places, unit)
    )


def _around(places: Mapping[str, tuple[float, float]], unit: float, size_px: Sequence[int]) -> str:
    """The part of the photograph that shows the cells, and a little of what lies round them."""
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    left, top = max(0.0, min(xs) - 1.1 * unit), max(0.0, min(ys) - 1.1 * unit)
    right, bottom = min(size_px[0], max(xs) + 1.1 * unit), min(size_px[1], max(ys) + 1.1 * unit)
    return f"{left:.0f} {top:.0f} {max(1.0, right - left):.0f} {max(1.0, bottom - top):.0f}"


def _cells(
    board: Mapping[str, Any], places: Mapping[str, tuple[float, float]], last: str | None
) -> tuple[CellShape, ...]:
    return tuple(
        CellShape(
            name,
            round(x, 1),
            round(y, 1),
            board["cells"].get(name),
            board["doubts"].get(name),
            name in board["mended"],
            last is not None and board["cells"].get(name) == last,
        )
        for name, (x, y) in places.items()
    )


def _lines(
    items: Sequence[Mapping[str, Any]], places: Mapping[str, tuple[float, float]], unit: float
) -> tuple[LineShape, ...]:
    """The longest line, which is one of the others, has no line of its own."""
    drawn = [item for item in items if "from" in item]
    return tuple(_line(item, places, unit) for item in drawn)


def _line(item: Mapping[str, Any], places: Mapping[str, tuple[float, float]], unit: float) -> LineShape:
    """From a third of a cell before the first middle to a third behind the last; a badge with the points before it."""
    (x1, y1), (x2, y2) = places[item["from"]], places[item["to"]]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    out, badge = 0.36 * unit, 0.5 * unit
    return LineShape(
        round(x1 - out * ux, 1),
        round(y1 - out * uy, 1),
        round(x2 + out * ux, 1),
        round(y2 + out * uy, 1),
        str(item.get("number", item["kind"])),
        item["points"],
        (round(x1 - badge * ux, 1), round(y1 - badge * uy, 1)),
    )
