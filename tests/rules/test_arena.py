"""The arena game, rule by rule, where the worked examples leave off."""

from __future__ import annotations

from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.rules import find_game
from arena_cam.rules.games.arena.engine import ArenaCard, candidates, duelling_card, preview
from arena_cam.rules.header import read_header
from rules.records import Json, codes, refused, score

PLAYERS = [("Anna", "red"), ("Ben", "blue"), ("Cleo", "green")]
HEADER: Json = {"game": "arena", "players": [{"name": name, "colour": colour} for name, colour in PLAYERS]}
CLOSE = {"type": "close"}


def with_rules(**options: Any) -> Json:
    return {**HEADER, "options": options}


def challenge(card: str) -> Json:
    return {"type": "challenge", "card": card}


def throw(card: str | None, *rests_on: str | None, landing: str = "flat", **more: Any) -> Json:
    return {"type": "throw", "card": card, "landing": landing, "rests_on": list(rests_on), **more}


def moved(card: str, **how: Any) -> Json:
    return {"type": "moved", "card": card, **how}


def duel(**choices: str) -> Json:
    return {"type": "duel", "choices": choices}


def amend(line: int, *before: Json, **changes: Any) -> Json:
    parts = {"set": changes, "before": list(before)}
    return {"type": "amend", "line": line, **{key: value for key, value in parts.items() if value}}


def beside(colour: str, *values: int) -> list[Json]:
    return [throw(f"{colour}-{value}", landing="beside") for value in values]


def verdicts(result: Json) -> dict[str, str]:
    return {ruling["card"]: ruling["code"] for ruling in result["rulings"] if "thrown" in ruling}


def test_each_verdict_has_its_card() -> None:
    result = score(
        HEADER,
        challenge("red-8"),
        throw("blue-1", landing="edge"),
        throw("blue-2", landing="diagonal"),
        throw("blue-3", landing="beside"),
        throw("blue-4", "red-8", face="down"),
        throw("red-1", "red-8"),
        throw("blue-8", "red-8"),
        throw("green-3", "blue-8"),
        throw("green-4", "red-8"),
        throw("green-5", "green-3"),
        throw("green-6"),
        CLOSE,
    )
    assert list(verdicts(result).values()) == [
        *("edge", "diagonal", "beside", "face_down", "own_card", "same_value", "duelling"),
        *("not_first", "not_first", "not_on_challenge"),
    ]


def test_the_lower_of_two_candidates_duels_even_if_it_was_thrown_later() -> None:
    slid_under = moved("blue-1", rests_on=["red-8", "green-2"])
    result = score(HEADER, challenge("red-8"), throw("blue-1", "red-8"), throw("green-2", "red-8"), slid_under, CLOSE)
    assert verdicts(result) == {"blue-1": "not_first", "green-2": "duelling"}


def test_of_two_side_by_side_the_first_thrown_duels() -> None:
    result = score(HEADER, challenge("red-8"), throw("blue-1", "red-8"), throw("green-2", "red-8"), CLOSE)
    assert verdicts(result) == {"blue-1": "duelling", "green-2": "not_first"}


@pytest.mark.parametrize(("pile", "verdict"), [("same_value", "not_on_challenge"), ("any", "duelling")])
def test_what_passes_on_is_a_house_rule(pile: str, verdict: str) -> None:
    on_own_card = [challenge("red-8"), throw("red-1", "red-8"), throw("blue-2", "red-1"), CLOSE]
    assert verdicts(score(with_rules(pile=pile), *on_own_card))["blue-2"] == verdict


def test_with_pile_any_a_card_already_ruled_out_passes_on() -> None:
    lines = [
        challenge("red-8"),
        throw("blue-8", "red-8"),
        throw("red-1", "red-8"),
        CLOSE,
        throw("blue-2", "red-1"),
        CLOSE,
    ]
    assert verdicts(score(with_rules(pile="any"), *lines))["blue-2"] == "duelling"
    assert verdicts(score(HEADER, *lines))["blue-2"] == "not_on_challenge"


