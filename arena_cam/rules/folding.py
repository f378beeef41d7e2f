"""Plays a list of events one after another: the same function for a whole game and for a part of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from arena_cam.domain.errors import BadRecord, Refused
from arena_cam.rules.amending import Line, amended
from arena_cam.rules.game import Game, Ruling


def fold(game: Game, state: Any, lines: Iterable[Line]) -> tuple[Any, list[Ruling]]:
    """The state after `lines`, already amended, and all rulings in the order of play.

    Raises BadRecord on the line of the first event that cannot happen.
    """
    draft = state.draft()
    rulings = play(game, draft, lines)
    return draft.fair_copy(), rulings


def play(game: Game, draft: Any, lines: Iterable[Line]) -> list[Ruling]:
    """Plays `lines` on a draft of the state, which then stands after them, and returns all rulings as `fold` does."""
    kinds = game.events
    rulings: list[Ruling] = []
    number = 0
    try:
        for line in lines:
            number, data = line.number, line.data
            kind = kinds.get(data["type"])
            if kind is not None:
                new = kind.play(draft, kind.read(data, number, line.history))
                if new:
                    rulings += new
            elif data["type"] == "amend":  # else it is a note, which changes nothing
                rulings.append(amended(number, data))
    except Refused as refused:
        raise BadRecord(number, refused.said) from None
    return rulings


def steps(game: Game, state: Any, lines: Iterable[Line]) -> Iterator[tuple[Line, Any, list[Ruling]]]:
    """Each line with the state after it and the rulings it brought about. Raises BadRecord as `fold` does."""
    for line in lines:
        state, rulings = fold(game, state, [line])
        yield line, state, rulings
