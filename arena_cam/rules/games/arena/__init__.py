"""Alex Randolph's Dilemma, in which cards are thrown into an arena."""

from __future__ import annotations

from arena_cam.rules.games.arena.engine import GAME

__all__ = ["GAME"]
