"""Whether a board lies turned against the place it was looked at: its tiles tell, where its print looks alike at turns
of 60 degrees, as bare lines between cells do."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.placing import PlacedBoard

Floats = NDArray[np.float64]

# Correlation: a print that is so much better tells which way up the board lies, whatever its tiles say.
PRINT_SAYS = 0.1


# Correlation of a turned tile in a cell said to be empty: white on white, pixels tell them hardly apart.
TURNED_THERE = 0.6


def turn_in(placed: PlacedBoard, k: int) -> int | None:
    """By how many degrees clockwise the tile in the `k`th cell is turned; None where there seems to be none."""
    best, match = placed.cells[k].best, placed.matches[k]
    if best.tile is not None:
        return best.turned_deg
    return match.turned[1] if match.turned_alike > TURNED_THERE else None


def tiles_turned(placed: PlacedBoard) -> int:
    """By how many degrees clockwise all tiles are turned: as many as lie upright, or more, are turned alike; else 0.

    Rather one board is turned than all of its tiles.
    """
    turns = Counter(turn for k in range(len(placed.cells)) if (turn := turn_in(placed, k)) is not None)
    turned, count = max(((t, n) for t, n in turns.items() if t), key=lambda each: each[1], default=(0, 0))
    return turned if count >= max(turns[0], 1) else 0


def turned_by(px_from_mm: Floats, degrees: float, about_mm: Floats) -> Floats:
    """The homography (3, 3) of the same board turned clockwise about a point (2,) of its frame."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.array([[c, -s], [s, c]])
    move = np.eye(3)
    move[:2, :2] = turn
    move[:2, 2] = about_mm - turn @ about_mm
    return np.asarray(px_from_mm @ move, np.float64)


def better_way_up(
    first: PlacedBoard, turned: PlacedBoard, within: tuple[float | None, float | None] = (None, None)
) -> PlacedBoard:
    """Of a board whose tiles are turned and the same board turned with them: `first` where only its print fits.

    `within`: the correlations of both boards' prints without their frames, which look the same either way up.
    """
    of_first, of_turned = within
    if of_first is None or of_turned is None:
        of_first, of_turned = first.print_alike, turned.print_alike
    if tiles_turned(turned) or of_first > of_turned + PRINT_SAYS:
        return first
    return turned
