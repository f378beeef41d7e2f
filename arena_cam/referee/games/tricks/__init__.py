"""Refereeing David Parlett's trick game.

Belongs here: what its pictures and videos are seen with, what a card that was seen does, deals and exchanges. Does not:
its rules.
"""

from __future__ import annotations

from arena_cam.referee.games.tricks.part import PART

__all__ = ["PART"]
