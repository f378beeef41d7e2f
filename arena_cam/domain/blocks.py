"""Duelling blocks: a player's colour, what the block says, and the print by which the camera knows both.

The print is drawn in printing/sheets.py and found in vision/blocks.py; what they agree on stands here.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena_cam.domain.colours import COLOURS
from arena_cam.domain.lies import Point2

BLOCK_CHOICES = ("peace", "conflict")

# Fiducials and blocks are of one dictionary, so that one kind of finder finds both; their numbers do not overlap.
BLOCK_DICTIONARY = "DICT_5X5_50"
FIRST_BLOCK_ID = 10

# Width and height of the print; the marker's side, and its middle from the print's top-left corner, y down.
BLOCK_MM = (36.0, 48.0)
BLOCK_MARKER_MM = 24.0
BLOCK_MARKER_AT_MM = (18.0, 31.5)


@dataclass(frozen=True, slots=True)
class Block:
    """One side of a duelling block: whose it is, by the player's colour, and "peace" or "conflict"."""

    colour: str
    choice: str


@dataclass(frozen=True, slots=True)
class OpenBlock:
    """A block that lies open on the table: the middle of its marker, and its rotation in the plane, world frame."""

    block: Block
    centre_mm: Point2
    angle_deg: float


def block_id(colour: str, choice: str) -> int:
    """The number of the marker on a player's block. Raises ValueError for a colour or a choice that no block has."""
    return FIRST_BLOCK_ID + 2 * COLOURS.index(colour) + BLOCK_CHOICES.index(choice)


def block_of(marker: int) -> Block | None:
    """The block with the marker of that number; None for a marker that is on no block."""
    colour, choice = divmod(marker - FIRST_BLOCK_ID, len(BLOCK_CHOICES))
    return Block(COLOURS[colour], BLOCK_CHOICES[choice]) if 0 <= colour < len(COLOURS) else None