def test_a_card_beneath_itself_is_an_error_of_the_close() -> None:
    lines = [
        challenge("red-8"),
        throw("blue-1", "red-8"),
        throw("blue-2", "blue-1"),
        moved("blue-1", rests_on=["blue-2"]),
    ]
    assert refused(HEADER, *lines) == 0
    assert refused(HEADER, *lines, CLOSE) == 6
    assert refused(HEADER, *lines[:3], moved("blue-1", rests_on=["blue-1"])) == 5


def test_a_new_card_of_the_same_value_offers_again_and_again_or_once() -> None:
    lines = [challenge("red-8"), throw("blue-8", "red-8"), CLOSE, throw("green-8", "blue-8"), CLOSE]
    assert codes(score(HEADER, *lines))[-1] == "rethrow"
    assert codes(score(HEADER, *lines, CLOSE))[-1] == "unanswered"
    assert codes(score(with_rules(rethrow="once"), *lines))[-1] == "unanswered"


def test_a_same_value_card_that_missed_the_challenge_offers_nothing() -> None:
    assert codes(score(HEADER, challenge("red-8"), throw("blue-8"), CLOSE)) == ["not_on_challenge", "unanswered"]


@pytest.mark.parametrize(
    ("thrown", "code"),
    [
        ([], "unanswered"),
        ([throw("red-1")], "unanswered"),
        ([throw("blue-1")], "wasted"),
        ([throw(None, face="down")], "wasted"),
    ],
)
def test_a_miss_may_cost_the_challenge_card(thrown: list[Json], code: str) -> None:
    result = score(with_rules(missed="lost"), challenge("red-8"), *thrown, CLOSE)
    last = result["rulings"][-1]
    assert (last["code"], last["card"]) == (code, "red-8")
    assert last["player"] == (None if code == "wasted" else "Anna")


TWO_LEFT = [challenge("red-1"), *beside("green", *range(1, 11)), CLOSE, challenge("blue-4")]


@pytest.mark.parametrize(
    ("option", "code", "hand", "won"),
    [("return", "returned", 9, 4), ("remove", "beside", 8, 4), ("forfeit", "forfeited", 8, 13)],
)
def test_with_two_left_a_throw_beside_is_a_house_rule(option: str, code: str, hand: int, won: int) -> None:
    result = score(with_rules(two_left_beside=option), *TWO_LEFT, throw("red-9", landing="beside"), CLOSE)
    assert codes(result)[-2:] == [code, "unanswered"]
    assert len(result["state"]["hands"]["Anna"]) == hand
    assert result["scores"]["Ben"] == won


def test_with_two_left_a_card_that_went_back_may_be_thrown_again_but_no_longer_be_named() -> None:
    again = [*TWO_LEFT, throw("red-9", landing="beside"), throw("red-4", "blue-4"), CLOSE]
    assert codes(score(HEADER, *again))[-3:] == ["returned", "same_value", "rethrow"]
    assert refused(HEADER, *again, throw("red-5", "red-9")) == 18
    assert refused(HEADER, *again, moved("red-9", landing="flat")) == 18
    assert codes(score(HEADER, *again, throw("red-9", "red-4"), CLOSE))[-1] == "duelling"


def test_conflict_costs_a_block_and_needs_one() -> None:
    lines = [challenge("red-8"), throw("blue-1", "red-8"), CLOSE]
    assert score(HEADER, *lines, duel(Anna="conflict", Ben="conflict"))["state"]["lives"] == {
        "Anna": 2,
        "Ben": 2,
        "Cleo": 3,
    }
    assert refused(with_rules(life_blocks=0), *lines, duel(Anna="peace", Ben="conflict")) == 5
    for wrong in (
        duel(Anna="peace"),
        duel(Anna="peace", Cleo="peace"),
        duel(Anna="peace", Ben="war"),
        {"type": "duel"},
    ):
        assert refused(HEADER, *lines, wrong) == 5
    assert refused(HEADER, *lines, duel(Anna="peace", Ben="peace", Cleo="peace")) == 5
    assert refused(HEADER, *lines, {"type": "duel", "choices": {"Anna": "peace", "Ben": "peace", "Cleo": None}}) == 0


