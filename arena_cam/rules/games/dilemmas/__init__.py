"""pandaqi's Game of Dilemmas: everybody makes one, everybody votes on all."""

from __future__ import annotations

from arena_cam.rules.games.dilemmas.engine import GAME

__all__ = ["GAME"]
