"""A game in progress over a table: its record, and what is known of the table beyond it. Pure: no clock, no disk.

Every step gives a new `Match`. What the eye saw and what people say come in through the game's own part (part.py); both
end in `append` (appending.py), which is where the rules are asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Lie
from arena_cam.domain.messages import Message
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.interface import Choice, Mode
from arena_cam.referee.messages import Refusal

Json = dict[str, Any]
CAMERA, CLOCK, PLAYERS = "camera", "clock", "players"


@dataclass(frozen=True)
class Entry:
    """An event that was appended and is not yet kept. `throw` names its evidence."""

    line: int
    event: Json
    who: str
    throw: str | None
    rulings: tuple[Json, ...]


@dataclass(frozen=True)
class Asked:
    """A question to the referee. `kind` is its code; it speaks of `lie`, and of `line` if that is in the record.

    `doubts` are why it is asked, `about` the names that it needs beside the lie's. A blocking question keeps the game
    from going on by itself. `answers` are what may be chosen where the game itself said so
    (rules.interpreting.Question): (code, event, words for the sentence).
    """

    id: str
    kind: str
    lie: Lie | None
    line: int | None
    throw: str | None
    at_s: float = 0.0
    doubts: tuple[Message, ...] = ()
    about: tuple[str, ...] = ()
    blocking: bool = True
    answers: tuple[tuple[str, Json, Json], ...] = ()


@dataclass(frozen=True)
class Match:
    """A game in progress over a table.

    table: what lies there now, by key; rested: when each came to rest, seconds of the source.
    lines: key -> line of the record that put the card there, for cards of this round.
    throws: key -> name of the evidence; also for cards that are asked about.
    stale: keys of cards that lay there when the round before ended: they must be swept.
    quiet_since_s: when something last happened; auto_close: the clock may end what is going on.
    own: what the game's part remembers beside the record, as plain JSON; kept with every step.
    chosen: who has chosen in secret so far; what they chose is in no match.
    unsaved: entries not yet kept; the session takes them.
    """

    ledger: Ledger
    mode: Mode = "confirm_unsure"
    paused: bool = False
    quiet_s: float = 10.0
    table: Mapping[str, Lie] = field(default_factory=dict)
    rested: Mapping[str, float] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    throws: Mapping[str, str] = field(default_factory=dict)
    stale: frozenset[str] = frozenset()
    questions: tuple[Asked, ...] = ()
    asked: int = 0
    quiet_since_s: float = 0.0
    auto_close: bool = True
    own: Mapping[str, Any] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    unsaved: tuple[Entry, ...] = ()

    @property
    def blocked(self) -> bool:
        """Whether an open question keeps the game from going on by itself."""
        return any(question.blocking for question in self.questions)


def ask(match: Match, question: Asked, *, holds_up: bool = True) -> Match:
    """`match` with one more question, unless the same is open already. `holds_up`: the game waits for the answer.

    The question's id, its time and whether it is blocking are set here.
    """
    if any(_concerns(asked) == _concerns(question) for asked in match.questions):
        return match
    question = replace(
        question,
        id=f"q{match.ledger.next_line}-{match.asked}",
        at_s=match.quiet_since_s,
        blocking=match.mode != "automatic" and holds_up,  # nobody waits for an answer in automatic mode
    )
    return replace(match, questions=(*match.questions, question), asked=match.asked + 1)


def _concerns(question: Asked) -> tuple[str, int | None, str | None]:
    return question.kind, question.line, question.lie.key if question.lie is not None else None


def withdraw(match: Match, question: str) -> Match:
    return replace(match, questions=tuple(q for q in match.questions if q.id != question))


OTHER_CARD = "other_card"  # the answer that names a card beside it


def chosen(
    choice: str, args: Mapping[str, Any], offered: Iterable[Choice], possible: Collection[str]
) -> tuple[str, str]:
    """The kind of an answer, and what it names: "card:red-1" gives ("card", "red-1"), "keep" gives ("keep", "").

    `args["card"]` is the card of OTHER_CARD, one of `possible`. Raises Refused `bad_argument` for what was not offered.
    """
    if choice not in {each["id"] for each in offered}:
        raise Refused("bad_argument", Refusal.NO_ANSWER(name=repr(choice[:40])))
    kind, _, named = choice.partition(":")
    if kind != OTHER_CARD:
        return kind, named
    card = str(args.get("card") or "")
    if card not in possible:
        raise Refused("bad_argument", Refusal.NOT_THAT_CARD(name=repr(card[:40])))
    return "card", card


def evidence_of(match: Match, line: int) -> str | None:
    """The evidence that line `line` named when it was written."""
    number = line - 2
    events = match.ledger.record.events
    return events[number].data.get("throw") if 0 <= number < len(events) else None
