"""What an eye saw, in a game's own terms: events for its record, or a question where no game could have come to that.

A game that a camera may referee has a pure function `interpret(state, observation)`, its `Game.interpret`, that answers
with these values. It is the only place where that game's observations become events: whoever watches without people
(`arena-cam watch`) and whoever referees with them (`arena-cam referee`) calls the same function, so that they cannot
disagree. What an observation is, the game says together with its eye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.rules.game import Value
from arena_cam.rules.reading import Data


class Event(Value, frozen=True):
    """This happened: `data` is the event as a line of the record says it."""

    data: Data


class Question(Value, frozen=True):
    """This cannot be believed as it was seen. `code` and `words` say why, for the game's catalogue of sentences.

    `event` is what the record would say if it were believed, None where it would say nothing. `answers` are the events
    that a person may choose instead, each with a code and the words for its sentence.
    """

    code: str
    event: Data | None = None
    words: Mapping[str, Any] = {}
    answers: tuple[tuple[str, Data, Mapping[str, Any]], ...] = ()


class Ignored(Value, frozen=True):
    """This counts for nothing, and will not later either: what lies there must be taken away."""


Interpretation = Sequence[Event | Question | Ignored]
NOTHING: Interpretation = ()
