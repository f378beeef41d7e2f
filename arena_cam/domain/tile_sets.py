"""What is printed of a game of boards and tiles: the tiles, the players' boards and their cells. Not where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile; `image` is its bounding box, transparent outside the hexagon. `mark` is "sun", "moon" or None."""

    id: str
    image: Path
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class BoardPrint:
    """A player's board. `cells_mm`: cell and [x, y] of its centre from the picture's top-left corner, y down.

    `colour` is None where all boards look alike; `back` is the picture of that player's tiles face down.
    """

    colour: str | None
    image: Path
    width_mm: float
    height_mm: float
    cells_mm: tuple[tuple[str, tuple[float, float]], ...]
    back: Path | None = None


@dataclass(frozen=True)
class TileSet:
    """A set as read. Tiles are hexagons, flat at top and bottom: `width_mm` corner to corner, `height_mm` flat to
    flat. `photographed`: its pictures are photographs, in which a little of a lamp's reflection may be left."""

    name: str
    width_mm: float
    height_mm: float
    tiles: tuple[Tile, ...]
    boards: tuple[BoardPrint, ...]
    back: Path | None = None
    photographed: bool = False
