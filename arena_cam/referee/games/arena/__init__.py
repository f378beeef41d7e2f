"""Refereeing Alex Randolph's Dilemma: throws, the duel, the duelling card of one reading.

Belongs here: what only this game asks of the referee; `part.py` puts it together. Does not: its rules.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """Imports the game's `PART` when it is asked for (PEP 562): a video is watched without it."""
    if name != "PART":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from arena_cam.referee.games.arena.part import PART

    return PART
