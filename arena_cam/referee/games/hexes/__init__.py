"""The game of hexagons at the table: tiles announced, boards photographed, mended and confirmed."""

from __future__ import annotations

from arena_cam.referee.games.hexes.part import PART

__all__ = ["PART"]
