"""What holds for every game, whatever is played: searched for by hypothesis."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena_cam.domain.errors import BadRecord, Refused
from arena_cam.formats.game_record import play_record, play_steps, read_record, result_to_json, write_line
from arena_cam.rules import all_games
from arena_cam.rules.folding import fold
from arena_cam.rules.header import read_header
from arena_cam.rules.random_play import random_event, random_events, random_header

GAMES = sorted(all_games())
quick = settings(max_examples=20)


def record_of(name: str, seed: int, most: int = 60, house_rules: bool = True) -> list[dict[str, Any]]:
    """A random legal record: header and events."""
    choose = random.Random(seed).choice
    header = random_header(all_games()[name], choose, house_rules=house_rules)
    return [header, *random_events(all_games()[name], header, choose, most)]


def text(lines: list[dict[str, Any]]) -> str:
    return "".join(map(write_line, lines))


def outcome(lines: list[dict[str, Any]]) -> dict[str, Any] | tuple[int, str]:
    try:
        return result_to_json(play_record(read_record(text(lines))))
    except BadRecord as error:
        return error.line, error.message


@pytest.mark.parametrize("name", GAMES)
@quick
@given(seed=st.integers(0, 10**6))
def test_what_is_said_to_be_legal_is(name: str, seed: int) -> None:
    assert isinstance(outcome(record_of(name, seed)), dict)


@pytest.mark.parametrize("name", GAMES)
@quick
@given(seed=st.integers(0, 10**6))
def test_each_kind_of_event_that_is_offered_can_be_played(name: str, seed: int) -> None:
    rng = random.Random(seed)
    header, *events = record_of(name, seed)
    game, _, state = read_header(header)
    reached = rng.randrange(len(events) + 1)
    for line, event in enumerate(events[:reached], 2):
        state, _ = game.apply(state, game.read(event, line))
    for may in game.legal(state):
        game.apply(state, game.read(random_event([replace(may, weight=1)], rng.choice), reached + 2))


@pytest.mark.parametrize("name", GAMES)
@quick
@given(seed=st.integers(0, 10**6))
def test_scoring_twice_gives_the_same_and_changes_nothing(name: str, seed: int) -> None:
    record = read_record(text(record_of(name, seed)))
    before = pickle.dumps(record.start)
    first = json.dumps(result_to_json(play_record(record)))
    assert json.dumps(result_to_json(play_record(record))) == first
    assert pickle.dumps(record.start) == before


@pytest.mark.parametrize("name", GAMES)
@quick
@given(seed=st.integers(0, 10**6), data=st.data())
def test_scoring_in_two_halves_through_a_saved_state_gives_the_same(name: str, seed: int, data: st.DataObject) -> None:
    record = read_record(text(record_of(name, seed)))
    cut = data.draw(st.integers(0, len(record.events)))
    state, rulings = fold(record.game, record.start, record.events[:cut])
    kept = pickle.dumps(record.game.result(state))
    saved = pickle.loads(pickle.dumps(state))
    end, more = fold(record.game, saved, record.events[cut:])
    whole = play_record(record)
    assert record.game.result(end) == record.game.result(whole.state)
    assert [*rulings, *more] == whole.rulings
    assert pickle.dumps(record.game.result(state)) == kept, "playing on must not change the state it started from"


@pytest.mark.parametrize("name", GAMES)
@quick
@given(seed=st.integers(0, 10**6))
def test_an_amendment_gives_what_the_right_record_would_have_given(name: str, seed: int) -> None:
    right = record_of(name, seed)
    rng = random.Random(seed)
    if len(right) < 3:
        return
    line = rng.randrange(2, len(right) + 1)
    event = right[line - 1]
    key = rng.choice(sorted(event))
    wrong = [*right]
    wrong[line - 1] = {**event, key: "note" if key == "type" else "nonsense"}
    expected = outcome(right)
    assert isinstance(expected, dict)
    corrected = outcome([*wrong, {"type": "amend", "line": line, "set": {key: event[key]}}])
    struck = outcome([*right[: line - 1], {"type": "note"}, *right[line:], missing(line, event)])
    for found in (corrected, struck):
        assert isinstance(found, dict)
        assert found["scores"] == expected["scores"]
        assert found["state"] == expected["state"]
        assert [r["code"] for r in found["rulings"]] == [*(r["code"] for r in expected["rulings"]), "amended"]


def missing(line: int, event: dict[str, Any]) -> dict[str, Any]:
    return {"type": "amend", "line": line, "before": [event]}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("name", GAMES)
@settings(quick, max_examples=40)
@given(seed=st.integers(0, 10**4), data=st.data())
def test_no_malformed_event_raises_anything_but_the_documented_error(name: str, seed: int, data: st.DataObject) -> None:
    lines = record_of(name, seed, most=data.draw(st.integers(1, 40)))
    game = all_games()[name]
    keys = sorted({"type", "set", "before", "line"}.union(*(kind.keys for kind in game.events.values())))
    known = [event[key] for event in lines[1:] for key in event]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        key = data.draw(st.sampled_from(keys if place else [*keys, "players", "options", "suns", "first", "dealer"]))
        value = data.draw(json_values | st.sampled_from(known or [1]))
        lines[place] = {**lines[place], key: value}
    found = outcome(lines)
    if not isinstance(found, dict):
        line, message = found
        assert 1 <= line <= len(lines)
        assert message.isprintable()
        assert len(message) < 400


@pytest.mark.parametrize("name", GAMES)
@quick
@given(content=st.text(max_size=60) | st.binary(max_size=60), seed=st.integers(0, 100))
def test_no_text_at_all_raises_anything_but_the_documented_error(name: str, content: str | bytes, seed: int) -> None:
    start = text(record_of(name, seed, most=3)).encode()
    tail = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    for whole in (tail, start + tail, start[: len(tail) * 3]):
        try:
            play_record(read_record(whole))
        except BadRecord as error:
            found = (error.line, error.message)
        else:
            found = (1, "good")
        assert found[0] >= 1
        assert found[1].isprintable()


@quick
@given(seed=st.integers(0, 10**6))
def test_cards_of_the_arena_are_conserved_and_blocks_are_never_negative(seed: int) -> None:
    record = read_record(text(record_of("arena", seed, most=150)))
    cards = sorted(card for hand in record.game.result(record.start)["state"]["hands"].values() for card in hand)
    for _, played, _ in play_steps(record):
        state = record.game.result(played)["state"]
        places = [*state["hands"].values(), *state["won"].values(), state["removed"], state["arena"]]
        assert sorted(card for place in places for card in place) == cards
        assert min(state["lives"].values()) >= 0


@quick
@given(seed=st.integers(0, 10**6))
def test_cards_of_a_known_deal_are_conserved(seed: int) -> None:
    record = read_record(text(record_of("tricks", seed, most=150)))
    played: list[str] = []
    for line, state, _ in play_steps(record):
        if line.data["type"] == "deal":
            played = []
        elif line.data["type"] == "play":
            played.append(line.data["card"])
        hands = record.game.result(state)["state"]["hands"]
        if hands is not None:
            held = [card for hand in hands.values() for card in hand]
            assert len({*held, *played}) == len(held) + len(played) == 52 - record.game.result(state)["state"]["stock"]


@pytest.mark.parametrize("name", GAMES)
def test_a_state_cannot_be_changed(name: str) -> None:
    state = read_record(text(record_of(name, 1))).start
    with pytest.raises(AttributeError):
        state.awaiting = "nothing"


@pytest.mark.parametrize("name", GAMES)
def test_an_event_of_another_game_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        all_games()[name].read({"type": "dance"}, 2)
