"""The Icelandic Dilemma!: nineteen tiles on a board of hexagons."""

from __future__ import annotations

from arena_cam.rules.games.hexes.engine import GAME

__all__ = ["GAME"]
