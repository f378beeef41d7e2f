"""What is seen of boards in a photograph: which tile lies in which cell, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

from arena_cam.domain.lies import Point2
from arena_cam.domain.messages import Message


@dataclass(frozen=True, slots=True)
class CellReading:
    """`tile` None: the cell is empty. `confidence`: probability that this is right. `others`: what it may be instead,
    likeliest first."""

    cell: str
    tile: str | None
    confidence: float
    others: tuple[str | None, ...] = ()
    doubt: Message | None = None


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One board; `corners_px`: its picture's top-left, top-right, bottom-right, bottom-left as seen."""

    colour: str | None
    cells: tuple[CellReading, ...]
    corners_px: tuple[Point2, Point2, Point2, Point2]
    sure: bool
    doubts: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardsReading:
    """All boards of a photograph; sure if each is, and at least one is seen."""

    frame: str
    boards: tuple[BoardReading, ...]
    sure: bool
    doubts: tuple[Message, ...] = ()
