"""Entries of a log: what stands of them, which line was taken back, and nothing that a file can hold breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from arena_cam.rules.amending import Line
from arena_cam.rules.entries import as_it_stands, corrected_line, entered, enters, is_correction, undone

A, B = {"type": "close"}, {"type": "deal"}
ENTRY = {"type": "amend", "line": 2, "before": [A]}


def log(*events: dict[str, Any]) -> list[Line]:
    return [Line(number, event) for number, event in enumerate(events, start=2)]


def instead(*events: Any, of: Any = 3, **more: Any) -> dict[str, Any]:
    return {"type": "note", "corrects": of, "instead": list(events), **more}


@pytest.mark.parametrize(
    ("later", "stands"),
    [
        ([], [A]),
        ([instead(B)], [B]),
        ([instead()], []),
        ([instead(B), instead(A, B)], [A, B]),
        ([instead(B), {"type": "note", "undoes": 4}], [A]),
        ([instead(undoes=3), {"type": "note", "undoes": 4}], [A]),
        ([instead(), {"type": "note", "undoes": 4}, {"type": "note", "undoes": 5}], []),
        ([{**instead(), "type": "amend", "line": 2, "set": {"card": "x"}}], []),
        ([{**instead(), "type": "close"}], [A]),  # an event of the game is no correction, whatever keys it has
        ([instead("x")], [A]),
        ([{"type": "note", "corrects": 3, "instead": "x"}], [A]),
        ([instead(of=[3])], [A]),
        ([instead(B, of=99)], [A]),
    ],
)
def test_what_stands_is_what_was_said_last(later: list[dict[str, Any]], stands: list[Any]) -> None:
    events = log(A, ENTRY, *later)
    assert entered(events, 3) == stands
    line = next(each for each in as_it_stands(events) if each.number == 3)
    assert line.data.get("before", []) == stands
    assert line.data["type"] == ("amend" if stands else "note")
    assert [each.number for each in as_it_stands(events)] == [each.number for each in events]
    assert as_it_stands(as_it_stands(events)) == as_it_stands(events), "a written record reads as it was written"


def test_an_amendment_that_changes_its_line_keeps_that() -> None:
    events = log(A, ENTRY | {"set": {"card": "x"}}, instead())
    assert as_it_stands(events)[1].data == {"type": "amend", "line": 2, "set": {"card": "x"}}


def test_a_log_without_mended_entries_is_its_own_record() -> None:
    events = log(A, ENTRY, {"type": "note"})
    assert as_it_stands(events) is events
    assert entered(events, 2) is None
    assert entered(events, 9) is None


def test_a_line_is_taken_back_by_later_ones_only() -> None:
    takes_back = [{"type": "note", "undoes": number} for number in (2, 4, 4, 99, "2")]
    assert undone(log(A, A, *takes_back)) == {4}, (
        "line 4 took line 2 back, and two took line 4 back; one stands on itself"
    )
    assert undone(log({"type": "note", "undoes": 2})) == set()


def test_a_correction_is_told_from_a_note() -> None:
    assert not is_correction({"type": "note"})
    assert not is_correction({"type": "throw", "undoes": 2})
    assert corrected_line(instead(of=7, undoes=3)) == 7
    assert corrected_line({"type": "note", "undoes": 7}) == 7
    assert corrected_line({"type": "amend", "line": 7, "undoes": 3}) == 7
    assert corrected_line({"type": "note", "undoes": "7"}) is None
    assert corrected_line({"type": "close"}) is None


def test_what_a_correction_enters_is_read_with_care() -> None:
    assert enters(ENTRY) == [A]
    assert enters(instead(A, B)) == [A, B]
    assert enters({"type": "note", "before": [A]}) == []
    assert enters({"type": "amend", "line": 2, "before": "x"}) == []
    assert enters(instead(1, {})) == []
