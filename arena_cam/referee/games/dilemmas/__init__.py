"""Refereeing the Game of Dilemmas: votes in secret on phones, or tokens photographed and counted; `outfit.py` holds
what its photographs are seen with.

Belongs here: what only this game asks of the referee; `part.py` puts it together. Does not: its rules.
"""

from __future__ import annotations

from arena_cam.referee.games.dilemmas.part import PART

__all__ = ["PART"]
