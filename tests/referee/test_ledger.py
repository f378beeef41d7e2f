"""A ledger that goes on knows the same as one that is opened anew, and works for the new lines alone."""

from __future__ import annotations

import random

import pytest

from arena_cam.referee.game.ledger import Ledger
from arena_cam.rules import all_games
from arena_cam.rules.random_play import random_events, random_header


def long_game(name: str, seed: int) -> Ledger:
    choose = random.Random(seed).choice
    header = random_header(all_games()[name], choose)
    events = list(random_events(all_games()[name], header, choose, most=60))
    events.insert(len(events) // 2, {"type": "amend", "line": 2, "set": {"type": events[0]["type"]}})
    return Ledger.open(header, events)


@pytest.mark.parametrize("name", sorted(all_games()))
@pytest.mark.parametrize("seed", range(3))
def test_a_ledger_that_goes_on_says_what_one_opened_anew_says(name: str, seed: int) -> None:
    whole = long_game(name, seed)
    events = [dict(line.data) for line in whole.record.events]
    ledger = Ledger.open(dict(whole.record.header.data), events[:3])
    for event in events[3:]:
        assert ledger.steps is not None
        assert ledger.result is not None
        ledger = ledger.appended([event])
    assert ledger.steps == whole.steps
    assert ledger.result == whole.result


def test_what_is_known_of_the_lines_before_is_not_worked_out_again() -> None:
    ledger = long_game("dilemmas", 0)
    steps, told = ledger.steps, ledger.result["rulings"]
    after = ledger.appended([{"type": "note", "text": "a pause"}])
    assert all(one is other for one, other in zip(after.steps, steps, strict=False))
    assert all(one is other for one, other in zip(after.result["rulings"], told, strict=True))


def test_a_ledger_that_went_on_unasked_tells_all_of_its_lines() -> None:
    whole = long_game("tricks", 1)
    events = [dict(line.data) for line in whole.record.events]
    ledger = Ledger.open(dict(whole.record.header.data))
    for event in events:
        ledger = ledger.appended([event])
    assert (ledger.steps, ledger.result) == (whole.steps, whole.result)
    assert [line for line, *_ in ledger.steps] == [line.number for line in ledger.amended]


def test_going_on_changes_nothing_of_the_ledger_before() -> None:
    ledger = long_game("dilemmas", 0)
    steps, told = list(ledger.steps), list(ledger.told)
    for text in ("one way", "another"):
        after = ledger.appended([{"type": "note", "text": text}])
        assert after.steps[-1][1] == {"type": "note", "text": text}
    assert (ledger.steps, ledger.told) == (steps, told)


def test_steps_are_worked_out_only_where_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line that was appended was played twice, once for steps that no page of a running game shows."""
    whole = long_game("arena", 2)
    played: list[int] = []
    monkeypatch.setattr("arena_cam.referee.game.ledger._step_to_json", lambda *step: played.append(step[1].number))
    ledger = Ledger.open(dict(whole.record.header.data))
    for line in whole.record.events:
        ledger = ledger.appended([dict(line.data)])
        assert ledger.result is not None
    assert played == []
    assert len(ledger.steps) == len(ledger.amended) == len(played)