@pytest.mark.parametrize(
    "event",
    [
        challenge("red-1"),
        {"type": "throw", "card": "blue-1"},
        {"type": "throw", "card": "blue-1", "landing": ["flat"]},
        {"type": "throw", "card": "blue-1", "landing": "flat", "face": "sideways"},
        {"type": "throw", "landing": "flat"},
        throw("blue-11"),
        throw("blue-01"),
        throw("violet-1"),
        throw("red-8"),
        throw("blue-1", "blue-2"),
        throw("blue-1", "blue-1"),
        throw("blue-1", "?3"),
        {"type": "throw", "card": "blue-1", "landing": "flat", "rests_on": "red-8"},
        {"type": "throw", "card": "blue-1", "landing": "flat", "rests_on": [7]},
        moved("red-8"),
        moved("blue-1", landing="flat"),
        {"type": "moved", "landing": "flat"},
        duel(Anna="peace", Ben="peace"),
    ],
)
def test_what_cannot_happen_is_refused(event: Json) -> None:
    assert refused(HEADER, challenge("red-8"), event) == 3


def test_only_the_provocateur_may_provoke() -> None:
    assert refused(HEADER, challenge("blue-1")) == 2
    assert refused({**HEADER, "first": "Ben"}, challenge("blue-1")) == 0
    assert refused(HEADER, challenge("red-1"), CLOSE, challenge("red-2")) == 4
    assert refused(HEADER, challenge("red-1"), CLOSE, challenge("blue-2")) == 0


# Names


def test_a_card_face_down_is_called_by_its_line_and_keeps_that_name() -> None:
    lines = [challenge("red-8"), throw(None, "red-8", face="down"), throw("green-2", "?3"), CLOSE]
    result = score(HEADER, *lines)
    assert result["state"]["awaiting"] == "identify"
    assert result["state"]["unidentified"] == ["?3"]
    assert result["state"]["provocateur"] is None
    assert result["rulings"][0] == {
        **result["rulings"][0],
        "code": "face_down",
        "card": "?3",
        "player": None,
        "thrown": 3,
    }
    assert refused(HEADER, *lines, challenge("blue-1")) == 6
    named = [*lines, amend(3, card="blue-5")]
    assert score(HEADER, *named)["state"]["removed"] == ["blue-5", "green-2"]
    assert refused(HEADER, *named, challenge("blue-1")) == 0


def test_a_name_means_the_card_that_was_called_so_when_the_line_was_written() -> None:
    swapped = [
        challenge("red-8"),
        throw("blue-3", "red-8"),
        throw("green-4", "blue-3"),
        amend(3, card="blue-8"),  # it was the eight: what rests on "blue-3" still rests on this card
        CLOSE,
    ]
    assert verdicts(score(HEADER, *swapped)) == {"blue-8": "same_value", "green-4": "duelling"}
    assert refused(HEADER, *swapped[:4], throw("green-5", "blue-3"), CLOSE) == 6, "written after the correction"
    assert refused(HEADER, *swapped[:4], throw("green-5", "blue-8"), CLOSE) == 0


def test_two_cards_whose_names_were_swapped_keep_their_places() -> None:
    lines = [
        challenge("red-8"),
        throw("blue-3", "red-8"),
        throw("blue-4", "blue-3"),
        moved("blue-4", rests_on=[]),
        amend(3, card="blue-4"),
        amend(4, card="blue-3"),
        CLOSE,
    ]
    assert verdicts(score(HEADER, *lines)) == {"blue-4": "duelling", "blue-3": "not_on_challenge"}


def test_a_value_that_an_amendment_writes_uses_the_names_of_that_time() -> None:
    lines = [challenge("red-8"), throw("blue-3", "red-8"), throw("green-4"), amend(3, card="blue-8")]
    assert refused(HEADER, *lines, amend(4, rests_on=["blue-3"])) == 4, "nothing is called so any more"
    assert refused(HEADER, *lines, amend(4, rests_on=["blue-8"])) == 0


