"""The board and the tiles of the Icelandic Dilemma!: where lines run, and what a finished board is worth.

Cells are A1 to E3 in five columns; a tile is called by its numbers from the top clockwise. Source: IS, Stigatalning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

TILES = tuple(f"{top}-{right}-{left}" for top in (1, 5, 9) for right in (3, 4, 8) for left in (2, 6, 7))

# The straight lines across the board, row beside row, in the three directions in which a tile's numbers run: the first
# number vertically, the second falling from upper left to lower right, the third rising from lower left to upper right.
VERTICAL = ("A1 A2 A3", "B1 B2 B3 B4", "C1 C2 C3 C4 C5", "D1 D2 D3 D4", "E1 E2 E3")
FALLING = ("C1 D1 E1", "B1 C2 D2 E2", "A1 B2 C3 D3 E3", "A2 B3 C4 D4", "A3 B4 C5")
RISING = ("A1 B1 C1", "A2 B2 C2 D1", "A3 B3 C3 D2 E1", "B4 C4 D3 E2", "C5 D4 E3")
LINES = tuple(tuple(tuple(line.split()) for line in direction) for direction in (VERTICAL, FALLING, RISING))
CELLS = tuple(cell for line in LINES[0] for cell in line)


def _neighbours() -> dict[str, frozenset[str]]:
    """Cells that touch each other follow each other in some line."""
    beside: dict[str, set[str]] = {cell: set() for cell in CELLS}
    for direction in LINES:
        for line in direction:
            for one, two in pairwise(line):
                beside[one].add(two)
                beside[two].add(one)
    return {cell: frozenset(cells) for cell, cells in beside.items()}


NEIGHBOURS = _neighbours()

Board = Mapping[str, str]  # cell to tile
Stretch = tuple[int, int, Sequence[str], str]  # direction, row, its cells, "sun" or "moon"

SUN_POINTS, MOON_POINTS = 7, 6  # IS, Stigatalning með sól- og mánamerkjum, for each tile
POINTS = {"sun": SUN_POINTS, "moon": MOON_POINTS}


_NUMBERS = {tile: tuple(int(number) for number in tile.split("-")) for tile in TILES}

# The tiles taken to bear a sun when the header does not say: those whose numbers have an even sum.
DEFAULT_SUNS = frozenset(tile for tile in TILES if sum(_NUMBERS[tile]) % 2 == 0)


def colour_lines(board: Board) -> dict[tuple[int, int], int]:
    """The unbroken colour lines of a full board: (direction, row) to the number that all its tiles show."""
    lines = {}
    for direction, rows in enumerate(LINES):
        for row, cells in enumerate(rows):
            number = _NUMBERS[board[cells[0]]][direction]
            for cell in cells:
                if _NUMBERS[board[cell]][direction] != number:
                    break
            else:
                lines[direction, row] = number
    return lines


def colour_items(lines: Mapping[tuple[int, int], int]) -> list[dict[str, Any]]:
    """What the unbroken colour lines are worth: the number times the tiles."""
    items = []
    for (direction, row), number in lines.items():
        cells = LINES[direction][row]
        tiles = len(cells)
        items.append(
            {
                "kind": "colour",
                "from": cells[0],
                "to": cells[-1],
                "number": number,
                "tiles": tiles,
                "points": number * tiles,
            }
        )
    return items


def mark_stretches(board: Board, suns: frozenset[str], shortest: int) -> Iterator[Stretch]:
    """The unbroken stretches of suns or of moons in every line, at their longest, of at least `shortest` tiles."""
    for direction, rows in enumerate(LINES):
        for row, cells in enumerate(rows):
            marks = [board[cell] in suns for cell in cells]
            begin = 0
            for end in range(1, len(cells) + 1):
                if end == len(cells) or marks[end] != marks[begin]:
                    if end - begin >= shortest:
                        yield direction, row, cells[begin:end], "sun" if marks[begin] else "moon"
                    begin = end


def mark_items(stretches: Sequence[Stretch]) -> list[dict[str, Any]]:
    """What sun and moon lines are worth: 7 or 6 a tile."""
    return [
        {"kind": mark, "from": cells[0], "to": cells[-1], "tiles": len(cells), "points": POINTS[mark] * len(cells)}
        for _, _, cells, mark in stretches
    ]


def longest(stretches: Sequence[Stretch], lines: Mapping[tuple[int, int], int], beside: bool) -> tuple[int, int] | None:
    """The player's best sun or moon line alongside an unbroken colour line: (tiles, points of that colour line).

    Alongside means in that colour line itself or, with `beside`, in a neighbouring parallel row. None if there is none.
    """
    valid = []
    for direction, row, cells, _ in stretches:
        for along in (row - 1, row + 1) if beside else (row,):
            number = lines.get((direction, along))
            if number is not None:
                valid.append((len(cells), number * len(LINES[direction][along])))
    return max(valid, default=None)


def may_lie(
    board: Board, drawn: Sequence[str], suns: frozenset[str], *, side_by_side: bool, next_to_mark: bool
) -> frozenset[str]:
    """The cells where the variants let the last of the tiles `drawn` be laid; free or not.

    Hlið við hlið (side_by_side): beside a tile on the own board. Við hlið sólar eða mána (next_to_mark): a tile with
    the mark of the one drawn just before must lie beside that one, if a cell there is free. The first lies anywhere.
    """
    if not board:
        return _ANYWHERE
    if next_to_mark:
        before, tile = drawn[-2:]
        if (before in suns) == (tile in suns):
            cell_before = next((cell for cell, lain in board.items() if lain == before), "")
            free = frozenset(cell for cell in NEIGHBOURS.get(cell_before, ()) if cell not in board)
            if free:
                return free
    return frozenset().union(*(NEIGHBOURS[cell] for cell in board)) if side_by_side else _ANYWHERE


_ANYWHERE = frozenset(CELLS)


def broken_variant(board: Board, drawn: Sequence[str], suns: frozenset[str], options: Mapping[str, Any]) -> str | None:
    """The first of the tiles `drawn` that by the variants could not be laid where it lies on `board`; None if all."""
    cell_of = {tile: cell for cell, tile in board.items()}
    laid: dict[str, str] = {}
    for number, tile in enumerate(drawn, start=1):
        cell = cell_of.get(tile)
        if cell is None:
            continue
        allowed = may_lie(
            laid,
            drawn[:number],
            suns,
            side_by_side=options["side_by_side"],
            next_to_mark=options["next_to_mark"],
        )
        if cell not in allowed:
            return tile
        laid[cell] = tile
    return None


def board_items(
    board: Board, suns: frozenset[str], options: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], tuple[int, int] | None]:
    """What a full board is worth by itself, and its bid for the longest line: (tiles, points of the colour line)."""
    lines = colour_lines(board)
    items = colour_items(lines)
    if not options["mark_lines"] and options["longest_line"] == "off":
        return items, None
    stretches = list(mark_stretches(board, suns, options["mark_line_min"]))
    if options["mark_lines"]:
        items += mark_items(stretches)
    if options["longest_line"] == "off":
        return items, None
    return items, longest(stretches, lines, beside=options["longest_line"] == "beside")


def left_lying(board: Board) -> int:
    """The points of the colour lines that a single tile breaks: what was nearly there."""
    points = 0
    for direction, rows in enumerate(LINES):
        for cells in rows:
            numbers = [_NUMBERS[board[cell]][direction] for cell in cells]
            most = max(set(numbers), key=numbers.count)
            if numbers.count(most) == len(cells) - 1:
                points += most * len(cells)
    return points
