"""The game record: one file that holds everything a referee needs to rule on one game.

A header line and one line an event, each a JSON object. Reading and writing stand here; the rules are in
`arena_cam.rules`. Errors are sought in three stages (reading, amending, playing), each from the first line to the last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from msgspec import Struct

from arena_cam.domain.errors import BadRecord, Refused
from arena_cam.formats.json_line import read_objects
from arena_cam.formats.wording import text
from arena_cam.rules import Game, Header, Ruling
from arena_cam.rules.amending import Line, as_amended
from arena_cam.rules.folding import fold, play, steps
from arena_cam.rules.header import prepare
from arena_cam.rules.messages import RecordRefusal
from arena_cam.rules.reading import Data, listed, shown

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Record(Struct, frozen=True):
    """A record as read: `events` as they were written, amendments among them. `start` is the state before the first."""

    game: Game
    header: Header
    start: Any
    events: tuple[Line, ...]

    @property
    def next_line(self) -> int:
        """The line that an event appended now would have, if no blank lines follow the last event."""
        return self.events[-1].number + 1 if self.events else 2


class Played(Struct, frozen=True):
    """A record played to its last line: the state then and all rulings in the order of play."""

    game: Game
    state: Any
    rulings: list[Ruling]


def read_record(content: str | bytes) -> Record:
    """The record in `content`. Raises BadRecord with the line that cannot be read (stage 1)."""
    game, header, draft, events = _read(content)
    return Record(game, header, draft.fair_copy(), events)


def _read(content: str | bytes) -> tuple[Game, Header, Any, tuple[Line, ...]]:
    """Game, header, a draft of the state before the first event, and the events."""
    content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if content.startswith(_BYTE_ORDER_MARK):
        content = content[len(_BYTE_ORDER_MARK) :]
    numbers, objects, bad = read_objects(content)
    if objects:
        game, header, draft = _prepared(numbers[0], objects[0])
        events = _events(game, numbers[1:], objects[1:])
    if bad is not None:
        raise BadRecord(bad.line, bad.why)
    if not objects:
        raise BadRecord(1, RecordRefusal.EMPTY())
    return game, header, draft, events


def _prepared(number: int, data: Data) -> tuple[Game, Header, Any]:
    try:
        return prepare(data)
    except Refused as refused:
        raise BadRecord(number, refused.said) from None


def _events(game: Game, numbers: Sequence[int], objects: Sequence[Data]) -> tuple[Line, ...]:
    kinds = {*game.events, "note", "amend"}
    events = tuple(map(Line, numbers, objects))
    try:
        known = kinds.issuperset([line.data["type"] for line in events])
    except (KeyError, TypeError):  # no type, or one that cannot be looked up
        known = False
    if not known:
        _blame_kind(events, kinds)
    return events


def _blame_kind(events: Sequence[Line], kinds: set[str]) -> NoReturn:
    for line in events:
        kind = line.data.get("type")
        if kind.__class__ is not str or kind not in kinds:
            why = RecordRefusal.EVENT_KIND(names=listed(sorted(kinds)), text=shown(kind))
            raise BadRecord(line.number, why)
    raise AssertionError("all events are of a known kind")


def play_record(record: Record) -> Played:
    """Applies all amendments (stage 2) and plays the game (stage 3). Raises BadRecord with the line to blame."""
    state, rulings = fold(record.game, record.start, as_amended(record.game, record.events))
    return Played(record.game, state, rulings)


def play_steps(record: Record) -> Iterator[tuple[Line, Any, list[Ruling]]]:
    """As `play_record`, but line by line as amended: each with the state after it and the rulings it brought about."""
    return steps(record.game, record.start, as_amended(record.game, record.events))


def score_record(record: Record, language: str = "en") -> dict[str, Any]:
    """The result of `record` as a JSON object, with sentences in `language`. Raises BadRecord as `play_record` does."""
    return result_to_json(play_record(record), language)


def score_content(content: str | bytes, language: str = "en") -> dict[str, Any]:
    """As `score_record(read_record(content), language)`, without the states at start and end that nobody keeps."""
    game, _, draft, events = _read(content)
    rulings = play(game, draft, as_amended(game, events))
    return _result_to_json(game, draft, rulings, language)


def result_to_json(played: Played, language: str = "en") -> dict[str, Any]:
    """How the game stands, as a JSON object."""
    return _result_to_json(played.game, played.state, played.rulings, language)


def _result_to_json(game: Game, state: Any, rulings: list[Ruling], language: str) -> dict[str, Any]:
    result = game.result(state)
    return {
        "game": game.name,
        "over": result["over"],
        "winners": result["winners"],
        "scores": result["scores"],
        "rulings": [ruling_to_json(ruling, language) for ruling in rulings],
        "state": result["state"],
        "options": dict(state.setup.options),
    }


def ruling_to_json(ruling: Ruling, language: str = "en") -> dict[str, Any]:
    """A ruling as a JSON object, with its sentence in `language` and the rule it applies."""
    told: dict[str, Any] = {"line": ruling.line, "code": ruling.code}
    told |= ruling.facts
    told["text"] = text(ruling, language)
    told["rule"] = ruling.rule
    return told


def write_line(data: Mapping[str, Any]) -> str:
    """A header or an event as the line to append to a record, with its line end."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
