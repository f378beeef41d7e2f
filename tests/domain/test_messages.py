"""What is told to people is a value: each sentence stands in one table, is made somewhere, and keeps through JSON."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena_cam
from arena_cam.domain.doubts import Doubt, Side, Way
from arena_cam.domain.messages import (
    PLACES,
    AsRecorded,
    Message,
    Reason,
    Sentence,
    Word,
    as_recorded,
    in_words,
    message_from_json,
    message_to_json,
    messages_from_json,
    messages_to_json,
)
from sources import parsed
from web.messages import tables

ROOT = Path(arena_cam.__file__).parent
SOURCES = {file: parsed(file) for file in sorted(ROOT.rglob("*.py"))}
SENTENCES = [sentence for table in tables() for sentence in table]


def texts(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, the documentation left out; what is filled into one reads %."""
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "%" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def test_no_two_sentences_share_a_code_or_their_english() -> None:
    for table in tables():
        assert len(table.__members__) == len(list(table)), f"{table.__name__} has a code twice"
    codes = [reason.value for table in Reason.__subclasses__() for reason in table]
    assert sorted(code for code in set(codes) if codes.count(code) > 1) == []
    said = [sentence.english for sentence in SENTENCES]
    assert sorted(text for text in set(said) if said.count(text) > 1) == []


def test_a_sentence_stands_in_its_table_alone() -> None:
    held: dict[str, list[str]] = {}
    for file, tree in SOURCES.items():
        for text in texts(tree):
            held.setdefault(PLACES.sub("%", text), []).append(file.relative_to(ROOT).as_posix())
    twice = {
        s.english: held[PLACES.sub("%", s.english)] for s in SENTENCES if " " in PLACES.sub("", s.english).strip(", :")
    }
    assert {text: files for text, files in twice.items() if len(files) != 1} == {}


def test_every_sentence_is_said_somewhere() -> None:
    """By its name, or found by its code where something else has the code: a landing, what a game awaits."""
    used = {
        (getattr(node.value, "id", getattr(node.value, "attr", "")), node.attr)
        for tree in SOURCES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
    }
    codes = {text for file, tree in SOURCES.items() if file.name != "messages.py" for text in texts(tree)}
    made = [table for table in tables() if issubclass(table, Sentence)]
    unsaid = [each for table in made for each in table if (table.__name__, each.name) not in used]
    assert [each for each in unsaid if isinstance(each, Reason) or each.value not in codes] == []


def test_a_message_says_itself_in_english() -> None:
    stranger = Doubt.STRANGER(side=Side.FAR_LEFT, area_cm2=12.5)
    assert str(stranger) == "something unknown lies on the far left side (12.5 cm2): uncover it or take it away"
    assert str(Doubt.PLACE_COVERED(card=None)) == "something covers the place of a card that lies face down"
    assert in_words([Doubt.TRAY_PUSHED(distance_mm=5, way=Way.UP), Doubt.PUSH_BACK()]) == (
        "the tray was pushed 5 mm upwards; push it back to its place, or set the table up anew"
    )


def test_a_place_that_stays_empty_is_an_error_where_the_message_is_made() -> None:
    with pytest.raises(TypeError, match="area_cm2"):
        Doubt.STRANGER(side=Side.FAR)


@pytest.mark.parametrize(
    "message",
    [
        Doubt.FIRST_LOOK(),
        Doubt.PLACE_COVERED(card=None),
        Doubt.STRANGER(side=Side.MIDDLE, area_cm2=3.0),
        Doubt.OTHER_CARD(card_other="red-9", candidates=(("red-6", 0.7), ("red-9", 0.25))),
        AsRecorded.AS_RECORDED(text="said by an older version"),
        Doubt.QR_CODE_SAYS(text="100 %(card)s"),
    ],
)
def test_a_message_keeps_through_json(message: Message) -> None:
    kept = json.loads(json.dumps(message_to_json(message)))
    assert message_from_json(kept) == message
    assert str(message_from_json(kept)) == str(message)


def test_doubts_are_kept_as_english_and_as_codes() -> None:
    doubts = (Doubt.SOMETHING_MOVES(), Doubt.SEEN_TWICE(card="red-8"))
    kept = messages_to_json(doubts)
    assert kept["why_unsure"] == ["something moves", "red-8 is seen twice"]
    assert [each["code"] for each in kept["doubts"]] == ["something_moves", "seen_twice"]
    assert messages_from_json(json.loads(json.dumps(kept))) == doubts


def test_doubts_kept_as_english_alone_are_shown_as_they_are() -> None:
    old = {"why_unsure": ["it may be red-9 instead", "too dark"]}
    assert [str(doubt) for doubt in messages_from_json(old)] == old["why_unsure"]
    assert messages_from_json(old) == as_recorded(old["why_unsure"])


def test_a_doubt_of_a_later_version_is_shown_in_english() -> None:
    later = {"why_unsure": ["it glows"], "doubts": [{"code": "it_glows", "params": {}}]}
    assert messages_from_json(later) == as_recorded(["it glows"])


def test_what_is_no_message_is_refused() -> None:
    for broken in ({}, {"code": "stranger", "params": {}}, {"code": "seen_twice", "params": {"card": {1: 2}}}):
        with pytest.raises((KeyError, TypeError, ValueError)):
            message_from_json(broken)


def test_the_english_has_named_places_only() -> None:
    for sentence in SENTENCES:
        assert isinstance(sentence, Word)
        assert not re.search(r"%(?!\(\w+\)s|%)", sentence.english.replace("%%", "")), sentence.english
