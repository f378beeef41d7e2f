"""Pages of the game of tricks: the trick on the table, score-cards, deals and exchanges told by a button.

Belongs here: drawings, sentences and templates of this game. Does not: what counts.
"""

from __future__ import annotations

from arena_cam.web.games.tricks.part import PART

__all__ = ["PART"]
