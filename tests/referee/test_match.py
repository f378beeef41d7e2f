"""What was seen becomes what the game calls it, and what no game could have reached is asked about."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from arena_cam.domain.lies import Face, Landing
from arena_cam.referee.game import desk, memory
from arena_cam.referee.game.part import Request
from arena_cam.referee.games.arena import desk as arena_desk
from arena_cam.referee.games.arena.rounds import in_hand, lying_in, name_of, tick
from arena_cam.referee.interface import Mode
from referee.builders import Game, lie


def opened(**match: Any) -> Game:
    game = Game(**match)
    game.rests("red-8")
    return game


def test_the_right_players_card_in_an_empty_arena_opens_the_round() -> None:
    game = opened()
    assert game.events == [{"type": "challenge", "card": "red-8"}]
    assert game.match.ledger.awaiting == "throws"


def test_throws_are_written_with_what_they_rest_on() -> None:
    game = opened()
    game.rests("blue-3", on=["red-8"])
    game.rests("green-4", "beside")
    game.rests("?1", on=["blue-3", "red-8"])
    assert game.events[1:] == [
        {"type": "throw", "card": "blue-3", "landing": "flat", "face": "up", "rests_on": ["red-8"]},
        {"type": "throw", "card": "green-4", "landing": "beside", "face": "up", "rests_on": []},
        {"type": "throw", "card": None, "landing": "flat", "face": "down", "rests_on": ["blue-3", "red-8"]},
    ]


def test_a_wrong_players_card_opens_nothing_and_is_asked_about() -> None:
    game = Game()
    match = game.rests("blue-3")
    assert game.events == []
    assert [q.kind for q in match.questions] == ["wrong_provocateur"]
    match = game.sees(game.hand.takes("blue-3"))
    assert match.questions == (), "taken away, it needs no answer"


def test_cards_left_over_must_be_swept_before_the_next_round() -> None:
    game = opened()
    game.rests("blue-3", on=["red-8"])
    game.match = tick(game.match, 5.0, moving=False)
    game.match = arena_desk.duel(
        game.match, Request({"choices": {"Anna": "peace", "Bernhard": "peace"}}, "referee", 6.0)
    )
    assert game.match.ledger.awaiting == "challenge"
    game.rests("blue-5", on=["blue-3"])
    assert game.match.ledger.awaiting == "challenge", "the arena is not empty"
    game.sees(*game.hand.sweeps())
    count = len(game.events)
    game.rests("blue-6")
    assert game.events[count:] == [{"type": "challenge", "card": "blue-6"}]


def test_sweeping_and_taking_won_cards_are_no_events() -> None:
    game = opened()
    game.rests("blue-3", on=["red-8"])
    game.match = tick(game.match, 5.0, moving=False)
    before = game.events
    game.sees(game.hand.moves("blue-3", centre_mm=(50.0, 50.0), landing=Landing.DIAGONAL), game.hand.takes("red-8"))
    game.sees(game.hand.takes("blue-3"))
    assert game.events == before


def test_the_quiet_time_closes_the_challenge_and_motion_starts_it_anew() -> None:
    game = opened()
    assert tick(game.match, 10.9, moving=False).ledger.awaiting == "throws"
    moved = tick(game.match, 10.9, moving=True)
    assert tick(moved, 20.8, moving=False).ledger.awaiting == "throws"
    closed = tick(moved, 20.95, moving=False)
    assert closed.ledger.awaiting == "challenge"
    assert closed.ledger.result["rulings"][-1]["code"] == "unanswered"


def test_a_duelling_card_closes_at_once_when_nothing_moves() -> None:
    game = opened()
    game.rests("blue-3", on=["red-8"])
    assert tick(game.match, 2.0, moving=True).ledger.awaiting == "throws"
    assert tick(game.match, 2.1, moving=False).ledger.awaiting == "duel"


def test_a_moved_card_is_written_with_what_changed_only() -> None:
    game = opened()
    game.rests("blue-3", "diagonal")
    count = len(game.events)
    game.sees(game.hand.moves("blue-3", landing=Landing.FLAT, rests_on=("red-8",)))
    assert game.events[count:] == [{"type": "moved", "card": "blue-3", "landing": "flat", "rests_on": ["red-8"]}]
    game.sees(game.hand.moves("blue-3", centre_mm=(1.0, 1.0)))
    assert len(game.events) == count + 1, "a shift that changes nothing for the rules is no event"


def test_a_face_down_card_that_is_turned_over_gets_its_name() -> None:
    game = opened()
    game.rests("?1", on=["red-8"])
    game.sees(game.hand.moves("?1", key="green-4", card="green-4", face=Face.UP))
    assert game.match.ledger.awaiting == "throws"
    assert game.events[2:] == [
        {"type": "amend", "line": 3, "set": {"card": "green-4"}},
        {"type": "moved", "card": "?3", "face": "up"},
    ]
    assert [r["code"] for r in game.match.ledger.preview] == ["duelling"]


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ("blue-3", "out_of_game"),  # thrown in the round before
        ("yellow-1", "not_in_game"),  # nobody plays yellow
    ],
)
def test_a_card_that_cannot_be_in_a_hand_is_asked_about_not_believed(card: str, kind: str) -> None:
    game = opened()
    game.rests("blue-3", "beside")
    game.match = tick(game.match, 99.0, moving=False)
    game.sees(*game.hand.sweeps())
    game.rests("blue-5")
    lines = len(game.events)
    match = game.rests(card, on=["blue-5"])
    assert len(game.events) == lines
    assert [q.kind for q in match.questions] == [kind]
    assert tick(match, 999.0, moving=False).ledger.awaiting == "throws", "nothing closes while the question is open"


def test_the_same_card_twice_is_asked_about() -> None:
    game = opened()
    game.rests("blue-3", "beside")
    match = game.sees(game.hand.rests("blue-3", key="blue-3#2", on=["red-8"]))
    assert [q.kind for q in match.questions] == ["twice"]


def test_a_won_card_laid_beside_the_arena_is_no_throw() -> None:
    game = opened()
    game.match = tick(game.match, 99.0, moving=False)
    game.sees(*game.hand.sweeps())
    game.rests("blue-5")
    lines = len(game.events)
    match = game.rests("red-8", "beside")
    assert (len(game.events), match.questions) == (lines, ())


@pytest.mark.parametrize(
    ("mode", "sure", "asked"),
    [
        ("automatic", True, []),
        ("automatic", False, []),
        ("confirm_unsure", True, []),
        ("confirm_unsure", False, ["unsure"]),
        ("confirm_always", True, ["confirm"]),
        ("confirm_always", False, ["unsure"]),
    ],
)
def test_modes_say_what_is_asked(mode: Mode, sure: bool, asked: list[str]) -> None:
    game = Game(mode="confirm_unsure")
    game.rests("red-8")
    game.match = replace(game.match, mode=mode)
    match = game.rests("blue-3", on=["red-8"], sure=sure)
    assert [q.kind for q in match.questions] == asked
    closes = tick(match, 3.0, moving=False).ledger.awaiting == "duel"
    assert closes == (not asked)


def test_nothing_counts_while_paused_and_what_came_then_must_go() -> None:
    game = opened()
    game.match = replace(game.match, paused=True)
    match = game.rests("blue-3", on=["red-8"])
    assert len(game.events) == 1
    assert tick(match, 99.0, moving=False).ledger.awaiting == "throws"


def test_a_swept_arena_closes_the_round() -> None:
    game = opened()
    game.rests("blue-3", "beside")
    match = game.sees(*game.hand.sweeps())
    assert match.ledger.awaiting == "challenge"


@pytest.mark.parametrize(("choice", "counts"), [("counts", True), ("never", False)])
def test_a_thrown_card_taken_back_is_asked_about(choice: str, counts: bool) -> None:
    game = opened()
    game.rests("blue-3", "beside")
    match = game.sees(game.hand.takes("blue-3"))
    (question,) = match.questions
    assert (question.kind, question.line, question.blocking) == ("taken_back", 3, True)
    request = Request({"id": question.id, "choice": choice}, "referee", 9.0)
    match = desk.answer_question(match, request)
    assert match.questions == ()
    assert [card.name for card in lying_in(match.ledger)] == (["red-8", "blue-3"] if counts else ["red-8"])


def test_a_card_taken_back_and_laid_down_again_needs_no_answer() -> None:
    game = opened()
    game.rests("blue-3", "beside")
    game.sees(game.hand.takes("blue-3"))
    match = game.rests("blue-3", "beside")
    assert match.questions == ()
    assert [event["type"] for event in game.events] == ["challenge", "throw"]


def test_cards_swept_in_two_goes_leave_no_question_behind() -> None:
    game = opened()
    game.rests("blue-3", "beside")
    assert len(game.sees(game.hand.takes("blue-3")).questions) == 1
    match = game.sees(*game.hand.sweeps())
    assert (match.ledger.awaiting, match.questions) == ("challenge", ())


def test_throws_that_come_while_a_duel_is_awaited_are_too_late() -> None:
    game = opened()
    game.rests("blue-3", on=["red-8"])
    game.match = tick(game.match, 3.0, moving=False)
    lines = len(game.events)
    match = game.rests("green-4", on=["blue-3"])
    assert len(game.events) == lines
    assert in_hand(match, "green-4")


def test_the_challenge_and_the_first_throw_may_come_in_one_look() -> None:
    game = Game()
    game.hand.now_s = 1.0
    game.sees(game.hand.rests("red-8"), game.hand.rests("blue-3", on=["red-8"]))
    assert [e["type"] for e in game.events] == ["challenge", "throw"]


def test_who_was_first_is_asked_where_it_decides() -> None:
    game = opened()
    game.hand.now_s = 3.0
    match = game.sees(game.hand.rests("blue-3", on=["red-8"]), game.hand.rests("green-4", on=["red-8"]))
    assert [q.kind for q in match.questions] == ["order"]
    request = Request({"id": match.questions[0].id, "choice": "first:other"}, "referee", 4.0)
    after = desk.answer_question(match, request)
    assert after.questions == ()
    assert tick(after, 5.0, moving=False).ledger.state["duelling"] == "green-4"
    assert tick(after, 5.0, moving=False).ledger.state["opponent"] == "Christine"


def test_who_was_first_is_not_asked_where_one_lies_on_the_other_or_misses() -> None:
    others: list[dict[str, Any]] = [{"on": ["blue-3"]}, {"on": []}, {"landing": "edge", "on": ["red-8"]}]
    for second in others:
        game = opened()
        match = game.sees(game.hand.rests("blue-3", on=["red-8"]), game.hand.rests("green-4", **second))
        assert match.questions == ()


def test_an_eye_opened_anew_throws_nothing_twice() -> None:
    game = opened()
    game.rests("blue-3", on=["red-8"])
    lines = len(game.events)
    game.sees(game.hand.rests("red-8"), game.hand.rests("blue-3", on=["red-8"]))
    assert len(game.events) == lines


def test_a_card_slid_under_a_doubtful_one_is_written_once_the_doubt_is_gone() -> None:
    game = opened()
    game.rests("yellow-1", on=["red-8"])
    match = game.rests("blue-3", on=["yellow-1"])
    assert game.events[-1]["rests_on"] == []
    request = Request({"id": match.questions[0].id, "choice": "other_card", "card": "green-8"}, "referee", 9.0)
    match = desk.answer_question(match, request)
    assert name_of(match, "yellow-1") == "green-8"
    game.match = match
    assert game.events[-2:] == [
        {"type": "throw", "card": "green-8", "landing": "flat", "face": "up", "rests_on": ["red-8"]},
        {"type": "moved", "card": "blue-3", "rests_on": ["green-8"]},
    ]
    assert [r["code"] for r in match.ledger.preview] == ["duelling", "same_value"]


def test_lies_are_told_apart_by_their_keys() -> None:
    assert lie("?1").card is None


def test_a_better_look_settles_a_doubt() -> None:
    game = opened()
    game.rests("blue-3", "diagonal", on=["red-8"], sure=False)
    sure = lie("blue-3", on=["red-8"])
    match = game.sees(game.hand.moves("blue-3", **{n: getattr(sure, n) for n in ("landing", "sure", "doubts")}))
    assert match.questions == ()
    assert tick(match, 5.0, moving=False).ledger.awaiting == "duel"


def test_what_moved_in_a_pause_is_written_when_it_ends() -> None:
    game = opened()
    game.rests("blue-3", "diagonal", on=["red-8"])
    game.match = replace(game.match, paused=True)
    game.sees(game.hand.moves("blue-3", landing=Landing.FLAT))
    game.match = desk.resume(game.match, Request({}, "Eva", 9.0))
    assert game.events[-1] == {"type": "moved", "card": "blue-3", "landing": "flat"}


def test_in_automatic_mode_what_is_not_believed_does_not_hold_up_the_game() -> None:
    game = opened(mode="automatic")
    match = game.rests("yellow-1", on=["red-8"])
    assert [(q.kind, q.blocking) for q in match.questions] == [("not_in_game", False)]
    assert tick(match, 99.0, moving=False).ledger.awaiting == "challenge"


def test_questions_are_remembered_with_their_doubts_and_those_of_older_memories_with_their_english() -> None:
    game = opened()
    game.rests("blue-3", "diagonal", on=["red-8"], sure=False)
    kept = json.loads(json.dumps(memory.to_json(game.match)))
    assert memory.from_json(game.match.ledger, kept).questions[0].doubts == lie("blue-3", sure=False).doubts
    (question,) = kept["questions"]
    question["why"] = question.pop("why_unsure")
    del question["doubts"], question["about"]
    (old,) = memory.from_json(game.match.ledger, kept).questions
    assert [str(doubt) for doubt in old.doubts] == question["why"] == list(lie("blue-3", sure=False).why_unsure)
