"""Where a simulated player lays a tile: where it keeps the best lines whole, and breaks the fewest."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from arena_cam.rules.games.hexes.board import LINES

NOISE = 3.0  # points: people see some of what a cell is worth, not all


def choose_cell(board: Mapping[str, str], tile: str, cells: Iterable[str], chance: random.Random) -> str:
    """The cell of `cells`, all of them free, that suits `tile` best."""
    numbers = tuple(map(int, tile.split("-")))
    return max(cells, key=lambda cell: _worth(board, numbers, cell) + chance.uniform(0, NOISE))


def _worth(board: Mapping[str, str], numbers: Sequence[int], cell: str) -> float:
    """Points that the three lines through the cell still promise with the tile, less those that it breaks."""
    worth = 0.0
    for direction, rows in enumerate(LINES):
        line = next(row for row in rows if cell in row)
        there = {int(board[other].split("-")[direction]) for other in line if other in board}
        lain = sum(other in board for other in line)
        if there <= {numbers[direction]}:
            worth += numbers[direction] * (lain + 1.0) ** 2 / len(line)
        elif len(there) == 1:
            worth -= there.pop() * float(lain)
    return worth
