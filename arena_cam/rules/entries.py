"""Events that a referee entered before a line, and how a wrong entry is mended.

An amendment of a game record may enter events (`before`), and the format has none that reaches those. A log only
grows: a note `{"type": "note", "corrects": K, "instead": [...]}` says what line K, an amendment, enters instead,
which may be nothing. A note or an amendment with `undoes` takes back the line that it names. Lines that were said at
once have `with`, the number of the first of them, in all others, and are taken back at once. `as_it_stands` makes the
game record of such a log: there line K enters what stands. Readers of the format ignore these keys and play that
game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_cam.rules.amending import Line

Data = Mapping[str, Any]
# Keys that only a log has: nobody may write them into an event.
LOG_KEYS = ("corrects", "instead", "undoes", "with")


def is_correction(event: Data) -> bool:
    """Whether the game must be played anew from its beginning with `event` in the log."""
    return event["type"] == "amend" or (event["type"] == "note" and ("corrects" in event or "undoes" in event))


def undone(events: Sequence[Line]) -> set[int]:
    """The lines of a log that were taken back by a line that still stands. What takes back stands after it."""
    gone: set[int] = set()
    for each in reversed(events):
        taken = each.data.get("undoes")
        if type(taken) is int and taken < each.number and each.number not in gone:
            gone.add(taken)
    return gone


def said_at_once(events: Sequence[Line], line: Line) -> list[Line]:
    """`line` and the lines of a log that were said at once with it, the last first."""
    first = line.data.get("with", line.number)
    return [each for each in reversed(events) if each.number == first or each.data.get("with") == first]


def corrected_line(event: Data) -> int | None:
    """The line that a correction is about; None for any other event."""
    if not is_correction(event):
        return None
    number = event.get("corrects", event.get("line", event.get("undoes")))
    return number if type(number) is int else None


def enters(event: Data) -> list[Data]:
    """The events that a correction enters, as it was said."""
    said = event.get("before") if event["type"] == "amend" else event.get("instead") if is_correction(event) else None
    return [each for each in said if isinstance(each, dict) and "type" in each] if isinstance(said, list) else []


def entered(events: Sequence[Line], number: int) -> list[dict[str, Any]] | None:
    """The events that line `number` of a log enters as it stands; None where it is no amendment that entered any."""
    line = next((each.data for each in events if each.number == number), None)
    if line is None or line["type"] != "amend" or not isinstance(line.get("before"), list):
        return None
    stand, gone = line["before"], undone(events)
    for each in events:
        if _mends(each) and each.data["corrects"] == number and each.number not in gone:
            stand = each.data["instead"]
    return [dict(event) for event in stand]


def _mends(line: Line) -> bool:
    """Whether a line says what another enters instead. A file from elsewhere may hold anything under these keys."""
    said = line.data.get("instead")
    return (
        is_correction(line.data)
        and "corrects" in line.data
        and isinstance(said, list)
        and all(isinstance(event, dict) for event in said)
    )


def as_it_stands(events: Sequence[Line]) -> Sequence[Line]:
    """The record of the log `events`: each line enters what stands; one that enters nothing any more is a note."""
    mended = [each.data["corrects"] for each in events if _mends(each)]
    if not mended:
        return events
    return [_standing(events, line) if line.number in mended else line for line in events]


def _standing(events: Sequence[Line], line: Line) -> Line:
    stand = entered(events, line.number)
    if stand is None or stand == line.data["before"]:
        return line
    rest = {key: value for key, value in line.data.items() if key != "before"}
    if stand:
        return Line(line.number, rest | {"before": stand})
    return Line(line.number, rest if rest.get("set") else rest | {"type": "note"})
