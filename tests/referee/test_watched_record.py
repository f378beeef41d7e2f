"""What the eye saw becomes a record that can be scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.lies import Face, Landing, Lie, Reading
from arena_cam.domain.observations import CardGone, CardMoved, CardRested
from arena_cam.formats.game_record import play_record, read_record, write_line
from arena_cam.formats.wording import sentences
from arena_cam.referee.games.arena.command_line.watched_record import WatchedRecord

COLOURS = ("red", "blue", "green")


def deck() -> Deck:
    cards = tuple(Card(f"{c}-{v}", Path("none.png"), c, v) for c in COLOURS for v in range(1, 11))
    return Deck("test", 63.0, 88.0, 3.0, cards)


def lie(key: str, landing: Landing = Landing.FLAT, *on: str) -> Lie:
    down = key.startswith("?")
    square = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    face = Face.DOWN if down else Face.UP
    return Lie(key, None if down else key, face, landing, 0.99, 0.5, 0.5, (0.0, 0.0), 0.0, square, rests_on=on)


def reading(*lies: Lie) -> Reading:
    return Reading("f", 1.0, lies)


def rested(*pile: Lie) -> CardRested:
    """The top one of `pile` has come."""
    return CardRested(0.9, pile[-1], reading(*pile))


@pytest.fixture
def record() -> WatchedRecord:
    return WatchedRecord(deck())


def test_the_header_names_a_player_for_each_colour_and_who_begins(record: WatchedRecord) -> None:
    header = record.take([rested(lie("blue-4"))], 1.0)[0]
    assert header["game"] == "arena"
    assert [player["colour"] for player in header["players"]] == ["red", "blue", "green"]
    assert header["first"] == "Blue"


def test_the_first_card_is_the_challenge_and_the_next_ones_are_thrown(record: WatchedRecord) -> None:
    red, blue = lie("red-8"), lie("blue-3", Landing.FLAT, "red-8")
    lines = record.take([rested(red)], 1.0) + record.take([rested(red, blue)], 2.0)
    _, challenge, throw = lines
    assert (challenge["type"], challenge["card"], challenge["at"]) == ("challenge", "red-8", 1.0)
    assert (throw["type"], throw["card"], throw["landing"], throw["rests_on"]) == ("throw", "blue-3", "flat", ["red-8"])
    assert [card["id"] for card in throw["seen"]["cards"]] == ["red-8", "blue-3"]
    assert throw["seen"]["duelling"] == "blue-3"


def test_of_cards_that_came_to_rest_together_the_challenge_comes_first(record: WatchedRecord) -> None:
    down, blue, red = lie("?1", Landing.EDGE), lie("blue-3", Landing.FLAT, "red-8"), lie("red-8")
    there = reading(down, red, blue)
    lines = record.take([CardRested(0.9, each, there) for each in (down, blue, red)], 1.0)
    assert [(line.get("type"), line.get("card")) for line in lines[1:]] == [
        ("challenge", "red-8"),
        ("throw", None),
        ("throw", "blue-3"),
    ]
    assert lines[0]["first"] == "Red"
    assert lines[3]["rests_on"] == ["red-8"]


def test_a_card_face_down_is_called_by_the_line_of_its_throw(record: WatchedRecord) -> None:
    red, back, blue = lie("red-8"), lie("?1", Landing.FLAT, "red-8"), lie("blue-3", Landing.FLAT, "?1")
    lines = record.take([rested(red)], 1.0) + record.take([rested(red, back)], 2.0)
    lines += record.take([rested(red, back, blue)], 3.0)
    assert (lines[2]["card"], lines[2]["face"]) == (None, "down")
    assert lines[3]["rests_on"] == ["?3"]
    lines += record.take([CardMoved(3.5, back, lie("?1", Landing.EDGE), reading(red, back, blue))], 4.0)
    assert (lines[4]["type"], lines[4]["card"], lines[4]["landing"]) == ("moved", "?3", "edge")


def test_the_lines_can_be_scored(record: WatchedRecord) -> None:
    red, back, blue = lie("red-8"), lie("?1", Landing.EDGE), lie("blue-3", Landing.FLAT, "red-8")
    lines = record.take([rested(red)], 1.0) + record.take([rested(red, back)], 2.0)
    lines += record.take([rested(red, back, blue)], 3.0)
    lines += record.take([CardMoved(3.5, red, lie("red-8"), reading(red, back, blue))], 4.0)
    text = "".join(write_line(line) for line in lines) + json.dumps({"type": "close"})
    played = play_record(read_record(text))
    assert any(ruling.code == "duelling" or ruling.facts.get("card") == "blue-3" for ruling in played.rulings)


def test_an_emptied_arena_ends_the_round(record: WatchedRecord) -> None:
    red, blue, green = lie("red-8"), lie("blue-3"), lie("green-5")
    record.take([rested(red)], 1.0)
    record.take([rested(red, blue)], 2.0)
    assert record.take([CardGone(3.0, blue, reading(red))], 3.0) == []
    assert [line["type"] for line in record.take([CardGone(3.0, red, reading())], 3.0)] == ["note"]
    assert record.take([rested(green)], 4.0)[0]["type"] == "challenge"


def test_a_card_taken_up_and_laid_down_again_was_thrown_once(record: WatchedRecord) -> None:
    red, blue = lie("red-8"), lie("blue-3")
    record.take([rested(red)], 1.0)
    record.take([rested(red, blue)], 2.0)
    record.take([CardGone(3.0, blue, reading(red))], 3.0)
    assert record.take([rested(red, blue)], 4.0) == []
    record.take([CardGone(5.0, blue, reading(red))], 5.0)
    on_edge = lie("blue-3", Landing.EDGE)
    assert [(e["type"], e["landing"]) for e in record.take([rested(red, on_edge)], 6.0)] == [("moved", "edge")]


def test_a_card_turned_over_is_named_by_a_correction(record: WatchedRecord) -> None:
    red, back, blue = lie("red-8"), lie("?1"), lie("blue-3")
    record.take([rested(red)], 1.0)
    record.take([rested(red, back)], 2.0)
    lines = record.take([CardMoved(3.0, back, blue, reading(red, blue))], 3.0)
    assert [line["type"] for line in lines] == ["amend", "moved"]
    assert (lines[0]["line"], lines[0]["set"]) == (3, {"card": "blue-3"})


def test_what_lies_beside_or_face_down_opens_no_round(record: WatchedRecord) -> None:
    assert record.take([rested(lie("red-8", Landing.BESIDE))], 1.0) == []
    assert [line.get("type") for line in record.take([rested(lie("?1"))], 2.0)] == [None, "note"]
    assert record.take([rested(lie("blue-2"))], 3.0)[0]["type"] == "challenge"


def test_players_can_be_named() -> None:
    record = WatchedRecord(deck(), players=[("Anna", "red"), ("Eric", "blue"), ("Ida", "green")])
    assert record.take([rested(lie("blue-4"))], 1.0)[0]["first"] == "Eric"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", "lancer 3 bleu appuyée sur 8 rouge et 1 vert (pas sûr)"),
        ("is", "kast blátt 3 hallast ofan á: rautt 8 og grænt 1 (ekki víst)"),
    ],
)
def test_a_line_is_said_in_the_language_asked_for(language: str, words: str) -> None:
    """The record itself, which programs read, is the same in all."""
    line = {"type": "throw", "card": "blue-3", "landing": "diagonal", "rests_on": ["red-8", "green-1"], "sure": False}
    record = WatchedRecord(deck(), language=language)
    assert record.in_words({"at": 1.5, **line}) == f"   1.50 s  {words}"
    (note,) = [each for each in record.take([rested(lie("?1"))], 2.0) if each.get("type") == "note"]
    assert note["text"] == "a card came to rest face down in the empty arena; it cannot be a challenge"
    assert record.in_words(note) == f"   2.00 s  {sentences(language)[note['text']]}"
    face_down = {"type": "throw", "card": None, "face": "down", "landing": "edge", "sure": True}
    assert sentences(language)["face down"] in record.in_words({"at": 1.5, **face_down})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            {"type": "throw", "card": "blue-3", "landing": "diagonal", "rests_on": ["red-8", "green-1"], "sure": True},
            "throw blue 3 leaning on red 8 and green 1",
        ),
        ({"type": "throw", "card": None, "landing": "edge", "sure": False}, "throw a card on the edge (not sure)"),
        ({"type": "amend", "line": 4, "set": {"card": "red-9"}}, "the card of line 4 is red 9"),
    ],
)
def test_people_read_cards_and_landings_by_their_names(line: dict[str, Any], words: str) -> None:
    assert WatchedRecord(deck()).in_words({"at": 1.5, **line}) == f"   1.50 s  {words}"
