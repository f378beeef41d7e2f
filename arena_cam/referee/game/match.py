"""A game in progress over a table: its record, and what is known of the table beyond it. Pure: no clock, no disk.

Every step gives a new `Match`. What the eye saw comes in through seeing.py, what people say through desk.py; both end
in `append`, which is where the rules are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arena_cam.domain.lies import Landing, Lie
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.interface import Mode

Json = dict[str, Any]
CAMERA, CLOCK = "camera", "clock"


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

    A blocking question keeps the challenge from being closed by itself.
    """

    id: str
    kind: str
    lie: Lie | None
    line: int | None
    throw: str | None
    at_s: float
    why: tuple[str, ...] = ()
    blocking: bool = True


@dataclass(frozen=True)
class Match:
    """A game in progress over a table.

    table: what lies there now, by key; rested: when each came to rest, seconds of the source.
    lines: key -> line of the record that put the card there, for cards of this round.
    throws: key -> name of the evidence; also for cards that are asked about.
    stale: keys of cards that lay there when the round before ended: they must be swept.
    quiet_since_s: when something last happened; auto_close: the clock may close the challenge.
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
    unsaved: tuple[Entry, ...] = ()

    @property
    def blocked(self) -> bool:
        """Whether an open question keeps the challenge open."""
        return any(question.blocking for question in self.questions)

    def name(self, key: str) -> str | None:
        """What the record calls the card `key` now; None if it is no card of this round."""
        line = self.lines.get(key)
        return next((card.name for card in self.ledger.lying if card.line == line), None) if line is not None else None

    def in_hand(self, card: str) -> bool:
        return any(card in hand for hand in self.ledger.state["hands"].values())


def tick(match: Match, now_s: float, moving: bool, unseen_s: float = 0.0) -> Match:
    """What the passing of time does: closes the challenge after the quiet time, or at once when a card duels.

    `moving` also stands for an eye that cannot see: then no time counts as quiet. Nor do the `unseen_s` seconds for
    which no frame came: nobody knows what moved in them.
    """
    if moving:
        return replace(match, quiet_since_s=now_s)
    if unseen_s or now_s < match.quiet_since_s:
        match = replace(match, quiet_since_s=min(match.quiet_since_s + unseen_s, now_s))
    if match.ledger.awaiting != "throws" or match.paused or match.blocked or not match.auto_close:
        return match
    duels = any(ruling["code"] == "duelling" for ruling in match.ledger.preview)
    if duels or now_s - match.quiet_since_s >= match.quiet_s:
        return append(match, [{"type": "close", "at": round(now_s, 3)}], CLOCK, now_s)
    return match


def append(match: Match, events: Sequence[Json], who: str, now_s: float, throw: str | None = None) -> Match:
    """`match` with `events` in its record. Raises Impossible and changes nothing if the rules do not allow them."""
    before, ledger = match.ledger, match.ledger.appended(events)
    rulings = ledger.result["rulings"]
    known = len(before.result["rulings"]) if all(e["type"] != "amend" for e in events) else 0
    entries = []
    for line, event in enumerate(events, start=before.next_line):
        own = tuple(r for r in rulings[known:] if r["line"] == line)
        entries.append(Entry(line, event, who, throw, own))
    match = replace(match, ledger=ledger, unsaved=(*match.unsaved, *entries), quiet_since_s=now_s)
    return _relinked(match, before)


def ask(
    match: Match, kind: str, lie: Lie | None, line: int | None, throw: str | None, why: Sequence[str] = ()
) -> Match:
    """`match` with one more question, unless the same is open already."""
    key = lie.key if lie is not None else None
    for open_question in match.questions:
        open_key = open_question.lie.key if open_question.lie is not None else None
        if (open_question.kind, open_question.line, open_key) == (kind, line, key):
            return match
    # nobody waits for an answer in automatic mode, and between rounds there is nothing to hold up
    blocking = match.mode != "automatic" and (line is not None or match.ledger.awaiting == "throws")
    question = Asked(
        f"q{match.ledger.next_line}-{match.asked}", kind, lie, line, throw, match.quiet_since_s, tuple(why), blocking
    )
    return replace(match, questions=(*match.questions, question), asked=match.asked + 1)


def withdraw(match: Match, question: str) -> Match:
    return replace(match, questions=tuple(q for q in match.questions if q.id != question))


def _relinked(match: Match, before: Ledger) -> Match:
    """Ties the cards on the table to the record's lines again after the record has changed."""
    ledger = match.ledger
    lying = {card.line: card for card in ledger.lying}
    lines = {key: line for key, line in match.lines.items() if line in lying}
    for card in ledger.lying:
        if card.line not in lines.values() and card.name in match.table and card.name not in lines:
            lines[card.name] = card.line
    stale = match.stale - set(lines)
    ended = before.awaiting in ("throws", "duel") and ledger.awaiting in ("challenge", "identify", "nothing")
    if ended:
        stale = frozenset(match.table)
    lives = {each.number for each in ledger.amended if each.data["type"] != "note"}
    round_open = ledger.awaiting == "throws"
    left_duel = before.awaiting == "duel" and ledger.awaiting != "duel"
    questions = tuple(
        q
        for q in match.questions
        if (q.line is None and not ended and not left_duel and q.kind != "identify") or (round_open and q.line in lives)
    )
    match = replace(match, lines=lines, stale=stale, questions=questions)
    if ledger.awaiting == "identify":
        for name in ledger.state["unidentified"]:
            line = int(name[1:])
            match = ask(match, "identify", None, line, evidence_of(match, line))
    return match


def evidence_of(match: Match, line: int) -> str | None:
    """The evidence that line `line` named when it was written."""
    number = line - 2
    events = match.ledger.record.events
    return events[number].data.get("throw") if 0 <= number < len(events) else None


def in_arena(match: Match) -> list[str]:
    """Keys of the cards in the arena or on its wall, bottom to top; what lies beside is nobody's business."""
    return [key for key, lie in match.table.items() if lie.landing is not Landing.BESIDE]


def swapped(match: Match, first: int, second: int) -> list[Json]:
    """The corrections that exchange what lines `first` and `second` say was thrown."""
    keys = ("card", "landing", "face", "rests_on")
    a, b = match.ledger.event(first), match.ledger.event(second)
    return [
        {"type": "amend", "line": first, "set": {k: b.get(k) for k in keys}, "reason": "order of throwing"},
        {"type": "amend", "line": second, "set": {k: a.get(k) for k in keys}, "reason": "order of throwing"},
    ]
