"""Pages of the Game of Dilemmas: laying and voting on phones, dilemmas and their votes on the television.

Belongs here: sentences and templates of this game. Does not: what counts.
"""

from __future__ import annotations

from arena_cam.web.games.dilemmas.part import PART

__all__ = ["PART"]
