"""A correction makes the game what it would have been had it been seen right at once, and the record keeps both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.domain.lies import Landing
from arena_cam.formats.game_record import read_record, score_record
from arena_cam.referee.game import desk
from arena_cam.referee.game.corrections import difference
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Request
from arena_cam.referee.game.snapshots import legal_actions
from arena_cam.referee.games.arena import desk as arena_desk
from arena_cam.referee.games.arena.rounds import in_hand, lying_in, name_of, tick
from referee.builders import HEADER, Game

CORRECTIONS = {**desk.CORRECTIONS, **arena_desk.CORRECTIONS}


def correct(match: Match, action: str, **args: Any) -> Match:
    request = Request(args, "Eva", 50.0)
    return desk.corrected(match, CORRECTIONS[action].events(match, args, "Eva"), request)


@pytest.fixture
def played() -> Game:
    """Anna challenges with red-10, blue-4 duels in front of green-7, and both keep peace."""
    game = Game()
    game.rests("red-10")
    game.rests("blue-4", on=["red-10"])
    game.rests("green-7", on=["red-10"])
    game.match = tick(game.match, 5.0, moving=False)
    choices = {"choices": {"Anna": "peace", "Bernhard": "peace"}}
    game.match = arena_desk.duel(game.match, Request(choices, "Eva", 6.0))
    return game


def codes(match: Match) -> list[str]:
    return [r["code"] for r in match.ledger.result["rulings"] if r["code"] != "amended"]


def test_a_preview_says_what_would_change_and_changes_nothing(played: Game) -> None:
    events = CORRECTIONS["amend"].events(played.match, {"line": 2, "set": {"card": "red-9"}}, "Eva")
    change = difference(played.match, events)
    assert change["scores_before"] == {"Anna": 4, "Bernhard": 10, "Christine": 0}
    assert change["scores_after"] == {"Anna": 4, "Bernhard": 9, "Christine": 0}
    assert change["impossible"] is None
    assert any(c["after"] and "red-9" in c["after"]["text"] for c in change["changed"])


def test_what_becomes_impossible_is_said_with_its_line_and_refused(played: Game) -> None:
    args = {"line": 3, "set": {"landing": "diagonal"}, "reason": "it leaned"}
    events = CORRECTIONS["amend"].events(played.match, args, "Eva")
    impossible = difference(played.match, events)["impossible"]
    assert impossible is not None
    assert impossible["line"] == 6
    with pytest.raises(Refused) as refusal:
        correct(played.match, "amend", **args)
    assert refusal.value.code == "impossible"


def test_later_lines_can_be_mended_in_the_same_breath(played: Game) -> None:
    also = [{"line": 6, "set": {"choices": {"Anna": "peace", "Christine": "peace"}}}]
    match = correct(played.match, "amend", line=3, set={"landing": "diagonal"}, reason="it leaned", also=also)
    assert match.ledger.result["scores"] == {"Anna": 7, "Bernhard": 0, "Christine": 10}
    first, second = (line.data for line in match.ledger.record.events[-2:])
    assert (first["reason"], first["who"], second["line"]) == ("it leaned", "Eva", 6)


def test_a_card_is_corrected_by_name_and_its_landing_where_it_was_said_last() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("blue-3", "diagonal", on=["red-8"])
    game.sees(game.hand.moves("blue-3", landing=Landing.EDGE))
    match = correct(game.match, "correct_card", card="blue-3", landing="flat")
    assert match.ledger.record.events[-1].data["line"] == 4, "the line of `moved`, not of the throw"
    assert lying_in(match.ledger)[1].landing == "flat"
    match = correct(match, "correct_card", key="blue-3", id="blue-8")
    assert lying_in(match.ledger)[1].name == "blue-8"
    assert name_of(match, "blue-3") == "blue-8", "what the eye calls blue-3 is blue-8 from now on"


def _leaning_called_flat() -> Game:
    """The eye says that green-4 leans and lies on nothing; Eva has said that it lies flat on the challenge card."""
    game = Game()
    game.rests("red-8")
    game.rests("green-4", "diagonal")
    game.match = correct(game.match, "correct_card", card="green-4", landing="flat", rests_on=["red-8"])
    return game


def _said_of_green_4(game: Game) -> tuple[str, list[str]]:
    lying = lying_in(game.match.ledger)
    card = next(card for card in lying if card.name == "green-4")
    return card.landing, [lying[i].name or "" for i in card.rests_on]


def test_what_a_person_said_outlives_a_pause() -> None:
    game = _leaning_called_flat()
    game.match = desk.pause(game.match, Request({}, "Eva", 51.0))
    game.match = desk.resume(game.match, Request({}, "Eva", 52.0))
    assert _said_of_green_4(game) == ("flat", ["red-8"])


def test_what_a_person_said_outlives_an_eye_that_looks_anew() -> None:
    game = _leaning_called_flat()
    game.rests("green-4", "diagonal")
    assert _said_of_green_4(game) == ("flat", ["red-8"])
    game.sees(game.hand.moves("green-4", tilt_deg=8.4))
    assert _said_of_green_4(game) == ("flat", ["red-8"])


def test_what_a_person_said_ends_where_the_card_moves_on() -> None:
    game = _leaning_called_flat()
    game.sees(game.hand.moves("green-4", landing=Landing.EDGE))
    assert _said_of_green_4(game) == ("edge", ["red-8"]), "what it lies on looks as it did"
    game = _leaning_called_flat()
    game.sees(game.hand.moves("green-4", landing=Landing.FLAT))
    assert _said_of_green_4(game) == ("flat", ["red-8"])
    game.sees(game.hand.moves("green-4", landing=Landing.DIAGONAL))
    assert _said_of_green_4(game) == ("diagonal", ["red-8"]), "it lay flat and was seen to rise"


def test_a_correction_taken_back_leaves_the_eye_its_word() -> None:
    game = _leaning_called_flat()
    game.match = correct(game.match, "undo")
    game.match = desk.pause(game.match, Request({}, "Eva", 51.0))
    game.match = desk.resume(game.match, Request({}, "Eva", 52.0))
    assert _said_of_green_4(game) == ("diagonal", [])


def test_a_card_under_another_name_comes_back_into_sight_as_the_same() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("blue-3", on=["red-8"])
    game.match = correct(game.match, "correct_card", key="blue-3", id="blue-8")
    game.sees(game.hand.takes("blue-3"))
    game.rests("blue-3", on=["red-8"])
    assert [card.name for card in lying_in(game.match.ledger)] == ["red-8", "blue-8"]
    assert name_of(game.match, "blue-3") == "blue-8"
    assert game.match.questions == ()


def test_a_missed_throw_is_added_now_or_before_the_close(played: Game) -> None:
    game = Game()
    game.rests("red-8")
    match = correct(game.match, "throw_missed", card="blue-3", landing="flat", rests_on=["red-8"])
    assert lying_in(match.ledger)[1].name == "blue-3"
    match = correct(played.match, "throw_missed", card="green-1", landing="edge")
    assert "green-1" in match.ledger.state["removed"]
    assert match.ledger.record.events[-1].data["line"] == 5


def test_a_throw_that_never_happened_goes_with_all_that_rested_on_it() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("blue-8", on=["red-8"])
    game.rests("green-4", on=["blue-8"])
    game.sees(game.hand.moves("blue-8", landing=Landing.EDGE))
    match = correct(game.match, "throw_never_happened", card="blue-8")
    assert [card.name for card in lying_in(match.ledger)] == ["red-8", "green-4"]
    assert in_hand(match, "blue-8")
    assert [r["code"] for r in match.ledger.preview] == ["not_on_challenge", "unanswered"]


def test_undo_takes_back_one_thing_at_a_time(played: Game) -> None:
    match = correct(played.match, "undo")
    assert match.ledger.awaiting == "duel"
    match = correct(match, "undo")
    assert match.ledger.awaiting == "throws"
    assert tick(match, 999.0, moving=False).ledger.awaiting == "throws", "what was opened again stays open"
    match = correct(match, "undo")
    assert [card.name for card in lying_in(match.ledger)] == ["red-10", "blue-4"]


def test_undo_takes_back_a_correction() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("blue-3", "diagonal", on=["red-8"])
    match = correct(game.match, "correct_card", card="blue-3", landing="flat")
    line = match.lines["blue-3"]
    assert match.ledger.corrected(line)
    step = difference(match, CORRECTIONS["undo"].events(match, {}, "Eva"))["steps"]
    assert [(each["before"]["landing"], each["after"]["landing"]) for each in step] == [("flat", "diagonal")]
    match = correct(match, "undo")
    assert lying_in(match.ledger)[1].landing == "diagonal"
    assert not match.ledger.corrected(line)
    (struck,) = difference(match, CORRECTIONS["undo"].events(match, {}, "Eva"))["steps"]
    assert (struck["line"], struck["before"]["card"], struck["after"]) == (line, "blue-3", None)
    match = correct(match, "undo")
    assert len(lying_in(match.ledger)) == 1


def test_what_was_corrected_at_once_is_undone_and_done_again_at_once(played: Game) -> None:
    """The throw leaned, so there was no duel: taken back one by one, the duel would stand where none can come."""
    before = played.match.ledger.amended
    throw, duel = (next(line.number for line in before if line.data["type"] == kind) for kind in ("throw", "duel"))
    leaned = {"line": throw, "set": {"landing": "diagonal"}, "also": [{"line": duel, "set": {"type": "note"}}]}
    match = correct(played.match, "amend", **leaned)
    corrected = match.ledger.state
    steps = difference(match, CORRECTIONS["undo"].events(match, {}, "Eva"))
    assert steps["impossible"] is None
    assert sorted(step["line"] for step in steps["steps"]) == [throw, duel]
    match = correct(match, "undo")
    assert match.ledger.state == played.match.ledger.state
    match = correct(match, "redo")
    assert match.ledger.state == corrected
    match = correct(match, "undo")
    assert match.ledger.state == played.match.ledger.state
    opened = Ledger.open(dict(match.ledger.record.header.data), [dict(e.data) for e in match.ledger.record.events])
    assert opened.state == match.ledger.state


def test_a_late_correction_leads_through_the_duel_that_would_have_been() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("blue-3", "edge")
    game.match = tick(game.match, 99.0, moving=False)
    game.sees(*game.hand.sweeps())
    game.rests("blue-5")
    on_it = {"line": 3, "set": {"landing": "flat", "rests_on": ["red-8"]}}
    events = CORRECTIONS["amend"].events(game.match, on_it, "Eva")
    impossible = difference(game.match, events)["impossible"]
    assert (impossible["line"], impossible["type"]) == (5, "challenge")
    choices = {"Anna": ["peace", "conflict"], "Bernhard": ["peace", "conflict"]}
    assert impossible["may_come"] == [{"type": "duel", "keys": {"choices": {"for_each": choices}}, "made": False}]

    duel = {"type": "duel", "choices": {"Anna": "conflict", "Bernhard": "peace"}}
    match = correct(game.match, "amend", **on_it, also=[{"line": 5, "before": [duel]}])
    assert match.ledger.result["scores"]["Anna"] == 11
    assert (match.ledger.awaiting, match.ledger.state["challenge"]) == ("throws", "blue-5")


def test_undone_steps_are_done_again_one_at_a_time_until_something_new_is_said(played: Game) -> None:
    states = [played.match.ledger.state]
    match = played.match
    for _ in range(3):
        match = correct(match, "undo")
        states.append(match.ledger.state)
    for before in reversed(states[:-1]):
        assert "redo" in legal_actions(match, ended=False)
        match = correct(match, "redo")
        assert match.ledger.state == before
    assert "redo" not in legal_actions(match, ended=False)
    with pytest.raises(Refused) as refusal:
        correct(match, "redo")
    assert refusal.value.code == "not_now"
    match = correct(match, "undo")
    assert match.ledger.state == states[1], "what was done again can be undone again"
    match = correct(match, "amend", line=2, set={"card": "red-9"}, reason="misread")
    assert "redo" not in legal_actions(match, ended=False)


def _scored_anew(match: Match) -> Any:
    """The scores and the state that anybody makes of the record as it is written out."""
    result = score_record(read_record(match.ledger.text(HEADER)))
    return result["scores"], result["state"]


def test_an_event_entered_before_a_line_is_undone_and_done_again(played: Game) -> None:
    before = played.match.ledger.result
    missed = {"type": "throw", "card": "green-1", "landing": "edge"}
    match = correct(played.match, "amend", line=4, before=[missed], reason="missed")
    entered = match.ledger.state
    assert "green-1" in entered["removed"]
    (step,) = difference(match, CORRECTIONS["undo"].events(match, {}, "Eva"))["steps"]
    assert (step["before"], step["after"]) == (missed, None)
    match = correct(match, "undo")
    assert (match.ledger.result["scores"], match.ledger.state) == (before["scores"], before["state"])
    assert [r["code"] for r in match.ledger.result["rulings"]] == [r["code"] for r in before["rulings"]]
    assert _scored_anew(match) == (before["scores"], before["state"])
    (step,) = difference(match, CORRECTIONS["redo"].events(match, {}, "Eva"))["steps"]
    assert (step["before"], step["after"]) == (None, missed)
    match = correct(match, "redo")
    assert match.ledger.state == entered
    assert _scored_anew(match)[1] == entered
    match = correct(correct(match, "undo"), "undo")
    assert match.ledger.awaiting == "duel", "the step before the entry is next"


def test_an_amendment_that_changes_and_enters_is_undone_whole(played: Game) -> None:
    before = played.match.ledger.state
    missed = {"type": "throw", "card": "green-1", "landing": "edge"}
    match = correct(played.match, "amend", line=4, set={"landing": "beside"}, before=[missed])
    entered = match.ledger.state
    match = correct(match, "undo")
    assert match.ledger.state == before
    match = correct(match, "redo")
    assert match.ledger.state == entered
    assert _scored_anew(match)[1] == entered


def test_an_entry_is_corrected_where_it_stands_and_struck_later(played: Game) -> None:
    first, second = ({"type": "throw", "card": card, "landing": "edge"} for card in ("green-1", "green-2"))
    match = correct(played.match, "amend", line=5, before=[first])
    line = match.ledger.next_line - 1
    match = correct(match, "amend", line=5, before=[second])
    match = correct(match, "correct_card", line=line, id="green-3")
    thrown = [each.data.get("card") for each in match.ledger.amended if each.data["type"] == "throw"]
    assert thrown == ["blue-4", "green-7", "green-3", "green-2"], "in the place of what it mends"
    match = correct(match, "amend", line=line, before=[{"type": "throw", "card": "green-5", "landing": "edge"}])
    thrown = [each.data.get("card") for each in match.ledger.amended if each.data["type"] == "throw"]
    assert thrown == ["blue-4", "green-7", "green-5", "green-3", "green-2"]
    match = correct(correct(match, "undo"), "throw_never_happened", line=line)
    assert "green-3" not in match.ledger.state["removed"]
    assert "green-2" in match.ledger.state["removed"]
    assert _scored_anew(match)[1] == match.ledger.state
    match = correct(correct(match, "undo"), "undo")
    assert {"green-1", "green-2"} <= set(match.ledger.state["removed"]), "as it was entered at first"


def test_what_rests_on_an_entry_goes_with_it() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("green-4", on=["red-8"])
    match = correct(game.match, "amend", line=3, before=[{"type": "throw", "card": "blue-8", "landing": "flat"}])
    line = match.ledger.next_line - 1
    match = correct(match, "correct_card", card="green-4", rests_on=["blue-8"])
    match = correct(match, "throw_never_happened", line=line)
    assert [(card.name, card.rests_on) for card in lying_in(match.ledger)][1:] == [("green-4", ())]


def test_a_log_with_mended_entries_is_opened_again_as_it_stood(played: Game) -> None:
    match = correct(played.match, "amend", line=4, before=[{"type": "throw", "card": "green-1", "landing": "edge"}])
    match = correct(match, "undo")
    again = Ledger.open(HEADER, [dict(line.data) for line in match.ledger.record.events])
    assert again.result == match.ledger.result
    assert "redo" in legal_actions(replace(match, ledger=again), ended=False)


def test_nothing_to_undo_is_said() -> None:
    with pytest.raises(Refused) as refusal:
        correct(Game().match, "undo")
    assert refusal.value.code == "not_now"


def test_an_unnamed_card_is_asked_for_and_named() -> None:
    game = Game()
    game.rests("red-8")
    game.rests("?1", on=["red-8"])
    game.match = tick(game.match, 99.0, moving=False)
    assert game.match.ledger.awaiting == "identify"
    assert [q.kind for q in game.match.questions] == ["identify"]
    request = Request({"id": game.match.questions[0].id, "choice": "other_card", "card": "blue-2"}, "Eva", 100.0)
    match = desk.answer_question(game.match, request)
    assert match.ledger.awaiting == "challenge"
    assert "blue-2" in match.ledger.state["removed"]


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("amend", {"line": 3}),
        ("amend", {"line": "3", "set": {"landing": "flat"}}),
        ("amend", {"line": True, "set": {"landing": "flat"}}),
        ("amend", {"line": 99, "set": {"landing": "flat"}}),
        ("amend", {"line": 3, "set": {"nonsense": 1}}),
        ("amend", {"line": 3, "set": {"landing": "flat"}, "also": "x"}),
        ("amend", {"line": 3, "set": {"landing": "flat"}, "also": [3]}),
        ("correct_card", {}),
        ("correct_card", {"card": "blue-4"}),
        ("correct_card", {"card": "blue-4", "landing": "upright"}),
        ("correct_card", {"card": ["x"], "landing": "flat"}),
        ("correct_card", {"line": 2, "landing": "flat"}),
        ("correct_card", {"line": 5, "landing": "flat"}),
        ("correct_card", {"card": "blue-4", "id": "purple-1"}),
        ("throw_missed", {"card": "green-1"}),
        ("throw_missed", {"landing": "flat"}),
        ("throw_missed", {"card": "green-1", "landing": "flat", "rests_on": "red-10"}),
        ("throw_never_happened", {"card": "yellow-1"}),
        ("throw_never_happened", {"line": 5}),
        ("amend", {"line": 6, "before": "x"}),
    ],
)
def test_nonsense_is_refused_with_a_code(played: Game, action: str, args: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refusal:
        correct(played.match, action, **args)
    assert refusal.value.code in ("bad_argument", "unknown", "impossible", "not_now")
