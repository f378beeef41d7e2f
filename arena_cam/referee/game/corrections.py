"""A person's correction -> the events that say so: an `amend` each; the record keeps what it said before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.domain.messages import messages_to_json
from arena_cam.referee.game.ledger import Impossible, Ledger
from arena_cam.referee.game.legal import may_come
from arena_cam.referee.game.match import Match
from arena_cam.referee.messages import Refusal

Json = dict[str, Any]
# When an event is struck, every later event that refers to it may need a correction of its own.
MOST_MENDED = 60


def difference(match: Match, events: list[Json]) -> Json:
    """The changes that `events` would make: scores and rulings before and after, or which line they would make
    impossible."""
    before = match.ledger.result
    steps = {"steps": _steps(match.ledger, events)}
    try:
        after = match.ledger.appended(events).result
    except Impossible as error:
        return (
            _compared(before, before)
            | steps
            | {
                "impossible": {
                    "line": error.line,
                    "text": error.message,
                    "type": _type_of(match.ledger, error.line),
                    "may_come": may_come(match.ledger, error.line, events),
                }
                | messages_to_json([error.said])
            }
        )
    return _compared(before, after) | steps | {"impossible": None}


def _steps(ledger: Ledger, events: list[Json]) -> list[Json]:
    """The lines that `events` amend, each as it stands and as it would be; None: struck."""
    stand = {line.number: dict(line.data) for line in ledger.amended if line.data["type"] != "amend"}
    steps = []
    for event in events:
        before, said = stand.get(event.get("line", 0)), event.get("set")
        if before is not None and said:
            after = {key: value for key, value in (before | said).items() if value is not None}
            steps.append({"line": event["line"], "before": before, "after": None if after["type"] == "note" else after})
    return steps


def _type_of(ledger: Ledger, line: int) -> str | None:
    """The kind of event that `line` is; None: it is not in the record yet."""
    return next((str(each.data["type"]) for each in ledger.record.events if each.number == line), None)


def _compared(before: Json, after: Json) -> Json:
    kept_before = [r for r in before["rulings"] if r["code"] != "amended"]
    kept_after = [r for r in after["rulings"] if r["code"] != "amended"]
    places = {(r["line"], r.get("thrown"), r.get("card")) for r in kept_before + kept_after}
    by_place = [
        {(r["line"], r.get("thrown"), r.get("card")): r for r in rulings} for rulings in (kept_before, kept_after)
    ]
    changed = [
        {"line": place[0], "before": by_place[0].get(place), "after": by_place[1].get(place)}
        for place in sorted(places, key=lambda p: (p[0], p[1] or 0, p[2] or ""))
        if by_place[0].get(place) != by_place[1].get(place)
    ]
    return {
        "scores_before": before["scores"],
        "scores_after": after["scores"],
        "rulings_before": kept_before,
        "rulings_after": kept_after,
        "changed": changed,
        "awaiting_after": after["state"]["awaiting"],
    }


def amend(_match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """`line`, `set` and `before` as in the game record, `reason`, and `also`: more of the same."""
    return signed(amendments([args, *listed(args, "also")]), str(args.get("reason") or ""), who)


def amendments(parts: list[Any]) -> list[Json]:
    events = []
    for part in parts:
        if not isinstance(part, Mapping):
            raise Refused("bad_argument", ArgumentRefusal.AMENDMENT(name="also"))
        event: Json = {"type": "amend", "line": whole(part, "line")}
        event |= {key: part[key] for key in ("set", "before") if part.get(key) is not None}
        if len(event) == 2:
            raise Refused("bad_argument", Refusal.NOTHING_TO_CHANGE())
        events.append(event)
    return events


def undo(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """Takes back the last line: an event is struck, a correction is replaced by what stood before it."""
    del args
    for line in reversed(match.ledger.record.events):
        if line.data["type"] == "amend":
            if "undoes" in line.data or _is_undone(match.ledger, line.number):
                continue
            return signed(_put_back(match.ledger, line.number, dict(line.data)), "undo", who, undoes=line.number)
        if line.data["type"] != "note" and match.ledger.event(line.number)["type"] != "note":
            strike = {"type": "amend", "line": line.number, "set": {"type": "note"}}
            return signed([strike], "undo", who, undoes=line.number)
    raise Refused("not_now", Refusal.NOTHING_TO_UNDO())


def _put_back(ledger: Ledger, number: int, amendment: Json) -> list[Json]:
    if amendment.get("before"):
        raise Refused("not_now", Refusal.LINE_OF_A_CORRECTION(line=str(number)))
    line = amendment["line"]
    was = _read_before(ledger, number, line)
    return [{"type": "amend", "line": line, "set": {key: was.get(key) for key in amendment["set"]}}]


def _read_before(ledger: Ledger, number: int, line: int) -> Json:
    """The event of `line` just before line `number` amended it."""
    event: Json = {}
    for each in ledger.record.events:
        if each.number == line:
            event = dict(each.data)
        elif each.number < number and each.data["type"] == "amend" and each.data.get("line") == line:
            event |= each.data.get("set") or {}
    return event


def redo(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """Does again what `undo` took back last, as long as nothing else was said since."""
    del args
    for line in reversed(match.ledger.record.events):
        if line.data["type"] == "note":
            continue
        if "undoes" not in line.data:
            break
        taken_back = _is_undone(match.ledger, line.number) or _is_redo(match.ledger, line.number)
        if not taken_back:
            return signed(_put_back(match.ledger, line.number, dict(line.data)), "redo", who, undoes=line.number)
    raise Refused("not_now", Refusal.NOTHING_TO_REDO())


def can_redo(match: Match) -> bool:
    """Whether `redo` would find something."""
    try:
        redo(match, {}, "")
    except Refused:
        return False
    return True


def _is_undone(ledger: Ledger, number: int) -> bool:
    """Whether line `number` was taken back by an undo that still stands."""
    takers = (each.number for each in ledger.record.events if each.data.get("undoes") == number)
    return any(not _is_undone(ledger, taker) for taker in takers)


def _is_redo(ledger: Ledger, number: int) -> bool:
    """Whether line `number` takes back an undo."""
    events = {each.number: each.data for each in ledger.record.events}
    return "undoes" in events.get(events[number]["undoes"], {})


def signed(events: list[Json], reason: str, who: str, **more: Any) -> list[Json]:
    return [event | {"reason": reason[:300], "who": who} | more for event in events]


def whole(args: Mapping[str, Any], key: str) -> int:
    value = args.get(key)
    if type(value) is not int:
        raise Refused("bad_argument", ArgumentRefusal.WHOLE_NUMBER(name=key))
    return value


def listed(args: Mapping[str, Any], key: str) -> list[Any]:
    value = args.get(key) or []
    if not isinstance(value, list) or len(value) > MOST_MENDED:
        raise Refused("bad_argument", ArgumentRefusal.AMENDMENTS(name=key, most=MOST_MENDED))
    return value
