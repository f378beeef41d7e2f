"""Events into the record of a match: the one place where the rules are asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena_cam.referee.game.match import Entry, Match
from arena_cam.referee.game.part import part_of
from arena_cam.rules.entries import is_correction

Json = dict[str, Any]


def append(match: Match, events: Sequence[Json], who: str, now_s: float, throw: str | None = None) -> Match:
    """`match` with `events` in its record. Raises Impossible and changes nothing if the rules do not allow them."""
    before, ledger = match.ledger, match.ledger.appended(events)
    rulings = ledger.result["rulings"]
    known = len(before.result["rulings"]) if not any(is_correction(e) for e in events) else 0
    entries = []
    for line, event in enumerate(events, start=before.next_line):
        own = tuple(r for r in rulings[known:] if r["line"] == line)
        entries.append(Entry(line, event, who, throw, own))
    match = replace(match, ledger=ledger, unsaved=(*match.unsaved, *entries), quiet_since_s=now_s)
    return part_of(match).relinked(match, before)
