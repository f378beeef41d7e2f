"""The referee's corrections, before any game plays them: whose line is replaced, what was missed, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from arena_cam.domain.errors import BadRecord
from arena_cam.rules import find_game
from arena_cam.rules.amending import Line, amended, as_amended
from arena_cam.rules.messages import AmendRefusal

GAME = find_game("arena")
THROW = {"type": "throw", "card": "blue-3", "landing": "flat"}


def record(*events: dict[str, Any]) -> list[Line]:
    """The lines of a record after its header, which is line 1."""
    return [Line(number, event) for number, event in enumerate(events, 2)]


def amend(line: object, **more: object) -> dict[str, Any]:
    return {"type": "amend", "line": line, **more}


def told(lines: list[Line]) -> list[tuple[int, dict[str, Any]]]:
    return [(line.number, dict(line.data)) for line in as_amended(GAME, lines)]


def test_a_record_without_amendments_is_itself() -> None:
    lines = record(THROW, {"type": "note"})
    assert as_amended(GAME, lines) is lines


def test_keys_are_replaced_where_the_event_stands() -> None:
    lines = record(THROW, {"type": "note"}, amend(2, set={"card": "blue-4"}))
    assert told(lines) == [(2, {**THROW, "card": "blue-4"}), (3, {"type": "note"}), (4, lines[2].data)]


def test_the_last_of_several_amendments_holds_and_who_wrote_what_is_kept() -> None:
    lines = record(THROW, amend(2, set={"card": "blue-4", "landing": "edge"}), amend(2, set={"card": "blue-5"}))
    first = as_amended(GAME, lines)[0]
    assert first.data == {**THROW, "card": "blue-5", "landing": "edge"}
    assert first.history is not None
    assert first.history.written == {"card": 4, "landing": 3}
    assert [(since, version["card"]) for since, version in first.history.versions] == [
        (2, "blue-3"),
        (3, "blue-4"),
        (4, "blue-5"),
    ]


def test_what_was_missed_comes_just_before_in_the_order_it_was_told() -> None:
    notes = [{"type": "note", "n": n} for n in range(3)]
    lines = record(THROW, amend(2, before=notes[:2]), amend(2, before=notes[2:]))
    assert told(lines)[:4] == [(3, notes[0]), (3, notes[1]), (4, notes[2]), (2, THROW)]
    missed = as_amended(GAME, lines)[0]
    assert missed.history is not None
    assert missed.history.written == {"type": 3, "n": 3}


def test_both_at_once_and_nothing_else_is_touched() -> None:
    lines = record(THROW, {"type": "note"}, amend(3, set={"type": "throw"}, before=[THROW]))
    assert told(lines)[:3] == [(2, THROW), (4, THROW), (3, {"type": "throw"})]


def test_the_ruling_names_the_line_that_was_corrected() -> None:
    ruling = amended(7, amend(3, set={"card": "blue-4"}))
    assert (ruling.line, ruling.code, ruling.facts) == (7, "amended", {"amends": 3})
    assert "line 3" in str(ruling.message)


@pytest.mark.parametrize(
    ("amendment", "refusal"),
    [
        (amend(2), AmendRefusal.NO_CHANGE),
        (amend(2, set=None, before=None), AmendRefusal.NO_CHANGE),
        (amend(True, set={"card": "x"}), AmendRefusal.NO_LINE),
        (amend("2", set={"card": "x"}), AmendRefusal.NO_LINE),
        (amend(None, set={"card": "x"}), AmendRefusal.NO_LINE),
        (amend(1, set={"card": "x"}), AmendRefusal.NO_EARLIER_EVENT),  # the header
        (amend(3, set={"card": "x"}), AmendRefusal.NO_EARLIER_EVENT),  # itself
        (amend(9, set={"card": "x"}), AmendRefusal.NO_EARLIER_EVENT),  # later
        (amend(-1, set={"card": "x"}), AmendRefusal.NO_EARLIER_EVENT),
        (amend(2, set={}), AmendRefusal.NO_CHANGE),
        (amend(2, set=["card"]), AmendRefusal.BAD_SET),
        (amend(2, set={"colour_of_the_sky": "grey"}), AmendRefusal.UNKNOWN_KEY),
        (amend(2, set={"type": "dance"}), AmendRefusal.UNKNOWN_TYPE),
        (amend(2, set={"type": "amend"}), AmendRefusal.UNKNOWN_TYPE),
        (amend(2, before=[]), AmendRefusal.NO_CHANGE),
        (amend(2, before={"type": "note"}), AmendRefusal.BAD_BEFORE),
        (amend(2, before=["note"]), AmendRefusal.NO_EVENT),
        (amend(2, before=[{"type": 7}]), AmendRefusal.UNKNOWN_TYPE),
        (amend(2, before=[{"card": "blue-3"}]), AmendRefusal.UNKNOWN_TYPE),
    ],
)
def test_an_amendment_that_is_not_well_formed_is_refused_on_its_own_line(
    amendment: dict[str, Any], refusal: AmendRefusal
) -> None:
    with pytest.raises(BadRecord) as bad:
        as_amended(GAME, record(THROW, amendment))
    assert bad.value.line == 3
    assert bad.value.said.sentence is refusal


def test_an_amendment_cannot_itself_be_amended() -> None:
    with pytest.raises(BadRecord) as bad:
        as_amended(GAME, record(THROW, amend(2, set={"card": "blue-4"}), amend(3, set={"card": "blue-5"})))
    assert (bad.value.line, bad.value.said.sentence) == (4, AmendRefusal.NO_EARLIER_EVENT)
