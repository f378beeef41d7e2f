"""What cannot be read or played is blamed on the right line, in the right stage, in one plain line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena_cam.domain.errors import BadRecord
from arena_cam.formats.game_record import read_record, score_record

HEADER = (
    '{"game":"arena","version":1,"players":[{"name":"Anna","colour":"red"},{"name":"Ben","colour":"blue"},'
    '{"name":"Cleo","colour":"green"}]}'
)
CHALLENGE = '{"type":"challenge","card":"red-8"}'
BAD_PLAY = '{"type":"throw","card":"red-8","landing":"flat"}'
BAD_AMEND = '{"type":"amend","line":99,"set":{"landing":"flat"}}'


def blamed(content: str | bytes) -> int | None:
    """The line that is blamed, None if the record is good; the message must be one plain short line."""
    try:
        score_record(read_record(content))
    except BadRecord as error:
        return error.line if _plain(error.message) else -1
    return None


def _plain(message: str) -> bool:
    return 5 < len(message) < 400 and message.isprintable()


def lines(*lines: str) -> str:
    return "\n".join(lines)


def header(**changes: Any) -> str:
    """The header with keys changed; None takes one away."""
    data = {**json.loads(HEADER), **changes}
    return json.dumps({key: value for key, value in data.items() if value is not None})


def player(name: object, colour: object = "violet") -> dict[str, object]:
    return {"name": name, "colour": colour}


GOOD = [
    HEADER,
    HEADER + "\n",
    HEADER + "\r\n",
    "\ufeff" + HEADER,
    "\n \t\r\n" + HEADER + "\n\n" + CHALLENGE + "\n\n",
    "  " + HEADER + " \t\r\n" + CHALLENGE,
    lines(HEADER, '{"type":"note","text":"a \u2028 b \x85 c \x0b"}'.replace("\x0b", "")),
    lines(HEADER, '{"type":"note","x":' + "1" * 5000 + "}"),
    lines(HEADER, '{"type":"note","x":-' + "1" * 5000 + ',"y":1e999}'),
    lines(HEADER, '{"type":"note","x":"\\ud800"}'),
    lines(HEADER, '{"type":"note","x":[[[[{"a":1},{"a":1}]]]],"a:b":"c:d"}'),
    lines(HEADER, '{"type":"challenge","card":"red-8","at":1.5,"seen":{"card":"blue-1"},"landing":7}'),
    lines(header(options={"pile": None}, first=None), CHALLENGE),
    lines(
        header(options=None), '{"type":"note"}', '{"type":"amend","line":2,"set":{"type":"challenge","card":"red-1"}}'
    ),
    header(players=[player("A" * 40), player("Þóra Ö", "red"), player("李", "blue")]),
]


@pytest.mark.parametrize("content", GOOD)
def test_good_records_are_read(content: str) -> None:
    assert blamed(content) is None


BAD_READING = [
    ("", 1),
    ("\n\n", 1),
    ("\ufeff", 1),
    ("\ufeff\ufeff" + HEADER, 1),
    ("[]", 1),
    ("{}", 1),
    ("7", 1),
    ("\n\n" + '{"game":"chess"}', 3),
    (header(version=True), 1),
    (header(version="1"), 1),
    (header(version=2), 1),
    ('{"game":"arena","version":1.0,' + HEADER[27:], 1),
    (header(game=["arena"]), 1),
    (header(players=[player("A"), player("B", "red")]), 1),
    (
        header(
            players=[
                player(n, c) for n, c in zip("ABCDEF", ["red", "blue", "green", "yellow", "violet", "red"], strict=True)
            ]
        ),
        1,
    ),
    (header(players=[player("A", "red"), player("A", "blue"), player("B")]), 1),
    (header(players=[player("A", "red"), player("B", "red"), player("C")]), 1),
    (header(players=[player("A", "red"), player("B", "pink"), player("C")]), 1),
    (header(players=[player("A", "red"), player("B", ["blue"]), player("C")]), 1),
    (header(players=[player("", "red"), player("B", "blue"), player("C")]), 1),
    (header(players=[player("A" * 41, "red"), player("B", "blue"), player("C")]), 1),
    (header(players=[player(" A", "red"), player("B", "blue"), player("C")]), 1),
    (header(players=[player("A\u00a0B", "red"), player("B", "blue"), player("C")]), 1),
    (header(players=[player("\ud800", "red"), player("B", "blue"), player("C")]), 1),
    (header(players=[player(7, "red"), player("B", "blue"), player("C")]), 1),
    (header(players=[None, player("B", "blue"), player("C")]), 1),
    (header(players={"A": 1}), 1),
    (header(first="Zoe"), 1),
    (header(first=["Anna"]), 1),
    (header(options=[]), 1),
    (header(options={"speed": 1}), 1),
    (header(options={"pile": "all"}), 1),
    (header(options={"life_blocks": True}), 1),
    (header(options={"life_blocks": 11}), 1),
    (header(options={"life_blocks": 2.0}), 1),
    (header(options={"life_blocks": 10**300}), 1),
    (lines(HEADER, "{"), 2),
    (lines(HEADER, CHALLENGE, '{"type":"close"} x'), 3),
    (lines(HEADER, '{"type":"close"}{"type":"close"}'), 2),
    (lines(HEADER, '{"type":"note","x":NaN}'), 2),
    (lines(HEADER, '{"type":"note","x":-Infinity}'), 2),
    (lines(HEADER, '{"type":"note","x":01}'), 2),
    (lines(HEADER, "{'type':'note'}"), 2),
    (lines(HEADER, '{"type":"note",}'), 2),
    (lines(HEADER, '{"type":"note","x":"\t"}'), 2),
    (lines(HEADER, '{"type":"note"}\u00a0'), 2),
    (lines(HEADER, "\u2028"), 2),
    (lines(HEADER, "\x0c"), 2),
    (lines(HEADER, '{"type":"note","type":"note"}'), 2),
    (lines(HEADER, '{"type":"note","x":1,"\\u0078":2}'), 2),
    (lines(HEADER, '{"type":"note","x":{"a":1,"a":1}}'), 2),
    (lines(HEADER, '{"type":"note","x":[{"a":1,"b":":","a":1}]}'), 2),
    (lines(HEADER, '{"type":"note","x":' + "1" * 5000 + ',"x":1}'), 2),
    (lines(HEADER, '{"type":"note","x":' + "[" * 100_000 + "]" * 100_000 + "}"), 2),
    (lines(HEADER, "[" * 100_000), 2),
    (lines(HEADER, '{"type":"dance"}'), 2),
    (lines(HEADER, '{"type":["note"]}'), 2),
    (lines(HEADER, '{"type":null}'), 2),
    (lines(HEADER, '{"kind":"note"}'), 2),
    (lines(HEADER, '"note"'), 2),
    (lines(HEADER, "[]"), 2),
    (lines(HEADER, '{"type":"vote"}'), 2),
]


@pytest.mark.parametrize(("content", "line"), BAD_READING)
def test_what_cannot_be_read_is_blamed_on_its_line(content: str, line: int) -> None:
    assert blamed(content) == line


def test_bytes_that_are_not_utf_8_are_blamed_on_their_line() -> None:
    good, bad = (HEADER + "\n").encode(), b'{"type":"note","x":"\xff"}\n'
    assert blamed(good + bad) == 2
    assert blamed(bad + good) == 1
    assert blamed(good + b"nonsense\n" + bad) == 2, "the first line that is wrong, whatever is wrong with it"
    assert blamed(good + '{"type":"note","x":"\ud800"}'.encode("utf-8", "surrogatepass")) == 2


AMENDING = [
    '{"type":"amend"}',
    '{"type":"amend","line":2}',
    '{"type":"amend","line":2,"set":{}}',
    '{"type":"amend","line":2,"before":[]}',
    '{"type":"amend","line":2,"set":null,"before":null}',
    '{"type":"amend","line":true,"set":{"card":"red-1"}}',
    '{"type":"amend","line":2.0,"set":{"card":"red-1"}}',
    '{"type":"amend","line":"2","set":{"card":"red-1"}}',
    '{"type":"amend","line":1,"set":{"card":"red-1"}}',
    '{"type":"amend","line":3,"set":{"card":"red-1"}}',
    '{"type":"amend","line":4,"set":{"card":"red-1"}}',
    '{"type":"amend","line":-2,"set":{"card":"red-1"}}',
    '{"type":"amend","line":' + "9" * 5000 + ',"set":{"card":"red-1"}}',
    '{"type":"amend","line":2,"set":[1]}',
    '{"type":"amend","line":2,"set":{"cards":"red-1"}}',
    '{"type":"amend","line":2,"set":{"line":2}}',
    '{"type":"amend","line":2,"set":{"type":"amend"}}',
    '{"type":"amend","line":2,"set":{"type":"vote"}}',
    '{"type":"amend","line":2,"set":{"type":null}}',
    '{"type":"amend","line":2,"before":{"type":"close"}}',
    '{"type":"amend","line":2,"before":["close"]}',
    '{"type":"amend","line":2,"before":[{"type":"amend","line":2,"set":{"card":"red-1"}}]}',
    '{"type":"amend","line":2,"before":[{"card":"red-1"}]}',
]


@pytest.mark.parametrize("amendment", AMENDING)
def test_amendments_that_are_not_well_formed_are_blamed_on_their_line(amendment: str) -> None:
    assert blamed(lines(HEADER, CHALLENGE, amendment)) == 3


@pytest.mark.parametrize("empty", ['"set":{}', '"before":[]'])
def test_an_empty_amendment_is_not_told_that_an_object_must_be_an_object(empty: str) -> None:
    with pytest.raises(BadRecord) as refused:
        score_record(read_record(lines(HEADER, CHALLENGE, '{"type":"amend","line":2,' + empty + "}")))
    assert "say what was otherwise" in str(refused.value)


def test_an_amendment_cannot_be_amended_nor_a_blank_line() -> None:
    good = '{"type":"amend","line":2,"set":{"card":"red-1"}}'
    assert blamed(lines(HEADER, CHALLENGE, good, '{"type":"amend","line":3,"set":{"card":"red-2"}}')) == 4
    assert blamed(lines(HEADER, CHALLENGE, "", '{"type":"amend","line":3,"set":{"card":"red-2"}}')) == 4


def test_reading_comes_before_amending_and_amending_before_playing() -> None:
    assert blamed(lines(HEADER, CHALLENGE, BAD_PLAY)) == 3
    assert blamed(lines(HEADER, CHALLENGE, BAD_PLAY, BAD_AMEND)) == 4
    assert blamed(lines(HEADER, CHALLENGE, BAD_PLAY, BAD_AMEND, "{")) == 5
    assert blamed(lines(HEADER, CHALLENGE, BAD_PLAY, BAD_AMEND, '{"type":"dance"}', "{")) == 5


def test_what_an_amendment_makes_impossible_is_blamed_on_the_later_line_until_that_is_amended() -> None:
    record = [HEADER, CHALLENGE, '{"type":"throw","card":"blue-4","landing":"flat"}']
    strike = '{"type":"amend","line":3,"set":{"card":"blue-5"}}'
    later = '{"type":"throw","card":"blue-5","landing":"flat"}'
    assert blamed(lines(*record, later)) is None
    assert blamed(lines(*record, later, strike)) == 4
    assert blamed(lines(*record, later, strike, '{"type":"amend","line":4,"set":{"type":"note"}}')) is None


def test_a_missed_event_that_cannot_happen_is_blamed_on_the_amendment() -> None:
    missed = '{"type":"amend","line":2,"before":[{"type":"close"}]}'
    assert blamed(lines(HEADER, CHALLENGE, missed)) == 3


def test_only_notes_and_amendments_may_follow_the_end() -> None:
    head = '{"game":"hexes","version":1,"players":[{"name":"Anna"}]}'
    tiles = [f"{a}-{b}-{c}" for a in (1, 5, 9) for b in (3, 4, 8) for c in (2, 6, 7)]
    cells = [
        f"{column}{row}" for column, count in zip("ABCDE", (3, 4, 5, 4, 3), strict=True) for row in range(1, count + 1)
    ]
    boards = json.dumps({"type": "boards", "boards": {"Anna": dict(zip(cells, tiles, strict=False))}})
    note, amend = '{"type":"note"}', '{"type":"amend","line":3,"set":{"type":"note"}}'
    assert blamed(lines(head, boards, note, amend)) is None
    assert blamed(lines(head, boards, note, amend, '{"type":"draw","tile":"1-3-2"}')) == 5
