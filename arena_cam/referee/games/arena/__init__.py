"""Refereeing Alex Randolph's Dilemma: throws, the duel, the duelling card of one reading.

Belongs here: what only this game asks of the referee; `part.py` puts it together. Does not: its rules.
"""

from __future__ import annotations

from arena_cam.referee.games.arena.part import PART

__all__ = ["PART"]
