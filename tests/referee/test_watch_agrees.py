"""`watch` and the referee make the same events of the same observations: both ask the game's `interpret`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, Observation
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.game.match import Match
from arena_cam.referee.game.part import Seen
from arena_cam.referee.games.arena.command_line.watched_record import WatchedRecord, players_of
from arena_cam.referee.games.arena.seeing import observe
from referee.builders import DECK, Hand

SAID = ("type", "card", "landing", "face", "rests_on", "line", "set")
LANDINGS = [each.value for each in Landing]


def watched(looks: Sequence[Sequence[Observation]]) -> list[dict[str, Any]]:
    record = WatchedRecord(DECK)
    lines = [line for now_s, look in enumerate(looks) for line in record.take(look, float(now_s))]
    return [said(line) for line in lines if line.get("type") in ("challenge", "throw", "moved", "amend")]


def refereed(looks: Sequence[Sequence[Observation]]) -> list[dict[str, Any]]:
    """The same, of a game of all colours that the first card's player begins; its challenge never closes."""
    players = players_of(DECK)
    first = next(each.lie.card for each in looks[0] if isinstance(each, CardRested) and each.lie.card)
    begins = next(player["name"] for player in players if first.startswith(player["colour"]))
    match = Match(Ledger.open({"game": "arena", "version": 1, "players": players, "first": begins}), mode="automatic")
    for look in looks:
        match = observe(match, [Seen(each) for each in look])
    assert not match.questions or {question.kind for question in match.questions} == {"taken_back"}
    return [said(line.data) for line in match.ledger.record.events if line.data["type"] not in ("close", "note")]


def said(line: Any) -> dict[str, Any]:
    return {key: line[key] for key in SAID if key in line}


def evening(chance: random.Random) -> Iterator[list[Observation]]:
    """One round's looks: cards thrown onto each other, moved, turned over, taken up and laid down again."""
    hand = Hand()
    cards = [card.id for card in DECK.cards]
    chance.shuffle(cards)
    hand.now_s = 1.0
    yield [hand.rests(cards.pop())]
    backs = 0
    for _ in range(chance.randint(3, 14)):
        hand.now_s += 1.0
        lying = list(hand.lies)
        on = chance.sample(lying, chance.randint(0, min(2, len(lying))))
        match chance.choice(("throw", "throw", "throw", "face down", "move", "turn", "again", "two")):
            case "throw":
                yield [hand.rests(cards.pop(), chance.choice(LANDINGS), on)]
            case "face down":
                backs += 1
                yield [hand.rests(f"?{backs}", chance.choice(LANDINGS), on)]
            case "move":
                key = chance.choice(lying)
                beneath = tuple(other for other in on if other != key)
                yield [hand.moves(key, landing=Landing(chance.choice(LANDINGS)), rests_on=beneath)]
            case "turn":
                down = [key for key in lying if key.startswith("?")]
                if down:
                    card = cards.pop()
                    yield [hand.moves(down[0], key=card, card=card, face=Face.UP)]
            case "again" if len(lying) > 1:
                key = chance.choice(lying[1:])
                lie = hand.lies[key]
                yield [hand.takes(key)]
                hand.lies[key] = lie
                yield [CardRested(hand.now_s, lie, hand.reading())]
            case "two":
                yield [hand.rests(cards.pop(), "flat", on), hand.rests(cards.pop(), chance.choice(LANDINGS))]


@pytest.mark.parametrize("seed", range(60))
def test_watch_and_the_referee_make_the_same_of_what_is_seen(seed: int) -> None:
    looks = list(evening(random.Random(seed)))
    events = watched(looks)
    assert events[0]["type"] == "challenge"
    assert len(events) > 1
    assert refereed(looks) == events


def test_both_end_the_round_when_the_arena_has_been_swept() -> None:
    hand = Hand()
    looks = [[hand.rests("red-8")], [hand.rests("blue-3", "edge")], hand.sweeps()]
    record = WatchedRecord(DECK)
    assert [record.take(look, 1.0)[-1]["type"] for look in looks] == ["challenge", "throw", "note"]
    match = Match(Ledger.open({"game": "arena", "version": 1, "players": players_of(DECK)}), mode="automatic")
    for look in looks:
        match = observe(match, [Seen(each) for each in look])
    assert match.ledger.record.events[-1].data["type"] == "close"
    assert isinstance(looks[-1][0], CardGone)


def test_a_card_turned_up_in_the_empty_arena_opens_the_round_for_both() -> None:
    hand = Hand()
    down, up = hand.rests("?1"), hand.moves("?1", key="red-8", card="red-8", face=Face.UP)
    assert isinstance(up, CardMoved)
    assert [event["card"] for event in watched([[down], [up]])] == ["red-8"]
    match = Match(Ledger.open({"game": "arena", "version": 1, "players": players_of(DECK)}))
    for each in (down, up):
        match = observe(match, [Seen(each)])
    assert match.ledger.state["challenge"] == "red-8"
