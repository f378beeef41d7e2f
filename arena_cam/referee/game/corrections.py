"""A person's correction -> the events that say so: an `amend` each, or a note of `formats.entries` about what another
correction entered. The log keeps what it said before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.domain.messages import messages_to_json
from arena_cam.referee.game.ledger import Impossible, Ledger
from arena_cam.referee.game.legal import may_come
from arena_cam.referee.game.match import Match
from arena_cam.referee.messages import Refusal
from arena_cam.rules.amending import Line
from arena_cam.rules.entries import entered, is_correction, said_at_once, undone

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
    """The lines that `events` correct, each as it stands and as it would be; None: nothing stands there."""
    after = [*ledger.record.events, *(Line(ledger.next_line + place, event) for place, event in enumerate(events))]
    stand = {line.number: dict(line.data) for line in ledger.amended if line.data["type"] != "amend"}
    steps = []
    for event in events:
        number, said = event.get("line", 0), event.get("set")
        if (before := stand.get(number)) is not None and said:
            now = {key: value for key, value in (before | said).items() if value is not None}
            steps.append({"line": number, "before": before, "after": None if now["type"] == "note" else now})
    for number in {line.number for line in ledger.record.events if line.data.get("before")}:
        was, now_entered = entered(ledger.record.events, number) or [], entered(after, number) or []
        pairs = zip_longest([e for e in was if e not in now_entered], [e for e in now_entered if e not in was])
        steps += [{"line": number, "before": before, "after": now} for before, now in pairs]
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


def amend(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """`line`, `set` and `before` as in the game record, `reason`, and `also`: more of the same."""
    return signed(amendments(match.ledger, [args, *listed(args, "also")]), str(args.get("reason") or ""), who)


def amendments(ledger: Ledger, parts: list[Any]) -> list[Json]:
    events: list[Json] = []
    for part in parts:
        if not isinstance(part, Mapping):
            raise Refused("bad_argument", ArgumentRefusal.AMENDMENT(name="also"))
        line, said = whole(part, "line"), {key: part[key] for key in ("set", "before") if part.get(key) is not None}
        if not said:
            raise Refused("bad_argument", Refusal.NOTHING_TO_CHANGE())
        events.append(amendment(ledger, line, said, events))
    return events


def amendment(ledger: Ledger, line: int, said: Json, earlier: Sequence[Json] = ()) -> Json:
    """The event by which `line` says otherwise from now on; `said`: `set`, `before`. `earlier` ones come before it.

    Of a line that entered events, `set` is about the last of them.
    """
    log = [*ledger.record.events, *(Line(ledger.next_line + place, event) for place, event in enumerate(earlier))]
    stand = entered(log, line)
    if stand is None or not all(
        isinstance(said.get(key, kind()), kind) for key, kind in (("set", dict), ("before", list))
    ):
        return {"type": "amend", "line": line} | said
    others, last = stand[:-1], stand[-1] if stand else None
    if last is not None and said.get("set"):
        last = {key: value for key, value in (last | said["set"]).items() if value is not None}
    kept = [last] if last is not None and last.get("type") != "note" else []
    return {"type": "note", "corrects": line, "instead": [*others, *said.get("before", []), *kept]}


def undo(match: Match, args: Mapping[str, Any], who: str) -> list[Json]:
    """Takes back the last line: an event is struck, a correction is replaced by what stood before it, with all that was
    corrected at once."""
    del args
    gone = undone(match.ledger.record.events)
    for line in reversed(match.ledger.record.events):
        if is_correction(line.data):
            if "undoes" in line.data or line.number in gone:
                continue
            return _all_put_back(match.ledger, line, "undo", who)
        if line.data["type"] != "note" and match.ledger.event(line.number)["type"] != "note":
            strike = {"type": "amend", "line": line.number, "set": {"type": "note"}}
            return signed([strike], "undo", who, undoes=line.number)
    raise Refused("not_now", Refusal.NOTHING_TO_UNDO())


def together(ledger: Ledger, events: list[Json]) -> list[Json]:
    """`events`, which come next and are one step: it is taken back as one. One of them alone may be impossible."""
    return [event if place == 0 else event | {"with": ledger.next_line} for place, event in enumerate(events)]


def _all_put_back(ledger: Ledger, line: Line, reason: str, who: str) -> list[Json]:
    lines = said_at_once(ledger.record.events, line)
    return [event for each in lines for event in signed([_put_back(ledger, each)], reason, who, undoes=each.number)]


def _put_back(ledger: Ledger, line: Line) -> Json:
    """The event that says again what stood before the correction in `line`."""
    correction: Json = {"type": "note"}
    if line.data.get("set"):
        was = _read_before(ledger, line.number, line.data["line"])
        back = {key: was.get(key) for key in line.data["set"]}
        correction = {"type": "amend", "line": line.data["line"], "set": back}
    if line.data.get("before"):
        correction |= {"corrects": line.number, "instead": []}
    return correction


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
    gone = undone(match.ledger.record.events)
    for line in reversed(match.ledger.record.events):
        if line.data["type"] == "note" and not is_correction(line.data):
            continue
        if "undoes" not in line.data:
            break
        if line.number not in gone and not _is_redo(match.ledger, line.number):
            return _all_put_back(match.ledger, line, "redo", who)
    raise Refused("not_now", Refusal.NOTHING_TO_REDO())


def can_redo(match: Match) -> bool:
    """Whether `redo` would find something."""
    try:
        redo(match, {}, "")
    except Refused:
        return False
    return True


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
