"""The pages of Alex Randolph's Dilemma: the arena from above, duels, peace and conflict.

Belongs here: what only this game shows. Does not: what a game record calls things (`rules/games/arena`).
"""

from __future__ import annotations

from arena_cam.web.games.arena.part import PART

__all__ = ["PART"]
