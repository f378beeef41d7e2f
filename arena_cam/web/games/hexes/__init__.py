"""Pages of the game of hexagons: boards and tiles, the lines that score, drawn on paper and over photographs.

Belongs here: drawings, sentences and templates of this game. Does not: what counts.
"""

from __future__ import annotations

from arena_cam.web.games.hexes.part import PART

__all__ = ["PART"]