def test_missed_events_are_played_where_they_happened_and_blamed_on_the_amendment() -> None:
    lines = [challenge("red-8"), throw("blue-3", "red-8"), CLOSE, duel(Anna="peace", Ben="peace")]
    missed = throw("green-5", "red-8")
    assert refused(HEADER, *lines, amend(3, missed)) == 5, "now Cleo's card duels, and the choices are Ben's"
    result = score(HEADER, *lines, amend(3, missed), amend(5, choices={"Anna": "peace", "Cleo": "peace"}))
    assert result["rulings"][0]["card"] == "green-5"
    assert result["rulings"][0]["thrown"] == 6
    assert codes(result)[-2:] == ["amended", "amended"]
    assert refused(HEADER, *lines, amend(3, throw(None, "red-8", face="down"))) == 6, (
        "a missed throw must name its card"
    )


# Pictures and previews


def test_a_still_picture_is_ruled_on_by_the_same_code() -> None:
    cards = [
        ArenaCard("red-8", "red", 8, "flat"),
        ArenaCard("blue-8", "blue", 8, "flat", "up", ("red-8",)),
        ArenaCard("?1", None, None, "flat", "down", ("red-8",)),
        ArenaCard("green-3", "green", 3, "flat", "up", ("blue-8", "nothing")),
        ArenaCard("green-4", "green", 4, "flat", "up", ("green-3",)),
        ArenaCard("blue-1", "blue", 1, "flat", "up", ("?1",)),
        ArenaCard("red-2", "red", 2, "flat", "up", ("red-8",)),
    ]
    assert candidates("red-8", cards) == ["green-3"]
    assert duelling_card("red-8", cards) == "green-3"
    assert candidates("red-8", cards, pile="any") == ["green-3", "blue-1"]
    assert duelling_card("red-9", cards) is None
    assert duelling_card("red-8", []) is None
    with pytest.raises(Refused):
        duelling_card("?1", cards)


def test_a_preview_rules_as_the_close_would_and_changes_nothing() -> None:
    arena, _, state = read_header({"version": 1, **HEADER})
    assert preview(state) == []
    for line, event in enumerate((challenge("red-8"), throw("blue-3", "red-8")), 2):
        state, _ = arena.apply(state, arena.read(event, line))
    told = preview(state)
    _, closed = arena.apply(state, arena.read(CLOSE, 4))
    assert [(r.code, r.facts) for r in told] == [(r.code, r.facts) for r in closed] != []
    assert state.awaiting == "throws"


def test_legal_events_are_offered_only_to_whom_they_are_allowed() -> None:
    arena, _, state = read_header({"version": 1, **with_rules(life_blocks=0)})
    assert [may.kind for may in arena.legal(state)] == ["challenge"]
    for line, event in enumerate((challenge("red-8"), throw("blue-3", "red-8"), CLOSE), 2):
        state, _ = arena.apply(state, arena.read(event, line))
    (may,) = find_game("arena").legal(state)
    assert may.keys["choices"].values == {"Anna": ("peace",), "Ben": ("peace",)}


def test_face_down_throws_that_nobody_names_are_offered_too() -> None:
    arena, _, state = read_header({"version": 1, **HEADER})
    unnamed = {"type": "throw", "card": None, "landing": "flat", "face": "down"}
    for line, event in enumerate((challenge("red-8"), unnamed), 2):
        state, _ = arena.apply(state, arena.read(event, line))
    throws = [may.keys for may in arena.legal(state) if may.kind == "throw"]
    assert [keys["face"].values for keys in throws if keys["card"].values == (None,)] == [("down",)]
    assert all(keys["rests_on"].values == ("red-8", "?3") for keys in throws)
    turned = [may.keys for may in arena.legal(state) if may.kind == "moved" and "face" in may.keys]
    assert [keys["card"].values for keys in turned] == [("red-8",)], "nobody knows the face of ?3"
