"""The referee's corrections: reads a record's events as they stand after all amendments.

An amendment replaces keys of an earlier line, or adds events that were missed just before it. The game is always played
as if it had been recorded right at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from arena_cam.domain.errors import BadRecord
from arena_cam.rules.game import Game, History, Ruling, Value
from arena_cam.rules.messages import AmendRefusal, AnyRuleNote, AnyRuling
from arena_cam.rules.reading import Data, listed, shown


class Line(Value, frozen=True):
    """One event to be played. `number` is the line it is blamed on; `history` is there if an amendment touched it."""

    number: int
    data: Data
    history: History | None = None


def amended(line: int, data: Data) -> Ruling:
    """The ruling that an amendment makes where it stands."""
    return Ruling(line, "amended", {"amends": data["line"]}, AnyRuling.AMENDED, AnyRuleNote.AMENDED.english)


def as_amended(game: Game, lines: Sequence[Line]) -> Sequence[Line]:
    """`lines` with all amendments applied; the amendments themselves stay where they stand.

    Raises BadRecord on the line of the first amendment that is not well formed.
    """
    amendments = [line for line in lines if line.data["type"] == "amend"]
    if not amendments:
        return lines
    versions = {line.number: [(line.number, line.data)] for line in lines if line.data["type"] != "amend"}
    missed: dict[int, list[Line]] = {number: [] for number in versions}
    for amendment in amendments:
        number = _amended_line(amendment, versions)
        changes, before = _changes(game, amendment), _before(game, amendment)
        if changes is None and not before:
            raise BadRecord(amendment.number, AmendRefusal.NO_CHANGE())
        if changes is not None:
            versions[number].append((amendment.number, {**versions[number][-1][1], **changes}))
        missed[number] += before
    return list(_in_order(lines, versions, missed, {a.number: a.data.get("set") or {} for a in amendments}))


def _in_order(
    lines: Sequence[Line],
    versions: dict[int, list[tuple[int, Data]]],
    missed: dict[int, list[Line]],
    sets: dict[int, dict[str, Any]],
) -> Iterable[Line]:
    for line in lines:
        told = versions.get(line.number)
        if told is None:
            yield line
            continue
        yield from missed[line.number]
        if len(told) == 1:
            yield line
        else:
            written = {key: since for since, _ in told[1:] for key in sets[since]}
            yield Line(line.number, told[-1][1], History(tuple(told), written))


def _amended_line(amendment: Line, versions: dict[int, list[tuple[int, Data]]]) -> int:
    number = amendment.data.get("line")
    if type(number) is not int:
        raise BadRecord(amendment.number, AmendRefusal.NO_LINE(text=shown(number)))
    if number >= amendment.number or number not in versions:
        raise BadRecord(amendment.number, AmendRefusal.NO_EARLIER_EVENT(line=shown(number)))
    return number


def _changes(game: Game, amendment: Line) -> dict[str, Any] | None:
    changes = amendment.data.get("set")
    if changes is None:
        return None
    if changes == {}:
        raise BadRecord(amendment.number, AmendRefusal.NO_CHANGE())
    if not isinstance(changes, dict):
        raise BadRecord(amendment.number, AmendRefusal.BAD_SET(text=shown(changes)))
    known = {"type"}.union(*[kind.keys for kind in game.events.values()])
    for key in changes:
        if key not in known:
            raise BadRecord(amendment.number, AmendRefusal.UNKNOWN_KEY(text=shown(key), keys=listed(sorted(known))))
    if "type" in changes:
        _kind(game, amendment, changes["type"])
    return changes


def _before(game: Game, amendment: Line) -> list[Line]:
    before = amendment.data.get("before")
    if before is None:
        return []
    if before == []:
        raise BadRecord(amendment.number, AmendRefusal.NO_CHANGE())
    if not isinstance(before, list):
        raise BadRecord(amendment.number, AmendRefusal.BAD_BEFORE(text=shown(before)))
    missed = []
    for event in before:
        if not isinstance(event, dict):
            raise BadRecord(amendment.number, AmendRefusal.NO_EVENT(text=shown(event)))
        _kind(game, amendment, event.get("type"))
        written = dict.fromkeys(event, amendment.number)
        missed.append(Line(amendment.number, event, History(((amendment.number, event),), written)))
    return missed


def _kind(game: Game, amendment: Line, kind: object) -> None:
    if type(kind) is not str or (kind != "note" and kind not in game.events):
        raise BadRecord(amendment.number, AmendRefusal.UNKNOWN_TYPE(types=listed(list(game.events)), text=shown(kind)))
