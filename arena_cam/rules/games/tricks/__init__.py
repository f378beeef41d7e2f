"""David Parlett's Dilemma: tricks of an ordinary pack for two."""

from __future__ import annotations

from arena_cam.rules.games.tricks.engine import GAME

__all__ = ["GAME"]
