"""Refereeing Sides: all that any game gets, and the words for what is asked."""

from __future__ import annotations

from collections.abc import Mapping

from arena_cam.referee.games.any_game import AnyGame


class SidesPart(AnyGame):
    texts: Mapping[str, str] = {
        "between": "The token lies between the sides. Which is it?",
        "left": "Left",
        "right": "Right",
    }
    hints: Mapping[str, str] = {"token": "Lay a token to the left or to the right."}


PART = SidesPart()
