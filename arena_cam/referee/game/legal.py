"""The events that may come next at some place of a record, as plain data for forms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from arena_cam.domain.errors import BadRecord
from arena_cam.referee.game.ledger import Ledger
from arena_cam.rules.amending import Line, as_amended
from arena_cam.rules.entries import as_it_stands
from arena_cam.rules.folding import fold
from arena_cam.rules.game import ForEach, Legal, OneOf, SomeOf

Json = dict[str, Any]


def may_come(ledger: Ledger, line: int, events: Sequence[Json] = ()) -> list[Json]:
    """The kinds of events that could happen just before `line`, with `events` after the record (amendments count).

    Empty where the record cannot be played as far as that line.
    """
    record = ledger.record
    more = [Line(ledger.next_line + place, event) for place, event in enumerate(events)]
    before = takewhile(lambda each: each.number != line, as_amended(record.game, as_it_stands([*record.events, *more])))
    try:
        state, _rulings = fold(record.game, record.start, list(before))
    except BadRecord:
        return []
    return [legal_to_json(each) for each in record.game.legal(state) if each.weight]


def legal_to_json(legal: Legal) -> Json:
    """A kind of event that may come next, with what each of its keys may say: {one_of | some_of | for_each}."""
    keys: Json = {}
    for key, values in legal.keys.items():
        match values:
            case OneOf():
                keys[key] = {"one_of": list(values.values)}
            case SomeOf():
                keys[key] = {"some_of": list(values.values)}
            case ForEach():
                keys[key] = {"for_each": {name: list(each) for name, each in values.values.items()}}
    return {"type": legal.kind, "keys": keys, "made": legal.make is not None}
